// The LoRAs of gate and up are expanded inside the activation where the target has a kernel for the two.
// REQUIRES: cuda-kernels
// RUN: %frit_opt %s --split-input-file --verify-diagnostics --remarks-filter='frit-form-lora-activations' --pass-pipeline='builtin.module(frit-form-lora-activations{target=cuda:sm_90a})' | FileCheck %s
// RUN: %frit_opt %s --split-input-file --pass-pipeline='builtin.module(frit-form-lora-activations)' | FileCheck %s --check-prefix=CPU
// RUN: %frit_opt %s --split-input-file --pass-pipeline='builtin.module(frit-form-lora-activations{target=cuda:sm_90a policy=batch-invariant})' | FileCheck %s --check-prefix=CPU

// CPU-NOT: lora_shrink
// CPU-NOT: lora_gelu

// CHECK-LABEL: func @wide
// CHECK-SAME: %[[X:.*]]: tensor<1024x2048xbf16>, %[[IDS:.*]]: tensor<1024xi32>, %[[O:.*]]: tensor<1024xi32>, %[[S:.*]]: tensor<5xi32>, %[[A0:.*]]: tensor<4x16x2048xbf16>, %[[B0:.*]]: tensor<4x16384x16xbf16>, %[[A1:.*]]: tensor<4x16x2048xbf16>, %[[B1:.*]]: tensor<4x16384x16xbf16>, %[[Y:.*]]: tensor<1024x32768xbf16>, %[[OUT:.*]]: tensor<1024x16384xbf16>
// CHECK: %[[E:.*]] = tensor.empty() : tensor<2x1024x16xf32>
// CHECK: %[[H:.*]] = frit.lora_shrink ins(%[[X]], %[[IDS]] : {{.*}}) weights(%[[A0]], %[[A1]] : {{.*}}) grouping(%[[O]], %[[S]] : {{.*}}) outs(%[[E]] : {{.*}}) scale = 2.000000e+00
// CHECK: %[[R:.*]] = frit.lora_gelu_and_mul_sparse ins(%[[Y]], %[[H]], %[[IDS]] : {{.*}}) weights(%[[B0]], %[[B1]] : {{.*}}) grouping(%[[O]], %[[S]] : {{.*}}) outs(%[[OUT]] : {{.*}}) std_multiplier = 1.64485359 correction = 1
// CHECK-NOT: frit.
// CHECK: return %[[R]]
func.func @wide(%x: tensor<1024x2048xbf16>, %ids: tensor<1024xi32>, %order: tensor<1024xi32>, %starts: tensor<5xi32>, %a0: tensor<4x16x2048xbf16>, %b0: tensor<4x16384x16xbf16>, %a1: tensor<4x16x2048xbf16>, %b1: tensor<4x16384x16xbf16>, %y: tensor<1024x32768xbf16>, %out: tensor<1024x16384xbf16>) -> tensor<1024x16384xbf16> {
  %l = frit.lora_matmul ins(%x, %ids : tensor<1024x2048xbf16>, tensor<1024xi32>)
      weights(%a0, %b0, %a1, %b1 : tensor<4x16x2048xbf16>, tensor<4x16384x16xbf16>, tensor<4x16x2048xbf16>, tensor<4x16384x16xbf16>) grouping(%order, %starts : tensor<1024xi32>, tensor<5xi32>) outs(%y : tensor<1024x32768xbf16>) scale = 2.0 -> tensor<1024x32768xbf16>
  // expected-remark @below {{is one op with the LoRA before it: 'cuda.lora_gelu_and_mul_sparse'}}
  %r = frit.gelu_and_mul_sparse ins(%l : tensor<1024x32768xbf16>) outs(%out : tensor<1024x16384xbf16>) std_multiplier = 1.64485359 correction = 1 -> tensor<1024x16384xbf16>
  return %r : tensor<1024x16384xbf16>
}
