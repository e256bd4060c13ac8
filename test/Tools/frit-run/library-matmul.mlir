// Matmuls by cuBLASLt, on the stub of it that computes them on the host: what the graph says reaches the library.
//
// UNSUPPORTED: cuda-device
// REQUIRES: stub-driver
// DEFINE: %{run} = env FRIT_CUDA_DRIVER=%frit_lib/libFritStubDriver%shlibext FRIT_CUBLASLT=%frit_lib/libFritStubCublasLt%shlibext frit-run %s --target=cuda

// RUN: %{run} --entry=linear --input=2x4xbf16=ones --input=3x4xbf16=ones --input=3xf32=ones --print --explain | FileCheck %s --check-prefix=LINEAR
// LINEAR:      frit.matmul at
// LINEAR:      library.cublaslt {{ *}}picked
// LINEAR:      native.linalg {{ *}}admissible
// LINEAR:      result 0: 2x3xf32
// LINEAR-NEXT: {{\[}}[5, 5, 5],
// LINEAR-NEXT: [5, 5, 5]]

// One matmul accumulates in the result of another; captured, once a first call has chosen the algorithms.
// RUN: %{run} --entry=twice --input=2x4xf16=ones --input=4x3xf16=ones --cuda-graph --print | FileCheck %s --check-prefix=TWICE
// TWICE:      result 0: 2x3xf16
// TWICE-NEXT: {{\[}}[8, 8, 8],
// TWICE-NEXT: [8, 8, 8]]

// RUN: %{run} --entry=batch --input=2x1x4xf32=ones --input=5x4xf32=ones --print | FileCheck %s --check-prefix=BATCH
// BATCH:      result 0: 2x1x5xf32
// BATCH-NEXT: {{.*}}[4, 4, 4, 4, 4]

// No token: nothing is asked of the library.
// RUN: %{run} --entry=linear --input=0x4xbf16=ones --input=3x4xbf16=ones --input=3xf32=ones --print | FileCheck %s --check-prefix=NONE
// NONE: result 0: 0x3xf32

// Without the library the message says which, and what there is to do.
// RUN: %exit 3 env FRIT_CUDA_DRIVER=%frit_lib/libFritStubDriver%shlibext FRIT_CUBLASLT=/nowhere/libcublasLt.so frit-run %s --target=cuda --entry=linear \
// RUN:   --input=2x4xbf16=ones --input=3x4xbf16=ones --input=3xf32=ones 2>&1 | FileCheck %s --check-prefix=MISSING
// MISSING: kernel 'library.cublaslt': cuBLASLt cannot be opened (FRIT_CUBLASLT may name it; the policy 'native' does without): /nowhere/libcublasLt.so

func.func @linear(%x: tensor<?x4xbf16>, %w: tensor<3x4xbf16>, %bias: tensor<3xf32>) -> tensor<?x3xf32> {
  %c0 = arith.constant 0 : index
  %t = tensor.dim %x, %c0 : tensor<?x4xbf16>
  %e = tensor.empty(%t) : tensor<?x3xf32>
  %y = frit.matmul ins(%x, %w : tensor<?x4xbf16>, tensor<3x4xbf16>) bias(%bias : tensor<3xf32>) outs(%e : tensor<?x3xf32>) transpose_b -> tensor<?x3xf32>
  return %y : tensor<?x3xf32>
}

func.func @twice(%x: tensor<?x4xf16>, %w: tensor<4x3xf16>) -> tensor<?x3xf16> {
  %c0 = arith.constant 0 : index
  %t = tensor.dim %x, %c0 : tensor<?x4xf16>
  %e = tensor.empty(%t) : tensor<?x3xf16>
  %y = frit.matmul ins(%x, %w : tensor<?x4xf16>, tensor<4x3xf16>) outs(%e : tensor<?x3xf16>) -> tensor<?x3xf16>
  %z = frit.matmul ins(%x, %w : tensor<?x4xf16>, tensor<4x3xf16>) outs(%y : tensor<?x3xf16>) accumulate -> tensor<?x3xf16>
  return %z : tensor<?x3xf16>
}

func.func @batch(%x: tensor<2x?x4xf32>, %w: tensor<5x4xf32>) -> tensor<2x?x5xf32> {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %t = tensor.dim %x, %c1 : tensor<2x?x4xf32>
  %e = tensor.empty(%t) : tensor<2x?x5xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x?x5xf32>) -> tensor<2x?x5xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (n, k)>, affine_map<(b, m, n, k) -> (b, m, n)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%x, %w : tensor<2x?x4xf32>, tensor<5x4xf32>) outs(%f : tensor<2x?x5xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<2x?x5xf32>
  return %y : tensor<2x?x5xf32>
}
