// RUN: %frit_opt %s --pass-pipeline='builtin.module(frit-emit-entry-metadata,frit-export-entries{prefix=p})' | FileCheck %s

// Code for a newer processor: what C calls is for the oldest one, since it runs
// before the processor is looked at.
module attributes {frit.processor_features = ["avx2"]} {
  // CHECK: llvm.func internal @_frit_f(
  // CHECK-NOT: target_cpu
  // CHECK: llvm.func @p_f(
  // CHECK-SAME: target_cpu = "x86-64"
  // CHECK-SAME: target_features = #llvm.target_features<["+sse2"]>
  llvm.func @_frit_f(%context: !llvm.ptr, %arguments: !llvm.ptr) -> i32 attributes {
      frit.signature = {name = "f", type = () -> (), values = [], dims = []}} {
    %ok = llvm.mlir.constant(0 : i32) : i32
    llvm.return %ok : i32
  }
}
