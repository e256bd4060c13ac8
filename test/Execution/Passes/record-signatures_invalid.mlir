// RUN: %frit_opt %s --pass-pipeline='builtin.module(frit-record-signatures)' -split-input-file -verify-diagnostics

// expected-error @below {{dimension 'n' has size 5 in the type of argument 1, but 4 in that of argument 0}}
func.func @f(%x: tensor<4xf32> {frit.dims = ["n"]}, %y: tensor<5xf32> {frit.dims = ["n"]}) {
  return
}

// -----

// expected-error @below {{'frit.signature' is a dictionary of functions, but is 1 : i64 here}}
func.func @f() attributes {frit.signature = 1 : i64} {
  return
}
