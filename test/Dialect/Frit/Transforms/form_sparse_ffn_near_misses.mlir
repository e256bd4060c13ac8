// RUN: frit-test-opt %s --split-input-file --verify-diagnostics --remarks-filter='frit-form-sparse-ffn' --pass-pipeline='builtin.module(frit-form-sparse-ffn{assume-finite-weights})'
// UNSUPPORTED: plugin

// What sparse_ffn could compute but for one thing, which a remark names.

// Fewer tokens than x has: the op has one number of tokens.

func.func @first_rows(%x: tensor<4x64xf32>, %w: tensor<512x64xf32>, %down: tensor<256x64xf32>, %p_out: tensor<4x512xf32>, %y_out: tensor<2x64xf32>) -> tensor<2x64xf32> {
  %p = frit.matmul ins(%x, %w : tensor<4x64xf32>, tensor<512x64xf32>) outs(%p_out : tensor<4x512xf32>) transpose_b -> tensor<4x512xf32>
  %g = tensor.extract_slice %p[0, 0] [2, 256] [1, 1] : tensor<4x512xf32> to tensor<2x256xf32>
  %u = tensor.extract_slice %p[0, 256] [2, 256] [1, 1] : tensor<4x512xf32> to tensor<2x256xf32>
  %he = tensor.empty() : tensor<2x256xf32>
  // expected-remark @below {{Reason="it has slices of a matmul's result for gate or up that are not known to be the first and the last half of its columns, with all of its rows"}}
  %h = frit.gelu_and_mul_sparse ins(%g, %u : tensor<2x256xf32>, tensor<2x256xf32>) outs(%he : tensor<2x256xf32>) std_multiplier = 1.5 -> tensor<2x256xf32>
  %y = frit.matmul ins(%h, %down : tensor<2x256xf32>, tensor<256x64xf32>) outs(%y_out : tensor<2x64xf32>) -> tensor<2x64xf32>
  return %y : tensor<2x64xf32>
}

// -----

func.func @unknown_rows(%x: tensor<?x64xf32>, %w: tensor<512x64xf32>, %down: tensor<256x64xf32>, %p_out: tensor<?x512xf32>, %y_out: tensor<?x64xf32>, %n: index) -> tensor<?x64xf32> {
  %p = frit.matmul ins(%x, %w : tensor<?x64xf32>, tensor<512x64xf32>) outs(%p_out : tensor<?x512xf32>) transpose_b -> tensor<?x512xf32>
  %g = tensor.extract_slice %p[0, 0] [%n, 256] [1, 1] : tensor<?x512xf32> to tensor<?x256xf32>
  %u = tensor.extract_slice %p[0, 256] [%n, 256] [1, 1] : tensor<?x512xf32> to tensor<?x256xf32>
  %he = tensor.empty(%n) : tensor<?x256xf32>
  // expected-remark @below {{Reason="it has slices of a matmul's result for gate or up that are not known to be the first and the last half of its columns, with all of its rows"}}
  %h = frit.gelu_and_mul_sparse ins(%g, %u : tensor<?x256xf32>, tensor<?x256xf32>) outs(%he : tensor<?x256xf32>) std_multiplier = 1.5 -> tensor<?x256xf32>
  %y = frit.matmul ins(%h, %down : tensor<?x256xf32>, tensor<256x64xf32>) outs(%y_out : tensor<?x64xf32>) -> tensor<?x64xf32>
  return %y : tensor<?x64xf32>
}

// -----

// The slices are no halves.

func.func @swapped(%x: tensor<2x64xf32>, %w: tensor<512x64xf32>, %down: tensor<256x64xf32>, %p_out: tensor<2x512xf32>, %y_out: tensor<2x64xf32>) -> tensor<2x64xf32> {
  %p = frit.matmul ins(%x, %w : tensor<2x64xf32>, tensor<512x64xf32>) outs(%p_out : tensor<2x512xf32>) transpose_b -> tensor<2x512xf32>
  %g = tensor.extract_slice %p[0, 256] [2, 256] [1, 1] : tensor<2x512xf32> to tensor<2x256xf32>
  %u = tensor.extract_slice %p[0, 0] [2, 256] [1, 1] : tensor<2x512xf32> to tensor<2x256xf32>
  %he = tensor.empty() : tensor<2x256xf32>
  // expected-remark @below {{Reason="it has slices of a matmul's result for gate or up that are not known to be the first and the last half of its columns, with all of its rows"}}
  %h = frit.gelu_and_mul_sparse ins(%g, %u : tensor<2x256xf32>, tensor<2x256xf32>) outs(%he : tensor<2x256xf32>) std_multiplier = 1.5 -> tensor<2x256xf32>
  %y = frit.matmul ins(%h, %down : tensor<2x256xf32>, tensor<256x64xf32>) outs(%y_out : tensor<2x64xf32>) -> tensor<2x64xf32>
  return %y : tensor<2x64xf32>
}

// -----

func.func @overlapping(%x: tensor<2x64xf32>, %w: tensor<512x64xf32>, %down: tensor<256x64xf32>, %p_out: tensor<2x512xf32>, %y_out: tensor<2x64xf32>) -> tensor<2x64xf32> {
  %p = frit.matmul ins(%x, %w : tensor<2x64xf32>, tensor<512x64xf32>) outs(%p_out : tensor<2x512xf32>) transpose_b -> tensor<2x512xf32>
  %g = tensor.extract_slice %p[0, 0] [2, 256] [1, 1] : tensor<2x512xf32> to tensor<2x256xf32>
  %u = tensor.extract_slice %p[0, 128] [2, 256] [1, 1] : tensor<2x512xf32> to tensor<2x256xf32>
  %he = tensor.empty() : tensor<2x256xf32>
  // expected-remark @below {{Reason="it has slices of a matmul's result for gate or up that are not known to be the first and the last half of its columns, with all of its rows"}}
  %h = frit.gelu_and_mul_sparse ins(%g, %u : tensor<2x256xf32>, tensor<2x256xf32>) outs(%he : tensor<2x256xf32>) std_multiplier = 1.5 -> tensor<2x256xf32>
  %y = frit.matmul ins(%h, %down : tensor<2x256xf32>, tensor<256x64xf32>) outs(%y_out : tensor<2x64xf32>) -> tensor<2x64xf32>
  return %y : tensor<2x64xf32>
}

// -----

// The sums stay in f32, and the op would round them.

func.func @f32_gate(%x: tensor<1x64xbf16>, %wg: tensor<256x64xbf16>, %wu: tensor<256x64xbf16>, %down: tensor<256x64xf32>, %out: tensor<1x256xf32>, %y_out: tensor<1x64xf32>) -> tensor<1x64xf32> {
  %g = frit.matmul ins(%x, %wg : tensor<1x64xbf16>, tensor<256x64xbf16>) outs(%out : tensor<1x256xf32>) transpose_b -> tensor<1x256xf32>
  %u = frit.matmul ins(%x, %wu : tensor<1x64xbf16>, tensor<256x64xbf16>) outs(%out : tensor<1x256xf32>) transpose_b -> tensor<1x256xf32>
  %he = tensor.empty() : tensor<1x256xf32>
  // expected-remark @below {{Reason="it has a matmul for the gate that is no product of two matrices in the element type"}}
  %h = frit.gelu_and_mul_sparse ins(%g, %u : tensor<1x256xf32>, tensor<1x256xf32>) outs(%he : tensor<1x256xf32>) std_multiplier = 1.5 -> tensor<1x256xf32>
  %y = frit.matmul ins(%h, %down : tensor<1x256xf32>, tensor<256x64xf32>) outs(%y_out : tensor<1x64xf32>) -> tensor<1x64xf32>
  return %y : tensor<1x64xf32>
}

// -----

func.func @f32_down(%x: tensor<1x64xbf16>, %wg: tensor<256x64xbf16>, %wu: tensor<256x64xbf16>, %down: tensor<256x64xbf16>, %out: tensor<1x256xbf16>, %y_out: tensor<1x64xf32>) -> tensor<1x64xf32> {
  %g = frit.matmul ins(%x, %wg : tensor<1x64xbf16>, tensor<256x64xbf16>) outs(%out : tensor<1x256xbf16>) transpose_b -> tensor<1x256xbf16>
  %u = frit.matmul ins(%x, %wu : tensor<1x64xbf16>, tensor<256x64xbf16>) outs(%out : tensor<1x256xbf16>) transpose_b -> tensor<1x256xbf16>
  %he = tensor.empty() : tensor<1x256xbf16>
  // expected-remark @below {{Reason="it has a matmul for down that is no product of two matrices in the element type"}}
  %h = frit.gelu_and_mul_sparse ins(%g, %u : tensor<1x256xbf16>, tensor<1x256xbf16>) outs(%he : tensor<1x256xbf16>) std_multiplier = 1.5 -> tensor<1x256xbf16>
  %y = frit.matmul ins(%h, %down : tensor<1x256xbf16>, tensor<256x64xbf16>) outs(%y_out : tensor<1x64xf32>) -> tensor<1x64xf32>
  return %y : tensor<1x64xf32>
}

// -----

// Static for one LoRA and dynamic for another.

func.func @scales_of_unknown_size(%x: tensor<1x64xf32>, %wg: tensor<256x64xf32>, %wu: tensor<256x64xf32>, %down: tensor<256x64xf32>, %out: tensor<1x256xf32>, %y_out: tensor<1x64xf32>, %ids: tensor<1xi32>, %ga: tensor<3x4x64xf32>, %gb: tensor<3x256x4xf32>, %ua: tensor<3x4x64xf32>, %ub: tensor<3x256x4xf32>, %s: tensor<3xf32>, %s2: tensor<?xf32>) -> tensor<1x64xf32> {
  %g0 = frit.matmul ins(%x, %wg : tensor<1x64xf32>, tensor<256x64xf32>) outs(%out : tensor<1x256xf32>) transpose_b -> tensor<1x256xf32>
  %g = frit.lora_matmul ins(%x, %ids : tensor<1x64xf32>, tensor<1xi32>) weights(%ga, %gb : tensor<3x4x64xf32>, tensor<3x256x4xf32>) scales(%s : tensor<3xf32>) outs(%g0 : tensor<1x256xf32>) -> tensor<1x256xf32>
  %u0 = frit.matmul ins(%x, %wu : tensor<1x64xf32>, tensor<256x64xf32>) outs(%out : tensor<1x256xf32>) transpose_b -> tensor<1x256xf32>
  %u = frit.lora_matmul ins(%x, %ids : tensor<1x64xf32>, tensor<1xi32>) weights(%ua, %ub : tensor<3x4x64xf32>, tensor<3x256x4xf32>) scales(%s2 : tensor<?xf32>) outs(%u0 : tensor<1x256xf32>) -> tensor<1x256xf32>
  %he = tensor.empty() : tensor<1x256xf32>
  // expected-remark @below {{Reason="it has LoRAs that are not known to have the same numbers of adapters and of ranks"}}
  %h = frit.gelu_and_mul_sparse ins(%g, %u : tensor<1x256xf32>, tensor<1x256xf32>) outs(%he : tensor<1x256xf32>) std_multiplier = 1.5 -> tensor<1x256xf32>
  %y = frit.matmul ins(%h, %down : tensor<1x256xf32>, tensor<256x64xf32>) outs(%y_out : tensor<1x64xf32>) -> tensor<1x64xf32>
  return %y : tensor<1x64xf32>
}

// -----

func.func @ranks_of_unknown_size(%x: tensor<1x64xf32>, %wg: tensor<256x64xf32>, %wu: tensor<256x64xf32>, %down: tensor<256x64xf32>, %out: tensor<1x256xf32>, %y_out: tensor<1x64xf32>, %ids: tensor<1xi32>, %ga: tensor<3x4x64xf32>, %gb: tensor<3x256x4xf32>, %ua: tensor<3x4x64xf32>, %ub: tensor<3x256x4xf32>, %r: tensor<3xi32>, %r2: tensor<?xi32>) -> tensor<1x64xf32> {
  %g0 = frit.matmul ins(%x, %wg : tensor<1x64xf32>, tensor<256x64xf32>) outs(%out : tensor<1x256xf32>) transpose_b -> tensor<1x256xf32>
  %g = frit.lora_matmul ins(%x, %ids : tensor<1x64xf32>, tensor<1xi32>) weights(%ga, %gb : tensor<3x4x64xf32>, tensor<3x256x4xf32>) ranks(%r : tensor<3xi32>) outs(%g0 : tensor<1x256xf32>) -> tensor<1x256xf32>
  %u0 = frit.matmul ins(%x, %wu : tensor<1x64xf32>, tensor<256x64xf32>) outs(%out : tensor<1x256xf32>) transpose_b -> tensor<1x256xf32>
  %u = frit.lora_matmul ins(%x, %ids : tensor<1x64xf32>, tensor<1xi32>) weights(%ua, %ub : tensor<3x4x64xf32>, tensor<3x256x4xf32>) ranks(%r2 : tensor<?xi32>) outs(%u0 : tensor<1x256xf32>) -> tensor<1x256xf32>
  %he = tensor.empty() : tensor<1x256xf32>
  // expected-remark @below {{Reason="it has LoRAs that are not known to have the same numbers of adapters and of ranks"}}
  %h = frit.gelu_and_mul_sparse ins(%g, %u : tensor<1x256xf32>, tensor<1x256xf32>) outs(%he : tensor<1x256xf32>) std_multiplier = 1.5 -> tensor<1x256xf32>
  %y = frit.matmul ins(%h, %down : tensor<1x256xf32>, tensor<256x64xf32>) outs(%y_out : tensor<1x64xf32>) -> tensor<1x64xf32>
  return %y : tensor<1x64xf32>
}

// -----

func.func @b_of_unknown_size(%x: tensor<1x64xf32>, %wg: tensor<256x64xf32>, %wu: tensor<256x64xf32>, %down: tensor<256x64xf32>, %out: tensor<1x256xf32>, %y_out: tensor<1x64xf32>, %ids: tensor<1xi32>, %ga: tensor<3x4x64xf32>, %gb: tensor<?x256x?xf32>, %ua: tensor<3x4x64xf32>, %ub: tensor<3x256x4xf32>) -> tensor<1x64xf32> {
  %g0 = frit.matmul ins(%x, %wg : tensor<1x64xf32>, tensor<256x64xf32>) outs(%out : tensor<1x256xf32>) transpose_b -> tensor<1x256xf32>
  %g = frit.lora_matmul ins(%x, %ids : tensor<1x64xf32>, tensor<1xi32>) weights(%ga, %gb : tensor<3x4x64xf32>, tensor<?x256x?xf32>) outs(%g0 : tensor<1x256xf32>) -> tensor<1x256xf32>
  %u0 = frit.matmul ins(%x, %wu : tensor<1x64xf32>, tensor<256x64xf32>) outs(%out : tensor<1x256xf32>) transpose_b -> tensor<1x256xf32>
  %u = frit.lora_matmul ins(%x, %ids : tensor<1x64xf32>, tensor<1xi32>) weights(%ua, %ub : tensor<3x4x64xf32>, tensor<3x256x4xf32>) outs(%u0 : tensor<1x256xf32>) -> tensor<1x256xf32>
  %he = tensor.empty() : tensor<1x256xf32>
  // expected-remark @below {{Reason="it has LoRAs that are not known to have the same numbers of adapters and of ranks"}}
  %h = frit.gelu_and_mul_sparse ins(%g, %u : tensor<1x256xf32>, tensor<1x256xf32>) outs(%he : tensor<1x256xf32>) std_multiplier = 1.5 -> tensor<1x256xf32>
  %y = frit.matmul ins(%h, %down : tensor<1x256xf32>, tensor<256x64xf32>) outs(%y_out : tensor<1x64xf32>) -> tensor<1x64xf32>
  return %y : tensor<1x64xf32>
}

// -----

// Filled with one value, but not known to be of one length.

func.func @ids_of_unknown_size(%x: tensor<?x64xf32>, %wg: tensor<256x64xf32>, %wu: tensor<256x64xf32>, %down: tensor<256x64xf32>, %out: tensor<?x256xf32>, %y_out: tensor<?x64xf32>, %ga: tensor<3x4x64xf32>, %gb: tensor<3x256x4xf32>, %ua: tensor<3x4x64xf32>, %ub: tensor<3x256x4xf32>, %n: index, %m: index) -> tensor<?x64xf32> {
  %none = arith.constant -1 : i32
  %c0 = arith.constant 0 : index
  %t = tensor.dim %x, %c0 : tensor<?x64xf32>
  %ie = tensor.empty(%n) : tensor<?xi32>
  %ids = linalg.fill ins(%none : i32) outs(%ie : tensor<?xi32>) -> tensor<?xi32>
  %je = tensor.empty(%m) : tensor<?xi32>
  %ids2 = linalg.fill ins(%none : i32) outs(%je : tensor<?xi32>) -> tensor<?xi32>
  %g0 = frit.matmul ins(%x, %wg : tensor<?x64xf32>, tensor<256x64xf32>) outs(%out : tensor<?x256xf32>) transpose_b -> tensor<?x256xf32>
  %g = frit.lora_matmul ins(%x, %ids : tensor<?x64xf32>, tensor<?xi32>) weights(%ga, %gb : tensor<3x4x64xf32>, tensor<3x256x4xf32>) outs(%g0 : tensor<?x256xf32>) -> tensor<?x256xf32>
  %u0 = frit.matmul ins(%x, %wu : tensor<?x64xf32>, tensor<256x64xf32>) outs(%out : tensor<?x256xf32>) transpose_b -> tensor<?x256xf32>
  %u = frit.lora_matmul ins(%x, %ids2 : tensor<?x64xf32>, tensor<?xi32>) weights(%ua, %ub : tensor<3x4x64xf32>, tensor<3x256x4xf32>) outs(%u0 : tensor<?x256xf32>) -> tensor<?x256xf32>
  %he = tensor.empty(%t) : tensor<?x256xf32>
  // expected-remark @below {{Reason="it has LoRAs that differ in ids, roundings or element types"}}
  %h = frit.gelu_and_mul_sparse ins(%g, %u : tensor<?x256xf32>, tensor<?x256xf32>) outs(%he : tensor<?x256xf32>) std_multiplier = 1.5 -> tensor<?x256xf32>
  %y = frit.matmul ins(%h, %down : tensor<?x256xf32>, tensor<256x64xf32>) outs(%y_out : tensor<?x64xf32>) -> tensor<?x64xf32>
  return %y : tensor<?x64xf32>
}
