// RUN: %frit_opt %s --pass-pipeline='builtin.module(func.func(frit-flatten-allocas))' | FileCheck %s

// CHECK-LABEL: func.func @static(
// CHECK-NEXT: %[[TILE:.*]] = memref.alloca() : memref<4xf32>
// CHECK: scf.for
// CHECK-NOT: memref.alloca
// CHECK-NOT: llvm.intr.stacksave
// CHECK: %[[V:.*]] = memref.load %[[TILE]]
// CHECK-NEXT: memref.store %[[V]]
// CHECK: return
func.func @static(%n: index, %out: memref<f32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %v = memref.alloca_scope -> (f32) {
      %tile = memref.alloca() : memref<4xf32>
      %x = memref.load %tile[%c0] : memref<4xf32>
      memref.alloca_scope.return %x : f32
    }
    memref.store %v, %out[] : memref<f32>
  }
  return
}

// CHECK-LABEL: func.func @dynamic(
// CHECK: scf.for
// CHECK: %[[STACK:.*]] = llvm.intr.stacksave : !llvm.ptr
// CHECK-NEXT: memref.alloca(%{{.*}}) : memref<?xf32>
// CHECK: llvm.intr.stackrestore %[[STACK]] : !llvm.ptr
func.func @dynamic(%n: index, %out: memref<f32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    memref.alloca_scope {
      %tile = memref.alloca(%n) : memref<?xf32>
      %x = memref.load %tile[%c0] : memref<?xf32>
      memref.store %x, %out[] : memref<f32>
    }
  }
  return
}
