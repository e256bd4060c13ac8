// The MLP of a Gemma3n checkpoint with two adapters, bound by the names that transformers and peft gave the tensors, gives what
// PyTorch does. At `framework` an activation's f32 values are within 1e-5 + 1.3e-6 |value|, and so is what follows here. The graphs
// as they are have the exporter's 0.797724 for sqrt(2/pi).
// REQUIRES: cpu-runner
// DEFINE: %{data} = %frit_src/test/data/checkpoint
// DEFINE: %{adapters} = --adapter=%{data}/adapters/first --adapter=%{data}/adapters/second --input=ids=@%{data}/ids.npy
// DEFINE: %{options} = --target=cpu --weights=%{data}/model --input=x=@%{data}/x.npy --exact-zero-mask

// RUN: frit-run %{data}/base.mlir %{options} --raise=framework --expect=@%{data}/base.npy | FileCheck %s --check-prefix=MATCH
// RUN: frit-run %{data}/base.mlir %{options} --expect=@%{data}/base.npy --atol=2e-5 | FileCheck %s --check-prefix=MATCH
// RUN: frit-run %{data}/adapters.mlir %{options} %{adapters} --raise=framework --explain --expect=@%{data}/adapters.npy \
// RUN:   | FileCheck %s --check-prefixes=IDS,RAISED,MATCH
// RUN: frit-run %{data}/adapters.mlir %{options} %{adapters} --expect=@%{data}/adapters.npy --atol=1e-4 \
// RUN:   | FileCheck %s --check-prefixes=IDS,MATCH
// RUN: frit-run %s %{options} %{adapters} --expect=@%{data}/adapters.npy | FileCheck %s --check-prefixes=IDS,MATCH
// IDS: adapter 0: 'first', 6 modules, rank 4
// IDS-NEXT: adapter 1: 'second', 4 modules, ranks 3, 8
// RAISED: 'frit.lora_matmul' raised at fidelity=exact
// RAISED: 'frit.gelu_and_mul_sparse' raised
// RAISED-COUNT-2: 'frit.lora_matmul' raised at fidelity=exact
// MATCH: result 0 and {{.*}}.npy: 11x32xf32: match

// An adapter takes part: in the other order the ids mean others.
// RUN: not frit-run %s %{options} --adapter=%{data}/adapters/second --adapter=%{data}/adapters/first --input=ids=@%{data}/ids.npy \
// RUN:   --expect=@%{data}/adapters.npy | FileCheck %s --check-prefix=OTHER
// OTHER: result 0 and {{.*}}adapters.npy: 11x32xf32: MISMATCH

// The same layer in Frit's ops, with true ranks. Two slots are empty, and R is more than any rank.
func.func private @linear(%x: tensor<?x?xf32>, %w: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %tokens = tensor.dim %x, %c0 : tensor<?x?xf32>
  %outputs = tensor.dim %w, %c0 : tensor<?x?xf32>
  %empty = tensor.empty(%tokens, %outputs) : tensor<?x?xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<?x?xf32>) -> tensor<?x?xf32>
  %y = linalg.matmul indexing_maps = [affine_map<(t, n, k) -> (t, k)>, affine_map<(t, n, k) -> (n, k)>, affine_map<(t, n, k) -> (t, n)>]
      ins(%x, %w : tensor<?x?xf32>, tensor<?x?xf32>) outs(%init : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %y : tensor<?x?xf32>
}

func.func private @adapted(%x: tensor<?x?xf32>, %ids: tensor<?xi32>, %w: tensor<?x?xf32>, %a: tensor<4x9x?xf32>,
                           %b: tensor<4x?x9xf32>, %ranks: tensor<4xi32>, %scales: tensor<4xf32>) -> tensor<?x?xf32> {
  %y = func.call @linear(%x, %w) : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %r = frit.lora_matmul ins(%x, %ids : tensor<?x?xf32>, tensor<?xi32>) weights(%a, %b : tensor<4x9x?xf32>, tensor<4x?x9xf32>)
      scales(%scales : tensor<4xf32>) ranks(%ranks : tensor<4xi32>) outs(%y : tensor<?x?xf32>) rounding = stepwise -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

func.func @main(%x: tensor<?x?xf32> {frit.tensor = "x", frit.dims = ["tokens", ""]},
                %ids: tensor<?xi32> {frit.tensor = "ids", frit.dims = ["tokens"]},
                %w_gate: tensor<?x?xf32> {frit.tensor = "model.layers.0.mlp.gate_proj.weight"},
                %a_gate: tensor<4x9x?xf32> {frit.tensor = "model.layers.0.mlp.gate_proj.lora_A"},
                %b_gate: tensor<4x?x9xf32> {frit.tensor = "model.layers.0.mlp.gate_proj.lora_B"},
                %r_gate: tensor<4xi32> {frit.tensor = "model.layers.0.mlp.gate_proj.lora_ranks"},
                %s_gate: tensor<4xf32> {frit.tensor = "model.layers.0.mlp.gate_proj.lora_scales"},
                %w_up: tensor<?x?xf32> {frit.tensor = "model.layers.0.mlp.up_proj.weight"},
                %a_up: tensor<4x9x?xf32> {frit.tensor = "model.layers.0.mlp.up_proj.lora_A"},
                %b_up: tensor<4x?x9xf32> {frit.tensor = "model.layers.0.mlp.up_proj.lora_B"},
                %r_up: tensor<4xi32> {frit.tensor = "model.layers.0.mlp.up_proj.lora_ranks"},
                %s_up: tensor<4xf32> {frit.tensor = "model.layers.0.mlp.up_proj.lora_scales"},
                %w_down: tensor<?x?xf32> {frit.tensor = "model.layers.0.mlp.down_proj.weight"},
                %a_down: tensor<4x9x?xf32> {frit.tensor = "model.layers.0.mlp.down_proj.lora_A"},
                %b_down: tensor<4x?x9xf32> {frit.tensor = "model.layers.0.mlp.down_proj.lora_B"},
                %r_down: tensor<4xi32> {frit.tensor = "model.layers.0.mlp.down_proj.lora_ranks"},
                %s_down: tensor<4xf32> {frit.tensor = "model.layers.0.mlp.down_proj.lora_scales"}) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %gate = func.call @adapted(%x, %ids, %w_gate, %a_gate, %b_gate, %r_gate, %s_gate)
      : (tensor<?x?xf32>, tensor<?xi32>, tensor<?x?xf32>, tensor<4x9x?xf32>, tensor<4x?x9xf32>, tensor<4xi32>, tensor<4xf32>) -> tensor<?x?xf32>
  %up = func.call @adapted(%x, %ids, %w_up, %a_up, %b_up, %r_up, %s_up)
      : (tensor<?x?xf32>, tensor<?xi32>, tensor<?x?xf32>, tensor<4x9x?xf32>, tensor<4x?x9xf32>, tensor<4xi32>, tensor<4xf32>) -> tensor<?x?xf32>
  %tokens = tensor.dim %gate, %c0 : tensor<?x?xf32>
  %width = tensor.dim %gate, %c1 : tensor<?x?xf32>
  %empty = tensor.empty(%tokens, %width) : tensor<?x?xf32>
  %h = frit.gelu_and_mul_sparse ins(%gate, %up : tensor<?x?xf32>, tensor<?x?xf32>) outs(%empty : tensor<?x?xf32>)
      std_multiplier = 1.64485359 -> tensor<?x?xf32>
  %y = func.call @adapted(%h, %ids, %w_down, %a_down, %b_down, %r_down, %s_down)
      : (tensor<?x?xf32>, tensor<?xi32>, tensor<?x?xf32>, tensor<4x9x?xf32>, tensor<4x?x9xf32>, tensor<4xi32>, tensor<4xf32>) -> tensor<?x?xf32>
  return %y : tensor<?x?xf32>
}
