// Large constants become variables for their addresses: one for functions, and
// the field of a descriptor itself.
// RUN: %frit_opt %s --pass-pipeline='builtin.module(frit-emit-entry-metadata,frit-externalize-constants{least-bytes=16})' | FileCheck %s
// RUN: %frit_opt %s --pass-pipeline='builtin.module(frit-emit-entry-metadata,frit-externalize-constants)' | FileCheck %s --check-prefix=SMALL

// CHECK: module attributes {frit.weights = [
// CHECK-SAME: {name = "up", value = dense_resource<up> : tensor<2x2xf32>},
// CHECK-SAME: {name = "w", value = dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00, 5.000000e+00, 6.000000e+00, 7.000000e+00, 8.000000e+00]> : tensor<8xbf16>},
// CHECK-SAME: {name = "up_1", value = dense_resource<up> : tensor<4xf32>}]}

// Variables, and of each constant its name, sizes and places.
// CHECK: llvm.mlir.global internal @frit.weights.state() {{.*}}: !llvm.ptr {
// CHECK: llvm.mlir.global internal @again.place() {{.*}}: !llvm.ptr {
// CHECK: llvm.mlir.global internal @__constant_up.place() {{.*}}: !llvm.ptr {
// CHECK: llvm.mlir.global internal constant @frit.weight.name("up\00")
// CHECK: llvm.mlir.global internal constant @frit.weight.sizes(dense<2> : tensor<2xi64>)
// CHECK: llvm.mlir.global internal constant @frit.weight.places()
// CHECK: llvm.mlir.addressof @__constant_up.place
// CHECK: llvm.mlir.global internal constant @frit.weight.places_{{.*}}()
// CHECK: llvm.mlir.addressof @descriptor
// CHECK: llvm.getelementptr %{{.*}}[0, 1] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(i64, ptr)>
// CHECK: llvm.mlir.global external constant @_frit.weights() {{.*}}: !llvm.struct<(i64, ptr, ptr, i32, i32)>
// CHECK: llvm.mlir.global external constant @_frit_f.entry()
// CHECK: %[[SET:.*]] = llvm.mlir.addressof @_frit.weights : !llvm.ptr
// CHECK: llvm.insertvalue %[[SET]], %{{.*}}[16]
// CHECK-NOT: llvm.mlir.global private constant @frit_constant

// What is small, has one value, is variable or has its address elsewhere stays.
// CHECK: llvm.mlir.global private constant @small(
// CHECK: llvm.mlir.global private constant @splat(
// CHECK: llvm.mlir.global private @variable(
// CHECK: llvm.mlir.global private constant @elsewhere(

// SMALL-NOT: frit.weights
// SMALL-NOT: _frit_weights
// SMALL: llvm.mlir.global private constant @__constant_up(

llvm.mlir.global private constant @__constant_up(dense_resource<up> : tensor<2x2xf32>) : !llvm.array<2 x array<2 x f32>>
llvm.mlir.global private constant @frit_constant___w(dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]> : tensor<8xbf16>) : !llvm.array<8 x bf16>
llvm.mlir.global private constant @again(dense_resource<up> : tensor<4xf32>) : !llvm.array<4 x f32>
llvm.mlir.global private constant @small(dense<[1.0, 2.0, 3.0]> : tensor<3xf32>) : !llvm.array<3 x f32>
llvm.mlir.global private constant @splat(dense<1.0> : tensor<8xf32>) : !llvm.array<8 x f32>
llvm.mlir.global private @variable(dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>) : !llvm.array<4 x f32>
// An address that is more than a field cannot be made variable.
llvm.mlir.global private constant @elsewhere(dense<[1.0, 2.0, 3.0, 5.0]> : tensor<4xf32>) : !llvm.array<4 x f32>
llvm.mlir.global private constant @address() : !llvm.ptr {
  %0 = llvm.mlir.addressof @elsewhere : !llvm.ptr
  llvm.return %0 : !llvm.ptr
}

// CHECK: llvm.mlir.global private @descriptor() {{.*}}: !llvm.struct<(i64, ptr)> {
// CHECK: %[[NULL:.*]] = llvm.mlir.zero : !llvm.ptr
// CHECK: llvm.insertvalue %[[NULL]], %{{.*}}[1] : !llvm.struct<(i64, ptr)>
llvm.mlir.global private constant @descriptor() : !llvm.struct<(i64, ptr)> {
  %0 = llvm.mlir.undef : !llvm.struct<(i64, ptr)>
  %1 = llvm.mlir.addressof @frit_constant___w : !llvm.ptr
  %2 = llvm.insertvalue %1, %0[1] : !llvm.struct<(i64, ptr)>
  llvm.return %2 : !llvm.struct<(i64, ptr)>
}

// CHECK-LABEL: llvm.func @_frit_f(
// CHECK: %[[PLACE:.*]] = llvm.mlir.addressof @__constant_up.place : !llvm.ptr
// CHECK: %[[ADDRESS:.*]] = llvm.load %[[PLACE]] invariant : !llvm.ptr -> !llvm.ptr
// CHECK: llvm.load %[[ADDRESS]] : !llvm.ptr -> f32
llvm.func @_frit_f(%context: !llvm.ptr, %arguments: !llvm.ptr) -> i32 attributes {
    frit.signature = {name = "f", type = () -> (), values = [], dims = []}} {
  %0 = llvm.mlir.addressof @__constant_up : !llvm.ptr
  %1 = llvm.load %0 : !llvm.ptr -> f32
  %2 = llvm.mlir.addressof @descriptor : !llvm.ptr
  %3 = llvm.mlir.addressof @again : !llvm.ptr
  %4 = llvm.load %3 : !llvm.ptr -> f32
  %5 = llvm.mlir.constant(0 : i32) : i32
  llvm.return %5 : i32
}

{-# dialect_resources: { builtin: { up: "0x040000000000803F000000400000404000008040" } } #-}
