// Where the LoRA and the activation stay two ops, and why.
// REQUIRES: cuda-kernels
// RUN: %frit_opt %s --split-input-file --verify-diagnostics --remarks-filter='frit-form-lora-activations' --pass-pipeline='builtin.module(frit-form-lora-activations{target=cuda:sm_90a})' | FileCheck %s

// CHECK-NOT: lora_shrink
// CHECK-NOT: lora_gelu

func.func @few(%x: tensor<767x2048xbf16>, %ids: tensor<767xi32>, %order: tensor<767xi32>, %starts: tensor<5xi32>, %a0: tensor<4x16x2048xbf16>, %b0: tensor<4x16384x16xbf16>, %a1: tensor<4x16x2048xbf16>, %b1: tensor<4x16384x16xbf16>, %y: tensor<767x32768xbf16>, %out: tensor<767x16384xbf16>) -> tensor<767x16384xbf16> {
  %l = frit.lora_matmul ins(%x, %ids : tensor<767x2048xbf16>, tensor<767xi32>)
      weights(%a0, %b0, %a1, %b1 : tensor<4x16x2048xbf16>, tensor<4x16384x16xbf16>, tensor<4x16x2048xbf16>, tensor<4x16384x16xbf16>) grouping(%order, %starts : tensor<767xi32>, tensor<5xi32>) outs(%y : tensor<767x32768xbf16>) -> tensor<767x32768xbf16>
  // expected-remark @below {{policy 'auto' has no kernel for it and the LoRA together on 'cuda:sm_90a'; cuda.lora_gelu_and_mul_sparse: needs T to be at least 768, but T is 767}}
  %r = frit.gelu_and_mul_sparse ins(%l : tensor<767x32768xbf16>) outs(%out : tensor<767x16384xbf16>) std_multiplier = 1.64485359 -> tensor<767x16384xbf16>
  return %r : tensor<767x16384xbf16>
}

// -----

func.func @unknown(%x: tensor<?x2048xbf16>, %ids: tensor<?xi32>, %order: tensor<?xi32>, %starts: tensor<5xi32>, %a0: tensor<4x16x2048xbf16>, %b0: tensor<4x16384x16xbf16>, %a1: tensor<4x16x2048xbf16>, %b1: tensor<4x16384x16xbf16>, %y: tensor<?x32768xbf16>, %out: tensor<?x16384xbf16>) -> tensor<?x16384xbf16> {
  %l = frit.lora_matmul ins(%x, %ids : tensor<?x2048xbf16>, tensor<?xi32>)
      weights(%a0, %b0, %a1, %b1 : tensor<4x16x2048xbf16>, tensor<4x16384x16xbf16>, tensor<4x16x2048xbf16>, tensor<4x16384x16xbf16>) grouping(%order, %starts : tensor<?xi32>, tensor<5xi32>) outs(%y : tensor<?x32768xbf16>) -> tensor<?x32768xbf16>
  // expected-remark @below {{policy 'auto' has no kernel for it and the LoRA together on 'cuda:sm_90a'; cuda.lora_gelu_and_mul_sparse: where the run-time guard holds: T to be at least 768}}
  %r = frit.gelu_and_mul_sparse ins(%l : tensor<?x32768xbf16>) outs(%out : tensor<?x16384xbf16>) std_multiplier = 1.64485359 -> tensor<?x16384xbf16>
  return %r : tensor<?x16384xbf16>
}

// -----

func.func @ungrouped(%x: tensor<1024x2048xbf16>, %ids: tensor<1024xi32>, %order: tensor<1024xi32>, %starts: tensor<5xi32>, %a0: tensor<4x16x2048xbf16>, %b0: tensor<4x16384x16xbf16>, %a1: tensor<4x16x2048xbf16>, %b1: tensor<4x16384x16xbf16>, %y: tensor<1024x32768xbf16>, %out: tensor<1024x16384xbf16>) -> tensor<1024x16384xbf16> {
  %l = frit.lora_matmul ins(%x, %ids : tensor<1024x2048xbf16>, tensor<1024xi32>)
      weights(%a0, %b0, %a1, %b1 : tensor<4x16x2048xbf16>, tensor<4x16384x16xbf16>, tensor<4x16x2048xbf16>, tensor<4x16384x16xbf16>) outs(%y : tensor<1024x32768xbf16>) -> tensor<1024x32768xbf16>
  // expected-remark @below {{policy 'auto' has no kernel for it and the LoRA together on 'cuda:sm_90a'; cuda.lora_gelu_and_mul_sparse: needs a grouping by adapter, but there is none}}
  %r = frit.gelu_and_mul_sparse ins(%l : tensor<1024x32768xbf16>) outs(%out : tensor<1024x16384xbf16>) std_multiplier = 1.64485359 -> tensor<1024x16384xbf16>
  return %r : tensor<1024x16384xbf16>
}

// -----

func.func @columns(%x: tensor<1024x2048xbf16>, %ids: tensor<1024xi32>, %order: tensor<1024xi32>, %starts: tensor<5xi32>, %a0: tensor<4x16x2048xbf16>, %b0: tensor<4x10000x16xbf16>, %a1: tensor<4x16x2048xbf16>, %b1: tensor<4x10000x16xbf16>, %y: tensor<1024x20000xbf16>, %out: tensor<1024x10000xbf16>) -> tensor<1024x10000xbf16> {
  %l = frit.lora_matmul ins(%x, %ids : tensor<1024x2048xbf16>, tensor<1024xi32>)
      weights(%a0, %b0, %a1, %b1 : tensor<4x16x2048xbf16>, tensor<4x10000x16xbf16>, tensor<4x16x2048xbf16>, tensor<4x10000x16xbf16>) grouping(%order, %starts : tensor<1024xi32>, tensor<5xi32>) outs(%y : tensor<1024x20000xbf16>) -> tensor<1024x20000xbf16>
  // expected-remark @below {{policy 'auto' has no kernel for it and the LoRA together on 'cuda:sm_90a'; cuda.lora_gelu_and_mul_sparse: needs d to be known, a multiple of 2048 from 12288 to 32768, but d is 10000}}
  %r = frit.gelu_and_mul_sparse ins(%l : tensor<1024x20000xbf16>) outs(%out : tensor<1024x10000xbf16>) std_multiplier = 1.64485359 -> tensor<1024x10000xbf16>
  return %r : tensor<1024x10000xbf16>
}

// -----

func.func @narrow(%x: tensor<1024x2048xbf16>, %ids: tensor<1024xi32>, %order: tensor<1024xi32>, %starts: tensor<5xi32>, %a0: tensor<4x16x2048xbf16>, %b0: tensor<4x8192x16xbf16>, %a1: tensor<4x16x2048xbf16>, %b1: tensor<4x8192x16xbf16>, %y: tensor<1024x16384xbf16>, %out: tensor<1024x8192xbf16>) -> tensor<1024x8192xbf16> {
  %l = frit.lora_matmul ins(%x, %ids : tensor<1024x2048xbf16>, tensor<1024xi32>)
      weights(%a0, %b0, %a1, %b1 : tensor<4x16x2048xbf16>, tensor<4x8192x16xbf16>, tensor<4x16x2048xbf16>, tensor<4x8192x16xbf16>) grouping(%order, %starts : tensor<1024xi32>, tensor<5xi32>) outs(%y : tensor<1024x16384xbf16>) -> tensor<1024x16384xbf16>
  // expected-remark @below {{policy 'auto' has no kernel for it and the LoRA together on 'cuda:sm_90a'; cuda.lora_gelu_and_mul_sparse: needs d to be known, a multiple of 2048 from 12288 to 32768, but d is 8192}}
  %r = frit.gelu_and_mul_sparse ins(%l : tensor<1024x16384xbf16>) outs(%out : tensor<1024x8192xbf16>) std_multiplier = 1.64485359 -> tensor<1024x8192xbf16>
  return %r : tensor<1024x8192xbf16>
}

// -----

func.func @ranks(%x: tensor<1024x2048xbf16>, %ids: tensor<1024xi32>, %order: tensor<1024xi32>, %starts: tensor<5xi32>, %a0: tensor<4x32x2048xbf16>, %b0: tensor<4x16384x32xbf16>, %a1: tensor<4x32x2048xbf16>, %b1: tensor<4x16384x32xbf16>, %y: tensor<1024x32768xbf16>, %out: tensor<1024x16384xbf16>) -> tensor<1024x16384xbf16> {
  %l = frit.lora_matmul ins(%x, %ids : tensor<1024x2048xbf16>, tensor<1024xi32>)
      weights(%a0, %b0, %a1, %b1 : tensor<4x32x2048xbf16>, tensor<4x16384x32xbf16>, tensor<4x32x2048xbf16>, tensor<4x16384x32xbf16>) grouping(%order, %starts : tensor<1024xi32>, tensor<5xi32>) outs(%y : tensor<1024x32768xbf16>) -> tensor<1024x32768xbf16>
  // expected-remark @below {{policy 'auto' has no kernel for it and the LoRA together on 'cuda:sm_90a'; cuda.lora_gelu_and_mul_sparse: needs R to be at most 16, but R is 32}}
  %r = frit.gelu_and_mul_sparse ins(%l : tensor<1024x32768xbf16>) outs(%out : tensor<1024x16384xbf16>) std_multiplier = 1.64485359 -> tensor<1024x16384xbf16>
  return %r : tensor<1024x16384xbf16>
}

// -----

func.func @type(%x: tensor<1024x2048xf16>, %ids: tensor<1024xi32>, %order: tensor<1024xi32>, %starts: tensor<5xi32>, %a0: tensor<4x16x2048xf16>, %b0: tensor<4x16384x16xf16>, %a1: tensor<4x16x2048xf16>, %b1: tensor<4x16384x16xf16>, %y: tensor<1024x32768xf16>, %out: tensor<1024x16384xf16>) -> tensor<1024x16384xf16> {
  %l = frit.lora_matmul ins(%x, %ids : tensor<1024x2048xf16>, tensor<1024xi32>)
      weights(%a0, %b0, %a1, %b1 : tensor<4x16x2048xf16>, tensor<4x16384x16xf16>, tensor<4x16x2048xf16>, tensor<4x16384x16xf16>) grouping(%order, %starts : tensor<1024xi32>, tensor<5xi32>) outs(%y : tensor<1024x32768xf16>) -> tensor<1024x32768xf16>
  // expected-remark @below {{policy 'auto' has no kernel for it and the LoRA together on 'cuda:sm_90a'; cuda.lora_gelu_and_mul_sparse: takes bf16, but the element type is f16}}
  %r = frit.gelu_and_mul_sparse ins(%l : tensor<1024x32768xf16>) outs(%out : tensor<1024x16384xf16>) std_multiplier = 1.64485359 -> tensor<1024x16384xf16>
  return %r : tensor<1024x16384xf16>
}

// -----

func.func @form(%x: tensor<1024x2048xbf16>, %ids: tensor<1024xi32>, %order: tensor<1024xi32>, %starts: tensor<5xi32>, %a0: tensor<4x16x2048xbf16>, %b0: tensor<4x16384x16xbf16>, %a1: tensor<4x16x2048xbf16>, %b1: tensor<4x16384x16xbf16>, %y: tensor<1024x32768xbf16>, %out: tensor<1024x16384xbf16>) -> tensor<1024x16384xbf16> {
  %l = frit.lora_matmul ins(%x, %ids : tensor<1024x2048xbf16>, tensor<1024xi32>)
      weights(%a0, %b0, %a1, %b1 : tensor<4x16x2048xbf16>, tensor<4x16384x16xbf16>, tensor<4x16x2048xbf16>, tensor<4x16384x16xbf16>) grouping(%order, %starts : tensor<1024xi32>, tensor<5xi32>) outs(%y : tensor<1024x32768xbf16>) -> tensor<1024x32768xbf16>
  // expected-remark @below {{policy 'auto' has no kernel for it and the LoRA together on 'cuda:sm_90a'; cuda.lora_gelu_and_mul_sparse: needs rounding stepwise and approximate tanh, but they are stepwise and erf}}
  %r = frit.gelu_and_mul_sparse ins(%l : tensor<1024x32768xbf16>) outs(%out : tensor<1024x16384xbf16>) std_multiplier = 1.64485359 approximate = erf -> tensor<1024x16384xbf16>
  return %r : tensor<1024x16384xbf16>
}

// -----

func.func @final(%x: tensor<1024x2048xbf16>, %ids: tensor<1024xi32>, %order: tensor<1024xi32>, %starts: tensor<5xi32>, %a0: tensor<4x16x2048xbf16>, %b0: tensor<4x16384x16xbf16>, %a1: tensor<4x16x2048xbf16>, %b1: tensor<4x16384x16xbf16>, %y: tensor<1024x32768xbf16>, %out: tensor<1024x16384xbf16>) -> tensor<1024x16384xbf16> {
  %l = frit.lora_matmul ins(%x, %ids : tensor<1024x2048xbf16>, tensor<1024xi32>)
      weights(%a0, %b0, %a1, %b1 : tensor<4x16x2048xbf16>, tensor<4x16384x16xbf16>, tensor<4x16x2048xbf16>, tensor<4x16384x16xbf16>) grouping(%order, %starts : tensor<1024xi32>, tensor<5xi32>) outs(%y : tensor<1024x32768xbf16>) -> tensor<1024x32768xbf16>
  // expected-remark @below {{policy 'auto' has no kernel for it and the LoRA together on 'cuda:sm_90a'; cuda.lora_gelu_and_mul_sparse: needs rounding stepwise and approximate tanh, but they are final and tanh}}
  %r = frit.gelu_and_mul_sparse ins(%l : tensor<1024x32768xbf16>) outs(%out : tensor<1024x16384xbf16>) std_multiplier = 1.64485359 rounding = final -> tensor<1024x16384xbf16>
  return %r : tensor<1024x16384xbf16>
}

// -----

func.func @summands(%x: tensor<1024x128xbf16>, %ids: tensor<1024xi32>, %order: tensor<1024xi32>, %starts: tensor<5xi32>, %a0: tensor<4x16x128xbf16>, %b0: tensor<4x16384x16xbf16>, %a1: tensor<4x16x128xbf16>, %b1: tensor<4x16384x16xbf16>, %y: tensor<1024x32768xbf16>, %out: tensor<1024x16384xbf16>) -> tensor<1024x16384xbf16> {
  %l = frit.lora_matmul ins(%x, %ids : tensor<1024x128xbf16>, tensor<1024xi32>)
      weights(%a0, %b0, %a1, %b1 : tensor<4x16x128xbf16>, tensor<4x16384x16xbf16>, tensor<4x16x128xbf16>, tensor<4x16384x16xbf16>) grouping(%order, %starts : tensor<1024xi32>, tensor<5xi32>) outs(%y : tensor<1024x32768xbf16>) -> tensor<1024x32768xbf16>
  // expected-remark @below {{the LoRA is not known to sum 144 products or more}}
  %r = frit.gelu_and_mul_sparse ins(%l : tensor<1024x32768xbf16>) outs(%out : tensor<1024x16384xbf16>) std_multiplier = 1.64485359 -> tensor<1024x16384xbf16>
  return %r : tensor<1024x16384xbf16>
}

// -----

func.func @summands_unknown(%x: tensor<1024x?xbf16>, %ids: tensor<1024xi32>, %order: tensor<1024xi32>, %starts: tensor<5xi32>, %a0: tensor<4x16x?xbf16>, %b0: tensor<4x16384x16xbf16>, %a1: tensor<4x16x?xbf16>, %b1: tensor<4x16384x16xbf16>, %y: tensor<1024x32768xbf16>, %out: tensor<1024x16384xbf16>) -> tensor<1024x16384xbf16> {
  %l = frit.lora_matmul ins(%x, %ids : tensor<1024x?xbf16>, tensor<1024xi32>)
      weights(%a0, %b0, %a1, %b1 : tensor<4x16x?xbf16>, tensor<4x16384x16xbf16>, tensor<4x16x?xbf16>, tensor<4x16384x16xbf16>) grouping(%order, %starts : tensor<1024xi32>, tensor<5xi32>) outs(%y : tensor<1024x32768xbf16>) -> tensor<1024x32768xbf16>
  // expected-remark @below {{the LoRA is not known to sum 144 products or more}}
  %r = frit.gelu_and_mul_sparse ins(%l : tensor<1024x32768xbf16>) outs(%out : tensor<1024x16384xbf16>) std_multiplier = 1.64485359 -> tensor<1024x16384xbf16>
  return %r : tensor<1024x16384xbf16>
}

// -----

func.func @rounding(%x: tensor<1024x2048xbf16>, %ids: tensor<1024xi32>, %order: tensor<1024xi32>, %starts: tensor<5xi32>, %a0: tensor<4x16x2048xbf16>, %b0: tensor<4x16384x16xbf16>, %a1: tensor<4x16x2048xbf16>, %b1: tensor<4x16384x16xbf16>, %y: tensor<1024x32768xbf16>, %out: tensor<1024x16384xbf16>) -> tensor<1024x16384xbf16> {
  %l = frit.lora_matmul ins(%x, %ids : tensor<1024x2048xbf16>, tensor<1024xi32>)
      weights(%a0, %b0, %a1, %b1 : tensor<4x16x2048xbf16>, tensor<4x16384x16xbf16>, tensor<4x16x2048xbf16>, tensor<4x16384x16xbf16>) grouping(%order, %starts : tensor<1024xi32>, tensor<5xi32>) outs(%y : tensor<1024x32768xbf16>) rounding = sum -> tensor<1024x32768xbf16>
  // expected-remark @below {{the LoRA does not round its sum with the matmul's result alone}}
  %r = frit.gelu_and_mul_sparse ins(%l : tensor<1024x32768xbf16>) outs(%out : tensor<1024x16384xbf16>) std_multiplier = 1.64485359 -> tensor<1024x16384xbf16>
  return %r : tensor<1024x16384xbf16>
}

// -----

func.func @stepwise(%x: tensor<1024x2048xbf16>, %ids: tensor<1024xi32>, %order: tensor<1024xi32>, %starts: tensor<5xi32>, %a0: tensor<4x16x2048xbf16>, %b0: tensor<4x16384x16xbf16>, %a1: tensor<4x16x2048xbf16>, %b1: tensor<4x16384x16xbf16>, %y: tensor<1024x32768xbf16>, %out: tensor<1024x16384xbf16>) -> tensor<1024x16384xbf16> {
  %l = frit.lora_matmul ins(%x, %ids : tensor<1024x2048xbf16>, tensor<1024xi32>)
      weights(%a0, %b0, %a1, %b1 : tensor<4x16x2048xbf16>, tensor<4x16384x16xbf16>, tensor<4x16x2048xbf16>, tensor<4x16384x16xbf16>) grouping(%order, %starts : tensor<1024xi32>, tensor<5xi32>) outs(%y : tensor<1024x32768xbf16>) rounding = stepwise -> tensor<1024x32768xbf16>
  // expected-remark @below {{the LoRA does not round its sum with the matmul's result alone}}
  %r = frit.gelu_and_mul_sparse ins(%l : tensor<1024x32768xbf16>) outs(%out : tensor<1024x16384xbf16>) std_multiplier = 1.64485359 -> tensor<1024x16384xbf16>
  return %r : tensor<1024x16384xbf16>
}

// -----

func.func @intermediate(%x: tensor<1024x2048xbf16>, %ids: tensor<1024xi32>, %order: tensor<1024xi32>, %starts: tensor<5xi32>, %a0: tensor<4x16x2048xbf16>, %b0: tensor<4x16384x16xbf16>, %a1: tensor<4x16x2048xbf16>, %b1: tensor<4x16384x16xbf16>, %y: tensor<1024x32768xbf16>, %out: tensor<1024x16384xbf16>) -> tensor<1024x16384xbf16> {
  %l = frit.lora_matmul ins(%x, %ids : tensor<1024x2048xbf16>, tensor<1024xi32>)
      weights(%a0, %b0, %a1, %b1 : tensor<4x16x2048xbf16>, tensor<4x16384x16xbf16>, tensor<4x16x2048xbf16>, tensor<4x16384x16xbf16>) grouping(%order, %starts : tensor<1024xi32>, tensor<5xi32>) outs(%y : tensor<1024x32768xbf16>) intermediate = element -> tensor<1024x32768xbf16>
  // expected-remark @below {{the LoRA does not round its sum with the matmul's result alone}}
  %r = frit.gelu_and_mul_sparse ins(%l : tensor<1024x32768xbf16>) outs(%out : tensor<1024x16384xbf16>) std_multiplier = 1.64485359 -> tensor<1024x16384xbf16>
  return %r : tensor<1024x16384xbf16>
}

// -----

func.func @replaces(%x: tensor<1024x2048xbf16>, %ids: tensor<1024xi32>, %order: tensor<1024xi32>, %starts: tensor<5xi32>, %a0: tensor<4x16x2048xbf16>, %b0: tensor<4x16384x16xbf16>, %a1: tensor<4x16x2048xbf16>, %b1: tensor<4x16384x16xbf16>, %y: tensor<1024x32768xbf16>, %out: tensor<1024x16384xbf16>) -> tensor<1024x16384xbf16> {
  %l = frit.lora_matmul ins(%x, %ids : tensor<1024x2048xbf16>, tensor<1024xi32>)
      weights(%a0, %b0, %a1, %b1 : tensor<4x16x2048xbf16>, tensor<4x16384x16xbf16>, tensor<4x16x2048xbf16>, tensor<4x16384x16xbf16>) grouping(%order, %starts : tensor<1024xi32>, tensor<5xi32>) outs(%y : tensor<1024x32768xbf16>) accumulate = false -> tensor<1024x32768xbf16>
  // expected-remark @below {{the LoRA does not round its sum with the matmul's result alone}}
  %r = frit.gelu_and_mul_sparse ins(%l : tensor<1024x32768xbf16>) outs(%out : tensor<1024x16384xbf16>) std_multiplier = 1.64485359 -> tensor<1024x16384xbf16>
  return %r : tensor<1024x16384xbf16>
}

// -----

func.func @slices(%x: tensor<1024x2048xbf16>, %ids: tensor<1024xi32>, %order: tensor<1024xi32>, %starts: tensor<5xi32>, %a0: tensor<4x16x2048xbf16>, %b0: tensor<4x16384x16xbf16>, %a1: tensor<4x16x2048xbf16>, %b1: tensor<4x8192x16xbf16>, %y: tensor<1024x32768xbf16>, %out: tensor<1024x16384xbf16>) -> tensor<1024x16384xbf16> {
  %l = frit.lora_matmul ins(%x, %ids : tensor<1024x2048xbf16>, tensor<1024xi32>)
      weights(%a0, %b0, %a1, %b1 : tensor<4x16x2048xbf16>, tensor<4x16384x16xbf16>, tensor<4x16x2048xbf16>, tensor<4x8192x16xbf16>) grouping(%order, %starts : tensor<1024xi32>, tensor<5xi32>) outs(%y : tensor<1024x32768xbf16>) -> tensor<1024x32768xbf16>
  // expected-remark @below {{the LoRA's slices are not known to be gate and up}}
  %r = frit.gelu_and_mul_sparse ins(%l : tensor<1024x32768xbf16>) outs(%out : tensor<1024x16384xbf16>) std_multiplier = 1.64485359 -> tensor<1024x16384xbf16>
  return %r : tensor<1024x16384xbf16>
}

// -----

func.func @readers(%x: tensor<1024x2048xbf16>, %ids: tensor<1024xi32>, %order: tensor<1024xi32>, %starts: tensor<5xi32>, %a0: tensor<4x16x2048xbf16>, %b0: tensor<4x16384x16xbf16>, %a1: tensor<4x16x2048xbf16>, %b1: tensor<4x16384x16xbf16>, %y: tensor<1024x32768xbf16>, %out: tensor<1024x16384xbf16>) -> (tensor<1024x16384xbf16>, tensor<1024x32768xbf16>) {
  %l = frit.lora_matmul ins(%x, %ids : tensor<1024x2048xbf16>, tensor<1024xi32>)
      weights(%a0, %b0, %a1, %b1 : tensor<4x16x2048xbf16>, tensor<4x16384x16xbf16>, tensor<4x16x2048xbf16>, tensor<4x16384x16xbf16>) grouping(%order, %starts : tensor<1024xi32>, tensor<5xi32>) outs(%y : tensor<1024x32768xbf16>) -> tensor<1024x32768xbf16>
  // expected-remark @below {{what the LoRA adds to has other readers}}
  %r = frit.gelu_and_mul_sparse ins(%l : tensor<1024x32768xbf16>) outs(%out : tensor<1024x16384xbf16>) std_multiplier = 1.64485359 -> tensor<1024x16384xbf16>
  return %r, %l : tensor<1024x16384xbf16>, tensor<1024x32768xbf16>
}

// -----

func.func @apart(%g: tensor<1024x16384xbf16>, %u: tensor<1024x16384xbf16>, %out: tensor<1024x16384xbf16>) -> tensor<1024x16384xbf16> {
  // expected-remark @below {{gate and up are two operands}}
  %r = frit.gelu_and_mul_sparse ins(%g, %u : tensor<1024x16384xbf16>, tensor<1024x16384xbf16>) outs(%out : tensor<1024x16384xbf16>) std_multiplier = 1.64485359 -> tensor<1024x16384xbf16>
  return %r : tensor<1024x16384xbf16>
}

// -----

func.func @alone(%y: tensor<1024x32768xbf16>, %out: tensor<1024x16384xbf16>) -> tensor<1024x16384xbf16> {
  // expected-remark @below {{its input is not the result of a LoRA beside it}}
  %r = frit.gelu_and_mul_sparse ins(%y : tensor<1024x32768xbf16>) outs(%out : tensor<1024x16384xbf16>) std_multiplier = 1.64485359 -> tensor<1024x16384xbf16>
  return %r : tensor<1024x16384xbf16>
}
