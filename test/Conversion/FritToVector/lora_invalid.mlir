// RUN: %frit_opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(convert-frit-to-vector{convert-unselected})'

func.func @tensors(%x: tensor<?x64xf32>, %ids: tensor<?xi32>, %a: tensor<4x8x64xf32>, %h: tensor<1x?x8xf32>) -> tensor<1x?x8xf32> {
  // expected-error@below {{must be on memrefs for kernel "native.vector", but 'out' is 'tensor<1x?x8xf32>'}}
  %r = frit.lora_shrink ins(%x, %ids : tensor<?x64xf32>, tensor<?xi32>) weights(%a : tensor<4x8x64xf32>)
    outs(%h : tensor<1x?x8xf32>) -> tensor<1x?x8xf32>
  return %r : tensor<1x?x8xf32>
}
