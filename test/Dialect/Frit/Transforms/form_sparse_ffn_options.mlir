// RUN: frit-test-opt %s --verify-diagnostics --remarks-filter='frit-form-sparse-ffn' --pass-pipeline='builtin.module(frit-form-sparse-ffn)'
// RUN: frit-test-opt %s --remarks-filter='frit-form-sparse-ffn' --pass-pipeline='builtin.module(frit-form-sparse-ffn{assume-finite-weights target=cuda:sm_90a})' 2>&1 | FileCheck %s --check-prefix=CUDA
// RUN: frit-test-opt %s --remarks-filter='frit-form-sparse-ffn' --pass-pipeline='builtin.module(frit-form-sparse-ffn{assume-finite-weights policy=require=library})' 2>&1 | FileCheck %s --check-prefix=POLICY
// RUN: frit-test-opt %s --remarks-filter='frit-form-sparse-ffn' --pass-pipeline='builtin.module(frit-form-sparse-ffn{assume-finite-weights policy=batch-invariant})' 2>&1 | FileCheck %s --check-prefix=INVARIANT
// RUN: not %frit_opt %s --pass-pipeline='builtin.module(frit-form-sparse-ffn{target=gpu})' 2>&1 | FileCheck %s
// UNSUPPORTED: plugin

// CUDA: Reason="the kernel 'native.linalg' has no estimate of its time"
// POLICY-NOT: error:
// POLICY: Reason="policy 'require=library' admits no kernel for the op on 'cpu'"

// INVARIANT: Reason="whether the op is faster depends on the number of tokens, which policy 'batch-invariant' does not allow"
// INVARIANT-NOT: frit.sparse_ffn

// CHECK: error: frit-form-sparse-ffn:
// CHECK-SAME: gpu

#id = affine_map<(i, j) -> (i, j)>

func.func @unknown(%x: tensor<1x2048xbf16>, %gate: tensor<16384x2048xbf16>, %up: tensor<16384x2048xbf16>, %down: tensor<2048x16384xbf16>) -> tensor<1x2048xbf16> {
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
  // expected-remark @below {{[Missed] sparse-ffn | Category:frit-form-sparse-ffn | Function=unknown | Reason="the weights of up are no constant, and not known to be finite; the option assume-finite-weights says that they are"}}
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
