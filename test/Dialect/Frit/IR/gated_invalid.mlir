// RUN: %frit_opt %s -verify-diagnostics -split-input-file

func.func @odd(%x: tensor<4x7xf32>, %y: tensor<4x?xf32>) {
  // expected-error@below {{last dimension of packed 'x' must be even, but is 7}}
  %0 = frit.act_and_mul silu ins(%x : tensor<4x7xf32>) outs(%y : tensor<4x?xf32>) -> tensor<4x?xf32>
  return
}

// -----

func.func @not_twice(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>) {
  // expected-error@below {{half of the last dimension of packed 'x' is 4, but the last dimension of 'out' is 8}}
  %0 = frit.gelu_and_mul_sparse ins(%x : tensor<4x8xf32>) outs(%y : tensor<4x8xf32>) std_multiplier = 1.0
      -> tensor<4x8xf32>
  return
}

// -----

func.func @huge(%x: tensor<4x8xf32>, %y: tensor<4x9223372036854775807xf32>) {
  // expected-error@below {{half of the last dimension of packed 'x' is 4, but the last dimension of 'out' is 9223372036854775807}}
  %0 = frit.act_and_mul silu ins(%x : tensor<4x8xf32>) outs(%y : tensor<4x9223372036854775807xf32>)
      -> tensor<4x9223372036854775807xf32>
  return
}

// -----

func.func @tokens(%x: tensor<4x8xf32>, %y: tensor<5x4xf32>) {
  // expected-error@below {{dimension 0 of 'x' is 4, but dimension 0 of 'out' is 5}}
  %0 = frit.act_and_mul silu ins(%x : tensor<4x8xf32>) outs(%y : tensor<5x4xf32>) -> tensor<5x4xf32>
  return
}

// -----

func.func @separate_columns(%gate: tensor<4x8xf32>, %up: tensor<4x7xf32>, %y: tensor<4x8xf32>) {
  // expected-error@below {{dimension 1 of 'up' is 7, but dimension 1 of 'out' is 8}}
  %0 = frit.act_and_mul silu ins(%gate, %up : tensor<4x8xf32>, tensor<4x7xf32>) outs(%y : tensor<4x8xf32>)
      -> tensor<4x8xf32>
  return
}

// -----

func.func @gate_columns(%gate: tensor<4x6xf32>, %up: tensor<4x8xf32>, %y: tensor<4x8xf32>) {
  // expected-error@below {{dimension 1 of 'gate' is 6, but dimension 1 of 'out' is 8}}
  %0 = frit.act_and_mul silu ins(%gate, %up : tensor<4x6xf32>, tensor<4x8xf32>) outs(%y : tensor<4x8xf32>)
      -> tensor<4x8xf32>
  return
}

// -----

func.func @rank(%x: tensor<2x4x8xf32>, %y: tensor<4x4xf32>) {
  // expected-error@below {{'x' must have rank 2, but has 3}}
  %0 = frit.act_and_mul silu ins(%x : tensor<2x4x8xf32>) outs(%y : tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @scalar(%x: tensor<f32>, %y: tensor<f32>) {
  // expected-error@below {{'out' must have rank 1 or more, but has 0}}
  %0 = frit.act_and_mul silu ins(%x : tensor<f32>) outs(%y : tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @element_type(%x: tensor<4x8xf16>, %y: tensor<4x4xf32>) {
  // expected-error@below {{element type of 'x' is 'f16', but that of 'out' is 'f32'}}
  %0 = frit.act_and_mul silu ins(%x : tensor<4x8xf16>) outs(%y : tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @unsupported(%x: tensor<4x8xf64>, %y: tensor<4x4xf64>) {
  // expected-error@below {{operand #0 must be ranked tensor or memref of f32, f16 or bf16}}
  %0 = frit.act_and_mul silu ins(%x : tensor<4x8xf64>) outs(%y : tensor<4x4xf64>) -> tensor<4x4xf64>
  return
}

// -----

func.func @unranked(%x: tensor<*xf32>, %y: tensor<4x4xf32>) {
  // expected-error@below {{operand #0 must be ranked tensor or memref}}
  %0 = frit.act_and_mul silu ins(%x : tensor<*xf32>) outs(%y : tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @correction(%x: tensor<4x8xf32>, %y: tensor<4x4xf32>) {
  // expected-error@below {{'correction' must be 0 or 1, but is -1}}
  %0 = frit.gelu_and_mul_sparse ins(%x : tensor<4x8xf32>) outs(%y : tensor<4x4xf32>) std_multiplier = 1.0
      correction = -1 -> tensor<4x4xf32>
  return
}

// -----

func.func @multiplier(%x: tensor<4x8xf32>, %y: tensor<4x4xf32>) {
  // expected-error@below {{'std_multiplier' must be finite, but is 0x7F800000 : f32}}
  %0 = frit.gelu_and_mul_sparse ins(%x : tensor<4x8xf32>) outs(%y : tensor<4x4xf32>) std_multiplier = 0x7F800000
      -> tensor<4x4xf32>
  return
}

// -----

func.func @mixed(%x: tensor<4x8xf32>, %y: memref<4x4xf32>) {
  // expected-error@below {{operands must be all tensors or all memrefs, but the destination is a memref and 'x' is 'tensor<4x8xf32>'}}
  frit.act_and_mul silu ins(%x : tensor<4x8xf32>) outs(%y : memref<4x4xf32>)
  return
}

// -----

func.func @no_result(%x: tensor<4x8xf32>, %y: tensor<4x4xf32>) {
  // expected-error@below {{expects 1 results, but has 0}}
  frit.act_and_mul silu ins(%x : tensor<4x8xf32>) outs(%y : tensor<4x4xf32>)
  return
}

// -----

func.func @result_of_memrefs(%x: memref<4x8xf32>, %y: memref<4x4xf32>) {
  // expected-error@below {{expects 0 results, but has 1}}
  %0 = frit.act_and_mul silu ins(%x : memref<4x8xf32>) outs(%y : memref<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @result_type(%x: tensor<4x8xf32>, %y: tensor<4x4xf32>) {
  // expected-error@below {{result has type 'tensor<?x4xf32>', but its destination has 'tensor<4x4xf32>'}}
  %0 = frit.act_and_mul silu ins(%x : tensor<4x8xf32>) outs(%y : tensor<4x4xf32>) -> tensor<?x4xf32>
  return
}

// -----

func.func @inner_stride(%x: memref<4x8xf32, strided<[16, 2]>>, %y: memref<4x4xf32>) {
  // expected-error@below {{'x' must have inner stride 1, but has 2}}
  frit.act_and_mul silu ins(%x : memref<4x8xf32, strided<[16, 2]>>) outs(%y : memref<4x4xf32>)
  return
}

// -----

func.func @dynamic_inner_stride(%x: memref<4x8xf32>, %y: memref<4x4xf32, strided<[?, ?]>>) {
  // expected-error@below {{'out' must have inner stride 1, but has a dynamic one}}
  frit.act_and_mul silu ins(%x : memref<4x8xf32>) outs(%y : memref<4x4xf32, strided<[?, ?]>>)
  return
}

// -----

func.func @layout(%x: memref<4x8xf32, affine_map<(d0, d1) -> (d0 floordiv 2, d1)>>, %y: memref<4x4xf32>) {
  // expected-error@below {{'x' must have a strided layout, but is}}
  frit.act_and_mul silu ins(%x : memref<4x8xf32, affine_map<(d0, d1) -> (d0 floordiv 2, d1)>>)
      outs(%y : memref<4x4xf32>)
  return
}

// -----

func.func @encoding(%x: tensor<4x8xf32, "sparse">, %y: tensor<4x4xf32>) {
  // expected-error@below {{'x' must have no encoding, but has "sparse"}}
  %0 = frit.act_and_mul silu ins(%x : tensor<4x8xf32, "sparse">) outs(%y : tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @activation(%x: tensor<4x8xf32>, %y: tensor<4x4xf32>) {
  // expected-error@below {{failed to parse Frit_ActivationAttr parameter 'value'}}
  // expected-error@below {{expected ::mlir::frit::Activation to be one of: silu, gelu_tanh, gelu_erf}}
  %0 = frit.act_and_mul relu ins(%x : tensor<4x8xf32>) outs(%y : tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @tokens(%x: tensor<4294967296x?x2147483648x8xf32>, %y: tensor<4294967296x?x2147483648x4xf32>) {
  // expected-error@below {{number of tokens must be less than 2^63, but 'out' is 'tensor<4294967296x?x2147483648x4xf32>'}}
  %0 = frit.act_and_mul silu ins(%x : tensor<4294967296x?x2147483648x8xf32>) outs(%y : tensor<4294967296x?x2147483648x4xf32>) -> tensor<4294967296x?x2147483648x4xf32>
  return
}

// -----

// Rows that share elements have no order to be written in.

func.func @overlapping_rows(%x: memref<4x8xf32>, %y: memref<4x4xf32, strided<[0, 1]>>) {
  // expected-error@below {{'out' is written to and must not overlap itself, but dimension 0 has stride 0, and a row has at least 4 columns}}
  frit.act_and_mul silu ins(%x : memref<4x8xf32>) outs(%y : memref<4x4xf32, strided<[0, 1]>>)
  return
}

// -----

func.func @partly_overlapping_rows(%x: memref<?x?xf32>, %y: memref<?x4xf32, strided<[3, 1]>>) {
  // expected-error@below {{'out' is written to and must not overlap itself, but dimension 0 has stride 3}}
  frit.act_and_mul silu ins(%x : memref<?x?xf32>) outs(%y : memref<?x4xf32, strided<[3, 1]>>)
  return
}
