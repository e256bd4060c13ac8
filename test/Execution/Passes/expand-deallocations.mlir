// RUN: %frit_opt %s --pass-pipeline='builtin.module(frit-expand-deallocations)' | FileCheck %s

// Two buffers that may be one: it ends once.

// CHECK-LABEL: func.func @two(
// CHECK-SAME: %[[A:.*]]: memref<4xf32>, %[[B:.*]]: memref<?xf32>, %[[C:.*]]: i1, %[[D:.*]]: i1)
// CHECK: %[[P:.*]] = memref.extract_aligned_pointer_as_index %[[A]]
// CHECK: %[[Q:.*]] = memref.extract_aligned_pointer_as_index %[[B]]
// CHECK: %[[NE:.*]] = arith.cmpi ne, %[[Q]], %[[P]] : index
// CHECK: %[[E:.*]] = arith.andi %[[D]], %[[NE]] : i1
// CHECK: scf.if %[[C]] {
// CHECK-NEXT: memref.dealloc %[[A]] : memref<4xf32>
// CHECK: scf.if %[[E]] {
// CHECK-NEXT: memref.dealloc %[[B]] : memref<?xf32>
func.func @two(%a: memref<4xf32>, %b: memref<?xf32>, %c: i1, %d: i1) {
  bufferization.dealloc (%a, %b : memref<4xf32>, memref<?xf32>) if (%c, %d)
  return
}

// A kept buffer is owned where one of the two was, and does not end.

// CHECK-LABEL: func.func @kept(
// CHECK-SAME: %[[A:.*]]: memref<4xf32>, %[[B:.*]]: memref<4xf32>, %[[R:.*]]: memref<4xf32>, %[[C:.*]]: i1, %[[D:.*]]: i1)
// CHECK: %[[P:.*]] = memref.extract_aligned_pointer_as_index %[[A]]
// CHECK: %[[Q:.*]] = memref.extract_aligned_pointer_as_index %[[B]]
// CHECK: %[[K:.*]] = memref.extract_aligned_pointer_as_index %[[R]]
// CHECK: %[[PK:.*]] = arith.cmpi eq, %[[P]], %[[K]] : index
// CHECK: %[[OWNED0:.*]] = arith.andi %[[PK]], %[[C]] : i1
// CHECK: %[[QK:.*]] = arith.cmpi eq, %[[Q]], %[[K]] : index
// CHECK: %[[OWNED1:.*]] = arith.andi %[[QK]], %[[D]] : i1
// CHECK: %[[OWNED:.*]] = arith.ori %[[OWNED0]], %[[OWNED1]] : i1
// CHECK: %[[NOT_KEPT0:.*]] = arith.cmpi ne, %[[P]], %[[K]] : index
// CHECK: %[[END0:.*]] = arith.andi %[[C]], %[[NOT_KEPT0]] : i1
// CHECK: %[[NOT_KEPT1:.*]] = arith.cmpi ne, %[[Q]], %[[K]] : index
// CHECK: %[[BOTH:.*]] = arith.andi %[[D]], %[[NOT_KEPT1]] : i1
// CHECK: %[[OTHER:.*]] = arith.cmpi ne, %[[Q]], %[[P]] : index
// CHECK: %[[END1:.*]] = arith.andi %[[BOTH]], %[[OTHER]] : i1
// CHECK: scf.if %[[END0]] {
// CHECK: scf.if %[[END1]] {
// CHECK: return %[[OWNED]] : i1
func.func @kept(%a: memref<4xf32>, %b: memref<4xf32>, %r: memref<4xf32>, %c: i1, %d: i1) -> i1 {
  %owned = bufferization.dealloc (%a, %b : memref<4xf32>, memref<4xf32>) if (%c, %d) retain (%r : memref<4xf32>)
  return %owned : i1
}

// One buffer needs no comparison with others.

// CHECK-LABEL: func.func @one
// CHECK: bufferization.dealloc (%{{.*}} : memref<4xf32>) if (%{{.*}})
func.func @one(%a: memref<4xf32>, %c: i1) {
  bufferization.dealloc (%a : memref<4xf32>) if (%c)
  return
}
