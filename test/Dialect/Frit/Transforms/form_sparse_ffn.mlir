// RUN: %frit_opt %s --pass-pipeline='builtin.module(frit-form-sparse-ffn{assume-finite-weights},cse)' | FileCheck %s

// What exporters write: copies of the weights into another order, sums in f32, one rounding. The op reads the weights
// themselves; nothing of the chain is left.

#id = affine_map<(i, j) -> (i, j)>

// CHECK-LABEL: func @known
// CHECK-SAME: %[[X:.*]]: tensor<1x2048xbf16>, %[[GATE:.*]]: tensor<16384x2048xbf16>, %[[UP:.*]]: tensor<16384x2048xbf16>, %[[DOWN:.*]]: tensor<2048x16384xbf16>
// CHECK-NOT: linalg
// CHECK: %[[OUT:.*]] = tensor.empty() : tensor<1x2048xbf16>
// CHECK-NEXT: %[[Y:.*]] = frit.sparse_ffn ins(%[[X]] : {{.*}}) weights(%[[GATE]], %[[UP]], %[[DOWN]] : {{.*}}) outs(%[[OUT]] : {{.*}}) std_multiplier = 1.64485359 down_layout = hd -> tensor<1x2048xbf16>
// CHECK-NEXT: return %[[Y]]
func.func @known(%x: tensor<1x2048xbf16>, %gate: tensor<16384x2048xbf16>, %up: tensor<16384x2048xbf16>, %down: tensor<2048x16384xbf16>) -> tensor<1x2048xbf16> {
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

// The chain stays for many tokens, with all that only it needs.

// CHECK-LABEL: func @guarded
// CHECK-SAME: %[[X:.*]]: tensor<?x2048xbf16>, %[[GATE:[a-z0-9]+]]: tensor<16384x2048xbf16>
// CHECK-NOT: linalg
// CHECK: %[[T:.*]] = tensor.dim %[[X]]
// CHECK-NOT: linalg
// CHECK: %[[FEW:.*]] = arith.cmpi sle, %[[T]], %c{{[0-9]+}}
// CHECK: %[[Y:.*]] = scf.if %[[FEW]]
// CHECK-NEXT: %[[S:.*]] = frit.sparse_ffn
// CHECK-NEXT: scf.yield %[[S]]
// CHECK: else
// CHECK: linalg.transpose ins(%[[GATE]]
// CHECK: linalg.fill
// CHECK: linalg.matmul
// CHECK: frit.gelu_and_mul_sparse
// CHECK: linalg.matmul
// CHECK: scf.yield
// CHECK: return %[[Y]]
func.func @guarded(%x: tensor<?x2048xbf16>, %gate: tensor<16384x2048xbf16>, %up: tensor<16384x2048xbf16>, %down: tensor<2048x16384xbf16>) -> tensor<?x2048xbf16> {
  %c0 = arith.constant 0 : index
  %t = tensor.dim %x, %c0 : tensor<?x2048xbf16>
  %zero = arith.constant 0.0 : f32
  %g_te = tensor.empty() : tensor<2048x16384xbf16>
  %g_t = linalg.transpose ins(%gate : tensor<16384x2048xbf16>) outs(%g_te : tensor<2048x16384xbf16>) permutation = [1, 0]
  %g_fe = tensor.empty(%t) : tensor<?x16384xf32>
  %g_f = linalg.fill ins(%zero : f32) outs(%g_fe : tensor<?x16384xf32>) -> tensor<?x16384xf32>
  %g_s = linalg.matmul ins(%x, %g_t : tensor<?x2048xbf16>, tensor<2048x16384xbf16>) outs(%g_f : tensor<?x16384xf32>) -> tensor<?x16384xf32>
  %g_e = tensor.empty(%t) : tensor<?x16384xbf16>
  %g = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%g_s : tensor<?x16384xf32>) outs(%g_e : tensor<?x16384xbf16>) {
  ^bb0(%in: f32, %old: bf16):
    %r = arith.truncf %in : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<?x16384xbf16>
  %u_te = tensor.empty() : tensor<2048x16384xbf16>
  %u_t = linalg.transpose ins(%up : tensor<16384x2048xbf16>) outs(%u_te : tensor<2048x16384xbf16>) permutation = [1, 0]
  %u_fe = tensor.empty(%t) : tensor<?x16384xf32>
  %u_f = linalg.fill ins(%zero : f32) outs(%u_fe : tensor<?x16384xf32>) -> tensor<?x16384xf32>
  %u_s = linalg.matmul ins(%x, %u_t : tensor<?x2048xbf16>, tensor<2048x16384xbf16>) outs(%u_f : tensor<?x16384xf32>) -> tensor<?x16384xf32>
  %u_e = tensor.empty(%t) : tensor<?x16384xbf16>
  %u = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%u_s : tensor<?x16384xf32>) outs(%u_e : tensor<?x16384xbf16>) {
  ^bb0(%in: f32, %old: bf16):
    %r = arith.truncf %in : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<?x16384xbf16>
  %h_e = tensor.empty(%t) : tensor<?x16384xbf16>
  %h = frit.gelu_and_mul_sparse ins(%g, %u : tensor<?x16384xbf16>, tensor<?x16384xbf16>) outs(%h_e : tensor<?x16384xbf16>) std_multiplier = 1.64485359 -> tensor<?x16384xbf16>
  %y_te = tensor.empty() : tensor<16384x2048xbf16>
  %y_t = linalg.transpose ins(%down : tensor<2048x16384xbf16>) outs(%y_te : tensor<16384x2048xbf16>) permutation = [1, 0]
  %y_fe = tensor.empty(%t) : tensor<?x2048xf32>
  %y_f = linalg.fill ins(%zero : f32) outs(%y_fe : tensor<?x2048xf32>) -> tensor<?x2048xf32>
  %y_s = linalg.matmul ins(%h, %y_t : tensor<?x16384xbf16>, tensor<16384x2048xbf16>) outs(%y_f : tensor<?x2048xf32>) -> tensor<?x2048xf32>
  %y_e = tensor.empty(%t) : tensor<?x2048xbf16>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%y_s : tensor<?x2048xf32>) outs(%y_e : tensor<?x2048xbf16>) {
  ^bb0(%in: f32, %old: bf16):
    %r = arith.truncf %in : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<?x2048xbf16>
  return %y : tensor<?x2048xbf16>
}

// Packed weights become views of their halves; each LoRA goes to its projection, with entries of scales and ranks of its
// own where they are not the same for all.

// CHECK-LABEL: func @packed
// CHECK-SAME: %[[X:.*]]: tensor<2x64xf32>, %[[W:.*]]: tensor<512x64xf32>, %[[DOWN:.*]]: tensor<256x64xf32>, %[[IDS:.*]]: tensor<2xi32>, %[[AG:.*]]: tensor<4x8x64xf32>, %[[BG:.*]]: tensor<4x256x8xf32>, %[[AU:.*]]: tensor<4x8x64xf32>, %[[BU:.*]]: tensor<4x256x8xf32>, %[[AD:.*]]: tensor<4x8x256xf32>, %[[BD:.*]]: tensor<4x64x8xf32>, %[[S:.*]]: tensor<4xf32>, %[[R:.*]]: tensor<4xi32>, %[[Y:.*]]: tensor<2x64xf32>
// CHECK-DAG: %[[UP:.*]] = tensor.extract_slice %[[W]][256, 0] [256, 64] [1, 1]
// CHECK-DAG: %[[GATE:.*]] = tensor.extract_slice %[[W]][0, 0] [256, 64] [1, 1]
// CHECK: %[[ONES:.*]] = linalg.fill {{.*}} -> tensor<3x4xf32>
// CHECK: %[[S0:.*]] = tensor.insert_slice %[[S]] into %[[ONES]][0, 0] [1, 4] [1, 1]
// CHECK: %[[S1:.*]] = tensor.insert_slice %[[S]] into %[[S0]][1, 0] [1, 4] [1, 1]
// CHECK: frit.sparse_ffn ins(%[[X]], %[[IDS]] : {{.*}}) weights(%[[GATE]], %[[UP]], %[[DOWN]] : {{.*}}) gate_lora(%[[AG]], %[[BG]] : {{.*}}) up_lora(%[[AU]], %[[BU]] : {{.*}}) down_lora(%[[AD]], %[[BD]] : {{.*}}) scales(%[[S1]] : tensor<3x4xf32>) ranks(%[[R]] : tensor<4xi32>) outs(%[[Y]] : {{.*}}) std_multiplier = 1.500000e+00 down_layout = dh approximate = erf gate_scale = 5.000000e-01 up_scale = 5.000000e-01 down_scale = 3.000000e+00 lora_rounding = stepwise
func.func @packed(%x: tensor<2x64xf32>, %w: tensor<512x64xf32>, %down: tensor<256x64xf32>, %ids: tensor<2xi32>,
    %ag: tensor<4x8x64xf32>, %bg: tensor<4x256x8xf32>, %au: tensor<4x8x64xf32>, %bu: tensor<4x256x8xf32>,
    %ad: tensor<4x8x256xf32>, %bd: tensor<4x64x8xf32>, %s: tensor<4xf32>, %r: tensor<4xi32>, %y: tensor<2x64xf32>) -> tensor<2x64xf32> {
  %e = tensor.empty() : tensor<2x512xf32>
  %base = frit.matmul ins(%x, %w : tensor<2x64xf32>, tensor<512x64xf32>) outs(%e : tensor<2x512xf32>) transpose_b -> tensor<2x512xf32>
  %gu = frit.lora_matmul ins(%x, %ids : tensor<2x64xf32>, tensor<2xi32>) weights(%ag, %bg, %au, %bu : tensor<4x8x64xf32>, tensor<4x256x8xf32>, tensor<4x8x64xf32>, tensor<4x256x8xf32>)
      scales(%s : tensor<4xf32>) ranks(%r : tensor<4xi32>) outs(%base : tensor<2x512xf32>) scale = 0.5 rounding = stepwise -> tensor<2x512xf32>
  %g = tensor.extract_slice %gu[0, 0] [2, 256] [1, 1] : tensor<2x512xf32> to tensor<2x256xf32>
  %u = tensor.extract_slice %gu[0, 256] [2, 256] [1, 1] : tensor<2x512xf32> to tensor<2x256xf32>
  %he = tensor.empty() : tensor<2x256xf32>
  %h = frit.gelu_and_mul_sparse ins(%g, %u : tensor<2x256xf32>, tensor<2x256xf32>) outs(%he : tensor<2x256xf32>) std_multiplier = 1.5 approximate = erf -> tensor<2x256xf32>
  %d = frit.matmul ins(%h, %down : tensor<2x256xf32>, tensor<256x64xf32>) outs(%y : tensor<2x64xf32>) -> tensor<2x64xf32>
  %o = frit.lora_matmul ins(%h, %ids : tensor<2x256xf32>, tensor<2xi32>) weights(%ad, %bd : tensor<4x8x256xf32>, tensor<4x64x8xf32>)
      ranks(%r : tensor<4xi32>) outs(%d : tensor<2x64xf32>) scale = 3.0 rounding = stepwise -> tensor<2x64xf32>
  return %o : tensor<2x64xf32>
}

// Tokens in two dimensions, which the matmuls see as one.

// CHECK-LABEL: func @reshaped
// CHECK: %[[X:.*]] = tensor.collapse_shape
// CHECK: %[[Y:.*]] = frit.sparse_ffn ins(%[[X]] : tensor<6x64xf32>)
// CHECK-NEXT: return %[[Y]]
func.func @reshaped(%x3: tensor<2x3x64xf32>, %wg: tensor<256x64xf32>, %wu: tensor<256x64xf32>, %down: tensor<256x64xf32>, %y: tensor<6x64xf32>) -> tensor<6x64xf32> {
  %x = tensor.collapse_shape %x3 [[0, 1], [2]] : tensor<2x3x64xf32> into tensor<6x64xf32>
  %e = tensor.empty() : tensor<6x256xf32>
  %g2 = frit.matmul ins(%x, %wg : tensor<6x64xf32>, tensor<256x64xf32>) outs(%e : tensor<6x256xf32>) transpose_b -> tensor<6x256xf32>
  %u2 = frit.matmul ins(%x, %wu : tensor<6x64xf32>, tensor<256x64xf32>) outs(%e : tensor<6x256xf32>) transpose_b -> tensor<6x256xf32>
  %g = tensor.expand_shape %g2 [[0, 1], [2]] output_shape [2, 3, 256] : tensor<6x256xf32> into tensor<2x3x256xf32>
  %u = tensor.expand_shape %u2 [[0, 1], [2]] output_shape [2, 3, 256] : tensor<6x256xf32> into tensor<2x3x256xf32>
  %he = tensor.empty() : tensor<2x3x256xf32>
  %h3 = frit.gelu_and_mul_sparse ins(%g, %u : tensor<2x3x256xf32>, tensor<2x3x256xf32>) outs(%he : tensor<2x3x256xf32>) std_multiplier = 1.5 -> tensor<2x3x256xf32>
  %h = tensor.collapse_shape %h3 [[0, 1], [2]] : tensor<2x3x256xf32> into tensor<6x256xf32>
  %d = frit.matmul ins(%h, %down : tensor<6x256xf32>, tensor<256x64xf32>) outs(%y : tensor<6x64xf32>) -> tensor<6x64xf32>
  return %d : tensor<6x64xf32>
}

// Halves with all rows of a matmul's result, of which x has as many.

// CHECK-LABEL: func @packed_guarded
// CHECK: scf.if
// CHECK-NOT: else
// CHECK: frit.sparse_ffn ins(%{{.*}} : tensor<?x64xf32>) weights({{.*}} : tensor<256x64xf32>, tensor<256x64xf32>, tensor<256x64xf32>)
// CHECK: else
// CHECK: frit.gelu_and_mul_sparse
func.func @packed_guarded(%x: tensor<?x64xf32>, %w: tensor<512x64xf32>, %down: tensor<256x64xf32>, %p_out: tensor<?x512xf32>, %y_out: tensor<?x64xf32>) -> tensor<?x64xf32> {
  %c0 = arith.constant 0 : index
  %t = tensor.dim %x, %c0 : tensor<?x64xf32>
  %p = frit.matmul ins(%x, %w : tensor<?x64xf32>, tensor<512x64xf32>) outs(%p_out : tensor<?x512xf32>) transpose_b -> tensor<?x512xf32>
  %g = tensor.extract_slice %p[0, 0] [%t, 256] [1, 1] : tensor<?x512xf32> to tensor<?x256xf32>
  %u = tensor.extract_slice %p[0, 256] [%t, 256] [1, 1] : tensor<?x512xf32> to tensor<?x256xf32>
  %he = tensor.empty(%t) : tensor<?x256xf32>
  %h = frit.gelu_and_mul_sparse ins(%g, %u : tensor<?x256xf32>, tensor<?x256xf32>) outs(%he : tensor<?x256xf32>) std_multiplier = 1.5 -> tensor<?x256xf32>
  %y = frit.matmul ins(%h, %down : tensor<?x256xf32>, tensor<256x64xf32>) outs(%y_out : tensor<?x64xf32>) -> tensor<?x64xf32>
  return %y : tensor<?x64xf32>
}
