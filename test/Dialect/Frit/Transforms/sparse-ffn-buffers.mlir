// RUN: %frit_opt %s --pass-pipeline='builtin.module(one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map},generate-runtime-verification,canonicalize,cse)' -split-input-file | FileCheck %s

// The destination is the result's buffer. What sizes and data are not known to be is checked.

// CHECK-LABEL: func @in_place
// CHECK-SAME: %[[X:.*]]: memref<?x?xf32>, %{{.*}}: memref<?xi32>, %{{.*}} %[[Y:[a-z0-9]+]]: memref<?x?xf32>)
// CHECK-NOT: memref.alloc
// CHECK: cf.assert {{.*}}dimension 0 of 'out' and dimension 0 of 'x' differ
// CHECK: cf.assert {{.*}}dimension 1 of 'out' and dimension 1 of 'x' differ
// CHECK: cf.assert {{.*}}dimension 1 of 'gate' and dimension 1 of 'x' differ
// CHECK: cf.assert {{.*}}dimension 0 of 'up' and dimension 0 of 'gate' differ
// CHECK: cf.assert {{.*}}dimension 1 of 'up' and dimension 1 of 'x' differ
// CHECK: cf.assert {{.*}}dimension 1 of 'down' and dimension 0 of 'gate' differ
// CHECK: cf.assert {{.*}}dimension 0 of 'down' and dimension 1 of 'x' differ
// CHECK: cf.assert {{.*}}dimension 0 of 'ids' and dimension 0 of 'x' differ
// CHECK: cf.assert {{.*}}dimension 0 of 'B_up' and dimension 0 of 'A_up' differ
// CHECK: cf.assert {{.*}}dimension 2 of 'B_up' and dimension 1 of 'A_up' differ
// CHECK: cf.assert {{.*}}dimension 2 of 'A_up' and dimension 1 of 'x' differ
// CHECK: cf.assert {{.*}}dimension 1 of 'B_up' and dimension 0 of 'gate' differ
// CHECK: cf.assert {{.*}}dimension 0 of 'scales' and dimension 0 of 'A_up' differ
// CHECK: cf.assert {{.*}}dimension 1 of 'ranks' and dimension 0 of 'A_up' differ
// CHECK: cf.assert {{.*}}dimension 0 of 'ranks' is not the number of projections
// CHECK: cf.assert {{.*}}an element of 'ids' is not below dimension 0 of 'A_up'
// CHECK: cf.assert {{.*}}an element of 'ranks' is negative or exceeds dimension 1 of 'A_up'
// CHECK: frit.sparse_ffn ins(%[[X]]
// CHECK-NEXT: return %[[Y]]
func.func @in_place(%x: tensor<?x?xf32>, %ids: tensor<?xi32>, %gate: tensor<?x?xf32>, %up: tensor<?x?xf32>,
    %down: tensor<?x?xf32>, %a: tensor<?x?x?xf32>, %b: tensor<?x?x?xf32>, %scales: tensor<?xf32>,
    %ranks: tensor<?x?xi32>, %y: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = frit.sparse_ffn ins(%x, %ids : tensor<?x?xf32>, tensor<?xi32>)
      weights(%gate, %up, %down : tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>)
      up_lora(%a, %b : tensor<?x?x?xf32>, tensor<?x?x?xf32>) scales(%scales : tensor<?xf32>)
      ranks(%ranks : tensor<?x?xi32>) outs(%y : tensor<?x?xf32>) std_multiplier = 1.5 down_layout = hd -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

// A residual that is needed later is copied, since it is read; without accumulation nothing would be.

// CHECK-LABEL: func @residual
// CHECK-SAME: %[[X:.*]]: memref<4x64xf32>, {{.*}}, %[[Y:[a-z0-9]+]]: memref<4x64xf32>)
// CHECK: %[[NEW:.*]] = memref.alloc()
// CHECK: memref.copy %[[Y]], %[[NEW]]
// CHECK: frit.sparse_ffn {{.*}} outs(%[[NEW]] :
// CHECK: %[[OTHER:.*]] = memref.alloc()
// CHECK-NOT: memref.copy
// CHECK: frit.sparse_ffn {{.*}} outs(%[[OTHER]] :
func.func @residual(%x: tensor<4x64xf32>, %w: tensor<96x64xf32>, %y: tensor<4x64xf32>)
    -> (tensor<4x64xf32>, tensor<4x64xf32>, tensor<4x64xf32>) {
  %0 = frit.sparse_ffn ins(%x : tensor<4x64xf32>)
      weights(%w, %w, %w : tensor<96x64xf32>, tensor<96x64xf32>, tensor<96x64xf32>)
      outs(%y : tensor<4x64xf32>) std_multiplier = 1.5 down_layout = dh accumulate = true -> tensor<4x64xf32>
  %1 = frit.sparse_ffn ins(%x : tensor<4x64xf32>)
      weights(%w, %w, %w : tensor<96x64xf32>, tensor<96x64xf32>, tensor<96x64xf32>)
      outs(%y : tensor<4x64xf32>) std_multiplier = 1.5 down_layout = dh -> tensor<4x64xf32>
  return %0, %1, %y : tensor<4x64xf32>, tensor<4x64xf32>, tensor<4x64xf32>
}
