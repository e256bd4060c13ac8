// RUN: frit-test-opt %s --split-input-file --verify-diagnostics --remarks-filter='frit-select-kernels' --pass-pipeline='builtin.module(frit-select-kernels)'
// UNSUPPORTED: plugin

// Every candidate is named: what was picked, and for each other the reason.

func.func @wrong_type(%x: tensor<4x64xf32>, %y: tensor<4x32xf32>) -> tensor<4x32xf32> {
  // expected-remark @below {{[Missed] test.tanh_only | Category:frit-select-kernels | Function=wrong_type | Reason="needs approximate to be tanh, but it is erf"}}
  // expected-remark @below {{[Missed] native.simt}}
  // expected-remark @below {{[Passed] native.vector | Category:frit-select-kernels | Function=wrong_type | Remark="admissible, with priority 20"}}
  // expected-remark @below {{[Missed] native.linalg | Category:frit-select-kernels | Function=wrong_type | Reason="admissible, but of lower priority than 'native.vector' (10 to 20)"}}
  %0 = frit.gelu_and_mul_sparse ins(%x : tensor<4x64xf32>) outs(%y : tensor<4x32xf32>) std_multiplier = 1.5 approximate = erf -> tensor<4x32xf32>
  return %0 : tensor<4x32xf32>
}

// -----

func.func @values(%x: tensor<20x104xbf16>, %y: tensor<20x52xbf16>) -> tensor<20x52xbf16> {
  // expected-remark @below {{[Missed] test.few_tokens | Category:frit-select-kernels | Function=values | Reason="needs T to be at most 16, but T is 20"}}
  // expected-remark @below {{[Missed] test.wide | Category:frit-select-kernels | Function=values | Reason="needs d to be a multiple of 8, but d is 52"}}
  // expected-remark @below {{[Missed] native.simt}}
  // expected-remark @below {{[Passed] native.vector}}
  // expected-remark @below {{[Missed] native.linalg}}
  %0 = frit.act_and_mul silu ins(%x : tensor<20x104xbf16>) outs(%y : tensor<20x52xbf16>) -> tensor<20x52xbf16>
  return %0 : tensor<20x52xbf16>
}

// -----

func.func @product(%x: tensor<4x8192xbf16>, %ids: tensor<4xi32>, %a: tensor<2x16x8192xbf16>, %b: tensor<2x32x16xbf16>, %y: tensor<4x32xbf16>) -> tensor<4x32xbf16> {
  // expected-remark @below {{[Missed] test.resident | Category:frit-select-kernels | Function=product | Reason="needs R * K to be at most 65536, but R is 16 and K is 8192"}}
  // expected-remark @below {{[Missed] native.simt}}
  // expected-remark @below {{[Passed] native.vector}}
  // expected-remark @below {{[Missed] native.linalg}}
  %0 = frit.lora_matmul ins(%x, %ids : tensor<4x8192xbf16>, tensor<4xi32>) weights(%a, %b : tensor<2x16x8192xbf16>, tensor<2x32x16xbf16>) outs(%y : tensor<4x32xbf16>) -> tensor<4x32xbf16>
  return %0 : tensor<4x32xbf16>
}

// -----

func.func @kept(%x: tensor<4x64xf16>, %y: tensor<4x32xf16>) -> tensor<4x32xf16> {
  // expected-remark @below {{[Missed] test.few_tokens | Category:frit-select-kernels | Function=kept | Reason="takes bf16, but the element type is f16"}}
  // expected-remark @below {{[Missed] test.wide | Category:frit-select-kernels | Function=kept | Reason="takes f32, bf16, but the element type is f16"}}
  // expected-remark @below {{[Missed] native.simt}}
  // expected-remark @below {{[Missed] native.vector | Category:frit-select-kernels | Function=kept | Reason="admissible, but the op names 'native.linalg'"}}
  // expected-remark @below {{[Passed] native.linalg | Category:frit-select-kernels | Function=kept | Remark="named by the op"}}
  %0 = frit.act_and_mul silu ins(%x : tensor<4x64xf16>) outs(%y : tensor<4x32xf16>) {frit.kernel = #frit.kernel<"native.linalg">} -> tensor<4x32xf16>
  return %0 : tensor<4x32xf16>
}
