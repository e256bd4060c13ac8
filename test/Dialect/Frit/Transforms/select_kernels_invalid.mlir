// RUN: %frit_opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(frit-select-kernels)'

func.func @unknown_kernel(%x: tensor<4x64xf32>, %y: tensor<4x32xf32>) -> tensor<4x32xf32> {
  // expected-error @below {{'frit.act_and_mul' op names kernel 'cuda.gated', but the kernel table has for this op only: 'native.simt', 'native.vector', 'native.linalg'}}
  %0 = frit.act_and_mul silu ins(%x : tensor<4x64xf32>) outs(%y : tensor<4x32xf32>) {frit.kernel = #frit.kernel<"cuda.gated">} -> tensor<4x32xf32>
  return %0 : tensor<4x32xf32>
}

// -----

// Known for other ops is not known for this one.

func.func @kernel_of_another_op(%ids: tensor<4xi32>, %o: tensor<4xi32>, %s: tensor<5xi32>) -> tensor<5xi32> {
  // expected-error @below {{'frit.lora_group' op names kernel 'native.vector', but the kernel table has for this op only: 'native.linalg'}}
  %0:2 = frit.lora_group ins(%ids : tensor<4xi32>) outs(%o, %s : tensor<4xi32>, tensor<5xi32>) {frit.kernel = #frit.kernel<"native.vector">} -> tensor<4xi32>, tensor<5xi32>
  return %0#1 : tensor<5xi32>
}
