// RUN: %frit_opt %s --pass-pipeline='builtin.module(frit-emit-entry-metadata)' | FileCheck %s
// RUN: %frit_opt %s --pass-pipeline='builtin.module(frit-emit-entry-metadata{target=cuda:sm_90a})' | FileCheck %s --check-prefix=CUDA

// A tensor, a scalar, and a result: name, sizes, strides, dims, rank, type,
// flags.
// CHECK: llvm.mlir.global internal constant @[[X:.*]]("x\00")
// CHECK: llvm.mlir.global internal constant @[[SIZES:.*]](dense<[-1, 8]> : tensor<2xi64>)
// CHECK: llvm.mlir.global internal constant @[[STRIDES:.*]](dense<[-1, 1]> : tensor<2xi64>)
// CHECK: llvm.mlir.global internal constant @[[DIMS:.*]](dense<[0, -1]> : tensor<2xi32>)
// CHECK: llvm.mlir.global internal constant @_frit_f.entry.values() {{.*}} !llvm.array<3 x struct<(ptr, ptr, ptr, ptr, i32, i32, i32, i32)>>
// CHECK-DAG: llvm.mlir.addressof @[[X]]
// CHECK-DAG: llvm.mlir.addressof @[[SIZES]]
// CHECK-DAG: llvm.mlir.addressof @[[STRIDES]]
// CHECK-DAG: llvm.mlir.addressof @[[DIMS]]
// f32 is 2 * 256 + 32.
// CHECK-DAG: llvm.mlir.constant(544 : i32)
// CHECK: llvm.mlir.global internal constant @{{.*}}("tokens\00")

// CHECK: llvm.mlir.global external constant @_frit_f.entry()
// CHECK: llvm.mlir.constant(112 : i64)
// CHECK: llvm.mlir.addressof @_frit_f.entry.name
// CHECK: llvm.mlir.addressof @_frit_f.entry.target
// CHECK: llvm.mlir.addressof @_frit_f :
// The sizes are known: no function for them.
// CHECK: llvm.mlir.zero
// CHECK: llvm.mlir.addressof @_frit_f.entry.values
// CHECK: llvm.mlir.addressof @_frit_f.entry.dims
// CHECK: llvm.mlir.constant(2 : i32)
// CHECK: llvm.mlir.constant(1 : i32)
// CHECK: llvm.mlir.constant(1 : i32)
// CHECK: llvm.mlir.constant(0 : i32)
// No instructions beyond the oldest processor's, no variants, no architecture.
// CHECK: llvm.mlir.constant(0 : i64)
// CHECK: llvm.mlir.constant(0 : i64)
// CHECK: llvm.mlir.zero
// CHECK: llvm.mlir.constant(0 : i32)
// CHECK: llvm.mlir.constant(0 : i32)

// On a device, and exactly this one.
// CUDA: ("cuda:sm_90a\00")
// CUDA: llvm.mlir.global external constant @_frit_f.entry()
// CUDA: llvm.mlir.constant(2 : i32)
// CUDA: llvm.mlir.constant(1 : i32)
// CUDA: llvm.mlir.constant(1 : i32)
// CUDA: llvm.mlir.constant(3 : i32)
// CUDA: llvm.mlir.constant(90 : i32)
llvm.func @_frit_f(%context: !llvm.ptr, %arguments: !llvm.ptr) -> i32 attributes {
    frit.signature = {name = "f", type = (tensor<?x8xf32>, f32) -> tensor<?x8xf32>,
                      values = ["x", "", ""], dims = [["tokens", ""], [], ["tokens", ""]]}} {
  %ok = llvm.mlir.constant(0 : i32) : i32
  llvm.return %ok : i32
}

// CHECK: llvm.mlir.global external constant @_frit_g.entry()
// CHECK: llvm.mlir.addressof @_frit_g :
// CHECK: llvm.mlir.addressof @_frit_g__shapes
// CHECK: llvm.mlir.zero
llvm.func @_frit_g(%context: !llvm.ptr, %arguments: !llvm.ptr) -> i32 attributes {
    frit.signature = {name = "g", type = () -> tensor<?xi1>, values = [""], dims = [[""]]}} {
  %ok = llvm.mlir.constant(0 : i32) : i32
  llvm.return %ok : i32
}
llvm.func @_frit_g__shapes(%context: !llvm.ptr, %arguments: !llvm.ptr) -> i32

// CHECK-NOT: _frit_h.entry
llvm.func @_frit_h(%context: !llvm.ptr, %arguments: !llvm.ptr) -> i32
