// RUN: %frit_opt %s -verify-diagnostics -split-input-file

func.func @case(%y: tensor<4x16xf32>, %h: tensor<2x4x3xf32>, %ids: tensor<4xi32>, %b0: tensor<5x8x3xf32>, %out: tensor<4x8xf32>) {
  // expected-error@below {{'weights' must be the B of gate and of up, but there are 1 operands}}
  %0 = frit.lora_gelu_and_mul_sparse ins(%y, %h, %ids : tensor<4x16xf32>, tensor<2x4x3xf32>, tensor<4xi32>) weights(%b0 : tensor<5x8x3xf32>) outs(%out : tensor<4x8xf32>) std_multiplier = 1.0 -> tensor<4x8xf32>
  return
}

// -----

func.func @case(%y: tensor<4x1x16xf32>, %h: tensor<2x4x3xf32>, %ids: tensor<4xi32>, %b0: tensor<5x8x3xf32>, %b1: tensor<5x8x3xf32>, %out: tensor<4x8xf32>) {
  // expected-error@below {{'y' must have rank 2, but has 3}}
  %0 = frit.lora_gelu_and_mul_sparse ins(%y, %h, %ids : tensor<4x1x16xf32>, tensor<2x4x3xf32>, tensor<4xi32>) weights(%b0, %b1 : tensor<5x8x3xf32>, tensor<5x8x3xf32>) outs(%out : tensor<4x8xf32>) std_multiplier = 1.0 -> tensor<4x8xf32>
  return
}

// -----

func.func @case(%y: tensor<4x16xf32>, %h: tensor<8x3xf32>, %ids: tensor<4xi32>, %b0: tensor<5x8x3xf32>, %b1: tensor<5x8x3xf32>, %out: tensor<4x8xf32>) {
  // expected-error@below {{'h' must have rank 3, but has 2}}
  %0 = frit.lora_gelu_and_mul_sparse ins(%y, %h, %ids : tensor<4x16xf32>, tensor<8x3xf32>, tensor<4xi32>) weights(%b0, %b1 : tensor<5x8x3xf32>, tensor<5x8x3xf32>) outs(%out : tensor<4x8xf32>) std_multiplier = 1.0 -> tensor<4x8xf32>
  return
}

// -----

func.func @case(%y: tensor<4x16xf16>, %h: tensor<2x4x3xf32>, %ids: tensor<4xi32>, %b0: tensor<5x8x3xf32>, %b1: tensor<5x8x3xf32>, %out: tensor<4x8xf32>) {
  // expected-error@below {{element type of 'y' is 'f16', but that of 'out' is 'f32'}}
  %0 = frit.lora_gelu_and_mul_sparse ins(%y, %h, %ids : tensor<4x16xf16>, tensor<2x4x3xf32>, tensor<4xi32>) weights(%b0, %b1 : tensor<5x8x3xf32>, tensor<5x8x3xf32>) outs(%out : tensor<4x8xf32>) std_multiplier = 1.0 -> tensor<4x8xf32>
  return
}

// -----

func.func @case(%y: tensor<5x16xf32>, %h: tensor<2x4x3xf32>, %ids: tensor<4xi32>, %b0: tensor<5x8x3xf32>, %b1: tensor<5x8x3xf32>, %out: tensor<4x8xf32>) {
  // expected-error@below {{dimension 0 of 'y' is 5, but dimension 0 of 'out' is 4}}
  %0 = frit.lora_gelu_and_mul_sparse ins(%y, %h, %ids : tensor<5x16xf32>, tensor<2x4x3xf32>, tensor<4xi32>) weights(%b0, %b1 : tensor<5x8x3xf32>, tensor<5x8x3xf32>) outs(%out : tensor<4x8xf32>) std_multiplier = 1.0 -> tensor<4x8xf32>
  return
}

// -----

func.func @case(%y: tensor<4x16xf32>, %h: tensor<2x5x3xf32>, %ids: tensor<4xi32>, %b0: tensor<5x8x3xf32>, %b1: tensor<5x8x3xf32>, %out: tensor<4x8xf32>) {
  // expected-error@below {{dimension 1 of 'h' is 5, but dimension 0 of 'out' is 4}}
  %0 = frit.lora_gelu_and_mul_sparse ins(%y, %h, %ids : tensor<4x16xf32>, tensor<2x5x3xf32>, tensor<4xi32>) weights(%b0, %b1 : tensor<5x8x3xf32>, tensor<5x8x3xf32>) outs(%out : tensor<4x8xf32>) std_multiplier = 1.0 -> tensor<4x8xf32>
  return
}

// -----

func.func @case(%y: tensor<4x17xf32>, %h: tensor<2x4x3xf32>, %ids: tensor<4xi32>, %b0: tensor<5x8x3xf32>, %b1: tensor<5x8x3xf32>, %out: tensor<4x8xf32>) {
  // expected-error@below {{dimension 1 of 'y' must be even, but is 17}}
  %0 = frit.lora_gelu_and_mul_sparse ins(%y, %h, %ids : tensor<4x17xf32>, tensor<2x4x3xf32>, tensor<4xi32>) weights(%b0, %b1 : tensor<5x8x3xf32>, tensor<5x8x3xf32>) outs(%out : tensor<4x8xf32>) std_multiplier = 1.0 -> tensor<4x8xf32>
  return
}

// -----

func.func @case(%y: tensor<4x18xf32>, %h: tensor<2x4x3xf32>, %ids: tensor<4xi32>, %b0: tensor<5x8x3xf32>, %b1: tensor<5x8x3xf32>, %out: tensor<4x8xf32>) {
  // expected-error@below {{half of dimension 1 of 'y' is 9, but dimension 1 of 'out' is 8}}
  %0 = frit.lora_gelu_and_mul_sparse ins(%y, %h, %ids : tensor<4x18xf32>, tensor<2x4x3xf32>, tensor<4xi32>) weights(%b0, %b1 : tensor<5x8x3xf32>, tensor<5x8x3xf32>) outs(%out : tensor<4x8xf32>) std_multiplier = 1.0 -> tensor<4x8xf32>
  return
}

// -----

func.func @case(%y: tensor<4x16xf32>, %h: tensor<2x4x3xf32>, %ids: tensor<5xi32>, %b0: tensor<5x8x3xf32>, %b1: tensor<5x8x3xf32>, %out: tensor<4x8xf32>) {
  // expected-error@below {{dimension 0 of 'ids' is 5, but dimension 1 of 'h' is 4}}
  %0 = frit.lora_gelu_and_mul_sparse ins(%y, %h, %ids : tensor<4x16xf32>, tensor<2x4x3xf32>, tensor<5xi32>) weights(%b0, %b1 : tensor<5x8x3xf32>, tensor<5x8x3xf32>) outs(%out : tensor<4x8xf32>) std_multiplier = 1.0 -> tensor<4x8xf32>
  return
}

// -----

func.func @case(%y: tensor<4x16xf32>, %h: tensor<2x4x3xf32>, %ids: tensor<4xi32>, %b0: tensor<5x8x3xf32>, %b1: tensor<6x8x3xf32>, %out: tensor<4x8xf32>) {
  // expected-error@below {{dimension 0 of 'B1' is 6, but dimension 0 of 'B0' is 5}}
  %0 = frit.lora_gelu_and_mul_sparse ins(%y, %h, %ids : tensor<4x16xf32>, tensor<2x4x3xf32>, tensor<4xi32>) weights(%b0, %b1 : tensor<5x8x3xf32>, tensor<6x8x3xf32>) outs(%out : tensor<4x8xf32>) std_multiplier = 1.0 -> tensor<4x8xf32>
  return
}

// -----

func.func @case(%y: tensor<4x16xf32>, %h: tensor<2x4x3xf32>, %ids: tensor<4xi32>, %b0: tensor<5x8x3xf32>, %b1: tensor<5x8x4xf32>, %out: tensor<4x8xf32>) {
  // expected-error@below {{dimension 2 of 'B1' is 4, but dimension 2 of 'B0' is 3}}
  %0 = frit.lora_gelu_and_mul_sparse ins(%y, %h, %ids : tensor<4x16xf32>, tensor<2x4x3xf32>, tensor<4xi32>) weights(%b0, %b1 : tensor<5x8x3xf32>, tensor<5x8x4xf32>) outs(%out : tensor<4x8xf32>) std_multiplier = 1.0 -> tensor<4x8xf32>
  return
}

// -----

func.func @case(%y: tensor<4x16xf32>, %h: tensor<2x4x2xf32>, %ids: tensor<4xi32>, %b0: tensor<5x8x3xf32>, %b1: tensor<5x8x3xf32>, %out: tensor<4x8xf32>) {
  // expected-error@below {{dimension 2 of 'B0' is 3, but dimension 2 of 'h' is 2}}
  %0 = frit.lora_gelu_and_mul_sparse ins(%y, %h, %ids : tensor<4x16xf32>, tensor<2x4x2xf32>, tensor<4xi32>) weights(%b0, %b1 : tensor<5x8x3xf32>, tensor<5x8x3xf32>) outs(%out : tensor<4x8xf32>) std_multiplier = 1.0 -> tensor<4x8xf32>
  return
}

// -----

func.func @case(%y: tensor<4x16xf32>, %h: tensor<3x4x3xf32>, %ids: tensor<4xi32>, %b0: tensor<5x8x3xf32>, %b1: tensor<5x8x3xf32>, %out: tensor<4x8xf32>) {
  // expected-error@below {{dimension 0 of 'h' is 3, but there are 2 slices}}
  %0 = frit.lora_gelu_and_mul_sparse ins(%y, %h, %ids : tensor<4x16xf32>, tensor<3x4x3xf32>, tensor<4xi32>) weights(%b0, %b1 : tensor<5x8x3xf32>, tensor<5x8x3xf32>) outs(%out : tensor<4x8xf32>) std_multiplier = 1.0 -> tensor<4x8xf32>
  return
}

// -----

func.func @case(%y: tensor<4x16xf32>, %h: tensor<2x4x3xf32>, %ids: tensor<4xi32>, %b0: tensor<5x8x3xf16>, %b1: tensor<5x8x3xf16>, %out: tensor<4x8xf32>) {
  // expected-error@below {{element type of 'B0' is 'f16'}}
  %0 = frit.lora_gelu_and_mul_sparse ins(%y, %h, %ids : tensor<4x16xf32>, tensor<2x4x3xf32>, tensor<4xi32>) weights(%b0, %b1 : tensor<5x8x3xf16>, tensor<5x8x3xf16>) outs(%out : tensor<4x8xf32>) std_multiplier = 1.0 -> tensor<4x8xf32>
  return
}

// -----

func.func @case(%y: tensor<4x16xf32>, %h: tensor<2x4x3xf32>, %ids: tensor<4xi32>, %b0: tensor<5x8x3xf32>, %b1: tensor<5x9x3xf32>, %out: tensor<4x8xf32>) {
  // expected-error@below {{dimension 1 of 'B1' is 9, but dimension 1 of 'out' is 8}}
  %0 = frit.lora_gelu_and_mul_sparse ins(%y, %h, %ids : tensor<4x16xf32>, tensor<2x4x3xf32>, tensor<4xi32>) weights(%b0, %b1 : tensor<5x8x3xf32>, tensor<5x9x3xf32>) outs(%out : tensor<4x8xf32>) std_multiplier = 1.0 -> tensor<4x8xf32>
  return
}

// -----

func.func @case(%y: tensor<4x16xf32>, %h: tensor<2x4x3xf32>, %ids: tensor<4xi32>, %b0: tensor<5x8x3xf32>, %b1: tensor<5x8x3xf32>, %ranks: tensor<3x5xi32>, %out: tensor<4x8xf32>) {
  // expected-error@below {{dimension 0 of 'ranks' is 3, but there are 2 slices}}
  %0 = frit.lora_gelu_and_mul_sparse ins(%y, %h, %ids : tensor<4x16xf32>, tensor<2x4x3xf32>, tensor<4xi32>) weights(%b0, %b1 : tensor<5x8x3xf32>, tensor<5x8x3xf32>) ranks(%ranks : tensor<3x5xi32>) outs(%out : tensor<4x8xf32>) std_multiplier = 1.0 -> tensor<4x8xf32>
  return
}

// -----

func.func @case(%y: tensor<4x16xf32>, %h: tensor<2x4x3xf32>, %ids: tensor<4xi32>, %b0: tensor<5x8x3xf32>, %b1: tensor<5x8x3xf32>, %order: tensor<4xi32>, %starts: tensor<4xi32>, %out: tensor<4x8xf32>) {
  // expected-error@below {{dimension 0 of 'starts' minus 1 is 3, but dimension 0 of 'B0' is 5}}
  %0 = frit.lora_gelu_and_mul_sparse ins(%y, %h, %ids : tensor<4x16xf32>, tensor<2x4x3xf32>, tensor<4xi32>) weights(%b0, %b1 : tensor<5x8x3xf32>, tensor<5x8x3xf32>) grouping(%order, %starts : tensor<4xi32>, tensor<4xi32>) outs(%out : tensor<4x8xf32>) std_multiplier = 1.0 -> tensor<4x8xf32>
  return
}

// -----

func.func @case(%y: tensor<4x16xf32>, %h: tensor<2x4x3xf32>, %ids: tensor<4xi32>, %b0: tensor<5x8x3xf32>, %b1: tensor<5x8x3xf32>, %out: tensor<4x8xf32>) {
  // expected-error@below {{'correction' must be 0 or 1, but is 2}}
  %0 = frit.lora_gelu_and_mul_sparse ins(%y, %h, %ids : tensor<4x16xf32>, tensor<2x4x3xf32>, tensor<4xi32>) weights(%b0, %b1 : tensor<5x8x3xf32>, tensor<5x8x3xf32>) outs(%out : tensor<4x8xf32>) std_multiplier = 1.0 correction = 2 -> tensor<4x8xf32>
  return
}

// -----

func.func @case(%y: tensor<4x16xf32>, %h: tensor<2x4x3xf32>, %ids: tensor<4xi32>, %b0: tensor<5x8x3xf32>, %b1: tensor<5x8x3xf32>, %out: tensor<4x8xf32>) {
  // expected-error@below {{'std_multiplier' must be finite}}
  %0 = frit.lora_gelu_and_mul_sparse ins(%y, %h, %ids : tensor<4x16xf32>, tensor<2x4x3xf32>, tensor<4xi32>) weights(%b0, %b1 : tensor<5x8x3xf32>, tensor<5x8x3xf32>) outs(%out : tensor<4x8xf32>) std_multiplier = 0x7F800000 -> tensor<4x8xf32>
  return
}
