// RUN: %frit_opt %s --pass-pipeline='builtin.module(frit-launch-early)' | FileCheck %s
// RUN: %frit_opt %s --pass-pipeline='builtin.module(frit-launch-early{chip=sm_80})' | FileCheck %s --check-prefix=OLD
// RUN: not %frit_opt %s --pass-pipeline='builtin.module(frit-launch-early{chip=sm_1})' 2>&1 | FileCheck %s --check-prefix=CHIP

// CHIP: error: frit-launch-early: {{.*}}sm_1

// OLD-NOT: griddepcontrol
// OLD-NOT: programmatic

module attributes {gpu.container_module} {
gpu.module @kernels {
  // CHECK: gpu.func @scale(
  // CHECK-NEXT: nvvm.griddepcontrol wait
  // CHECK-NEXT: nvvm.griddepcontrol launch_dependents
  // CHECK-NEXT: memref.load
  // CHECK-NOT: griddepcontrol
  // CHECK: gpu.return
  gpu.func @scale(%x: memref<f32>) kernel {
    %y = memref.load %x[] : memref<f32>
    memref.store %y, %x[] : memref<f32>
    gpu.return
  }
  // Of no launch that could say so.
  // CHECK: gpu.func @idle(
  // CHECK-NEXT: gpu.return
  gpu.func @idle() kernel {
    gpu.return
  }
}
gpu.binary @frit_image_test <#frit.image<"test", "00c0ffee00c0ffee">> [#gpu.object<#nvvm.target, "">]

// CHECK: func.func @launches(
func.func @launches(%x: memref<f32>, %n: index) {
  // CHECK: gpu.launch_func @kernels::@scale
  // CHECK-SAME: frit.launch = #frit.launch<"scale", [], programmatic = true>
  gpu.launch_func @kernels::@scale blocks in (%n, %n, %n) threads in (%n, %n, %n) args(%x : memref<f32>)
  // What was known stays known.
  // CHECK: gpu.launch_func @kernels::@scale
  // CHECK-SAME: frit.launch = #frit.launch<"test.scale", [readwrite], programmatic = true>
  gpu.launch_func @kernels::@scale blocks in (%n, %n, %n) threads in (%n, %n, %n) args(%x : memref<f32>)
      {frit.launch = #frit.launch<"test.scale", [readwrite]>}
  // A kernel of an image says itself how it is launched.
  // CHECK: gpu.launch_func @frit_image_test::@any
  // CHECK-NOT: programmatic
  // CHECK: return
  gpu.launch_func @frit_image_test::@any blocks in (%n, %n, %n) threads in (%n, %n, %n) args(%x : memref<f32>)
  return
}
}
