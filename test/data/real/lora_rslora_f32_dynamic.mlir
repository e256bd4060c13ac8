#map = affine_map<(d0, d1) -> (d0, d1)>
module {
  func.func @main(%arg0: tensor<?x48xf32>, %arg1: tensor<40x48xf32>, %arg2: tensor<8x48xf32>, %arg3: tensor<40x8xf32>) -> tensor<?x40xf32> {
    %c0 = arith.constant 0 : index
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 5.6568542494923797 : f64
    %0 = tensor.empty() : tensor<48x40xf32>
    %transposed = linalg.transpose ins(%arg1 : tensor<40x48xf32>) outs(%0 : tensor<48x40xf32>) permutation = [1, 0] 
    %dim = tensor.dim %arg0, %c0 : tensor<?x48xf32>
    %1 = tensor.empty(%dim) : tensor<?x40xf32>
    %2 = linalg.fill ins(%cst : f32) outs(%1 : tensor<?x40xf32>) -> tensor<?x40xf32>
    %3 = linalg.matmul ins(%arg0, %transposed : tensor<?x48xf32>, tensor<48x40xf32>) outs(%2 : tensor<?x40xf32>) -> tensor<?x40xf32>
    %4 = tensor.empty() : tensor<48x8xf32>
    %transposed_1 = linalg.transpose ins(%arg2 : tensor<8x48xf32>) outs(%4 : tensor<48x8xf32>) permutation = [1, 0] 
    %5 = tensor.empty(%dim) : tensor<?x8xf32>
    %6 = linalg.fill ins(%cst : f32) outs(%5 : tensor<?x8xf32>) -> tensor<?x8xf32>
    %7 = linalg.matmul ins(%arg0, %transposed_1 : tensor<?x48xf32>, tensor<48x8xf32>) outs(%6 : tensor<?x8xf32>) -> tensor<?x8xf32>
    %8 = tensor.empty() : tensor<8x40xf32>
    %transposed_2 = linalg.transpose ins(%arg3 : tensor<40x8xf32>) outs(%8 : tensor<8x40xf32>) permutation = [1, 0] 
    %9 = linalg.matmul ins(%7, %transposed_2 : tensor<?x8xf32>, tensor<8x40xf32>) outs(%2 : tensor<?x40xf32>) -> tensor<?x40xf32>
    %10 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%9 : tensor<?x40xf32>) outs(%1 : tensor<?x40xf32>) {
    ^bb0(%in: f32, %out: f32):
      %12 = arith.truncf %cst_0 : f64 to f32
      %13 = arith.mulf %in, %12 : f32
      linalg.yield %13 : f32
    } -> tensor<?x40xf32>
    %11 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%3, %10 : tensor<?x40xf32>, tensor<?x40xf32>) outs(%1 : tensor<?x40xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %12 = arith.addf %in, %in_3 : f32
      linalg.yield %12 : f32
    } -> tensor<?x40xf32>
    return %11 : tensor<?x40xf32>
  }
}
