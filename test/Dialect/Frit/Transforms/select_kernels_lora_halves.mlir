// REQUIRES: cuda-kernels
// RUN: %frit_opt %s --pass-pipeline='builtin.module(frit-select-kernels{target=cuda:sm_90a})' | FileCheck %s
// RUN: %frit_opt %s --pass-pipeline='builtin.module(frit-select-kernels{target=cuda:sm_90a policy=batch-invariant})' | FileCheck %s --check-prefix=INVARIANT

// Which kernels serve the halves of a LoRA alone.

// A cluster a token; a block for each 256 columns.
// CHECK-LABEL: func @few
// CHECK: frit.lora_shrink {{.*}}<"cuda.lora_decode_shrink_cluster8", {sharedBytes = 0 : i64, window = 32 : i64}>
// CHECK: frit.lora_expand {{.*}}<"cuda.lora_flow16_16_expand_steps1", {parts = 20 : i64, sharedBytes = 36096 : i64, window = 32 : i64}>
// INVARIANT-LABEL: func @few
// INVARIANT: frit.lora_shrink {{.*}}<"cuda.lora_flow32_16_shrink_cluster1"
// INVARIANT: frit.lora_expand {{.*}}<"cuda.lora_flow32_16_expand_steps32", {parts = 1 : i64
func.func @few(%x: tensor<4x4096xbf16>, %ids: tensor<4xi32>, %a: tensor<4x16x4096xbf16>, %b: tensor<4x5120x16xbf16>, %h: tensor<1x4x16xf32>, %y: tensor<4x5120xbf16>)
    -> tensor<4x5120xbf16> {
  %0 = frit.lora_shrink ins(%x, %ids : tensor<4x4096xbf16>, tensor<4xi32>) weights(%a : tensor<4x16x4096xbf16>) outs(%h : tensor<1x4x16xf32>) -> tensor<1x4x16xf32>
  %r = frit.lora_expand ins(%0, %ids : tensor<1x4x16xf32>, tensor<4xi32>) weights(%b : tensor<4x5120x16xbf16>) outs(%y : tensor<4x5120xbf16>) -> tensor<4x5120xbf16>
  return %r : tensor<4x5120xbf16>
}

// Clusters divide a rank of 200 by four, so that a quarter of the blocks that run at once are each part's.
// CHECK-LABEL: func @high_rank
// CHECK: frit.lora_shrink {{.*}}<"cuda.lora_flow16_64_shrink_cluster8"
// CHECK: frit.lora_expand {{.*}}<"cuda.lora_wide256_expand_steps1", {parts = 16 : i64, sharedBytes = 197632 : i64
// INVARIANT-LABEL: func @high_rank
// INVARIANT: frit.lora_shrink {{.*}}<"cuda.lora_flow16_64_shrink_cluster1"
// INVARIANT: frit.lora_expand {{.*}}<"cuda.lora_flow16_256_expand_whole"
func.func @high_rank(%x: tensor<64x4096xbf16>, %ids: tensor<64xi32>, %a: tensor<4x200x4096xbf16>, %b: tensor<4x4096x200xbf16>, %h: tensor<1x64x200xf32>, %y: tensor<64x4096xbf16>,
                     %o: tensor<64xi32>, %s: tensor<5xi32>) -> tensor<64x4096xbf16> {
  %0 = frit.lora_shrink ins(%x, %ids : tensor<64x4096xbf16>, tensor<64xi32>) weights(%a : tensor<4x200x4096xbf16>) grouping(%o, %s : tensor<64xi32>, tensor<5xi32>) outs(%h : tensor<1x64x200xf32>) -> tensor<1x64x200xf32>
  %r = frit.lora_expand ins(%0, %ids : tensor<1x64x200xf32>, tensor<64xi32>) weights(%b : tensor<4x4096x200xbf16>) grouping(%o, %s : tensor<64xi32>, tensor<5xi32>) outs(%y : tensor<64x4096xbf16>) -> tensor<64x4096xbf16>
  return %r : tensor<64x4096xbf16>
}

// Blocks of 12 steps where those of 8 would not all run at once: three for the 32 steps of a row.
// CHECK-LABEL: func @many_tiles
// CHECK: frit.lora_expand {{.*}}<"cuda.lora_wide128_expand_steps12", {parts = 3 : i64, sharedBytes = 214016 : i64
func.func @many_tiles(%ids: tensor<2048xi32>, %b: tensor<16x8192x128xbf16>, %h: tensor<1x2048x128xf32>, %y: tensor<2048x8192xbf16>, %o: tensor<2048xi32>, %s: tensor<17xi32>)
    -> tensor<2048x8192xbf16> {
  %r = frit.lora_expand ins(%h, %ids : tensor<1x2048x128xf32>, tensor<2048xi32>) weights(%b : tensor<16x8192x128xbf16>) grouping(%o, %s : tensor<2048xi32>, tensor<17xi32>) outs(%y : tensor<2048x8192xbf16>) -> tensor<2048x8192xbf16>
  return %r : tensor<2048x8192xbf16>
}

// Guards on the number of tokens; blocks take more columns as tiles become more.
// CHECK-LABEL: func @dynamic_tokens
// CHECK: arith.constant 16 : index
// CHECK: <"cuda.lora_decode_shrink_cluster8"
// CHECK-NOT: cuda.lora_decode_tile8_shrink_ids_cluster8
// CHECK: arith.constant 128 : index
// CHECK: arith.constant 33 : index
// CHECK: <"cuda.lora_decode_tile8_shrink_ids_cluster4", {sharedBytes = 0 : i64, window = 32 : i64}>
// CHECK: <"cuda.lora_decode_tile8_shrink_cluster8"
// CHECK: <"cuda.lora_flow16_16_shrink_cluster8"
// CHECK: <"cuda.lora_flow16_16_shrink_cluster6"
// CHECK: arith.constant 4307 : index
// CHECK: <"cuda.lora_flow16_16_shrink_cluster1"
// CHECK: <"cuda.lora_flow32_16_shrink_cluster1"
// CHECK: arith.constant 128 : index
// CHECK: arith.constant 33 : index
// CHECK: <"cuda.lora_flow16_16_expand_ids_steps1", {parts = 16 : i64, sharedBytes = {{[0-9]+}} : i64, window = 32 : i64}>
// CHECK: arith.constant 323 : index
// CHECK: <"cuda.lora_flow16_16_expand_steps1", {parts = 16 : i64
// CHECK: <"cuda.lora_flow16_16_expand_steps2", {parts = 8 : i64
// CHECK: arith.constant 963 : index
// CHECK: <"cuda.lora_flow32_16_expand_steps2", {parts = 8 : i64
// CHECK: <"cuda.lora_flow32_16_expand_steps3", {parts = 6 : i64
// CHECK: <"cuda.lora_flow32_16_expand_steps4", {parts = 4 : i64
// CHECK: arith.constant 4227 : index
// CHECK: <"cuda.lora_flow32_16_expand_steps8", {parts = 2 : i64
// CHECK: <"cuda.lora_flow32_16_expand_steps16", {parts = 1 : i64
// CHECK-NOT: frit.kernel
// CHECK: return
func.func @dynamic_tokens(%x: tensor<?x4096xbf16>, %ids: tensor<?xi32>, %a: tensor<4x16x4096xbf16>, %b: tensor<4x4096x16xbf16>, %h: tensor<1x?x16xf32>, %y: tensor<?x4096xbf16>,
                          %o: tensor<?xi32>, %s: tensor<5xi32>) -> tensor<?x4096xbf16> {
  %0 = frit.lora_shrink ins(%x, %ids : tensor<?x4096xbf16>, tensor<?xi32>) weights(%a : tensor<4x16x4096xbf16>) grouping(%o, %s : tensor<?xi32>, tensor<5xi32>) outs(%h : tensor<1x?x16xf32>) -> tensor<1x?x16xf32>
  %r = frit.lora_expand ins(%0, %ids : tensor<1x?x16xf32>, tensor<?xi32>) weights(%b : tensor<4x4096x16xbf16>) grouping(%o, %s : tensor<?xi32>, tensor<5xi32>) outs(%y : tensor<?x4096xbf16>) -> tensor<?x4096xbf16>
  return %r : tensor<?x4096xbf16>
}

// So few tokens have a grouping where their number is not known, and the same kernel as without one where it is.
// CHECK-LABEL: func @few_dynamic_tokens
// CHECK: frit.lora_expand ins({{.*}} tensor<2x20x128xf32>{{.*}}<"cuda.lora_flow16_256_expand_steps2"
// CHECK: arith.constant 33 : index
// CHECK: arith.cmpi sge
// CHECK: <"cuda.lora_wide128_expand_steps1"
// CHECK: arith.constant 33 : index
// CHECK: <"cuda.lora_wide128_expand_whole"
// CHECK: arith.constant 3 : index
// CHECK: <"cuda.lora_flow16_256_expand_steps1"
// CHECK: arith.constant 51 : index
// CHECK: <"cuda.lora_flow16_256_expand_steps2"
func.func @few_dynamic_tokens(%h: tensor<2x20x128xf32>, %ids: tensor<20xi32>, %b: tensor<4x4096x128xbf16>, %y: tensor<20x8192xbf16>, %dh: tensor<2x?x128xf32>,
                              %dids: tensor<?xi32>, %o: tensor<?xi32>, %s: tensor<5xi32>, %dy: tensor<?x8192xbf16>) -> (tensor<20x8192xbf16>, tensor<?x8192xbf16>) {
  %0 = frit.lora_expand ins(%h, %ids : tensor<2x20x128xf32>, tensor<20xi32>) weights(%b, %b : tensor<4x4096x128xbf16>, tensor<4x4096x128xbf16>) outs(%y : tensor<20x8192xbf16>) -> tensor<20x8192xbf16>
  %1 = frit.lora_expand ins(%dh, %dids : tensor<2x?x128xf32>, tensor<?xi32>) weights(%b, %b : tensor<4x4096x128xbf16>, tensor<4x4096x128xbf16>) grouping(%o, %s : tensor<?xi32>, tensor<5xi32>) outs(%dy : tensor<?x8192xbf16>) -> tensor<?x8192xbf16>
  return %0, %1 : tensor<20x8192xbf16>, tensor<?x8192xbf16>
}

// f16 has the tiles alone.
// CHECK-LABEL: func @f16
// CHECK: frit.lora_shrink {{.*}}<"cuda.lora_tile8_cluster16"
func.func @f16(%x: tensor<4x64xf16>, %ids: tensor<4xi32>, %a: tensor<4x16x64xf16>, %h: tensor<1x4x16xf32>) -> tensor<1x4x16xf32> {
  %0 = frit.lora_shrink ins(%x, %ids : tensor<4x64xf16>, tensor<4xi32>) weights(%a : tensor<4x16x64xf16>) outs(%h : tensor<1x4x16xf32>) -> tensor<1x4x16xf32>
  return %0 : tensor<1x4x16xf32>
}
