// REQUIRES: cuda-kernels
// RUN: split-file %s %t
// RUN: %frit_opt %t/auto.mlir --verify-diagnostics --remarks-filter='frit-select-kernels' --pass-pipeline='builtin.module(frit-select-kernels{target=cuda:sm_90a})' | FileCheck %t/auto.mlir
// RUN: %frit_opt %t/invariant.mlir --verify-diagnostics --remarks-filter='frit-select-kernels' --pass-pipeline='builtin.module(frit-select-kernels{target=cuda:sm_90a policy=batch-invariant})'
// RUN: %frit_opt %t/cpu.mlir --verify-diagnostics --remarks-filter='frit-select-kernels' --pass-pipeline='builtin.module(frit-select-kernels{target=cpu})'
// RUN: %frit_opt %t/require_invalid.mlir --verify-diagnostics --pass-pipeline='builtin.module(frit-select-kernels{target=cpu policy=require=library})'

//--- auto.mlir
// Few tokens by an own kernel, where run time finds that they are few.
// CHECK-LABEL: func @static
// CHECK:         scf.if
// CHECK:         frit.matmul {{.*}} {frit.kernel = #frit.kernel<"cuda.gemv_small_tile8", {{.*}}
// CHECK:         else
// CHECK:         frit.matmul {{.*}} {frit.kernel = #frit.kernel<"library.cublaslt">}
func.func @static(%a: tensor<?x8xbf16>, %b: tensor<16x8xbf16>, %y: tensor<?x16xbf16>) -> tensor<?x16xbf16> {
  // expected-remark @below {{[Passed] library.cublaslt}}
  // expected-remark @below {{[Passed] cuda.gemv_small_tile8 | Category:frit-select-kernels | Function=static | Remark="where the run-time guard holds: T to be at most 8"}}
  // expected-remark @below {{[Missed] cuda.gemv_small_tile16}}
  // expected-remark @below {{[Missed] cuda.gemv_tile8}}
  // expected-remark @below {{[Missed] cuda.gemv_tile16}}
  // expected-remark @below {{[Missed] native.linalg | Category:frit-select-kernels | Function=static | Reason="admissible, but of lower priority than 'library.cublaslt' (10 to 20)"}}
  %0 = frit.matmul ins(%a, %b : tensor<?x8xbf16>, tensor<16x8xbf16>) outs(%y : tensor<?x16xbf16>) transpose_b -> tensor<?x16xbf16>
  return %0 : tensor<?x16xbf16>
}

// CHECK-LABEL: func @no_terms
// CHECK:         frit.matmul {{.*}} {frit.kernel = #frit.kernel<"native.linalg">}
func.func @no_terms(%a: tensor<?x0xbf16>, %b: tensor<16x0xbf16>, %y: tensor<?x16xbf16>) -> tensor<?x16xbf16> {
  // expected-remark @below {{[Missed] library.cublaslt | Category:frit-select-kernels | Function=no_terms | Reason="needs K to be at least 1, but K is 0"}}
  // expected-remark @below {{[Missed] cuda.gemv_small_tile8}}
  // expected-remark @below {{[Missed] cuda.gemv_small_tile16}}
  // expected-remark @below {{[Missed] cuda.gemv_tile8}}
  // expected-remark @below {{[Missed] cuda.gemv_tile16}}
  // expected-remark @below {{[Passed] native.linalg}}
  %0 = frit.matmul ins(%a, %b : tensor<?x0xbf16>, tensor<16x0xbf16>) outs(%y : tensor<?x16xbf16>) transpose_b -> tensor<?x16xbf16>
  return %0 : tensor<?x16xbf16>
}

// CHECK-LABEL: func @narrow_bias
// CHECK:         frit.matmul {{.*}} {frit.kernel = #frit.kernel<"native.linalg">}
func.func @narrow_bias(%a: tensor<?x8xbf16>, %b: tensor<16x8xbf16>, %c: tensor<16xbf16>, %y: tensor<?x16xbf16>) -> tensor<?x16xbf16> {
  // expected-remark @below {{[Missed] library.cublaslt | Category:frit-select-kernels | Function=narrow_bias | Reason="needs a bias to be added in f32, but the library rounds the sum to bf16 before"}}
  // expected-remark @below {{[Missed] cuda.gemv_small_tile8}}
  // expected-remark @below {{[Missed] cuda.gemv_small_tile16}}
  // expected-remark @below {{[Missed] cuda.gemv_tile8}}
  // expected-remark @below {{[Missed] cuda.gemv_tile16}}
  // expected-remark @below {{[Passed] native.linalg}}
  %0 = frit.matmul ins(%a, %b : tensor<?x8xbf16>, tensor<16x8xbf16>) bias(%c : tensor<16xbf16>) outs(%y : tensor<?x16xbf16>) transpose_b -> tensor<?x16xbf16>
  return %0 : tensor<?x16xbf16>
}

// CHECK-LABEL: func @guarded
// CHECK:         scf.if
// CHECK:         frit.matmul {{.*}} {frit.kernel = #frit.kernel<"library.cublaslt">}
// CHECK:         else
// CHECK:         frit.matmul {{.*}} {frit.kernel = #frit.kernel<"native.linalg">}
func.func @guarded(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %y: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // expected-remark @below {{[Passed] library.cublaslt | Category:frit-select-kernels | Function=guarded | Remark="where the run-time guard holds: K to be at least 1"}}
  // expected-remark @below {{[Missed] cuda.gemv_small_tile8}}
  // expected-remark @below {{[Missed] cuda.gemv_small_tile16}}
  // expected-remark @below {{[Missed] cuda.gemv_tile8}}
  // expected-remark @below {{[Missed] cuda.gemv_tile16}}
  // expected-remark @below {{[Passed] native.linalg}}
  %0 = frit.matmul ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%y : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

//--- invariant.mlir
func.func @f(%a: tensor<?x8xbf16>, %b: tensor<16x8xbf16>, %y: tensor<?x16xbf16>) -> tensor<?x16xbf16> {
  // expected-remark @below {{[Missed] library.cublaslt | Category:frit-select-kernels | Function=f | Reason="chooses an algorithm by the number of tokens, on which a batch-invariant result must not depend"}}
  // expected-remark @below {{[Missed] cuda.gemv_small_tile8}}
  // expected-remark @below {{[Missed] cuda.gemv_small_tile16}}
  // expected-remark @below {{[Missed] cuda.gemv_tile8}}
  // expected-remark @below {{[Missed] cuda.gemv_tile16}}
  // expected-remark @below {{[Passed] native.linalg}}
  // expected-remark @below {{the policy costs 'cuda.gemv_small_tile8' (priority 26); 'native.linalg' (priority 10) runs instead}}
  %0 = frit.matmul ins(%a, %b : tensor<?x8xbf16>, tensor<16x8xbf16>) outs(%y : tensor<?x16xbf16>) transpose_b -> tensor<?x16xbf16>
  return %0 : tensor<?x16xbf16>
}

//--- cpu.mlir
func.func @f(%a: tensor<?x8xbf16>, %b: tensor<16x8xbf16>, %y: tensor<?x16xbf16>) -> tensor<?x16xbf16> {
  // expected-remark @below {{[Missed] library.onednn_many_tokens}}
  // expected-remark @below {{[Missed] library.onednn |}}
  // expected-remark @below {{[Passed] native.linalg}}
  %0 = frit.matmul ins(%a, %b : tensor<?x8xbf16>, tensor<16x8xbf16>) outs(%y : tensor<?x16xbf16>) transpose_b -> tensor<?x16xbf16>
  return %0 : tensor<?x16xbf16>
}

//--- require_invalid.mlir
func.func @f(%a: tensor<?x8xbf16>, %b: tensor<16x8xbf16>, %y: tensor<?x16xbf16>) -> tensor<?x16xbf16> {
  // expected-error @below {{has no admissible kernel (target cpu, policy require=library)}}
  // expected-note @below {{candidate 'library.onednn_many_tokens': runs on cpu+onednn, but the target is cpu}}
  // expected-note @below {{candidate 'library.onednn': runs on cpu+onednn, but the target is cpu}}
  // expected-note @below {{candidate 'library.cublaslt': runs on sm_80 and later, but the target is cpu}}
  // expected-note @below {{candidate 'native.linalg': its provider is native, but the policy is require=library}}
  %0 = frit.matmul ins(%a, %b : tensor<?x8xbf16>, tensor<16x8xbf16>) outs(%y : tensor<?x16xbf16>) transpose_b -> tensor<?x16xbf16>
  return %0 : tensor<?x16xbf16>
}
