// RUN: %frit_opt %s -verify-diagnostics -split-input-file

func.func @case(%x: tensor<4x16xf32>, %ids: tensor<4xi32>, %w0: tensor<2x3x16xf32>, %out: tensor<4x8xf32>) {
  // expected-error@below {{'weights' must be pairs of A and B, but there are 1 operands}}
  %0 = frit.lora_matmul ins(%x, %ids : tensor<4x16xf32>, tensor<4xi32>) weights(%w0 : tensor<2x3x16xf32>)
      outs(%out : tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @case(%x: tensor<4x16xf32>, %ids: tensor<4xi32>, %w0: tensor<2x3x16xf32>, %w1: tensor<2x8x3xf32>, %out: tensor<5x8xf32>) {
  // expected-error@below {{dimension 0 of 'x' is 4, but dimension 0 of 'out' is 5}}
  %0 = frit.lora_matmul ins(%x, %ids : tensor<4x16xf32>, tensor<4xi32>) weights(%w0, %w1 : tensor<2x3x16xf32>, tensor<2x8x3xf32>)
      outs(%out : tensor<5x8xf32>) -> tensor<5x8xf32>
  return
}

// -----

func.func @case(%x: tensor<4x16xf32>, %ids: tensor<5xi32>, %w0: tensor<2x3x16xf32>, %w1: tensor<2x8x3xf32>, %out: tensor<4x8xf32>) {
  // expected-error@below {{dimension 0 of 'ids' is 5, but dimension 0 of 'x' is 4}}
  %0 = frit.lora_matmul ins(%x, %ids : tensor<4x16xf32>, tensor<5xi32>) weights(%w0, %w1 : tensor<2x3x16xf32>, tensor<2x8x3xf32>)
      outs(%out : tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @case(%x: tensor<1x4x16xf32>, %ids: tensor<4xi32>, %w0: tensor<2x3x16xf32>, %w1: tensor<2x8x3xf32>, %out: tensor<4x8xf32>) {
  // expected-error@below {{'x' must have rank 2, but has 3}}
  %0 = frit.lora_matmul ins(%x, %ids : tensor<1x4x16xf32>, tensor<4xi32>) weights(%w0, %w1 : tensor<2x3x16xf32>, tensor<2x8x3xf32>)
      outs(%out : tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @case(%x: tensor<4x16xf32>, %ids: tensor<4xi32>, %w0: tensor<2x3x16xf32>, %w1: tensor<2x8x3xf32>, %out: tensor<4xf32>) {
  // expected-error@below {{'out' must have rank 2, but has 1}}
  %0 = frit.lora_matmul ins(%x, %ids : tensor<4x16xf32>, tensor<4xi32>) weights(%w0, %w1 : tensor<2x3x16xf32>, tensor<2x8x3xf32>)
      outs(%out : tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @case(%x: tensor<4x16xf32>, %ids: tensor<4x1xi32>, %w0: tensor<2x3x16xf32>, %w1: tensor<2x8x3xf32>, %out: tensor<4x8xf32>) {
  // expected-error@below {{'ids' must have rank 1, but has 2}}
  %0 = frit.lora_matmul ins(%x, %ids : tensor<4x16xf32>, tensor<4x1xi32>) weights(%w0, %w1 : tensor<2x3x16xf32>, tensor<2x8x3xf32>)
      outs(%out : tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @case(%x: tensor<4x16xf32>, %ids: tensor<4xi64>, %w0: tensor<2x3x16xf32>, %w1: tensor<2x8x3xf32>, %out: tensor<4x8xf32>) {
  // expected-error@below {{operand #1 must be ranked tensor or memref of i32}}
  %0 = frit.lora_matmul ins(%x, %ids : tensor<4x16xf32>, tensor<4xi64>) weights(%w0, %w1 : tensor<2x3x16xf32>, tensor<2x8x3xf32>)
      outs(%out : tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @case(%x: tensor<4x16xf32>, %ids: tensor<4xi32>, %w0: tensor<3x16xf32>, %w1: tensor<2x8x3xf32>, %out: tensor<4x8xf32>) {
  // expected-error@below {{'A0' must have rank 3, but has 2}}
  %0 = frit.lora_matmul ins(%x, %ids : tensor<4x16xf32>, tensor<4xi32>) weights(%w0, %w1 : tensor<3x16xf32>, tensor<2x8x3xf32>)
      outs(%out : tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @case(%x: tensor<4x16xf32>, %ids: tensor<4xi32>, %w0: tensor<2x3x16xf32>, %w1: tensor<3x8x3xf32>, %out: tensor<4x8xf32>) {
  // expected-error@below {{dimension 0 of 'B0' is 3, but dimension 0 of 'A0' is 2}}
  %0 = frit.lora_matmul ins(%x, %ids : tensor<4x16xf32>, tensor<4xi32>) weights(%w0, %w1 : tensor<2x3x16xf32>, tensor<3x8x3xf32>)
      outs(%out : tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @case(%x: tensor<4x16xf32>, %ids: tensor<4xi32>, %w0: tensor<2x3x15xf32>, %w1: tensor<2x8x3xf32>, %out: tensor<4x8xf32>) {
  // expected-error@below {{dimension 2 of 'A0' is 15, but dimension 1 of 'x' is 16}}
  %0 = frit.lora_matmul ins(%x, %ids : tensor<4x16xf32>, tensor<4xi32>) weights(%w0, %w1 : tensor<2x3x15xf32>, tensor<2x8x3xf32>)
      outs(%out : tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @case(%x: tensor<4x16xf32>, %ids: tensor<4xi32>, %w0: tensor<2x3x16xf32>, %w1: tensor<2x8x4xf32>, %out: tensor<4x8xf32>) {
  // expected-error@below {{dimension 1 of 'A0' is 3, but dimension 2 of 'B0' is 4}}
  %0 = frit.lora_matmul ins(%x, %ids : tensor<4x16xf32>, tensor<4xi32>) weights(%w0, %w1 : tensor<2x3x16xf32>, tensor<2x8x4xf32>)
      outs(%out : tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @case(%x: tensor<4x16xf32>, %ids: tensor<4xi32>, %w0: tensor<2x3x16xf32>, %w1: tensor<2x4x3xf32>, %w2: tensor<2x4x16xf32>, %w3: tensor<2x4x3xf32>, %out: tensor<4x8xf32>) {
  // expected-error@below {{dimension 1 of 'A1' is 4, but dimension 1 of 'A0' is 3}}
  %0 = frit.lora_matmul ins(%x, %ids : tensor<4x16xf32>, tensor<4xi32>) weights(%w0, %w1, %w2, %w3 : tensor<2x3x16xf32>, tensor<2x4x3xf32>, tensor<2x4x16xf32>, tensor<2x4x3xf32>)
      outs(%out : tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @case(%x: tensor<4x16xf32>, %ids: tensor<4xi32>, %w0: tensor<2x3x16xf32>, %w1: tensor<2x4x3xf32>, %w2: tensor<2x3x16xf32>, %w3: tensor<2x4x4xf32>, %out: tensor<4x8xf32>) {
  // expected-error@below {{dimension 2 of 'B1' is 4, but dimension 2 of 'B0' is 3}}
  %0 = frit.lora_matmul ins(%x, %ids : tensor<4x16xf32>, tensor<4xi32>) weights(%w0, %w1, %w2, %w3 : tensor<2x3x16xf32>, tensor<2x4x3xf32>, tensor<2x3x16xf32>, tensor<2x4x4xf32>)
      outs(%out : tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @case(%x: tensor<4x16xf32>, %ids: tensor<4xi32>, %w0: tensor<2x3x16xf32>, %w1: tensor<2x8x3xf16>, %out: tensor<4x8xf32>) {
  // expected-error@below {{element type of 'B0' is 'f16', but that of 'A0' is 'f32'}}
  %0 = frit.lora_matmul ins(%x, %ids : tensor<4x16xf32>, tensor<4xi32>) weights(%w0, %w1 : tensor<2x3x16xf32>, tensor<2x8x3xf16>)
      outs(%out : tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @case(%x: tensor<4x16xf32>, %ids: tensor<4xi32>, %w0: tensor<2x3x16xf32>, %w1: tensor<2x8x3xf32>, %out: tensor<4x8xf16>) {
  // expected-error@below {{element type of 'x' is 'f32', but that of 'out' is 'f16'}}
  %0 = frit.lora_matmul ins(%x, %ids : tensor<4x16xf32>, tensor<4xi32>) weights(%w0, %w1 : tensor<2x3x16xf32>, tensor<2x8x3xf32>)
      outs(%out : tensor<4x8xf16>) -> tensor<4x8xf16>
  return
}

// -----

func.func @case(%x: tensor<4x16xbf16>, %ids: tensor<4xi32>, %w0: tensor<2x3x16xf16>, %w1: tensor<2x8x3xf16>, %out: tensor<4x8xbf16>) {
  // expected-error@below {{element type of 'A0' is 'f16', but must be that of 'x', 'bf16', or f32}}
  %0 = frit.lora_matmul ins(%x, %ids : tensor<4x16xbf16>, tensor<4xi32>) weights(%w0, %w1 : tensor<2x3x16xf16>, tensor<2x8x3xf16>)
      outs(%out : tensor<4x8xbf16>) -> tensor<4x8xbf16>
  return
}

// -----

func.func @case(%x: tensor<4x16xf32>, %ids: tensor<4xi32>, %w0: tensor<2x3x16xf64>, %w1: tensor<2x8x3xf64>, %out: tensor<4x8xf32>) {
  // expected-error@below {{operand #2 must be variadic of ranked tensor or memref of f32, f16 or bf16}}
  %0 = frit.lora_matmul ins(%x, %ids : tensor<4x16xf32>, tensor<4xi32>) weights(%w0, %w1 : tensor<2x3x16xf64>, tensor<2x8x3xf64>)
      outs(%out : tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @case(%x: tensor<4x16xf32>, %ids: tensor<4xi32>, %w0: tensor<2x3x16xf32>, %w1: tensor<2x8x3xf32>, %out: tensor<4x8xf32>) {
  // expected-error@below {{'offset' plus the widths of the slices is 9, but dimension 1 of 'out' is 8}}
  %0 = frit.lora_matmul ins(%x, %ids : tensor<4x16xf32>, tensor<4xi32>) weights(%w0, %w1 : tensor<2x3x16xf32>, tensor<2x8x3xf32>)
      outs(%out : tensor<4x8xf32>) offset = 1 -> tensor<4x8xf32>
  return
}

// -----

func.func @case(%x: tensor<4x16xf32>, %ids: tensor<4xi32>, %w0: tensor<2x3x16xf32>, %w1: tensor<2x8x3xf32>, %w2: tensor<2x3x16xf32>, %w3: tensor<2x8x3xf32>, %out: tensor<4x15xf32>) {
  // expected-error@below {{'offset' plus the widths of the slices is 16, but dimension 1 of 'out' is 15}}
  %0 = frit.lora_matmul ins(%x, %ids : tensor<4x16xf32>, tensor<4xi32>) weights(%w0, %w1, %w2, %w3 : tensor<2x3x16xf32>, tensor<2x8x3xf32>, tensor<2x3x16xf32>, tensor<2x8x3xf32>)
      outs(%out : tensor<4x15xf32>) -> tensor<4x15xf32>
  return
}

// -----

func.func @case(%x: tensor<4x16xf32>, %ids: tensor<4xi32>, %w0: tensor<2x3x16xf32>, %w1: tensor<2x?x3xf32>, %w2: tensor<2x3x16xf32>, %w3: tensor<2x9x3xf32>, %out: tensor<4x8xf32>) {
  // expected-error@below {{'offset' plus the widths of the slices is 9, but dimension 1 of 'out' is 8}}
  %0 = frit.lora_matmul ins(%x, %ids : tensor<4x16xf32>, tensor<4xi32>) weights(%w0, %w1, %w2, %w3 : tensor<2x3x16xf32>, tensor<2x?x3xf32>, tensor<2x3x16xf32>, tensor<2x9x3xf32>)
      outs(%out : tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @case(%x: tensor<4x16xf32>, %ids: tensor<4xi32>, %w0: tensor<2x3x16xf32>, %w1: tensor<2x9223372036854775807x3xf32>, %out: tensor<4x8xf32>) {
  // expected-error@below {{'offset' plus the widths of the slices is 18446744073709551614, but dimension 1 of 'out' is 8}}
  %0 = frit.lora_matmul ins(%x, %ids : tensor<4x16xf32>, tensor<4xi32>) weights(%w0, %w1 : tensor<2x3x16xf32>, tensor<2x9223372036854775807x3xf32>)
      outs(%out : tensor<4x8xf32>) offset = 9223372036854775807 -> tensor<4x8xf32>
  return
}

// -----

func.func @case(%x: tensor<4x16xf32>, %ids: tensor<4xi32>, %w0: tensor<2x3x16xf32>, %w1: tensor<2x8x3xf32>, %out: tensor<4x8xf32>) {
  // expected-error@below {{'offset' must not be negative, but is -1}}
  %0 = frit.lora_matmul ins(%x, %ids : tensor<4x16xf32>, tensor<4xi32>) weights(%w0, %w1 : tensor<2x3x16xf32>, tensor<2x8x3xf32>)
      outs(%out : tensor<4x8xf32>) offset = -1 -> tensor<4x8xf32>
  return
}

// -----

func.func @case(%x: tensor<4x16xf32>, %ids: tensor<4xi32>, %w0: tensor<2x3x16xf32>, %w1: tensor<2x8x3xf32>, %out: tensor<4x8xf32>) {
  // expected-error@below {{'intermediate' must be f32 with rounding stepwise, but is element}}
  %0 = frit.lora_matmul ins(%x, %ids : tensor<4x16xf32>, tensor<4xi32>) weights(%w0, %w1 : tensor<2x3x16xf32>, tensor<2x8x3xf32>)
      outs(%out : tensor<4x8xf32>) intermediate = element rounding = stepwise -> tensor<4x8xf32>
  return
}

// -----

func.func @case(%x: tensor<4x16xf32>, %ids: tensor<4xi32>, %w0: tensor<2x3x16xf32>, %w1: tensor<2x8x3xf32>, %scales: tensor<3xf32>, %out: tensor<4x8xf32>) {
  // expected-error@below {{dimension 0 of 'scales' is 3, but dimension 0 of 'A0' is 2}}
  %0 = frit.lora_matmul ins(%x, %ids : tensor<4x16xf32>, tensor<4xi32>) weights(%w0, %w1 : tensor<2x3x16xf32>, tensor<2x8x3xf32>) scales(%scales : tensor<3xf32>)
      outs(%out : tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @case(%x: tensor<4x16xf32>, %ids: tensor<4xi32>, %w0: tensor<2x3x16xf32>, %w1: tensor<2x8x3xf32>, %scales: tensor<2x1xf32>, %out: tensor<4x8xf32>) {
  // expected-error@below {{'scales' must have rank 1, but has 2}}
  %0 = frit.lora_matmul ins(%x, %ids : tensor<4x16xf32>, tensor<4xi32>) weights(%w0, %w1 : tensor<2x3x16xf32>, tensor<2x8x3xf32>) scales(%scales : tensor<2x1xf32>)
      outs(%out : tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @case(%x: tensor<4x16xf32>, %ids: tensor<4xi32>, %w0: tensor<2x3x16xf32>, %w1: tensor<2x8x3xf32>, %scales: tensor<2xbf16>, %out: tensor<4x8xf32>) {
  // expected-error@below {{must be ranked tensor or memref of f32, but got 'tensor<2xbf16>'}}
  %0 = frit.lora_matmul ins(%x, %ids : tensor<4x16xf32>, tensor<4xi32>) weights(%w0, %w1 : tensor<2x3x16xf32>, tensor<2x8x3xf32>) scales(%scales : tensor<2xbf16>)
      outs(%out : tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @case(%x: tensor<4x16xf32>, %ids: tensor<4xi32>, %w0: tensor<2x3x16xf32>, %w1: tensor<2x8x3xf32>, %ranks: tensor<1x2x1xi32>, %out: tensor<4x8xf32>) {
  // expected-error@below {{'ranks' must have rank 1 or 2, but has 3}}
  %0 = frit.lora_matmul ins(%x, %ids : tensor<4x16xf32>, tensor<4xi32>) weights(%w0, %w1 : tensor<2x3x16xf32>, tensor<2x8x3xf32>) ranks(%ranks : tensor<1x2x1xi32>)
      outs(%out : tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @case(%x: tensor<4x16xf32>, %ids: tensor<4xi32>, %w0: tensor<2x3x16xf32>, %w1: tensor<2x8x3xf32>, %ranks: tensor<3xi32>, %out: tensor<4x8xf32>) {
  // expected-error@below {{dimension 0 of 'ranks' is 3, but dimension 0 of 'A0' is 2}}
  %0 = frit.lora_matmul ins(%x, %ids : tensor<4x16xf32>, tensor<4xi32>) weights(%w0, %w1 : tensor<2x3x16xf32>, tensor<2x8x3xf32>) ranks(%ranks : tensor<3xi32>)
      outs(%out : tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @case(%x: tensor<4x16xf32>, %ids: tensor<4xi32>, %w0: tensor<2x3x16xf32>, %w1: tensor<2x8x3xf32>, %ranks: tensor<2x2xi32>, %out: tensor<4x8xf32>) {
  // expected-error@below {{dimension 0 of 'ranks' is 2, but there are 1 slices}}
  %0 = frit.lora_matmul ins(%x, %ids : tensor<4x16xf32>, tensor<4xi32>) weights(%w0, %w1 : tensor<2x3x16xf32>, tensor<2x8x3xf32>) ranks(%ranks : tensor<2x2xi32>)
      outs(%out : tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @case(%x: tensor<4x16xf32>, %ids: tensor<4xi32>, %w0: tensor<2x3x16xf32>, %w1: tensor<2x8x3xf32>, %order: tensor<5xi32>, %starts: tensor<3xi32>, %out: tensor<4x8xf32>) {
  // expected-error@below {{dimension 0 of 'order' is 5, but dimension 0 of 'ids' is 4}}
  %0 = frit.lora_matmul ins(%x, %ids : tensor<4x16xf32>, tensor<4xi32>) weights(%w0, %w1 : tensor<2x3x16xf32>, tensor<2x8x3xf32>) grouping(%order, %starts : tensor<5xi32>, tensor<3xi32>)
      outs(%out : tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @case(%x: tensor<4x16xf32>, %ids: tensor<4xi32>, %w0: tensor<2x3x16xf32>, %w1: tensor<2x8x3xf32>, %order: tensor<4xi32>, %starts: tensor<3x1xi32>, %out: tensor<4x8xf32>) {
  // expected-error@below {{'starts' must have rank 1, but has 2}}
  %0 = frit.lora_matmul ins(%x, %ids : tensor<4x16xf32>, tensor<4xi32>) weights(%w0, %w1 : tensor<2x3x16xf32>, tensor<2x8x3xf32>) grouping(%order, %starts : tensor<4xi32>, tensor<3x1xi32>)
      outs(%out : tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @case(%x: tensor<4x16xf32>, %ids: tensor<4xi32>, %w0: tensor<2x3x16xf32>, %w1: tensor<2x8x3xf32>, %order: tensor<4xi32>, %starts: tensor<4xi32>, %out: tensor<4x8xf32>) {
  // expected-error@below {{dimension 0 of 'starts' minus 1 is 3, but dimension 0 of 'A0' is 2}}
  %0 = frit.lora_matmul ins(%x, %ids : tensor<4x16xf32>, tensor<4xi32>) weights(%w0, %w1 : tensor<2x3x16xf32>, tensor<2x8x3xf32>) grouping(%order, %starts : tensor<4xi32>, tensor<4xi32>)
      outs(%out : tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @case(%x: tensor<4x16xf32>, %ids: tensor<4xi32>, %w0: tensor<2x3x16xf32>, %w1: tensor<2x8x3xf32>, %order: tensor<4xi32>, %starts: tensor<3xi32>, %active: tensor<3xi32>, %out: tensor<4x8xf32>) {
  // expected-error@below {{dimension 0 of 'starts' minus 1 is 2, but dimension 0 of 'active' is 3}}
  %0 = frit.lora_matmul ins(%x, %ids : tensor<4x16xf32>, tensor<4xi32>) weights(%w0, %w1 : tensor<2x3x16xf32>, tensor<2x8x3xf32>) grouping(%order, %starts, %active : tensor<4xi32>, tensor<3xi32>, tensor<3xi32>)
      outs(%out : tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @case(%x: tensor<4x16xf32>, %ids: tensor<4xi32>, %w0: tensor<2x3x16xf32>, %w1: tensor<2x8x3xf32>, %order: tensor<4xi32>, %starts: tensor<0xi32>, %out: tensor<4x8xf32>) {
  // expected-error@below {{dimension 0 of 'starts' must be 1 or more, but is 0}}
  %0 = frit.lora_matmul ins(%x, %ids : tensor<4x16xf32>, tensor<4xi32>) weights(%w0, %w1 : tensor<2x3x16xf32>, tensor<2x8x3xf32>) grouping(%order, %starts : tensor<4xi32>, tensor<0xi32>)
      outs(%out : tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @case(%x: tensor<4x16xf32>, %ids: tensor<4xi32>, %w0: memref<2x3x16xf32>, %w1: tensor<2x8x3xf32>, %out: tensor<4x8xf32>) {
  // expected-error@below {{operands must be all tensors or all memrefs, but the destination is a tensor and 'A0' is 'memref<2x3x16xf32>'}}
  %0 = frit.lora_matmul ins(%x, %ids : tensor<4x16xf32>, tensor<4xi32>) weights(%w0, %w1 : memref<2x3x16xf32>, tensor<2x8x3xf32>)
      outs(%out : tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @case(%x: memref<4x16xf32>, %ids: memref<4xi32>, %w0: memref<2x3x16xf32>, %w1: memref<2x8x3xf32, strided<[24, 1, 8]>>, %out: memref<4x8xf32>) {
  // expected-error@below {{'B0' must have inner stride 1, but has 8}}
  frit.lora_matmul ins(%x, %ids : memref<4x16xf32>, memref<4xi32>) weights(%w0, %w1 : memref<2x3x16xf32>, memref<2x8x3xf32, strided<[24, 1, 8]>>)
      outs(%out : memref<4x8xf32>)
  return
}

// -----

func.func @case(%x: tensor<4x16xf32>, %i: tensor<4xi32>, %a: tensor<2x3x16xf32>, %b: tensor<2x8x3xf32>, %y: tensor<4x8xf32>) {
  // expected-error@below {{a grouping needs 'starts' beside 'order'}}
  %0 = "frit.lora_matmul"(%x, %i, %a, %b, %i, %y) <{operandSegmentSizes = array<i32: 1, 1, 2, 0, 0, 1, 0, 0, 1>}>
      : (tensor<4x16xf32>, tensor<4xi32>, tensor<2x3x16xf32>, tensor<2x8x3xf32>, tensor<4xi32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @case(%x: tensor<4x16xf32>, %i: tensor<4xi32>, %a: tensor<2x3x16xf32>, %b: tensor<2x8x3xf32>, %y: tensor<4x8xf32>) {
  // expected-error@below {{a grouping needs 'order' beside 'starts'}}
  %0 = "frit.lora_matmul"(%x, %i, %a, %b, %i, %y) <{operandSegmentSizes = array<i32: 1, 1, 2, 0, 0, 0, 1, 0, 1>}>
      : (tensor<4x16xf32>, tensor<4xi32>, tensor<2x3x16xf32>, tensor<2x8x3xf32>, tensor<4xi32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @case(%x: tensor<4x16xf32>, %i: tensor<4xi32>, %a: tensor<2x3x16xf32>, %b: tensor<2x8x3xf32>, %y: tensor<4x8xf32>) {
  // expected-error@below {{a grouping needs 'order' beside 'active'}}
  %0 = "frit.lora_matmul"(%x, %i, %a, %b, %i, %y) <{operandSegmentSizes = array<i32: 1, 1, 2, 0, 0, 0, 0, 1, 1>}>
      : (tensor<4x16xf32>, tensor<4xi32>, tensor<2x3x16xf32>, tensor<2x8x3xf32>, tensor<4xi32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @case(%x: tensor<4x16xf32>, %i: tensor<4xi32>, %a: tensor<2x3x16xf32>, %b: tensor<2x8x3xf32>, %y: tensor<4x8xf32>) {
  // expected-error@below {{'weights' must be pairs of A and B, but there are 0 operands}}
  %0 = "frit.lora_matmul"(%x, %i, %y) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 1>}>
      : (tensor<4x16xf32>, tensor<4xi32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
