// RUN: %frit_opt %s --pass-pipeline='builtin.module(frit-decompose)' | FileCheck %s
// RUN: %frit_opt %s --pass-pipeline='builtin.module(frit-to-cpu)' | FileCheck %s --check-prefix=LLVM

// Dimensions that are statically 0: MLIR rejects slices of them, so there are
// none.

// CHECK-LABEL: func @rank_0
// CHECK-NOT: tensor.extract_slice {{.*}} : tensor<{{.*}}x0xf32>
// CHECK: return
// LLVM: llvm.func
func.func @rank_0(%x: tensor<?x?xf16>, %ids: tensor<?xi32>, %a: tensor<?x0x?xf32>, %b: tensor<?x?x0xf32>,
                  %ranks: tensor<1x?xi32>, %y: tensor<?x?xf16>) -> tensor<?x?xf16> {
  %0 = frit.lora_matmul ins(%x, %ids : tensor<?x?xf16>, tensor<?xi32>) weights(%a, %b : tensor<?x0x?xf32>, tensor<?x?x0xf32>)
         ranks(%ranks : tensor<1x?xi32>) outs(%y : tensor<?x?xf16>) intermediate = element {frit.kernel = #frit.kernel<"native.linalg">} -> tensor<?x?xf16>
  return %0 : tensor<?x?xf16>
}

// A slice of no columns at the end of the destination.

// CHECK-LABEL: func @no_columns
// CHECK: return
func.func @no_columns(%h: tensor<1x4x8xf32>, %ids: tensor<4xi32>, %b: tensor<2x0x8xf32>, %y: tensor<4x16xf32>) -> tensor<4x16xf32> {
  %0 = frit.lora_expand ins(%h, %ids : tensor<1x4x8xf32>, tensor<4xi32>) weights(%b : tensor<2x0x8xf32>)
         outs(%y : tensor<4x16xf32>) offset = 16 {frit.kernel = #frit.kernel<"native.linalg">} -> tensor<4x16xf32>
  return %0 : tensor<4x16xf32>
}
