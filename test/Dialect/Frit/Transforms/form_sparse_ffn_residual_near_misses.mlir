// RUN: frit-test-opt %s --split-input-file --verify-diagnostics --remarks-filter='frit-form-sparse-ffn' --pass-pipeline='builtin.module(frit-form-sparse-ffn{assume-finite-weights})'
// UNSUPPORTED: plugin

// What the op adds, and additions that it cannot have: those stay behind it, or keep the chain.

#id = affine_map<(i, j) -> (i, j)>

func.func @added(%x: tensor<2x64xbf16>, %wg: tensor<256x64xbf16>, %wu: tensor<256x64xbf16>, %wd: tensor<256x64xbf16>, %e: tensor<2x256xbf16>, %y: tensor<2x64xbf16>, %res: tensor<2x64xbf16>) -> tensor<2x64xbf16> {
  %g = frit.matmul ins(%x, %wg : tensor<2x64xbf16>, tensor<256x64xbf16>) outs(%e : tensor<2x256xbf16>) transpose_b -> tensor<2x256xbf16>
  %u = frit.matmul ins(%x, %wu : tensor<2x64xbf16>, tensor<256x64xbf16>) outs(%e : tensor<2x256xbf16>) transpose_b -> tensor<2x256xbf16>
  // expected-remark @below {{ tokens; it adds to the residual}}
  %h = frit.gelu_and_mul_sparse ins(%g, %u : tensor<2x256xbf16>, tensor<2x256xbf16>) outs(%e : tensor<2x256xbf16>) std_multiplier = 1.5 -> tensor<2x256xbf16>
  %d = frit.matmul ins(%h, %wd : tensor<2x256xbf16>, tensor<256x64xbf16>) outs(%y : tensor<2x64xbf16>) -> tensor<2x64xbf16>
  %s = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%d, %res : tensor<2x64xbf16>, tensor<2x64xbf16>) outs(%y : tensor<2x64xbf16>) {
  ^bb0(%in0: bf16, %in1: bf16, %old: bf16):
    %l = arith.extf %in0 : bf16 to f32
    %m = arith.extf %in1 : bf16 to f32
    %a = arith.addf %l, %m : f32
    %r = arith.truncf %a : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<2x64xbf16>
  return %s : tensor<2x64xbf16>
}

// -----

func.func @nothing_added(%x: tensor<2x64xf32>, %wg: tensor<256x64xf32>, %wu: tensor<256x64xf32>, %wd: tensor<256x64xf32>, %e: tensor<2x256xf32>, %y: tensor<2x64xf32>, %res: tensor<2x64xf32>) -> tensor<2x64xf32> {
  %g = frit.matmul ins(%x, %wg : tensor<2x64xf32>, tensor<256x64xf32>) outs(%e : tensor<2x256xf32>) transpose_b -> tensor<2x256xf32>
  %u = frit.matmul ins(%x, %wu : tensor<2x64xf32>, tensor<256x64xf32>) outs(%e : tensor<2x256xf32>) transpose_b -> tensor<2x256xf32>
  // expected-remark @below {{ tokens"}}
  %h = frit.gelu_and_mul_sparse ins(%g, %u : tensor<2x256xf32>, tensor<2x256xf32>) outs(%e : tensor<2x256xf32>) std_multiplier = 1.5 -> tensor<2x256xf32>
  %d = frit.matmul ins(%h, %wd : tensor<2x256xf32>, tensor<256x64xf32>) outs(%y : tensor<2x64xf32>) -> tensor<2x64xf32>
  %s = linalg.mul ins(%d, %res : tensor<2x64xf32>, tensor<2x64xf32>) outs(%y : tensor<2x64xf32>) -> tensor<2x64xf32>
  return %s : tensor<2x64xf32>
}

// -----

func.func @read_too(%x: tensor<2x64xf32>, %wg: tensor<256x64xf32>, %wu: tensor<256x64xf32>, %wd: tensor<256x64xf32>, %e: tensor<2x256xf32>, %y: tensor<2x64xf32>, %res: tensor<2x64xf32>) -> (tensor<2x64xf32>, tensor<2x64xf32>) {
  %g = frit.matmul ins(%x, %wg : tensor<2x64xf32>, tensor<256x64xf32>) outs(%e : tensor<2x256xf32>) transpose_b -> tensor<2x256xf32>
  %u = frit.matmul ins(%x, %wu : tensor<2x64xf32>, tensor<256x64xf32>) outs(%e : tensor<2x256xf32>) transpose_b -> tensor<2x256xf32>
  // expected-remark @below {{ tokens; an addition behind it stays apart, as it is not all that reads the result}}
  %h = frit.gelu_and_mul_sparse ins(%g, %u : tensor<2x256xf32>, tensor<2x256xf32>) outs(%e : tensor<2x256xf32>) std_multiplier = 1.5 -> tensor<2x256xf32>
  %d = frit.matmul ins(%h, %wd : tensor<2x256xf32>, tensor<256x64xf32>) outs(%y : tensor<2x64xf32>) -> tensor<2x64xf32>
  %s = linalg.add ins(%d, %res : tensor<2x64xf32>, tensor<2x64xf32>) outs(%y : tensor<2x64xf32>) -> tensor<2x64xf32>
  return %s, %d : tensor<2x64xf32>, tensor<2x64xf32>
}

// -----

func.func @doubled(%x: tensor<2x64xf32>, %wg: tensor<256x64xf32>, %wu: tensor<256x64xf32>, %wd: tensor<256x64xf32>, %e: tensor<2x256xf32>, %y: tensor<2x64xf32>) -> tensor<2x64xf32> {
  %g = frit.matmul ins(%x, %wg : tensor<2x64xf32>, tensor<256x64xf32>) outs(%e : tensor<2x256xf32>) transpose_b -> tensor<2x256xf32>
  %u = frit.matmul ins(%x, %wu : tensor<2x64xf32>, tensor<256x64xf32>) outs(%e : tensor<2x256xf32>) transpose_b -> tensor<2x256xf32>
  // expected-remark @below {{ tokens; an addition behind it stays apart, as it is not of the result and one other tensor}}
  %h = frit.gelu_and_mul_sparse ins(%g, %u : tensor<2x256xf32>, tensor<2x256xf32>) outs(%e : tensor<2x256xf32>) std_multiplier = 1.5 -> tensor<2x256xf32>
  %d = frit.matmul ins(%h, %wd : tensor<2x256xf32>, tensor<256x64xf32>) outs(%y : tensor<2x64xf32>) -> tensor<2x64xf32>
  %s = linalg.add ins(%d, %d : tensor<2x64xf32>, tensor<2x64xf32>) outs(%y : tensor<2x64xf32>) -> tensor<2x64xf32>
  return %s : tensor<2x64xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>

func.func @bias(%x: tensor<2x64xf32>, %wg: tensor<256x64xf32>, %wu: tensor<256x64xf32>, %wd: tensor<256x64xf32>, %e: tensor<2x256xf32>, %y: tensor<2x64xf32>, %res: tensor<64xf32>) -> tensor<2x64xf32> {
  %g = frit.matmul ins(%x, %wg : tensor<2x64xf32>, tensor<256x64xf32>) outs(%e : tensor<2x256xf32>) transpose_b -> tensor<2x256xf32>
  %u = frit.matmul ins(%x, %wu : tensor<2x64xf32>, tensor<256x64xf32>) outs(%e : tensor<2x256xf32>) transpose_b -> tensor<2x256xf32>
  // expected-remark @below {{ tokens; an addition behind it stays apart, as it is not of two tensors of one type, element by element}}
  %h = frit.gelu_and_mul_sparse ins(%g, %u : tensor<2x256xf32>, tensor<2x256xf32>) outs(%e : tensor<2x256xf32>) std_multiplier = 1.5 -> tensor<2x256xf32>
  %d = frit.matmul ins(%h, %wd : tensor<2x256xf32>, tensor<256x64xf32>) outs(%y : tensor<2x64xf32>) -> tensor<2x64xf32>
  %s = linalg.generic {indexing_maps = [#id, affine_map<(i, j) -> (j)>, #id], iterator_types = ["parallel", "parallel"]} ins(%d, %res : tensor<2x64xf32>, tensor<64xf32>) outs(%y : tensor<2x64xf32>) {
  ^bb0(%in0: f32, %in1: f32, %old: f32):
    %a = arith.addf %in0, %in1 : f32
    linalg.yield %a : f32
  } -> tensor<2x64xf32>
  return %s : tensor<2x64xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>

func.func @turned(%x: tensor<2x64xf32>, %wg: tensor<256x64xf32>, %wu: tensor<256x64xf32>, %wd: tensor<256x64xf32>, %e: tensor<2x256xf32>, %y: tensor<2x64xf32>, %res: tensor<2x64xf32>) -> tensor<2x64xf32> {
  %g = frit.matmul ins(%x, %wg : tensor<2x64xf32>, tensor<256x64xf32>) outs(%e : tensor<2x256xf32>) transpose_b -> tensor<2x256xf32>
  %u = frit.matmul ins(%x, %wu : tensor<2x64xf32>, tensor<256x64xf32>) outs(%e : tensor<2x256xf32>) transpose_b -> tensor<2x256xf32>
  // expected-remark @below {{ tokens; an addition behind it stays apart, as it is not of two tensors of one type, element by element}}
  %h = frit.gelu_and_mul_sparse ins(%g, %u : tensor<2x256xf32>, tensor<2x256xf32>) outs(%e : tensor<2x256xf32>) std_multiplier = 1.5 -> tensor<2x256xf32>
  %d = frit.matmul ins(%h, %wd : tensor<2x256xf32>, tensor<256x64xf32>) outs(%y : tensor<2x64xf32>) -> tensor<2x64xf32>
  %s = linalg.generic {indexing_maps = [#id, affine_map<(i, j) -> (i, 63 - j)>, #id], iterator_types = ["parallel", "parallel"]} ins(%d, %res : tensor<2x64xf32>, tensor<2x64xf32>) outs(%y : tensor<2x64xf32>) {
  ^bb0(%in0: f32, %in1: f32, %old: f32):
    %a = arith.addf %in0, %in1 : f32
    linalg.yield %a : f32
  } -> tensor<2x64xf32>
  return %s : tensor<2x64xf32>
}

// -----

// The residual is wider than the op, which would round it.

#id = affine_map<(i, j) -> (i, j)>

func.func @other_type(%x: tensor<2x64xbf16>, %wg: tensor<256x64xbf16>, %wu: tensor<256x64xbf16>, %wd: tensor<256x64xbf16>, %e: tensor<2x256xbf16>, %y: tensor<2x64xbf16>, %res: tensor<2x64xf32>) -> tensor<2x64xbf16> {
  %g = frit.matmul ins(%x, %wg : tensor<2x64xbf16>, tensor<256x64xbf16>) outs(%e : tensor<2x256xbf16>) transpose_b -> tensor<2x256xbf16>
  %u = frit.matmul ins(%x, %wu : tensor<2x64xbf16>, tensor<256x64xbf16>) outs(%e : tensor<2x256xbf16>) transpose_b -> tensor<2x256xbf16>
  // expected-remark @below {{ tokens; an addition behind it stays apart, as it is not of two tensors of one type, element by element}}
  %h = frit.gelu_and_mul_sparse ins(%g, %u : tensor<2x256xbf16>, tensor<2x256xbf16>) outs(%e : tensor<2x256xbf16>) std_multiplier = 1.5 -> tensor<2x256xbf16>
  %d = frit.matmul ins(%h, %wd : tensor<2x256xbf16>, tensor<256x64xbf16>) outs(%y : tensor<2x64xbf16>) -> tensor<2x64xbf16>
  %s = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%d, %res : tensor<2x64xbf16>, tensor<2x64xf32>) outs(%y : tensor<2x64xbf16>) {
  ^bb0(%in0: bf16, %in1: f32, %old: bf16):
    %l = arith.extf %in0 : bf16 to f32
    %a = arith.addf %l, %in1 : f32
    %r = arith.truncf %a : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<2x64xbf16>
  return %s : tensor<2x64xbf16>
}

// -----

// The sum is not rounded.

#id = affine_map<(i, j) -> (i, j)>

func.func @wide_result(%x: tensor<2x64xbf16>, %wg: tensor<256x64xbf16>, %wu: tensor<256x64xbf16>, %wd: tensor<256x64xbf16>, %e: tensor<2x256xbf16>, %y: tensor<2x64xbf16>, %res: tensor<2x64xbf16>, %o: tensor<2x64xf32>) -> tensor<2x64xf32> {
  %g = frit.matmul ins(%x, %wg : tensor<2x64xbf16>, tensor<256x64xbf16>) outs(%e : tensor<2x256xbf16>) transpose_b -> tensor<2x256xbf16>
  %u = frit.matmul ins(%x, %wu : tensor<2x64xbf16>, tensor<256x64xbf16>) outs(%e : tensor<2x256xbf16>) transpose_b -> tensor<2x256xbf16>
  // expected-remark @below {{ tokens; an addition behind it stays apart, as it is not of two tensors of one type, element by element}}
  %h = frit.gelu_and_mul_sparse ins(%g, %u : tensor<2x256xbf16>, tensor<2x256xbf16>) outs(%e : tensor<2x256xbf16>) std_multiplier = 1.5 -> tensor<2x256xbf16>
  %d = frit.matmul ins(%h, %wd : tensor<2x256xbf16>, tensor<256x64xbf16>) outs(%y : tensor<2x64xbf16>) -> tensor<2x64xbf16>
  %s = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%d, %res : tensor<2x64xbf16>, tensor<2x64xbf16>) outs(%o : tensor<2x64xf32>) {
  ^bb0(%in0: bf16, %in1: bf16, %old: f32):
    %l = arith.extf %in0 : bf16 to f32
    %m = arith.extf %in1 : bf16 to f32
    %a = arith.addf %l, %m : f32
    linalg.yield %a : f32
  } -> tensor<2x64xf32>
  return %s : tensor<2x64xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>

func.func @constant(%x: tensor<2x64xf32>, %wg: tensor<256x64xf32>, %wu: tensor<256x64xf32>, %wd: tensor<256x64xf32>, %e: tensor<2x256xf32>, %y: tensor<2x64xf32>, %res: tensor<2x64xf32>) -> tensor<2x64xf32> {
  %g = frit.matmul ins(%x, %wg : tensor<2x64xf32>, tensor<256x64xf32>) outs(%e : tensor<2x256xf32>) transpose_b -> tensor<2x256xf32>
  %u = frit.matmul ins(%x, %wu : tensor<2x64xf32>, tensor<256x64xf32>) outs(%e : tensor<2x256xf32>) transpose_b -> tensor<2x256xf32>
  // expected-remark @below {{ tokens; an addition behind it stays apart, as it is not of two tensors}}
  %h = frit.gelu_and_mul_sparse ins(%g, %u : tensor<2x256xf32>, tensor<2x256xf32>) outs(%e : tensor<2x256xf32>) std_multiplier = 1.5 -> tensor<2x256xf32>
  %d = frit.matmul ins(%h, %wd : tensor<2x256xf32>, tensor<256x64xf32>) outs(%y : tensor<2x64xf32>) -> tensor<2x64xf32>
  %s = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%d, %res : tensor<2x64xf32>, tensor<2x64xf32>) outs(%y : tensor<2x64xf32>) {
  ^bb0(%in0: f32, %in1: f32, %old: f32):
    %c = arith.constant 1.0 : f32
    %a = arith.addf %in0, %c : f32
    linalg.yield %a : f32
  } -> tensor<2x64xf32>
  return %s : tensor<2x64xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>

func.func @old_value(%x: tensor<2x64xf32>, %wg: tensor<256x64xf32>, %wu: tensor<256x64xf32>, %wd: tensor<256x64xf32>, %e: tensor<2x256xf32>, %y: tensor<2x64xf32>, %res: tensor<2x64xf32>) -> tensor<2x64xf32> {
  %g = frit.matmul ins(%x, %wg : tensor<2x64xf32>, tensor<256x64xf32>) outs(%e : tensor<2x256xf32>) transpose_b -> tensor<2x256xf32>
  %u = frit.matmul ins(%x, %wu : tensor<2x64xf32>, tensor<256x64xf32>) outs(%e : tensor<2x256xf32>) transpose_b -> tensor<2x256xf32>
  // expected-remark @below {{ tokens; an addition behind it stays apart, as it is not of the result and one other tensor}}
  %h = frit.gelu_and_mul_sparse ins(%g, %u : tensor<2x256xf32>, tensor<2x256xf32>) outs(%e : tensor<2x256xf32>) std_multiplier = 1.5 -> tensor<2x256xf32>
  %d = frit.matmul ins(%h, %wd : tensor<2x256xf32>, tensor<256x64xf32>) outs(%y : tensor<2x64xf32>) -> tensor<2x64xf32>
  %s = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%d, %res : tensor<2x64xf32>, tensor<2x64xf32>) outs(%y : tensor<2x64xf32>) {
  ^bb0(%in0: f32, %in1: f32, %old: f32):
    %a = arith.addf %in0, %old : f32
    linalg.yield %a : f32
  } -> tensor<2x64xf32>
  return %s : tensor<2x64xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>

func.func @twice(%x: tensor<2x64xf32>, %wg: tensor<256x64xf32>, %wu: tensor<256x64xf32>, %wd: tensor<256x64xf32>, %e: tensor<2x256xf32>, %y: tensor<2x64xf32>) -> tensor<2x64xf32> {
  %g = frit.matmul ins(%x, %wg : tensor<2x64xf32>, tensor<256x64xf32>) outs(%e : tensor<2x256xf32>) transpose_b -> tensor<2x256xf32>
  %u = frit.matmul ins(%x, %wu : tensor<2x64xf32>, tensor<256x64xf32>) outs(%e : tensor<2x256xf32>) transpose_b -> tensor<2x256xf32>
  // expected-remark @below {{ tokens; an addition behind it stays apart, as it is not of the result and one other tensor}}
  %h = frit.gelu_and_mul_sparse ins(%g, %u : tensor<2x256xf32>, tensor<2x256xf32>) outs(%e : tensor<2x256xf32>) std_multiplier = 1.5 -> tensor<2x256xf32>
  %d = frit.matmul ins(%h, %wd : tensor<2x256xf32>, tensor<256x64xf32>) outs(%y : tensor<2x64xf32>) -> tensor<2x64xf32>
  %s = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%d : tensor<2x64xf32>) outs(%y : tensor<2x64xf32>) {
  ^bb0(%in0: f32, %old: f32):
    %a = arith.addf %in0, %in0 : f32
    linalg.yield %a : f32
  } -> tensor<2x64xf32>
  return %s : tensor<2x64xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>

func.func @towards_zero(%x: tensor<2x64xbf16>, %wg: tensor<256x64xbf16>, %wu: tensor<256x64xbf16>, %wd: tensor<256x64xbf16>, %e: tensor<2x256xbf16>, %y: tensor<2x64xbf16>, %res: tensor<2x64xbf16>) -> tensor<2x64xbf16> {
  %g = frit.matmul ins(%x, %wg : tensor<2x64xbf16>, tensor<256x64xbf16>) outs(%e : tensor<2x256xbf16>) transpose_b -> tensor<2x256xbf16>
  %u = frit.matmul ins(%x, %wu : tensor<2x64xbf16>, tensor<256x64xbf16>) outs(%e : tensor<2x256xbf16>) transpose_b -> tensor<2x256xbf16>
  // expected-remark @below {{ tokens; an addition behind it stays apart, as it rounds to something else than the nearest even}}
  %h = frit.gelu_and_mul_sparse ins(%g, %u : tensor<2x256xbf16>, tensor<2x256xbf16>) outs(%e : tensor<2x256xbf16>) std_multiplier = 1.5 -> tensor<2x256xbf16>
  %d = frit.matmul ins(%h, %wd : tensor<2x256xbf16>, tensor<256x64xbf16>) outs(%y : tensor<2x64xbf16>) -> tensor<2x64xbf16>
  %s = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%d, %res : tensor<2x64xbf16>, tensor<2x64xbf16>) outs(%y : tensor<2x64xbf16>) {
  ^bb0(%in0: bf16, %in1: bf16, %old: bf16):
    %l = arith.extf %in0 : bf16 to f32
    %m = arith.extf %in1 : bf16 to f32
    %a = arith.addf %l, %m : f32
    %r = arith.truncf %a toward_zero : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<2x64xbf16>
  return %s : tensor<2x64xbf16>
}

// -----

func.func @other_block(%x: tensor<2x64xf32>, %wg: tensor<256x64xf32>, %wu: tensor<256x64xf32>, %wd: tensor<256x64xf32>, %e: tensor<2x256xf32>, %y: tensor<2x64xf32>, %res: tensor<2x64xf32>, %c: i1) -> tensor<2x64xf32> {
  %g = frit.matmul ins(%x, %wg : tensor<2x64xf32>, tensor<256x64xf32>) outs(%e : tensor<2x256xf32>) transpose_b -> tensor<2x256xf32>
  %u = frit.matmul ins(%x, %wu : tensor<2x64xf32>, tensor<256x64xf32>) outs(%e : tensor<2x256xf32>) transpose_b -> tensor<2x256xf32>
  // expected-remark @below {{ tokens; an addition behind it stays apart, as it is in another block}}
  %h = frit.gelu_and_mul_sparse ins(%g, %u : tensor<2x256xf32>, tensor<2x256xf32>) outs(%e : tensor<2x256xf32>) std_multiplier = 1.5 -> tensor<2x256xf32>
  %d = frit.matmul ins(%h, %wd : tensor<2x256xf32>, tensor<256x64xf32>) outs(%y : tensor<2x64xf32>) -> tensor<2x64xf32>
  %s = scf.if %c -> tensor<2x64xf32> {
    %i = linalg.add ins(%d, %res : tensor<2x64xf32>, tensor<2x64xf32>) outs(%y : tensor<2x64xf32>) -> tensor<2x64xf32>
    scf.yield %i : tensor<2x64xf32>
  } else {
    scf.yield %res : tensor<2x64xf32>
  }
  return %s : tensor<2x64xf32>
}

// -----

// One rounding of the sum with the residual, where the op has two.

func.func @fused_bf16(%x: tensor<2x64xbf16>, %wg: tensor<256x64xbf16>, %wu: tensor<256x64xbf16>, %wd: tensor<256x64xbf16>, %e: tensor<2x256xbf16>, %y: tensor<2x64xbf16>, %res: tensor<2x64xbf16>) -> tensor<2x64xbf16> {
  %g = frit.matmul ins(%x, %wg : tensor<2x64xbf16>, tensor<256x64xbf16>) outs(%e : tensor<2x256xbf16>) transpose_b -> tensor<2x256xbf16>
  %u = frit.matmul ins(%x, %wu : tensor<2x64xbf16>, tensor<256x64xbf16>) outs(%e : tensor<2x256xbf16>) transpose_b -> tensor<2x256xbf16>
  // expected-remark @below {{Reason="it has a matmul for down with a bias, a batch, an accumulation or a transposed left factor"}}
  %h = frit.gelu_and_mul_sparse ins(%g, %u : tensor<2x256xbf16>, tensor<2x256xbf16>) outs(%e : tensor<2x256xbf16>) std_multiplier = 1.5 -> tensor<2x256xbf16>
  %d = frit.matmul ins(%h, %wd : tensor<2x256xbf16>, tensor<256x64xbf16>) outs(%res : tensor<2x64xbf16>) accumulate -> tensor<2x64xbf16>
  return %d : tensor<2x64xbf16>
}

// -----

// The residual is in the sum before the LoRA is.

func.func @fused_lora(%x: tensor<2x64xf32>, %wg: tensor<256x64xf32>, %wu: tensor<256x64xf32>, %wd: tensor<256x64xf32>, %e: tensor<2x256xf32>, %y: tensor<2x64xf32>, %res: tensor<2x64xf32>, %ids: tensor<2xi32>, %a: tensor<3x4x256xf32>, %b: tensor<3x64x4xf32>) -> tensor<2x64xf32> {
  %g = frit.matmul ins(%x, %wg : tensor<2x64xf32>, tensor<256x64xf32>) outs(%e : tensor<2x256xf32>) transpose_b -> tensor<2x256xf32>
  %u = frit.matmul ins(%x, %wu : tensor<2x64xf32>, tensor<256x64xf32>) outs(%e : tensor<2x256xf32>) transpose_b -> tensor<2x256xf32>
  // expected-remark @below {{Reason="it has a matmul for down with a bias, a batch, an accumulation or a transposed left factor"}}
  %h = frit.gelu_and_mul_sparse ins(%g, %u : tensor<2x256xf32>, tensor<2x256xf32>) outs(%e : tensor<2x256xf32>) std_multiplier = 1.5 -> tensor<2x256xf32>
  %d = frit.matmul ins(%h, %wd : tensor<2x256xf32>, tensor<256x64xf32>) outs(%res : tensor<2x64xf32>) accumulate -> tensor<2x64xf32>
  %s = frit.lora_matmul ins(%h, %ids : tensor<2x256xf32>, tensor<2xi32>) weights(%a, %b : tensor<3x4x256xf32>, tensor<3x64x4xf32>) outs(%d : tensor<2x64xf32>) -> tensor<2x64xf32>
  return %s : tensor<2x64xf32>
}

// -----

func.func @accumulated_gate(%x: tensor<2x64xf32>, %wg: tensor<256x64xf32>, %wu: tensor<256x64xf32>, %wd: tensor<256x64xf32>, %e: tensor<2x256xf32>, %y: tensor<2x64xf32>) -> tensor<2x64xf32> {
  %g = frit.matmul ins(%x, %wg : tensor<2x64xf32>, tensor<256x64xf32>) outs(%e : tensor<2x256xf32>) transpose_b accumulate -> tensor<2x256xf32>
  %u = frit.matmul ins(%x, %wu : tensor<2x64xf32>, tensor<256x64xf32>) outs(%e : tensor<2x256xf32>) transpose_b -> tensor<2x256xf32>
  // expected-remark @below {{Reason="it has a matmul for the gate with a bias, a batch, an accumulation or a transposed left factor"}}
  %h = frit.gelu_and_mul_sparse ins(%g, %u : tensor<2x256xf32>, tensor<2x256xf32>) outs(%e : tensor<2x256xf32>) std_multiplier = 1.5 -> tensor<2x256xf32>
  %d = frit.matmul ins(%h, %wd : tensor<2x256xf32>, tensor<256x64xf32>) outs(%y : tensor<2x64xf32>) -> tensor<2x64xf32>
  return %d : tensor<2x64xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>

func.func @fused_linalg(%x: tensor<2x64xbf16>, %wg: tensor<256x64xbf16>, %wu: tensor<256x64xbf16>, %wd: tensor<256x64xbf16>, %e: tensor<2x256xbf16>, %y: tensor<2x64xbf16>, %res: tensor<2x64xbf16>, %o: tensor<2x64xf32>) -> tensor<2x64xbf16> {
  %g = frit.matmul ins(%x, %wg : tensor<2x64xbf16>, tensor<256x64xbf16>) outs(%e : tensor<2x256xbf16>) transpose_b -> tensor<2x256xbf16>
  %u = frit.matmul ins(%x, %wu : tensor<2x64xbf16>, tensor<256x64xbf16>) outs(%e : tensor<2x256xbf16>) transpose_b -> tensor<2x256xbf16>
  // expected-remark @below {{Reason="it has no matmul for down that is rounded once and to which nothing is added"}}
  %h = frit.gelu_and_mul_sparse ins(%g, %u : tensor<2x256xbf16>, tensor<2x256xbf16>) outs(%e : tensor<2x256xbf16>) std_multiplier = 1.5 -> tensor<2x256xbf16>
   %zero = arith.constant 0.0 : f32
  %f = linalg.fill ins(%zero : f32) outs(%o : tensor<2x64xf32>) -> tensor<2x64xf32>
  %d = linalg.matmul ins(%h, %wd : tensor<2x256xbf16>, tensor<256x64xbf16>) outs(%f : tensor<2x64xf32>) -> tensor<2x64xf32>
  %s = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%d, %res : tensor<2x64xf32>, tensor<2x64xbf16>) outs(%y : tensor<2x64xbf16>) {
  ^bb0(%in0: f32, %in1: bf16, %old: bf16):
    %m = arith.extf %in1 : bf16 to f32
    %a = arith.addf %in0, %m : f32
    %r = arith.truncf %a : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<2x64xbf16>
  return %s : tensor<2x64xbf16>
}
