// RUN: %frit_opt %s --pass-pipeline='builtin.module(generate-runtime-verification,canonicalize,cse)' | FileCheck %s

// What the types say is not checked again.

// CHECK-LABEL: func @static
// CHECK-NOT: cf.assert
// CHECK: return
func.func @static(%x: memref<4x16xf32>, %y: memref<4x8xf32>) {
  frit.act_and_mul silu ins(%x : memref<4x16xf32>) outs(%y : memref<4x8xf32>)
  return
}

// CHECK-LABEL: func @packed
// CHECK-SAME: %[[X:.*]]: memref<?x?xf32>, %[[Y:.*]]: memref<?x?xf32>
// CHECK-DAG: %[[XT:.*]] = memref.dim %[[X]], %c0
// CHECK-DAG: %[[YT:.*]] = memref.dim %[[Y]], %c0
// CHECK: %[[SAME:.*]] = arith.cmpi eq, %[[XT]], %[[YT]]
// CHECK: cf.assert %[[SAME]], "{{.*}}frit.act_and_mul{{.*}}dimension 0 of 'x' and dimension 0 of 'out' differ{{.*}}runtime_verification.mlir
// CHECK: %[[D:.*]] = memref.dim %[[Y]], %c1
// CHECK: %[[TWICE:.*]] = arith.addi %[[D]], %[[D]]
// CHECK: %[[XD:.*]] = memref.dim %[[X]], %c1
// CHECK: %[[FITS:.*]] = arith.cmpi eq, %[[XD]], %[[TWICE]]
// CHECK: cf.assert %[[FITS]], "{{.*}}dimension 1 of 'x' and twice dimension 1 of 'out' differ
// CHECK: frit.act_and_mul
func.func @packed(%x: memref<?x?xf32>, %y: memref<?x?xf32>) {
  frit.act_and_mul silu ins(%x : memref<?x?xf32>) outs(%y : memref<?x?xf32>)
  return
}

// CHECK-LABEL: func @separate
// CHECK: cf.assert {{.*}}dimension 1 of 'out' and dimension 1 of 'gate' differ
// CHECK: cf.assert {{.*}}dimension 1 of 'out' and dimension 1 of 'up' differ
// CHECK: frit.gelu_and_mul_sparse
func.func @separate(%gate: tensor<4x8xf32>, %up: tensor<4x8xf32>, %y: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %0 = frit.gelu_and_mul_sparse ins(%gate, %up : tensor<4x8xf32>, tensor<4x8xf32>) outs(%y : tensor<4x?xf32>)
      std_multiplier = 1.0 -> tensor<4x?xf32>
  return %0 : tensor<4x?xf32>
}

// Data of static shapes: each id is below L, on memrefs and on tensors.

// CHECK-LABEL: func @ids
// CHECK-SAME: memref<4x16xf32>, %[[IDS:[^:]*]]: memref<4xi32>
// CHECK: scf.for %[[T:.*]] = %c0 to %c4
// CHECK: %[[ID:.*]] = memref.load %[[IDS]][%[[T]]]
// CHECK: %[[INDEX:.*]] = arith.index_cast %[[ID]]
// CHECK: %[[BELOW:.*]] = arith.cmpi slt, %[[INDEX]], %c2
// CHECK: cf.assert %[[BELOW]], "{{.*}}an element of 'ids' is not below dimension 0 of 'A0'
// CHECK-NOT: cf.assert
// CHECK: frit.lora_matmul
func.func @ids(%x: memref<4x16xf32>, %ids: memref<4xi32>, %a: memref<2x3x16xf32>, %b: memref<2x8x3xf32>, %y: memref<4x8xf32>) {
  frit.lora_matmul ins(%x, %ids : memref<4x16xf32>, memref<4xi32>) weights(%a, %b : memref<2x3x16xf32>, memref<2x8x3xf32>)
      outs(%y : memref<4x8xf32>)
  return
}

// CHECK-LABEL: func @lora_matmul
// CHECK: cf.assert {{.*}}dimension 0 of 'ids' and dimension 0 of 'x' differ
// CHECK: cf.assert {{.*}}dimension 0 of 'ids' and dimension 0 of 'out' differ
// CHECK: cf.assert {{.*}}dimension 0 of 'B0' and dimension 0 of 'A0' differ
// CHECK: cf.assert {{.*}}dimension 0 of 'A1' and dimension 0 of 'A0' differ
// CHECK: cf.assert {{.*}}dimension 0 of 'scales' and dimension 0 of 'A0' differ
// CHECK: cf.assert {{.*}}dimension 1 of 'ranks' and dimension 0 of 'A0' differ
// CHECK: cf.assert {{.*}}dimension 0 of 'ranks' is not the number of slices
// CHECK: cf.assert {{.*}}dimension 2 of 'A0' and dimension 1 of 'x' differ
// CHECK: cf.assert {{.*}}dimension 2 of 'B0' and dimension 1 of 'A0' differ
// CHECK: cf.assert {{.*}}dimension 1 of 'A1' and dimension 1 of 'A0' differ
// CHECK: cf.assert {{.*}}'offset' plus the widths of the slices exceeds dimension 1 of 'out'
// CHECK: tensor.extract
// CHECK: cf.assert {{.*}}an element of 'ids' is not below dimension 0 of 'A0'
// CHECK: cf.assert {{.*}}an element of 'ranks' is negative or exceeds dimension 1 of 'A0'
// CHECK: frit.lora_matmul
func.func @lora_matmul(%x: tensor<?x?xf32>, %ids: tensor<?xi32>, %a: tensor<?x?x?xf32>, %b: tensor<?x?x?xf32>,
                       %a1: tensor<?x?x?xf32>, %scales: tensor<?xf32>, %ranks: tensor<?x?xi32>, %y: tensor<?x20xf32>)
    -> tensor<?x20xf32> {
  %0 = frit.lora_matmul ins(%x, %ids : tensor<?x?xf32>, tensor<?xi32>)
      weights(%a, %b, %a1, %b : tensor<?x?x?xf32>, tensor<?x?x?xf32>, tensor<?x?x?xf32>, tensor<?x?x?xf32>)
      scales(%scales : tensor<?xf32>) ranks(%ranks : tensor<?x?xi32>) outs(%y : tensor<?x20xf32>) -> tensor<?x20xf32>
  return %0 : tensor<?x20xf32>
}

// CHECK-LABEL: func @shrink_expand
// CHECK: cf.assert {{.*}}dimension 1 of 'out' and dimension 0 of 'ids' differ
// CHECK: cf.assert {{.*}}dimension 0 of 'out' is not the number of slices
// CHECK: cf.assert {{.*}}dimension 2 of 'out' and dimension 1 of 'A0' differ
// CHECK: frit.lora_shrink
// CHECK: cf.assert {{.*}}dimension 1 of 'h' and dimension 0 of 'ids' differ
// CHECK: cf.assert {{.*}}dimension 0 of 'h' is not the number of slices
// CHECK: cf.assert {{.*}}dimension 2 of 'h' and dimension 2 of 'B0' differ
// CHECK: frit.lora_expand
func.func @shrink_expand(%x: memref<4x16xf32>, %ids: memref<4xi32>, %a: memref<2x3x16xf32>, %b: memref<2x8x3xf32>,
                         %h: memref<?x?x?xf32>, %y: memref<4x8xf32>) {
  frit.lora_shrink ins(%x, %ids : memref<4x16xf32>, memref<4xi32>) weights(%a : memref<2x3x16xf32>)
      outs(%h : memref<?x?x?xf32>)
  frit.lora_expand ins(%h, %ids : memref<?x?x?xf32>, memref<4xi32>) weights(%b : memref<2x8x3xf32>)
      outs(%y : memref<4x8xf32>)
  return
}

// A grouping is a permutation of the tokens that agrees with the ids.

// CHECK-LABEL: func @grouping
// CHECK: cf.assert {{.*}}dimension 0 of 'order' and dimension 0 of 'ids' differ
// CHECK: cf.assert {{.*}}dimension 0 of 'starts' is not dimension 0 of 'active' plus 1
// CHECK: cf.assert {{.*}}an element of 'order' is no token
// CHECK: %[[ORDER:.*]] = scf.for
// CHECK: %[[TOKENS:.*]] = scf.for
// CHECK: %[[SAME:.*]] = arith.cmpi eq, %[[ORDER]], %[[TOKENS]] : i64
// CHECK: cf.assert %[[SAME]], "{{.*}}a token occurs twice in 'order'
// CHECK: cf.assert {{.*}}'starts' does not begin with 0
// CHECK: cf.assert {{.*}}'starts' decreases or exceeds the number of tokens
// CHECK: cf.assert {{.*}}an element of 'active' is neither an adapter nor -1
// CHECK: cf.assert {{.*}}'order' and 'starts' disagree with 'ids'
// CHECK: cf.assert {{.*}}'order' and 'starts' disagree with 'ids'
// CHECK: frit.lora_expand
func.func @grouping(%h: memref<1x4x3xf32>, %ids: memref<4xi32>, %b: memref<2x8x3xf32>, %order: memref<?xi32>,
                    %starts: memref<?xi32>, %active: memref<?xi32>, %y: memref<4x8xf32>) {
  frit.lora_expand ins(%h, %ids : memref<1x4x3xf32>, memref<4xi32>) weights(%b : memref<2x8x3xf32>)
      grouping(%order, %starts, %active : memref<?xi32>, memref<?xi32>, memref<?xi32>) outs(%y : memref<4x8xf32>)
  return
}

// CHECK-LABEL: func @lora_group
// CHECK: cf.assert {{.*}}dimension 0 of 'ids' and dimension 0 of 'order' differ
// CHECK: cf.assert {{.*}}dimension 0 of 'starts' is less than 1
// CHECK: cf.assert {{.*}}dimension 0 of 'ids' exceeds the range of i32
// CHECK: frit.lora_group
func.func @lora_group(%ids: memref<?xi32>, %order: memref<?xi32>, %starts: memref<?xi32>) {
  frit.lora_group ins(%ids : memref<?xi32>) outs(%order, %starts : memref<?xi32>, memref<?xi32>)
  return
}
