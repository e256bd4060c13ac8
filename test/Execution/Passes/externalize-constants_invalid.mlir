// RUN: %frit_opt %s --pass-pipeline='builtin.module(frit-externalize-constants{least-bytes=16})' -split-input-file -verify-diagnostics

llvm.mlir.global private constant @w(dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>) : !llvm.array<4 x f32>
// expected-error @below {{'@f' has no metadata (run frit-emit-entry-metadata first)}}
llvm.func @_frit_f(!llvm.ptr, !llvm.ptr) -> i32 attributes {
    frit.signature = {name = "f", type = () -> (), values = [], dims = []}}

// -----

llvm.mlir.global private constant @w(dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>) : !llvm.array<4 x f32>
// expected-error @below {{the constants of the module are external already}}
llvm.mlir.global external @_frit.weights() : !llvm.ptr

// -----

// expected-error @below {{the name of a constant has a zero character}}
llvm.mlir.global private constant @"w\00"(dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>) : !llvm.array<4 x f32>

// -----

// expected-error @below {{'frit.weights' is an array of {name, value}, of modules, but is [{name = "w"}] here}}
module attributes {frit.weights = [{name = "w"}]} {}
