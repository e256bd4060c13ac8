// The MLP of a Gemma3n layer with multi-adapter LoRA, in bf16.
//
//   gate_up = x W_gate_up + LoRA;  h = gelu_and_mul_sparse(gate_up);  y = h W_down + LoRA
//
// hidden 2048, d 8192, four adapters of rank 16. A token whose id is -1 has no adapter. Weights are [K, N]; a matmul accumulates
// in f32 and rounds once.

#identity = affine_map<(t, n) -> (t, n)>

func.func private @matmul_gate_up(%x: tensor<?x2048xbf16>, %w: tensor<2048x16384xbf16>) -> tensor<?x16384xbf16> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %tokens = tensor.dim %x, %c0 : tensor<?x2048xbf16>
  %empty = tensor.empty(%tokens) : tensor<?x16384xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<?x16384xf32>) -> tensor<?x16384xf32>
  %sum = linalg.matmul ins(%x, %w : tensor<?x2048xbf16>, tensor<2048x16384xbf16>) outs(%init : tensor<?x16384xf32>) -> tensor<?x16384xf32>
  %out = tensor.empty(%tokens) : tensor<?x16384xbf16>
  %rounded = linalg.generic {indexing_maps = [#identity, #identity], iterator_types = ["parallel", "parallel"]}
      ins(%sum : tensor<?x16384xf32>) outs(%out : tensor<?x16384xbf16>) {
  ^bb0(%in: f32, %old: bf16):
    %r = arith.truncf %in : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<?x16384xbf16>
  return %rounded : tensor<?x16384xbf16>
}

func.func private @matmul_down(%x: tensor<?x8192xbf16>, %w: tensor<8192x2048xbf16>) -> tensor<?x2048xbf16> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %tokens = tensor.dim %x, %c0 : tensor<?x8192xbf16>
  %empty = tensor.empty(%tokens) : tensor<?x2048xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<?x2048xf32>) -> tensor<?x2048xf32>
  %sum = linalg.matmul ins(%x, %w : tensor<?x8192xbf16>, tensor<8192x2048xbf16>) outs(%init : tensor<?x2048xf32>) -> tensor<?x2048xf32>
  %out = tensor.empty(%tokens) : tensor<?x2048xbf16>
  %rounded = linalg.generic {indexing_maps = [#identity, #identity], iterator_types = ["parallel", "parallel"]}
      ins(%sum : tensor<?x2048xf32>) outs(%out : tensor<?x2048xbf16>) {
  ^bb0(%in: f32, %old: bf16):
    %r = arith.truncf %in : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<?x2048xbf16>
  return %rounded : tensor<?x2048xbf16>
}

func.func @main(
    %x: tensor<?x2048xbf16> {frit.dims = ["tokens", "hidden"]},
    %ids: tensor<?xi32> {frit.dims = ["tokens"]},
    %w_gate_up: tensor<2048x16384xbf16> {frit.tensor = "mlp.gate_up_proj.weight"},
    %w_down: tensor<8192x2048xbf16> {frit.tensor = "mlp.down_proj.weight"},
    %a_gate: tensor<4x16x2048xbf16> {frit.tensor = "mlp.gate_proj.lora_A"},
    %b_gate: tensor<4x8192x16xbf16> {frit.tensor = "mlp.gate_proj.lora_B"},
    %a_up: tensor<4x16x2048xbf16> {frit.tensor = "mlp.up_proj.lora_A"},
    %b_up: tensor<4x8192x16xbf16> {frit.tensor = "mlp.up_proj.lora_B"},
    %a_down: tensor<4x16x8192xbf16> {frit.tensor = "mlp.down_proj.lora_A"},
    %b_down: tensor<4x2048x16xbf16> {frit.tensor = "mlp.down_proj.lora_B"}) -> tensor<?x2048xbf16> {
  %c0 = arith.constant 0 : index
  %tokens = tensor.dim %x, %c0 : tensor<?x2048xbf16>

  %base = func.call @matmul_gate_up(%x, %w_gate_up) : (tensor<?x2048xbf16>, tensor<2048x16384xbf16>) -> tensor<?x16384xbf16>
  %gate_up = frit.lora_matmul ins(%x, %ids : tensor<?x2048xbf16>, tensor<?xi32>)
      weights(%a_gate, %b_gate, %a_up, %b_up : tensor<4x16x2048xbf16>, tensor<4x8192x16xbf16>, tensor<4x16x2048xbf16>, tensor<4x8192x16xbf16>)
      outs(%base : tensor<?x16384xbf16>) scale = 5.000000e-01 -> tensor<?x16384xbf16>

  %empty = tensor.empty(%tokens) : tensor<?x8192xbf16>
  %h = frit.gelu_and_mul_sparse ins(%gate_up : tensor<?x16384xbf16>) outs(%empty : tensor<?x8192xbf16>)
      std_multiplier = 1.64485359 -> tensor<?x8192xbf16>

  %down = func.call @matmul_down(%h, %w_down) : (tensor<?x8192xbf16>, tensor<8192x2048xbf16>) -> tensor<?x2048xbf16>
  %y = frit.lora_matmul ins(%h, %ids : tensor<?x8192xbf16>, tensor<?xi32>)
      weights(%a_down, %b_down : tensor<4x16x8192xbf16>, tensor<4x2048x16xbf16>)
      outs(%down : tensor<?x2048xbf16>) scale = 5.000000e-01 -> tensor<?x2048xbf16>
  return %y : tensor<?x2048xbf16>
}
