// RUN: %frit_opt %s --pass-pipeline='builtin.module(frit-check-sizes,canonicalize,cse,canonicalize)' | FileCheck %s

// CHECK-LABEL: func @concat
// CHECK-SAME: %[[A:[^:]*]]: tensor<?x?xf32>, %[[B:[^:]*]]: tensor<?x?xf32>
// CHECK-DAG: %[[WA:.*]] = tensor.dim %[[A]], %c1
// CHECK-DAG: %[[WB:.*]] = tensor.dim %[[B]], %c1
// CHECK: %[[SAME:.*]] = arith.cmpi eq, %[[WB]], %[[WA]]
// CHECK: cf.assert %[[SAME]], "'tensor.concat' at check_tensor_sizes.mlir:{{[0-9]+}}:{{[0-9]+}}: dimension 1 of 'input 1' and dimension 1 of 'input 0' differ"
// CHECK: %[[EIGHT:.*]] = arith.cmpi eq, %[[WA]], %c8
// CHECK: cf.assert %[[EIGHT]], "{{.*}}: dimension 1 of 'input 0' is not dimension 1 of the result"
// CHECK-NOT: cf.assert
// CHECK: tensor.concat
func.func @concat(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x8xf32> {
  %0 = tensor.concat dim(0) %a, %b : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x8xf32>
  return %0 : tensor<?x8xf32>
}

// CHECK-LABEL: func @expand
// CHECK-SAME: %[[X:[^:]*]]: tensor<?xf32>, %[[N:[^:]*]]: index
// CHECK-DAG: %[[PRODUCT:.*]] = arith.muli %[[N]], %c4
// CHECK-DAG: %[[SIZE:.*]] = tensor.dim %[[X]], %c0
// CHECK: %[[SAME:.*]] = arith.cmpi eq, %[[PRODUCT]], %[[SIZE]]
// CHECK: cf.assert %[[SAME]], "{{.*}}: the product of the sizes that dimension 0 of 'src' expands to differs from it"
// CHECK-NOT: cf.assert
// CHECK: tensor.expand_shape
func.func @expand(%x: tensor<?xf32>, %n: index) -> tensor<?x4xf32> {
  %0 = tensor.expand_shape %x [[0, 1]] output_shape [%n, 4] : tensor<?xf32> into tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}

// Two negative sizes have a positive product.

// CHECK-LABEL: func @expand_to_two
// CHECK-SAME: %[[N:[^:]*]]: index, %[[M:[^:]*]]: index
// CHECK: %[[VALID:.*]] = arith.cmpi sge, %[[N]], %c0
// CHECK: cf.assert %[[VALID]], "{{.*}}: size 0 of 'output_shape' is negative"
// CHECK: %[[VALID:.*]] = arith.cmpi sge, %[[M]], %c0
// CHECK: cf.assert %[[VALID]], "{{.*}}: size 1 of 'output_shape' is negative"
// CHECK: cf.assert %{{.*}}, "{{.*}}: the product of the sizes that dimension 0 of 'src' expands to differs from it"
func.func @expand_to_two(%x: tensor<?xf32>, %n: index, %m: index) -> tensor<?x?xf32> {
  %0 = tensor.expand_shape %x [[0, 1]] output_shape [%n, %m] : tensor<?xf32> into tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// CHECK-LABEL: func @pad
// CHECK-SAME: %[[X:[^:]*]]: tensor<?x4xf32>, %[[LOW:[^:]*]]: index
// CHECK: %[[VALID:.*]] = arith.cmpi sge, %[[LOW]], %c0
// CHECK: cf.assert %[[VALID]], "{{.*}}: the padding 'low' of dimension 0 is negative"
// CHECK-NOT: cf.assert
// CHECK: tensor.pad
func.func @pad(%x: tensor<?x4xf32>, %low: index) -> tensor<?x5xf32> {
  %zero = arith.constant 0.0 : f32
  %0 = tensor.pad %x low[%low, 0] high[2, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<?x4xf32> to tensor<?x5xf32>
  return %0 : tensor<?x5xf32>
}

// CHECK-LABEL: func @empty
// CHECK-SAME: %[[N:[^:]*]]: index, %[[X:[^:]*]]: tensor<?xf32>
// CHECK: %[[FITS:.*]] = arith.cmpi sge, %[[N]], %c0
// CHECK: cf.assert %[[FITS]], "'tensor.empty' at {{.*}}: size 1 is negative"
// CHECK-NOT: cf.assert
// CHECK: return
func.func @empty(%n: index, %x: tensor<?xf32>) -> tensor<?x?x4xf32> {
  %c0 = arith.constant 0 : index
  %m = tensor.dim %x, %c0 : tensor<?xf32>
  %0 = tensor.empty(%m, %n) : tensor<?x?x4xf32>
  return %0 : tensor<?x?x4xf32>
}

// Sizes of one origin and static ones.

// CHECK-LABEL: func @folded
// CHECK-NOT: cf.assert
// CHECK: return
func.func @folded(%x: tensor<?x4xf32>, %y: tensor<12xf32>) -> (tensor<?x8xf32>, tensor<3x4xf32>, tensor<?x1xf32>) {
  %0 = tensor.concat dim(1) %x, %x : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x8xf32>
  %1 = tensor.expand_shape %y [[0, 1]] output_shape [3, 4] : tensor<12xf32> into tensor<3x4xf32>
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x4xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  %2 = tensor.expand_shape %e [[0, 1]] output_shape [%n, 1] : tensor<?xf32> into tensor<?x1xf32>
  return %0, %1, %2 : tensor<?x8xf32>, tensor<3x4xf32>, tensor<?x1xf32>
}
