// On a GPU each number of tokens has a kernel of its own, and the limit is where the one for so many is slower.
// REQUIRES: cuda-kernels
// RUN: %frit_opt %s --verify-diagnostics --remarks-filter='frit-form-sparse-ffn' --pass-pipeline='builtin.module(frit-form-sparse-ffn{assume-finite-weights target=cuda:sm_90a})' | FileCheck %s

// CHECK-LABEL: func @large
// CHECK:         %[[MOST:.*]] = arith.constant 16 : index
// CHECK:         arith.cmpi sle, %{{.*}}, %[[MOST]]
// CHECK:         frit.sparse_ffn
// CHECK-SAME:      down_layout = dh
// CHECK:         else
// CHECK:         frit.gelu_and_mul_sparse
func.func @large(%x: tensor<?x2048xbf16>, %gate: tensor<16384x2048xbf16>, %up: tensor<16384x2048xbf16>, %down: tensor<16384x2048xbf16>, %e: tensor<?x16384xbf16>, %y: tensor<?x2048xbf16>) -> tensor<?x2048xbf16> {
  %g = frit.matmul ins(%x, %gate : tensor<?x2048xbf16>, tensor<16384x2048xbf16>) outs(%e : tensor<?x16384xbf16>) transpose_b -> tensor<?x16384xbf16>
  %u = frit.matmul ins(%x, %up : tensor<?x2048xbf16>, tensor<16384x2048xbf16>) outs(%e : tensor<?x16384xbf16>) transpose_b -> tensor<?x16384xbf16>
  // expected-remark @below {{[Passed] sparse-ffn | Category:frit-form-sparse-ffn | Function=large | Remark="is one op where it is cheaper: by estimate 'cuda.sparse_ffn_grouped16' is faster than the ops one by one up to 16 tokens"}}
  %h = frit.gelu_and_mul_sparse ins(%g, %u : tensor<?x16384xbf16>, tensor<?x16384xbf16>) outs(%e : tensor<?x16384xbf16>) std_multiplier = 1.64485359 -> tensor<?x16384xbf16>
  %r = frit.matmul ins(%h, %down : tensor<?x16384xbf16>, tensor<16384x2048xbf16>) outs(%y : tensor<?x2048xbf16>) -> tensor<?x2048xbf16>
  return %r : tensor<?x2048xbf16>
}

// CHECK-LABEL: func @half
// CHECK:         arith.constant 16 : index
// CHECK:         frit.sparse_ffn
func.func @half(%x: tensor<?x2048xbf16>, %gate: tensor<8192x2048xbf16>, %up: tensor<8192x2048xbf16>, %down: tensor<8192x2048xbf16>, %e: tensor<?x8192xbf16>, %y: tensor<?x2048xbf16>) -> tensor<?x2048xbf16> {
  %g = frit.matmul ins(%x, %gate : tensor<?x2048xbf16>, tensor<8192x2048xbf16>) outs(%e : tensor<?x8192xbf16>) transpose_b -> tensor<?x8192xbf16>
  %u = frit.matmul ins(%x, %up : tensor<?x2048xbf16>, tensor<8192x2048xbf16>) outs(%e : tensor<?x8192xbf16>) transpose_b -> tensor<?x8192xbf16>
  // expected-remark @below {{by estimate 'cuda.sparse_ffn_grouped16' is faster than the ops one by one up to 16 tokens}}
  %h = frit.gelu_and_mul_sparse ins(%g, %u : tensor<?x8192xbf16>, tensor<?x8192xbf16>) outs(%e : tensor<?x8192xbf16>) std_multiplier = 1.64485359 -> tensor<?x8192xbf16>
  %r = frit.matmul ins(%h, %down : tensor<?x8192xbf16>, tensor<8192x2048xbf16>) outs(%y : tensor<?x2048xbf16>) -> tensor<?x2048xbf16>
  return %r : tensor<?x2048xbf16>
}

// LoRA costs the op more for each token than the ops one by one.
// CHECK-LABEL: func @adapters
// CHECK:         arith.constant 15 : index
// CHECK:         frit.sparse_ffn
// CHECK-SAME:      gate_lora
func.func @adapters(%x: tensor<?x2048xbf16>, %ids: tensor<?xi32>, %a: tensor<4x16x2048xbf16>, %b: tensor<4x16384x16xbf16>, %gate: tensor<16384x2048xbf16>, %up: tensor<16384x2048xbf16>, %down: tensor<16384x2048xbf16>, %e: tensor<?x16384xbf16>, %y: tensor<?x2048xbf16>) -> tensor<?x2048xbf16> {
  %g = frit.matmul ins(%x, %gate : tensor<?x2048xbf16>, tensor<16384x2048xbf16>) outs(%e : tensor<?x16384xbf16>) transpose_b -> tensor<?x16384xbf16>
  %l = frit.lora_matmul ins(%x, %ids : tensor<?x2048xbf16>, tensor<?xi32>) weights(%a, %b : tensor<4x16x2048xbf16>, tensor<4x16384x16xbf16>) outs(%g : tensor<?x16384xbf16>) accumulate = true -> tensor<?x16384xbf16>
  %u = frit.matmul ins(%x, %up : tensor<?x2048xbf16>, tensor<16384x2048xbf16>) outs(%e : tensor<?x16384xbf16>) transpose_b -> tensor<?x16384xbf16>
  // expected-remark @below {{by estimate 'cuda.sparse_ffn_lora_grouped16' is faster than the ops one by one up to 15 tokens}}
  %h = frit.gelu_and_mul_sparse ins(%l, %u : tensor<?x16384xbf16>, tensor<?x16384xbf16>) outs(%e : tensor<?x16384xbf16>) std_multiplier = 1.64485359 -> tensor<?x16384xbf16>
  %r = frit.matmul ins(%h, %down : tensor<?x16384xbf16>, tensor<16384x2048xbf16>) outs(%y : tensor<?x2048xbf16>) -> tensor<?x2048xbf16>
  return %r : tensor<?x2048xbf16>
}

// A kernel executes nine tokens of many active columns, too, but not faster.
// CHECK-LABEL: func @many
// CHECK-NOT:     frit.sparse_ffn
func.func @many(%x: tensor<9x2048xbf16>, %gate: tensor<16384x2048xbf16>, %up: tensor<16384x2048xbf16>, %down: tensor<16384x2048xbf16>, %e: tensor<9x16384xbf16>, %y: tensor<9x2048xbf16>) -> tensor<9x2048xbf16> {
  %g = frit.matmul ins(%x, %gate : tensor<9x2048xbf16>, tensor<16384x2048xbf16>) outs(%e : tensor<9x16384xbf16>) transpose_b -> tensor<9x16384xbf16>
  %u = frit.matmul ins(%x, %up : tensor<9x2048xbf16>, tensor<16384x2048xbf16>) outs(%e : tensor<9x16384xbf16>) transpose_b -> tensor<9x16384xbf16>
  // expected-remark @below {{there are 9 tokens, and by estimate 'cuda.sparse_ffn_tile16' is faster than the ops one by one up to 3 tokens}}
  %h = frit.gelu_and_mul_sparse ins(%g, %u : tensor<9x16384xbf16>, tensor<9x16384xbf16>) outs(%e : tensor<9x16384xbf16>) std_multiplier = 0.5 -> tensor<9x16384xbf16>
  %r = frit.matmul ins(%h, %down : tensor<9x16384xbf16>, tensor<16384x2048xbf16>) outs(%y : tensor<9x2048xbf16>) -> tensor<9x2048xbf16>
  return %r : tensor<9x2048xbf16>
}

// CHECK-LABEL: func @small
// CHECK-NOT:     frit.sparse_ffn
func.func @small(%x: tensor<1x64xbf16>, %gate: tensor<96x64xbf16>, %up: tensor<96x64xbf16>, %down: tensor<96x64xbf16>, %e: tensor<1x96xbf16>, %y: tensor<1x64xbf16>) -> tensor<1x64xbf16> {
  %g = frit.matmul ins(%x, %gate : tensor<1x64xbf16>, tensor<96x64xbf16>) outs(%e : tensor<1x96xbf16>) transpose_b -> tensor<1x96xbf16>
  %u = frit.matmul ins(%x, %up : tensor<1x64xbf16>, tensor<96x64xbf16>) outs(%e : tensor<1x96xbf16>) transpose_b -> tensor<1x96xbf16>
  // expected-remark @below {{for one token the kernel 'cuda.sparse_ffn_dealt1' is estimated to take 9.7 us, and the ops one by one 5.6 us}}
  %h = frit.gelu_and_mul_sparse ins(%g, %u : tensor<1x96xbf16>, tensor<1x96xbf16>) outs(%e : tensor<1x96xbf16>) std_multiplier = 1.64485359 -> tensor<1x96xbf16>
  %r = frit.matmul ins(%h, %down : tensor<1x96xbf16>, tensor<96x64xbf16>) outs(%y : tensor<1x64xbf16>) -> tensor<1x64xbf16>
  return %r : tensor<1x64xbf16>
}
