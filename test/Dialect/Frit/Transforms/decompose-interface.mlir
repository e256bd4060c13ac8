// RUN: %frit_opt %s --pass-pipeline='builtin.module(transform-interpreter)' -split-input-file | FileCheck %s

// linalg::AggregatedOpInterface: what upstream's own tools use. lora_matmul gives
// its two halves, which keep its kernel.

// c goes to shrink, but to expand for stepwise, where h has the weights' type.

// CHECK-LABEL: func @final
// CHECK-SAME: %[[X:.*]]: tensor<?x64xbf16>, %[[IDS:.*]]: tensor<?xi32>, %[[A:.*]]: tensor<4x8x64xbf16>, %[[B:.*]]: tensor<4x32x8xbf16>, %[[S:.*]]: tensor<4xf32>, %[[Y:.*]]: tensor<?x40xbf16>
// CHECK: %[[T:.*]] = tensor.dim %[[X]], %{{.*}}
// CHECK: %[[EMPTY:.*]] = tensor.empty(%[[T]]) : tensor<1x?x8xf32>
// CHECK: %[[H:.*]] = frit.lora_shrink ins(%[[X]], %[[IDS]] : {{.*}}) weights(%[[A]] : {{.*}}) scales(%[[S]] : {{.*}}) outs(%[[EMPTY]] : {{.*}}) scale = 2.{{0*}}e+00 {frit.kernel = #frit.kernel<"native.linalg">}
// CHECK: %[[R:.*]] = frit.lora_expand ins(%[[H]], %[[IDS]] : {{.*}}) weights(%[[B]] : {{.*}}) outs(%[[Y]] : {{.*}}) offset = 8 rounding = sum {frit.kernel = #frit.kernel<"native.linalg">}
// CHECK: return %[[R]]
func.func @final(%x: tensor<?x64xbf16>, %ids: tensor<?xi32>, %a: tensor<4x8x64xbf16>,
                 %b: tensor<4x32x8xbf16>, %s: tensor<4xf32>, %y: tensor<?x40xbf16>) -> tensor<?x40xbf16> {
  %0 = frit.lora_matmul ins(%x, %ids : tensor<?x64xbf16>, tensor<?xi32>)
      weights(%a, %b : tensor<4x8x64xbf16>, tensor<4x32x8xbf16>) scales(%s : tensor<4xf32>)
      outs(%y : tensor<?x40xbf16>) scale = 2.0 offset = 8 rounding = sum
      {frit.kernel = #frit.kernel<"native.linalg">} -> tensor<?x40xbf16>
  return %0 : tensor<?x40xbf16>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["frit.lora_matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %1 = transform.structured.decompose_interface %0 : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// CHECK-LABEL: func @stepwise
// CHECK-SAME: %[[S:.*]]: tensor<4xf32>, %[[ORDER:.*]]: tensor<?xi32>, %[[STARTS:.*]]: tensor<5xi32>
// CHECK: tensor.empty(%{{.*}}) : tensor<1x?x8xbf16>
// CHECK: frit.lora_shrink
// CHECK-NOT: scales
// CHECK-SAME: grouping(%[[ORDER]], %[[STARTS]]
// CHECK-NOT: scale =
// CHECK: frit.lora_expand {{.*}} scales(%[[S]] : tensor<4xf32>) grouping(%[[ORDER]], %[[STARTS]] : {{.*}}) {{.*}} scale = 2.{{0*}}e+00 rounding = stepwise accumulate = false
func.func @stepwise(%s: tensor<4xf32>, %order: tensor<?xi32>, %starts: tensor<5xi32>, %x: tensor<?x64xbf16>,
                    %ids: tensor<?xi32>, %a: tensor<4x8x64xbf16>, %b: tensor<4x32x8xbf16>,
                    %y: tensor<?x32xbf16>) -> tensor<?x32xbf16> {
  %0 = frit.lora_matmul ins(%x, %ids : tensor<?x64xbf16>, tensor<?xi32>)
      weights(%a, %b : tensor<4x8x64xbf16>, tensor<4x32x8xbf16>) scales(%s : tensor<4xf32>)
      grouping(%order, %starts : tensor<?xi32>, tensor<5xi32>)
      outs(%y : tensor<?x32xbf16>) scale = 2.0 rounding = stepwise accumulate = false -> tensor<?x32xbf16>
  return %0 : tensor<?x32xbf16>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["frit.lora_matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %1 = transform.structured.decompose_interface %0 : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
