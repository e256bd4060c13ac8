// REQUIRES: cuda-kernels
// RUN: %frit_opt %s --pass-pipeline='builtin.module(convert-frit-to-gpu,canonicalize,cse)' | FileCheck %s

// The third dimension of a grid: clusters that divide the ranks of a shrink, blocks that divide the columns of an expand.

// 19 tiles of 16 tokens, ranks by 64.
// CHECK-LABEL: func.func @shrink(
// CHECK: gpu.launch_func @frit_image_lora_halves_bf16::@frit_lora_flow16_64_shrink_bf16
// CHECK-SAME: clusters in (%c8, %c1, %c1) blocks in (%c152, %c1, %c4) threads in (%c256, %c1, %c1)
func.func @shrink(%x: memref<256x64xbf16>, %ids: memref<256xi32>, %a: memref<4x200x64xbf16>, %h: memref<1x256x200xf32>, %o: memref<256xi32>, %s: memref<5xi32>) {
  frit.lora_shrink ins(%x, %ids : memref<256x64xbf16>, memref<256xi32>) weights(%a : memref<4x200x64xbf16>) grouping(%o, %s : memref<256xi32>, memref<5xi32>)
    outs(%h : memref<1x256x200xf32>) {frit.kernel = #frit.kernel<"cuda.lora_flow16_64_shrink_cluster8", {sharedBytes = 1024, window = 2147483648}>}
  return
}

// A rank that is known at run time only.
// CHECK-LABEL: func.func @dynamic_rank(
// CHECK: %[[RANK:.*]] = memref.dim %{{.*}}, %c1
// CHECK: arith.subi %{{.*}}, %[[RANK]]
// CHECK: gpu.launch_func @frit_image_lora_halves_bf16::@frit_lora_decode64_shrink_bf16
// CHECK-SAME: clusters in (%c16, %c1, %c1) blocks in (%{{.*}}, %c1, %{{[0-9]+}})
func.func @dynamic_rank(%x: memref<1x64xbf16>, %ids: memref<1xi32>, %a: memref<4x?x64xbf16>, %h: memref<1x1x?xf32>) {
  frit.lora_shrink ins(%x, %ids : memref<1x64xbf16>, memref<1xi32>) weights(%a : memref<4x?x64xbf16>)
    outs(%h : memref<1x1x?xf32>) {frit.kernel = #frit.kernel<"cuda.lora_decode64_shrink_cluster16", {sharedBytes = 0, window = 32}>}
  return
}

// CHECK-LABEL: func.func @expand(
// CHECK: gpu.launch_func @frit_image_lora_halves_bf16::@frit_lora_flow32_16_expand_bf16
// CHECK-NOT: clusters in
// CHECK-SAME: blocks in (%c11, %c1, %c6) threads in (%c256, %c1, %c1)
func.func @expand(%h: memref<1x256x16xf32>, %ids: memref<256xi32>, %b: memref<4x4096x16xbf16>, %y: memref<256x4096xbf16>, %o: memref<256xi32>, %s: memref<5xi32>) {
  frit.lora_expand ins(%h, %ids : memref<1x256x16xf32>, memref<256xi32>) weights(%b : memref<4x4096x16xbf16>) grouping(%o, %s : memref<256xi32>, memref<5xi32>)
    outs(%y : memref<256x4096xbf16>) {frit.kernel = #frit.kernel<"cuda.lora_flow32_16_expand_steps3", {parts = 6, sharedBytes = 1024, window = 2147483648}>}
  return
}

// An entry that reads the ids has no order, starts, active and groups, whatever the op has; tiles are those of two windows.
// CHECK-LABEL: func.func @ids(
// CHECK: %[[IDS:.*]] = llvm.inttoptr
// CHECK: gpu.launch_func @frit_image_lora_halves_bf16::@frit_lora_flow16_16_expand_bf16
// CHECK-SAME: blocks in (%c10, %c1, %c16)
// CHECK-SAME: #frit.launch<"cuda.lora_flow16_16_expand_ids_steps1", [none, read, none, none, none, none, none, none, none, none, read, none, none, none, none, none, none, none, none, none, none, none, none, read, readwrite,
func.func @ids(%h: memref<1x64x16xf32>, %ids: memref<64xi32>, %b: memref<4x4096x16xbf16>, %y: memref<64x4096xbf16>, %o: memref<64xi32>, %s: memref<5xi32>) {
  frit.lora_expand ins(%h, %ids : memref<1x64x16xf32>, memref<64xi32>) weights(%b : memref<4x4096x16xbf16>) grouping(%o, %s : memref<64xi32>, memref<5xi32>)
    outs(%y : memref<64x4096xbf16>) {frit.kernel = #frit.kernel<"cuda.lora_flow16_16_expand_ids_steps1", {parts = 16, sharedBytes = 1024, window = 32}>}
  return
}
