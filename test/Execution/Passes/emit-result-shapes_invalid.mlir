// RUN: %frit_opt %s -verify-diagnostics --pass-pipeline='builtin.module(frit-emit-result-shapes)'

// expected-error @below {{the sizes of the results of '@f' are computed by '@f__shapes', which exists already}}
func.func @f(%x: tensor<?xf32>) -> tensor<?xf32> {
  return %x : tensor<?xf32>
}
// expected-note @below {{it is here}}
func.func @f__shapes() {
  return
}
