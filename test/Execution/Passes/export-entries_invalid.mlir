// RUN: %frit_opt %s --pass-pipeline='builtin.module(frit-emit-entry-metadata,frit-export-entries{prefix=p})' -split-input-file -verify-diagnostics
// RUN: not %frit_opt %s --pass-pipeline='builtin.module(frit-export-entries{prefix=1x})' 2>&1 | FileCheck %s --check-prefix=PREFIX
// RUN: not %frit_opt %s --pass-pipeline='builtin.module(frit-export-entries)' 2>&1 | FileCheck %s --check-prefix=EMPTY

// PREFIX: error: the prefix of exported names is '1x', but must be letters, digits and underscores and begin with a letter
// EMPTY: error: the prefix of exported names is '', but must be

// expected-note @below {{it is here}}
llvm.func @p_f()
// expected-error @below {{'@f' is exported as 'p_f', which exists already}}
llvm.func @_frit_f(!llvm.ptr, !llvm.ptr) -> i32 attributes {
    frit.signature = {name = "f", type = () -> (), values = [], dims = []}}

// -----

// Both are one name in C.
// expected-note @below {{it is here}}
llvm.func @_frit_a.b(!llvm.ptr, !llvm.ptr) -> i32 attributes {
    frit.signature = {name = "a.b", type = () -> (), values = [], dims = []}}
// expected-error @below {{'@a_b' is exported as 'p_a_b', and so is '@a.b'}}
llvm.func @_frit_a_b(!llvm.ptr, !llvm.ptr) -> i32 attributes {
    frit.signature = {name = "a_b", type = () -> (), values = [], dims = []}}

// -----

// expected-note @below {{it is here}}
llvm.func @_frit_g(!llvm.ptr, !llvm.ptr) -> i32 attributes {
    frit.signature = {name = "g", type = () -> (), values = [], dims = []}}
// expected-error @below {{'@g_entry' is exported as 'p_g_entry', and so is the FritEntry of '@g'}}
llvm.func @_frit_g_entry(!llvm.ptr, !llvm.ptr) -> i32 attributes {
    frit.signature = {name = "g_entry", type = () -> (), values = [], dims = []}}
