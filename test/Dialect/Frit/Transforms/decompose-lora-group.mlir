// RUN: %frit_opt %s --pass-pipeline='builtin.module(frit-decompose,cse)' | FileCheck %s

// A counting sort. An id outside [0, G) counts as group G, whose tokens come last.

// CHECK-LABEL: func @group
// CHECK-SAME: %[[IDS:.*]]: tensor<?xi32>, %[[ORDER:.*]]: tensor<?xi32>, %[[STARTS:.*]]: tensor<5xi32>
// CHECK: %[[T:.*]] = tensor.dim %[[IDS]]
// CHECK: %[[G:.*]] = arith.subi %{{.*}}5, %{{.*}}1
// CHECK: %[[ZEROS:.*]] = linalg.fill ins(%{{.*}} : i32) outs(%[[STARTS]] :
// Tokens of each group, counted one element further.
// CHECK: %[[COUNTS:.*]] = scf.for %[[I:.*]] = %{{.*}} to %[[T]] {{.*}} iter_args(%[[COUNT:.*]] = %[[ZEROS]])
// CHECK: %[[ID:.*]] = tensor.extract %[[IDS]][%[[I]]]
// CHECK: %[[INDEX:.*]] = arith.index_cast %[[ID]]
// CHECK: %[[GROUP:.*]] = arith.minui %[[INDEX]], %[[G]]
// CHECK: %[[IN:.*]] = arith.cmpi ult, %[[GROUP]], %[[G]]
// CHECK: scf.if %[[IN]]
// CHECK: tensor.insert
// CHECK: } else {
// CHECK-NEXT: scf.yield %[[COUNT]]
// Their running sum.
// CHECK: %[[FIRST:.*]] = scf.for {{.*}} iter_args(%{{.*}} = %[[COUNTS]])
// A copy of it that says where each group's next token goes.
// CHECK: %[[EMPTY:.*]] = tensor.empty() : tensor<5xi32>
// CHECK: %[[NEXT:.*]] = linalg.copy ins(%[[FIRST]] : {{.*}}) outs(%[[EMPTY]] :
// CHECK: %[[SORTED:.*]]:2 = scf.for {{.*}} iter_args(%{{.*}} = %[[ORDER]], %{{.*}} = %[[NEXT]])
// CHECK: return %[[SORTED]]#0, %[[FIRST]]
func.func @group(%ids: tensor<?xi32>, %o: tensor<?xi32>, %s: tensor<5xi32>) -> (tensor<?xi32>, tensor<5xi32>) {
  %0, %1 = frit.lora_group ins(%ids : tensor<?xi32>) outs(%o, %s : tensor<?xi32>, tensor<5xi32>)
      -> tensor<?xi32>, tensor<5xi32>
  return %0, %1 : tensor<?xi32>, tensor<5xi32>
}

// CHECK-LABEL: func @memref
// CHECK-SAME: %[[IDS:.*]]: memref<?xi32>, %[[ORDER:.*]]: memref<?xi32>, %[[STARTS:.*]]: memref<?xi32>
// CHECK: linalg.fill {{.*}} outs(%[[STARTS]] :
// CHECK: memref.store %{{.*}}, %[[STARTS]]
// CHECK: %[[NEXT:.*]] = memref.alloc(%{{.*}}) : memref<?xi32>
// CHECK: linalg.copy ins(%[[STARTS]] : {{.*}}) outs(%[[NEXT]] :
// CHECK: memref.store %{{.*}}, %[[ORDER]]
// CHECK: memref.store %{{.*}}, %[[NEXT]]
// CHECK: memref.dealloc %[[NEXT]]
func.func @memref(%ids: memref<?xi32>, %o: memref<?xi32>, %s: memref<?xi32>) {
  frit.lora_group ins(%ids : memref<?xi32>) outs(%o, %s : memref<?xi32>, memref<?xi32>)
  return
}
