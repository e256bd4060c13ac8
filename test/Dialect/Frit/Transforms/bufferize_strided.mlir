// RUN: %frit_opt %s --pass-pipeline='builtin.module(one-shot-bufferize{bufferize-function-boundaries})' --remarks-filter='frit-bufferize' -verify-diagnostics | FileCheck %s

// Operands whose inner stride is not known to be 1 are copied, which a remark
// says. (The default function boundary makes every stride dynamic.)

// CHECK-LABEL: func @unknown_strides
// CHECK-SAME: %[[X:.*]]: memref<?x16xf32, strided<[?, ?], offset: ?>>, %[[Y:.*]]: memref<?x8xf32, strided<[?, ?], offset: ?>>
// CHECK: %[[NEW_X:.*]] = memref.alloc(%{{.*}}) {{.*}} : memref<?x16xf32>
// CHECK-NEXT: memref.copy %[[X]], %[[NEW_X]]
// CHECK: %[[NEW_Y:.*]] = memref.alloc(%{{.*}}) {{.*}} : memref<?x8xf32>
// CHECK-NEXT: frit.act_and_mul silu ins(%[[NEW_X]] : memref<?x16xf32>) outs(%[[NEW_Y]] : memref<?x8xf32>)
// CHECK-NEXT: memref.copy %[[NEW_Y]], %[[Y]]
// CHECK-NEXT: return %[[Y]]
func.func @unknown_strides(%x: tensor<?x16xf32>, %y: tensor<?x8xf32>) -> tensor<?x8xf32> {
  // expected-remark@below {{inner stride of memref<?x16xf32, strided<[?, ?], offset: ?>> is not known to be 1: copied}}
  // expected-remark@below {{inner stride of memref<?x8xf32, strided<[?, ?], offset: ?>> is not known to be 1: copied}}
  %0 = frit.act_and_mul silu ins(%x : tensor<?x16xf32>) outs(%y : tensor<?x8xf32>)
      -> tensor<?x8xf32>
  return %0 : tensor<?x8xf32>
}

// CHECK-LABEL: func @every_second_column
// CHECK: %[[PART:.*]] = memref.subview
// CHECK: %[[NEW:.*]] = memref.alloc() {{.*}} : memref<4x4xf32>
// CHECK-NEXT: memref.copy %[[PART]], %[[NEW]]
// CHECK-NEXT: frit.act_and_mul silu ins(%[[NEW]] : memref<4x4xf32>)
func.func @every_second_column() -> tensor<4x2xf32> {
  %x = tensor.empty() : tensor<4x8xf32>
  %part = tensor.extract_slice %x[0, 0] [4, 4] [1, 2] : tensor<4x8xf32> to tensor<4x4xf32>
  %new = tensor.empty() : tensor<4x2xf32>
  // expected-remark@below {{inner stride of memref<4x4xf32, strided<[8, 2]>> is not known to be 1: copied}}
  %0 = frit.act_and_mul silu ins(%part : tensor<4x4xf32>) outs(%new : tensor<4x2xf32>)
      -> tensor<4x2xf32>
  return %0 : tensor<4x2xf32>
}
