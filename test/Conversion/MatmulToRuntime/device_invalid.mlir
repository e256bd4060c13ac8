// Kernels of the other side's memory are refused, by either pass.
// REQUIRES: cuda-kernels
// RUN: split-file %s %t
// RUN: %frit_opt %t/host.mlir --pass-pipeline='builtin.module(convert-matmul-to-frit-runtime)' -verify-diagnostics
// RUN: %frit_opt %t/device.mlir --pass-pipeline='builtin.module(convert-gpu-to-frit-runtime)' -verify-diagnostics

//--- host.mlir
func.func @f(%context: !llvm.ptr, %x: memref<4x8xf32>, %w: memref<8x16xf32>, %y: memref<4x16xf32>) {
  // expected-error @below {{is to become a call of a library, but its kernel is 'library.cublaslt'}}
  frit.matmul ins(%x, %w : memref<4x8xf32>, memref<8x16xf32>) outs(%y : memref<4x16xf32>) {frit.kernel = #frit.kernel<"library.cublaslt">}
  return
}

//--- device.mlir
func.func @f(%context: !llvm.ptr, %x: memref<4x8xf32>, %w: memref<8x16xf32>, %y: memref<4x16xf32>) {
  // expected-error @below {{is to become a call of a library, but its kernel is 'library.onednn'}}
  frit.matmul ins(%x, %w : memref<4x8xf32>, memref<8x16xf32>) outs(%y : memref<4x16xf32>) {frit.kernel = #frit.kernel<"library.onednn">}
  return
}
