// RUN: %frit_opt %s --pass-pipeline='builtin.module(frit-merge-equal-functions)' | FileCheck %s

// Kernels of one gpu.module become one, and no function of their names elsewhere.

module attributes {gpu.container_module} {
// CHECK: gpu.module @kernels
// CHECK: gpu.func @one(
// CHECK-NOT: gpu.func @two(
// CHECK: gpu.func @three(
gpu.module @kernels {
  gpu.func @one(%x: memref<f32>) kernel {
    %y = memref.load %x[] : memref<f32>
    memref.store %y, %x[] : memref<f32>
    gpu.return
  }
  gpu.func @two(%x: memref<f32>) kernel {
    %y = memref.load %x[] : memref<f32>
    memref.store %y, %x[] : memref<f32>
    gpu.return
  }
  gpu.func @three(%x: memref<f32>) kernel {
    gpu.return
  }
}
// CHECK: func.func private @two(
func.func private @two(%x: f32) -> f32 {
  %y = arith.subf %x, %x : f32
  return %y : f32
}
// CHECK: func.func @launches(
func.func @launches(%x: memref<f32>, %n: index) {
  // CHECK: gpu.launch_func @kernels::@one
  gpu.launch_func @kernels::@one blocks in (%n, %n, %n) threads in (%n, %n, %n) args(%x : memref<f32>)
  // CHECK: gpu.launch_func @kernels::@one
  gpu.launch_func @kernels::@two blocks in (%n, %n, %n) threads in (%n, %n, %n) args(%x : memref<f32>)
  // CHECK: gpu.launch_func @kernels::@three
  gpu.launch_func @kernels::@three blocks in (%n, %n, %n) threads in (%n, %n, %n) args(%x : memref<f32>)
  return
}
}
