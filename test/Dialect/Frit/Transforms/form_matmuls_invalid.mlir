// What is no frit.matmul stays, and a remark says why; bad options are errors.
// RUN: %frit_opt %s --verify-diagnostics --remarks-filter=frit-form-matmuls --pass-pipeline='builtin.module(frit-form-matmuls{target=cuda:sm_90a})' -o %t
// RUN: not grep frit.matmul %t
// RUN: not %frit_opt %s --pass-pipeline='builtin.module(frit-form-matmuls{target=gpu})' 2>&1 | FileCheck %s --check-prefix=TARGET
// TARGET: error: frit-form-matmuls: {{.*}}'gpu'
// RUN: not %frit_opt %s --pass-pipeline='builtin.module(frit-form-matmuls{policy=best})' 2>&1 | FileCheck %s --check-prefix=POLICY
// POLICY: error: frit-form-matmuls: unknown policy 'best'

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#y = affine_map<(m, n, k) -> (m, n)>

func.func @narrow_sum(%a: tensor<4x8xbf16>, %b: tensor<8x16xbf16>, %y: tensor<4x16xbf16>) -> tensor<4x16xbf16> {
  // expected-remark@below {{[Missed] matmul | Category:frit-form-matmuls | Function=narrow_sum | Reason="it sums in bf16, which rounds every term, not in f32"}}
  %0 = linalg.matmul ins(%a, %b : tensor<4x8xbf16>, tensor<8x16xbf16>) outs(%y : tensor<4x16xbf16>) -> tensor<4x16xbf16>
  return %0 : tensor<4x16xbf16>
}

func.func @narrow_products(%a: tensor<4x8xf16>, %b: tensor<8x16xf16>, %y: tensor<4x16xf32>) -> tensor<4x16xf32> {
  // expected-remark@below {{it rounds its products to f16}}
  %0 = linalg.generic {indexing_maps = [#a, #b, #y], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<4x8xf16>, tensor<8x16xf16>) outs(%y : tensor<4x16xf32>) {
  ^bb0(%x: f16, %w: f16, %o: f32):
    %p = arith.mulf %x, %w : f16
    %q = arith.extf %p : f16 to f32
    %s = arith.addf %o, %q : f32
    linalg.yield %s : f32
  } -> tensor<4x16xf32>
  return %0 : tensor<4x16xf32>
}

func.func @mixed(%a: tensor<4x8xbf16>, %b: tensor<8x16xf32>, %y: tensor<4x16xf32>) -> tensor<4x16xf32> {
  // expected-remark@below {{it multiplies bf16 by f32}}
  %0 = linalg.matmul ins(%a, %b : tensor<4x8xbf16>, tensor<8x16xf32>) outs(%y : tensor<4x16xf32>) -> tensor<4x16xf32>
  return %0 : tensor<4x16xf32>
}

// A batch in the middle, and a sum over a diagonal.
func.func @order(%a: tensor<4x2x8xf32>, %b: tensor<2x8x16xf32>, %y: tensor<2x4x16xf32>) -> tensor<2x4x16xf32> {
  // expected-remark@below {{it reads or writes its operands in an order of dimensions that is no matmul's}}
  %0 = linalg.generic {indexing_maps = [affine_map<(b, m, n, k) -> (m, b, k)>, affine_map<(b, m, n, k) -> (b, k, n)>, affine_map<(b, m, n, k) -> (b, m, n)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%a, %b : tensor<4x2x8xf32>, tensor<2x8x16xf32>) outs(%y : tensor<2x4x16xf32>) {
  ^bb0(%x: f32, %w: f32, %o: f32):
    %p = arith.mulf %x, %w : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<2x4x16xf32>
  return %0 : tensor<2x4x16xf32>
}

func.func @diagonal(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  // expected-remark@below {{it reads or writes its operands in an order of dimensions that is no matmul's}}
  %0 = linalg.generic {indexing_maps = [affine_map<(m, k) -> (m, k)>, affine_map<(m, k) -> (m, k)>, affine_map<(m, k) -> (m)>],
      iterator_types = ["parallel", "reduction"]} ins(%a, %b : tensor<4x8xf32>, tensor<4x8xf32>) outs(%y : tensor<4xf32>) {
  ^bb0(%x: f32, %w: f32, %o: f32):
    %p = arith.mulf %x, %w : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

func.func @device_code(%a: tensor<4x8xf32>, %b: tensor<8x16xf32>, %y: tensor<4x16xf32>) -> tensor<4x16xf32> {
  %0 = scf.forall (%i) in (2) shared_outs(%o = %y) -> (tensor<4x16xf32>) {
    %row = affine.apply affine_map<(i) -> (2 * i)>(%i)
    %ar = tensor.extract_slice %a[%row, 0] [2, 8] [1, 1] : tensor<4x8xf32> to tensor<2x8xf32>
    %or = tensor.extract_slice %o[%row, 0] [2, 16] [1, 1] : tensor<4x16xf32> to tensor<2x16xf32>
    // expected-remark@below {{it is in code of the device}}
    %p = linalg.matmul ins(%ar, %b : tensor<2x8xf32>, tensor<8x16xf32>) outs(%or : tensor<2x16xf32>) -> tensor<2x16xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %p into %o[%row, 0] [2, 16] [1, 1] : tensor<2x16xf32> into tensor<4x16xf32>
    }
  }
  return %0 : tensor<4x16xf32>
}
