// What looks like a low-rank branch and is none stays as it is at every fidelity,
// and a remark says which step does not fit.
// RUN: %frit_opt %s --pass-pipeline='builtin.module()' -o %t.plain
// RUN: %frit_opt %s --pass-pipeline='builtin.module(frit-raise{fidelity=fast})' -o %t.raised \
// RUN:   --verify-diagnostics --remarks-filter=frit-raise
// RUN: diff %t.plain %t.raised

#x = affine_map<(m, n, k) -> (m, k)>
#w = affine_map<(m, n, k) -> (n, k)>
#wt = affine_map<(m, n, k) -> (k, n)>
#y = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(i, j) -> (i, j)>
#col = affine_map<(i, j) -> (j)>
#row0 = affine_map<(i, j) -> (0, j)>

func.func @nonlinearity(%x: tensor<5x96xf32>, %w: tensor<160x96xf32>, %a: tensor<8x96xf32>, %b: tensor<160x8xf32>) -> tensor<5x160xf32> {
  %zero = arith.constant 0.0 : f32
  %y0 = tensor.empty() : tensor<5x160xf32>
  %y1 = linalg.fill ins(%zero : f32) outs(%y0 : tensor<5x160xf32>) -> tensor<5x160xf32>
  %h0 = tensor.empty() : tensor<5x8xf32>
  %h1 = linalg.fill ins(%zero : f32) outs(%h0 : tensor<5x8xf32>) -> tensor<5x8xf32>
  %base = linalg.matmul indexing_maps = [#x, #w, #y] ins(%x, %w : tensor<5x96xf32>, tensor<160x96xf32>)
      outs(%y1 : tensor<5x160xf32>) -> tensor<5x160xf32>
  %s = linalg.matmul indexing_maps = [#x, #w, #y] ins(%x, %a : tensor<5x96xf32>, tensor<8x96xf32>)
      outs(%h1 : tensor<5x8xf32>) -> tensor<5x8xf32>
  %h = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%s : tensor<5x8xf32>) outs(%h0 : tensor<5x8xf32>) {
  ^bb0(%in_0: f32, %out: f32):
    %1 = math.tanh %in_0 : f32
    linalg.yield %1 : f32
  } -> tensor<5x8xf32>
  %e = linalg.matmul indexing_maps = [#x, #w, #y] ins(%h, %b : tensor<5x8xf32>, tensor<160x8xf32>)
      outs(%y1 : tensor<5x160xf32>) -> tensor<5x160xf32>
  %c = arith.constant 2.0 : f32
  %f = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%e : tensor<5x160xf32>) outs(%y0 : tensor<5x160xf32>) {
  ^bb0(%in_0: f32, %out: f32):
    %1 = arith.mulf %in_0, %c : f32
    linalg.yield %1 : f32
  } -> tensor<5x160xf32>
  // expected-remark @below {{'math.tanh' is not a step of LoRA}}
  %y = linalg.add ins(%base, %f : tensor<5x160xf32>, tensor<5x160xf32>) outs(%y0 : tensor<5x160xf32>) -> tensor<5x160xf32>
  return %y : tensor<5x160xf32>
}

func.func @bias_in_branch(%x: tensor<5x96xf32>, %w: tensor<160x96xf32>, %a: tensor<8x96xf32>, %b: tensor<160x8xf32>, %bias: tensor<8xf32>) -> tensor<5x160xf32> {
  %zero = arith.constant 0.0 : f32
  %y0 = tensor.empty() : tensor<5x160xf32>
  %y1 = linalg.fill ins(%zero : f32) outs(%y0 : tensor<5x160xf32>) -> tensor<5x160xf32>
  %h0 = tensor.empty() : tensor<5x8xf32>
  %h1 = linalg.fill ins(%zero : f32) outs(%h0 : tensor<5x8xf32>) -> tensor<5x8xf32>
  %base = linalg.matmul indexing_maps = [#x, #w, #y] ins(%x, %w : tensor<5x96xf32>, tensor<160x96xf32>)
      outs(%y1 : tensor<5x160xf32>) -> tensor<5x160xf32>
  %s = linalg.matmul indexing_maps = [#x, #w, #y] ins(%x, %a : tensor<5x96xf32>, tensor<8x96xf32>)
      outs(%h1 : tensor<5x8xf32>) -> tensor<5x8xf32>
  %h = linalg.generic {indexing_maps = [#id, #col, #id], iterator_types = ["parallel", "parallel"]}
      ins(%s, %bias : tensor<5x8xf32>, tensor<8xf32>) outs(%h0 : tensor<5x8xf32>) {
  ^bb0(%in_0: f32, %in_1: f32, %out: f32):
    %1 = arith.addf %in_0, %in_1 : f32
    linalg.yield %1 : f32
  } -> tensor<5x8xf32>
  %e = linalg.matmul indexing_maps = [#x, #w, #y] ins(%h, %b : tensor<5x8xf32>, tensor<160x8xf32>)
      outs(%y1 : tensor<5x160xf32>) -> tensor<5x160xf32>
  %c = arith.constant 2.0 : f32
  %f = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%e : tensor<5x160xf32>) outs(%y0 : tensor<5x160xf32>) {
  ^bb0(%in_0: f32, %out: f32):
    %1 = arith.mulf %in_0, %c : f32
    linalg.yield %1 : f32
  } -> tensor<5x160xf32>
  // expected-remark @below {{'arith.addf' is not a step of LoRA}}
  %y = linalg.add ins(%base, %f : tensor<5x160xf32>, tensor<5x160xf32>) outs(%y0 : tensor<5x160xf32>) -> tensor<5x160xf32>
  return %y : tensor<5x160xf32>
}

func.func @column_scale(%x: tensor<5x96xf32>, %w: tensor<160x96xf32>, %a: tensor<8x96xf32>, %b: tensor<160x8xf32>, %s: tensor<160xf32>) -> tensor<5x160xf32> {
  %zero = arith.constant 0.0 : f32
  %y0 = tensor.empty() : tensor<5x160xf32>
  %y1 = linalg.fill ins(%zero : f32) outs(%y0 : tensor<5x160xf32>) -> tensor<5x160xf32>
  %h0 = tensor.empty() : tensor<5x8xf32>
  %h1 = linalg.fill ins(%zero : f32) outs(%h0 : tensor<5x8xf32>) -> tensor<5x8xf32>
  %base = linalg.matmul indexing_maps = [#x, #w, #y] ins(%x, %w : tensor<5x96xf32>, tensor<160x96xf32>)
      outs(%y1 : tensor<5x160xf32>) -> tensor<5x160xf32>
  %h = linalg.matmul indexing_maps = [#x, #w, #y] ins(%x, %a : tensor<5x96xf32>, tensor<8x96xf32>)
      outs(%h1 : tensor<5x8xf32>) -> tensor<5x8xf32>
  %e = linalg.matmul indexing_maps = [#x, #w, #y] ins(%h, %b : tensor<5x8xf32>, tensor<160x8xf32>)
      outs(%y1 : tensor<5x160xf32>) -> tensor<5x160xf32>
  %f = linalg.generic {indexing_maps = [#id, #col, #id], iterator_types = ["parallel", "parallel"]}
      ins(%e, %s : tensor<5x160xf32>, tensor<160xf32>) outs(%y0 : tensor<5x160xf32>) {
  ^bb0(%in_0: f32, %in_1: f32, %out: f32):
    %1 = arith.mulf %in_0, %in_1 : f32
    linalg.yield %1 : f32
  } -> tensor<5x160xf32>
  // expected-remark @below {{the factor is not one number for all elements}}
  %y = linalg.add ins(%base, %f : tensor<5x160xf32>, tensor<5x160xf32>) outs(%y0 : tensor<5x160xf32>) -> tensor<5x160xf32>
  return %y : tensor<5x160xf32>
}

func.func @other_input(%x: tensor<5x96xf32>, %w: tensor<160x96xf32>, %a: tensor<8x96xf32>, %b: tensor<160x8xf32>, %x2: tensor<5x96xf32>) -> tensor<5x160xf32> {
  %zero = arith.constant 0.0 : f32
  %y0 = tensor.empty() : tensor<5x160xf32>
  %y1 = linalg.fill ins(%zero : f32) outs(%y0 : tensor<5x160xf32>) -> tensor<5x160xf32>
  %h0 = tensor.empty() : tensor<5x8xf32>
  %h1 = linalg.fill ins(%zero : f32) outs(%h0 : tensor<5x8xf32>) -> tensor<5x8xf32>
  %base = linalg.matmul indexing_maps = [#x, #w, #y] ins(%x, %w : tensor<5x96xf32>, tensor<160x96xf32>)
      outs(%y1 : tensor<5x160xf32>) -> tensor<5x160xf32>
  %h = linalg.matmul indexing_maps = [#x, #w, #y] ins(%x2, %a : tensor<5x96xf32>, tensor<8x96xf32>)
      outs(%h1 : tensor<5x8xf32>) -> tensor<5x8xf32>
  %e = linalg.matmul indexing_maps = [#x, #w, #y] ins(%h, %b : tensor<5x8xf32>, tensor<160x8xf32>)
      outs(%y1 : tensor<5x160xf32>) -> tensor<5x160xf32>
  %c = arith.constant 2.0 : f32
  %f = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%e : tensor<5x160xf32>) outs(%y0 : tensor<5x160xf32>) {
  ^bb0(%in_0: f32, %out: f32):
    %1 = arith.mulf %in_0, %c : f32
    linalg.yield %1 : f32
  } -> tensor<5x160xf32>
  // expected-remark @below {{the branch has another input than the layer}}
  %y = linalg.add ins(%base, %f : tensor<5x160xf32>, tensor<5x160xf32>) outs(%y0 : tensor<5x160xf32>) -> tensor<5x160xf32>
  return %y : tensor<5x160xf32>
}

func.func @transposed_a(%x: tensor<5x96xf32>, %w: tensor<160x96xf32>, %a: tensor<96x8xf32>, %b: tensor<160x8xf32>) -> tensor<5x160xf32> {
  %zero = arith.constant 0.0 : f32
  %y0 = tensor.empty() : tensor<5x160xf32>
  %y1 = linalg.fill ins(%zero : f32) outs(%y0 : tensor<5x160xf32>) -> tensor<5x160xf32>
  %h0 = tensor.empty() : tensor<5x8xf32>
  %h1 = linalg.fill ins(%zero : f32) outs(%h0 : tensor<5x8xf32>) -> tensor<5x8xf32>
  %base = linalg.matmul indexing_maps = [#x, #w, #y] ins(%x, %w : tensor<5x96xf32>, tensor<160x96xf32>)
      outs(%y1 : tensor<5x160xf32>) -> tensor<5x160xf32>
  %h = linalg.matmul indexing_maps = [#x, #wt, #y] ins(%x, %a : tensor<5x96xf32>, tensor<96x8xf32>)
      outs(%h1 : tensor<5x8xf32>) -> tensor<5x8xf32>
  %e = linalg.matmul indexing_maps = [#x, #w, #y] ins(%h, %b : tensor<5x8xf32>, tensor<160x8xf32>)
      outs(%y1 : tensor<5x160xf32>) -> tensor<5x160xf32>
  %c = arith.constant 2.0 : f32
  %f = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%e : tensor<5x160xf32>) outs(%y0 : tensor<5x160xf32>) {
  ^bb0(%in_0: f32, %out: f32):
    %1 = arith.mulf %in_0, %c : f32
    linalg.yield %1 : f32
  } -> tensor<5x160xf32>
  // expected-remark @below {{A is not stored with the rank before the input}}
  %y = linalg.add ins(%base, %f : tensor<5x160xf32>, tensor<5x160xf32>) outs(%y0 : tensor<5x160xf32>) -> tensor<5x160xf32>
  return %y : tensor<5x160xf32>
}

func.func @transposed_b(%x: tensor<5x96xf32>, %w: tensor<160x96xf32>, %a: tensor<8x96xf32>, %b: tensor<8x160xf32>) -> tensor<5x160xf32> {
  %zero = arith.constant 0.0 : f32
  %y0 = tensor.empty() : tensor<5x160xf32>
  %y1 = linalg.fill ins(%zero : f32) outs(%y0 : tensor<5x160xf32>) -> tensor<5x160xf32>
  %h0 = tensor.empty() : tensor<5x8xf32>
  %h1 = linalg.fill ins(%zero : f32) outs(%h0 : tensor<5x8xf32>) -> tensor<5x8xf32>
  %base = linalg.matmul indexing_maps = [#x, #w, #y] ins(%x, %w : tensor<5x96xf32>, tensor<160x96xf32>)
      outs(%y1 : tensor<5x160xf32>) -> tensor<5x160xf32>
  %h = linalg.matmul indexing_maps = [#x, #w, #y] ins(%x, %a : tensor<5x96xf32>, tensor<8x96xf32>)
      outs(%h1 : tensor<5x8xf32>) -> tensor<5x8xf32>
  %e = linalg.matmul indexing_maps = [#x, #wt, #y] ins(%h, %b : tensor<5x8xf32>, tensor<8x160xf32>)
      outs(%y1 : tensor<5x160xf32>) -> tensor<5x160xf32>
  %c = arith.constant 2.0 : f32
  %f = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%e : tensor<5x160xf32>) outs(%y0 : tensor<5x160xf32>) {
  ^bb0(%in_0: f32, %out: f32):
    %1 = arith.mulf %in_0, %c : f32
    linalg.yield %1 : f32
  } -> tensor<5x160xf32>
  // expected-remark @below {{B is not stored with the output before the rank}}
  %y = linalg.add ins(%base, %f : tensor<5x160xf32>, tensor<5x160xf32>) outs(%y0 : tensor<5x160xf32>) -> tensor<5x160xf32>
  return %y : tensor<5x160xf32>
}

func.func @other_rank(%x: tensor<5x96xf32>, %w: tensor<160x96xf32>, %a: tensor<8x96xf32>, %b: tensor<160x4xf32>) -> tensor<5x160xf32> {
  %zero = arith.constant 0.0 : f32
  %y0 = tensor.empty() : tensor<5x160xf32>
  %y1 = linalg.fill ins(%zero : f32) outs(%y0 : tensor<5x160xf32>) -> tensor<5x160xf32>
  %h0 = tensor.empty() : tensor<5x8xf32>
  %h1 = linalg.fill ins(%zero : f32) outs(%h0 : tensor<5x8xf32>) -> tensor<5x8xf32>
  %base = linalg.matmul indexing_maps = [#x, #w, #y] ins(%x, %w : tensor<5x96xf32>, tensor<160x96xf32>)
      outs(%y1 : tensor<5x160xf32>) -> tensor<5x160xf32>
  %h = linalg.matmul indexing_maps = [#x, #w, #y] ins(%x, %a : tensor<5x96xf32>, tensor<8x96xf32>)
      outs(%h1 : tensor<5x8xf32>) -> tensor<5x8xf32>
  %part = tensor.extract_slice %h[0, 0] [5, 4] [1, 1] : tensor<5x8xf32> to tensor<5x4xf32>
  %e = linalg.matmul indexing_maps = [#x, #w, #y] ins(%part, %b : tensor<5x4xf32>, tensor<160x4xf32>)
      outs(%y1 : tensor<5x160xf32>) -> tensor<5x160xf32>
  %c = arith.constant 2.0 : f32
  %f = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%e : tensor<5x160xf32>) outs(%y0 : tensor<5x160xf32>) {
  ^bb0(%in_0: f32, %out: f32):
    %1 = arith.mulf %in_0, %c : f32
    linalg.yield %1 : f32
  } -> tensor<5x160xf32>
  // expected-remark @below {{the second matmul reads a part of the first one's result}}
  %y = linalg.add ins(%base, %f : tensor<5x160xf32>, tensor<5x160xf32>) outs(%y0 : tensor<5x160xf32>) -> tensor<5x160xf32>
  return %y : tensor<5x160xf32>
}

func.func @other_rows(%x: tensor<10x96xf32>, %w: tensor<160x96xf32>, %a: tensor<8x96xf32>, %b: tensor<160x8xf32>) -> tensor<5x160xf32> {
  %zero = arith.constant 0.0 : f32
  %y0 = tensor.empty() : tensor<5x160xf32>
  %y1 = linalg.fill ins(%zero : f32) outs(%y0 : tensor<5x160xf32>) -> tensor<5x160xf32>
  %h0 = tensor.empty() : tensor<5x8xf32>
  %h1 = linalg.fill ins(%zero : f32) outs(%h0 : tensor<5x8xf32>) -> tensor<5x8xf32>
  %part = tensor.extract_slice %x[5, 0] [5, 96] [1, 1] : tensor<10x96xf32> to tensor<5x96xf32>
  %part2 = tensor.extract_slice %x[0, 0] [5, 96] [1, 1] : tensor<10x96xf32> to tensor<5x96xf32>
  %base = linalg.matmul indexing_maps = [#x, #w, #y] ins(%part, %w : tensor<5x96xf32>, tensor<160x96xf32>)
      outs(%y1 : tensor<5x160xf32>) -> tensor<5x160xf32>
  %h = linalg.matmul indexing_maps = [#x, #w, #y] ins(%part2, %a : tensor<5x96xf32>, tensor<8x96xf32>)
      outs(%h1 : tensor<5x8xf32>) -> tensor<5x8xf32>
  %e = linalg.matmul indexing_maps = [#x, #w, #y] ins(%h, %b : tensor<5x8xf32>, tensor<160x8xf32>)
      outs(%y1 : tensor<5x160xf32>) -> tensor<5x160xf32>
  %c = arith.constant 2.0 : f32
  %f = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%e : tensor<5x160xf32>) outs(%y0 : tensor<5x160xf32>) {
  ^bb0(%in_0: f32, %out: f32):
    %1 = arith.mulf %in_0, %c : f32
    linalg.yield %1 : f32
  } -> tensor<5x160xf32>
  %y = linalg.add ins(%base, %f : tensor<5x160xf32>, tensor<5x160xf32>) outs(%y0 : tensor<5x160xf32>) -> tensor<5x160xf32>
  return %y : tensor<5x160xf32>
}

// The same branch is added to every row.
func.func @one_row(%x: tensor<5x96xf32>, %w: tensor<160x96xf32>, %a: tensor<8x96xf32>, %b: tensor<160x8xf32>) -> tensor<5x160xf32> {
  %zero = arith.constant 0.0 : f32
  %y0 = tensor.empty() : tensor<5x160xf32>
  %y1 = linalg.fill ins(%zero : f32) outs(%y0 : tensor<5x160xf32>) -> tensor<5x160xf32>
  %h0 = tensor.empty() : tensor<5x8xf32>
  %h1 = linalg.fill ins(%zero : f32) outs(%h0 : tensor<5x8xf32>) -> tensor<5x8xf32>
  %base = linalg.matmul indexing_maps = [#x, #w, #y] ins(%x, %w : tensor<5x96xf32>, tensor<160x96xf32>)
      outs(%y1 : tensor<5x160xf32>) -> tensor<5x160xf32>
  %x1 = tensor.extract_slice %x[0, 0] [1, 96] [1, 1] : tensor<5x96xf32> to tensor<1x96xf32>
  %g0 = tensor.empty() : tensor<1x8xf32>
  %g1 = linalg.fill ins(%zero : f32) outs(%g0 : tensor<1x8xf32>) -> tensor<1x8xf32>
  %d0 = tensor.empty() : tensor<1x160xf32>
  %d1 = linalg.fill ins(%zero : f32) outs(%d0 : tensor<1x160xf32>) -> tensor<1x160xf32>
  %h = linalg.matmul indexing_maps = [#x, #w, #y] ins(%x1, %a : tensor<1x96xf32>, tensor<8x96xf32>)
      outs(%g1 : tensor<1x8xf32>) -> tensor<1x8xf32>
  %f = linalg.matmul indexing_maps = [#x, #w, #y] ins(%h, %b : tensor<1x8xf32>, tensor<160x8xf32>)
      outs(%d1 : tensor<1x160xf32>) -> tensor<1x160xf32>
  %y = linalg.generic {indexing_maps = [#id, #row0, #id], iterator_types = ["parallel", "parallel"]}
      ins(%base, %f : tensor<5x160xf32>, tensor<1x160xf32>) outs(%y0 : tensor<5x160xf32>) {
  ^bb0(%in_0: f32, %in_1: f32, %out: f32):
    %1 = arith.addf %in_0, %in_1 : f32
    linalg.yield %1 : f32
  } -> tensor<5x160xf32>
  return %y : tensor<5x160xf32>
}

func.func @division(%x: tensor<5x96xf32>, %w: tensor<160x96xf32>, %a: tensor<8x96xf32>, %b: tensor<160x8xf32>) -> tensor<5x160xf32> {
  %zero = arith.constant 0.0 : f32
  %y0 = tensor.empty() : tensor<5x160xf32>
  %y1 = linalg.fill ins(%zero : f32) outs(%y0 : tensor<5x160xf32>) -> tensor<5x160xf32>
  %h0 = tensor.empty() : tensor<5x8xf32>
  %h1 = linalg.fill ins(%zero : f32) outs(%h0 : tensor<5x8xf32>) -> tensor<5x8xf32>
  %base = linalg.matmul indexing_maps = [#x, #w, #y] ins(%x, %w : tensor<5x96xf32>, tensor<160x96xf32>)
      outs(%y1 : tensor<5x160xf32>) -> tensor<5x160xf32>
  %h = linalg.matmul indexing_maps = [#x, #w, #y] ins(%x, %a : tensor<5x96xf32>, tensor<8x96xf32>)
      outs(%h1 : tensor<5x8xf32>) -> tensor<5x8xf32>
  %e = linalg.matmul indexing_maps = [#x, #w, #y] ins(%h, %b : tensor<5x8xf32>, tensor<160x8xf32>)
      outs(%y1 : tensor<5x160xf32>) -> tensor<5x160xf32>
  %c = arith.constant 3.0 : f32
  %f = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%e : tensor<5x160xf32>) outs(%y0 : tensor<5x160xf32>) {
  ^bb0(%in_0: f32, %out: f32):
    %1 = arith.divf %in_0, %c : f32
    linalg.yield %1 : f32
  } -> tensor<5x160xf32>
  // expected-remark @below {{'arith.divf' is not a step of LoRA}}
  %y = linalg.add ins(%base, %f : tensor<5x160xf32>, tensor<5x160xf32>) outs(%y0 : tensor<5x160xf32>) -> tensor<5x160xf32>
  return %y : tensor<5x160xf32>
}

// A product of three matrices is added to no layer of the same input.
func.func @no_layer(%x: tensor<5x96xf32>, %r: tensor<5x160xf32>, %a: tensor<8x96xf32>, %b: tensor<160x8xf32>) -> tensor<5x160xf32> {
  %zero = arith.constant 0.0 : f32
  %y0 = tensor.empty() : tensor<5x160xf32>
  %y1 = linalg.fill ins(%zero : f32) outs(%y0 : tensor<5x160xf32>) -> tensor<5x160xf32>
  %h0 = tensor.empty() : tensor<5x8xf32>
  %h1 = linalg.fill ins(%zero : f32) outs(%h0 : tensor<5x8xf32>) -> tensor<5x8xf32>
  %h = linalg.matmul indexing_maps = [#x, #w, #y] ins(%x, %a : tensor<5x96xf32>, tensor<8x96xf32>)
      outs(%h1 : tensor<5x8xf32>) -> tensor<5x8xf32>
  %e = linalg.matmul indexing_maps = [#x, #w, #y] ins(%h, %b : tensor<5x8xf32>, tensor<160x8xf32>)
      outs(%y1 : tensor<5x160xf32>) -> tensor<5x160xf32>
  %c = arith.constant 2.0 : f32
  %f = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%e : tensor<5x160xf32>) outs(%y0 : tensor<5x160xf32>) {
  ^bb0(%in_0: f32, %out: f32):
    %1 = arith.mulf %in_0, %c : f32
    linalg.yield %1 : f32
  } -> tensor<5x160xf32>
  %y = linalg.add ins(%r, %f : tensor<5x160xf32>, tensor<5x160xf32>) outs(%y0 : tensor<5x160xf32>) -> tensor<5x160xf32>
  return %y : tensor<5x160xf32>
}

func.func @difference(%x: tensor<5x96xf32>, %w: tensor<160x96xf32>, %a: tensor<8x96xf32>, %b: tensor<160x8xf32>) -> tensor<5x160xf32> {
  %zero = arith.constant 0.0 : f32
  %y0 = tensor.empty() : tensor<5x160xf32>
  %y1 = linalg.fill ins(%zero : f32) outs(%y0 : tensor<5x160xf32>) -> tensor<5x160xf32>
  %h0 = tensor.empty() : tensor<5x8xf32>
  %h1 = linalg.fill ins(%zero : f32) outs(%h0 : tensor<5x8xf32>) -> tensor<5x8xf32>
  %base = linalg.matmul indexing_maps = [#x, #w, #y] ins(%x, %w : tensor<5x96xf32>, tensor<160x96xf32>)
      outs(%y1 : tensor<5x160xf32>) -> tensor<5x160xf32>
  %h = linalg.matmul indexing_maps = [#x, #w, #y] ins(%x, %a : tensor<5x96xf32>, tensor<8x96xf32>)
      outs(%h1 : tensor<5x8xf32>) -> tensor<5x8xf32>
  %e = linalg.matmul indexing_maps = [#x, #w, #y] ins(%h, %b : tensor<5x8xf32>, tensor<160x8xf32>)
      outs(%y1 : tensor<5x160xf32>) -> tensor<5x160xf32>
  // expected-remark @below {{[Missed] frit.lora_matmul | Category:frit-raise | Function=difference | Reason="the branch is subtracted from the layer's result"}}
  %y = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%base, %e : tensor<5x160xf32>, tensor<5x160xf32>) outs(%y0 : tensor<5x160xf32>) {
  ^bb0(%in_0: f32, %in_1: f32, %out: f32):
    %1 = arith.subf %in_0, %in_1 : f32
    linalg.yield %1 : f32
  } -> tensor<5x160xf32>
  return %y : tensor<5x160xf32>
}

// The op has no f64.
func.func @f64(%x: tensor<5x96xf64>, %w: tensor<160x96xf64>, %a: tensor<8x96xf64>, %b: tensor<160x8xf64>) -> tensor<5x160xf64> {
  %zero = arith.constant 0.0 : f64
  %y0 = tensor.empty() : tensor<5x160xf64>
  %y1 = linalg.fill ins(%zero : f64) outs(%y0 : tensor<5x160xf64>) -> tensor<5x160xf64>
  %h0 = tensor.empty() : tensor<5x8xf64>
  %h1 = linalg.fill ins(%zero : f64) outs(%h0 : tensor<5x8xf64>) -> tensor<5x8xf64>
  %base = linalg.matmul indexing_maps = [#x, #w, #y] ins(%x, %w : tensor<5x96xf64>, tensor<160x96xf64>)
      outs(%y1 : tensor<5x160xf64>) -> tensor<5x160xf64>
  %h = linalg.matmul indexing_maps = [#x, #w, #y] ins(%x, %a : tensor<5x96xf64>, tensor<8x96xf64>)
      outs(%h1 : tensor<5x8xf64>) -> tensor<5x8xf64>
  %e = linalg.matmul indexing_maps = [#x, #w, #y] ins(%h, %b : tensor<5x8xf64>, tensor<160x8xf64>)
      outs(%y1 : tensor<5x160xf64>) -> tensor<5x160xf64>
  %c = arith.constant 2.0 : f64
  %f = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%e : tensor<5x160xf64>) outs(%y0 : tensor<5x160xf64>) {
  ^bb0(%in_0: f64, %out: f64):
    %1 = arith.mulf %in_0, %c : f64
    linalg.yield %1 : f64
  } -> tensor<5x160xf64>
  %y = linalg.add ins(%base, %f : tensor<5x160xf64>, tensor<5x160xf64>) outs(%y0 : tensor<5x160xf64>) -> tensor<5x160xf64>
  return %y : tensor<5x160xf64>
}
