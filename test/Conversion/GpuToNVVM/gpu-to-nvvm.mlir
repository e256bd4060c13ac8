// RUN: %frit_opt %s --pass-pipeline='builtin.module(gpu.module(convert-gpu-module-to-nvvm,reconcile-unrealized-casts))' | FileCheck %s

// What PTX computes exactly, scalar and vector, is an intrinsic and no call.
gpu.module @kernels {
  // CHECK-LABEL: llvm.func @exact(
  // CHECK-SAME: attributes {gpu.kernel, nvvm.kernel}
  gpu.func @exact(%x: memref<?xf32>, %i: index, %v: vector<4xf32>) kernel {
    // CHECK: llvm.getelementptr {{.*}}[%{{.*}}] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %a = memref.load %x[%i] : memref<?xf32>
    // CHECK: llvm.intr.sqrt(%{{.*}}) : (f32) -> f32
    %b = math.sqrt %a : f32
    // CHECK: llvm.intr.sqrt(%{{.*}}) : (vector<4xf32>) -> vector<4xf32>
    %w = math.sqrt %v : vector<4xf32>
    %e = vector.extract %w[0] : f32 from vector<4xf32>
    // CHECK: llvm.intr.fma(
    %c = math.fma %a, %b, %e : f32
    // CHECK: llvm.intr.fabs(
    %d = math.absf %c : f32
    // CHECK: llvm.intr.roundeven(
    %f = math.roundeven %d : f32
    // CHECK: llvm.intr.copysign(
    %g = math.copysign %f, %a : f32
    // CHECK: llvm.fdiv
    %h = arith.divf %g, %a : f32
    // CHECK-NOT: llvm.call
    memref.store %h, %x[%i] : memref<?xf32>
    gpu.return
  }

  // Other functions have libdevice's names.
  // CHECK: llvm.func @__nv_logf(f32) -> f32
  // CHECK-LABEL: llvm.func @library(
  gpu.func @library(%x: memref<f32>) kernel {
    %a = memref.load %x[] : memref<f32>
    // CHECK: llvm.call @__nv_logf(
    %b = math.log %a : f32
    memref.store %b, %x[] : memref<f32>
    gpu.return
  }

  // CHECK-LABEL: llvm.func @threads(
  gpu.func @threads(%x: memref<?xi32>) kernel {
    // CHECK: nvvm.read.ptx.sreg.tid.x
    %i = gpu.thread_id x
    // CHECK: nvvm.barrier
    gpu.barrier
    %n = arith.index_cast %i : index to i32
    memref.store %n, %x[%i] : memref<?xi32>
    gpu.return
  }
}
