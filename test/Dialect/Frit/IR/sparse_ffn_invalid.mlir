// RUN: %frit_opt %s -verify-diagnostics -split-input-file

func.func @rank(%x: tensor<2x2x64xbf16>, %gate: tensor<96x64xbf16>, %up: tensor<96x64xbf16>, %down: tensor<96x64xbf16>, %out: tensor<4x64xbf16>) {
  // expected-error@below {{'x' must have rank 2, but has 3}}
  %0 = frit.sparse_ffn ins(%x : tensor<2x2x64xbf16>)
      weights(%gate, %up, %down : tensor<96x64xbf16>, tensor<96x64xbf16>, tensor<96x64xbf16>)
      outs(%out : tensor<4x64xbf16>) std_multiplier = 1.0 down_layout = dh -> tensor<4x64xbf16>
  return
}

// -----

func.func @element_type(%x: tensor<4x64xbf16>, %gate: tensor<96x64xbf16>, %up: tensor<96x64xf32>, %down: tensor<96x64xbf16>, %out: tensor<4x64xbf16>) {
  // expected-error@below {{element type of 'up' is 'f32', but that of 'x' is 'bf16'}}
  %0 = frit.sparse_ffn ins(%x : tensor<4x64xbf16>)
      weights(%gate, %up, %down : tensor<96x64xbf16>, tensor<96x64xf32>, tensor<96x64xbf16>)
      outs(%out : tensor<4x64xbf16>) std_multiplier = 1.0 down_layout = dh -> tensor<4x64xbf16>
  return
}

// -----

func.func @tokens(%x: tensor<4x64xbf16>, %gate: tensor<96x64xbf16>, %up: tensor<96x64xbf16>, %down: tensor<96x64xbf16>, %out: tensor<5x64xbf16>) {
  // expected-error@below {{dimension 0 of 'x' is 4, but dimension 0 of 'out' is 5}}
  %0 = frit.sparse_ffn ins(%x : tensor<4x64xbf16>)
      weights(%gate, %up, %down : tensor<96x64xbf16>, tensor<96x64xbf16>, tensor<96x64xbf16>)
      outs(%out : tensor<5x64xbf16>) std_multiplier = 1.0 down_layout = dh -> tensor<5x64xbf16>
  return
}

// -----

func.func @width(%x: tensor<4x64xbf16>, %gate: tensor<96x64xbf16>, %up: tensor<96x64xbf16>, %down: tensor<96x64xbf16>, %out: tensor<4x65xbf16>) {
  // expected-error@below {{dimension 1 of 'out' is 65, but dimension 1 of 'x' is 64}}
  %0 = frit.sparse_ffn ins(%x : tensor<4x64xbf16>)
      weights(%gate, %up, %down : tensor<96x64xbf16>, tensor<96x64xbf16>, tensor<96x64xbf16>)
      outs(%out : tensor<4x65xbf16>) std_multiplier = 1.0 down_layout = dh -> tensor<4x65xbf16>
  return
}

// -----

func.func @gate_width(%x: tensor<4x64xbf16>, %gate: tensor<96x63xbf16>, %up: tensor<96x64xbf16>, %down: tensor<96x64xbf16>, %out: tensor<4x64xbf16>) {
  // expected-error@below {{dimension 1 of 'gate' is 63, but dimension 1 of 'x' is 64}}
  %0 = frit.sparse_ffn ins(%x : tensor<4x64xbf16>)
      weights(%gate, %up, %down : tensor<96x63xbf16>, tensor<96x64xbf16>, tensor<96x64xbf16>)
      outs(%out : tensor<4x64xbf16>) std_multiplier = 1.0 down_layout = dh -> tensor<4x64xbf16>
  return
}

// -----

func.func @up_columns(%x: tensor<4x64xbf16>, %gate: tensor<96x64xbf16>, %up: tensor<95x64xbf16>, %down: tensor<96x64xbf16>, %out: tensor<4x64xbf16>) {
  // expected-error@below {{dimension 0 of 'up' is 95, but dimension 0 of 'gate' is 96}}
  %0 = frit.sparse_ffn ins(%x : tensor<4x64xbf16>)
      weights(%gate, %up, %down : tensor<96x64xbf16>, tensor<95x64xbf16>, tensor<96x64xbf16>)
      outs(%out : tensor<4x64xbf16>) std_multiplier = 1.0 down_layout = dh -> tensor<4x64xbf16>
  return
}

// -----

func.func @up_width(%x: tensor<4x64xbf16>, %gate: tensor<96x64xbf16>, %up: tensor<96x63xbf16>, %down: tensor<96x64xbf16>, %out: tensor<4x64xbf16>) {
  // expected-error@below {{dimension 1 of 'up' is 63, but dimension 1 of 'x' is 64}}
  %0 = frit.sparse_ffn ins(%x : tensor<4x64xbf16>)
      weights(%gate, %up, %down : tensor<96x64xbf16>, tensor<96x63xbf16>, tensor<96x64xbf16>)
      outs(%out : tensor<4x64xbf16>) std_multiplier = 1.0 down_layout = dh -> tensor<4x64xbf16>
  return
}

// -----

func.func @down_dh(%x: tensor<4x64xbf16>, %gate: tensor<96x64xbf16>, %up: tensor<96x64xbf16>, %down: tensor<64x96xbf16>, %out: tensor<4x64xbf16>) {
  // expected-error@below {{dimension 0 of 'down' is 64, but dimension 0 of 'gate' is 96}}
  %0 = frit.sparse_ffn ins(%x : tensor<4x64xbf16>)
      weights(%gate, %up, %down : tensor<96x64xbf16>, tensor<96x64xbf16>, tensor<64x96xbf16>)
      outs(%out : tensor<4x64xbf16>) std_multiplier = 1.0 down_layout = dh -> tensor<4x64xbf16>
  return
}

// -----

func.func @down_hd(%x: tensor<4x64xbf16>, %gate: tensor<96x64xbf16>, %up: tensor<96x64xbf16>, %down: tensor<96x64xbf16>, %out: tensor<4x64xbf16>) {
  // expected-error@below {{dimension 1 of 'down' is 64, but dimension 0 of 'gate' is 96}}
  %0 = frit.sparse_ffn ins(%x : tensor<4x64xbf16>)
      weights(%gate, %up, %down : tensor<96x64xbf16>, tensor<96x64xbf16>, tensor<96x64xbf16>)
      outs(%out : tensor<4x64xbf16>) std_multiplier = 1.0 down_layout = hd -> tensor<4x64xbf16>
  return
}

// -----

func.func @down_width(%x: tensor<4x64xbf16>, %gate: tensor<96x64xbf16>, %up: tensor<96x64xbf16>, %down: tensor<63x96xbf16>, %out: tensor<4x64xbf16>) {
  // expected-error@below {{dimension 0 of 'down' is 63, but dimension 1 of 'x' is 64}}
  %0 = frit.sparse_ffn ins(%x : tensor<4x64xbf16>)
      weights(%gate, %up, %down : tensor<96x64xbf16>, tensor<96x64xbf16>, tensor<63x96xbf16>)
      outs(%out : tensor<4x64xbf16>) std_multiplier = 1.0 down_layout = hd -> tensor<4x64xbf16>
  return
}

// -----

func.func @correction(%x: tensor<4x64xbf16>, %gate: tensor<96x64xbf16>, %up: tensor<96x64xbf16>, %down: tensor<96x64xbf16>, %out: tensor<4x64xbf16>) {
  // expected-error@below {{'correction' must be 0 or 1, but is 2}}
  %0 = frit.sparse_ffn ins(%x : tensor<4x64xbf16>)
      weights(%gate, %up, %down : tensor<96x64xbf16>, tensor<96x64xbf16>, tensor<96x64xbf16>)
      outs(%out : tensor<4x64xbf16>) std_multiplier = 1.0 down_layout = dh correction = 2 -> tensor<4x64xbf16>
  return
}

// -----

func.func @multiplier(%x: tensor<4x64xbf16>, %gate: tensor<96x64xbf16>, %up: tensor<96x64xbf16>, %down: tensor<96x64xbf16>, %out: tensor<4x64xbf16>) {
  // expected-error@below {{'std_multiplier' must be finite, but is 0x7F800000 : f32}}
  %0 = frit.sparse_ffn ins(%x : tensor<4x64xbf16>)
      weights(%gate, %up, %down : tensor<96x64xbf16>, tensor<96x64xbf16>, tensor<96x64xbf16>)
      outs(%out : tensor<4x64xbf16>) std_multiplier = 0x7F800000 down_layout = dh -> tensor<4x64xbf16>
  return
}

// -----

func.func @no_ids(%x: tensor<4x64xbf16>, %gate: tensor<96x64xbf16>, %up: tensor<96x64xbf16>, %down: tensor<96x64xbf16>, %out: tensor<4x64xbf16>, %gate0: tensor<4x8x64xbf16>, %gate1: tensor<4x96x8xbf16>) {
  // expected-error@below {{a LoRA needs 'ids' beside it}}
  %0 = frit.sparse_ffn ins(%x : tensor<4x64xbf16>)
      weights(%gate, %up, %down : tensor<96x64xbf16>, tensor<96x64xbf16>, tensor<96x64xbf16>)
      gate_lora(%gate0, %gate1 : tensor<4x8x64xbf16>, tensor<4x96x8xbf16>)
      outs(%out : tensor<4x64xbf16>) std_multiplier = 1.0 down_layout = dh -> tensor<4x64xbf16>
  return
}

// -----

func.func @only_ids(%x: tensor<4x64xbf16>, %gate: tensor<96x64xbf16>, %up: tensor<96x64xbf16>, %down: tensor<96x64xbf16>, %out: tensor<4x64xbf16>, %ids: tensor<4xi32>) {
  // expected-error@below {{'ids' needs a LoRA beside it}}
  %0 = frit.sparse_ffn ins(%x, %ids : tensor<4x64xbf16>, tensor<4xi32>)
      weights(%gate, %up, %down : tensor<96x64xbf16>, tensor<96x64xbf16>, tensor<96x64xbf16>)
      outs(%out : tensor<4x64xbf16>) std_multiplier = 1.0 down_layout = dh -> tensor<4x64xbf16>
  return
}

// -----

func.func @only_scales(%x: tensor<4x64xbf16>, %gate: tensor<96x64xbf16>, %up: tensor<96x64xbf16>, %down: tensor<96x64xbf16>, %out: tensor<4x64xbf16>, %scales: tensor<4xf32>) {
  // expected-error@below {{'scales' needs a LoRA beside it}}
  %0 = frit.sparse_ffn ins(%x : tensor<4x64xbf16>)
      weights(%gate, %up, %down : tensor<96x64xbf16>, tensor<96x64xbf16>, tensor<96x64xbf16>)
      scales(%scales : tensor<4xf32>)
      outs(%out : tensor<4x64xbf16>) std_multiplier = 1.0 down_layout = dh -> tensor<4x64xbf16>
  return
}

// -----

func.func @only_ranks(%x: tensor<4x64xbf16>, %gate: tensor<96x64xbf16>, %up: tensor<96x64xbf16>, %down: tensor<96x64xbf16>, %out: tensor<4x64xbf16>, %ranks: tensor<4xi32>) {
  // expected-error@below {{'ranks' needs a LoRA beside it}}
  %0 = frit.sparse_ffn ins(%x : tensor<4x64xbf16>)
      weights(%gate, %up, %down : tensor<96x64xbf16>, tensor<96x64xbf16>, tensor<96x64xbf16>)
      ranks(%ranks : tensor<4xi32>)
      outs(%out : tensor<4x64xbf16>) std_multiplier = 1.0 down_layout = dh -> tensor<4x64xbf16>
  return
}

// -----

func.func @one_weight(%x: tensor<4x64xbf16>, %gate: tensor<96x64xbf16>, %up: tensor<96x64xbf16>, %down: tensor<96x64xbf16>, %out: tensor<4x64xbf16>, %ids: tensor<4xi32>, %up0: tensor<4x8x64xbf16>) {
  // expected-error@below {{'up_lora' must be A and B, but there are 1 operands}}
  %0 = frit.sparse_ffn ins(%x, %ids : tensor<4x64xbf16>, tensor<4xi32>)
      weights(%gate, %up, %down : tensor<96x64xbf16>, tensor<96x64xbf16>, tensor<96x64xbf16>)
      up_lora(%up0 : tensor<4x8x64xbf16>)
      outs(%out : tensor<4x64xbf16>) std_multiplier = 1.0 down_layout = dh -> tensor<4x64xbf16>
  return
}

// -----

func.func @ids_rank(%x: tensor<4x64xbf16>, %gate: tensor<96x64xbf16>, %up: tensor<96x64xbf16>, %down: tensor<96x64xbf16>, %out: tensor<4x64xbf16>, %ids: tensor<4x1xi32>, %up0: tensor<4x8x64xbf16>, %up1: tensor<4x96x8xbf16>) {
  // expected-error@below {{'ids' must have rank 1, but has 2}}
  %0 = frit.sparse_ffn ins(%x, %ids : tensor<4x64xbf16>, tensor<4x1xi32>)
      weights(%gate, %up, %down : tensor<96x64xbf16>, tensor<96x64xbf16>, tensor<96x64xbf16>)
      up_lora(%up0, %up1 : tensor<4x8x64xbf16>, tensor<4x96x8xbf16>)
      outs(%out : tensor<4x64xbf16>) std_multiplier = 1.0 down_layout = dh -> tensor<4x64xbf16>
  return
}

// -----

func.func @ids_tokens(%x: tensor<4x64xbf16>, %gate: tensor<96x64xbf16>, %up: tensor<96x64xbf16>, %down: tensor<96x64xbf16>, %out: tensor<4x64xbf16>, %ids: tensor<5xi32>, %up0: tensor<4x8x64xbf16>, %up1: tensor<4x96x8xbf16>) {
  // expected-error@below {{dimension 0 of 'ids' is 5, but dimension 0 of 'x' is 4}}
  %0 = frit.sparse_ffn ins(%x, %ids : tensor<4x64xbf16>, tensor<5xi32>)
      weights(%gate, %up, %down : tensor<96x64xbf16>, tensor<96x64xbf16>, tensor<96x64xbf16>)
      up_lora(%up0, %up1 : tensor<4x8x64xbf16>, tensor<4x96x8xbf16>)
      outs(%out : tensor<4x64xbf16>) std_multiplier = 1.0 down_layout = dh -> tensor<4x64xbf16>
  return
}

// -----

func.func @lora_rank(%x: tensor<4x64xbf16>, %gate: tensor<96x64xbf16>, %up: tensor<96x64xbf16>, %down: tensor<96x64xbf16>, %out: tensor<4x64xbf16>, %ids: tensor<4xi32>, %up0: tensor<8x64xbf16>, %up1: tensor<4x96x8xbf16>) {
  // expected-error@below {{'A_up' must have rank 3, but has 2}}
  %0 = frit.sparse_ffn ins(%x, %ids : tensor<4x64xbf16>, tensor<4xi32>)
      weights(%gate, %up, %down : tensor<96x64xbf16>, tensor<96x64xbf16>, tensor<96x64xbf16>)
      up_lora(%up0, %up1 : tensor<8x64xbf16>, tensor<4x96x8xbf16>)
      outs(%out : tensor<4x64xbf16>) std_multiplier = 1.0 down_layout = dh -> tensor<4x64xbf16>
  return
}

// -----

func.func @lora_type(%x: tensor<4x64xbf16>, %gate: tensor<96x64xbf16>, %up: tensor<96x64xbf16>, %down: tensor<96x64xbf16>, %out: tensor<4x64xbf16>, %ids: tensor<4xi32>, %gate0: tensor<4x8x64xf16>, %gate1: tensor<4x96x8xf16>) {
  // expected-error@below {{element type of 'A_gate' is 'f16', but must be that of 'x', 'bf16', or f32}}
  %0 = frit.sparse_ffn ins(%x, %ids : tensor<4x64xbf16>, tensor<4xi32>)
      weights(%gate, %up, %down : tensor<96x64xbf16>, tensor<96x64xbf16>, tensor<96x64xbf16>)
      gate_lora(%gate0, %gate1 : tensor<4x8x64xf16>, tensor<4x96x8xf16>)
      outs(%out : tensor<4x64xbf16>) std_multiplier = 1.0 down_layout = dh -> tensor<4x64xbf16>
  return
}

// -----

func.func @lora_mixed(%x: tensor<4x64xbf16>, %gate: tensor<96x64xbf16>, %up: tensor<96x64xbf16>, %down: tensor<96x64xbf16>, %out: tensor<4x64xbf16>, %ids: tensor<4xi32>, %gate0: tensor<4x8x64xbf16>, %gate1: tensor<4x96x8xf32>) {
  // expected-error@below {{element type of 'B_gate' is 'f32', but that of 'A_gate' is 'bf16'}}
  %0 = frit.sparse_ffn ins(%x, %ids : tensor<4x64xbf16>, tensor<4xi32>)
      weights(%gate, %up, %down : tensor<96x64xbf16>, tensor<96x64xbf16>, tensor<96x64xbf16>)
      gate_lora(%gate0, %gate1 : tensor<4x8x64xbf16>, tensor<4x96x8xf32>)
      outs(%out : tensor<4x64xbf16>) std_multiplier = 1.0 down_layout = dh -> tensor<4x64xbf16>
  return
}

// -----

func.func @lora_adapters(%x: tensor<4x64xbf16>, %gate: tensor<96x64xbf16>, %up: tensor<96x64xbf16>, %down: tensor<96x64xbf16>, %out: tensor<4x64xbf16>, %ids: tensor<4xi32>, %gate0: tensor<4x8x64xbf16>, %gate1: tensor<4x96x8xbf16>, %down0: tensor<3x8x96xbf16>, %down1: tensor<3x64x8xbf16>) {
  // expected-error@below {{dimension 0 of 'A_down' is 3, but dimension 0 of 'A_gate' is 4}}
  %0 = frit.sparse_ffn ins(%x, %ids : tensor<4x64xbf16>, tensor<4xi32>)
      weights(%gate, %up, %down : tensor<96x64xbf16>, tensor<96x64xbf16>, tensor<96x64xbf16>)
      gate_lora(%gate0, %gate1 : tensor<4x8x64xbf16>, tensor<4x96x8xbf16>)
      down_lora(%down0, %down1 : tensor<3x8x96xbf16>, tensor<3x64x8xbf16>)
      outs(%out : tensor<4x64xbf16>) std_multiplier = 1.0 down_layout = dh -> tensor<4x64xbf16>
  return
}

// -----

func.func @lora_ranks(%x: tensor<4x64xbf16>, %gate: tensor<96x64xbf16>, %up: tensor<96x64xbf16>, %down: tensor<96x64xbf16>, %out: tensor<4x64xbf16>, %ids: tensor<4xi32>, %gate0: tensor<4x8x64xbf16>, %gate1: tensor<4x96x8xbf16>, %down0: tensor<4x9x96xbf16>, %down1: tensor<4x64x9xbf16>) {
  // expected-error@below {{dimension 1 of 'A_down' is 9, but dimension 1 of 'A_gate' is 8}}
  %0 = frit.sparse_ffn ins(%x, %ids : tensor<4x64xbf16>, tensor<4xi32>)
      weights(%gate, %up, %down : tensor<96x64xbf16>, tensor<96x64xbf16>, tensor<96x64xbf16>)
      gate_lora(%gate0, %gate1 : tensor<4x8x64xbf16>, tensor<4x96x8xbf16>)
      down_lora(%down0, %down1 : tensor<4x9x96xbf16>, tensor<4x64x9xbf16>)
      outs(%out : tensor<4x64xbf16>) std_multiplier = 1.0 down_layout = dh -> tensor<4x64xbf16>
  return
}

// -----

func.func @lora_b_rank(%x: tensor<4x64xbf16>, %gate: tensor<96x64xbf16>, %up: tensor<96x64xbf16>, %down: tensor<96x64xbf16>, %out: tensor<4x64xbf16>, %ids: tensor<4xi32>, %up0: tensor<4x8x64xbf16>, %up1: tensor<4x96x7xbf16>) {
  // expected-error@below {{dimension 2 of 'B_up' is 7, but dimension 1 of 'A_up' is 8}}
  %0 = frit.sparse_ffn ins(%x, %ids : tensor<4x64xbf16>, tensor<4xi32>)
      weights(%gate, %up, %down : tensor<96x64xbf16>, tensor<96x64xbf16>, tensor<96x64xbf16>)
      up_lora(%up0, %up1 : tensor<4x8x64xbf16>, tensor<4x96x7xbf16>)
      outs(%out : tensor<4x64xbf16>) std_multiplier = 1.0 down_layout = dh -> tensor<4x64xbf16>
  return
}

// -----

func.func @lora_depth(%x: tensor<4x64xbf16>, %gate: tensor<96x64xbf16>, %up: tensor<96x64xbf16>, %down: tensor<96x64xbf16>, %out: tensor<4x64xbf16>, %ids: tensor<4xi32>, %up0: tensor<4x8x96xbf16>, %up1: tensor<4x96x8xbf16>) {
  // expected-error@below {{dimension 2 of 'A_up' is 96, but dimension 1 of 'x' is 64}}
  %0 = frit.sparse_ffn ins(%x, %ids : tensor<4x64xbf16>, tensor<4xi32>)
      weights(%gate, %up, %down : tensor<96x64xbf16>, tensor<96x64xbf16>, tensor<96x64xbf16>)
      up_lora(%up0, %up1 : tensor<4x8x96xbf16>, tensor<4x96x8xbf16>)
      outs(%out : tensor<4x64xbf16>) std_multiplier = 1.0 down_layout = dh -> tensor<4x64xbf16>
  return
}

// -----

func.func @lora_columns(%x: tensor<4x64xbf16>, %gate: tensor<96x64xbf16>, %up: tensor<96x64xbf16>, %down: tensor<96x64xbf16>, %out: tensor<4x64xbf16>, %ids: tensor<4xi32>, %gate0: tensor<4x8x64xbf16>, %gate1: tensor<4x64x8xbf16>) {
  // expected-error@below {{dimension 1 of 'B_gate' is 64, but dimension 0 of 'gate' is 96}}
  %0 = frit.sparse_ffn ins(%x, %ids : tensor<4x64xbf16>, tensor<4xi32>)
      weights(%gate, %up, %down : tensor<96x64xbf16>, tensor<96x64xbf16>, tensor<96x64xbf16>)
      gate_lora(%gate0, %gate1 : tensor<4x8x64xbf16>, tensor<4x64x8xbf16>)
      outs(%out : tensor<4x64xbf16>) std_multiplier = 1.0 down_layout = dh -> tensor<4x64xbf16>
  return
}

// -----

func.func @down_lora_depth(%x: tensor<4x64xbf16>, %gate: tensor<96x64xbf16>, %up: tensor<96x64xbf16>, %down: tensor<96x64xbf16>, %out: tensor<4x64xbf16>, %ids: tensor<4xi32>, %down0: tensor<4x8x64xbf16>, %down1: tensor<4x64x8xbf16>) {
  // expected-error@below {{dimension 2 of 'A_down' is 64, but dimension 0 of 'gate' is 96}}
  %0 = frit.sparse_ffn ins(%x, %ids : tensor<4x64xbf16>, tensor<4xi32>)
      weights(%gate, %up, %down : tensor<96x64xbf16>, tensor<96x64xbf16>, tensor<96x64xbf16>)
      down_lora(%down0, %down1 : tensor<4x8x64xbf16>, tensor<4x64x8xbf16>)
      outs(%out : tensor<4x64xbf16>) std_multiplier = 1.0 down_layout = dh -> tensor<4x64xbf16>
  return
}

// -----

func.func @down_lora_columns(%x: tensor<4x64xbf16>, %gate: tensor<96x64xbf16>, %up: tensor<96x64xbf16>, %down: tensor<96x64xbf16>, %out: tensor<4x64xbf16>, %ids: tensor<4xi32>, %down0: tensor<4x8x96xbf16>, %down1: tensor<4x96x8xbf16>) {
  // expected-error@below {{dimension 1 of 'B_down' is 96, but dimension 1 of 'x' is 64}}
  %0 = frit.sparse_ffn ins(%x, %ids : tensor<4x64xbf16>, tensor<4xi32>)
      weights(%gate, %up, %down : tensor<96x64xbf16>, tensor<96x64xbf16>, tensor<96x64xbf16>)
      down_lora(%down0, %down1 : tensor<4x8x96xbf16>, tensor<4x96x8xbf16>)
      outs(%out : tensor<4x64xbf16>) std_multiplier = 1.0 down_layout = dh -> tensor<4x64xbf16>
  return
}

// -----

func.func @scales_rank(%x: tensor<4x64xbf16>, %gate: tensor<96x64xbf16>, %up: tensor<96x64xbf16>, %down: tensor<96x64xbf16>, %out: tensor<4x64xbf16>, %ids: tensor<4xi32>, %down0: tensor<4x8x96xbf16>, %down1: tensor<4x64x8xbf16>, %scales: tensor<1x3x4xf32>) {
  // expected-error@below {{'scales' must have rank 1 or 2, but has 3}}
  %0 = frit.sparse_ffn ins(%x, %ids : tensor<4x64xbf16>, tensor<4xi32>)
      weights(%gate, %up, %down : tensor<96x64xbf16>, tensor<96x64xbf16>, tensor<96x64xbf16>)
      down_lora(%down0, %down1 : tensor<4x8x96xbf16>, tensor<4x64x8xbf16>)
      scales(%scales : tensor<1x3x4xf32>)
      outs(%out : tensor<4x64xbf16>) std_multiplier = 1.0 down_layout = dh -> tensor<4x64xbf16>
  return
}

// -----

func.func @scales_adapters(%x: tensor<4x64xbf16>, %gate: tensor<96x64xbf16>, %up: tensor<96x64xbf16>, %down: tensor<96x64xbf16>, %out: tensor<4x64xbf16>, %ids: tensor<4xi32>, %down0: tensor<4x8x96xbf16>, %down1: tensor<4x64x8xbf16>, %scales: tensor<3xf32>) {
  // expected-error@below {{dimension 0 of 'scales' is 3, but dimension 0 of 'A_down' is 4}}
  %0 = frit.sparse_ffn ins(%x, %ids : tensor<4x64xbf16>, tensor<4xi32>)
      weights(%gate, %up, %down : tensor<96x64xbf16>, tensor<96x64xbf16>, tensor<96x64xbf16>)
      down_lora(%down0, %down1 : tensor<4x8x96xbf16>, tensor<4x64x8xbf16>)
      scales(%scales : tensor<3xf32>)
      outs(%out : tensor<4x64xbf16>) std_multiplier = 1.0 down_layout = dh -> tensor<4x64xbf16>
  return
}

// -----

func.func @ranks_projections(%x: tensor<4x64xbf16>, %gate: tensor<96x64xbf16>, %up: tensor<96x64xbf16>, %down: tensor<96x64xbf16>, %out: tensor<4x64xbf16>, %ids: tensor<4xi32>, %down0: tensor<4x8x96xbf16>, %down1: tensor<4x64x8xbf16>, %ranks: tensor<1x4xi32>) {
  // expected-error@below {{dimension 0 of 'ranks' is 1, but there are 3 projections}}
  %0 = frit.sparse_ffn ins(%x, %ids : tensor<4x64xbf16>, tensor<4xi32>)
      weights(%gate, %up, %down : tensor<96x64xbf16>, tensor<96x64xbf16>, tensor<96x64xbf16>)
      down_lora(%down0, %down1 : tensor<4x8x96xbf16>, tensor<4x64x8xbf16>)
      ranks(%ranks : tensor<1x4xi32>)
      outs(%out : tensor<4x64xbf16>) std_multiplier = 1.0 down_layout = dh -> tensor<4x64xbf16>
  return
}

// -----

func.func @intermediate(%x: tensor<4x64xbf16>, %gate: tensor<96x64xbf16>, %up: tensor<96x64xbf16>, %down: tensor<96x64xbf16>, %out: tensor<4x64xbf16>, %ids: tensor<4xi32>, %down0: tensor<4x8x96xbf16>, %down1: tensor<4x64x8xbf16>) {
  // expected-error@below {{'intermediate' must be f32 with lora_rounding stepwise, but is element}}
  %0 = frit.sparse_ffn ins(%x, %ids : tensor<4x64xbf16>, tensor<4xi32>)
      weights(%gate, %up, %down : tensor<96x64xbf16>, tensor<96x64xbf16>, tensor<96x64xbf16>)
      down_lora(%down0, %down1 : tensor<4x8x96xbf16>, tensor<4x64x8xbf16>)
      outs(%out : tensor<4x64xbf16>) std_multiplier = 1.0 down_layout = dh intermediate = element lora_rounding = stepwise -> tensor<4x64xbf16>
  return
}

// -----

func.func @results(%x: tensor<4x64xbf16>, %gate: tensor<96x64xbf16>, %up: tensor<96x64xbf16>, %down: tensor<96x64xbf16>, %out: tensor<4x64xbf16>) {
  // expected-error@below {{expects 1 results, but has 0}}
  frit.sparse_ffn ins(%x : tensor<4x64xbf16>)
      weights(%gate, %up, %down : tensor<96x64xbf16>, tensor<96x64xbf16>, tensor<96x64xbf16>)
      outs(%out : tensor<4x64xbf16>) std_multiplier = 1.0 down_layout = dh
  return
}

// -----

func.func @stride(%x: memref<4x64xbf16>, %gate: memref<96x64xbf16>, %up: memref<96x64xbf16>, %down: memref<96x64xbf16, strided<[128, 2]>>, %out: memref<4x64xbf16>) {
  // expected-error@below {{'down' must have inner stride 1, but has 2}}
  frit.sparse_ffn ins(%x : memref<4x64xbf16>)
      weights(%gate, %up, %down : memref<96x64xbf16>, memref<96x64xbf16>, memref<96x64xbf16, strided<[128, 2]>>)
      outs(%out : memref<4x64xbf16>) std_multiplier = 1.0 down_layout = dh
  return
}

// -----

func.func @overlap(%x: memref<4x64xbf16>, %gate: memref<96x64xbf16>, %up: memref<96x64xbf16>, %down: memref<96x64xbf16>, %out: memref<4x64xbf16, strided<[8, 1]>>) {
  // expected-error@below {{'out' is written to and must not overlap itself, but dimension 0 has stride 8, and a row has at least 64 columns}}
  frit.sparse_ffn ins(%x : memref<4x64xbf16>)
      weights(%gate, %up, %down : memref<96x64xbf16>, memref<96x64xbf16>, memref<96x64xbf16>)
      outs(%out : memref<4x64xbf16, strided<[8, 1]>>) std_multiplier = 1.0 down_layout = dh
  return
}
