#map = affine_map<(d0, d1) -> (d0, d1)>
module {
  func.func @main(%arg0: tensor<7x48xbf16>, %arg1: tensor<40x48xbf16>, %arg2: tensor<8x48xbf16>, %arg3: tensor<40x8xbf16>) -> tensor<7x40xbf16> {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 5.6568542494923797 : f64
    %0 = tensor.empty() : tensor<48x40xbf16>
    %transposed = linalg.transpose ins(%arg1 : tensor<40x48xbf16>) outs(%0 : tensor<48x40xbf16>) permutation = [1, 0] 
    %1 = tensor.empty() : tensor<7x40xf32>
    %2 = linalg.fill ins(%cst : f32) outs(%1 : tensor<7x40xf32>) -> tensor<7x40xf32>
    %3 = linalg.matmul ins(%arg0, %transposed : tensor<7x48xbf16>, tensor<48x40xbf16>) outs(%2 : tensor<7x40xf32>) -> tensor<7x40xf32>
    %4 = tensor.empty() : tensor<7x40xbf16>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%3 : tensor<7x40xf32>) outs(%4 : tensor<7x40xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %17 = arith.truncf %in : f32 to bf16
      linalg.yield %17 : bf16
    } -> tensor<7x40xbf16>
    %6 = tensor.empty() : tensor<48x8xbf16>
    %transposed_1 = linalg.transpose ins(%arg2 : tensor<8x48xbf16>) outs(%6 : tensor<48x8xbf16>) permutation = [1, 0] 
    %7 = tensor.empty() : tensor<7x8xf32>
    %8 = linalg.fill ins(%cst : f32) outs(%7 : tensor<7x8xf32>) -> tensor<7x8xf32>
    %9 = linalg.matmul ins(%arg0, %transposed_1 : tensor<7x48xbf16>, tensor<48x8xbf16>) outs(%8 : tensor<7x8xf32>) -> tensor<7x8xf32>
    %10 = tensor.empty() : tensor<7x8xbf16>
    %11 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%9 : tensor<7x8xf32>) outs(%10 : tensor<7x8xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %17 = arith.truncf %in : f32 to bf16
      linalg.yield %17 : bf16
    } -> tensor<7x8xbf16>
    %12 = tensor.empty() : tensor<8x40xbf16>
    %transposed_2 = linalg.transpose ins(%arg3 : tensor<40x8xbf16>) outs(%12 : tensor<8x40xbf16>) permutation = [1, 0] 
    %13 = linalg.matmul ins(%11, %transposed_2 : tensor<7x8xbf16>, tensor<8x40xbf16>) outs(%2 : tensor<7x40xf32>) -> tensor<7x40xf32>
    %14 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%13 : tensor<7x40xf32>) outs(%4 : tensor<7x40xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %17 = arith.truncf %in : f32 to bf16
      linalg.yield %17 : bf16
    } -> tensor<7x40xbf16>
    %15 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%14 : tensor<7x40xbf16>) outs(%4 : tensor<7x40xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %17 = arith.truncf %cst_0 : f64 to bf16
      %18 = arith.mulf %in, %17 : bf16
      linalg.yield %18 : bf16
    } -> tensor<7x40xbf16>
    %16 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%5, %15 : tensor<7x40xbf16>, tensor<7x40xbf16>) outs(%4 : tensor<7x40xbf16>) {
    ^bb0(%in: bf16, %in_3: bf16, %out: bf16):
      %17 = arith.addf %in, %in_3 : bf16
      linalg.yield %17 : bf16
    } -> tensor<7x40xbf16>
    return %16 : tensor<7x40xbf16>
  }
}
