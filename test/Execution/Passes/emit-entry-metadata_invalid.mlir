// RUN: %frit_opt %s --pass-pipeline='builtin.module(frit-emit-entry-metadata)' -split-input-file -verify-diagnostics

// expected-error @below {{'frit.signature' is malformed}}
llvm.func @_frit_f(!llvm.ptr, !llvm.ptr) -> i32 attributes {frit.signature = {name = "f"}}

// -----

// expected-error @below {{'frit.signature' is malformed}}
llvm.func @_frit_f(!llvm.ptr, !llvm.ptr) -> i32 attributes {
    frit.signature = {name = "f", type = (tensor<4xf32>) -> (), values = ["x"], dims = [["a", "b"]]}}

// -----

// expected-error @below {{'frit.signature' is malformed}}
llvm.func @_frit_f(!llvm.ptr, !llvm.ptr) -> i32 attributes {
    frit.signature = {name = "f", type = (tensor<4xi3>) -> (), values = ["x"], dims = [["a"]]}}

// -----

// expected-error @below {{has the signature of '@_frit_f', but is '@g'}}
llvm.func @g(!llvm.ptr, !llvm.ptr) -> i32 attributes {
    frit.signature = {name = "f", type = () -> (), values = [], dims = []}}

// -----

// expected-error @below {{the sizes of its results are computed by '@_frit_f__shapes', which does not exist}}
llvm.func @_frit_f(!llvm.ptr, !llvm.ptr) -> i32 attributes {
    frit.signature = {name = "f", type = () -> tensor<?xf32>, values = [""], dims = [[""]]}}

// -----

// expected-note @below {{it is here}}
llvm.mlir.global external constant @_frit_f.entry() : i32
// expected-error @below {{its metadata needs the name '@_frit_f.entry', which exists already}}
llvm.func @_frit_f(!llvm.ptr, !llvm.ptr) -> i32 attributes {
    frit.signature = {name = "f", type = () -> (), values = [], dims = []}}
