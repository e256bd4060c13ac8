// RUN: %frit_opt %s --pass-pipeline='builtin.module(convert-frit-to-simt)' -verify-diagnostics -split-input-file

func.func @tensors(%x: tensor<2x64xf32>, %y: tensor<2x32xf32>) -> tensor<2x32xf32> {
  // expected-error@+1 {{'frit.gelu_and_mul_sparse' op must be on memrefs for kernel "native.simt", but 'out' is 'tensor<2x32xf32>'}}
  %r = frit.gelu_and_mul_sparse ins(%x : tensor<2x64xf32>) outs(%y : tensor<2x32xf32>) std_multiplier = 1.0
    {frit.kernel = #frit.kernel<"native.simt">} -> tensor<2x32xf32>
  return %r : tensor<2x32xf32>
}

// -----

func.func @no_form(%ids: memref<?xi32>, %order: memref<?xi32>, %starts: memref<5xi32>) {
  // expected-error@+1 {{'frit.lora_group' op has no form for kernel "native.simt"}}
  frit.lora_group ins(%ids : memref<?xi32>) outs(%order, %starts : memref<?xi32>, memref<5xi32>)
    {frit.kernel = #frit.kernel<"native.simt">}
  return
}
