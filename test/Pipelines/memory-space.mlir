// A view of a row stays in the memory space of its buffer.

// RUN: %frit_opt %s --pass-pipeline='builtin.module(frit-to-cpu)' | FileCheck %s
// RUN: %frit_opt %s --pass-pipeline='builtin.module(frit-native-reference)' | FileCheck %s
// CHECK: llvm.func internal @_frit_act.body(
// CHECK-SAME: !llvm.ptr<3>
// CHECK: llvm.store {{.*}} !llvm.ptr<3>
func.func @act(%x: memref<4x8xf32, 3>, %y: memref<4x4xf32, 3>) {
  frit.act_and_mul silu ins(%x : memref<4x8xf32, 3>) outs(%y : memref<4x4xf32, 3>)
  return
}
func.func @sparse(%x: memref<4x8xf32, 3>, %y: memref<4x4xf32, 3>) {
  frit.gelu_and_mul_sparse ins(%x : memref<4x8xf32, 3>) outs(%y : memref<4x4xf32, 3>) std_multiplier = 1.0
  return
}
func.func @empty(%x: memref<4x0xf32, 3>, %y: memref<4x0xf32, 3>) {
  frit.act_and_mul silu ins(%x : memref<4x0xf32, 3>) outs(%y : memref<4x0xf32, 3>)
  return
}
