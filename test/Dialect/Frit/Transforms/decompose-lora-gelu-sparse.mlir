// RUN: %frit_opt %s --pass-pipeline='builtin.module(transform-interpreter,canonicalize,cse)' | FileCheck %s

// The two ops that it stands for, with its kernel.

// CHECK-LABEL: func @tensors
// CHECK-SAME: %[[Y:[a-z0-9]+]]: tensor<?x128xbf16>, %[[H:.*]]: tensor<2x?x8xf32>, %[[IDS:.*]]: tensor<?xi32>, %[[B0:.*]]: tensor<4x64x8xbf16>, %[[B1:.*]]: tensor<4x64x8xbf16>, %[[R:.*]]: tensor<2x4xi32>, %[[O:[a-z0-9]+]]: tensor<?xi32>, %[[S:.*]]: tensor<5xi32>, %[[OUT:.*]]: tensor<?x64xbf16>
// CHECK: %[[E:.*]] = frit.lora_expand ins(%[[H]], %[[IDS]] : {{.*}}) weights(%[[B0]], %[[B1]] : {{.*}}) ranks(%[[R]] : {{.*}}) grouping(%[[O]], %[[S]] : {{.*}}) outs(%[[Y]] : tensor<?x128xbf16>) {frit.kernel = #frit.kernel<"native.linalg">}
// CHECK: %[[A:.*]] = frit.gelu_and_mul_sparse ins(%[[E]] : {{.*}}) outs(%[[OUT]] : {{.*}}) std_multiplier = 1.500000e+00 approximate = erf rounding = final correction = 1 {frit.kernel = #frit.kernel<"native.linalg">}
// CHECK: return %[[A]]
func.func @tensors(%y: tensor<?x128xbf16>, %h: tensor<2x?x8xf32>, %ids: tensor<?xi32>, %b0: tensor<4x64x8xbf16>, %b1: tensor<4x64x8xbf16>, %ranks: tensor<2x4xi32>, %order: tensor<?xi32>, %starts: tensor<5xi32>, %out: tensor<?x64xbf16>) -> tensor<?x64xbf16> {
  %0 = frit.lora_gelu_and_mul_sparse ins(%y, %h, %ids : tensor<?x128xbf16>, tensor<2x?x8xf32>, tensor<?xi32>)
      weights(%b0, %b1 : tensor<4x64x8xbf16>, tensor<4x64x8xbf16>) ranks(%ranks : tensor<2x4xi32>)
      grouping(%order, %starts : tensor<?xi32>, tensor<5xi32>) outs(%out : tensor<?x64xbf16>) std_multiplier = 1.5
      approximate = erf rounding = final correction = 1 {frit.kernel = #frit.kernel<"native.linalg">} -> tensor<?x64xbf16>
  return %0 : tensor<?x64xbf16>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["frit.lora_gelu_and_mul_sparse"]} in %root : (!transform.any_op) -> !transform.any_op
    %1 = transform.structured.decompose_interface %0 : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
