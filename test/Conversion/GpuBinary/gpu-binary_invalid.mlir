// RUN: %frit_opt %s --pass-pipeline='builtin.module(frit-gpu-module-to-binary{chip=sm_90a toolkit=/nowhere})' -verify-diagnostics -split-input-file
// RUN: not %frit_opt %s --pass-pipeline='builtin.module(frit-gpu-module-to-binary{chip=sm_50})' -split-input-file 2>&1 | FileCheck %s --check-prefix=CHIP
// CHIP: frit-gpu-module-to-binary: unknown target 'cuda:sm_50', expected 'cpu', 'cpu+onednn' or 'cuda:sm_XX' with XX one of 80,

// expected-error @below {{needs functions that nothing defines: __nv_logf (no CUDA Toolkit with libdevice was found)}}
gpu.module @kernels {
  llvm.func @__nv_logf(f32) -> f32
  llvm.func @log(%x: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %a = llvm.load %x : !llvm.ptr -> f32
    %b = llvm.call @__nv_logf(%a) : (f32) -> f32
    llvm.store %b, %x : f32, !llvm.ptr
    llvm.return
  }
}

// -----

// The backend would end the process.
gpu.module @kernels {
  llvm.func @exponential(%x: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %a = llvm.load %x : !llvm.ptr -> f32
    // expected-error @below {{'llvm.intr.exp' op has no instruction in PTX}}
    %b = llvm.intr.exp(%a) : (f32) -> f32
    llvm.store %b, %x : f32, !llvm.ptr
    llvm.return
  }
}
