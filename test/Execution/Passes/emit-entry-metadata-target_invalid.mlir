// RUN: %frit_opt %s --pass-pipeline='builtin.module(frit-emit-entry-metadata{target=cuda:sm_90a,sm_80})' -split-input-file -verify-diagnostics
// RUN: not %frit_opt %s --pass-pipeline='builtin.module(frit-emit-entry-metadata{target=cuda:sm_90a,80})' -split-input-file 2>&1 | FileCheck %s
// CHECK: error: the target is 'cuda:sm_90a,80', expected cpu or cuda:sm_XX[,sm_YY...]

llvm.mlir.global internal constant @_frit_f.entry.sm_90a() : i8
// expected-error @below {{for sm_80 it is described by '@_frit_f.entry.sm_80', which does not exist}}
llvm.func @_frit_f(!llvm.ptr, !llvm.ptr) -> i32 attributes {
    frit.signature = {name = "f", type = () -> (), values = [], dims = []}}

// -----

// expected-error @below {{'frit.processor_features' names 'avx3', which the runtime does not know}}
module attributes {frit.processor_features = ["sse3", "avx3"]} {
}
