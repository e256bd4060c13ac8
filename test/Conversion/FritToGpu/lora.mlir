// REQUIRES: cuda-kernels
// RUN: %frit_opt %s --pass-pipeline='builtin.module(convert-frit-to-gpu,canonicalize,cse)' | FileCheck %s

// The one parameter list of the LoRA kernels: what an op lacks is 0, sizes are those of the op, flags say what runs.

// x, ids, A, B, scales, ranks, order, starts, active, h, y; widths; T K R L G; strides; offset, scale, flags.
// CHECK-LABEL: func.func @matmul(
// CHECK-DAG: %[[N0:.*]] = arith.constant 0 : i64
// CHECK-DAG: %[[FLAGS:.*]] = arith.constant 3 : i32
// CHECK-DAG: %[[SCALE:.*]] = arith.constant 5.000000e-01 : f32
// CHECK-DAG: %[[SHARED:.*]] = arith.constant 14080 : i32
// Clusters of 16 for at most 4 tiles of two slices.
// CHECK: gpu.launch_func @frit_image_lora_bf16::@frit_lora_tile8_bf16
// CHECK-SAME: clusters in (%c16, %c1, %c1) blocks in (%c64, %c2, %c1) threads in (%c256, %c1, %c1) dynamic_shared_memory_size %[[SHARED]]
// CHECK-SAME: args(%[[X:[0-9]+]] : !llvm.ptr, %[[IDS:[0-9]+]] : !llvm.ptr, %{{[0-9]+}} : !llvm.ptr, %{{[0-9]+}} : !llvm.ptr, %[[N0]] : i64, %[[N0]] : i64, %[[N0]] : i64, %[[N0]] : i64, %[[N0]] : i64, %[[N0]] : i64,
// CHECK-SAME: %{{[0-9]+}} : !llvm.ptr, %{{[0-9]+}} : !llvm.ptr, %[[N0]] : i64, %[[N0]] : i64, %[[N0]] : i64, %[[N0]] : i64, %[[N0]] : i64, %[[N0]] : i64,
// CHECK-SAME: %{{[0-9]+}} : !llvm.ptr, %{{[0-9]+}} : !llvm.ptr, %[[N0]] : i64, %[[N0]] : i64, %[[N0]] : i64, %[[N0]] : i64, %[[Y:[0-9]+]] : !llvm.ptr,
// CHECK-SAME: %c32_i64 : i64, %c24_i64 : i64, %[[N0]] : i64, %[[N0]] : i64, %[[N0]] : i64, %[[N0]] : i64, %[[N0]] : i64, %[[N0]] : i64,
// CHECK-SAME: %c8_i64 : i64, %c64_i64 : i64, %c16_i64 : i64, %c4_i64 : i64, %[[N0]] : i64,
// CHECK-SAME: %c4_i64 : i64, %c72_i64 : i64, %[[N0]] : i64, %[[N0]] : i64, %c60_i64 : i64, %c3_i64 : i64, %[[SCALE]] : f32, %[[FLAGS]] : i32)
// CHECK-SAME: #frit.launch<"cuda.lora_tile8_cluster16", [read, read, read, read, none, none, none, none, none, none, read, read, none, none, none, none, none, none, read, read, none, none, none, none, readwrite,
func.func @matmul(%x: memref<8x64xbf16, strided<[72, 1]>>, %ids: memref<8xi32>, %a: memref<4x16x64xbf16>, %b0: memref<4x32x16xbf16>,
                  %b1: memref<4x24x16xbf16>, %scales: memref<4xf32>, %ranks: memref<2x4xi32>, %y: memref<8x60xbf16>) {
  frit.lora_matmul ins(%x, %ids : memref<8x64xbf16, strided<[72, 1]>>, memref<8xi32>)
    weights(%a, %b0, %a, %b1 : memref<4x16x64xbf16>, memref<4x32x16xbf16>, memref<4x16x64xbf16>, memref<4x24x16xbf16>)
    scales(%scales : memref<4xf32>) ranks(%ranks : memref<2x4xi32>)
    outs(%y : memref<8x60xbf16>) scale = 0.5 offset = 3 rounding = sum
    {frit.kernel = #frit.kernel<"cuda.lora_tile8_cluster16", {sharedBytes = 14080, window = 32}>}
  return
}

// 16: shrink only; 64: h has the weights' type. Its strides are those of slices and rows.
// CHECK-LABEL: func.func @shrink(
// CHECK: gpu.launch_func @frit_image_lora_f16::@frit_lora_tile16_f16 blocks in (%{{.*}}, %c1, %c1)
// CHECK-SAME: %c96_i64 : i64, %c24_i64 : i64, %c0_i64 : i64, %c0_i64 : i64, %{{.*}} : f32, %c80_i32 : i32)
// CHECK-SAME: readwrite, none, none
func.func @shrink(%x: memref<?x64xf16>, %ids: memref<?xi32>, %a: memref<4x16x64xf16>, %order: memref<?xi32>, %starts: memref<5xi32>,
                  %h: memref<1x?x16xf16, strided<[96, 24, 1]>>) {
  frit.lora_shrink ins(%x, %ids : memref<?x64xf16>, memref<?xi32>) weights(%a : memref<4x16x64xf16>)
    grouping(%order, %starts : memref<?xi32>, memref<5xi32>) outs(%h : memref<1x?x16xf16, strided<[96, 24, 1]>>)
    {frit.kernel = #frit.kernel<"cuda.lora_tile16_cluster1", {sharedBytes = 12800, window = 2147483648}>}
  return
}

// 32: expand only; 4: stepwise. G is that of `active`.
// CHECK-LABEL: func.func @expand(
// CHECK: gpu.launch_func @frit_image_lora_f32::@frit_lora_tile16_bf16_f32
// CHECK-SAME: %c16_i64 : i64, %c4_i64 : i64, %c7_i64 : i64, %c0_i64 : i64, %c0_i64 : i64,
// CHECK-SAME: %c36_i32 : i32)
func.func @expand(%h: memref<1x?x16xf32>, %ids: memref<?xi32>, %b: memref<4x32x16xf32>, %order: memref<?xi32>, %starts: memref<8xi32>,
                  %active: memref<7xi32>, %y: memref<?x32xbf16>) {
  frit.lora_expand ins(%h, %ids : memref<1x?x16xf32>, memref<?xi32>) weights(%b : memref<4x32x16xf32>)
    grouping(%order, %starts, %active : memref<?xi32>, memref<8xi32>, memref<7xi32>) outs(%y : memref<?x32xbf16>)
    rounding = stepwise accumulate = false
    {frit.kernel = #frit.kernel<"cuda.lora_f32_tile16_cluster1", {sharedBytes = 12800, window = 2147483648}>}
  return
}

// Without tokens starts is written all the same: always a block or more.
// CHECK-LABEL: func.func @group(
// CHECK-NOT: arith.select %{{.*}}, %c0, %{{.*}} : index
// CHECK: %[[CLUSTER:.*]] = arith.minsi %{{.*}}, %c8
// CHECK: gpu.launch_func @frit_image_lora_group::@frit_lora_group clusters in (%[[CLUSTER]], %c1, %c1) blocks in (%[[CLUSTER]], %c1, %c1) threads in (%c512, %c1, %c1)
// CHECK-SAME: args(%{{.*}} : !llvm.ptr, %{{.*}} : !llvm.ptr, %{{.*}} : !llvm.ptr, %{{.*}} : i64, %c4_i64 : i64)
// CHECK-SAME: [read, write, write, none, none]
func.func @group(%ids: memref<?xi32>, %order: memref<?xi32>, %starts: memref<5xi32>) {
  frit.lora_group ins(%ids : memref<?xi32>) outs(%order, %starts : memref<?xi32>, memref<5xi32>)
    {frit.kernel = #frit.kernel<"cuda.lora_group">}
  return
}

// Weights with gaps are copied, where only run time can tell, in one of two versions.
// CHECK-LABEL: func.func @gaps(
// CHECK: scf.if
// CHECK-NOT: memref.alloc
// CHECK:   gpu.launch_func @frit_image_lora_bf16::@frit_lora_tile16_bf16
// CHECK: } else {
// CHECK:   %[[COPY:.*]] = memref.alloc() : memref<4x16x64xbf16>
// CHECK:   linalg.generic {{.*}} ins(%arg2 : {{.*}}) outs(%[[COPY]] :
// CHECK:   gpu.launch_func @frit_image_lora_bf16::@frit_lora_tile16_bf16
// CHECK:   memref.dealloc %[[COPY]]
// CHECK: }
func.func @gaps(%x: memref<?x64xbf16>, %ids: memref<?xi32>, %a: memref<4x16x64xbf16, strided<[?, ?, 1], offset: ?>>, %h: memref<1x?x16xf32>) {
  frit.lora_shrink ins(%x, %ids : memref<?x64xbf16>, memref<?xi32>) weights(%a : memref<4x16x64xbf16, strided<[?, ?, 1], offset: ?>>)
    outs(%h : memref<1x?x16xf32>) {frit.kernel = #frit.kernel<"cuda.lora_tile16_cluster1", {sharedBytes = 12800, window = 32}>}
  return
}

// Known gaps: one version.
// CHECK-LABEL: func.func @known_gaps(
// CHECK-NOT: scf.if
// CHECK: memref.alloc() : memref<4x16x64xbf16>
// CHECK: gpu.launch_func
// CHECK-NOT: gpu.launch_func
func.func @known_gaps(%x: memref<?x64xbf16>, %ids: memref<?xi32>, %a: memref<4x16x64xbf16, strided<[2048, 128, 1]>>, %h: memref<1x?x16xf32>) {
  frit.lora_shrink ins(%x, %ids : memref<?x64xbf16>, memref<?xi32>) weights(%a : memref<4x16x64xbf16, strided<[2048, 128, 1]>>)
    outs(%h : memref<1x?x16xf32>) {frit.kernel = #frit.kernel<"cuda.lora_tile16_cluster1", {sharedBytes = 12800, window = 32}>}
  return
}
