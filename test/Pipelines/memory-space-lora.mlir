// The same for LoRA: a view of a row stays in the memory space of its buffer.

// RUN: %frit_opt %s --pass-pipeline='builtin.module(frit-to-cpu)' | FileCheck %s
// CHECK: llvm.func internal @_frit_lora.body(
// CHECK-SAME: !llvm.ptr<3>
func.func @lora(%x: memref<4x8xf32, 3>, %ids: memref<4xi32, 3>, %a: memref<2x3x8xf32, 3>, %b: memref<2x4x3xf32, 3>,
                %y: memref<4x4xf32, 3>) {
  frit.lora_matmul ins(%x, %ids : memref<4x8xf32, 3>, memref<4xi32, 3>)
      weights(%a, %b : memref<2x3x8xf32, 3>, memref<2x4x3xf32, 3>) outs(%y : memref<4x4xf32, 3>)
  return
}
