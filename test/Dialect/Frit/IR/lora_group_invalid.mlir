// RUN: %frit_opt %s -verify-diagnostics -split-input-file

func.func @case(%ids: tensor<4xi32>, %o: tensor<5xi32>, %s: tensor<3xi32>) {
  // expected-error@below {{dimension 0 of 'ids' is 4, but dimension 0 of 'order' is 5}}
  %0:2 = frit.lora_group ins(%ids : tensor<4xi32>) outs(%o, %s : tensor<5xi32>, tensor<3xi32>) -> tensor<5xi32>, tensor<3xi32>
  return
}

// -----

func.func @case(%ids: tensor<4xi32>, %o: tensor<4xi32>, %s: tensor<0xi32>) {
  // expected-error@below {{dimension 0 of 'starts' must be 1 or more, but is 0}}
  %0:2 = frit.lora_group ins(%ids : tensor<4xi32>) outs(%o, %s : tensor<4xi32>, tensor<0xi32>) -> tensor<4xi32>, tensor<0xi32>
  return
}

// -----

func.func @case(%ids: tensor<4x1xi32>, %o: tensor<4xi32>, %s: tensor<3xi32>) {
  // expected-error@below {{'ids' must have rank 1, but has 2}}
  %0:2 = frit.lora_group ins(%ids : tensor<4x1xi32>) outs(%o, %s : tensor<4xi32>, tensor<3xi32>) -> tensor<4xi32>, tensor<3xi32>
  return
}

// -----

func.func @case(%ids: tensor<4xi32>, %o: tensor<4x1xi32>, %s: tensor<3xi32>) {
  // expected-error@below {{'order' must have rank 1, but has 2}}
  %0:2 = frit.lora_group ins(%ids : tensor<4xi32>) outs(%o, %s : tensor<4x1xi32>, tensor<3xi32>) -> tensor<4x1xi32>, tensor<3xi32>
  return
}

// -----

func.func @case(%ids: tensor<4xi32>, %o: tensor<4xi32>, %s: tensor<3x1xi32>) {
  // expected-error@below {{'starts' must have rank 1, but has 2}}
  %0:2 = frit.lora_group ins(%ids : tensor<4xi32>) outs(%o, %s : tensor<4xi32>, tensor<3x1xi32>) -> tensor<4xi32>, tensor<3x1xi32>
  return
}

// -----

func.func @case(%ids: tensor<4xi64>, %o: tensor<4xi32>, %s: tensor<3xi32>) {
  // expected-error@below {{operand #0 must be ranked tensor or memref of i32}}
  %0:2 = frit.lora_group ins(%ids : tensor<4xi64>) outs(%o, %s : tensor<4xi32>, tensor<3xi32>) -> tensor<4xi32>, tensor<3xi32>
  return
}

// -----

func.func @case(%ids: tensor<2147483648xi32>, %o: tensor<2147483648xi32>, %s: tensor<3xi32>) {
  // expected-error@below {{dimension 0 of 'ids' must be at most 2147483647, but is 2147483648}}
  %0:2 = frit.lora_group ins(%ids : tensor<2147483648xi32>) outs(%o, %s : tensor<2147483648xi32>, tensor<3xi32>) -> tensor<2147483648xi32>, tensor<3xi32>
  return
}

// -----

func.func @case(%ids: tensor<4xi32>, %o: tensor<4xi32>, %s: tensor<3xi32>) {
  // expected-error@below {{expects 2 results, but has 1}}
  %0 = "frit.lora_group"(%ids, %o, %s) : (tensor<4xi32>, tensor<4xi32>, tensor<3xi32>) -> tensor<4xi32>
  return
}
