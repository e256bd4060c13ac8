#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0, d1, d2) -> (d0)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
#map4 = affine_map<(d0, d1) -> (d0, 0)>
#map5 = affine_map<(d0, d1) -> ()>
module {
  func.func @main(%arg0: tensor<?x32xf32> {frit.tensor = "x", frit.dims = ["tokens", ""]}, %arg1: tensor<?xi32> {frit.tensor = "ids", frit.dims = ["tokens"]}, %arg2: tensor<96x32xf32> {frit.tensor = "model.layers.0.mlp.gate_proj.weight"}, %arg3: tensor<2x8x32xf32> {frit.tensor = "model.layers.0.mlp.gate_proj.lora_A"}, %arg4: tensor<2x96x8xf32> {frit.tensor = "model.layers.0.mlp.gate_proj.lora_B"}, %arg5: tensor<2xf32> {frit.tensor = "model.layers.0.mlp.gate_proj.lora_scales"}, %arg6: tensor<96x32xf32> {frit.tensor = "model.layers.0.mlp.up_proj.weight"}, %arg7: tensor<2x8x32xf32> {frit.tensor = "model.layers.0.mlp.up_proj.lora_A"}, %arg8: tensor<2x96x8xf32> {frit.tensor = "model.layers.0.mlp.up_proj.lora_B"}, %arg9: tensor<2xf32> {frit.tensor = "model.layers.0.mlp.up_proj.lora_scales"}, %arg10: tensor<32x96xf32> {frit.tensor = "model.layers.0.mlp.down_proj.weight"}, %arg11: tensor<2x8x96xf32> {frit.tensor = "model.layers.0.mlp.down_proj.lora_A"}, %arg12: tensor<2x32x8xf32> {frit.tensor = "model.layers.0.mlp.down_proj.lora_B"}, %arg13: tensor<2xf32> {frit.tensor = "model.layers.0.mlp.down_proj.lora_scales"}) -> tensor<?x32xf32> {
    %c0_i64 = arith.constant 0 : i64
    %c0 = arith.constant 0 : index
    %cst = arith.constant 0.000000e+00 : f32
    %c2_i64 = arith.constant 2 : i64
    %cst_0 = arith.constant 0.000000e+00 : f64
    %c3_i64 = arith.constant 3 : i64
    %cst_1 = arith.constant 4.471500e-02 : f32
    %cst_2 = arith.constant 7.977240e-01 : f32
    %cst_3 = arith.constant 1.000000e+00 : f32
    %cst_4 = arith.constant 5.000000e-01 : f32
    %cst_5 = arith.constant dense<1.64485359> : tensor<f32>
    %c0_i32 = arith.constant 0 : i32
    %cst_6 = arith.constant 9.600000e+01 : f32
    %cst_7 = arith.constant 9.600000e+01 : f64
    %0 = tensor.empty() : tensor<32x96xf32>
    %transposed = linalg.transpose ins(%arg2 : tensor<96x32xf32>) outs(%0 : tensor<32x96xf32>) permutation = [1, 0] 
    %dim = tensor.dim %arg0, %c0 : tensor<?x32xf32>
    %1 = tensor.empty(%dim) : tensor<?x96xf32>
    %2 = linalg.fill ins(%cst : f32) outs(%1 : tensor<?x96xf32>) -> tensor<?x96xf32>
    %3 = linalg.matmul ins(%arg0, %transposed : tensor<?x32xf32>, tensor<32x96xf32>) outs(%2 : tensor<?x96xf32>) -> tensor<?x96xf32>
    %dim_8 = tensor.dim %arg1, %c0 : tensor<?xi32>
    %4 = tensor.empty(%dim_8) : tensor<?xi32>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg1 : tensor<?xi32>) outs(%4 : tensor<?xi32>) {
    ^bb0(%in: i32, %out: i32):
      %83 = arith.maxsi %in, %c0_i32 : i32
      linalg.yield %83 : i32
    } -> tensor<?xi32>
    %6 = tensor.empty(%dim_8) : tensor<?xi64>
    %7 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%5 : tensor<?xi32>) outs(%6 : tensor<?xi64>) {
    ^bb0(%in: i32, %out: i64):
      %83 = arith.extsi %in : i32 to i64
      linalg.yield %83 : i64
    } -> tensor<?xi64>
    %dim_9 = tensor.dim %7, %c0 : tensor<?xi64>
    %8 = tensor.empty(%dim_9) : tensor<?x8x32xf32>
    %9 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%7 : tensor<?xi64>) outs(%8 : tensor<?x8x32xf32>) {
    ^bb0(%in: i64, %out: f32):
      %83 = arith.cmpi slt, %in, %c0_i64 : i64
      %84 = arith.addi %in, %c2_i64 : i64
      %85 = arith.select %83, %84, %in : i64
      %86 = arith.index_cast %85 : i64 to index
      %87 = linalg.index 1 : index
      %88 = linalg.index 2 : index
      %extracted = tensor.extract %arg3[%86, %87, %88] : tensor<2x8x32xf32>
      linalg.yield %extracted : f32
    } -> tensor<?x8x32xf32>
    %expanded = tensor.expand_shape %arg0 [[0], [1, 2]] output_shape [%dim, 32, 1] : tensor<?x32xf32> into tensor<?x32x1xf32>
    %10 = arith.index_cast %dim_9 : index to i64
    %11 = arith.index_cast %dim : index to i64
    %12 = arith.cmpi eq, %10, %11 : i64
    cf.assert %12, "mismatching contracting dimension"
    %13 = tensor.empty(%dim_9) : tensor<?x8x1xf32>
    %14 = linalg.fill ins(%cst : f32) outs(%13 : tensor<?x8x1xf32>) -> tensor<?x8x1xf32>
    %15 = linalg.batch_matmul ins(%9, %expanded : tensor<?x8x32xf32>, tensor<?x32x1xf32>) outs(%14 : tensor<?x8x1xf32>) -> tensor<?x8x1xf32>
    %16 = tensor.empty(%dim_9) : tensor<?x96x8xf32>
    %17 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%7 : tensor<?xi64>) outs(%16 : tensor<?x96x8xf32>) {
    ^bb0(%in: i64, %out: f32):
      %83 = arith.cmpi slt, %in, %c0_i64 : i64
      %84 = arith.addi %in, %c2_i64 : i64
      %85 = arith.select %83, %84, %in : i64
      %86 = arith.index_cast %85 : i64 to index
      %87 = linalg.index 1 : index
      %88 = linalg.index 2 : index
      %extracted = tensor.extract %arg4[%86, %87, %88] : tensor<2x96x8xf32>
      linalg.yield %extracted : f32
    } -> tensor<?x96x8xf32>
    %18 = tensor.empty(%dim_9) : tensor<?x96x1xf32>
    %19 = linalg.fill ins(%cst : f32) outs(%18 : tensor<?x96x1xf32>) -> tensor<?x96x1xf32>
    %20 = linalg.batch_matmul ins(%17, %15 : tensor<?x96x8xf32>, tensor<?x8x1xf32>) outs(%19 : tensor<?x96x1xf32>) -> tensor<?x96x1xf32>
    %collapsed = tensor.collapse_shape %20 [[0], [1, 2]] : tensor<?x96x1xf32> into tensor<?x96xf32>
    %21 = tensor.empty(%dim_9) : tensor<?xf32>
    %22 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%7 : tensor<?xi64>) outs(%21 : tensor<?xf32>) {
    ^bb0(%in: i64, %out: f32):
      %83 = arith.cmpi slt, %in, %c0_i64 : i64
      %84 = arith.addi %in, %c2_i64 : i64
      %85 = arith.select %83, %84, %in : i64
      %86 = arith.index_cast %85 : i64 to index
      %extracted = tensor.extract %arg5[%86] : tensor<2xf32>
      linalg.yield %extracted : f32
    } -> tensor<?xf32>
    %expanded_10 = tensor.expand_shape %22 [[0, 1]] output_shape [%dim_9, 1] : tensor<?xf32> into tensor<?x1xf32>
    %23 = tensor.empty(%dim_9) : tensor<?x96xf32>
    %24 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%collapsed, %expanded_10 : tensor<?x96xf32>, tensor<?x1xf32>) outs(%23 : tensor<?x96xf32>) {
    ^bb0(%in: f32, %in_19: f32, %out: f32):
      %83 = arith.mulf %in, %in_19 : f32
      linalg.yield %83 : f32
    } -> tensor<?x96xf32>
    %25 = tensor.empty(%dim_8) : tensor<?xi1>
    %26 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg1 : tensor<?xi32>) outs(%25 : tensor<?xi1>) {
    ^bb0(%in: i32, %out: i1):
      %83 = arith.extsi %in : i32 to i64
      %84 = arith.cmpi sge, %83, %c0_i64 : i64
      linalg.yield %84 : i1
    } -> tensor<?xi1>
    %expanded_11 = tensor.expand_shape %26 [[0, 1]] output_shape [%dim_8, 1] : tensor<?xi1> into tensor<?x1xi1>
    %27 = arith.cmpi eq, %dim, %dim_9 : index
    cf.assert %27, "mismatched size for broadcast"
    %28 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%3, %24 : tensor<?x96xf32>, tensor<?x96xf32>) outs(%1 : tensor<?x96xf32>) {
    ^bb0(%in: f32, %in_19: f32, %out: f32):
      %83 = arith.addf %in, %in_19 : f32
      linalg.yield %83 : f32
    } -> tensor<?x96xf32>
    %29 = arith.cmpi eq, %dim_8, %dim : index
    cf.assert %29, "mismatched size for broadcast"
    cf.assert %29, "mismatched size for broadcast"
    %30 = tensor.empty(%dim_8) : tensor<?x96xf32>
    %31 = linalg.generic {indexing_maps = [#map4, #map3, #map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%expanded_11, %28, %3 : tensor<?x1xi1>, tensor<?x96xf32>, tensor<?x96xf32>) outs(%30 : tensor<?x96xf32>) {
    ^bb0(%in: i1, %in_19: f32, %in_20: f32, %out: f32):
      %83 = arith.select %in, %in_19, %in_20 : f32
      linalg.yield %83 : f32
    } -> tensor<?x96xf32>
    %transposed_12 = linalg.transpose ins(%arg6 : tensor<96x32xf32>) outs(%0 : tensor<32x96xf32>) permutation = [1, 0] 
    %32 = linalg.matmul ins(%arg0, %transposed_12 : tensor<?x32xf32>, tensor<32x96xf32>) outs(%2 : tensor<?x96xf32>) -> tensor<?x96xf32>
    %33 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%7 : tensor<?xi64>) outs(%8 : tensor<?x8x32xf32>) {
    ^bb0(%in: i64, %out: f32):
      %83 = arith.cmpi slt, %in, %c0_i64 : i64
      %84 = arith.addi %in, %c2_i64 : i64
      %85 = arith.select %83, %84, %in : i64
      %86 = arith.index_cast %85 : i64 to index
      %87 = linalg.index 1 : index
      %88 = linalg.index 2 : index
      %extracted = tensor.extract %arg7[%86, %87, %88] : tensor<2x8x32xf32>
      linalg.yield %extracted : f32
    } -> tensor<?x8x32xf32>
    cf.assert %12, "mismatching contracting dimension"
    %34 = linalg.batch_matmul ins(%33, %expanded : tensor<?x8x32xf32>, tensor<?x32x1xf32>) outs(%14 : tensor<?x8x1xf32>) -> tensor<?x8x1xf32>
    %35 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%7 : tensor<?xi64>) outs(%16 : tensor<?x96x8xf32>) {
    ^bb0(%in: i64, %out: f32):
      %83 = arith.cmpi slt, %in, %c0_i64 : i64
      %84 = arith.addi %in, %c2_i64 : i64
      %85 = arith.select %83, %84, %in : i64
      %86 = arith.index_cast %85 : i64 to index
      %87 = linalg.index 1 : index
      %88 = linalg.index 2 : index
      %extracted = tensor.extract %arg8[%86, %87, %88] : tensor<2x96x8xf32>
      linalg.yield %extracted : f32
    } -> tensor<?x96x8xf32>
    %36 = linalg.batch_matmul ins(%35, %34 : tensor<?x96x8xf32>, tensor<?x8x1xf32>) outs(%19 : tensor<?x96x1xf32>) -> tensor<?x96x1xf32>
    %collapsed_13 = tensor.collapse_shape %36 [[0], [1, 2]] : tensor<?x96x1xf32> into tensor<?x96xf32>
    %37 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%7 : tensor<?xi64>) outs(%21 : tensor<?xf32>) {
    ^bb0(%in: i64, %out: f32):
      %83 = arith.cmpi slt, %in, %c0_i64 : i64
      %84 = arith.addi %in, %c2_i64 : i64
      %85 = arith.select %83, %84, %in : i64
      %86 = arith.index_cast %85 : i64 to index
      %extracted = tensor.extract %arg9[%86] : tensor<2xf32>
      linalg.yield %extracted : f32
    } -> tensor<?xf32>
    %expanded_14 = tensor.expand_shape %37 [[0, 1]] output_shape [%dim_9, 1] : tensor<?xf32> into tensor<?x1xf32>
    %38 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%collapsed_13, %expanded_14 : tensor<?x96xf32>, tensor<?x1xf32>) outs(%23 : tensor<?x96xf32>) {
    ^bb0(%in: f32, %in_19: f32, %out: f32):
      %83 = arith.mulf %in, %in_19 : f32
      linalg.yield %83 : f32
    } -> tensor<?x96xf32>
    cf.assert %27, "mismatched size for broadcast"
    %39 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%32, %38 : tensor<?x96xf32>, tensor<?x96xf32>) outs(%1 : tensor<?x96xf32>) {
    ^bb0(%in: f32, %in_19: f32, %out: f32):
      %83 = arith.addf %in, %in_19 : f32
      linalg.yield %83 : f32
    } -> tensor<?x96xf32>
    cf.assert %29, "mismatched size for broadcast"
    cf.assert %29, "mismatched size for broadcast"
    %40 = linalg.generic {indexing_maps = [#map4, #map3, #map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%expanded_11, %39, %32 : tensor<?x1xi1>, tensor<?x96xf32>, tensor<?x96xf32>) outs(%30 : tensor<?x96xf32>) {
    ^bb0(%in: i1, %in_19: f32, %in_20: f32, %out: f32):
      %83 = arith.select %in, %in_19, %in_20 : f32
      linalg.yield %83 : f32
    } -> tensor<?x96xf32>
    %41 = tensor.empty(%dim_8) : tensor<?x1xf32>
    %42 = linalg.fill ins(%cst : f32) outs(%41 : tensor<?x1xf32>) -> tensor<?x1xf32>
    %43 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "reduction"]} ins(%31 : tensor<?x96xf32>) outs(%42 : tensor<?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %83 = arith.addf %in, %out : f32
      linalg.yield %83 : f32
    } -> tensor<?x1xf32>
    %44 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%43 : tensor<?x1xf32>) outs(%41 : tensor<?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %83 = arith.divf %in, %cst_6 : f32
      linalg.yield %83 : f32
    } -> tensor<?x1xf32>
    %45 = tensor.empty(%dim_8) : tensor<?x96xf64>
    %46 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%31 : tensor<?x96xf32>) outs(%45 : tensor<?x96xf64>) {
    ^bb0(%in: f32, %out: f64):
      %83 = arith.extf %in : f32 to f64
      linalg.yield %83 : f64
    } -> tensor<?x96xf64>
    %47 = tensor.empty(%dim_8) : tensor<?x1xf64>
    %48 = linalg.fill ins(%cst_0 : f64) outs(%47 : tensor<?x1xf64>) -> tensor<?x1xf64>
    %49 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "reduction"]} ins(%46 : tensor<?x96xf64>) outs(%48 : tensor<?x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %83 = arith.addf %in, %out : f64
      linalg.yield %83 : f64
    } -> tensor<?x1xf64>
    %50 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%49 : tensor<?x1xf64>) outs(%47 : tensor<?x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %83 = arith.divf %in, %cst_7 : f64
      linalg.yield %83 : f64
    } -> tensor<?x1xf64>
    %51 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%46, %50 : tensor<?x96xf64>, tensor<?x1xf64>) outs(%45 : tensor<?x96xf64>) {
    ^bb0(%in: f64, %in_19: f64, %out: f64):
      %83 = arith.subf %in, %in_19 : f64
      linalg.yield %83 : f64
    } -> tensor<?x96xf64>
    %52 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%51, %51 : tensor<?x96xf64>, tensor<?x96xf64>) outs(%45 : tensor<?x96xf64>) {
    ^bb0(%in: f64, %in_19: f64, %out: f64):
      %83 = arith.mulf %in, %in_19 : f64
      linalg.yield %83 : f64
    } -> tensor<?x96xf64>
    %53 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "reduction"]} ins(%52 : tensor<?x96xf64>) outs(%48 : tensor<?x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %83 = arith.addf %in, %out : f64
      linalg.yield %83 : f64
    } -> tensor<?x1xf64>
    %54 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%53 : tensor<?x1xf64>) outs(%47 : tensor<?x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %83 = arith.divf %in, %cst_7 : f64
      linalg.yield %83 : f64
    } -> tensor<?x1xf64>
    %55 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%54 : tensor<?x1xf64>) outs(%41 : tensor<?x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %83 = arith.truncf %in : f64 to f32
      linalg.yield %83 : f32
    } -> tensor<?x1xf32>
    %56 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%55 : tensor<?x1xf32>) outs(%41 : tensor<?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %83 = math.sqrt %in : f32
      linalg.yield %83 : f32
    } -> tensor<?x1xf32>
    %57 = linalg.generic {indexing_maps = [#map3, #map5, #map3], iterator_types = ["parallel", "parallel"]} ins(%56, %cst_5 : tensor<?x1xf32>, tensor<f32>) outs(%41 : tensor<?x1xf32>) {
    ^bb0(%in: f32, %in_19: f32, %out: f32):
      %83 = arith.mulf %in, %in_19 : f32
      linalg.yield %83 : f32
    } -> tensor<?x1xf32>
    %58 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%44, %57 : tensor<?x1xf32>, tensor<?x1xf32>) outs(%41 : tensor<?x1xf32>) {
    ^bb0(%in: f32, %in_19: f32, %out: f32):
      %83 = arith.addf %in, %in_19 : f32
      linalg.yield %83 : f32
    } -> tensor<?x1xf32>
    %59 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%31, %58 : tensor<?x96xf32>, tensor<?x1xf32>) outs(%30 : tensor<?x96xf32>) {
    ^bb0(%in: f32, %in_19: f32, %out: f32):
      %83 = arith.subf %in, %in_19 : f32
      linalg.yield %83 : f32
    } -> tensor<?x96xf32>
    %60 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%59 : tensor<?x96xf32>) outs(%30 : tensor<?x96xf32>) {
    ^bb0(%in: f32, %out: f32):
      %83 = arith.cmpf ugt, %in, %cst : f32
      %84 = arith.select %83, %in, %cst : f32
      linalg.yield %84 : f32
    } -> tensor<?x96xf32>
    %61 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%60 : tensor<?x96xf32>) outs(%30 : tensor<?x96xf32>) {
    ^bb0(%in: f32, %out: f32):
      %83 = math.fpowi %in, %c3_i64 : f32, i64
      %84 = arith.mulf %83, %cst_1 : f32
      %85 = arith.addf %in, %84 : f32
      %86 = arith.mulf %85, %cst_2 : f32
      %87 = math.tanh %86 : f32
      %88 = arith.addf %87, %cst_3 : f32
      %89 = arith.mulf %88, %cst_4 : f32
      %90 = arith.mulf %in, %89 : f32
      linalg.yield %90 : f32
    } -> tensor<?x96xf32>
    %62 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%61, %40 : tensor<?x96xf32>, tensor<?x96xf32>) outs(%30 : tensor<?x96xf32>) {
    ^bb0(%in: f32, %in_19: f32, %out: f32):
      %83 = arith.mulf %in, %in_19 : f32
      linalg.yield %83 : f32
    } -> tensor<?x96xf32>
    %63 = tensor.empty() : tensor<96x32xf32>
    %transposed_15 = linalg.transpose ins(%arg10 : tensor<32x96xf32>) outs(%63 : tensor<96x32xf32>) permutation = [1, 0] 
    %64 = tensor.empty(%dim_8) : tensor<?x32xf32>
    %65 = linalg.fill ins(%cst : f32) outs(%64 : tensor<?x32xf32>) -> tensor<?x32xf32>
    %66 = linalg.matmul ins(%62, %transposed_15 : tensor<?x96xf32>, tensor<96x32xf32>) outs(%65 : tensor<?x32xf32>) -> tensor<?x32xf32>
    %67 = tensor.empty(%dim_9) : tensor<?x8x96xf32>
    %68 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%7 : tensor<?xi64>) outs(%67 : tensor<?x8x96xf32>) {
    ^bb0(%in: i64, %out: f32):
      %83 = arith.cmpi slt, %in, %c0_i64 : i64
      %84 = arith.addi %in, %c2_i64 : i64
      %85 = arith.select %83, %84, %in : i64
      %86 = arith.index_cast %85 : i64 to index
      %87 = linalg.index 1 : index
      %88 = linalg.index 2 : index
      %extracted = tensor.extract %arg11[%86, %87, %88] : tensor<2x8x96xf32>
      linalg.yield %extracted : f32
    } -> tensor<?x8x96xf32>
    %expanded_16 = tensor.expand_shape %62 [[0], [1, 2]] output_shape [%dim_8, 96, 1] : tensor<?x96xf32> into tensor<?x96x1xf32>
    %69 = arith.index_cast %dim_8 : index to i64
    %70 = arith.cmpi eq, %10, %69 : i64
    cf.assert %70, "mismatching contracting dimension"
    %71 = linalg.batch_matmul ins(%68, %expanded_16 : tensor<?x8x96xf32>, tensor<?x96x1xf32>) outs(%14 : tensor<?x8x1xf32>) -> tensor<?x8x1xf32>
    %72 = tensor.empty(%dim_9) : tensor<?x32x8xf32>
    %73 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%7 : tensor<?xi64>) outs(%72 : tensor<?x32x8xf32>) {
    ^bb0(%in: i64, %out: f32):
      %83 = arith.cmpi slt, %in, %c0_i64 : i64
      %84 = arith.addi %in, %c2_i64 : i64
      %85 = arith.select %83, %84, %in : i64
      %86 = arith.index_cast %85 : i64 to index
      %87 = linalg.index 1 : index
      %88 = linalg.index 2 : index
      %extracted = tensor.extract %arg12[%86, %87, %88] : tensor<2x32x8xf32>
      linalg.yield %extracted : f32
    } -> tensor<?x32x8xf32>
    %74 = tensor.empty(%dim_9) : tensor<?x32x1xf32>
    %75 = linalg.fill ins(%cst : f32) outs(%74 : tensor<?x32x1xf32>) -> tensor<?x32x1xf32>
    %76 = linalg.batch_matmul ins(%73, %71 : tensor<?x32x8xf32>, tensor<?x8x1xf32>) outs(%75 : tensor<?x32x1xf32>) -> tensor<?x32x1xf32>
    %collapsed_17 = tensor.collapse_shape %76 [[0], [1, 2]] : tensor<?x32x1xf32> into tensor<?x32xf32>
    %77 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%7 : tensor<?xi64>) outs(%21 : tensor<?xf32>) {
    ^bb0(%in: i64, %out: f32):
      %83 = arith.cmpi slt, %in, %c0_i64 : i64
      %84 = arith.addi %in, %c2_i64 : i64
      %85 = arith.select %83, %84, %in : i64
      %86 = arith.index_cast %85 : i64 to index
      %extracted = tensor.extract %arg13[%86] : tensor<2xf32>
      linalg.yield %extracted : f32
    } -> tensor<?xf32>
    %expanded_18 = tensor.expand_shape %77 [[0, 1]] output_shape [%dim_9, 1] : tensor<?xf32> into tensor<?x1xf32>
    %78 = tensor.empty(%dim_9) : tensor<?x32xf32>
    %79 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%collapsed_17, %expanded_18 : tensor<?x32xf32>, tensor<?x1xf32>) outs(%78 : tensor<?x32xf32>) {
    ^bb0(%in: f32, %in_19: f32, %out: f32):
      %83 = arith.mulf %in, %in_19 : f32
      linalg.yield %83 : f32
    } -> tensor<?x32xf32>
    %80 = arith.cmpi eq, %dim_8, %dim_9 : index
    cf.assert %80, "mismatched size for broadcast"
    %81 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%66, %79 : tensor<?x32xf32>, tensor<?x32xf32>) outs(%64 : tensor<?x32xf32>) {
    ^bb0(%in: f32, %in_19: f32, %out: f32):
      %83 = arith.addf %in, %in_19 : f32
      linalg.yield %83 : f32
    } -> tensor<?x32xf32>
    %82 = linalg.generic {indexing_maps = [#map4, #map3, #map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%expanded_11, %81, %66 : tensor<?x1xi1>, tensor<?x32xf32>, tensor<?x32xf32>) outs(%64 : tensor<?x32xf32>) {
    ^bb0(%in: i1, %in_19: f32, %in_20: f32, %out: f32):
      %83 = arith.select %in, %in_19, %in_20 : f32
      linalg.yield %83 : f32
    } -> tensor<?x32xf32>
    return %82 : tensor<?x32xf32>
  }
}
