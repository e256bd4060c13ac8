// RUN: %frit_opt %s --verify-diagnostics --remarks-filter='frit-group-tokens' --pass-pipeline='builtin.module(frit-group-tokens)'

func.func @f(%x: tensor<8x64xf32>, %ids: tensor<8xi32>, %a: tensor<2x8x64xf32>, %h: tensor<1x8x8xf32>,
             %x1: tensor<1x64xf32>, %id: tensor<1xi32>, %h1: tensor<1x1x8xf32>) -> (tensor<1x8x8xf32>, tensor<1x1x8xf32>) {
  // expected-remark @below {{[Passed] lora_group | Category:frit-group-tokens | Function=f | Remark="tokens are grouped for this op"}}
  %0 = frit.lora_shrink ins(%x, %ids : tensor<8x64xf32>, tensor<8xi32>) weights(%a : tensor<2x8x64xf32>) outs(%h : tensor<1x8x8xf32>) -> tensor<1x8x8xf32>
  // expected-remark @below {{[Passed] lora_group | Category:frit-group-tokens | Function=f | Remark="shares the grouping of an earlier op"}}
  %1 = frit.lora_shrink ins(%x, %ids : tensor<8x64xf32>, tensor<8xi32>) weights(%a : tensor<2x8x64xf32>) outs(%0 : tensor<1x8x8xf32>) -> tensor<1x8x8xf32>
  // expected-remark @below {{[Missed] lora_group | Category:frit-group-tokens | Function=f | Reason="there are at most 1 tokens, and a grouping is given from 2 on"}}
  %2 = frit.lora_shrink ins(%x1, %id : tensor<1x64xf32>, tensor<1xi32>) weights(%a : tensor<2x8x64xf32>) outs(%h1 : tensor<1x1x8xf32>) -> tensor<1x1x8xf32>
  return %1, %2 : tensor<1x8x8xf32>, tensor<1x1x8xf32>
}
