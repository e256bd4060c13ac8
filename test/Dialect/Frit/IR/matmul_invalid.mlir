// RUN: %frit_opt %s -verify-diagnostics -split-input-file

func.func @terms(%a: tensor<?x3xf32>, %b: tensor<4x5xf32>, %y: tensor<?x5xf32>) {
  // expected-error@below {{dimension 1 of 'a' is 3, but dimension 0 of 'b' is 4}}
  %0 = frit.matmul ins(%a, %b : tensor<?x3xf32>, tensor<4x5xf32>) outs(%y : tensor<?x5xf32>) -> tensor<?x5xf32>
  return
}

// -----

func.func @tokens(%a: tensor<2x6xf32>, %b: tensor<2x5xf32>, %y: tensor<3x5xf32>) {
  // expected-error@below {{dimension 1 of 'a' is 6, but dimension 0 of 'out' is 3}}
  %0 = frit.matmul ins(%a, %b : tensor<2x6xf32>, tensor<2x5xf32>) outs(%y : tensor<3x5xf32>) transpose_a -> tensor<3x5xf32>
  return
}

// -----

func.func @columns(%a: tensor<3x2xf32>, %b: tensor<7x2xf32>, %y: tensor<3x5xf32>) {
  // expected-error@below {{dimension 0 of 'b' is 7, but dimension 1 of 'out' is 5}}
  %0 = frit.matmul ins(%a, %b : tensor<3x2xf32>, tensor<7x2xf32>) outs(%y : tensor<3x5xf32>) transpose_b -> tensor<3x5xf32>
  return
}

// -----

func.func @same_value(%a: tensor<3x2xf32>, %y: tensor<3x3xf32>) {
  // expected-error@below {{dimension 1 of 'a' is 2, but dimension 0 of 'b' is 3}}
  %0 = frit.matmul ins(%a, %a : tensor<3x2xf32>, tensor<3x2xf32>) outs(%y : tensor<3x3xf32>) -> tensor<3x3xf32>
  return
}

// -----

func.func @matrices(%a: tensor<2x3x2xf32>, %b: tensor<4x2x5xf32>, %y: tensor<4x3x5xf32>) {
  // expected-error@below {{dimension 0 of 'out' is 4, but dimension 0 of 'a' is 2}}
  %0 = frit.matmul ins(%a, %b : tensor<2x3x2xf32>, tensor<4x2x5xf32>) outs(%y : tensor<4x3x5xf32>) -> tensor<4x3x5xf32>
  return
}

// -----

func.func @rank(%a: tensor<3x2xf32>, %b: tensor<2x5xf32>, %y: tensor<3xf32>) {
  // expected-error@below {{'out' must have rank 2 or 3, but has 1}}
  %0 = frit.matmul ins(%a, %b : tensor<3x2xf32>, tensor<2x5xf32>) outs(%y : tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @factor_rank(%a: tensor<1x3x2xf32>, %b: tensor<2x5xf32>, %y: tensor<3x5xf32>) {
  // expected-error@below {{'a' must have rank 2, but has 3}}
  %0 = frit.matmul ins(%a, %b : tensor<1x3x2xf32>, tensor<2x5xf32>) outs(%y : tensor<3x5xf32>) -> tensor<3x5xf32>
  return
}

// -----

func.func @no_batch(%a: tensor<3x2xf32>, %b: tensor<2x5xf32>, %y: tensor<4x3x5xf32>) {
  // expected-error@below {{'a' or 'b' must have rank 3 as 'out' has, but both have 2}}
  %0 = frit.matmul ins(%a, %b : tensor<3x2xf32>, tensor<2x5xf32>) outs(%y : tensor<4x3x5xf32>) -> tensor<4x3x5xf32>
  return
}

// -----

func.func @factors(%a: tensor<3x2xbf16>, %b: tensor<2x5xf32>, %y: tensor<3x5xf32>) {
  // expected-error@below {{element type of 'b' is 'f32', but that of 'a' is 'bf16'}}
  %0 = frit.matmul ins(%a, %b : tensor<3x2xbf16>, tensor<2x5xf32>) outs(%y : tensor<3x5xf32>) -> tensor<3x5xf32>
  return
}

// -----

func.func @result(%a: tensor<3x2xbf16>, %b: tensor<2x5xbf16>, %y: tensor<3x5xf16>) {
  // expected-error@below {{element type of 'out' is 'f16', but that of 'a' is 'bf16'}}
  %0 = frit.matmul ins(%a, %b : tensor<3x2xbf16>, tensor<2x5xbf16>) outs(%y : tensor<3x5xf16>) -> tensor<3x5xf16>
  return
}

// -----

func.func @bias_type(%a: tensor<3x2xbf16>, %b: tensor<2x5xbf16>, %c: tensor<5xf32>, %y: tensor<3x5xbf16>) {
  // expected-error@below {{element type of 'bias' is 'f32', but that of 'out' is 'bf16'}}
  %0 = frit.matmul ins(%a, %b : tensor<3x2xbf16>, tensor<2x5xbf16>) bias(%c : tensor<5xf32>) outs(%y : tensor<3x5xbf16>) -> tensor<3x5xbf16>
  return
}

// -----

func.func @bias_size(%a: tensor<3x2xf32>, %b: tensor<2x5xf32>, %c: tensor<3xf32>, %y: tensor<3x5xf32>) {
  // expected-error@below {{dimension 0 of 'bias' is 3, but dimension 1 of 'out' is 5}}
  %0 = frit.matmul ins(%a, %b : tensor<3x2xf32>, tensor<2x5xf32>) bias(%c : tensor<3xf32>) outs(%y : tensor<3x5xf32>) -> tensor<3x5xf32>
  return
}

// -----

func.func @inner_stride(%a: memref<3x2xf32, strided<[1, 3]>>, %b: memref<2x5xf32>, %y: memref<3x5xf32>) {
  // expected-error@below {{'a' must have inner stride 1, but has 3}}
  frit.matmul ins(%a, %b : memref<3x2xf32, strided<[1, 3]>>, memref<2x5xf32>) outs(%y : memref<3x5xf32>)
  return
}
