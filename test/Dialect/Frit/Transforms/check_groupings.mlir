// RUN: %frit_opt %s --pass-pipeline='builtin.module(frit-check-sizes,canonicalize,cse)' | FileCheck %s

// The elements of a given grouping are read in front of the op.

// CHECK-LABEL: func @given
// CHECK-SAME: %[[IDS:[^:]*]]: tensor<5xi32>, %{{.*}}: tensor<2x3x16xf32>, %[[ORDER:[^:]*]]: tensor<5xi32>, %[[STARTS:[^:]*]]: tensor<3xi32>
// CHECK: tensor.extract %[[STARTS]][%c0]
// CHECK: %[[BEGIN:.*]] = arith.index_cast
// CHECK: tensor.extract %[[STARTS]][%c2]
// CHECK: %[[END:.*]] = arith.index_cast
// CHECK: cf.assert %{{.*}}: 'starts' begins with a negative number"
// CHECK: cf.assert %{{.*}}: 'starts' ends below where it begins"
// CHECK: cf.assert %{{.*}}: 'starts' exceeds the number of tokens"
// CHECK: scf.for %[[POSITION:.*]] = %[[BEGIN]] to %[[END]]
// CHECK: %[[ELEMENT:.*]] = tensor.extract %[[ORDER]][%[[POSITION]]]
// CHECK: %[[TOKEN:.*]] = arith.index_cast %[[ELEMENT]]
// CHECK: %[[IS_TOKEN:.*]] = arith.cmpi ult, %[[TOKEN]], %c5
// CHECK: cf.assert %[[IS_TOKEN]], "'frit.lora_shrink' at {{.*}}: an element of 'order' is no token"
// CHECK: frit.lora_shrink
func.func @given(%x: tensor<5x16xf32>, %ids: tensor<5xi32>, %a: tensor<2x3x16xf32>, %order: tensor<5xi32>,
                 %starts: tensor<3xi32>, %h: tensor<1x5x3xf32>) -> tensor<1x5x3xf32> {
  %0 = frit.lora_shrink ins(%x, %ids : tensor<5x16xf32>, tensor<5xi32>) weights(%a : tensor<2x3x16xf32>)
      grouping(%order, %starts : tensor<5xi32>, tensor<3xi32>) outs(%h : tensor<1x5x3xf32>) -> tensor<1x5x3xf32>
  return %0 : tensor<1x5x3xf32>
}

// One that Frit computes holds.
// CHECK-LABEL: func @computed
// CHECK-NOT: cf.assert
// CHECK: frit.lora_shrink
func.func @computed(%x: tensor<5x16xf32>, %ids: tensor<5xi32>, %a: tensor<2x3x16xf32>, %h: tensor<1x5x3xf32>)
    -> tensor<1x5x3xf32> {
  %o = tensor.empty() : tensor<5xi32>
  %s = tensor.empty() : tensor<3xi32>
  %order, %starts = frit.lora_group ins(%ids : tensor<5xi32>) outs(%o, %s : tensor<5xi32>, tensor<3xi32>)
      -> tensor<5xi32>, tensor<3xi32>
  %0 = frit.lora_shrink ins(%x, %ids : tensor<5x16xf32>, tensor<5xi32>) weights(%a : tensor<2x3x16xf32>)
      grouping(%order, %starts : tensor<5xi32>, tensor<3xi32>) outs(%h : tensor<1x5x3xf32>) -> tensor<1x5x3xf32>
  return %0 : tensor<1x5x3xf32>
}
