// RUN: %frit_opt %s --pass-pipeline='builtin.module(frit-emit-entry-metadata{target=cuda:sm_90a,sm_80})' | FileCheck %s

// Of several architectures each has a description already, which the new one
// lists. It has no function of its own, and no architecture.
// CHECK: ("cuda:sm_90a,sm_80\00")
// CHECK: llvm.mlir.global internal constant @_frit_f.entry.variants() {{.*}} !llvm.array<2 x struct<(ptr)>>
// CHECK: llvm.mlir.addressof @_frit_f.entry.sm_90a
// CHECK: llvm.mlir.addressof @_frit_f.entry.sm_80
// CHECK: llvm.mlir.global external constant @_frit_f.entry()
// CHECK-NEXT: llvm.mlir.poison
// CHECK-NEXT: llvm.mlir.constant(112 : i64)
// CHECK: llvm.mlir.addressof @_frit_f.entry.target
// The function, and that of the sizes.
// CHECK-NEXT: llvm.insertvalue
// CHECK-NEXT: llvm.mlir.zero
// CHECK-NEXT: llvm.insertvalue
// CHECK-NEXT: llvm.mlir.zero
// On a device; the instructions of the host's code: avx2 and avx512f, none.
// CHECK: llvm.mlir.constant(1 : i32)
// CHECK: llvm.mlir.constant(2621440 : i64)
// CHECK: llvm.mlir.constant(0 : i64)
// CHECK: llvm.mlir.addressof @_frit_f.entry.variants
// CHECK: llvm.mlir.constant(2 : i32)
// CHECK: llvm.mlir.constant(0 : i32)
module attributes {frit.processor_features = ["avx2", "avx512f"]} {
  llvm.mlir.global internal constant @_frit_f.entry.sm_90a() : i8
  llvm.mlir.global internal constant @_frit_f.entry.sm_80() : i8
  llvm.func @_frit_f(%context: !llvm.ptr, %arguments: !llvm.ptr) -> i32 attributes {
      frit.signature = {name = "f", type = () -> (), values = [], dims = []}} {
    %ok = llvm.mlir.constant(0 : i32) : i32
    llvm.return %ok : i32
  }
}
