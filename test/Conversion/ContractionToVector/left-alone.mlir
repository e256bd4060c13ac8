// RUN: %frit_opt %s --pass-pipeline='builtin.module(convert-contraction-to-vector)' --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s

// What sums in a narrow type rounds after every step: its order counts.
// CHECK-LABEL: func.func @narrow_sum(
// CHECK:         linalg.matmul
func.func @narrow_sum(%lhs: memref<4x4xbf16>, %rhs: memref<4x4xbf16>, %out: memref<4x4xbf16>) {
  linalg.matmul ins(%lhs, %rhs : memref<4x4xbf16>, memref<4x4xbf16>) outs(%out : memref<4x4xbf16>)
  return
}

// Integers.
// CHECK-LABEL: func.func @integers(
// CHECK:         linalg.matmul
func.func @integers(%lhs: memref<4x4xi32>, %rhs: memref<4x4xi32>, %out: memref<4x4xi32>) {
  linalg.matmul ins(%lhs, %rhs : memref<4x4xi32>, memref<4x4xi32>) outs(%out : memref<4x4xi32>)
  return
}

// An output that is not contiguous.
// CHECK-LABEL: func.func @strided_output(
// CHECK:         linalg.matmul
func.func @strided_output(%lhs: memref<4x4xf32>, %rhs: memref<4x4xf32>, %out: memref<4x4xf32, strided<[16, 2]>>) {
  linalg.matmul ins(%lhs, %rhs : memref<4x4xf32>, memref<4x4xf32>) outs(%out : memref<4x4xf32, strided<[16, 2]>>)
  return
}

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>

// More than a product in the body.
// CHECK-LABEL: func.func @other_body(
// CHECK:         linalg.generic
func.func @other_body(%lhs: memref<4x4xf32>, %rhs: memref<4x4xf32>, %out: memref<4x4xf32>) {
  linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%lhs, %rhs : memref<4x4xf32>, memref<4x4xf32>) outs(%out : memref<4x4xf32>) {
  ^bb0(%l: f32, %r: f32, %o: f32):
    %d = arith.subf %l, %r : f32
    %p = arith.mulf %d, %r : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  }
  return
}

// A product that rounds before it is added.
// CHECK-LABEL: func.func @rounded_product(
// CHECK:         linalg.generic
func.func @rounded_product(%lhs: memref<4x4xbf16>, %rhs: memref<4x4xbf16>, %out: memref<4x4xf32>) {
  linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%lhs, %rhs : memref<4x4xbf16>, memref<4x4xbf16>) outs(%out : memref<4x4xf32>) {
  ^bb0(%l: bf16, %r: bf16, %o: f32):
    %p = arith.mulf %l, %r : bf16
    %w = arith.extf %p : bf16 to f32
    %s = arith.addf %o, %w : f32
    linalg.yield %s : f32
  }
  return
}

// Code of a Frit op whose every rounding counts.
// CHECK-LABEL: func.func @strict(
// CHECK:         linalg.generic
func.func @strict(%lhs: memref<4x4xf32>, %rhs: memref<4x4xf32>, %out: memref<4x4xf32>) {
  linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%lhs, %rhs : memref<4x4xf32>, memref<4x4xf32>) outs(%out : memref<4x4xf32>) {
  ^bb0(%l: f32, %r: f32, %o: f32):
    %p = arith.mulf %l, %r : f32
    %s = arith.addf %o, %p : f32 loc(fused<#frit.origin<"frit.lora_matmul", strict>>["op"])
    linalg.yield %s : f32
  }
  return
}
