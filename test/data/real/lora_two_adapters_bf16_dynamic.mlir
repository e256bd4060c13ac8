#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
#map2 = affine_map<(d0, d1) -> (d1)>
module {
  func.func @main(%arg0: tensor<?x48xbf16>, %arg1: tensor<40x48xbf16>, %arg2: tensor<40xbf16>, %arg3: tensor<4x48xbf16>, %arg4: tensor<8x48xbf16>, %arg5: tensor<40x4xbf16>, %arg6: tensor<40x8xbf16>) -> tensor<?x40xbf16> {
    %c0 = arith.constant 0 : index
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 5.6568542494923797 : f64
    %cst_1 = arith.constant 2.000000e+00 : bf16
    %0 = tensor.empty() : tensor<48x40xbf16>
    %transposed = linalg.transpose ins(%arg1 : tensor<40x48xbf16>) outs(%0 : tensor<48x40xbf16>) permutation = [1, 0] 
    %1 = tensor.empty() : tensor<40xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg2 : tensor<40xbf16>) outs(%1 : tensor<40xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %35 = arith.extf %in : bf16 to f32
      linalg.yield %35 : f32
    } -> tensor<40xf32>
    %dim = tensor.dim %arg0, %c0 : tensor<?x48xbf16>
    %3 = tensor.empty(%dim) : tensor<?x48xf32>
    %4 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<?x48xbf16>) outs(%3 : tensor<?x48xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %35 = arith.extf %in : bf16 to f32
      linalg.yield %35 : f32
    } -> tensor<?x48xf32>
    %5 = tensor.empty() : tensor<48x40xf32>
    %6 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%transposed : tensor<48x40xbf16>) outs(%5 : tensor<48x40xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %35 = arith.extf %in : bf16 to f32
      linalg.yield %35 : f32
    } -> tensor<48x40xf32>
    %7 = tensor.empty(%dim) : tensor<?x40xf32>
    %8 = linalg.fill ins(%cst : f32) outs(%7 : tensor<?x40xf32>) -> tensor<?x40xf32>
    %9 = linalg.matmul ins(%4, %6 : tensor<?x48xf32>, tensor<48x40xf32>) outs(%8 : tensor<?x40xf32>) -> tensor<?x40xf32>
    %10 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%9, %2 : tensor<?x40xf32>, tensor<40xf32>) outs(%7 : tensor<?x40xf32>) {
    ^bb0(%in: f32, %in_6: f32, %out: f32):
      %35 = arith.addf %in, %in_6 : f32
      linalg.yield %35 : f32
    } -> tensor<?x40xf32>
    %11 = tensor.empty(%dim) : tensor<?x40xbf16>
    %12 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%10 : tensor<?x40xf32>) outs(%11 : tensor<?x40xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %35 = arith.truncf %in : f32 to bf16
      linalg.yield %35 : bf16
    } -> tensor<?x40xbf16>
    %13 = tensor.empty() : tensor<48x4xbf16>
    %transposed_2 = linalg.transpose ins(%arg3 : tensor<4x48xbf16>) outs(%13 : tensor<48x4xbf16>) permutation = [1, 0] 
    %14 = tensor.empty(%dim) : tensor<?x4xf32>
    %15 = linalg.fill ins(%cst : f32) outs(%14 : tensor<?x4xf32>) -> tensor<?x4xf32>
    %16 = linalg.matmul ins(%arg0, %transposed_2 : tensor<?x48xbf16>, tensor<48x4xbf16>) outs(%15 : tensor<?x4xf32>) -> tensor<?x4xf32>
    %17 = tensor.empty(%dim) : tensor<?x4xbf16>
    %18 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%16 : tensor<?x4xf32>) outs(%17 : tensor<?x4xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %35 = arith.truncf %in : f32 to bf16
      linalg.yield %35 : bf16
    } -> tensor<?x4xbf16>
    %19 = tensor.empty() : tensor<4x40xbf16>
    %transposed_3 = linalg.transpose ins(%arg5 : tensor<40x4xbf16>) outs(%19 : tensor<4x40xbf16>) permutation = [1, 0] 
    %20 = linalg.matmul ins(%18, %transposed_3 : tensor<?x4xbf16>, tensor<4x40xbf16>) outs(%8 : tensor<?x40xf32>) -> tensor<?x40xf32>
    %21 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%20 : tensor<?x40xf32>) outs(%11 : tensor<?x40xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %35 = arith.truncf %in : f32 to bf16
      linalg.yield %35 : bf16
    } -> tensor<?x40xbf16>
    %22 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%21 : tensor<?x40xbf16>) outs(%11 : tensor<?x40xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %35 = arith.mulf %in, %cst_1 : bf16
      linalg.yield %35 : bf16
    } -> tensor<?x40xbf16>
    %23 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%12, %22 : tensor<?x40xbf16>, tensor<?x40xbf16>) outs(%11 : tensor<?x40xbf16>) {
    ^bb0(%in: bf16, %in_6: bf16, %out: bf16):
      %35 = arith.addf %in, %in_6 : bf16
      linalg.yield %35 : bf16
    } -> tensor<?x40xbf16>
    %24 = tensor.empty() : tensor<48x8xbf16>
    %transposed_4 = linalg.transpose ins(%arg4 : tensor<8x48xbf16>) outs(%24 : tensor<48x8xbf16>) permutation = [1, 0] 
    %25 = tensor.empty(%dim) : tensor<?x8xf32>
    %26 = linalg.fill ins(%cst : f32) outs(%25 : tensor<?x8xf32>) -> tensor<?x8xf32>
    %27 = linalg.matmul ins(%arg0, %transposed_4 : tensor<?x48xbf16>, tensor<48x8xbf16>) outs(%26 : tensor<?x8xf32>) -> tensor<?x8xf32>
    %28 = tensor.empty(%dim) : tensor<?x8xbf16>
    %29 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%27 : tensor<?x8xf32>) outs(%28 : tensor<?x8xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %35 = arith.truncf %in : f32 to bf16
      linalg.yield %35 : bf16
    } -> tensor<?x8xbf16>
    %30 = tensor.empty() : tensor<8x40xbf16>
    %transposed_5 = linalg.transpose ins(%arg6 : tensor<40x8xbf16>) outs(%30 : tensor<8x40xbf16>) permutation = [1, 0] 
    %31 = linalg.matmul ins(%29, %transposed_5 : tensor<?x8xbf16>, tensor<8x40xbf16>) outs(%8 : tensor<?x40xf32>) -> tensor<?x40xf32>
    %32 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%31 : tensor<?x40xf32>) outs(%11 : tensor<?x40xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %35 = arith.truncf %in : f32 to bf16
      linalg.yield %35 : bf16
    } -> tensor<?x40xbf16>
    %33 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%32 : tensor<?x40xbf16>) outs(%11 : tensor<?x40xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %35 = arith.truncf %cst_0 : f64 to bf16
      %36 = arith.mulf %in, %35 : bf16
      linalg.yield %36 : bf16
    } -> tensor<?x40xbf16>
    %34 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%23, %33 : tensor<?x40xbf16>, tensor<?x40xbf16>) outs(%11 : tensor<?x40xbf16>) {
    ^bb0(%in: bf16, %in_6: bf16, %out: bf16):
      %35 = arith.addf %in, %in_6 : bf16
      linalg.yield %35 : bf16
    } -> tensor<?x40xbf16>
    return %34 : tensor<?x40xbf16>
  }
}
