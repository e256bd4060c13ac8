#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0, 0)>
#map2 = affine_map<(d0, d1) -> ()>
module {
  func.func @main(%arg0: tensor<?x32xf32> {frit.tensor = "x", frit.dims = ["tokens", ""]}, %arg1: tensor<96x32xf32> {frit.tensor = "model.layers.0.mlp.gate_proj.weight"}, %arg2: tensor<96x32xf32> {frit.tensor = "model.layers.0.mlp.up_proj.weight"}, %arg3: tensor<32x96xf32> {frit.tensor = "model.layers.0.mlp.down_proj.weight"}) -> tensor<?x32xf32> {
    %c0 = arith.constant 0 : index
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 0.000000e+00 : f64
    %c3_i64 = arith.constant 3 : i64
    %cst_1 = arith.constant 4.471500e-02 : f32
    %cst_2 = arith.constant 7.977240e-01 : f32
    %cst_3 = arith.constant 1.000000e+00 : f32
    %cst_4 = arith.constant 5.000000e-01 : f32
    %cst_5 = arith.constant dense<1.64485359> : tensor<f32>
    %cst_6 = arith.constant 9.600000e+01 : f32
    %cst_7 = arith.constant 9.600000e+01 : f64
    %0 = tensor.empty() : tensor<32x96xf32>
    %transposed = linalg.transpose ins(%arg1 : tensor<96x32xf32>) outs(%0 : tensor<32x96xf32>) permutation = [1, 0] 
    %dim = tensor.dim %arg0, %c0 : tensor<?x32xf32>
    %1 = tensor.empty(%dim) : tensor<?x96xf32>
    %2 = linalg.fill ins(%cst : f32) outs(%1 : tensor<?x96xf32>) -> tensor<?x96xf32>
    %3 = linalg.matmul ins(%arg0, %transposed : tensor<?x32xf32>, tensor<32x96xf32>) outs(%2 : tensor<?x96xf32>) -> tensor<?x96xf32>
    %4 = tensor.empty(%dim) : tensor<?x1xf32>
    %5 = linalg.fill ins(%cst : f32) outs(%4 : tensor<?x1xf32>) -> tensor<?x1xf32>
    %6 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%3 : tensor<?x96xf32>) outs(%5 : tensor<?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %31 = arith.addf %in, %out : f32
      linalg.yield %31 : f32
    } -> tensor<?x1xf32>
    %7 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%6 : tensor<?x1xf32>) outs(%4 : tensor<?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %31 = arith.divf %in, %cst_6 : f32
      linalg.yield %31 : f32
    } -> tensor<?x1xf32>
    %8 = tensor.empty(%dim) : tensor<?x96xf64>
    %9 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%3 : tensor<?x96xf32>) outs(%8 : tensor<?x96xf64>) {
    ^bb0(%in: f32, %out: f64):
      %31 = arith.extf %in : f32 to f64
      linalg.yield %31 : f64
    } -> tensor<?x96xf64>
    %10 = tensor.empty(%dim) : tensor<?x1xf64>
    %11 = linalg.fill ins(%cst_0 : f64) outs(%10 : tensor<?x1xf64>) -> tensor<?x1xf64>
    %12 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%9 : tensor<?x96xf64>) outs(%11 : tensor<?x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %31 = arith.addf %in, %out : f64
      linalg.yield %31 : f64
    } -> tensor<?x1xf64>
    %13 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%12 : tensor<?x1xf64>) outs(%10 : tensor<?x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %31 = arith.divf %in, %cst_7 : f64
      linalg.yield %31 : f64
    } -> tensor<?x1xf64>
    %14 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%9, %13 : tensor<?x96xf64>, tensor<?x1xf64>) outs(%8 : tensor<?x96xf64>) {
    ^bb0(%in: f64, %in_10: f64, %out: f64):
      %31 = arith.subf %in, %in_10 : f64
      linalg.yield %31 : f64
    } -> tensor<?x96xf64>
    %15 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%14, %14 : tensor<?x96xf64>, tensor<?x96xf64>) outs(%8 : tensor<?x96xf64>) {
    ^bb0(%in: f64, %in_10: f64, %out: f64):
      %31 = arith.mulf %in, %in_10 : f64
      linalg.yield %31 : f64
    } -> tensor<?x96xf64>
    %16 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%15 : tensor<?x96xf64>) outs(%11 : tensor<?x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %31 = arith.addf %in, %out : f64
      linalg.yield %31 : f64
    } -> tensor<?x1xf64>
    %17 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%16 : tensor<?x1xf64>) outs(%10 : tensor<?x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %31 = arith.divf %in, %cst_7 : f64
      linalg.yield %31 : f64
    } -> tensor<?x1xf64>
    %18 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%17 : tensor<?x1xf64>) outs(%4 : tensor<?x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %31 = arith.truncf %in : f64 to f32
      linalg.yield %31 : f32
    } -> tensor<?x1xf32>
    %19 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%18 : tensor<?x1xf32>) outs(%4 : tensor<?x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %31 = math.sqrt %in : f32
      linalg.yield %31 : f32
    } -> tensor<?x1xf32>
    %20 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel"]} ins(%19, %cst_5 : tensor<?x1xf32>, tensor<f32>) outs(%4 : tensor<?x1xf32>) {
    ^bb0(%in: f32, %in_10: f32, %out: f32):
      %31 = arith.mulf %in, %in_10 : f32
      linalg.yield %31 : f32
    } -> tensor<?x1xf32>
    %21 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%7, %20 : tensor<?x1xf32>, tensor<?x1xf32>) outs(%4 : tensor<?x1xf32>) {
    ^bb0(%in: f32, %in_10: f32, %out: f32):
      %31 = arith.addf %in, %in_10 : f32
      linalg.yield %31 : f32
    } -> tensor<?x1xf32>
    %22 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%3, %21 : tensor<?x96xf32>, tensor<?x1xf32>) outs(%1 : tensor<?x96xf32>) {
    ^bb0(%in: f32, %in_10: f32, %out: f32):
      %31 = arith.subf %in, %in_10 : f32
      linalg.yield %31 : f32
    } -> tensor<?x96xf32>
    %23 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%22 : tensor<?x96xf32>) outs(%1 : tensor<?x96xf32>) {
    ^bb0(%in: f32, %out: f32):
      %31 = arith.cmpf ugt, %in, %cst : f32
      %32 = arith.select %31, %in, %cst : f32
      linalg.yield %32 : f32
    } -> tensor<?x96xf32>
    %24 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%23 : tensor<?x96xf32>) outs(%1 : tensor<?x96xf32>) {
    ^bb0(%in: f32, %out: f32):
      %31 = math.fpowi %in, %c3_i64 : f32, i64
      %32 = arith.mulf %31, %cst_1 : f32
      %33 = arith.addf %in, %32 : f32
      %34 = arith.mulf %33, %cst_2 : f32
      %35 = math.tanh %34 : f32
      %36 = arith.addf %35, %cst_3 : f32
      %37 = arith.mulf %36, %cst_4 : f32
      %38 = arith.mulf %in, %37 : f32
      linalg.yield %38 : f32
    } -> tensor<?x96xf32>
    %transposed_8 = linalg.transpose ins(%arg2 : tensor<96x32xf32>) outs(%0 : tensor<32x96xf32>) permutation = [1, 0] 
    %25 = linalg.matmul ins(%arg0, %transposed_8 : tensor<?x32xf32>, tensor<32x96xf32>) outs(%2 : tensor<?x96xf32>) -> tensor<?x96xf32>
    %26 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%24, %25 : tensor<?x96xf32>, tensor<?x96xf32>) outs(%1 : tensor<?x96xf32>) {
    ^bb0(%in: f32, %in_10: f32, %out: f32):
      %31 = arith.mulf %in, %in_10 : f32
      linalg.yield %31 : f32
    } -> tensor<?x96xf32>
    %27 = tensor.empty() : tensor<96x32xf32>
    %transposed_9 = linalg.transpose ins(%arg3 : tensor<32x96xf32>) outs(%27 : tensor<96x32xf32>) permutation = [1, 0] 
    %28 = tensor.empty(%dim) : tensor<?x32xf32>
    %29 = linalg.fill ins(%cst : f32) outs(%28 : tensor<?x32xf32>) -> tensor<?x32xf32>
    %30 = linalg.matmul ins(%26, %transposed_9 : tensor<?x96xf32>, tensor<96x32xf32>) outs(%29 : tensor<?x32xf32>) -> tensor<?x32xf32>
    return %30 : tensor<?x32xf32>
  }
}
