// Kernels of oneDNN: for the target that has it, before the generated code where they were measured to be faster.
// RUN: split-file %s %t
// RUN: %frit_opt %t/auto.mlir --verify-diagnostics --remarks-filter='frit-select-kernels' --pass-pipeline='builtin.module(frit-select-kernels{target=cpu+onednn})' | FileCheck %t/auto.mlir
// RUN: %frit_opt %t/require.mlir --pass-pipeline='builtin.module(frit-select-kernels{target=cpu+onednn policy=require=library})' | FileCheck %t/require.mlir
// RUN: %frit_opt %t/invariant.mlir --verify-diagnostics --remarks-filter='frit-select-kernels' --pass-pipeline='builtin.module(frit-select-kernels{target=cpu+onednn policy=batch-invariant})'
// RUN: %frit_opt %t/without.mlir --verify-diagnostics --remarks-filter='frit-select-kernels' --pass-pipeline='builtin.module(frit-select-kernels{target=cpu})'

//--- auto.mlir
// CHECK-LABEL: func @few_or_many
// CHECK:         %[[MANY:.*]] = arith.cmpi sge, %{{.*}}, %c64
// CHECK:         scf.if %[[MANY]]
// CHECK:         frit.matmul {{.*}} {frit.kernel = #frit.kernel<"library.onednn_many_tokens">}
// CHECK:         else
// CHECK:         frit.matmul {{.*}} {frit.kernel = #frit.kernel<"native.linalg">}
func.func @few_or_many(%a: tensor<?x8xf32>, %b: tensor<16x8xf32>, %y: tensor<?x16xf32>) -> tensor<?x16xf32> {
  // expected-remark @below {{[Passed] library.onednn_many_tokens | Category:frit-select-kernels | Function=few_or_many | Remark="where the run-time guard holds: T to be at least 64"}}
  // expected-remark @below {{[Passed] native.linalg}}
  // expected-remark @below {{[Missed] library.onednn | Category:frit-select-kernels | Function=few_or_many | Reason="admissible, but of lower priority than 'native.linalg' (5 to 10)"}}
  %0 = frit.matmul ins(%a, %b : tensor<?x8xf32>, tensor<16x8xf32>) outs(%y : tensor<?x16xf32>) transpose_b -> tensor<?x16xf32>
  return %0 : tensor<?x16xf32>
}

// CHECK-LABEL: func @many
// CHECK-NOT:     scf.if
// CHECK:         frit.matmul {{.*}} accumulate {frit.kernel = #frit.kernel<"library.onednn_many_tokens">}
func.func @many(%a: tensor<64x8xf32>, %b: tensor<16x8xf32>, %c: tensor<16xf32>, %y: tensor<64x16xf32>) -> tensor<64x16xf32> {
  // expected-remark @below {{[Passed] library.onednn_many_tokens}}
  // expected-remark @below {{[Missed] native.linalg}}
  // expected-remark @below {{[Missed] library.onednn |}}
  %0 = frit.matmul ins(%a, %b : tensor<64x8xf32>, tensor<16x8xf32>) bias(%c : tensor<16xf32>) outs(%y : tensor<64x16xf32>) transpose_b accumulate -> tensor<64x16xf32>
  return %0 : tensor<64x16xf32>
}

// CHECK-LABEL: func @few
// CHECK:         frit.matmul {{.*}} {frit.kernel = #frit.kernel<"native.linalg">}
func.func @few(%a: tensor<63x8xf32>, %b: tensor<16x8xf32>, %y: tensor<63x16xf32>) -> tensor<63x16xf32> {
  // expected-remark @below {{[Missed] library.onednn_many_tokens | Category:frit-select-kernels | Function=few | Reason="needs T to be at least 64, but T is 63"}}
  // expected-remark @below {{[Passed] native.linalg}}
  // expected-remark @below {{[Missed] library.onednn |}}
  %0 = frit.matmul ins(%a, %b : tensor<63x8xf32>, tensor<16x8xf32>) outs(%y : tensor<63x16xf32>) transpose_b -> tensor<63x16xf32>
  return %0 : tensor<63x16xf32>
}

// CHECK-LABEL: func @by_terms
// CHECK:         frit.matmul {{.*}} {frit.kernel = #frit.kernel<"native.linalg">}
func.func @by_terms(%a: tensor<64x8xf32>, %b: tensor<8x16xf32>, %y: tensor<64x16xf32>) -> tensor<64x16xf32> {
  // expected-remark @below {{[Missed] library.onednn_many_tokens | Category:frit-select-kernels | Function=by_terms | Reason="needs x by rows and weights [N, K], as transpose_b alone has it"}}
  // expected-remark @below {{[Passed] native.linalg}}
  // expected-remark @below {{[Missed] library.onednn |}}
  %0 = frit.matmul ins(%a, %b : tensor<64x8xf32>, tensor<8x16xf32>) outs(%y : tensor<64x16xf32>) -> tensor<64x16xf32>
  return %0 : tensor<64x16xf32>
}

// CHECK-LABEL: func @batch
// CHECK:         frit.matmul {{.*}} {frit.kernel = #frit.kernel<"native.linalg">}
func.func @batch(%a: tensor<2x64x8xf32>, %b: tensor<16x8xf32>, %y: tensor<2x64x16xf32>) -> tensor<2x64x16xf32> {
  // expected-remark @below {{[Missed] library.onednn_many_tokens | Category:frit-select-kernels | Function=batch | Reason="needs one matmul, but there is a batch"}}
  // expected-remark @below {{[Passed] native.linalg}}
  // expected-remark @below {{[Missed] library.onednn |}}
  %0 = frit.matmul ins(%a, %b : tensor<2x64x8xf32>, tensor<16x8xf32>) outs(%y : tensor<2x64x16xf32>) transpose_b -> tensor<2x64x16xf32>
  return %0 : tensor<2x64x16xf32>
}

// CHECK-LABEL: func @narrow
// CHECK:         frit.matmul {{.*}} {frit.kernel = #frit.kernel<"native.linalg">}
func.func @narrow(%a: tensor<64x8xbf16>, %b: tensor<16x8xbf16>, %y: tensor<64x16xf32>) -> tensor<64x16xf32> {
  // expected-remark @below {{[Missed] library.onednn_many_tokens | Category:frit-select-kernels | Function=narrow | Reason="takes f32, but the element type is bf16"}}
  // expected-remark @below {{[Passed] native.linalg}}
  // expected-remark @below {{[Missed] library.onednn |}}
  %0 = frit.matmul ins(%a, %b : tensor<64x8xbf16>, tensor<16x8xbf16>) outs(%y : tensor<64x16xf32>) transpose_b -> tensor<64x16xf32>
  return %0 : tensor<64x16xf32>
}

// CHECK-LABEL: func @no_terms
// CHECK:         frit.matmul {{.*}} {frit.kernel = #frit.kernel<"native.linalg">}
func.func @no_terms(%a: tensor<64x0xf32>, %b: tensor<16x0xf32>, %y: tensor<64x16xf32>) -> tensor<64x16xf32> {
  // expected-remark @below {{[Missed] library.onednn_many_tokens | Category:frit-select-kernels | Function=no_terms | Reason="needs K to be at least 1, but K is 0"}}
  // expected-remark @below {{[Passed] native.linalg}}
  // expected-remark @below {{[Missed] library.onednn |}}
  %0 = frit.matmul ins(%a, %b : tensor<64x0xf32>, tensor<16x0xf32>) outs(%y : tensor<64x16xf32>) transpose_b -> tensor<64x16xf32>
  return %0 : tensor<64x16xf32>
}

//--- require.mlir
// What the measurements speak against is the library's where it is required.
// CHECK-LABEL: func @batch
// CHECK:         frit.matmul {{.*}} {frit.kernel = #frit.kernel<"library.onednn">}
func.func @batch(%a: tensor<2x?x8xf32>, %b: tensor<8x16xf32>, %y: tensor<2x?x16xf32>) -> tensor<2x?x16xf32> {
  %0 = frit.matmul ins(%a, %b : tensor<2x?x8xf32>, tensor<8x16xf32>) outs(%y : tensor<2x?x16xf32>) -> tensor<2x?x16xf32>
  return %0 : tensor<2x?x16xf32>
}

//--- invariant.mlir
func.func @invariant(%a: tensor<64x8xf32>, %b: tensor<16x8xf32>, %y: tensor<64x16xf32>) -> tensor<64x16xf32> {
  // expected-remark @below {{[Missed] library.onednn_many_tokens | Category:frit-select-kernels | Function=invariant | Reason="chooses an algorithm by the number of tokens, on which a batch-invariant result must not depend"}}
  // expected-remark @below {{[Passed] native.linalg}}
  // expected-remark @below {{[Missed] library.onednn |}}
  // expected-remark @below {{[Analysis] batch-invariant | Category:frit-select-kernels | Function=invariant | Remark="the policy costs 'library.onednn_many_tokens' (priority 20); 'native.linalg' (priority 10) runs instead"}}
  %0 = frit.matmul ins(%a, %b : tensor<64x8xf32>, tensor<16x8xf32>) outs(%y : tensor<64x16xf32>) transpose_b -> tensor<64x16xf32>
  return %0 : tensor<64x16xf32>
}

//--- without.mlir
func.func @without(%a: tensor<64x8xf32>, %b: tensor<16x8xf32>, %y: tensor<64x16xf32>) -> tensor<64x16xf32> {
  // expected-remark @below {{[Missed] library.onednn_many_tokens | Category:frit-select-kernels | Function=without | Reason="runs on cpu+onednn, but the target is cpu"}}
  // expected-remark @below {{[Passed] native.linalg}}
  // expected-remark @below {{[Missed] library.onednn | Category:frit-select-kernels | Function=without | Reason="runs on cpu+onednn, but the target is cpu"}}
  %0 = frit.matmul ins(%a, %b : tensor<64x8xf32>, tensor<16x8xf32>) outs(%y : tensor<64x16xf32>) transpose_b -> tensor<64x16xf32>
  return %0 : tensor<64x16xf32>
}
