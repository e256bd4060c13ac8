// RUN: %frit_opt %s --pass-pipeline='builtin.module(frit-form-sparse-ffn{assume-finite-weights})' | FileCheck %s

// A tensor that is added to the network's result, which is rounded before: the op adds it.

#id = affine_map<(i, j) -> (i, j)>
#id3 = affine_map<(i, j, k) -> (i, j, k)>

// Added in f32 and rounded, which is the sum of two bf16 rounded once.

// CHECK-LABEL: func @widened
// CHECK-SAME: %[[RES:[a-z0-9]+]]: tensor<2x64xbf16>)
// CHECK-NEXT: %[[Y:.*]] = frit.sparse_ffn ins(%{{.*}}) weights({{.*}}) outs(%[[RES]] : tensor<2x64xbf16>) std_multiplier = 1.500000e+00 down_layout = dh accumulate = true
// CHECK-NEXT: return %[[Y]]
func.func @widened(%x: tensor<2x64xbf16>, %wg: tensor<256x64xbf16>, %wu: tensor<256x64xbf16>, %wd: tensor<256x64xbf16>, %e: tensor<2x256xbf16>, %y: tensor<2x64xbf16>, %res: tensor<2x64xbf16>) -> tensor<2x64xbf16> {
  %g = frit.matmul ins(%x, %wg : tensor<2x64xbf16>, tensor<256x64xbf16>) outs(%e : tensor<2x256xbf16>) transpose_b -> tensor<2x256xbf16>
  %u = frit.matmul ins(%x, %wu : tensor<2x64xbf16>, tensor<256x64xbf16>) outs(%e : tensor<2x256xbf16>) transpose_b -> tensor<2x256xbf16>
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

// Behind the LoRA of down, and on the other side.

// CHECK-LABEL: func @behind_lora
// CHECK-SAME: %[[RES:[a-z0-9]+]]: tensor<2x64xf32>)
// CHECK-NEXT: %[[Y:.*]] = frit.sparse_ffn {{.*}} down_lora({{.*}}) outs(%[[RES]] : tensor<2x64xf32>) {{.*}} accumulate = true
// CHECK-NEXT: return %[[Y]]
func.func @behind_lora(%x: tensor<2x64xf32>, %wg: tensor<256x64xf32>, %wu: tensor<256x64xf32>, %wd: tensor<256x64xf32>, %e: tensor<2x256xf32>, %y: tensor<2x64xf32>, %ids: tensor<2xi32>, %a: tensor<3x4x256xf32>, %b: tensor<3x64x4xf32>, %res: tensor<2x64xf32>) -> tensor<2x64xf32> {
  %g = frit.matmul ins(%x, %wg : tensor<2x64xf32>, tensor<256x64xf32>) outs(%e : tensor<2x256xf32>) transpose_b -> tensor<2x256xf32>
  %u = frit.matmul ins(%x, %wu : tensor<2x64xf32>, tensor<256x64xf32>) outs(%e : tensor<2x256xf32>) transpose_b -> tensor<2x256xf32>
  %h = frit.gelu_and_mul_sparse ins(%g, %u : tensor<2x256xf32>, tensor<2x256xf32>) outs(%e : tensor<2x256xf32>) std_multiplier = 1.5 -> tensor<2x256xf32>
  %b0 = frit.matmul ins(%h, %wd : tensor<2x256xf32>, tensor<256x64xf32>) outs(%y : tensor<2x64xf32>) -> tensor<2x64xf32>
  %d = frit.lora_matmul ins(%h, %ids : tensor<2x256xf32>, tensor<2xi32>) weights(%a, %b : tensor<3x4x256xf32>, tensor<3x64x4xf32>) outs(%b0 : tensor<2x64xf32>) -> tensor<2x64xf32>
  %s = linalg.add ins(%res, %d : tensor<2x64xf32>, tensor<2x64xf32>) outs(%y : tensor<2x64xf32>) -> tensor<2x64xf32>
  return %s : tensor<2x64xf32>
}

// In f32 the order of a sum is free, so that a matmul may have it already.

// CHECK-LABEL: func @accumulated
// CHECK-SAME: %[[RES:[a-z0-9]+]]: tensor<2x64xf32>)
// CHECK-NEXT: %[[Y:.*]] = frit.sparse_ffn {{.*}} outs(%[[RES]] : tensor<2x64xf32>) {{.*}} accumulate = true
// CHECK-NEXT: return %[[Y]]
func.func @accumulated(%x: tensor<2x64xf32>, %wg: tensor<256x64xf32>, %wu: tensor<256x64xf32>, %wd: tensor<256x64xf32>, %e: tensor<2x256xf32>, %y: tensor<2x64xf32>, %res: tensor<2x64xf32>) -> tensor<2x64xf32> {
  %g = frit.matmul ins(%x, %wg : tensor<2x64xf32>, tensor<256x64xf32>) outs(%e : tensor<2x256xf32>) transpose_b -> tensor<2x256xf32>
  %u = frit.matmul ins(%x, %wu : tensor<2x64xf32>, tensor<256x64xf32>) outs(%e : tensor<2x256xf32>) transpose_b -> tensor<2x256xf32>
  %h = frit.gelu_and_mul_sparse ins(%g, %u : tensor<2x256xf32>, tensor<2x256xf32>) outs(%e : tensor<2x256xf32>) std_multiplier = 1.5 -> tensor<2x256xf32>
  %d = frit.matmul ins(%h, %wd : tensor<2x256xf32>, tensor<256x64xf32>) outs(%res : tensor<2x64xf32>) accumulate -> tensor<2x64xf32>
  return %d : tensor<2x64xf32>
}

// CHECK-LABEL: func @accumulated_linalg
// CHECK-SAME: %[[RES:[a-z0-9]+]]: tensor<2x64xf32>)
// CHECK-NEXT: %[[Y:.*]] = frit.sparse_ffn {{.*}} outs(%[[RES]] : tensor<2x64xf32>) {{.*}} accumulate = true
// CHECK-NEXT: return %[[Y]]
func.func @accumulated_linalg(%x: tensor<2x64xf32>, %wg: tensor<256x64xf32>, %wu: tensor<256x64xf32>, %wd: tensor<256x64xf32>, %e: tensor<2x256xf32>, %y: tensor<2x64xf32>, %res: tensor<2x64xf32>) -> tensor<2x64xf32> {
  %g = frit.matmul ins(%x, %wg : tensor<2x64xf32>, tensor<256x64xf32>) outs(%e : tensor<2x256xf32>) transpose_b -> tensor<2x256xf32>
  %u = frit.matmul ins(%x, %wu : tensor<2x64xf32>, tensor<256x64xf32>) outs(%e : tensor<2x256xf32>) transpose_b -> tensor<2x256xf32>
  %h = frit.gelu_and_mul_sparse ins(%g, %u : tensor<2x256xf32>, tensor<2x256xf32>) outs(%e : tensor<2x256xf32>) std_multiplier = 1.5 -> tensor<2x256xf32>
  %d = linalg.matmul ins(%h, %wd : tensor<2x256xf32>, tensor<256x64xf32>) outs(%res : tensor<2x64xf32>) -> tensor<2x64xf32>
  return %d : tensor<2x64xf32>
}

// Tokens in two dimensions, and an unknown number of them: both branches add. Who asks for a size inside of the chain does
// not keep it.

// CHECK-LABEL: func @reshaped
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<?x64xbf16>, {{.*}}, %[[OUT:[a-z0-9]+]]: tensor<?x64xbf16>, %[[RES:[a-z0-9]+]]: tensor<?x3x64xbf16>, %[[N:[a-z0-9]+]]: index)
// CHECK-NOT: frit.matmul
// CHECK: %[[ROWS:.*]] = tensor.dim %[[OUT]]
// CHECK: %[[Y:.*]] = scf.if
// CHECK: %[[FLAT:.*]] = tensor.collapse_shape %[[RES]] {{.*}} : tensor<?x3x64xbf16> into tensor<?x64xbf16>
// CHECK: %[[S:.*]] = frit.sparse_ffn {{.*}} outs(%[[FLAT]] : tensor<?x64xbf16>) {{.*}} accumulate = true
// CHECK: %[[S3:.*]] = tensor.expand_shape %[[S]] {{.*}} output_shape [%[[N]], 3, 64]
// CHECK: scf.yield %[[S3]]
// CHECK: else
// CHECK: frit.gelu_and_mul_sparse
// CHECK: frit.matmul
// CHECK: tensor.expand_shape
// CHECK: %[[A:.*]] = linalg.add
// CHECK: scf.yield %[[A]]
// CHECK: return %[[Y]], %[[ROWS]], %[[N]]
func.func @reshaped(%x: tensor<?x64xbf16>, %wg: tensor<256x64xbf16>, %wu: tensor<256x64xbf16>, %wd: tensor<256x64xbf16>, %e: tensor<?x256xbf16>, %y: tensor<?x64xbf16>, %res: tensor<?x3x64xbf16>, %n: index) -> (tensor<?x3x64xbf16>, index, index) {
  %g = frit.matmul ins(%x, %wg : tensor<?x64xbf16>, tensor<256x64xbf16>) outs(%e : tensor<?x256xbf16>) transpose_b -> tensor<?x256xbf16>
  %u = frit.matmul ins(%x, %wu : tensor<?x64xbf16>, tensor<256x64xbf16>) outs(%e : tensor<?x256xbf16>) transpose_b -> tensor<?x256xbf16>
  %h = frit.gelu_and_mul_sparse ins(%g, %u : tensor<?x256xbf16>, tensor<?x256xbf16>) outs(%e : tensor<?x256xbf16>) std_multiplier = 1.5 -> tensor<?x256xbf16>
  %d = frit.matmul ins(%h, %wd : tensor<?x256xbf16>, tensor<256x64xbf16>) outs(%y : tensor<?x64xbf16>) -> tensor<?x64xbf16>
  %c0 = arith.constant 0 : index
  %rows = tensor.dim %d, %c0 : tensor<?x64xbf16>
  %d3 = tensor.expand_shape %d [[0, 1], [2]] output_shape [%n, 3, 64] : tensor<?x64xbf16> into tensor<?x3x64xbf16>
  %first = tensor.dim %d3, %c0 : tensor<?x3x64xbf16>
  %o = tensor.empty(%n) : tensor<?x3x64xbf16>
  %s = linalg.add ins(%d3, %res : tensor<?x3x64xbf16>, tensor<?x3x64xbf16>) outs(%o : tensor<?x3x64xbf16>) -> tensor<?x3x64xbf16>
  return %s, %rows, %first : tensor<?x3x64xbf16>, index, index
}
