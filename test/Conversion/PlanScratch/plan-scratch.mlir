// RUN: %frit_opt %s --pass-pipeline='builtin.module(func.func(frit-plan-scratch),canonicalize,cse)' | FileCheck %s

func.func private @use(memref<?x64xf32>)
func.func private @use_static(memref<100xf32>)
func.func private @use_wide(memref<?x128xf32>)

// The first and the third are not in use together; the second is with both.
// CHECK-LABEL: func.func @static(
func.func @static() {
  // CHECK-DAG: %[[AT:.*]] = arith.constant 512 : index
  // CHECK-DAG: %[[C0:.*]] = arith.constant 0 : index
  // CHECK: %[[SCRATCH:.*]] = memref.alloc() {alignment = 256 : i64} : memref<1024xi8>
  // CHECK: %[[A:.*]] = memref.view %[[SCRATCH]][%[[C0]]][] : memref<1024xi8> to memref<100xf32>
  %a = memref.alloc() {alignment = 64 : i64} : memref<100xf32>
  call @use_static(%a) : (memref<100xf32>) -> ()
  // CHECK: %[[B:.*]] = memref.view %[[SCRATCH]][%[[AT]]][]
  %b = memref.alloc() : memref<100xf32>
  memref.copy %a, %b : memref<100xf32> to memref<100xf32>
  %c = memref.alloc() : memref<100xf32>
  // CHECK: memref.copy %[[B]], %[[A]]
  memref.copy %b, %c : memref<100xf32> to memref<100xf32>
  call @use_static(%c) : (memref<100xf32>) -> ()
  memref.dealloc %a : memref<100xf32>
  memref.dealloc %b : memref<100xf32>
  memref.dealloc %c : memref<100xf32>
  // CHECK: memref.dealloc %[[SCRATCH]] : memref<1024xi8>
  // CHECK-NEXT: return
  return
}

// Two slots of 512 n bytes behind 512 bytes of static size: the wide buffers do
// not meet the narrow one they share with. Sizes stop at 2^62 + 256 bytes.
// CHECK-LABEL: func.func @dynamic(
// CHECK-SAME: %[[N:.*]]: index
func.func @dynamic(%n: index) {
  // CHECK-DAG: %[[C512:.*]] = arith.constant 512 : i64
  // CHECK-DAG: %[[MOST:.*]] = arith.constant 4611686018427388160 : i64
  // CHECK-DAG: %[[ALL:.*]] = arith.constant -1 : i64
  // CHECK-DAG: %[[AT:.*]] = arith.constant 512 : index
  // CHECK: %[[N64:.*]] = arith.index_cast %[[N]] : index to i64
  // CHECK: %[[LOW:.*]], %[[HIGH:.*]] = arith.mului_extended %[[N64]], %[[C512]]
  // CHECK: %[[OVER:.*]] = arith.cmpi ne, %[[HIGH]]
  // CHECK: %[[BYTES:.*]] = arith.select %[[OVER]], %[[ALL]], %[[LOW]]
  // CHECK: %[[CLAMPED:.*]] = arith.minui %[[BYTES]], %[[MOST]]
  // CHECK: arith.addi %[[CLAMPED]], %{{.*}}
  // CHECK: arith.andi
  // CHECK: %[[END:.*]] = arith.minui
  // CHECK: %[[SECOND:.*]] = arith.index_cast %[[END]] : i64 to index
  // CHECK: %[[SCRATCH:.*]] = memref.alloc(%{{.*}}) {alignment = 256 : i64} : memref<?xi8>
  // CHECK: memref.view %[[SCRATCH]][%[[AT]]][%[[N]]] : memref<?xi8> to memref<?x128xf32>
  %wide = memref.alloc(%n) : memref<?x128xf32>
  call @use_wide(%wide) : (memref<?x128xf32>) -> ()
  // CHECK: memref.view %[[SCRATCH]][%[[SECOND]]][%[[N]]] : memref<?xi8> to memref<?x128xf32>
  %other = memref.alloc(%n) : memref<?x128xf32>
  memref.copy %wide, %other : memref<?x128xf32> to memref<?x128xf32>
  call @use_wide(%other) : (memref<?x128xf32>) -> ()
  // CHECK: memref.view %[[SCRATCH]][%[[AT]]][%[[N]]] : memref<?xi8> to memref<?x64xf32>
  %narrow = memref.alloc(%n) : memref<?x64xf32>
  %fixed = memref.alloc() : memref<100xf32>
  call @use(%narrow) : (memref<?x64xf32>) -> ()
  call @use_static(%fixed) : (memref<100xf32>) -> ()
  memref.dealloc %wide : memref<?x128xf32>
  memref.dealloc %other : memref<?x128xf32>
  memref.dealloc %narrow : memref<?x64xf32>
  memref.dealloc %fixed : memref<100xf32>
  return
}

// The branches share; sizes that are computed in them move out. What is in use
// in a part of a loop's body is in use in all of the loop for what is outside.
// CHECK-LABEL: func.func @nested(
func.func @nested(%like: memref<?x?xf32>, %p: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %like, %c0 : memref<?x?xf32>
  %m = memref.dim %like, %c1 : memref<?x?xf32>
  // CHECK: %[[PRODUCT:.*]] = arith.muli
  // CHECK: %[[SCRATCH:.*]] = memref.alloc(
  // CHECK: scf.if
  scf.if %p {
    // CHECK: memref.view %[[SCRATCH]][%[[FIRST:.*]]][%[[PRODUCT]]]
    %size = arith.muli %n, %m : index
    %a = memref.alloc(%size) : memref<?x64xf32>
    func.call @use(%a) : (memref<?x64xf32>) -> ()
    memref.dealloc %a : memref<?x64xf32>
  } else {
    // CHECK: memref.view %[[SCRATCH]][%[[FIRST]]]
    %a = memref.alloc(%m) : memref<?x128xf32>
    func.call @use_wide(%a) : (memref<?x128xf32>) -> ()
    memref.dealloc %a : memref<?x128xf32>
  }
  // CHECK: memref.view %[[SCRATCH]][%[[FIRST]]]
  %outer = memref.alloc(%n) : memref<?x64xf32>
  // CHECK: scf.for
  scf.for %i = %c0 to %n step %c1 {
    func.call @use(%outer) : (memref<?x64xf32>) -> ()
    // CHECK: memref.view %[[SCRATCH]][%[[SECOND:.*]]][
    %inner = memref.alloc(%n) : memref<?x64xf32>
    func.call @use(%inner) : (memref<?x64xf32>) -> ()
    memref.dealloc %inner : memref<?x64xf32>
  }
  memref.dealloc %outer : memref<?x64xf32>
  // CHECK: memref.dealloc %[[SCRATCH]]
  // CHECK-NEXT: return
  return
}

// A view and an address keep the first in use, so that it shares with none.
// CHECK-LABEL: func.func @aliases(
func.func @aliases() {
  // CHECK: memref.alloc() {alignment = 256 : i64} : memref<1024xi8>
  %a = memref.alloc() : memref<100xf32>
  %view = memref.cast %a : memref<100xf32> to memref<?xf32>
  %address = memref.extract_aligned_pointer_as_index %view : memref<?xf32> -> index
  %number = arith.index_cast %address : index to i64
  %pointer = llvm.inttoptr %number : i64 to !llvm.ptr
  %b = memref.alloc() : memref<100xf32>
  call @use_static(%b) : (memref<100xf32>) -> ()
  call @use_pointer(%pointer) : (!llvm.ptr) -> ()
  memref.dealloc %a : memref<100xf32>
  memref.dealloc %b : memref<100xf32>
  return
}
func.func private @use_pointer(!llvm.ptr)

// The result of the branches is the first buffer: it is in use to the end, and
// its dimension is the size that it was given.
// CHECK-LABEL: func.func @yielded(
// CHECK-SAME: %[[N:.*]]: index
func.func @yielded(%n: index, %p: i1) {
  %c0 = arith.constant 0 : index
  // CHECK: %[[SCRATCH:.*]] = memref.alloc(
  // CHECK: %[[A:.*]] = memref.view %[[SCRATCH]][%[[C0:.*]]][%[[N]]]
  %a = memref.alloc(%n) : memref<?x64xf32>
  %b = scf.if %p -> memref<?x?xf32> {
    func.call @use(%a) : (memref<?x64xf32>) -> ()
    %cast = memref.cast %a : memref<?x64xf32> to memref<?x?xf32>
    scf.yield %cast : memref<?x?xf32>
  } else {
    %cast = memref.cast %a : memref<?x64xf32> to memref<?x?xf32>
    scf.yield %cast : memref<?x?xf32>
  }
  %size = memref.dim %b, %c0 : memref<?x?xf32>
  // CHECK: memref.view %[[SCRATCH]][%[[SECOND:.*]]][%[[N]]]
  // CHECK-NOT: memref.alloc
  %c = memref.alloc(%size) : memref<?x64xf32>
  call @use(%c) : (memref<?x64xf32>) -> ()
  %cast = memref.cast %b : memref<?x?xf32> to memref<?x64xf32>
  call @use(%cast) : (memref<?x64xf32>) -> ()
  // The place of the first, which is done.
  // CHECK: %[[CAST:.*]] = memref.cast
  // CHECK-NEXT: call @use(%[[CAST]])
  // CHECK-NEXT: call @use(%[[A]])
  %d = memref.alloc(%size) : memref<?x64xf32>
  call @use(%d) : (memref<?x64xf32>) -> ()
  memref.dealloc %a : memref<?x64xf32>
  memref.dealloc %c : memref<?x64xf32>
  memref.dealloc %d : memref<?x64xf32>
  return
}

// CHECK-LABEL: func.func @none(
// CHECK-NOT: memref.alloc
func.func @none(%a: memref<100xf32>) {
  call @use_static(%a) : (memref<100xf32>) -> ()
  return
}
