// Constants that hold no infinity and no NaN need no assumption.
//
// RUN: frit-test-opt %s --split-input-file --verify-diagnostics --remarks-filter='frit-form-sparse-ffn' --pass-pipeline='builtin.module(frit-form-sparse-ffn)' | FileCheck %s
// UNSUPPORTED: plugin

// CHECK-LABEL: func @finite
// CHECK: frit.sparse_ffn
func.func @finite(%x: tensor<1x64xbf16>, %gate: tensor<96x64xbf16>, %e: tensor<1x96xbf16>, %y: tensor<1x64xbf16>) -> tensor<1x64xbf16> {
  %up = arith.constant dense<0.5> : tensor<96x64xbf16>
  %down = arith.constant dense<-2.0e+38> : tensor<96x64xbf16>
  %g = frit.matmul ins(%x, %gate : tensor<1x64xbf16>, tensor<96x64xbf16>) outs(%e : tensor<1x96xbf16>) transpose_b -> tensor<1x96xbf16>
  %u = frit.matmul ins(%x, %up : tensor<1x64xbf16>, tensor<96x64xbf16>) outs(%e : tensor<1x96xbf16>) transpose_b -> tensor<1x96xbf16>
  // expected-remark @below {{; its weights are constants and finite}}
  %h = frit.gelu_and_mul_sparse ins(%g, %u : tensor<1x96xbf16>, tensor<1x96xbf16>) outs(%e : tensor<1x96xbf16>) std_multiplier = 1.5 -> tensor<1x96xbf16>
  %r = frit.matmul ins(%h, %down : tensor<1x96xbf16>, tensor<96x64xbf16>) outs(%y : tensor<1x64xbf16>) -> tensor<1x64xbf16>
  return %r : tensor<1x64xbf16>
}

// -----

// CHECK-LABEL: func @f32
// CHECK: frit.sparse_ffn
func.func @f32(%x: tensor<1x64xf32>, %gate: tensor<96x64xf32>, %e: tensor<1x96xf32>, %y: tensor<1x64xf32>) -> tensor<1x64xf32> {
  %up = arith.constant dense<0.5> : tensor<96x64xf32>
  %down = arith.constant dense<3.0e+38> : tensor<96x64xf32>
  %g = frit.matmul ins(%x, %gate : tensor<1x64xf32>, tensor<96x64xf32>) outs(%e : tensor<1x96xf32>) transpose_b -> tensor<1x96xf32>
  %u = frit.matmul ins(%x, %up : tensor<1x64xf32>, tensor<96x64xf32>) outs(%e : tensor<1x96xf32>) transpose_b -> tensor<1x96xf32>
  // expected-remark @below {{; its weights are constants and finite}}
  %h = frit.gelu_and_mul_sparse ins(%g, %u : tensor<1x96xf32>, tensor<1x96xf32>) outs(%e : tensor<1x96xf32>) std_multiplier = 1.5 -> tensor<1x96xf32>
  %r = frit.matmul ins(%h, %down : tensor<1x96xf32>, tensor<96x64xf32>) outs(%y : tensor<1x64xf32>) -> tensor<1x64xf32>
  return %r : tensor<1x64xf32>
}

// -----

// CHECK-LABEL: func @infinite_up
// CHECK-NOT: frit.sparse_ffn
func.func @infinite_up(%x: tensor<1x64xbf16>, %gate: tensor<96x64xbf16>, %e: tensor<1x96xbf16>, %y: tensor<1x64xbf16>) -> tensor<1x64xbf16> {
  %up = arith.constant dense<0x7F80> : tensor<96x64xbf16>
  %down = arith.constant dense<0.5> : tensor<96x64xbf16>
  %g = frit.matmul ins(%x, %gate : tensor<1x64xbf16>, tensor<96x64xbf16>) outs(%e : tensor<1x96xbf16>) transpose_b -> tensor<1x96xbf16>
  %u = frit.matmul ins(%x, %up : tensor<1x64xbf16>, tensor<96x64xbf16>) outs(%e : tensor<1x96xbf16>) transpose_b -> tensor<1x96xbf16>
  // expected-remark @below {{the weights of up hold an infinity or NaN}}
  %h = frit.gelu_and_mul_sparse ins(%g, %u : tensor<1x96xbf16>, tensor<1x96xbf16>) outs(%e : tensor<1x96xbf16>) std_multiplier = 1.5 -> tensor<1x96xbf16>
  %r = frit.matmul ins(%h, %down : tensor<1x96xbf16>, tensor<96x64xbf16>) outs(%y : tensor<1x64xbf16>) -> tensor<1x64xbf16>
  return %r : tensor<1x64xbf16>
}

// -----

// CHECK-LABEL: func @nan_down
// CHECK-NOT: frit.sparse_ffn
func.func @nan_down(%x: tensor<1x64xf32>, %gate: tensor<96x64xf32>, %e: tensor<1x96xf32>, %y: tensor<1x64xf32>) -> tensor<1x64xf32> {
  %up = arith.constant dense<0.5> : tensor<96x64xf32>
  %down = arith.constant dense<0xFFC00001> : tensor<96x64xf32>
  %g = frit.matmul ins(%x, %gate : tensor<1x64xf32>, tensor<96x64xf32>) outs(%e : tensor<1x96xf32>) transpose_b -> tensor<1x96xf32>
  %u = frit.matmul ins(%x, %up : tensor<1x64xf32>, tensor<96x64xf32>) outs(%e : tensor<1x96xf32>) transpose_b -> tensor<1x96xf32>
  // expected-remark @below {{the weights of down hold an infinity or NaN}}
  %h = frit.gelu_and_mul_sparse ins(%g, %u : tensor<1x96xf32>, tensor<1x96xf32>) outs(%e : tensor<1x96xf32>) std_multiplier = 1.5 -> tensor<1x96xf32>
  %r = frit.matmul ins(%h, %down : tensor<1x96xf32>, tensor<96x64xf32>) outs(%y : tensor<1x64xf32>) -> tensor<1x64xf32>
  return %r : tensor<1x64xf32>
}

// -----

// CHECK-LABEL: func @half
// CHECK-NOT: frit.sparse_ffn
func.func @half(%x: tensor<1x64xf16>, %gate: tensor<96x64xf16>, %e: tensor<1x96xf16>, %y: tensor<1x64xf16>) -> tensor<1x64xf16> {
  %up = arith.constant dense<0.5> : tensor<96x64xf16>
  %down = arith.constant dense<0.5> : tensor<96x64xf16>
  %g = frit.matmul ins(%x, %gate : tensor<1x64xf16>, tensor<96x64xf16>) outs(%e : tensor<1x96xf16>) transpose_b -> tensor<1x96xf16>
  %u = frit.matmul ins(%x, %up : tensor<1x64xf16>, tensor<96x64xf16>) outs(%e : tensor<1x96xf16>) transpose_b -> tensor<1x96xf16>
  // expected-remark @below {{in f16 up may overflow, whatever its weights are; the option assume-finite-weights says that it does not}}
  %h = frit.gelu_and_mul_sparse ins(%g, %u : tensor<1x96xf16>, tensor<1x96xf16>) outs(%e : tensor<1x96xf16>) std_multiplier = 1.5 -> tensor<1x96xf16>
  %r = frit.matmul ins(%h, %down : tensor<1x96xf16>, tensor<96x64xf16>) outs(%y : tensor<1x64xf16>) -> tensor<1x64xf16>
  return %r : tensor<1x64xf16>
}

// -----

// The last element of a resource.
// CHECK-LABEL: func @last_element
// CHECK-NOT: frit.sparse_ffn
func.func @last_element(%x: tensor<1x64xf32>, %gate: tensor<2x64xf32>, %up: tensor<2x64xf32>, %e: tensor<1x2xf32>, %y: tensor<1x64xf32>) -> tensor<1x64xf32> {
  %cst = arith.constant dense_resource<weights> : tensor<2x64xf32>
  %g = frit.matmul ins(%x, %gate : tensor<1x64xf32>, tensor<2x64xf32>) outs(%e : tensor<1x2xf32>) transpose_b -> tensor<1x2xf32>
  %u = frit.matmul ins(%x, %cst : tensor<1x64xf32>, tensor<2x64xf32>) outs(%e : tensor<1x2xf32>) transpose_b -> tensor<1x2xf32>
  // expected-remark @below {{the weights of up hold an infinity or NaN}}
  %h = frit.gelu_and_mul_sparse ins(%g, %u : tensor<1x2xf32>, tensor<1x2xf32>) outs(%e : tensor<1x2xf32>) std_multiplier = 1.5 -> tensor<1x2xf32>
  %r = frit.matmul ins(%h, %cst : tensor<1x2xf32>, tensor<2x64xf32>) outs(%y : tensor<1x64xf32>) -> tensor<1x64xf32>
  return %r : tensor<1x64xf32>
}

{-#
  dialect_resources: {
    builtin: {
      weights: "0x400000000000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000803F0000807F"
    }
  }
#-}

// -----

// An argument is known to no one.
func.func @argument(%x: tensor<1x64xbf16>, %gate: tensor<96x64xbf16>, %down: tensor<96x64xbf16>, %e: tensor<1x96xbf16>, %y: tensor<1x64xbf16>) -> tensor<1x64xbf16> {
  %up = arith.constant dense<0.5> : tensor<96x64xbf16>
  %g = frit.matmul ins(%x, %gate : tensor<1x64xbf16>, tensor<96x64xbf16>) outs(%e : tensor<1x96xbf16>) transpose_b -> tensor<1x96xbf16>
  %u = frit.matmul ins(%x, %up : tensor<1x64xbf16>, tensor<96x64xbf16>) outs(%e : tensor<1x96xbf16>) transpose_b -> tensor<1x96xbf16>
  // expected-remark @below {{the weights of down are no constant, and not known to be finite; the option assume-finite-weights says that they are}}
  %h = frit.gelu_and_mul_sparse ins(%g, %u : tensor<1x96xbf16>, tensor<1x96xbf16>) outs(%e : tensor<1x96xbf16>) std_multiplier = 1.5 -> tensor<1x96xbf16>
  %r = frit.matmul ins(%h, %down : tensor<1x96xbf16>, tensor<96x64xbf16>) outs(%y : tensor<1x64xbf16>) -> tensor<1x64xbf16>
  return %r : tensor<1x64xbf16>
}
