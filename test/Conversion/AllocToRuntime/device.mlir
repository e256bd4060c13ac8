// RUN: %frit_opt %s --pass-pipeline='builtin.module(convert-alloc-to-frit-runtime{device})' | FileCheck %s

// CHECK-LABEL: func.func @device(
func.func @device(%context: !llvm.ptr, %n: index) -> i32 {
  %ok = arith.constant 0 : i32
  // CHECK: llvm.call @fritDeviceScratchAlloc(
  // CHECK: cf.assert %{{.*}}, "frit.propagate-error"
  %x = memref.alloc(%n) : memref<?xf32>
  // CHECK: llvm.call @fritDeviceScratchFree(
  memref.dealloc %x : memref<?xf32>
  return %ok : i32
}

// CHECK-LABEL: func.func @host(
func.func @host(%context: !llvm.ptr, %n: index) -> i32 attributes {frit.host} {
  %ok = arith.constant 0 : i32
  // CHECK: llvm.call @fritScratchAlloc(
  %x = memref.alloc(%n) : memref<?xf32>
  // CHECK: llvm.call @fritScratchFree(
  memref.dealloc %x : memref<?xf32>
  return %ok : i32
}
