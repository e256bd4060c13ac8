#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0, d1, d2) -> (d0)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
#map4 = affine_map<(d0, d1) -> (d0, 0)>
module {
  func.func @main(%arg0: tensor<?x48xf32>, %arg1: tensor<?xi64>, %arg2: tensor<3x4x48xf32>, %arg3: tensor<3x40x4xf32>, %arg4: tensor<40x48xf32>) -> tensor<?x40xf32> {
    %c0_i64 = arith.constant 0 : i64
    %c0 = arith.constant 0 : index
    %cst = arith.constant 0.000000e+00 : f32
    %c3_i64 = arith.constant 3 : i64
    %cst_0 = arith.constant 0.69999999999999996 : f64
    %0 = tensor.empty() : tensor<48x40xf32>
    %transposed = linalg.transpose ins(%arg4 : tensor<40x48xf32>) outs(%0 : tensor<48x40xf32>) permutation = [1, 0] 
    %dim = tensor.dim %arg0, %c0 : tensor<?x48xf32>
    %1 = tensor.empty(%dim) : tensor<?x40xf32>
    %2 = linalg.fill ins(%cst : f32) outs(%1 : tensor<?x40xf32>) -> tensor<?x40xf32>
    %3 = linalg.matmul ins(%arg0, %transposed : tensor<?x48xf32>, tensor<48x40xf32>) outs(%2 : tensor<?x40xf32>) -> tensor<?x40xf32>
    %dim_1 = tensor.dim %arg1, %c0 : tensor<?xi64>
    %4 = tensor.empty(%dim_1) : tensor<?xi64>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg1 : tensor<?xi64>) outs(%4 : tensor<?xi64>) {
    ^bb0(%in: i64, %out: i64):
      %27 = arith.maxsi %in, %c0_i64 : i64
      linalg.yield %27 : i64
    } -> tensor<?xi64>
    %dim_2 = tensor.dim %5, %c0 : tensor<?xi64>
    %6 = tensor.empty(%dim_2) : tensor<?x4x48xf32>
    %7 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%5 : tensor<?xi64>) outs(%6 : tensor<?x4x48xf32>) {
    ^bb0(%in: i64, %out: f32):
      %27 = arith.cmpi slt, %in, %c0_i64 : i64
      %28 = arith.addi %in, %c3_i64 : i64
      %29 = arith.select %27, %28, %in : i64
      %30 = arith.index_cast %29 : i64 to index
      %31 = linalg.index 1 : index
      %32 = linalg.index 2 : index
      %extracted = tensor.extract %arg2[%30, %31, %32] : tensor<3x4x48xf32>
      linalg.yield %extracted : f32
    } -> tensor<?x4x48xf32>
    %expanded = tensor.expand_shape %arg0 [[0], [1, 2]] output_shape [%dim, 48, 1] : tensor<?x48xf32> into tensor<?x48x1xf32>
    %8 = arith.index_cast %dim_2 : index to i64
    %9 = arith.index_cast %dim : index to i64
    %10 = arith.cmpi eq, %8, %9 : i64
    cf.assert %10, "mismatching contracting dimension"
    %11 = tensor.empty(%dim_2) : tensor<?x4x1xf32>
    %12 = linalg.fill ins(%cst : f32) outs(%11 : tensor<?x4x1xf32>) -> tensor<?x4x1xf32>
    %13 = linalg.batch_matmul ins(%7, %expanded : tensor<?x4x48xf32>, tensor<?x48x1xf32>) outs(%12 : tensor<?x4x1xf32>) -> tensor<?x4x1xf32>
    %14 = tensor.empty(%dim_2) : tensor<?x40x4xf32>
    %15 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%5 : tensor<?xi64>) outs(%14 : tensor<?x40x4xf32>) {
    ^bb0(%in: i64, %out: f32):
      %27 = arith.cmpi slt, %in, %c0_i64 : i64
      %28 = arith.addi %in, %c3_i64 : i64
      %29 = arith.select %27, %28, %in : i64
      %30 = arith.index_cast %29 : i64 to index
      %31 = linalg.index 1 : index
      %32 = linalg.index 2 : index
      %extracted = tensor.extract %arg3[%30, %31, %32] : tensor<3x40x4xf32>
      linalg.yield %extracted : f32
    } -> tensor<?x40x4xf32>
    %16 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%13 : tensor<?x4x1xf32>) outs(%11 : tensor<?x4x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %27 = arith.truncf %cst_0 : f64 to f32
      %28 = arith.mulf %in, %27 : f32
      linalg.yield %28 : f32
    } -> tensor<?x4x1xf32>
    %17 = tensor.empty(%dim_2) : tensor<?x40x1xf32>
    %18 = linalg.fill ins(%cst : f32) outs(%17 : tensor<?x40x1xf32>) -> tensor<?x40x1xf32>
    %19 = linalg.batch_matmul ins(%15, %16 : tensor<?x40x4xf32>, tensor<?x4x1xf32>) outs(%18 : tensor<?x40x1xf32>) -> tensor<?x40x1xf32>
    %collapsed = tensor.collapse_shape %19 [[0], [1, 2]] : tensor<?x40x1xf32> into tensor<?x40xf32>
    %20 = tensor.empty(%dim_1) : tensor<?xi1>
    %21 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg1 : tensor<?xi64>) outs(%20 : tensor<?xi1>) {
    ^bb0(%in: i64, %out: i1):
      %27 = arith.cmpi sge, %in, %c0_i64 : i64
      linalg.yield %27 : i1
    } -> tensor<?xi1>
    %expanded_3 = tensor.expand_shape %21 [[0, 1]] output_shape [%dim_1, 1] : tensor<?xi1> into tensor<?x1xi1>
    %22 = arith.cmpi eq, %dim, %dim_2 : index
    cf.assert %22, "mismatched size for broadcast"
    %23 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%3, %collapsed : tensor<?x40xf32>, tensor<?x40xf32>) outs(%1 : tensor<?x40xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %27 = arith.addf %in, %in_4 : f32
      linalg.yield %27 : f32
    } -> tensor<?x40xf32>
    %24 = arith.cmpi eq, %dim_1, %dim : index
    cf.assert %24, "mismatched size for broadcast"
    cf.assert %24, "mismatched size for broadcast"
    %25 = tensor.empty(%dim_1) : tensor<?x40xf32>
    %26 = linalg.generic {indexing_maps = [#map4, #map3, #map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%expanded_3, %23, %3 : tensor<?x1xi1>, tensor<?x40xf32>, tensor<?x40xf32>) outs(%25 : tensor<?x40xf32>) {
    ^bb0(%in: i1, %in_4: f32, %in_5: f32, %out: f32):
      %27 = arith.select %in, %in_4, %in_5 : f32
      linalg.yield %27 : f32
    } -> tensor<?x40xf32>
    return %26 : tensor<?x40xf32>
  }
}
