// RUN: %frit_opt %s -verify-diagnostics -split-input-file

func.func @case(%x: tensor<4x16xf32>, %ids: tensor<4xi32>, %w0: tensor<2x3x16xf32>, %out: tensor<1x5x3xf32>) {
  // expected-error@below {{dimension 0 of 'x' is 4, but dimension 1 of 'out' is 5}}
  %0 = frit.lora_shrink ins(%x, %ids : tensor<4x16xf32>, tensor<4xi32>) weights(%w0 : tensor<2x3x16xf32>)
      outs(%out : tensor<1x5x3xf32>) -> tensor<1x5x3xf32>
  return
}

// -----

func.func @case(%x: tensor<4x16xf32>, %ids: tensor<4xi32>, %w0: tensor<2x3x16xf32>, %out: tensor<2x4x3xf32>) {
  // expected-error@below {{dimension 0 of 'out' is 2, but there are 1 slices}}
  %0 = frit.lora_shrink ins(%x, %ids : tensor<4x16xf32>, tensor<4xi32>) weights(%w0 : tensor<2x3x16xf32>)
      outs(%out : tensor<2x4x3xf32>) -> tensor<2x4x3xf32>
  return
}

// -----

func.func @case(%x: tensor<4x16xf32>, %ids: tensor<4xi32>, %w0: tensor<2x3x16xf32>, %out: tensor<1x4x4xf32>) {
  // expected-error@below {{dimension 1 of 'A0' is 3, but dimension 2 of 'out' is 4}}
  %0 = frit.lora_shrink ins(%x, %ids : tensor<4x16xf32>, tensor<4xi32>) weights(%w0 : tensor<2x3x16xf32>)
      outs(%out : tensor<1x4x4xf32>) -> tensor<1x4x4xf32>
  return
}

// -----

func.func @case(%x: tensor<4x16xf32>, %ids: tensor<4xi32>, %w0: tensor<2x3x15xf32>, %out: tensor<1x4x3xf32>) {
  // expected-error@below {{dimension 2 of 'A0' is 15, but dimension 1 of 'x' is 16}}
  %0 = frit.lora_shrink ins(%x, %ids : tensor<4x16xf32>, tensor<4xi32>) weights(%w0 : tensor<2x3x15xf32>)
      outs(%out : tensor<1x4x3xf32>) -> tensor<1x4x3xf32>
  return
}

// -----

func.func @case(%x: tensor<4x16xf32>, %ids: tensor<4xi32>, %w0: tensor<2x3x16xf32>, %out: tensor<4x3xf32>) {
  // expected-error@below {{'out' must have rank 3, but has 2}}
  %0 = frit.lora_shrink ins(%x, %ids : tensor<4x16xf32>, tensor<4xi32>) weights(%w0 : tensor<2x3x16xf32>)
      outs(%out : tensor<4x3xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @case(%x: tensor<4x16xbf16>, %ids: tensor<4xi32>, %w0: tensor<2x3x16xbf16>, %out: tensor<1x4x3xf16>) {
  // expected-error@below {{element type of 'out' is 'f16', but must be f32 or that of 'A0', 'bf16'}}
  %0 = frit.lora_shrink ins(%x, %ids : tensor<4x16xbf16>, tensor<4xi32>) weights(%w0 : tensor<2x3x16xbf16>)
      outs(%out : tensor<1x4x3xf16>) -> tensor<1x4x3xf16>
  return
}

// -----

func.func @case(%x: tensor<4x16xbf16>, %ids: tensor<4xi32>, %w0: tensor<2x3x16xf16>, %out: tensor<1x4x3xf32>) {
  // expected-error@below {{element type of 'A0' is 'f16', but must be that of 'x', 'bf16', or f32}}
  %0 = frit.lora_shrink ins(%x, %ids : tensor<4x16xbf16>, tensor<4xi32>) weights(%w0 : tensor<2x3x16xf16>)
      outs(%out : tensor<1x4x3xf32>) -> tensor<1x4x3xf32>
  return
}

// -----

func.func @case(%h: tensor<1x5x3xf32>, %ids: tensor<4xi32>, %w0: tensor<2x8x3xf32>, %out: tensor<4x8xf32>) {
  // expected-error@below {{dimension 1 of 'h' is 5, but dimension 0 of 'out' is 4}}
  %0 = frit.lora_expand ins(%h, %ids : tensor<1x5x3xf32>, tensor<4xi32>) weights(%w0 : tensor<2x8x3xf32>)
      outs(%out : tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @case(%h: tensor<2x4x3xf32>, %ids: tensor<4xi32>, %w0: tensor<2x8x3xf32>, %out: tensor<4x8xf32>) {
  // expected-error@below {{dimension 0 of 'h' is 2, but there are 1 slices}}
  %0 = frit.lora_expand ins(%h, %ids : tensor<2x4x3xf32>, tensor<4xi32>) weights(%w0 : tensor<2x8x3xf32>)
      outs(%out : tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @case(%h: tensor<1x4x3xf32>, %ids: tensor<4xi32>, %w0: tensor<2x8x4xf32>, %out: tensor<4x8xf32>) {
  // expected-error@below {{dimension 2 of 'B0' is 4, but dimension 2 of 'h' is 3}}
  %0 = frit.lora_expand ins(%h, %ids : tensor<1x4x3xf32>, tensor<4xi32>) weights(%w0 : tensor<2x8x4xf32>)
      outs(%out : tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @case(%h: tensor<4x3xf32>, %ids: tensor<4xi32>, %w0: tensor<2x8x3xf32>, %out: tensor<4x8xf32>) {
  // expected-error@below {{'h' must have rank 3, but has 2}}
  %0 = frit.lora_expand ins(%h, %ids : tensor<4x3xf32>, tensor<4xi32>) weights(%w0 : tensor<2x8x3xf32>)
      outs(%out : tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @case(%h: tensor<1x4x3xbf16>, %ids: tensor<4xi32>, %w0: tensor<2x8x3xf16>, %out: tensor<4x8xf16>) {
  // expected-error@below {{element type of 'h' is 'bf16', but must be f32 or that of 'B0', 'f16'}}
  %0 = frit.lora_expand ins(%h, %ids : tensor<1x4x3xbf16>, tensor<4xi32>) weights(%w0 : tensor<2x8x3xf16>)
      outs(%out : tensor<4x8xf16>) -> tensor<4x8xf16>
  return
}

// -----

func.func @case(%h: tensor<1x4x3xf32>, %ids: tensor<4xi32>, %w0: tensor<2x8x3xf16>, %out: tensor<4x8xbf16>) {
  // expected-error@below {{element type of 'B0' is 'f16', but must be that of 'out', 'bf16', or f32}}
  %0 = frit.lora_expand ins(%h, %ids : tensor<1x4x3xf32>, tensor<4xi32>) weights(%w0 : tensor<2x8x3xf16>)
      outs(%out : tensor<4x8xbf16>) -> tensor<4x8xbf16>
  return
}

// -----

func.func @case(%h: tensor<1x4x3xf32>, %ids: tensor<4xi32>, %w0: tensor<2x8x3xf32>, %out: tensor<4x8xf32>) {
  // expected-error@below {{'offset' plus the widths of the slices is 9, but dimension 1 of 'out' is 8}}
  %0 = frit.lora_expand ins(%h, %ids : tensor<1x4x3xf32>, tensor<4xi32>) weights(%w0 : tensor<2x8x3xf32>)
      outs(%out : tensor<4x8xf32>) offset = 1 -> tensor<4x8xf32>
  return
}

// -----

func.func @case(%x: tensor<4x16xf32>, %i: tensor<4xi32>, %y: tensor<1x4x3xf32>) {
  // expected-error@below {{'weights' must not be empty}}
  %0 = "frit.lora_shrink"(%x, %i, %y) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 1>}>
      : (tensor<4x16xf32>, tensor<4xi32>, tensor<1x4x3xf32>) -> tensor<1x4x3xf32>
  return
}

// -----

func.func @case(%x: tensor<1x4x3xf32>, %i: tensor<4xi32>, %y: tensor<4x8xf32>) {
  // expected-error@below {{'weights' must not be empty}}
  %0 = "frit.lora_expand"(%x, %i, %y) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 1>}>
      : (tensor<1x4x3xf32>, tensor<4xi32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
