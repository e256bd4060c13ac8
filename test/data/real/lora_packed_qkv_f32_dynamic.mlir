#map = affine_map<(d0, d1) -> (d0, d1)>
module {
  func.func @main(%arg0: tensor<?x48xf32>, %arg1: tensor<32x48xf32>, %arg2: tensor<8x48xf32>, %arg3: tensor<32x8xf32>, %arg4: tensor<16x48xf32>, %arg5: tensor<8x48xf32>, %arg6: tensor<16x8xf32>, %arg7: tensor<16x48xf32>, %arg8: tensor<8x48xf32>, %arg9: tensor<16x8xf32>) -> tensor<?x64xf32> {
    %c0 = arith.constant 0 : index
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 2.000000e+00 : f32
    %0 = tensor.empty() : tensor<48x32xf32>
    %transposed = linalg.transpose ins(%arg1 : tensor<32x48xf32>) outs(%0 : tensor<48x32xf32>) permutation = [1, 0] 
    %dim = tensor.dim %arg0, %c0 : tensor<?x48xf32>
    %1 = tensor.empty(%dim) : tensor<?x32xf32>
    %2 = linalg.fill ins(%cst : f32) outs(%1 : tensor<?x32xf32>) -> tensor<?x32xf32>
    %3 = linalg.matmul ins(%arg0, %transposed : tensor<?x48xf32>, tensor<48x32xf32>) outs(%2 : tensor<?x32xf32>) -> tensor<?x32xf32>
    %4 = tensor.empty() : tensor<48x8xf32>
    %transposed_1 = linalg.transpose ins(%arg2 : tensor<8x48xf32>) outs(%4 : tensor<48x8xf32>) permutation = [1, 0] 
    %5 = tensor.empty(%dim) : tensor<?x8xf32>
    %6 = linalg.fill ins(%cst : f32) outs(%5 : tensor<?x8xf32>) -> tensor<?x8xf32>
    %7 = linalg.matmul ins(%arg0, %transposed_1 : tensor<?x48xf32>, tensor<48x8xf32>) outs(%6 : tensor<?x8xf32>) -> tensor<?x8xf32>
    %8 = tensor.empty() : tensor<8x32xf32>
    %transposed_2 = linalg.transpose ins(%arg3 : tensor<32x8xf32>) outs(%8 : tensor<8x32xf32>) permutation = [1, 0] 
    %9 = linalg.matmul ins(%7, %transposed_2 : tensor<?x8xf32>, tensor<8x32xf32>) outs(%2 : tensor<?x32xf32>) -> tensor<?x32xf32>
    %10 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%9 : tensor<?x32xf32>) outs(%1 : tensor<?x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %26 = arith.mulf %in, %cst_0 : f32
      linalg.yield %26 : f32
    } -> tensor<?x32xf32>
    %11 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%3, %10 : tensor<?x32xf32>, tensor<?x32xf32>) outs(%1 : tensor<?x32xf32>) {
    ^bb0(%in: f32, %in_9: f32, %out: f32):
      %26 = arith.addf %in, %in_9 : f32
      linalg.yield %26 : f32
    } -> tensor<?x32xf32>
    %12 = tensor.empty() : tensor<48x16xf32>
    %transposed_3 = linalg.transpose ins(%arg4 : tensor<16x48xf32>) outs(%12 : tensor<48x16xf32>) permutation = [1, 0] 
    %13 = tensor.empty(%dim) : tensor<?x16xf32>
    %14 = linalg.fill ins(%cst : f32) outs(%13 : tensor<?x16xf32>) -> tensor<?x16xf32>
    %15 = linalg.matmul ins(%arg0, %transposed_3 : tensor<?x48xf32>, tensor<48x16xf32>) outs(%14 : tensor<?x16xf32>) -> tensor<?x16xf32>
    %transposed_4 = linalg.transpose ins(%arg5 : tensor<8x48xf32>) outs(%4 : tensor<48x8xf32>) permutation = [1, 0] 
    %16 = linalg.matmul ins(%arg0, %transposed_4 : tensor<?x48xf32>, tensor<48x8xf32>) outs(%6 : tensor<?x8xf32>) -> tensor<?x8xf32>
    %17 = tensor.empty() : tensor<8x16xf32>
    %transposed_5 = linalg.transpose ins(%arg6 : tensor<16x8xf32>) outs(%17 : tensor<8x16xf32>) permutation = [1, 0] 
    %18 = linalg.matmul ins(%16, %transposed_5 : tensor<?x8xf32>, tensor<8x16xf32>) outs(%14 : tensor<?x16xf32>) -> tensor<?x16xf32>
    %19 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%18 : tensor<?x16xf32>) outs(%13 : tensor<?x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %26 = arith.mulf %in, %cst_0 : f32
      linalg.yield %26 : f32
    } -> tensor<?x16xf32>
    %20 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%15, %19 : tensor<?x16xf32>, tensor<?x16xf32>) outs(%13 : tensor<?x16xf32>) {
    ^bb0(%in: f32, %in_9: f32, %out: f32):
      %26 = arith.addf %in, %in_9 : f32
      linalg.yield %26 : f32
    } -> tensor<?x16xf32>
    %transposed_6 = linalg.transpose ins(%arg7 : tensor<16x48xf32>) outs(%12 : tensor<48x16xf32>) permutation = [1, 0] 
    %21 = linalg.matmul ins(%arg0, %transposed_6 : tensor<?x48xf32>, tensor<48x16xf32>) outs(%14 : tensor<?x16xf32>) -> tensor<?x16xf32>
    %transposed_7 = linalg.transpose ins(%arg8 : tensor<8x48xf32>) outs(%4 : tensor<48x8xf32>) permutation = [1, 0] 
    %22 = linalg.matmul ins(%arg0, %transposed_7 : tensor<?x48xf32>, tensor<48x8xf32>) outs(%6 : tensor<?x8xf32>) -> tensor<?x8xf32>
    %transposed_8 = linalg.transpose ins(%arg9 : tensor<16x8xf32>) outs(%17 : tensor<8x16xf32>) permutation = [1, 0] 
    %23 = linalg.matmul ins(%22, %transposed_8 : tensor<?x8xf32>, tensor<8x16xf32>) outs(%14 : tensor<?x16xf32>) -> tensor<?x16xf32>
    %24 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%23 : tensor<?x16xf32>) outs(%13 : tensor<?x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %26 = arith.mulf %in, %cst_0 : f32
      linalg.yield %26 : f32
    } -> tensor<?x16xf32>
    %25 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%21, %24 : tensor<?x16xf32>, tensor<?x16xf32>) outs(%13 : tensor<?x16xf32>) {
    ^bb0(%in: f32, %in_9: f32, %out: f32):
      %26 = arith.addf %in, %in_9 : f32
      linalg.yield %26 : f32
    } -> tensor<?x16xf32>
    %concat = tensor.concat dim(1) %11, %20, %25 : (tensor<?x32xf32>, tensor<?x16xf32>, tensor<?x16xf32>) -> tensor<?x64xf32>
    return %concat : tensor<?x64xf32>
  }
}
