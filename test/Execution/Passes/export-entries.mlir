// RUN: %frit_opt %s --pass-pipeline='builtin.module(frit-emit-entry-metadata,frit-export-entries{prefix=mlp})' | FileCheck %s

// CHECK: llvm.func @fritEntryCall(!llvm.ptr, !llvm.ptr, !llvm.ptr, i32) -> i32
// CHECK: llvm.mlir.global external constant @mlp_f_g_entry()
// CHECK: llvm.func internal @_frit_f.g(
llvm.func @_frit_f.g(%context: !llvm.ptr, %arguments: !llvm.ptr) -> i32 attributes {
    frit.signature = {name = "f.g", type = (tensor<?x8xf32>, bf16, i1) -> tensor<8xf32>,
                      values = ["x", "", "", ""], dims = [["", ""], [], [], [""]]}} {
  %ok = llvm.mlir.constant(0 : i32) : i32
  llvm.return %ok : i32
}
// CHECK: llvm.func internal @helper()
llvm.func @helper() {
  llvm.return
}
// CHECK: llvm.mlir.global internal constant @data(dense<[1, 2]>
llvm.mlir.global external constant @data(dense<[1, 2]> : tensor<2xi32>) : !llvm.array<2 x i32>
// What has no definition is another's.
// CHECK: llvm.mlir.global external constant @image() {{.*}}: !llvm.array<4 x i8>
llvm.mlir.global external constant @image() : !llvm.array<4 x i8>
// CHECK: llvm.func @tanhf(f32) -> f32
llvm.func @tanhf(f32) -> f32

// CHECK: llvm.func @mlp_f_g(%[[CTX:.*]]: !llvm.ptr, %[[X:.*]]: !llvm.ptr, %[[S:.*]]: i16, %[[FLAG:.*]]: i8, %[[Y:.*]]: !llvm.ptr) -> i32 {
// CHECK: %[[LIST:.*]] = llvm.alloca %{{.*}} x !llvm.array<4 x ptr>
// CHECK: %[[P0:.*]] = llvm.getelementptr %[[LIST]][0, 0]
// CHECK: llvm.store %[[X]], %[[P0]]
// CHECK: %[[SLOT:.*]] = llvm.alloca %{{.*}} x i16
// CHECK: llvm.store %[[S]], %[[SLOT]]
// CHECK: llvm.alloca %{{.*}} x !llvm.struct<(ptr, ptr, ptr, i32, i32, i32, i32)>
// bf16 is 4 * 256 + 16.
// CHECK: llvm.mlir.constant(1040 : i32)
// CHECK: llvm.mlir.constant(-1 : i32)
// CHECK: %[[ENTRY:.*]] = llvm.mlir.addressof @mlp_f_g_entry
// CHECK: %[[STATUS:.*]] = llvm.call @fritEntryCall(%[[CTX]], %[[ENTRY]], %[[LIST]], %{{.*}})
// CHECK: llvm.return %[[STATUS]] : i32
