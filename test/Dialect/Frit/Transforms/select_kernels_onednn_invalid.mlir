// RUN: split-file %s %t
// RUN: %frit_opt %t/require.mlir --verify-diagnostics --pass-pipeline='builtin.module(frit-select-kernels{target=cpu policy=require=library})'
// RUN: %frit_opt %t/named.mlir --verify-diagnostics --pass-pipeline='builtin.module(frit-select-kernels{target=cpu})'
// RUN: %frit_opt %t/type.mlir --verify-diagnostics --pass-pipeline='builtin.module(frit-select-kernels{target=cpu+onednn policy=require=library})'

//--- require.mlir
func.func @require(%a: tensor<64x8xf32>, %b: tensor<8x16xf32>, %y: tensor<64x16xf32>) -> tensor<64x16xf32> {
  // expected-error @below {{has no admissible kernel}}
  // expected-note @below {{candidate 'library.onednn': runs on cpu+onednn, but the target is cpu}}
  // expected-note @below {{candidate 'library.onednn_many_tokens': runs on cpu+onednn, but the target is cpu}}
  // expected-note @below {{candidate 'library.cublaslt': runs on sm_80 and later, but the target is cpu}}
  // expected-note @below {{candidate 'native.linalg': its provider is native, but the policy is require=library}}
  %0 = frit.matmul ins(%a, %b : tensor<64x8xf32>, tensor<8x16xf32>) outs(%y : tensor<64x16xf32>) -> tensor<64x16xf32>
  return %0 : tensor<64x16xf32>
}

//--- named.mlir
func.func @named(%a: tensor<64x8xf32>, %b: tensor<8x16xf32>, %y: tensor<64x16xf32>) -> tensor<64x16xf32> {
  // expected-error @below {{names kernel 'library.onednn', which cannot execute it: runs on cpu+onednn, but the target is cpu}}
  %0 = frit.matmul ins(%a, %b : tensor<64x8xf32>, tensor<8x16xf32>) outs(%y : tensor<64x16xf32>) {frit.kernel = #frit.kernel<"library.onednn">} -> tensor<64x16xf32>
  return %0 : tensor<64x16xf32>
}

//--- type.mlir
func.func @narrow(%a: tensor<64x8xf16>, %b: tensor<8x16xf16>, %y: tensor<64x16xf16>) -> tensor<64x16xf16> {
  // expected-error @below {{has no admissible kernel}}
  // expected-note @below {{candidate 'library.onednn': takes f32, but the element type is f16}}
  // expected-note @below {{candidate 'library.onednn_many_tokens': takes f32, but the element type is f16}}
  // expected-note @below {{candidate 'library.cublaslt'}}
  // expected-note @below {{candidate 'native.linalg'}}
  %0 = frit.matmul ins(%a, %b : tensor<64x8xf16>, tensor<8x16xf16>) outs(%y : tensor<64x16xf16>) -> tensor<64x16xf16>
  return %0 : tensor<64x16xf16>
}
