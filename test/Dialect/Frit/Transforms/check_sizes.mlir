// RUN: %frit_opt %s --pass-pipeline='builtin.module(frit-check-sizes{groupings=false},canonicalize,cse,canonicalize)' | FileCheck %s

// Every size that is dynamic is compared, and no data is read
// but that of groupings, which check_groupings.mlir is about.

// CHECK-LABEL: func @matmul
// CHECK-SAME: %[[X:[^:]*]]: tensor<?x?xf32>, %[[IDS:[^:]*]]: tensor<?xi32>
// CHECK-DAG: %[[T:.*]] = tensor.dim %[[IDS]], %c0
// CHECK-DAG: %[[XT:.*]] = tensor.dim %[[X]], %c0
// CHECK: %[[SAME:.*]] = arith.cmpi eq, %[[T]], %[[XT]]
// CHECK: cf.assert %[[SAME]], "'frit.lora_matmul' at check_sizes.mlir:{{[0-9]+}}:{{[0-9]+}}: dimension 0 of 'ids' and dimension 0 of 'x' differ"
// CHECK: cf.assert %{{.*}}: dimension 0 of 'ids' and dimension 0 of 'out' differ"
// CHECK: cf.assert %{{.*}}: dimension 0 of 'B0' and dimension 0 of 'A0' differ"
// CHECK: cf.assert %{{.*}}: dimension 0 of 'scales' and dimension 0 of 'A0' differ"
// CHECK: cf.assert %{{.*}}: dimension 0 of 'ranks' and dimension 0 of 'A0' differ"
// CHECK: cf.assert %{{.*}}: dimension 2 of 'A0' and dimension 1 of 'x' differ"
// CHECK: cf.assert %{{.*}}: dimension 2 of 'B0' and dimension 1 of 'A0' differ"
// CHECK: cf.assert %{{.*}}: 'offset' plus the widths of the slices exceeds dimension 1 of 'out'"
// CHECK: cf.assert %{{.*}}: dimension 0 of 'order' and dimension 0 of 'ids' differ"
// CHECK: cf.assert %{{.*}}: dimension 0 of 'starts' is not dimension 0 of 'A0' plus 1"
// CHECK-NOT: cf.assert
// CHECK-NOT: tensor.extract
// CHECK: frit.lora_matmul
func.func @matmul(%x: tensor<?x?xf32>, %ids: tensor<?xi32>, %a: tensor<?x?x?xf32>, %b: tensor<?x?x?xf32>,
                  %s: tensor<?xf32>, %r: tensor<?xi32>, %order: tensor<?xi32>, %starts: tensor<?xi32>,
                  %y: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = frit.lora_matmul ins(%x, %ids : tensor<?x?xf32>, tensor<?xi32>)
      weights(%a, %b : tensor<?x?x?xf32>, tensor<?x?x?xf32>) scales(%s : tensor<?xf32>) ranks(%r : tensor<?xi32>)
      grouping(%order, %starts : tensor<?xi32>, tensor<?xi32>) outs(%y : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// A size that the type says is the second of the two that are compared.

// CHECK-LABEL: func @static_side
// CHECK: %[[D:.*]] = tensor.dim %{{.*}}, %c1
// CHECK: arith.cmpi eq, %[[D]], %c8
// CHECK: cf.assert %{{.*}}: dimension 1 of 'out' and dimension 1 of 'gate' differ"
func.func @static_side(%gate: tensor<4x8xf32>, %y: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %0 = frit.act_and_mul silu ins(%gate, %gate : tensor<4x8xf32>, tensor<4x8xf32>) outs(%y : tensor<4x?xf32>)
      -> tensor<4x?xf32>
  return %0 : tensor<4x?xf32>
}

// What holds by construction folds: sizes are followed through destinations.

// CHECK-LABEL: func @folded
// CHECK-NOT: cf.assert
// CHECK: return
func.func @folded(%x: tensor<?x16xf32>) -> tensor<?x8xf32> {
  %c0 = arith.constant 0 : index
  %t = tensor.dim %x, %c0 : tensor<?x16xf32>
  %e0 = tensor.empty(%t) : tensor<?x16xf32>
  %e1 = tensor.empty(%t) : tensor<?x8xf32>
  %0 = linalg.exp ins(%x : tensor<?x16xf32>) outs(%e0 : tensor<?x16xf32>) -> tensor<?x16xf32>
  %1 = linalg.abs ins(%0 : tensor<?x16xf32>) outs(%e0 : tensor<?x16xf32>) -> tensor<?x16xf32>
  %2 = frit.act_and_mul silu ins(%1 : tensor<?x16xf32>) outs(%e1 : tensor<?x8xf32>) -> tensor<?x8xf32>
  return %2 : tensor<?x8xf32>
}

// CHECK-LABEL: func @group
// CHECK: cf.assert %{{.*}}"'frit.lora_group' at {{.*}}: dimension 0 of 'ids' and dimension 0 of 'order' differ"
// CHECK: cf.assert %{{.*}}: dimension 0 of 'starts' is less than 1"
// CHECK: cf.assert %{{.*}}: dimension 0 of 'ids' exceeds the range of i32"
// CHECK: frit.lora_group
func.func @group(%ids: memref<?xi32>, %order: memref<?xi32>, %starts: memref<?xi32>) {
  frit.lora_group ins(%ids : memref<?xi32>) outs(%order, %starts : memref<?xi32>, memref<?xi32>)
  return
}
