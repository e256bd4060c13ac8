// RUN: %frit_opt %s -split-input-file -verify-diagnostics --pass-pipeline='builtin.module(frit-emit-entry-points)'

// expected-error @below {{'@f' has type '(index) -> ()', but an entry point needs a leading !llvm.ptr context and an i32 status (run frit-add-context first)}}
func.func @f(%n: index) {
  return
}

// -----

// expected-error @below {{the entry point of '@f' needs '@_frit_f', which exists already}}
func.func @f(%context: !llvm.ptr) -> i32 {
  %ok = arith.constant 0 : i32
  return %ok : i32
}
// expected-note @below {{it is here}}
func.func private @_frit_f()

// -----

// expected-error @below {{argument 0 of '@f' is 'tensor<4xf32>', which has no form in memory}}
func.func @f(%context: !llvm.ptr, %x: tensor<4xf32>) -> i32 {
  %ok = arith.constant 0 : i32
  return %ok : i32
}
