// RUN: %frit_opt %s --pass-pipeline='builtin.module(frit-decompose,canonicalize,cse)' | FileCheck %s

// On buffers the two ops change a copy of y.

// CHECK-LABEL: func @buffers
// CHECK-SAME: %[[Y:[a-z0-9]+]]: memref<?x128xf32, strided<[200, 1]>>
// CHECK: %[[COPY:.*]] = memref.alloc(%{{.*}}) : memref<?x128xf32>
// CHECK: linalg.copy ins(%[[Y]] : {{.*}}) outs(%[[COPY]] : {{.*}})
// CHECK: scf.forall
// CHECK: memref.load
// CHECK: scf.forall
// CHECK: math.sqrt
// CHECK: memref.dealloc %[[COPY]]
func.func @buffers(%y: memref<?x128xf32, strided<[200, 1]>>, %h: memref<2x?x8xf32>, %ids: memref<?xi32>, %b0: memref<4x64x8xf32>, %b1: memref<4x64x8xf32>, %out: memref<?x64xf32>) {
  frit.lora_gelu_and_mul_sparse ins(%y, %h, %ids : memref<?x128xf32, strided<[200, 1]>>, memref<2x?x8xf32>, memref<?xi32>)
      weights(%b0, %b1 : memref<4x64x8xf32>, memref<4x64x8xf32>) outs(%out : memref<?x64xf32>) std_multiplier = 1.5
  return
}
