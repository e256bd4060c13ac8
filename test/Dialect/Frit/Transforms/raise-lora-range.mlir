// Roundings that overflow or underflow where those of the op do not, and f64.
// RUN: %frit_opt %s --split-input-file --pass-pipeline='builtin.module(frit-raise{fidelity=framework})' -o %t.raised \
// RUN:   --verify-diagnostics --remarks-filter=frit-raise
// RUN: %frit_opt %s --split-input-file --pass-pipeline='builtin.module(frit-raise{fidelity=fast})' | FileCheck %s

#m = affine_map<(i, j) -> (i, j)>
#x = affine_map<(m, n, k) -> (m, k)>
#w = affine_map<(m, n, k) -> (n, k)>
#y = affine_map<(m, n, k) -> (m, n)>

// h overflows f16, though the product of both factors is 2.
// CHECK-LABEL: func @overflow
// CHECK: frit.lora_matmul {{.*}} scale = 2.000000e+00 ->
func.func @overflow(%x: tensor<5x96xf16>, %w: tensor<40x96xf16>, %a: tensor<8x96xf16>, %b: tensor<40x8xf16>) -> tensor<5x40xf16> {
  %z = arith.constant 0.0 : f32
  %large = arith.constant 8192.0 : f16
  %small = arith.constant 2.44140625e-04 : f16
  %y0 = tensor.empty() : tensor<5x40xf32>
  %y1 = linalg.fill ins(%z : f32) outs(%y0 : tensor<5x40xf32>) -> tensor<5x40xf32>
  %h0 = tensor.empty() : tensor<5x8xf32>
  %h1 = linalg.fill ins(%z : f32) outs(%h0 : tensor<5x8xf32>) -> tensor<5x8xf32>
  %yh = tensor.empty() : tensor<5x40xf16>
  %hh = tensor.empty() : tensor<5x8xf16>
  %base32 = linalg.matmul indexing_maps = [#x, #w, #y] ins(%x, %w : tensor<5x96xf16>, tensor<40x96xf16>) outs(%y1 : tensor<5x40xf32>) -> tensor<5x40xf32>
  %base = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]} ins(%base32 : tensor<5x40xf32>) outs(%yh : tensor<5x40xf16>) {
  ^bb0(%p: f32, %o: f16):
    %t = arith.truncf %p : f32 to f16
    linalg.yield %t : f16
  } -> tensor<5x40xf16>
  %h32 = linalg.matmul indexing_maps = [#x, #w, #y] ins(%x, %a : tensor<5x96xf16>, tensor<8x96xf16>) outs(%h1 : tensor<5x8xf32>) -> tensor<5x8xf32>
  %h = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]} ins(%h32 : tensor<5x8xf32>) outs(%hh : tensor<5x8xf16>) {
  ^bb0(%p: f32, %o: f16):
    %t = arith.truncf %p : f32 to f16
    %s = arith.mulf %t, %large : f16
    linalg.yield %s : f16
  } -> tensor<5x8xf16>
  %e32 = linalg.matmul indexing_maps = [#x, #w, #y] ins(%h, %b : tensor<5x8xf16>, tensor<40x8xf16>) outs(%y1 : tensor<5x40xf32>) -> tensor<5x40xf32>
  %e = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]} ins(%e32 : tensor<5x40xf32>) outs(%yh : tensor<5x40xf16>) {
  ^bb0(%p: f32, %o: f16):
    %t = arith.truncf %p : f32 to f16
    %s = arith.mulf %t, %small : f16
    linalg.yield %s : f16
  } -> tensor<5x40xf16>
  // expected-remark @below {{[Missed] frit.lora_matmul | Category:frit-raise | Function=overflow | Reason="needs fidelity=fast: a power of two is moved across a rounding, and is the same there only where nothing overflows or is subnormal"}}
  %y = linalg.add ins(%base, %e : tensor<5x40xf16>, tensor<5x40xf16>) outs(%yh : tensor<5x40xf16>) -> tensor<5x40xf16>
  return %y : tensor<5x40xf16>
}

// -----

#m = affine_map<(i, j) -> (i, j)>
#x = affine_map<(m, n, k) -> (m, k)>
#w = affine_map<(m, n, k) -> (n, k)>
#y = affine_map<(m, n, k) -> (m, n)>

// A product of subnormal numbers is 0, whatever it is multiplied by.
// CHECK-LABEL: func @underflow
// CHECK: frit.lora_matmul
// CHECK-NOT: scale =
// CHECK: return
func.func @underflow(%x: tensor<5x96xf32>, %w: tensor<40x96xf32>, %a: tensor<8x96xf32>, %b: tensor<40x8xf32>) -> tensor<5x40xf32> {
  %z = arith.constant 0.0 : f32
  %y0 = tensor.empty() : tensor<5x40xf32>
  %y1 = linalg.fill ins(%z : f32) outs(%y0 : tensor<5x40xf32>) -> tensor<5x40xf32>
  %h0 = tensor.empty() : tensor<5x8xf32>
  %h1 = linalg.fill ins(%z : f32) outs(%h0 : tensor<5x8xf32>) -> tensor<5x8xf32>
  %base = linalg.matmul indexing_maps = [#x, #w, #y] ins(%x, %w : tensor<5x96xf32>, tensor<40x96xf32>) outs(%y1 : tensor<5x40xf32>) -> tensor<5x40xf32>
  %h = linalg.matmul indexing_maps = [#x, #w, #y] ins(%x, %a : tensor<5x96xf32>, tensor<8x96xf32>) outs(%h1 : tensor<5x8xf32>) -> tensor<5x8xf32>
  %e = linalg.matmul indexing_maps = [#x, #w, #y] ins(%h, %b : tensor<5x8xf32>, tensor<40x8xf32>) outs(%y1 : tensor<5x40xf32>) -> tensor<5x40xf32>
  // expected-remark @below {{[Missed] frit.lora_matmul | Category:frit-raise | Function=underflow | Reason="needs fidelity=fast: a power of two is moved across a rounding, and is the same there only where nothing overflows or is subnormal"}}
  %y = linalg.generic {indexing_maps = [#m, #m, #m], iterator_types = ["parallel", "parallel"]} ins(%base, %e : tensor<5x40xf32>, tensor<5x40xf32>) outs(%y0 : tensor<5x40xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %small = arith.constant 5.877471754111438e-39 : f32
    %large = arith.constant 1.7014118346046923e+38 : f32
    %0 = arith.mulf %q, %small : f32
    %1 = arith.mulf %0, %small : f32
    %2 = arith.mulf %1, %large : f32
    %3 = arith.mulf %2, %large : f32
    %t = arith.addf %p, %3 : f32
    linalg.yield %t : f32
  } -> tensor<5x40xf32>
  return %y : tensor<5x40xf32>
}

// -----

#m = affine_map<(i, j) -> (i, j)>
#x = affine_map<(m, n, k) -> (m, k)>
#w = affine_map<(m, n, k) -> (n, k)>
#y = affine_map<(m, n, k) -> (m, n)>

// h has numbers that f32 does not have.
// CHECK-LABEL: func @wide_branch
// CHECK-NOT: frit.lora_matmul
// CHECK: return
func.func @wide_branch(%x: tensor<5x96xf32>, %w: tensor<40x96xf32>, %a: tensor<8x96xf32>, %b: tensor<40x8xf32>) -> tensor<5x40xf32> {
  %z = arith.constant 0.0 : f32
  %zd = arith.constant 0.0 : f64
  %y0 = tensor.empty() : tensor<5x40xf32>
  %y1 = linalg.fill ins(%z : f32) outs(%y0 : tensor<5x40xf32>) -> tensor<5x40xf32>
  %yd0 = tensor.empty() : tensor<5x40xf64>
  %yd1 = linalg.fill ins(%zd : f64) outs(%yd0 : tensor<5x40xf64>) -> tensor<5x40xf64>
  %h0 = tensor.empty() : tensor<5x8xf64>
  %h1 = linalg.fill ins(%zd : f64) outs(%h0 : tensor<5x8xf64>) -> tensor<5x8xf64>
  %base = linalg.matmul indexing_maps = [#x, #w, #y] ins(%x, %w : tensor<5x96xf32>, tensor<40x96xf32>) outs(%y1 : tensor<5x40xf32>) -> tensor<5x40xf32>
  %h = linalg.matmul indexing_maps = [#x, #w, #y] ins(%x, %a : tensor<5x96xf32>, tensor<8x96xf32>) outs(%h1 : tensor<5x8xf64>) -> tensor<5x8xf64>
  %e = linalg.matmul indexing_maps = [#x, #w, #y] ins(%h, %b : tensor<5x8xf64>, tensor<40x8xf32>) outs(%yd1 : tensor<5x40xf64>) -> tensor<5x40xf64>
  // expected-remark @below {{[Missed] frit.lora_matmul | Category:frit-raise | Function=wide_branch | Reason="the branch is computed in f64, and by the op in f32"}}
  %y = linalg.generic {indexing_maps = [#m, #m, #m], iterator_types = ["parallel", "parallel"]} ins(%base, %e : tensor<5x40xf32>, tensor<5x40xf64>) outs(%y0 : tensor<5x40xf32>) {
  ^bb0(%p: f32, %q: f64, %o: f32):
    %pd = arith.extf %p : f32 to f64
    %s = arith.addf %pd, %q : f64
    %t = arith.truncf %s : f64 to f32
    linalg.yield %t : f32
  } -> tensor<5x40xf32>
  return %y : tensor<5x40xf32>
}

// -----

#m = affine_map<(i, j) -> (i, j)>
#x = affine_map<(m, n, k) -> (m, k)>
#w = affine_map<(m, n, k) -> (n, k)>
#y = affine_map<(m, n, k) -> (m, n)>

// Sums in f64 that are rounded to f32 are sums in another order.
// CHECK-LABEL: func @wide_sums
// CHECK: frit.lora_matmul
func.func @wide_sums(%x: tensor<5x96xf32>, %w: tensor<40x96xf32>, %a: tensor<8x96xf32>, %b: tensor<40x8xf32>) -> tensor<5x40xf32> {
  %z = arith.constant 0.0 : f32
  %zd = arith.constant 0.0 : f64
  %y0 = tensor.empty() : tensor<5x40xf32>
  %y1 = linalg.fill ins(%z : f32) outs(%y0 : tensor<5x40xf32>) -> tensor<5x40xf32>
  %h0 = tensor.empty() : tensor<5x8xf64>
  %h1 = linalg.fill ins(%zd : f64) outs(%h0 : tensor<5x8xf64>) -> tensor<5x8xf64>
  %h32 = tensor.empty() : tensor<5x8xf32>
  %base = linalg.matmul indexing_maps = [#x, #w, #y] ins(%x, %w : tensor<5x96xf32>, tensor<40x96xf32>) outs(%y1 : tensor<5x40xf32>) -> tensor<5x40xf32>
  %hd = linalg.matmul indexing_maps = [#x, #w, #y] ins(%x, %a : tensor<5x96xf32>, tensor<8x96xf32>) outs(%h1 : tensor<5x8xf64>) -> tensor<5x8xf64>
  %h = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]} ins(%hd : tensor<5x8xf64>) outs(%h32 : tensor<5x8xf32>) {
  ^bb0(%p: f64, %o: f32):
    %t = arith.truncf %p : f64 to f32
    linalg.yield %t : f32
  } -> tensor<5x8xf32>
  %e = linalg.matmul indexing_maps = [#x, #w, #y] ins(%h, %b : tensor<5x8xf32>, tensor<40x8xf32>) outs(%y1 : tensor<5x40xf32>) -> tensor<5x40xf32>
  // expected-remark @below {{[Passed] frit.lora_matmul | Category:frit-raise | Function=wide_sums | Remark="raised at fidelity=exact"}}
  %y = linalg.add ins(%base, %e : tensor<5x40xf32>, tensor<5x40xf32>) outs(%y0 : tensor<5x40xf32>) -> tensor<5x40xf32>
  return %y : tensor<5x40xf32>
}

// -----

#m = affine_map<(i, j) -> (i, j)>
#x = affine_map<(m, n, k) -> (m, k)>
#w = affine_map<(m, n, k) -> (n, k)>
#y = affine_map<(m, n, k) -> (m, n)>

// A matmul that starts from ones is more than a product of matrices.
// CHECK-LABEL: func @from_ones
// CHECK-NOT: frit.lora_matmul
// CHECK: return
func.func @from_ones(%x: tensor<5x96xf32>, %w: tensor<40x96xf32>, %a: tensor<8x96xf32>, %b: tensor<40x8xf32>) -> tensor<5x40xf32> {
  %z = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %y0 = tensor.empty() : tensor<5x40xf32>
  %y1 = linalg.fill ins(%z : f32) outs(%y0 : tensor<5x40xf32>) -> tensor<5x40xf32>
  %h0 = tensor.empty() : tensor<5x8xf32>
  %h1 = linalg.fill ins(%one : f32) outs(%h0 : tensor<5x8xf32>) -> tensor<5x8xf32>
  %base = linalg.matmul indexing_maps = [#x, #w, #y] ins(%x, %w : tensor<5x96xf32>, tensor<40x96xf32>) outs(%y1 : tensor<5x40xf32>) -> tensor<5x40xf32>
  %h = linalg.matmul indexing_maps = [#x, #w, #y] ins(%x, %a : tensor<5x96xf32>, tensor<8x96xf32>) outs(%h1 : tensor<5x8xf32>) -> tensor<5x8xf32>
  %e = linalg.matmul indexing_maps = [#x, #w, #y] ins(%h, %b : tensor<5x8xf32>, tensor<40x8xf32>) outs(%y1 : tensor<5x40xf32>) -> tensor<5x40xf32>
  // expected-remark @below {{[Missed] frit.lora_matmul | Category:frit-raise | Function=from_ones | Reason="a matmul of the branch starts from what is not 0"}}
  %y = linalg.add ins(%base, %e : tensor<5x40xf32>, tensor<5x40xf32>) outs(%y0 : tensor<5x40xf32>) -> tensor<5x40xf32>
  return %y : tensor<5x40xf32>
}

// -----

#x = affine_map<(m, n, k) -> (m, k)>
#w = affine_map<(m, n, k) -> (n, k)>
#wt = affine_map<(m, n, k) -> (k, n)>
#y = affine_map<(m, n, k) -> (m, n)>

// Weights of one number, and a vector that is stored as a column.
// CHECK-LABEL: func @unit_axes
// CHECK: frit.lora_matmul {{.*}} weights(%{{.*}}, %{{.*}} : tensor<1x1x1xf32>, tensor<1x40x1xf32>)
// CHECK: frit.lora_matmul {{.*}} weights(%{{.*}}, %{{.*}} : tensor<1x1x96xf32>, tensor<1x40x1xf32>)
func.func @unit_axes(%x: tensor<5x1xf32>, %w: tensor<40x1xf32>, %a: tensor<1x1xf32>, %b: tensor<40x1xf32>,
                     %v: tensor<5x96xf32>, %u: tensor<40x96xf32>, %column: tensor<96x1xf32>) -> (tensor<5x40xf32>, tensor<5x40xf32>) {
  %z = arith.constant 0.0 : f32
  %y0 = tensor.empty() : tensor<5x40xf32>
  %y1 = linalg.fill ins(%z : f32) outs(%y0 : tensor<5x40xf32>) -> tensor<5x40xf32>
  %h0 = tensor.empty() : tensor<5x1xf32>
  %h1 = linalg.fill ins(%z : f32) outs(%h0 : tensor<5x1xf32>) -> tensor<5x1xf32>
  %base = linalg.matmul indexing_maps = [#x, #w, #y] ins(%x, %w : tensor<5x1xf32>, tensor<40x1xf32>) outs(%y1 : tensor<5x40xf32>) -> tensor<5x40xf32>
  %h = linalg.matmul indexing_maps = [#x, #w, #y] ins(%x, %a : tensor<5x1xf32>, tensor<1x1xf32>) outs(%h1 : tensor<5x1xf32>) -> tensor<5x1xf32>
  %e = linalg.matmul indexing_maps = [#x, #w, #y] ins(%h, %b : tensor<5x1xf32>, tensor<40x1xf32>) outs(%y1 : tensor<5x40xf32>) -> tensor<5x40xf32>
  // expected-remark @below {{[Passed] frit.lora_matmul | Category:frit-raise | Function=unit_axes | Remark="raised at fidelity=exact"}}
  %r = linalg.add ins(%base, %e : tensor<5x40xf32>, tensor<5x40xf32>) outs(%y0 : tensor<5x40xf32>) -> tensor<5x40xf32>
  %layer = linalg.matmul indexing_maps = [#x, #w, #y] ins(%v, %u : tensor<5x96xf32>, tensor<40x96xf32>) outs(%y1 : tensor<5x40xf32>) -> tensor<5x40xf32>
  %k = linalg.matmul indexing_maps = [#x, #wt, #y] ins(%v, %column : tensor<5x96xf32>, tensor<96x1xf32>) outs(%h1 : tensor<5x1xf32>) -> tensor<5x1xf32>
  %l = linalg.matmul indexing_maps = [#x, #w, #y] ins(%k, %b : tensor<5x1xf32>, tensor<40x1xf32>) outs(%y1 : tensor<5x40xf32>) -> tensor<5x40xf32>
  // expected-remark @below {{[Passed] frit.lora_matmul | Category:frit-raise | Function=unit_axes | Remark="raised at fidelity=exact"}}
  %s = linalg.add ins(%layer, %l : tensor<5x40xf32>, tensor<5x40xf32>) outs(%y0 : tensor<5x40xf32>) -> tensor<5x40xf32>
  return %r, %s : tensor<5x40xf32>, tensor<5x40xf32>
}
