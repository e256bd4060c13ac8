#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0) -> (d0)>
#map2 = affine_map<(d0, d1, d2) -> (d0)>
#map3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map4 = affine_map<(d0, d1) -> (d0, 0)>
module {
  func.func @main(%arg0: tensor<7x48xbf16>, %arg1: tensor<7xi64>, %arg2: tensor<3x4x48xbf16>, %arg3: tensor<3x40x4xbf16>, %arg4: tensor<40x48xbf16>) -> tensor<7x40xbf16> {
    %c0_i64 = arith.constant 0 : i64
    %cst = arith.constant 0.000000e+00 : f32
    %c3_i64 = arith.constant 3 : i64
    %cst_0 = arith.constant dense<0.000000e+00> : tensor<7x40xbf16>
    %cst_1 = arith.constant 0.69999999999999996 : f64
    %cst_2 = arith.constant dense<0> : tensor<7xi64>
    %0 = tensor.empty() : tensor<48x40xbf16>
    %transposed = linalg.transpose ins(%arg4 : tensor<40x48xbf16>) outs(%0 : tensor<48x40xbf16>) permutation = [1, 0] 
    %1 = tensor.empty() : tensor<7x40xf32>
    %2 = linalg.fill ins(%cst : f32) outs(%1 : tensor<7x40xf32>) -> tensor<7x40xf32>
    %3 = linalg.matmul ins(%arg0, %transposed : tensor<7x48xbf16>, tensor<48x40xbf16>) outs(%2 : tensor<7x40xf32>) -> tensor<7x40xf32>
    %4 = tensor.empty() : tensor<7x40xbf16>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%3 : tensor<7x40xf32>) outs(%4 : tensor<7x40xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %29 = arith.truncf %in : f32 to bf16
      linalg.yield %29 : bf16
    } -> tensor<7x40xbf16>
    %6 = tensor.empty() : tensor<7xi64>
    %7 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel"]} ins(%arg1, %cst_2 : tensor<7xi64>, tensor<7xi64>) outs(%6 : tensor<7xi64>) {
    ^bb0(%in: i64, %in_6: i64, %out: i64):
      %29 = arith.maxsi %in, %in_6 : i64
      linalg.yield %29 : i64
    } -> tensor<7xi64>
    %expanded = tensor.expand_shape %arg0 [[0], [1, 2]] output_shape [7, 1, 48] : tensor<7x48xbf16> into tensor<7x1x48xbf16>
    %8 = tensor.empty() : tensor<7x4x48xbf16>
    %9 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%7 : tensor<7xi64>) outs(%8 : tensor<7x4x48xbf16>) {
    ^bb0(%in: i64, %out: bf16):
      %29 = arith.cmpi slt, %in, %c0_i64 : i64
      %30 = arith.addi %in, %c3_i64 : i64
      %31 = arith.select %29, %30, %in : i64
      %32 = arith.index_cast %31 : i64 to index
      %33 = linalg.index 1 : index
      %34 = linalg.index 2 : index
      %extracted = tensor.extract %arg2[%32, %33, %34] : tensor<3x4x48xbf16>
      linalg.yield %extracted : bf16
    } -> tensor<7x4x48xbf16>
    %10 = tensor.empty() : tensor<7x48x4xbf16>
    %transposed_3 = linalg.transpose ins(%9 : tensor<7x4x48xbf16>) outs(%10 : tensor<7x48x4xbf16>) permutation = [0, 2, 1] 
    %11 = tensor.empty() : tensor<7x1x4xf32>
    %12 = linalg.fill ins(%cst : f32) outs(%11 : tensor<7x1x4xf32>) -> tensor<7x1x4xf32>
    %13 = linalg.batch_matmul ins(%expanded, %transposed_3 : tensor<7x1x48xbf16>, tensor<7x48x4xbf16>) outs(%12 : tensor<7x1x4xf32>) -> tensor<7x1x4xf32>
    %14 = tensor.empty() : tensor<7x1x4xbf16>
    %15 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%13 : tensor<7x1x4xf32>) outs(%14 : tensor<7x1x4xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %29 = arith.truncf %in : f32 to bf16
      linalg.yield %29 : bf16
    } -> tensor<7x1x4xbf16>
    %16 = tensor.empty() : tensor<7x40x4xbf16>
    %17 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%7 : tensor<7xi64>) outs(%16 : tensor<7x40x4xbf16>) {
    ^bb0(%in: i64, %out: bf16):
      %29 = arith.cmpi slt, %in, %c0_i64 : i64
      %30 = arith.addi %in, %c3_i64 : i64
      %31 = arith.select %29, %30, %in : i64
      %32 = arith.index_cast %31 : i64 to index
      %33 = linalg.index 1 : index
      %34 = linalg.index 2 : index
      %extracted = tensor.extract %arg3[%32, %33, %34] : tensor<3x40x4xbf16>
      linalg.yield %extracted : bf16
    } -> tensor<7x40x4xbf16>
    %18 = tensor.empty() : tensor<7x4x40xbf16>
    %transposed_4 = linalg.transpose ins(%17 : tensor<7x40x4xbf16>) outs(%18 : tensor<7x4x40xbf16>) permutation = [0, 2, 1] 
    %19 = tensor.empty() : tensor<7x1x40xf32>
    %20 = linalg.fill ins(%cst : f32) outs(%19 : tensor<7x1x40xf32>) -> tensor<7x1x40xf32>
    %21 = linalg.batch_matmul ins(%15, %transposed_4 : tensor<7x1x4xbf16>, tensor<7x4x40xbf16>) outs(%20 : tensor<7x1x40xf32>) -> tensor<7x1x40xf32>
    %22 = tensor.empty() : tensor<7x1x40xbf16>
    %23 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%21 : tensor<7x1x40xf32>) outs(%22 : tensor<7x1x40xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %29 = arith.truncf %in : f32 to bf16
      linalg.yield %29 : bf16
    } -> tensor<7x1x40xbf16>
    %collapsed = tensor.collapse_shape %23 [[0, 1], [2]] : tensor<7x1x40xbf16> into tensor<7x40xbf16>
    %24 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%collapsed : tensor<7x40xbf16>) outs(%4 : tensor<7x40xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %29 = arith.truncf %cst_1 : f64 to bf16
      %30 = arith.mulf %in, %29 : bf16
      linalg.yield %30 : bf16
    } -> tensor<7x40xbf16>
    %25 = tensor.empty() : tensor<7xi1>
    %26 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel"]} ins(%arg1 : tensor<7xi64>) outs(%25 : tensor<7xi1>) {
    ^bb0(%in: i64, %out: i1):
      %29 = arith.cmpi sge, %in, %c0_i64 : i64
      linalg.yield %29 : i1
    } -> tensor<7xi1>
    %expanded_5 = tensor.expand_shape %26 [[0, 1]] output_shape [7, 1] : tensor<7xi1> into tensor<7x1xi1>
    %27 = linalg.generic {indexing_maps = [#map4, #map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%expanded_5, %24, %cst_0 : tensor<7x1xi1>, tensor<7x40xbf16>, tensor<7x40xbf16>) outs(%4 : tensor<7x40xbf16>) {
    ^bb0(%in: i1, %in_6: bf16, %in_7: bf16, %out: bf16):
      %29 = arith.select %in, %in_6, %in_7 : bf16
      linalg.yield %29 : bf16
    } -> tensor<7x40xbf16>
    %28 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%5, %27 : tensor<7x40xbf16>, tensor<7x40xbf16>) outs(%4 : tensor<7x40xbf16>) {
    ^bb0(%in: bf16, %in_6: bf16, %out: bf16):
      %29 = arith.addf %in, %in_6 : bf16
      linalg.yield %29 : bf16
    } -> tensor<7x40xbf16>
    return %28 : tensor<7x40xbf16>
  }
}
