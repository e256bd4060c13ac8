// RUN: frit-test-opt %s --split-input-file --verify-diagnostics --remarks-filter='frit-form-sparse-ffn' --pass-pipeline='builtin.module(frit-form-sparse-ffn{assume-finite-weights})'
// UNSUPPORTED: plugin

// What becomes of each activation, and why.

#id = affine_map<(i, j) -> (i, j)>

func.func @formed(%x: tensor<1x2048xbf16>, %gate: tensor<16384x2048xbf16>, %up: tensor<16384x2048xbf16>, %down: tensor<2048x16384xbf16>) -> tensor<1x2048xbf16> {
  %zero = arith.constant 0.0 : f32
  %g_te = tensor.empty() : tensor<2048x16384xbf16>
  %g_t = linalg.transpose ins(%gate : tensor<16384x2048xbf16>) outs(%g_te : tensor<2048x16384xbf16>) permutation = [1, 0]
  %g_fe = tensor.empty() : tensor<1x16384xf32>
  %g_f = linalg.fill ins(%zero : f32) outs(%g_fe : tensor<1x16384xf32>) -> tensor<1x16384xf32>
  %g_s = linalg.matmul ins(%x, %g_t : tensor<1x2048xbf16>, tensor<2048x16384xbf16>) outs(%g_f : tensor<1x16384xf32>) -> tensor<1x16384xf32>
  %g_e = tensor.empty() : tensor<1x16384xbf16>
  %g = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%g_s : tensor<1x16384xf32>) outs(%g_e : tensor<1x16384xbf16>) {
  ^bb0(%in: f32, %old: bf16):
    %r = arith.truncf %in : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<1x16384xbf16>
  %u_te = tensor.empty() : tensor<2048x16384xbf16>
  %u_t = linalg.transpose ins(%up : tensor<16384x2048xbf16>) outs(%u_te : tensor<2048x16384xbf16>) permutation = [1, 0]
  %u_fe = tensor.empty() : tensor<1x16384xf32>
  %u_f = linalg.fill ins(%zero : f32) outs(%u_fe : tensor<1x16384xf32>) -> tensor<1x16384xf32>
  %u_s = linalg.matmul ins(%x, %u_t : tensor<1x2048xbf16>, tensor<2048x16384xbf16>) outs(%u_f : tensor<1x16384xf32>) -> tensor<1x16384xf32>
  %u_e = tensor.empty() : tensor<1x16384xbf16>
  %u = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%u_s : tensor<1x16384xf32>) outs(%u_e : tensor<1x16384xbf16>) {
  ^bb0(%in: f32, %old: bf16):
    %r = arith.truncf %in : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<1x16384xbf16>
  %h_e = tensor.empty() : tensor<1x16384xbf16>
  // expected-remark @below {{[Passed] sparse-ffn | Category:frit-form-sparse-ffn | Function=formed | Remark="is one op for 1 tokens: by estimate 'native.vector' is faster than the ops one by one up to}}
  %h = frit.gelu_and_mul_sparse ins(%g, %u : tensor<1x16384xbf16>, tensor<1x16384xbf16>) outs(%h_e : tensor<1x16384xbf16>) std_multiplier = 1.64485359 -> tensor<1x16384xbf16>
  %y_te = tensor.empty() : tensor<16384x2048xbf16>
  %y_t = linalg.transpose ins(%down : tensor<2048x16384xbf16>) outs(%y_te : tensor<16384x2048xbf16>) permutation = [1, 0]
  %y_fe = tensor.empty() : tensor<1x2048xf32>
  %y_f = linalg.fill ins(%zero : f32) outs(%y_fe : tensor<1x2048xf32>) -> tensor<1x2048xf32>
  %y_s = linalg.matmul ins(%h, %y_t : tensor<1x16384xbf16>, tensor<16384x2048xbf16>) outs(%y_f : tensor<1x2048xf32>) -> tensor<1x2048xf32>
  %y_e = tensor.empty() : tensor<1x2048xbf16>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%y_s : tensor<1x2048xf32>) outs(%y_e : tensor<1x2048xbf16>) {
  ^bb0(%in: f32, %old: bf16):
    %r = arith.truncf %in : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<1x2048xbf16>
  return %y : tensor<1x2048xbf16>
}

// -----

#id = affine_map<(i, j) -> (i, j)>

func.func @many(%x: tensor<4097x2048xbf16>, %gate: tensor<16384x2048xbf16>, %up: tensor<16384x2048xbf16>, %down: tensor<2048x16384xbf16>) -> tensor<4097x2048xbf16> {
  %zero = arith.constant 0.0 : f32
  %g_te = tensor.empty() : tensor<2048x16384xbf16>
  %g_t = linalg.transpose ins(%gate : tensor<16384x2048xbf16>) outs(%g_te : tensor<2048x16384xbf16>) permutation = [1, 0]
  %g_fe = tensor.empty() : tensor<4097x16384xf32>
  %g_f = linalg.fill ins(%zero : f32) outs(%g_fe : tensor<4097x16384xf32>) -> tensor<4097x16384xf32>
  %g_s = linalg.matmul ins(%x, %g_t : tensor<4097x2048xbf16>, tensor<2048x16384xbf16>) outs(%g_f : tensor<4097x16384xf32>) -> tensor<4097x16384xf32>
  %g_e = tensor.empty() : tensor<4097x16384xbf16>
  %g = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%g_s : tensor<4097x16384xf32>) outs(%g_e : tensor<4097x16384xbf16>) {
  ^bb0(%in: f32, %old: bf16):
    %r = arith.truncf %in : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<4097x16384xbf16>
  %u_te = tensor.empty() : tensor<2048x16384xbf16>
  %u_t = linalg.transpose ins(%up : tensor<16384x2048xbf16>) outs(%u_te : tensor<2048x16384xbf16>) permutation = [1, 0]
  %u_fe = tensor.empty() : tensor<4097x16384xf32>
  %u_f = linalg.fill ins(%zero : f32) outs(%u_fe : tensor<4097x16384xf32>) -> tensor<4097x16384xf32>
  %u_s = linalg.matmul ins(%x, %u_t : tensor<4097x2048xbf16>, tensor<2048x16384xbf16>) outs(%u_f : tensor<4097x16384xf32>) -> tensor<4097x16384xf32>
  %u_e = tensor.empty() : tensor<4097x16384xbf16>
  %u = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%u_s : tensor<4097x16384xf32>) outs(%u_e : tensor<4097x16384xbf16>) {
  ^bb0(%in: f32, %old: bf16):
    %r = arith.truncf %in : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<4097x16384xbf16>
  %h_e = tensor.empty() : tensor<4097x16384xbf16>
  // expected-remark @below {{Reason="there are 4097 tokens, and by estimate 'native.vector' is faster than the ops one by one up to}}
  %h = frit.gelu_and_mul_sparse ins(%g, %u : tensor<4097x16384xbf16>, tensor<4097x16384xbf16>) outs(%h_e : tensor<4097x16384xbf16>) std_multiplier = 1.64485359 -> tensor<4097x16384xbf16>
  %y_te = tensor.empty() : tensor<16384x2048xbf16>
  %y_t = linalg.transpose ins(%down : tensor<2048x16384xbf16>) outs(%y_te : tensor<16384x2048xbf16>) permutation = [1, 0]
  %y_fe = tensor.empty() : tensor<4097x2048xf32>
  %y_f = linalg.fill ins(%zero : f32) outs(%y_fe : tensor<4097x2048xf32>) -> tensor<4097x2048xf32>
  %y_s = linalg.matmul ins(%h, %y_t : tensor<4097x16384xbf16>, tensor<16384x2048xbf16>) outs(%y_f : tensor<4097x2048xf32>) -> tensor<4097x2048xf32>
  %y_e = tensor.empty() : tensor<4097x2048xbf16>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%y_s : tensor<4097x2048xf32>) outs(%y_e : tensor<4097x2048xbf16>) {
  ^bb0(%in: f32, %old: bf16):
    %r = arith.truncf %in : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<4097x2048xbf16>
  return %y : tensor<4097x2048xbf16>
}

// -----

#id = affine_map<(i, j) -> (i, j)>

func.func @by_input(%x: tensor<1x2048xbf16>, %gate: tensor<2048x16384xbf16>, %up: tensor<16384x2048xbf16>, %down: tensor<2048x16384xbf16>) -> tensor<1x2048xbf16> {
  %zero = arith.constant 0.0 : f32
  %g_fe = tensor.empty() : tensor<1x16384xf32>
  %g_f = linalg.fill ins(%zero : f32) outs(%g_fe : tensor<1x16384xf32>) -> tensor<1x16384xf32>
  %g_s = linalg.matmul ins(%x, %gate : tensor<1x2048xbf16>, tensor<2048x16384xbf16>) outs(%g_f : tensor<1x16384xf32>) -> tensor<1x16384xf32>
  %g_e = tensor.empty() : tensor<1x16384xbf16>
  %g = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%g_s : tensor<1x16384xf32>) outs(%g_e : tensor<1x16384xbf16>) {
  ^bb0(%in: f32, %old: bf16):
    %r = arith.truncf %in : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<1x16384xbf16>
  %u_te = tensor.empty() : tensor<2048x16384xbf16>
  %u_t = linalg.transpose ins(%up : tensor<16384x2048xbf16>) outs(%u_te : tensor<2048x16384xbf16>) permutation = [1, 0]
  %u_fe = tensor.empty() : tensor<1x16384xf32>
  %u_f = linalg.fill ins(%zero : f32) outs(%u_fe : tensor<1x16384xf32>) -> tensor<1x16384xf32>
  %u_s = linalg.matmul ins(%x, %u_t : tensor<1x2048xbf16>, tensor<2048x16384xbf16>) outs(%u_f : tensor<1x16384xf32>) -> tensor<1x16384xf32>
  %u_e = tensor.empty() : tensor<1x16384xbf16>
  %u = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%u_s : tensor<1x16384xf32>) outs(%u_e : tensor<1x16384xbf16>) {
  ^bb0(%in: f32, %old: bf16):
    %r = arith.truncf %in : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<1x16384xbf16>
  %h_e = tensor.empty() : tensor<1x16384xbf16>
  // expected-remark @below {{[Missed] sparse-ffn | Category:frit-form-sparse-ffn | Function=by_input | Reason="it has weights of gate or up that are stored as [H, d]: the weights of a column are not contiguous"}}
  %h = frit.gelu_and_mul_sparse ins(%g, %u : tensor<1x16384xbf16>, tensor<1x16384xbf16>) outs(%h_e : tensor<1x16384xbf16>) std_multiplier = 1.64485359 -> tensor<1x16384xbf16>
  %y_te = tensor.empty() : tensor<16384x2048xbf16>
  %y_t = linalg.transpose ins(%down : tensor<2048x16384xbf16>) outs(%y_te : tensor<16384x2048xbf16>) permutation = [1, 0]
  %y_fe = tensor.empty() : tensor<1x2048xf32>
  %y_f = linalg.fill ins(%zero : f32) outs(%y_fe : tensor<1x2048xf32>) -> tensor<1x2048xf32>
  %y_s = linalg.matmul ins(%h, %y_t : tensor<1x16384xbf16>, tensor<16384x2048xbf16>) outs(%y_f : tensor<1x2048xf32>) -> tensor<1x2048xf32>
  %y_e = tensor.empty() : tensor<1x2048xbf16>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%y_s : tensor<1x2048xf32>) outs(%y_e : tensor<1x2048xbf16>) {
  ^bb0(%in: f32, %old: bf16):
    %r = arith.truncf %in : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<1x2048xbf16>
  return %y : tensor<1x2048xbf16>
}

// -----

#id = affine_map<(i, j) -> (i, j)>

func.func @gate_used(%x: tensor<1x2048xbf16>, %gate: tensor<16384x2048xbf16>, %up: tensor<16384x2048xbf16>, %down: tensor<2048x16384xbf16>) -> (tensor<1x2048xbf16>, tensor<1x16384xbf16>) {
  %zero = arith.constant 0.0 : f32
  %g_te = tensor.empty() : tensor<2048x16384xbf16>
  %g_t = linalg.transpose ins(%gate : tensor<16384x2048xbf16>) outs(%g_te : tensor<2048x16384xbf16>) permutation = [1, 0]
  %g_fe = tensor.empty() : tensor<1x16384xf32>
  %g_f = linalg.fill ins(%zero : f32) outs(%g_fe : tensor<1x16384xf32>) -> tensor<1x16384xf32>
  %g_s = linalg.matmul ins(%x, %g_t : tensor<1x2048xbf16>, tensor<2048x16384xbf16>) outs(%g_f : tensor<1x16384xf32>) -> tensor<1x16384xf32>
  %g_e = tensor.empty() : tensor<1x16384xbf16>
  %g = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%g_s : tensor<1x16384xf32>) outs(%g_e : tensor<1x16384xbf16>) {
  ^bb0(%in: f32, %old: bf16):
    %r = arith.truncf %in : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<1x16384xbf16>
  %u_te = tensor.empty() : tensor<2048x16384xbf16>
  %u_t = linalg.transpose ins(%up : tensor<16384x2048xbf16>) outs(%u_te : tensor<2048x16384xbf16>) permutation = [1, 0]
  %u_fe = tensor.empty() : tensor<1x16384xf32>
  %u_f = linalg.fill ins(%zero : f32) outs(%u_fe : tensor<1x16384xf32>) -> tensor<1x16384xf32>
  %u_s = linalg.matmul ins(%x, %u_t : tensor<1x2048xbf16>, tensor<2048x16384xbf16>) outs(%u_f : tensor<1x16384xf32>) -> tensor<1x16384xf32>
  %u_e = tensor.empty() : tensor<1x16384xbf16>
  %u = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%u_s : tensor<1x16384xf32>) outs(%u_e : tensor<1x16384xbf16>) {
  ^bb0(%in: f32, %old: bf16):
    %r = arith.truncf %in : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<1x16384xbf16>
  %h_e = tensor.empty() : tensor<1x16384xbf16>
  // expected-remark @below {{[Missed] sparse-ffn | Category:frit-form-sparse-ffn | Function=gate_used | Reason="it has a gate, an up or an activation that is used elsewhere too"}}
  %h = frit.gelu_and_mul_sparse ins(%g, %u : tensor<1x16384xbf16>, tensor<1x16384xbf16>) outs(%h_e : tensor<1x16384xbf16>) std_multiplier = 1.64485359 -> tensor<1x16384xbf16>
  %y_te = tensor.empty() : tensor<16384x2048xbf16>
  %y_t = linalg.transpose ins(%down : tensor<2048x16384xbf16>) outs(%y_te : tensor<16384x2048xbf16>) permutation = [1, 0]
  %y_fe = tensor.empty() : tensor<1x2048xf32>
  %y_f = linalg.fill ins(%zero : f32) outs(%y_fe : tensor<1x2048xf32>) -> tensor<1x2048xf32>
  %y_s = linalg.matmul ins(%h, %y_t : tensor<1x16384xbf16>, tensor<16384x2048xbf16>) outs(%y_f : tensor<1x2048xf32>) -> tensor<1x2048xf32>
  %y_e = tensor.empty() : tensor<1x2048xbf16>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%y_s : tensor<1x2048xf32>) outs(%y_e : tensor<1x2048xbf16>) {
  ^bb0(%in: f32, %old: bf16):
    %r = arith.truncf %in : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<1x2048xbf16>
  return %y, %g : tensor<1x2048xbf16>, tensor<1x16384xbf16>
}

// -----

#id = affine_map<(i, j) -> (i, j)>

func.func @activation_used(%x: tensor<1x2048xbf16>, %gate: tensor<16384x2048xbf16>, %up: tensor<16384x2048xbf16>, %down: tensor<2048x16384xbf16>) -> (tensor<1x2048xbf16>, tensor<1x16384xbf16>) {
  %zero = arith.constant 0.0 : f32
  %g_te = tensor.empty() : tensor<2048x16384xbf16>
  %g_t = linalg.transpose ins(%gate : tensor<16384x2048xbf16>) outs(%g_te : tensor<2048x16384xbf16>) permutation = [1, 0]
  %g_fe = tensor.empty() : tensor<1x16384xf32>
  %g_f = linalg.fill ins(%zero : f32) outs(%g_fe : tensor<1x16384xf32>) -> tensor<1x16384xf32>
  %g_s = linalg.matmul ins(%x, %g_t : tensor<1x2048xbf16>, tensor<2048x16384xbf16>) outs(%g_f : tensor<1x16384xf32>) -> tensor<1x16384xf32>
  %g_e = tensor.empty() : tensor<1x16384xbf16>
  %g = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%g_s : tensor<1x16384xf32>) outs(%g_e : tensor<1x16384xbf16>) {
  ^bb0(%in: f32, %old: bf16):
    %r = arith.truncf %in : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<1x16384xbf16>
  %u_te = tensor.empty() : tensor<2048x16384xbf16>
  %u_t = linalg.transpose ins(%up : tensor<16384x2048xbf16>) outs(%u_te : tensor<2048x16384xbf16>) permutation = [1, 0]
  %u_fe = tensor.empty() : tensor<1x16384xf32>
  %u_f = linalg.fill ins(%zero : f32) outs(%u_fe : tensor<1x16384xf32>) -> tensor<1x16384xf32>
  %u_s = linalg.matmul ins(%x, %u_t : tensor<1x2048xbf16>, tensor<2048x16384xbf16>) outs(%u_f : tensor<1x16384xf32>) -> tensor<1x16384xf32>
  %u_e = tensor.empty() : tensor<1x16384xbf16>
  %u = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%u_s : tensor<1x16384xf32>) outs(%u_e : tensor<1x16384xbf16>) {
  ^bb0(%in: f32, %old: bf16):
    %r = arith.truncf %in : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<1x16384xbf16>
  %h_e = tensor.empty() : tensor<1x16384xbf16>
  // expected-remark @below {{[Missed] sparse-ffn | Category:frit-form-sparse-ffn | Function=activation_used | Reason="it has results that are not read by one matmul alone"}}
  %h = frit.gelu_and_mul_sparse ins(%g, %u : tensor<1x16384xbf16>, tensor<1x16384xbf16>) outs(%h_e : tensor<1x16384xbf16>) std_multiplier = 1.64485359 -> tensor<1x16384xbf16>
  %y_te = tensor.empty() : tensor<16384x2048xbf16>
  %y_t = linalg.transpose ins(%down : tensor<2048x16384xbf16>) outs(%y_te : tensor<16384x2048xbf16>) permutation = [1, 0]
  %y_fe = tensor.empty() : tensor<1x2048xf32>
  %y_f = linalg.fill ins(%zero : f32) outs(%y_fe : tensor<1x2048xf32>) -> tensor<1x2048xf32>
  %y_s = linalg.matmul ins(%h, %y_t : tensor<1x16384xbf16>, tensor<16384x2048xbf16>) outs(%y_f : tensor<1x2048xf32>) -> tensor<1x2048xf32>
  %y_e = tensor.empty() : tensor<1x2048xbf16>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%y_s : tensor<1x2048xf32>) outs(%y_e : tensor<1x2048xbf16>) {
  ^bb0(%in: f32, %old: bf16):
    %r = arith.truncf %in : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<1x2048xbf16>
  return %y, %h : tensor<1x2048xbf16>, tensor<1x16384xbf16>
}

// -----

func.func @no_matmul(%g: tensor<2x64xf32>, %u: tensor<2x64xf32>, %y: tensor<2x64xf32>) -> tensor<2x64xf32> {
  // expected-remark @below {{[Missed] sparse-ffn | Category:frit-form-sparse-ffn | Function=no_matmul | Reason="it has no matmul for the gate"}}
  %h = frit.gelu_and_mul_sparse ins(%g, %u : tensor<2x64xf32>, tensor<2x64xf32>) outs(%y : tensor<2x64xf32>) std_multiplier = 1.5 -> tensor<2x64xf32>
  return %h : tensor<2x64xf32>
}
