// RUN: %frit_opt %s --pass-pipeline='builtin.module(one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map},generate-runtime-verification,canonicalize,cse)' -split-input-file | FileCheck %s

// The destination is the result's buffer, and y is not written. What sizes and data are not known to be is checked.

// CHECK-LABEL: func @in_place
// CHECK-SAME: %[[Y:[a-z0-9]+]]: memref<?x?xf32>, %{{.*}} %[[OUT:[a-z0-9]+]]: memref<?x?xf32>)
// CHECK-NOT: memref.alloc
// CHECK-NOT: memref.copy
// CHECK: cf.assert {{.*}}dimension 0 of 'ids' and dimension 1 of 'h' differ
// CHECK: cf.assert {{.*}}dimension 0 of 'ids' and dimension 0 of 'out' differ
// CHECK: cf.assert {{.*}}dimension 0 of 'B1' and dimension 0 of 'B0' differ
// CHECK: cf.assert {{.*}}dimension 1 of 'ranks' and dimension 0 of 'B0' differ
// CHECK: cf.assert {{.*}}dimension 0 of 'ranks' is not the number of slices
// CHECK: cf.assert {{.*}}dimension 0 of 'ids' and dimension 0 of 'y' differ
// CHECK: cf.assert {{.*}}dimension 0 of 'h' is not the number of slices
// CHECK: cf.assert {{.*}}dimension 2 of 'B0' and dimension 2 of 'h' differ
// CHECK: cf.assert {{.*}}dimension 1 of 'B0' and dimension 1 of 'out' differ
// CHECK: cf.assert {{.*}}dimension 2 of 'B1' and dimension 2 of 'h' differ
// CHECK: cf.assert {{.*}}dimension 1 of 'B1' and dimension 1 of 'out' differ
// CHECK: cf.assert {{.*}}dimension 1 of 'y' and twice dimension 1 of 'out' differ
// CHECK: cf.assert {{.*}}an element of 'ids' is not below dimension 0 of 'B0'
// CHECK: cf.assert {{.*}}an element of 'ranks' is negative or exceeds dimension 2 of 'B0'
// CHECK: frit.lora_gelu_and_mul_sparse ins(%[[Y]]
// CHECK-NEXT: return %[[OUT]]
func.func @in_place(%y: tensor<?x?xf32>, %h: tensor<?x?x?xf32>, %ids: tensor<?xi32>, %b0: tensor<?x?x?xf32>, %b1: tensor<?x?x?xf32>,
    %ranks: tensor<?x?xi32>, %out: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = frit.lora_gelu_and_mul_sparse ins(%y, %h, %ids : tensor<?x?xf32>, tensor<?x?x?xf32>, tensor<?xi32>)
      weights(%b0, %b1 : tensor<?x?x?xf32>, tensor<?x?x?xf32>) ranks(%ranks : tensor<?x?xi32>) outs(%out : tensor<?x?xf32>)
      std_multiplier = 1.5 -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
