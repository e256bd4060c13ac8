// Weights that stay as they are: the remark says why, where an op would be formed that is faster with others.
//
// RUN: frit-test-opt %s --split-input-file --verify-diagnostics --remarks-filter='frit-transpose-weights' --pass-pipeline='builtin.module(frit-transpose-weights{assume-finite-weights arguments})' | FileCheck %s
// RUN: frit-test-opt %s --split-input-file --remarks-filter='frit-transpose-weights' --pass-pipeline='builtin.module(frit-transpose-weights{assume-finite-weights})' 2>&1 | FileCheck %s --check-prefix=NO-ARGUMENTS
// RUN: frit-test-opt %s --split-input-file --pass-pipeline='builtin.module(frit-transpose-weights{arguments})' | FileCheck %s
// RUN: frit-test-opt %s --split-input-file --pass-pipeline='builtin.module(frit-transpose-weights{assume-finite-weights arguments policy=batch-invariant})' | FileCheck %s
// RUN: not %frit_opt %s --split-input-file --pass-pipeline='builtin.module(frit-transpose-weights{target=gpu})' 2>&1 | FileCheck %s --check-prefix=TARGET
// UNSUPPORTED: plugin

// CHECK-NOT: frit.transposed
// CHECK-NOT: dense_resource
// NO-ARGUMENTS: Reason="the weights of down stay as [H, d], since they are an argument, whose type only the option arguments changes"
// TARGET: error: frit-transpose-weights:
// TARGET-SAME: gpu

// They are a result, too.
func.func @returned(%x: tensor<1x64xbf16>, %gate: tensor<96x64xbf16>, %up: tensor<96x64xbf16>, %down: tensor<64x96xbf16>, %e: tensor<1x96xbf16>, %y: tensor<1x64xbf16>) -> (tensor<1x64xbf16>, tensor<64x96xbf16>) {
  %g = frit.matmul ins(%x, %gate : tensor<1x64xbf16>, tensor<96x64xbf16>) outs(%e : tensor<1x96xbf16>) transpose_b -> tensor<1x96xbf16>
  %u = frit.matmul ins(%x, %up : tensor<1x64xbf16>, tensor<96x64xbf16>) outs(%e : tensor<1x96xbf16>) transpose_b -> tensor<1x96xbf16>
  // expected-remark @below {{the weights of down stay as [H, d], since they are also read by 'func.return'}}
  %h = frit.gelu_and_mul_sparse ins(%g, %u : tensor<1x96xbf16>, tensor<1x96xbf16>) outs(%e : tensor<1x96xbf16>) std_multiplier = 1.5 -> tensor<1x96xbf16>
  %r = frit.matmul ins(%h, %down : tensor<1x96xbf16>, tensor<64x96xbf16>) outs(%y : tensor<1x64xbf16>) transpose_b -> tensor<1x64xbf16>
  return %r, %down : tensor<1x64xbf16>, tensor<64x96xbf16>
}

// -----

// What a copy of them is written to.
#id = affine_map<(i, j) -> (i, j)>
func.func @destination(%x: tensor<1x64xbf16>, %gate: tensor<96x64xbf16>, %up: tensor<96x64xbf16>, %down: tensor<64x96xbf16>, %e: tensor<1x96xbf16>, %y: tensor<1x64xbf16>, %w: tensor<96x64xbf16>) -> (tensor<1x64xbf16>, tensor<64x96xbf16>) {
  %g = frit.matmul ins(%x, %gate : tensor<1x64xbf16>, tensor<96x64xbf16>) outs(%e : tensor<1x96xbf16>) transpose_b -> tensor<1x96xbf16>
  %u = frit.matmul ins(%x, %up : tensor<1x64xbf16>, tensor<96x64xbf16>) outs(%e : tensor<1x96xbf16>) transpose_b -> tensor<1x96xbf16>
  // expected-remark @below {{the weights of down stay as [H, d], since they are also read by 'linalg.transpose'}}
  %h = frit.gelu_and_mul_sparse ins(%g, %u : tensor<1x96xbf16>, tensor<1x96xbf16>) outs(%e : tensor<1x96xbf16>) std_multiplier = 1.5 -> tensor<1x96xbf16>
  %r = frit.matmul ins(%h, %down : tensor<1x96xbf16>, tensor<64x96xbf16>) outs(%y : tensor<1x64xbf16>) transpose_b -> tensor<1x64xbf16>
  %t = linalg.transpose ins(%w : tensor<96x64xbf16>) outs(%down : tensor<64x96xbf16>) permutation = [1, 0]
  return %r, %t : tensor<1x64xbf16>, tensor<64x96xbf16>
}

// -----

// A copy that is more than read by matmuls.
func.func @copy(%x: tensor<1x64xbf16>, %gate: tensor<96x64xbf16>, %up: tensor<96x64xbf16>, %down: tensor<64x96xbf16>, %e: tensor<1x96xbf16>, %y: tensor<1x64xbf16>, %te: tensor<96x64xbf16>) -> (tensor<1x64xbf16>, tensor<96x64xbf16>) {
  %g = frit.matmul ins(%x, %gate : tensor<1x64xbf16>, tensor<96x64xbf16>) outs(%e : tensor<1x96xbf16>) transpose_b -> tensor<1x96xbf16>
  %u = frit.matmul ins(%x, %up : tensor<1x64xbf16>, tensor<96x64xbf16>) outs(%e : tensor<1x96xbf16>) transpose_b -> tensor<1x96xbf16>
  // expected-remark @below {{the weights of down stay as [H, d], since they are also read by 'func.return'}}
  %h = frit.gelu_and_mul_sparse ins(%g, %u : tensor<1x96xbf16>, tensor<1x96xbf16>) outs(%e : tensor<1x96xbf16>) std_multiplier = 1.5 -> tensor<1x96xbf16>
  %r = frit.matmul ins(%h, %down : tensor<1x96xbf16>, tensor<64x96xbf16>) outs(%y : tensor<1x64xbf16>) transpose_b -> tensor<1x64xbf16>
  %t = linalg.transpose ins(%down : tensor<64x96xbf16>) outs(%te : tensor<96x64xbf16>) permutation = [1, 0]
  return %r, %t : tensor<1x64xbf16>, tensor<96x64xbf16>
}

// -----

// The left factor of another matmul.
func.func @left(%x: tensor<1x64xbf16>, %gate: tensor<96x64xbf16>, %up: tensor<96x64xbf16>, %down: tensor<64x96xbf16>, %e: tensor<1x96xbf16>, %y: tensor<1x64xbf16>, %b: tensor<96x8xbf16>, %z: tensor<64x8xbf16>) -> (tensor<1x64xbf16>, tensor<64x8xbf16>) {
  %g = frit.matmul ins(%x, %gate : tensor<1x64xbf16>, tensor<96x64xbf16>) outs(%e : tensor<1x96xbf16>) transpose_b -> tensor<1x96xbf16>
  %u = frit.matmul ins(%x, %up : tensor<1x64xbf16>, tensor<96x64xbf16>) outs(%e : tensor<1x96xbf16>) transpose_b -> tensor<1x96xbf16>
  // expected-remark @below {{the weights of down stay as [H, d], since they are also read by 'frit.matmul'}}
  %h = frit.gelu_and_mul_sparse ins(%g, %u : tensor<1x96xbf16>, tensor<1x96xbf16>) outs(%e : tensor<1x96xbf16>) std_multiplier = 1.5 -> tensor<1x96xbf16>
  %r = frit.matmul ins(%h, %down : tensor<1x96xbf16>, tensor<64x96xbf16>) outs(%y : tensor<1x64xbf16>) transpose_b -> tensor<1x64xbf16>
  %q = frit.matmul ins(%down, %b : tensor<64x96xbf16>, tensor<96x8xbf16>) outs(%z : tensor<64x8xbf16>) -> tensor<64x8xbf16>
  return %r, %q : tensor<1x64xbf16>, tensor<64x8xbf16>
}

// -----

// Both factors of another matmul.
func.func @both(%x: tensor<1x64xbf16>, %gate: tensor<96x64xbf16>, %up: tensor<96x64xbf16>, %down: tensor<64x96xbf16>, %e: tensor<1x96xbf16>, %y: tensor<1x64xbf16>, %z: tensor<64x64xbf16>) -> (tensor<1x64xbf16>, tensor<64x64xbf16>) {
  %g = frit.matmul ins(%x, %gate : tensor<1x64xbf16>, tensor<96x64xbf16>) outs(%e : tensor<1x96xbf16>) transpose_b -> tensor<1x96xbf16>
  %u = frit.matmul ins(%x, %up : tensor<1x64xbf16>, tensor<96x64xbf16>) outs(%e : tensor<1x96xbf16>) transpose_b -> tensor<1x96xbf16>
  // expected-remark @below {{the weights of down stay as [H, d], since they are also read by 'frit.matmul'}}
  %h = frit.gelu_and_mul_sparse ins(%g, %u : tensor<1x96xbf16>, tensor<1x96xbf16>) outs(%e : tensor<1x96xbf16>) std_multiplier = 1.5 -> tensor<1x96xbf16>
  %r = frit.matmul ins(%h, %down : tensor<1x96xbf16>, tensor<64x96xbf16>) outs(%y : tensor<1x64xbf16>) transpose_b -> tensor<1x64xbf16>
  %q = frit.matmul ins(%down, %down : tensor<64x96xbf16>, tensor<64x96xbf16>) outs(%z : tensor<64x64xbf16>) transpose_b -> tensor<64x64xbf16>
  return %r, %q : tensor<1x64xbf16>, tensor<64x64xbf16>
}

// -----

// Another function calls it.
func.func @called(%x: tensor<1x64xbf16>, %gate: tensor<96x64xbf16>, %up: tensor<96x64xbf16>, %down: tensor<64x96xbf16>, %e: tensor<1x96xbf16>, %y: tensor<1x64xbf16>) -> tensor<1x64xbf16> {
  %g = frit.matmul ins(%x, %gate : tensor<1x64xbf16>, tensor<96x64xbf16>) outs(%e : tensor<1x96xbf16>) transpose_b -> tensor<1x96xbf16>
  %u = frit.matmul ins(%x, %up : tensor<1x64xbf16>, tensor<96x64xbf16>) outs(%e : tensor<1x96xbf16>) transpose_b -> tensor<1x96xbf16>
  // expected-remark @below {{the weights of down stay as [H, d], since they are an argument of a function that is not only called from outside}}
  %h = frit.gelu_and_mul_sparse ins(%g, %u : tensor<1x96xbf16>, tensor<1x96xbf16>) outs(%e : tensor<1x96xbf16>) std_multiplier = 1.5 -> tensor<1x96xbf16>
  %r = frit.matmul ins(%h, %down : tensor<1x96xbf16>, tensor<64x96xbf16>) outs(%y : tensor<1x64xbf16>) transpose_b -> tensor<1x64xbf16>
  return %r : tensor<1x64xbf16>
}
func.func @caller(%x: tensor<1x64xbf16>, %gate: tensor<96x64xbf16>, %up: tensor<96x64xbf16>, %down: tensor<64x96xbf16>, %e: tensor<1x96xbf16>, %y: tensor<1x64xbf16>) -> tensor<1x64xbf16> {
  %r = call @called(%x, %gate, %up, %down, %e, %y) : (tensor<1x64xbf16>, tensor<96x64xbf16>, tensor<96x64xbf16>, tensor<64x96xbf16>, tensor<1x96xbf16>, tensor<1x64xbf16>) -> tensor<1x64xbf16>
  return %r : tensor<1x64xbf16>
}

// -----

// They are computed.
func.func @computed(%x: tensor<1x64xbf16>, %gate: tensor<96x64xbf16>, %up: tensor<96x64xbf16>, %down: tensor<64x96xbf16>, %e: tensor<1x96xbf16>, %y: tensor<1x64xbf16>) -> tensor<1x64xbf16> {
  %sum = arith.addf %down, %down : tensor<64x96xbf16>
  %g = frit.matmul ins(%x, %gate : tensor<1x64xbf16>, tensor<96x64xbf16>) outs(%e : tensor<1x96xbf16>) transpose_b -> tensor<1x96xbf16>
  %u = frit.matmul ins(%x, %up : tensor<1x64xbf16>, tensor<96x64xbf16>) outs(%e : tensor<1x96xbf16>) transpose_b -> tensor<1x96xbf16>
  // expected-remark @below {{the weights of down stay as [H, d], since they are neither constant nor an argument}}
  %h = frit.gelu_and_mul_sparse ins(%g, %u : tensor<1x96xbf16>, tensor<1x96xbf16>) outs(%e : tensor<1x96xbf16>) std_multiplier = 1.5 -> tensor<1x96xbf16>
  %r = frit.matmul ins(%h, %sum : tensor<1x96xbf16>, tensor<64x96xbf16>) outs(%y : tensor<1x64xbf16>) transpose_b -> tensor<1x64xbf16>
  return %r : tensor<1x64xbf16>
}

// -----

// So many tokens that the op is not formed: no word.
func.func @many(%x: tensor<512x64xbf16>, %gate: tensor<96x64xbf16>, %up: tensor<96x64xbf16>, %down: tensor<64x96xbf16>, %e: tensor<512x96xbf16>, %y: tensor<512x64xbf16>) -> tensor<512x64xbf16> {
  %g = frit.matmul ins(%x, %gate : tensor<512x64xbf16>, tensor<96x64xbf16>) outs(%e : tensor<512x96xbf16>) transpose_b -> tensor<512x96xbf16>
  %u = frit.matmul ins(%x, %up : tensor<512x64xbf16>, tensor<96x64xbf16>) outs(%e : tensor<512x96xbf16>) transpose_b -> tensor<512x96xbf16>
  %h = frit.gelu_and_mul_sparse ins(%g, %u : tensor<512x96xbf16>, tensor<512x96xbf16>) outs(%e : tensor<512x96xbf16>) std_multiplier = 1.5 -> tensor<512x96xbf16>
  %r = frit.matmul ins(%h, %down : tensor<512x96xbf16>, tensor<64x96xbf16>) outs(%y : tensor<512x64xbf16>) transpose_b -> tensor<512x64xbf16>
  return %r : tensor<512x64xbf16>
}

// -----

// They are by columns already.
func.func @already(%x: tensor<1x64xbf16>, %gate: tensor<96x64xbf16>, %up: tensor<96x64xbf16>, %down: tensor<96x64xbf16>, %e: tensor<1x96xbf16>, %y: tensor<1x64xbf16>) -> tensor<1x64xbf16> {
  %g = frit.matmul ins(%x, %gate : tensor<1x64xbf16>, tensor<96x64xbf16>) outs(%e : tensor<1x96xbf16>) transpose_b -> tensor<1x96xbf16>
  %u = frit.matmul ins(%x, %up : tensor<1x64xbf16>, tensor<96x64xbf16>) outs(%e : tensor<1x96xbf16>) transpose_b -> tensor<1x96xbf16>
  %h = frit.gelu_and_mul_sparse ins(%g, %u : tensor<1x96xbf16>, tensor<1x96xbf16>) outs(%e : tensor<1x96xbf16>) std_multiplier = 1.5 -> tensor<1x96xbf16>
  %r = frit.matmul ins(%h, %down : tensor<1x96xbf16>, tensor<96x64xbf16>) outs(%y : tensor<1x64xbf16>) -> tensor<1x64xbf16>
  return %r : tensor<1x64xbf16>
}

// -----

// No chain: the activation is used elsewhere too.
func.func @no_chain(%x: tensor<1x64xbf16>, %gate: tensor<96x64xbf16>, %up: tensor<96x64xbf16>, %down: tensor<64x96xbf16>, %e: tensor<1x96xbf16>, %y: tensor<1x64xbf16>) -> (tensor<1x64xbf16>, tensor<1x96xbf16>) {
  %g = frit.matmul ins(%x, %gate : tensor<1x64xbf16>, tensor<96x64xbf16>) outs(%e : tensor<1x96xbf16>) transpose_b -> tensor<1x96xbf16>
  %u = frit.matmul ins(%x, %up : tensor<1x64xbf16>, tensor<96x64xbf16>) outs(%e : tensor<1x96xbf16>) transpose_b -> tensor<1x96xbf16>
  %h = frit.gelu_and_mul_sparse ins(%g, %u : tensor<1x96xbf16>, tensor<1x96xbf16>) outs(%e : tensor<1x96xbf16>) std_multiplier = 1.5 -> tensor<1x96xbf16>
  %r = frit.matmul ins(%h, %down : tensor<1x96xbf16>, tensor<64x96xbf16>) outs(%y : tensor<1x64xbf16>) transpose_b -> tensor<1x64xbf16>
  return %r, %h : tensor<1x64xbf16>, tensor<1x96xbf16>
}

// -----

// What a matmul that reads them is written to.
func.func @written(%x: tensor<1x64xbf16>, %gate: tensor<64x64xbf16>, %up: tensor<64x64xbf16>, %down: tensor<64x64xbf16>, %e: tensor<1x64xbf16>, %y: tensor<1x64xbf16>, %a: tensor<64x64xbf16>) -> (tensor<1x64xbf16>, tensor<64x64xbf16>) {
  %g = frit.matmul ins(%x, %gate : tensor<1x64xbf16>, tensor<64x64xbf16>) outs(%e : tensor<1x64xbf16>) transpose_b -> tensor<1x64xbf16>
  %u = frit.matmul ins(%x, %up : tensor<1x64xbf16>, tensor<64x64xbf16>) outs(%e : tensor<1x64xbf16>) transpose_b -> tensor<1x64xbf16>
  // expected-remark @below {{the weights of down stay as [H, d], since they are also read by 'frit.matmul'}}
  %h = frit.gelu_and_mul_sparse ins(%g, %u : tensor<1x64xbf16>, tensor<1x64xbf16>) outs(%e : tensor<1x64xbf16>) std_multiplier = 1.5 -> tensor<1x64xbf16>
  %r = frit.matmul ins(%h, %down : tensor<1x64xbf16>, tensor<64x64xbf16>) outs(%y : tensor<1x64xbf16>) transpose_b -> tensor<1x64xbf16>
  %q = frit.matmul ins(%a, %down : tensor<64x64xbf16>, tensor<64x64xbf16>) outs(%down : tensor<64x64xbf16>) transpose_b -> tensor<64x64xbf16>
  return %r, %q : tensor<1x64xbf16>, tensor<64x64xbf16>
}

// -----

// Of sizes that only a call knows.
func.func @sizes(%x: tensor<1x64xbf16>, %gate: tensor<96x64xbf16>, %up: tensor<96x64xbf16>, %down: tensor<?x?xbf16>, %e: tensor<1x96xbf16>, %y: tensor<1x64xbf16>) -> tensor<1x64xbf16> {
  %g = frit.matmul ins(%x, %gate : tensor<1x64xbf16>, tensor<96x64xbf16>) outs(%e : tensor<1x96xbf16>) transpose_b -> tensor<1x96xbf16>
  %u = frit.matmul ins(%x, %up : tensor<1x64xbf16>, tensor<96x64xbf16>) outs(%e : tensor<1x96xbf16>) transpose_b -> tensor<1x96xbf16>
  // expected-remark @below {{the weights of down stay as [H, d], since they are of sizes that their type does not have}}
  %h = frit.gelu_and_mul_sparse ins(%g, %u : tensor<1x96xbf16>, tensor<1x96xbf16>) outs(%e : tensor<1x96xbf16>) std_multiplier = 1.5 -> tensor<1x96xbf16>
  %r = frit.matmul ins(%h, %down : tensor<1x96xbf16>, tensor<?x?xbf16>) outs(%y : tensor<1x64xbf16>) transpose_b -> tensor<1x64xbf16>
  return %r : tensor<1x64xbf16>
}
