// RUN: %frit_opt %s --pass-pipeline='builtin.module(convert-frit-to-simt{convert-unselected=true})' | FileCheck %s

// CHECK-LABEL: func @f
// CHECK-NOT: frit.act_and_mul gelu_tanh
// CHECK: frit.act_and_mul silu
// CHECK-NOT: frit.act_and_mul gelu_tanh
func.func @f(%x: memref<?x64xf32>, %y: memref<?x32xf32>) {
  frit.act_and_mul gelu_tanh ins(%x : memref<?x64xf32>) outs(%y : memref<?x32xf32>)
  frit.act_and_mul silu ins(%x : memref<?x64xf32>) outs(%y : memref<?x32xf32>)
    {frit.kernel = #frit.kernel<"native.linalg">}
  return
}
