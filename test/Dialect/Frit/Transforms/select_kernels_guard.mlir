// RUN: frit-test-opt %s --verify-roundtrip --pass-pipeline='builtin.module(frit-select-kernels,frit-select-kernels)' | FileCheck %s
// UNSUPPORTED: plugin

// What depends on a size at run time is guarded, once for each candidate, and
// requirements on one size are joined. A second run changes nothing.

// CHECK-LABEL: func @chain
// CHECK-SAME: (%[[X:.*]]: tensor<?x?xbf16>, %[[Y:.*]]: tensor<?x?xbf16>)
func.func @chain(%x: tensor<?x?xbf16>, %y: tensor<?x?xbf16>) -> tensor<?x?xbf16> {
  // CHECK: %[[T:.*]] = tensor.dim %[[Y]], %{{.*}} : tensor<?x?xbf16>
  // CHECK: %[[C16:.*]] = arith.constant 16 : index
  // CHECK: %[[FEW:.*]] = arith.cmpi sle, %[[T]], %[[C16]] : index
  // CHECK: %[[R:.*]] = scf.if %[[FEW]] -> (tensor<?x?xbf16>) {
  // CHECK:   %[[A:.*]] = frit.act_and_mul silu {{.*}} {frit.kernel = #frit.kernel<"test.few_tokens">}
  // CHECK:   scf.yield %[[A]]
  // CHECK: } else {
  // CHECK:   %[[D:.*]] = tensor.dim %[[Y]], %{{.*}} : tensor<?x?xbf16>
  // CHECK:   arith.constant 16 : index
  // CHECK:   %[[REM:.*]] = arith.remui %[[D]], %{{.*}} : index
  // CHECK:   %[[MULTIPLE:.*]] = arith.cmpi eq, %[[REM]], %{{.*}} : index
  // CHECK-NOT: arith.remui
  // CHECK:   %[[MIN:.*]] = arith.cmpi sge, %{{.*}}, %{{.*}} : index
  // CHECK:   %[[BOTH:.*]] = arith.andi %[[MULTIPLE]], %[[MIN]] : i1
  // CHECK:   %[[INNER:.*]] = scf.if %[[BOTH]] -> (tensor<?x?xbf16>) {
  // CHECK:     {frit.kernel = #frit.kernel<"test.wide">}
  // CHECK:   } else {
  // CHECK:     {frit.kernel = #frit.kernel<"native.vector">}
  // CHECK:   }
  // CHECK:   scf.yield %[[INNER]]
  // CHECK: }
  // CHECK-NOT: scf.if
  // CHECK: return %[[R]]
  %0 = frit.act_and_mul silu ins(%x : tensor<?x?xbf16>) outs(%y : tensor<?x?xbf16>) -> tensor<?x?xbf16>
  return %0 : tensor<?x?xbf16>
}

// Leading dimensions are tokens together.

// CHECK-LABEL: func @leading
// CHECK: %[[B:.*]] = tensor.dim
// CHECK: %[[S:.*]] = tensor.dim
// CHECK: %[[P:.*]] = arith.muli %[[B]], %[[S]]
// CHECK: %[[T:.*]] = arith.muli %[[P]], %{{.*}} : index
// CHECK: arith.cmpi sle, %[[T]]
func.func @leading(%x: tensor<?x2x?x40xbf16>, %y: tensor<?x2x?x20xbf16>) -> tensor<?x2x?x20xbf16> {
  %0 = frit.act_and_mul silu ins(%x : tensor<?x2x?x40xbf16>) outs(%y : tensor<?x2x?x20xbf16>) -> tensor<?x2x?x20xbf16>
  return %0 : tensor<?x2x?x20xbf16>
}

// Value bounds answer without a guard: both ways, and multiples as well.

// CHECK-LABEL: func @bounded
// CHECK-NOT: scf.if
// CHECK: {frit.kernel = #frit.kernel<"test.few_tokens">}
// CHECK-NOT: scf.if
// CHECK: {frit.kernel = #frit.kernel<"test.wide">}
// CHECK: return
func.func @bounded(%x: tensor<64x128xbf16>, %n: index) -> (tensor<?x64xbf16>, tensor<17x?xbf16>) {
  %few = affine.min affine_map<(d0) -> (d0, 12)>(%n)
  %slice = tensor.extract_slice %x[0, 0] [%few, 128] [1, 1] : tensor<64x128xbf16> to tensor<?x128xbf16>
  %y = tensor.empty(%few) : tensor<?x64xbf16>
  %0 = frit.act_and_mul silu ins(%slice : tensor<?x128xbf16>) outs(%y : tensor<?x64xbf16>) -> tensor<?x64xbf16>
  %blocks = affine.max affine_map<(d0) -> (d0, 2)>(%n)
  %d = affine.apply affine_map<(d0) -> (d0 * 32)>(%blocks)
  %packed = affine.apply affine_map<(d0) -> (d0 * 64)>(%blocks)
  %wx = tensor.empty(%packed) : tensor<17x?xbf16>
  %wy = tensor.empty(%d) : tensor<17x?xbf16>
  %1 = frit.act_and_mul silu ins(%wx : tensor<17x?xbf16>) outs(%wy : tensor<17x?xbf16>) -> tensor<17x?xbf16>
  return %0, %1 : tensor<?x64xbf16>, tensor<17x?xbf16>
}

// A product of sizes.

// CHECK-LABEL: func @product
// CHECK-SAME: %[[A:[a-z0-9]*]]: tensor<2x16x?xbf16>
// CHECK: %[[K:.*]] = tensor.dim %[[A]]
// CHECK: %[[KR:.*]] = arith.muli %[[K]], %{{.*}} : index
// CHECK: arith.cmpi sle, %[[KR]], %{{.*}} : index
// CHECK: scf.if
// CHECK: {frit.kernel = #frit.kernel<"test.resident">}
func.func @product(%a: tensor<2x16x?xbf16>, %x: tensor<4x?xbf16>, %ids: tensor<4xi32>, %b: tensor<2x32x16xbf16>, %y: tensor<4x32xbf16>) -> tensor<4x32xbf16> {
  %0 = frit.lora_matmul ins(%x, %ids : tensor<4x?xbf16>, tensor<4xi32>) weights(%a, %b : tensor<2x16x?xbf16>, tensor<2x32x16xbf16>) outs(%y : tensor<4x32xbf16>) -> tensor<4x32xbf16>
  return %0 : tensor<4x32xbf16>
}

// On buffers the guard yields nothing.

// CHECK-LABEL: func @buffers
// CHECK: memref.dim
// CHECK: scf.if %{{.*}} {
// CHECK:   {frit.kernel = #frit.kernel<"test.few_tokens">}
// CHECK: } else {
// CHECK:   {frit.kernel = #frit.kernel<"native.vector">}
// CHECK: }
func.func @buffers(%x: memref<?x40xbf16>, %y: memref<?x20xbf16>) {
  frit.act_and_mul silu ins(%x : memref<?x40xbf16>) outs(%y : memref<?x20xbf16>)
  return
}

// What selection fixes for an op is written beside the id.

// CHECK-LABEL: func @params
// CHECK: {frit.kernel = #frit.kernel<"test.tanh_only", {rows = 4 : i64}>}
func.func @params(%x: tensor<4x64xf32>, %y: tensor<4x32xf32>) -> tensor<4x32xf32> {
  %0 = frit.gelu_and_mul_sparse ins(%x : tensor<4x64xf32>) outs(%y : tensor<4x32xf32>) std_multiplier = 1.5 -> tensor<4x32xf32>
  return %0 : tensor<4x32xf32>
}

// An id alone stands for the same; what is written already stays.

// CHECK-LABEL: func @params_of_kept
// CHECK: {frit.kernel = #frit.kernel<"test.tanh_only", {rows = 4 : i64}>}
// CHECK: {frit.kernel = #frit.kernel<"test.tanh_only", {rows = 7 : i64}>}
func.func @params_of_kept(%x: tensor<4x64xf32>, %y: tensor<4x32xf32>) -> (tensor<4x32xf32>, tensor<4x32xf32>) {
  %0 = frit.gelu_and_mul_sparse ins(%x : tensor<4x64xf32>) outs(%y : tensor<4x32xf32>) std_multiplier = 1.5 {frit.kernel = #frit.kernel<"test.tanh_only">} -> tensor<4x32xf32>
  %1 = frit.gelu_and_mul_sparse ins(%x : tensor<4x64xf32>) outs(%y : tensor<4x32xf32>) std_multiplier = 1.5 {frit.kernel = #frit.kernel<"test.tanh_only", {rows = 7 : i64}>} -> tensor<4x32xf32>
  return %0, %1 : tensor<4x32xf32>, tensor<4x32xf32>
}

// Of no tokens there are few, whatever the other dimensions are.

// CHECK-LABEL: func @no_tokens
// CHECK-NOT: scf.if
// CHECK: {frit.kernel = #frit.kernel<"test.few_tokens">}
func.func @no_tokens(%x: memref<4294967296x4294967296x0x?x40xbf16>, %y: memref<4294967296x4294967296x0x?x20xbf16>) {
  frit.act_and_mul silu ins(%x : memref<4294967296x4294967296x0x?x40xbf16>) outs(%y : memref<4294967296x4294967296x0x?x20xbf16>)
  return
}
