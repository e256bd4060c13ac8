// Which roundings of a low-rank branch are which of the op.
// RUN: %frit_opt %s --pass-pipeline='builtin.module(frit-raise{fidelity=exact})' | FileCheck %s --check-prefixes=CHECK,EXACT
// RUN: %frit_opt %s --pass-pipeline='builtin.module(frit-raise{fidelity=framework})' | FileCheck %s --check-prefixes=CHECK,FRAMEWORK
// RUN: %frit_opt %s --pass-pipeline='builtin.module(frit-raise{fidelity=fast})' | FileCheck %s --check-prefixes=CHECK,FAST

#x = affine_map<(m, n, k) -> (m, k)>
#w = affine_map<(m, n, k) -> (n, k)>
#y = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(i, j) -> (i, j)>

// All of bf16: h, the sum, the product and the result are rounded.
// CHECK-LABEL: func @bf16_stepwise(
// CHECK: frit.lora_matmul
// EXACT-SAME: scale = 5.656250e+00 rounding = stepwise ->
// FRAMEWORK-SAME: scale = 5.656250e+00 rounding = stepwise ->
// FAST-SAME: outs(%{{.*}} : tensor<5x160xbf16>) scale = 5.656250e+00 ->
func.func @bf16_stepwise(%x: tensor<5x96xbf16>, %w: tensor<160x96xbf16>, %a: tensor<8x96xbf16>, %b: tensor<160x8xbf16>) -> tensor<5x160xbf16> {
  %zero = arith.constant 0.0 : f32
  %c = arith.constant 5.65625 : bf16
  %y0 = tensor.empty() : tensor<5x160xf32>
  %y1 = linalg.fill ins(%zero : f32) outs(%y0 : tensor<5x160xf32>) -> tensor<5x160xf32>
  %h0 = tensor.empty() : tensor<5x8xf32>
  %h1 = linalg.fill ins(%zero : f32) outs(%h0 : tensor<5x8xf32>) -> tensor<5x8xf32>
  %yb = tensor.empty() : tensor<5x160xbf16>
  %hb = tensor.empty() : tensor<5x8xbf16>
  %base32 = linalg.matmul indexing_maps = [#x, #w, #y] ins(%x, %w : tensor<5x96xbf16>, tensor<160x96xbf16>)
      outs(%y1 : tensor<5x160xf32>) -> tensor<5x160xf32>
  %base = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%base32 : tensor<5x160xf32>) outs(%yb : tensor<5x160xbf16>) {
  ^bb0(%in_0: f32, %out: bf16):
    %1 = arith.truncf %in_0 : f32 to bf16
    linalg.yield %1 : bf16
  } -> tensor<5x160xbf16>
  %h32 = linalg.matmul indexing_maps = [#x, #w, #y] ins(%x, %a : tensor<5x96xbf16>, tensor<8x96xbf16>)
      outs(%h1 : tensor<5x8xf32>) -> tensor<5x8xf32>
  %h = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%h32 : tensor<5x8xf32>) outs(%hb : tensor<5x8xbf16>) {
  ^bb0(%in_0: f32, %out: bf16):
    %1 = arith.truncf %in_0 : f32 to bf16
    linalg.yield %1 : bf16
  } -> tensor<5x8xbf16>
  %e32 = linalg.matmul indexing_maps = [#x, #w, #y] ins(%h, %b : tensor<5x8xbf16>, tensor<160x8xbf16>)
      outs(%y1 : tensor<5x160xf32>) -> tensor<5x160xf32>
  %e = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%e32 : tensor<5x160xf32>) outs(%yb : tensor<5x160xbf16>) {
  ^bb0(%in_0: f32, %out: bf16):
    %1 = arith.truncf %in_0 : f32 to bf16
    linalg.yield %1 : bf16
  } -> tensor<5x160xbf16>
  %f = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%e : tensor<5x160xbf16>) outs(%yb : tensor<5x160xbf16>) {
  ^bb0(%in_0: bf16, %out: bf16):
    %1 = arith.mulf %in_0, %c : bf16
    linalg.yield %1 : bf16
  } -> tensor<5x160xbf16>
  %y = linalg.add ins(%base, %f : tensor<5x160xbf16>, tensor<5x160xbf16>) outs(%yb : tensor<5x160xbf16>) -> tensor<5x160xbf16>
  return %y : tensor<5x160xbf16>
}

// The op rounds to the nearest even.
// CHECK-LABEL: func @toward_zero(
// CHECK-NOT: frit.lora_matmul
// CHECK: return
func.func @toward_zero(%x: tensor<5x96xbf16>, %w: tensor<160x96xbf16>, %a: tensor<8x96xbf16>, %b: tensor<160x8xbf16>) -> tensor<5x160xbf16> {
  %zero = arith.constant 0.0 : f32
  %c = arith.constant 5.65625 : bf16
  %y0 = tensor.empty() : tensor<5x160xf32>
  %y1 = linalg.fill ins(%zero : f32) outs(%y0 : tensor<5x160xf32>) -> tensor<5x160xf32>
  %h0 = tensor.empty() : tensor<5x8xf32>
  %h1 = linalg.fill ins(%zero : f32) outs(%h0 : tensor<5x8xf32>) -> tensor<5x8xf32>
  %yb = tensor.empty() : tensor<5x160xbf16>
  %hb = tensor.empty() : tensor<5x8xbf16>
  %base32 = linalg.matmul indexing_maps = [#x, #w, #y] ins(%x, %w : tensor<5x96xbf16>, tensor<160x96xbf16>)
      outs(%y1 : tensor<5x160xf32>) -> tensor<5x160xf32>
  %base = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%base32 : tensor<5x160xf32>) outs(%yb : tensor<5x160xbf16>) {
  ^bb0(%in_0: f32, %out: bf16):
    %1 = arith.truncf %in_0 : f32 to bf16
    linalg.yield %1 : bf16
  } -> tensor<5x160xbf16>
  %h32 = linalg.matmul indexing_maps = [#x, #w, #y] ins(%x, %a : tensor<5x96xbf16>, tensor<8x96xbf16>)
      outs(%h1 : tensor<5x8xf32>) -> tensor<5x8xf32>
  %h = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%h32 : tensor<5x8xf32>) outs(%hb : tensor<5x8xbf16>) {
  ^bb0(%in_0: f32, %out: bf16):
    %1 = arith.truncf %in_0 toward_zero : f32 to bf16
    linalg.yield %1 : bf16
  } -> tensor<5x8xbf16>
  %e32 = linalg.matmul indexing_maps = [#x, #w, #y] ins(%h, %b : tensor<5x8xbf16>, tensor<160x8xbf16>)
      outs(%y1 : tensor<5x160xf32>) -> tensor<5x160xf32>
  %e = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%e32 : tensor<5x160xf32>) outs(%yb : tensor<5x160xbf16>) {
  ^bb0(%in_0: f32, %out: bf16):
    %1 = arith.truncf %in_0 : f32 to bf16
    linalg.yield %1 : bf16
  } -> tensor<5x160xbf16>
  %f = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%e : tensor<5x160xbf16>) outs(%yb : tensor<5x160xbf16>) {
  ^bb0(%in_0: bf16, %out: bf16):
    %1 = arith.mulf %in_0, %c : bf16
    linalg.yield %1 : bf16
  } -> tensor<5x160xbf16>
  %y = linalg.add ins(%base, %f : tensor<5x160xbf16>, tensor<5x160xbf16>) outs(%yb : tensor<5x160xbf16>) -> tensor<5x160xbf16>
  return %y : tensor<5x160xbf16>
}

// The exporter truncates the factor that PyTorch has in f32.
// CHECK-LABEL: func @truncated_scale(
// CHECK: frit.lora_matmul
// EXACT-SAME: scale = 5.656250e+00 rounding = stepwise
// FRAMEWORK-SAME: scale = 5.65685415 rounding = stepwise
// FAST-SAME: scale = 5.65685415 ->
func.func @truncated_scale(%x: tensor<5x96xbf16>, %w: tensor<160x96xbf16>, %a: tensor<8x96xbf16>, %b: tensor<160x8xbf16>) -> tensor<5x160xbf16> {
  %zero = arith.constant 0.0 : f32
  %c = arith.constant 5.6568542494923806 : f64
  %y0 = tensor.empty() : tensor<5x160xf32>
  %y1 = linalg.fill ins(%zero : f32) outs(%y0 : tensor<5x160xf32>) -> tensor<5x160xf32>
  %h0 = tensor.empty() : tensor<5x8xf32>
  %h1 = linalg.fill ins(%zero : f32) outs(%h0 : tensor<5x8xf32>) -> tensor<5x8xf32>
  %yb = tensor.empty() : tensor<5x160xbf16>
  %hb = tensor.empty() : tensor<5x8xbf16>
  %base32 = linalg.matmul indexing_maps = [#x, #w, #y] ins(%x, %w : tensor<5x96xbf16>, tensor<160x96xbf16>)
      outs(%y1 : tensor<5x160xf32>) -> tensor<5x160xf32>
  %base = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%base32 : tensor<5x160xf32>) outs(%yb : tensor<5x160xbf16>) {
  ^bb0(%in_0: f32, %out: bf16):
    %1 = arith.truncf %in_0 : f32 to bf16
    linalg.yield %1 : bf16
  } -> tensor<5x160xbf16>
  %h32 = linalg.matmul indexing_maps = [#x, #w, #y] ins(%x, %a : tensor<5x96xbf16>, tensor<8x96xbf16>)
      outs(%h1 : tensor<5x8xf32>) -> tensor<5x8xf32>
  %h = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%h32 : tensor<5x8xf32>) outs(%hb : tensor<5x8xbf16>) {
  ^bb0(%in_0: f32, %out: bf16):
    %1 = arith.truncf %in_0 : f32 to bf16
    linalg.yield %1 : bf16
  } -> tensor<5x8xbf16>
  %e32 = linalg.matmul indexing_maps = [#x, #w, #y] ins(%h, %b : tensor<5x8xbf16>, tensor<160x8xbf16>)
      outs(%y1 : tensor<5x160xf32>) -> tensor<5x160xf32>
  %e = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%e32 : tensor<5x160xf32>) outs(%yb : tensor<5x160xbf16>) {
  ^bb0(%in_0: f32, %out: bf16):
    %1 = arith.truncf %in_0 : f32 to bf16
    linalg.yield %1 : bf16
  } -> tensor<5x160xbf16>
  %f = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%e : tensor<5x160xbf16>) outs(%yb : tensor<5x160xbf16>) {
  ^bb0(%in_0: bf16, %out: bf16):
    %1 = arith.truncf %c : f64 to bf16
    %2 = arith.mulf %in_0, %1 : bf16
    linalg.yield %2 : bf16
  } -> tensor<5x160xbf16>
  %y = linalg.add ins(%base, %f : tensor<5x160xbf16>, tensor<5x160xbf16>) outs(%yb : tensor<5x160xbf16>) -> tensor<5x160xbf16>
  return %y : tensor<5x160xbf16>
}

// A power of two between the matmuls, where its product may overflow.
// CHECK-LABEL: func @power_between(
// EXACT-NOT: frit.lora_matmul
// FRAMEWORK-NOT: frit.lora_matmul
// FAST: frit.lora_matmul
// FAST-SAME: scale = 4.000000e+00 ->
// CHECK: return
func.func @power_between(%x: tensor<5x96xbf16>, %w: tensor<160x96xbf16>, %a: tensor<8x96xbf16>, %b: tensor<160x8xbf16>) -> tensor<5x160xbf16> {
  %zero = arith.constant 0.0 : f32
  %c = arith.constant 4.0 : bf16
  %y0 = tensor.empty() : tensor<5x160xf32>
  %y1 = linalg.fill ins(%zero : f32) outs(%y0 : tensor<5x160xf32>) -> tensor<5x160xf32>
  %h0 = tensor.empty() : tensor<5x8xf32>
  %h1 = linalg.fill ins(%zero : f32) outs(%h0 : tensor<5x8xf32>) -> tensor<5x8xf32>
  %yb = tensor.empty() : tensor<5x160xbf16>
  %hb = tensor.empty() : tensor<5x8xbf16>
  %base32 = linalg.matmul indexing_maps = [#x, #w, #y] ins(%x, %w : tensor<5x96xbf16>, tensor<160x96xbf16>)
      outs(%y1 : tensor<5x160xf32>) -> tensor<5x160xf32>
  %base = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%base32 : tensor<5x160xf32>) outs(%yb : tensor<5x160xbf16>) {
  ^bb0(%in_0: f32, %out: bf16):
    %1 = arith.truncf %in_0 : f32 to bf16
    linalg.yield %1 : bf16
  } -> tensor<5x160xbf16>
  %h32 = linalg.matmul indexing_maps = [#x, #w, #y] ins(%x, %a : tensor<5x96xbf16>, tensor<8x96xbf16>)
      outs(%h1 : tensor<5x8xf32>) -> tensor<5x8xf32>
  %hu = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%h32 : tensor<5x8xf32>) outs(%hb : tensor<5x8xbf16>) {
  ^bb0(%in_0: f32, %out: bf16):
    %1 = arith.truncf %in_0 : f32 to bf16
    linalg.yield %1 : bf16
  } -> tensor<5x8xbf16>
  %h = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%hu : tensor<5x8xbf16>) outs(%hb : tensor<5x8xbf16>) {
  ^bb0(%in_0: bf16, %out: bf16):
    %1 = arith.mulf %in_0, %c : bf16
    linalg.yield %1 : bf16
  } -> tensor<5x8xbf16>
  %e32 = linalg.matmul indexing_maps = [#x, #w, #y] ins(%h, %b : tensor<5x8xbf16>, tensor<160x8xbf16>)
      outs(%y1 : tensor<5x160xf32>) -> tensor<5x160xf32>
  %e = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%e32 : tensor<5x160xf32>) outs(%yb : tensor<5x160xbf16>) {
  ^bb0(%in_0: f32, %out: bf16):
    %1 = arith.truncf %in_0 : f32 to bf16
    linalg.yield %1 : bf16
  } -> tensor<5x160xbf16>
  %y = linalg.add ins(%base, %e : tensor<5x160xbf16>, tensor<5x160xbf16>) outs(%yb : tensor<5x160xbf16>) -> tensor<5x160xbf16>
  return %y : tensor<5x160xbf16>
}

// h in f32, and the sum rounded before it is added.
// CHECK-LABEL: func @bf16_sum(
// CHECK: frit.lora_matmul
// EXACT-SAME: outs(%{{.*}} : tensor<5x160xbf16>) scale = 3.000000e+00 rounding = sum ->
// FRAMEWORK-SAME: scale = 3.000000e+00 rounding = sum ->
// FAST-SAME: rounding = sum ->
func.func @bf16_sum(%x: tensor<5x96xbf16>, %w: tensor<160x96xbf16>, %a: tensor<8x96xbf16>, %b: tensor<160x8xbf16>) -> tensor<5x160xbf16> {
  %zero = arith.constant 0.0 : f32
  %c = arith.constant 3.0 : f32
  %y0 = tensor.empty() : tensor<5x160xf32>
  %y1 = linalg.fill ins(%zero : f32) outs(%y0 : tensor<5x160xf32>) -> tensor<5x160xf32>
  %h0 = tensor.empty() : tensor<5x8xf32>
  %h1 = linalg.fill ins(%zero : f32) outs(%h0 : tensor<5x8xf32>) -> tensor<5x8xf32>
  %yb = tensor.empty() : tensor<5x160xbf16>
  %hb = tensor.empty() : tensor<5x8xbf16>
  %base32 = linalg.matmul indexing_maps = [#x, #w, #y] ins(%x, %w : tensor<5x96xbf16>, tensor<160x96xbf16>)
      outs(%y1 : tensor<5x160xf32>) -> tensor<5x160xf32>
  %base = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%base32 : tensor<5x160xf32>) outs(%yb : tensor<5x160xbf16>) {
  ^bb0(%in_0: f32, %out: bf16):
    %1 = arith.truncf %in_0 : f32 to bf16
    linalg.yield %1 : bf16
  } -> tensor<5x160xbf16>
  %h32 = linalg.matmul indexing_maps = [#x, #w, #y] ins(%x, %a : tensor<5x96xbf16>, tensor<8x96xbf16>)
      outs(%h1 : tensor<5x8xf32>) -> tensor<5x8xf32>
  %h = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%h32 : tensor<5x8xf32>) outs(%h0 : tensor<5x8xf32>) {
  ^bb0(%in_0: f32, %out: f32):
    %1 = arith.mulf %in_0, %c : f32
    linalg.yield %1 : f32
  } -> tensor<5x8xf32>
  %bw0 = tensor.empty() : tensor<160x8xf32>
  %bw = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%b : tensor<160x8xbf16>) outs(%bw0 : tensor<160x8xf32>) {
  ^bb0(%in_0: bf16, %out: f32):
    %1 = arith.extf %in_0 : bf16 to f32
    linalg.yield %1 : f32
  } -> tensor<160x8xf32>
  %e32 = linalg.matmul indexing_maps = [#x, #w, #y] ins(%h, %bw : tensor<5x8xf32>, tensor<160x8xf32>)
      outs(%y1 : tensor<5x160xf32>) -> tensor<5x160xf32>
  %e = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%e32 : tensor<5x160xf32>) outs(%yb : tensor<5x160xbf16>) {
  ^bb0(%in_0: f32, %out: bf16):
    %1 = arith.truncf %in_0 : f32 to bf16
    linalg.yield %1 : bf16
  } -> tensor<5x160xbf16>
  %y = linalg.add ins(%base, %e : tensor<5x160xbf16>, tensor<5x160xbf16>) outs(%yb : tensor<5x160xbf16>) -> tensor<5x160xbf16>
  return %y : tensor<5x160xbf16>
}

// An engine that rounds h and the result.
// CHECK-LABEL: func @bf16_final_element(
// CHECK: frit.lora_matmul
// EXACT-SAME: outs(%{{.*}} : tensor<5x160xbf16>) intermediate = element ->
// FRAMEWORK-SAME: intermediate = element ->
func.func @bf16_final_element(%x: tensor<5x96xbf16>, %w: tensor<160x96xbf16>, %a: tensor<8x96xbf16>, %b: tensor<160x8xbf16>) -> tensor<5x160xbf16> {
  %zero = arith.constant 0.0 : f32
  %y0 = tensor.empty() : tensor<5x160xf32>
  %y1 = linalg.fill ins(%zero : f32) outs(%y0 : tensor<5x160xf32>) -> tensor<5x160xf32>
  %h0 = tensor.empty() : tensor<5x8xf32>
  %h1 = linalg.fill ins(%zero : f32) outs(%h0 : tensor<5x8xf32>) -> tensor<5x8xf32>
  %yb = tensor.empty() : tensor<5x160xbf16>
  %hb = tensor.empty() : tensor<5x8xbf16>
  %base32 = linalg.matmul indexing_maps = [#x, #w, #y] ins(%x, %w : tensor<5x96xbf16>, tensor<160x96xbf16>)
      outs(%y1 : tensor<5x160xf32>) -> tensor<5x160xf32>
  %base = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%base32 : tensor<5x160xf32>) outs(%yb : tensor<5x160xbf16>) {
  ^bb0(%in_0: f32, %out: bf16):
    %1 = arith.truncf %in_0 : f32 to bf16
    linalg.yield %1 : bf16
  } -> tensor<5x160xbf16>
  %h32 = linalg.matmul indexing_maps = [#x, #w, #y] ins(%x, %a : tensor<5x96xbf16>, tensor<8x96xbf16>)
      outs(%h1 : tensor<5x8xf32>) -> tensor<5x8xf32>
  %h = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%h32 : tensor<5x8xf32>) outs(%hb : tensor<5x8xbf16>) {
  ^bb0(%in_0: f32, %out: bf16):
    %1 = arith.truncf %in_0 : f32 to bf16
    linalg.yield %1 : bf16
  } -> tensor<5x8xbf16>
  %e32 = linalg.matmul indexing_maps = [#x, #w, #y] ins(%h, %b : tensor<5x8xbf16>, tensor<160x8xbf16>)
      outs(%y1 : tensor<5x160xf32>) -> tensor<5x160xf32>
  %y = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%base, %e32 : tensor<5x160xbf16>, tensor<5x160xf32>) outs(%yb : tensor<5x160xbf16>) {
  ^bb0(%in_0: bf16, %in_1: f32, %out: bf16):
    %1 = arith.extf %in_0 : bf16 to f32
    %2 = arith.addf %1, %in_1 : f32
    %3 = arith.truncf %2 : f32 to bf16
    linalg.yield %3 : bf16
  } -> tensor<5x160xbf16>
  return %y : tensor<5x160xbf16>
}

// h in f32, by B extended to f32.
// CHECK-LABEL: func @bf16_final(
// CHECK: frit.lora_matmul
// CHECK-SAME: tensor<1x8x96xbf16>, tensor<1x160x8xbf16>
// CHECK-SAME: outs(%{{.*}} : tensor<5x160xbf16>) scale = 3.000000e+00 ->
func.func @bf16_final(%x: tensor<5x96xbf16>, %w: tensor<160x96xbf16>, %a: tensor<8x96xbf16>, %b: tensor<160x8xbf16>) -> tensor<5x160xbf16> {
  %zero = arith.constant 0.0 : f32
  %c = arith.constant 3.0 : f32
  %y0 = tensor.empty() : tensor<5x160xf32>
  %y1 = linalg.fill ins(%zero : f32) outs(%y0 : tensor<5x160xf32>) -> tensor<5x160xf32>
  %h0 = tensor.empty() : tensor<5x8xf32>
  %h1 = linalg.fill ins(%zero : f32) outs(%h0 : tensor<5x8xf32>) -> tensor<5x8xf32>
  %yb = tensor.empty() : tensor<5x160xbf16>
  %hb = tensor.empty() : tensor<5x8xbf16>
  %base32 = linalg.matmul indexing_maps = [#x, #w, #y] ins(%x, %w : tensor<5x96xbf16>, tensor<160x96xbf16>)
      outs(%y1 : tensor<5x160xf32>) -> tensor<5x160xf32>
  %base = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%base32 : tensor<5x160xf32>) outs(%yb : tensor<5x160xbf16>) {
  ^bb0(%in_0: f32, %out: bf16):
    %1 = arith.truncf %in_0 : f32 to bf16
    linalg.yield %1 : bf16
  } -> tensor<5x160xbf16>
  %h32 = linalg.matmul indexing_maps = [#x, #w, #y] ins(%x, %a : tensor<5x96xbf16>, tensor<8x96xbf16>)
      outs(%h1 : tensor<5x8xf32>) -> tensor<5x8xf32>
  %h = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%h32 : tensor<5x8xf32>) outs(%h0 : tensor<5x8xf32>) {
  ^bb0(%in_0: f32, %out: f32):
    %1 = arith.mulf %in_0, %c : f32
    linalg.yield %1 : f32
  } -> tensor<5x8xf32>
  %bw0 = tensor.empty() : tensor<160x8xf32>
  %bw = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%b : tensor<160x8xbf16>) outs(%bw0 : tensor<160x8xf32>) {
  ^bb0(%in_0: bf16, %out: f32):
    %1 = arith.extf %in_0 : bf16 to f32
    linalg.yield %1 : f32
  } -> tensor<160x8xf32>
  %e32 = linalg.matmul indexing_maps = [#x, #w, #y] ins(%h, %bw : tensor<5x8xf32>, tensor<160x8xf32>)
      outs(%y1 : tensor<5x160xf32>) -> tensor<5x160xf32>
  %y = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%base, %e32 : tensor<5x160xbf16>, tensor<5x160xf32>) outs(%yb : tensor<5x160xbf16>) {
  ^bb0(%in_0: bf16, %in_1: f32, %out: bf16):
    %1 = arith.extf %in_0 : bf16 to f32
    %2 = arith.addf %1, %in_1 : f32
    %3 = arith.truncf %2 : f32 to bf16
    linalg.yield %3 : bf16
  } -> tensor<5x160xbf16>
  return %y : tensor<5x160xbf16>
}

// peft's default for a bf16 model: the branch is f32, and the layer's result is
// rounded first.
// CHECK-LABEL: func @f32_adapters(
// CHECK: %[[BASE:.*]] = linalg.generic
// CHECK: arith.truncf
// CHECK: frit.lora_matmul ins(%arg0,
// CHECK-SAME: tensor<1x8x96xf32>, tensor<1x160x8xf32>
// CHECK-SAME: outs(%[[BASE]] : tensor<5x160xbf16>) scale = 3.000000e+00 rounding = stepwise
// CHECK-NOT: linalg
// CHECK: return
func.func @f32_adapters(%x: tensor<5x96xbf16>, %w: tensor<160x96xbf16>, %a: tensor<8x96xf32>, %b: tensor<160x8xf32>) -> tensor<5x160xbf16> {
  %zero = arith.constant 0.0 : f32
  %c = arith.constant 3.0 : f32
  %y0 = tensor.empty() : tensor<5x160xf32>
  %y1 = linalg.fill ins(%zero : f32) outs(%y0 : tensor<5x160xf32>) -> tensor<5x160xf32>
  %h0 = tensor.empty() : tensor<5x8xf32>
  %h1 = linalg.fill ins(%zero : f32) outs(%h0 : tensor<5x8xf32>) -> tensor<5x8xf32>
  %yb = tensor.empty() : tensor<5x160xbf16>
  %hb = tensor.empty() : tensor<5x8xbf16>
  %base32 = linalg.matmul indexing_maps = [#x, #w, #y] ins(%x, %w : tensor<5x96xbf16>, tensor<160x96xbf16>)
      outs(%y1 : tensor<5x160xf32>) -> tensor<5x160xf32>
  %base = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%base32 : tensor<5x160xf32>) outs(%yb : tensor<5x160xbf16>) {
  ^bb0(%in_0: f32, %out: bf16):
    %1 = arith.truncf %in_0 : f32 to bf16
    linalg.yield %1 : bf16
  } -> tensor<5x160xbf16>
  %xw0 = tensor.empty() : tensor<5x96xf32>
  %xw = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<5x96xbf16>) outs(%xw0 : tensor<5x96xf32>) {
  ^bb0(%in_0: bf16, %out: f32):
    %1 = arith.extf %in_0 : bf16 to f32
    linalg.yield %1 : f32
  } -> tensor<5x96xf32>
  %h = linalg.matmul indexing_maps = [#x, #w, #y] ins(%xw, %a : tensor<5x96xf32>, tensor<8x96xf32>)
      outs(%h1 : tensor<5x8xf32>) -> tensor<5x8xf32>
  %e = linalg.matmul indexing_maps = [#x, #w, #y] ins(%h, %b : tensor<5x8xf32>, tensor<160x8xf32>)
      outs(%y1 : tensor<5x160xf32>) -> tensor<5x160xf32>
  %f = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%e : tensor<5x160xf32>) outs(%y0 : tensor<5x160xf32>) {
  ^bb0(%in_0: f32, %out: f32):
    %1 = arith.mulf %in_0, %c : f32
    linalg.yield %1 : f32
  } -> tensor<5x160xf32>
  %s = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%base, %f : tensor<5x160xbf16>, tensor<5x160xf32>) outs(%y0 : tensor<5x160xf32>) {
  ^bb0(%in_0: bf16, %in_1: f32, %out: f32):
    %1 = arith.extf %in_0 : bf16 to f32
    %2 = arith.addf %1, %in_1 : f32
    linalg.yield %2 : f32
  } -> tensor<5x160xf32>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%s : tensor<5x160xf32>) outs(%yb : tensor<5x160xbf16>) {
  ^bb0(%in_0: f32, %out: bf16):
    %1 = arith.truncf %in_0 : f32 to bf16
    linalg.yield %1 : bf16
  } -> tensor<5x160xbf16>
  return %y : tensor<5x160xbf16>
}

// No rounding of the op rounds h, and its product again.
// CHECK-LABEL: func @between_bf16(
// EXACT-NOT: frit.lora_matmul
// FRAMEWORK-NOT: frit.lora_matmul
// FAST: frit.lora_matmul
// FAST-SAME: scale = 5.656250e+00 ->
// CHECK: return
func.func @between_bf16(%x: tensor<5x96xbf16>, %w: tensor<160x96xbf16>, %a: tensor<8x96xbf16>, %b: tensor<160x8xbf16>) -> tensor<5x160xbf16> {
  %zero = arith.constant 0.0 : f32
  %c = arith.constant 5.65625 : bf16
  %y0 = tensor.empty() : tensor<5x160xf32>
  %y1 = linalg.fill ins(%zero : f32) outs(%y0 : tensor<5x160xf32>) -> tensor<5x160xf32>
  %h0 = tensor.empty() : tensor<5x8xf32>
  %h1 = linalg.fill ins(%zero : f32) outs(%h0 : tensor<5x8xf32>) -> tensor<5x8xf32>
  %yb = tensor.empty() : tensor<5x160xbf16>
  %hb = tensor.empty() : tensor<5x8xbf16>
  %base32 = linalg.matmul indexing_maps = [#x, #w, #y] ins(%x, %w : tensor<5x96xbf16>, tensor<160x96xbf16>)
      outs(%y1 : tensor<5x160xf32>) -> tensor<5x160xf32>
  %base = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%base32 : tensor<5x160xf32>) outs(%yb : tensor<5x160xbf16>) {
  ^bb0(%in_0: f32, %out: bf16):
    %1 = arith.truncf %in_0 : f32 to bf16
    linalg.yield %1 : bf16
  } -> tensor<5x160xbf16>
  %h32 = linalg.matmul indexing_maps = [#x, #w, #y] ins(%x, %a : tensor<5x96xbf16>, tensor<8x96xbf16>)
      outs(%h1 : tensor<5x8xf32>) -> tensor<5x8xf32>
  %hu = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%h32 : tensor<5x8xf32>) outs(%hb : tensor<5x8xbf16>) {
  ^bb0(%in_0: f32, %out: bf16):
    %1 = arith.truncf %in_0 : f32 to bf16
    linalg.yield %1 : bf16
  } -> tensor<5x8xbf16>
  %h = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%hu : tensor<5x8xbf16>) outs(%hb : tensor<5x8xbf16>) {
  ^bb0(%in_0: bf16, %out: bf16):
    %1 = arith.mulf %in_0, %c : bf16
    linalg.yield %1 : bf16
  } -> tensor<5x8xbf16>
  %e32 = linalg.matmul indexing_maps = [#x, #w, #y] ins(%h, %b : tensor<5x8xbf16>, tensor<160x8xbf16>)
      outs(%y1 : tensor<5x160xf32>) -> tensor<5x160xf32>
  %e = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%e32 : tensor<5x160xf32>) outs(%yb : tensor<5x160xbf16>) {
  ^bb0(%in_0: f32, %out: bf16):
    %1 = arith.truncf %in_0 : f32 to bf16
    linalg.yield %1 : bf16
  } -> tensor<5x160xbf16>
  %y = linalg.add ins(%base, %e : tensor<5x160xbf16>, tensor<5x160xbf16>) outs(%yb : tensor<5x160xbf16>) -> tensor<5x160xbf16>
  return %y : tensor<5x160xbf16>
}

// The layer's result is added before it is rounded: the op would round twice.
// CHECK-LABEL: func @unrounded_base(
// CHECK-NOT: frit.lora_matmul
// CHECK: return
func.func @unrounded_base(%x: tensor<5x96xbf16>, %w: tensor<160x96xbf16>, %a: tensor<8x96xbf16>, %b: tensor<160x8xbf16>) -> tensor<5x160xbf16> {
  %zero = arith.constant 0.0 : f32
  %y0 = tensor.empty() : tensor<5x160xf32>
  %y1 = linalg.fill ins(%zero : f32) outs(%y0 : tensor<5x160xf32>) -> tensor<5x160xf32>
  %h0 = tensor.empty() : tensor<5x8xf32>
  %h1 = linalg.fill ins(%zero : f32) outs(%h0 : tensor<5x8xf32>) -> tensor<5x8xf32>
  %yb = tensor.empty() : tensor<5x160xbf16>
  %hb = tensor.empty() : tensor<5x8xbf16>
  %base = linalg.matmul indexing_maps = [#x, #w, #y] ins(%x, %w : tensor<5x96xbf16>, tensor<160x96xbf16>)
      outs(%y1 : tensor<5x160xf32>) -> tensor<5x160xf32>
  %h32 = linalg.matmul indexing_maps = [#x, #w, #y] ins(%x, %a : tensor<5x96xbf16>, tensor<8x96xbf16>)
      outs(%h1 : tensor<5x8xf32>) -> tensor<5x8xf32>
  %h = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%h32 : tensor<5x8xf32>) outs(%hb : tensor<5x8xbf16>) {
  ^bb0(%in_0: f32, %out: bf16):
    %1 = arith.truncf %in_0 : f32 to bf16
    linalg.yield %1 : bf16
  } -> tensor<5x8xbf16>
  %e32 = linalg.matmul indexing_maps = [#x, #w, #y] ins(%h, %b : tensor<5x8xbf16>, tensor<160x8xbf16>)
      outs(%y1 : tensor<5x160xf32>) -> tensor<5x160xf32>
  %s = linalg.add ins(%base, %e32 : tensor<5x160xf32>, tensor<5x160xf32>) outs(%y0 : tensor<5x160xf32>) -> tensor<5x160xf32>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%s : tensor<5x160xf32>) outs(%yb : tensor<5x160xbf16>) {
  ^bb0(%in_0: f32, %out: bf16):
    %1 = arith.truncf %in_0 : f32 to bf16
    linalg.yield %1 : bf16
  } -> tensor<5x160xbf16>
  return %y : tensor<5x160xbf16>
}
