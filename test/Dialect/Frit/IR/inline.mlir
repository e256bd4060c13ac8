// RUN: %frit_opt %s --pass-pipeline='builtin.module(inline)' | FileCheck %s

// An op goes with the function that holds it, into regions too.

// CHECK-LABEL: func.func @caller
// CHECK-NOT: call
// CHECK: frit.act_and_mul silu
// CHECK: scf.if
// CHECK: frit.act_and_mul silu
func.func private @callee(%x: tensor<?x64xf32>, %y: tensor<?x32xf32>) -> tensor<?x32xf32> {
  %0 = frit.act_and_mul silu ins(%x : tensor<?x64xf32>) outs(%y : tensor<?x32xf32>) -> tensor<?x32xf32>
  return %0 : tensor<?x32xf32>
}
func.func @caller(%c: i1, %x: tensor<?x64xf32>, %y: tensor<?x32xf32>) -> tensor<?x32xf32> {
  %0 = call @callee(%x, %y) : (tensor<?x64xf32>, tensor<?x32xf32>) -> tensor<?x32xf32>
  %1 = scf.if %c -> tensor<?x32xf32> {
    %2 = func.call @callee(%x, %0) : (tensor<?x64xf32>, tensor<?x32xf32>) -> tensor<?x32xf32>
    scf.yield %2 : tensor<?x32xf32>
  } else {
    scf.yield %0 : tensor<?x32xf32>
  }
  return %1 : tensor<?x32xf32>
}
