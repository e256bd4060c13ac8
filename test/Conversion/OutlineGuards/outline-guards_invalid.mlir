// RUN: %frit_opt %s --pass-pipeline='builtin.module(frit-outline-guards)' -verify-diagnostics

func.func @no_context(%x: memref<?x128xf32>, %y: memref<?x64xf32>, %few: i1) {
  // expected-error @below {{is in function 'no_context', which has no context argument; run frit-add-context first}}
  scf.if %few {
    frit.gelu_and_mul_sparse ins(%x : memref<?x128xf32>) outs(%y : memref<?x64xf32>) std_multiplier = 1.0
        {frit.kernel = #frit.kernel<"native.simt">}
  }
  return
}
