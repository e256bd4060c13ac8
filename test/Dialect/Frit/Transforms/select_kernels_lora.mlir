// REQUIRES: cuda-kernels
// RUN: split-file %s %t
// RUN: %frit_opt %t/select.mlir --pass-pipeline='builtin.module(frit-select-kernels{target=cuda:sm_90a})' | FileCheck %t/select.mlir
// RUN: %frit_opt %t/select.mlir --pass-pipeline='builtin.module(frit-select-kernels{target=cuda:sm_90a policy=batch-invariant})' | FileCheck %t/select.mlir --check-prefix=INVARIANT
// RUN: %frit_opt %t/direct.mlir --pass-pipeline='builtin.module(frit-select-kernels{target=cuda:sm_90a min-grouped-tokens=33})' | FileCheck %t/direct.mlir
// RUN: %frit_opt %t/direct.mlir --pass-pipeline='builtin.module(frit-select-kernels{target=cuda:sm_90a})' | FileCheck %t/direct.mlir --check-prefix=UNASKED --implicit-check-not='arith.constant -'
// RUN: not %frit_opt %t/refused.mlir -split-input-file --pass-pipeline='builtin.module(frit-select-kernels{target=cuda:sm_90a policy=require=cuda})' 2>&1 | FileCheck %t/refused.mlir

// Which tile and cluster serves a batch, what a guard asks for, and why a kernel is refused.

//--- select.mlir

// Rows are short: clusters of 8 blocks, one for each token.
// CHECK-LABEL: func @decode
// CHECK: <"cuda.lora_decode_cluster8", {parts = 1 : i64, sharedBytes = 0 : i64, window = 32 : i64}>
// INVARIANT-LABEL: func @decode
// INVARIANT: <"cuda.lora_tile16_cluster1", {sharedBytes = 12800 : i64, window = 32 : i64}>
func.func @decode(%x: tensor<4x64xbf16>, %ids: tensor<4xi32>, %a: tensor<4x16x64xbf16>, %b: tensor<4x32x16xbf16>, %y: tensor<4x32xbf16>) -> tensor<4x32xbf16> {
  %r = frit.lora_matmul ins(%x, %ids : tensor<4x64xbf16>, tensor<4xi32>) weights(%a, %b : tensor<4x16x64xbf16>, tensor<4x32x16xbf16>) outs(%y : tensor<4x32xbf16>) -> tensor<4x32xbf16>
  return %r : tensor<4x32xbf16>
}

// 259 tiles of 32 tokens, a block each, are two on a multiprocessor.
// CHECK-LABEL: func @prefill
// CHECK: frit.lora_group {{.*}} {frit.kernel = #frit.kernel<"cuda.lora_group">}
// CHECK: <"cuda.lora_flow32_16_cluster1", {sharedBytes = {{[0-9]+}} : i64, window = 2147483648 : i64}>
// INVARIANT-LABEL: func @prefill
// INVARIANT: frit.lora_group {{.*}} {frit.kernel = #frit.kernel<"cuda.lora_group">}
// INVARIANT: <"cuda.lora_tile16_cluster1", {sharedBytes = 12800 : i64, window = 2147483648 : i64}>
func.func @prefill(%x: tensor<8192x64xbf16>, %ids: tensor<8192xi32>, %a: tensor<4x16x64xbf16>, %b: tensor<4x32x16xbf16>, %y: tensor<8192x32xbf16>,
                   %o: tensor<8192xi32>, %s: tensor<5xi32>) -> tensor<8192x32xbf16> {
  %g:2 = frit.lora_group ins(%ids : tensor<8192xi32>) outs(%o, %s : tensor<8192xi32>, tensor<5xi32>) -> tensor<8192xi32>, tensor<5xi32>
  %r = frit.lora_matmul ins(%x, %ids : tensor<8192x64xbf16>, tensor<8192xi32>) weights(%a, %b : tensor<4x16x64xbf16>, tensor<4x32x16xbf16>) grouping(%g#0, %g#1 : tensor<8192xi32>, tensor<5xi32>) outs(%y : tensor<8192x32xbf16>) -> tensor<8192x32xbf16>
  return %r : tensor<8192x32xbf16>
}

// f32 weights beside f16 have kernels of their own.
// CHECK-LABEL: func @f32_weights
// CHECK: frit.lora_shrink {{.*}}<"cuda.lora_f32_tile16_cluster8"
// CHECK: frit.lora_expand {{.*}}<"cuda.lora_f32_tile16_cluster8"
func.func @f32_weights(%x: tensor<4x64xf16>, %ids: tensor<4xi32>, %a: tensor<4x16x64xf32>, %b: tensor<4x32x16xf32>, %h: tensor<1x4x16xf32>, %y: tensor<4x32xf16>) -> tensor<4x32xf16> {
  %0 = frit.lora_shrink ins(%x, %ids : tensor<4x64xf16>, tensor<4xi32>) weights(%a : tensor<4x16x64xf32>) outs(%h : tensor<1x4x16xf32>) -> tensor<1x4x16xf32>
  %r = frit.lora_expand ins(%0, %ids : tensor<1x4x16xf32>, tensor<4xi32>) weights(%b : tensor<4x32x16xf32>) outs(%y : tensor<4x32xf16>) -> tensor<4x32xf16>
  return %r : tensor<4x32xf16>
}

// Behind a matmul of few tokens clusters are small: with cuBLASLt one of 16 tokens, with a kernel beside which LoRA begins one of eight.
// CHECK-LABEL: func @behind
// CHECK: <"library.cublaslt"
// CHECK: <"cuda.lora_flow16_16_behind_cluster8"
// CHECK: <"cuda.gemv_small_tile16"
// CHECK: <"cuda.lora_decode_tile8_behind_cluster8"
func.func @behind(%x: tensor<16x2048xbf16>, %ids: tensor<16xi32>, %w: tensor<32768x2048xbf16>, %v: tensor<2048x2048xbf16>, %a: tensor<4x16x2048xbf16>,
                  %b: tensor<4x32768x16xbf16>, %c: tensor<4x2048x16xbf16>, %y: tensor<16x32768xbf16>, %z: tensor<16x2048xbf16>) -> (tensor<16x32768xbf16>, tensor<16x2048xbf16>) {
  %0 = frit.matmul ins(%x, %w : tensor<16x2048xbf16>, tensor<32768x2048xbf16>) outs(%y : tensor<16x32768xbf16>) transpose_b -> tensor<16x32768xbf16>
  %1 = frit.lora_matmul ins(%x, %ids : tensor<16x2048xbf16>, tensor<16xi32>) weights(%a, %b : tensor<4x16x2048xbf16>, tensor<4x32768x16xbf16>) outs(%0 : tensor<16x32768xbf16>) -> tensor<16x32768xbf16>
  %2 = frit.matmul ins(%x, %v : tensor<16x2048xbf16>, tensor<2048x2048xbf16>) outs(%z : tensor<16x2048xbf16>) transpose_b -> tensor<16x2048xbf16>
  %3 = frit.lora_matmul ins(%x, %ids : tensor<16x2048xbf16>, tensor<16xi32>) weights(%a, %c : tensor<4x16x2048xbf16>, tensor<4x2048x16xbf16>) outs(%2 : tensor<16x2048xbf16>) -> tensor<16x2048xbf16>
  return %1, %3 : tensor<16x32768xbf16>, tensor<16x2048xbf16>
}

// Not with more tokens, nor where y is no matmul's.
// CHECK-LABEL: func @not_behind
// CHECK-NOT: behind
// CHECK: return
func.func @not_behind(%x: tensor<17x2048xbf16>, %ids: tensor<17xi32>, %w: tensor<2048x2048xbf16>, %a: tensor<4x16x2048xbf16>, %b: tensor<4x2048x16xbf16>, %y: tensor<17x2048xbf16>,
                      %s: tensor<16x2048xbf16>, %i: tensor<16xi32>, %z: tensor<16x2048xbf16>) -> (tensor<17x2048xbf16>, tensor<16x2048xbf16>) {
  %0 = frit.matmul ins(%x, %w : tensor<17x2048xbf16>, tensor<2048x2048xbf16>) outs(%y : tensor<17x2048xbf16>) transpose_b -> tensor<17x2048xbf16>
  %1 = frit.lora_matmul ins(%x, %ids : tensor<17x2048xbf16>, tensor<17xi32>) weights(%a, %b : tensor<4x16x2048xbf16>, tensor<4x2048x16xbf16>) outs(%0 : tensor<17x2048xbf16>) -> tensor<17x2048xbf16>
  %2 = frit.lora_matmul ins(%s, %i : tensor<16x2048xbf16>, tensor<16xi32>) weights(%a, %b : tensor<4x16x2048xbf16>, tensor<4x2048x16xbf16>) outs(%z : tensor<16x2048xbf16>) -> tensor<16x2048xbf16>
  return %1, %2 : tensor<17x2048xbf16>, tensor<16x2048xbf16>
}

// More groups than shared memory counts.
// CHECK-LABEL: func @many_groups
// CHECK: frit.kernel = #frit.kernel<"cuda.lora_group_many">
func.func @many_groups(%ids: tensor<100xi32>, %o: tensor<100xi32>, %s: tensor<2314xi32>) -> tensor<100xi32> {
  %g:2 = frit.lora_group ins(%ids : tensor<100xi32>) outs(%o, %s : tensor<100xi32>, tensor<2314xi32>) -> tensor<100xi32>, tensor<2314xi32>
  return %g#0 : tensor<100xi32>
}

// Guards on the number of tokens, only those that some batch needs; the last kernel takes every batch.
// CHECK-LABEL: func @dynamic_tokens
// CHECK: arith.constant 8 : index
// CHECK: arith.cmpi sle
// CHECK: <"cuda.lora_decode_cluster8"
// CHECK: arith.constant 64 : index
// CHECK: arith.cmpi sle
// CHECK: arith.constant 33 : index
// CHECK: arith.cmpi sge
// CHECK: <"cuda.lora_flow16_16_ids_cluster8", {sharedBytes = {{[0-9]+}} : i64, window = 32 : i64}>
// CHECK: arith.constant 35 : index
// CHECK: <"cuda.lora_decode_tile8_cluster16"
// CHECK: arith.constant 51 : index
// CHECK: <"cuda.lora_flow16_16_cluster16"
// CHECK: arith.constant 195 : index
// CHECK: <"cuda.lora_flow16_16_cluster8"
// CHECK: arith.constant 595 : index
// CHECK: <"cuda.lora_flow16_16_cluster6"
// CHECK: arith.constant 787 : index
// CHECK: <"cuda.lora_flow16_16_cluster4"
// CHECK: arith.constant 1012 : index
// CHECK: arith.cmpi sge
// CHECK: arith.constant 1235 : index
// CHECK: <"cuda.lora_flow16_16_cluster3"
// CHECK: arith.constant 2067 : index
// CHECK: <"cuda.lora_flow16_16_cluster2"
// CHECK: arith.constant 2467 : index
// CHECK: <"cuda.lora_flow32_16_cluster3"
// CHECK: arith.constant 4259 : index
// CHECK: <"cuda.lora_flow32_16_cluster2"
// CHECK: arith.constant 8355 : index
// CHECK: <"cuda.lora_flow32_16_cluster1"
// CHECK: <"cuda.lora_tile16_cluster1"
// CHECK-NOT: native
// CHECK: return
func.func @dynamic_tokens(%x: tensor<?x64xbf16>, %ids: tensor<?xi32>, %a: tensor<4x16x64xbf16>, %b: tensor<4x32x16xbf16>, %y: tensor<?x32xbf16>,
                          %o: tensor<?xi32>, %s: tensor<5xi32>) -> tensor<?x32xbf16> {
  %r = frit.lora_matmul ins(%x, %ids : tensor<?x64xbf16>, tensor<?xi32>) weights(%a, %b : tensor<4x16x64xbf16>, tensor<4x32x16xbf16>) grouping(%o, %s : tensor<?xi32>, tensor<5xi32>) outs(%y : tensor<?x32xbf16>) -> tensor<?x32xbf16>
  return %r : tensor<?x32xbf16>
}

// Several clusters divide the columns of a long row, while all blocks run at once.
// CHECK-LABEL: func @long_rows
// CHECK: <"cuda.lora_decode_cluster8", {parts = 7 : i64, sharedBytes = 0 : i64, window = 32 : i64}>
// CHECK: <"cuda.lora_decode_cluster16", {parts = 2 : i64, sharedBytes = 0 : i64, window = 32 : i64}>
func.func @long_rows(%x: tensor<2x4096xbf16>, %ids: tensor<2xi32>, %a: tensor<4x16x4096xbf16>, %b: tensor<4x14336x16xbf16>, %y: tensor<2x14336xbf16>,
                     %z: tensor<4x8192xbf16>, %zids: tensor<4xi32>, %c: tensor<4x16x8192xbf16>, %d: tensor<4x14336x16xbf16>, %w: tensor<4x14336xbf16>)
    -> (tensor<2x14336xbf16>, tensor<4x14336xbf16>) {
  %0 = frit.lora_matmul ins(%x, %ids : tensor<2x4096xbf16>, tensor<2xi32>) weights(%a, %b : tensor<4x16x4096xbf16>, tensor<4x14336x16xbf16>) outs(%y : tensor<2x14336xbf16>) -> tensor<2x14336xbf16>
  %1 = frit.lora_matmul ins(%z, %zids : tensor<4x8192xbf16>, tensor<4xi32>) weights(%c, %d : tensor<4x16x8192xbf16>, tensor<4x14336x16xbf16>) outs(%w : tensor<4x14336xbf16>) -> tensor<4x14336xbf16>
  return %0, %1 : tensor<2x14336xbf16>, tensor<4x14336xbf16>
}

// Reading the ids beside a grouping makes tiles of 32 tokens at a time: too many where there are many adapters, however
// few of them an engine names.
// CHECK-LABEL: func @adapters
// CHECK: <"cuda.lora_flow16_16_ids_cluster8"
// CHECK: <"cuda.lora_flow16_16_cluster16", {sharedBytes = {{[0-9]+}} : i64, window = 2147483648 : i64}>
func.func @adapters(%x: tensor<64x64xbf16>, %ids: tensor<64xi32>, %a: tensor<4x16x64xbf16>, %b: tensor<4x32x16xbf16>, %y: tensor<64x32xbf16>,
                    %o: tensor<64xi32>, %s: tensor<3xi32>, %active: tensor<2xi32>, %c: tensor<16x16x64xbf16>, %d: tensor<16x32x16xbf16>)
    -> (tensor<64x32xbf16>, tensor<64x32xbf16>) {
  %0 = frit.lora_matmul ins(%x, %ids : tensor<64x64xbf16>, tensor<64xi32>) weights(%a, %b : tensor<4x16x64xbf16>, tensor<4x32x16xbf16>) grouping(%o, %s, %active : tensor<64xi32>, tensor<3xi32>, tensor<2xi32>) outs(%y : tensor<64x32xbf16>) -> tensor<64x32xbf16>
  %1 = frit.lora_matmul ins(%x, %ids : tensor<64x64xbf16>, tensor<64xi32>) weights(%c, %d : tensor<16x16x64xbf16>, tensor<16x32x16xbf16>) grouping(%o, %s, %active : tensor<64xi32>, tensor<3xi32>, tensor<2xi32>) outs(%y : tensor<64x32xbf16>) -> tensor<64x32xbf16>
  return %0, %1 : tensor<64x32xbf16>, tensor<64x32xbf16>
}

// Clusters of three are for what leaves clusters of two at more than a block a multiprocessor, up to two.
// CHECK-LABEL: func @between
// CHECK: <"cuda.lora_flow16_16_cluster2"
// CHECK: <"cuda.lora_flow16_16_cluster3"
func.func @between(%x: tensor<1011x64xbf16>, %ids: tensor<1011xi32>, %a: tensor<4x16x64xbf16>, %b: tensor<4x32x16xbf16>, %y: tensor<1011x32xbf16>,
                   %o: tensor<1011xi32>, %s: tensor<5xi32>, %z: tensor<1012x64xbf16>, %zids: tensor<1012xi32>, %w: tensor<1012x32xbf16>, %p: tensor<1012xi32>)
    -> (tensor<1011x32xbf16>, tensor<1012x32xbf16>) {
  %0 = frit.lora_matmul ins(%x, %ids : tensor<1011x64xbf16>, tensor<1011xi32>) weights(%a, %b : tensor<4x16x64xbf16>, tensor<4x32x16xbf16>) grouping(%o, %s : tensor<1011xi32>, tensor<5xi32>) outs(%y : tensor<1011x32xbf16>) -> tensor<1011x32xbf16>
  %1 = frit.lora_matmul ins(%z, %zids : tensor<1012x64xbf16>, tensor<1012xi32>) weights(%a, %b : tensor<4x16x64xbf16>, tensor<4x32x16xbf16>) grouping(%p, %s : tensor<1012xi32>, tensor<5xi32>) outs(%w : tensor<1012x32xbf16>) -> tensor<1012x32xbf16>
  return %0, %1 : tensor<1011x32xbf16>, tensor<1012x32xbf16>
}

// Tiles are at most 19 of 16 tokens, and of 64 adapters so many that most of them are none.
// CHECK-LABEL: func @many_adapters
// CHECK: <"cuda.lora_flow16_16_cluster6"
// CHECK: <"cuda.lora_flow16_16_ids_cluster4"
func.func @many_adapters(%x: tensor<64x64xbf16>, %ids: tensor<64xi32>, %a: tensor<16x16x64xbf16>, %b: tensor<16x32x16xbf16>, %y: tensor<64x32xbf16>,
                         %o: tensor<64xi32>, %s: tensor<17xi32>, %c: tensor<64x16x64xbf16>, %d: tensor<64x32x16xbf16>, %p: tensor<65xi32>)
    -> (tensor<64x32xbf16>, tensor<64x32xbf16>) {
  %0 = frit.lora_matmul ins(%x, %ids : tensor<64x64xbf16>, tensor<64xi32>) weights(%a, %b : tensor<16x16x64xbf16>, tensor<16x32x16xbf16>) grouping(%o, %s : tensor<64xi32>, tensor<17xi32>) outs(%y : tensor<64x32xbf16>) -> tensor<64x32xbf16>
  %1 = frit.lora_matmul ins(%x, %ids : tensor<64x64xbf16>, tensor<64xi32>) weights(%c, %d : tensor<64x16x64xbf16>, tensor<64x32x16xbf16>) grouping(%o, %p : tensor<64xi32>, tensor<65xi32>) outs(%y : tensor<64x32xbf16>) -> tensor<64x32xbf16>
  return %0, %1 : tensor<64x32xbf16>, tensor<64x32xbf16>
}

// Where columns are many, larger clusters have enough to do.
// CHECK-LABEL: func @many_columns
// CHECK: <"cuda.lora_flow16_16_cluster8"
// CHECK: <"cuda.lora_flow16_16_cluster16"
func.func @many_columns(%x: tensor<32x64xbf16>, %ids: tensor<32xi32>, %a: tensor<4x16x64xbf16>, %b: tensor<4x12280x16xbf16>, %y: tensor<32x24560xbf16>,
                        %c: tensor<4x12288x16xbf16>, %z: tensor<32x24576xbf16>) -> (tensor<32x24560xbf16>, tensor<32x24576xbf16>) {
  %0 = frit.lora_matmul ins(%x, %ids : tensor<32x64xbf16>, tensor<32xi32>) weights(%a, %b, %a, %b : tensor<4x16x64xbf16>, tensor<4x12280x16xbf16>, tensor<4x16x64xbf16>, tensor<4x12280x16xbf16>) outs(%y : tensor<32x24560xbf16>) -> tensor<32x24560xbf16>
  %1 = frit.lora_matmul ins(%x, %ids : tensor<32x64xbf16>, tensor<32xi32>) weights(%a, %c, %a, %c : tensor<4x16x64xbf16>, tensor<4x12288x16xbf16>, tensor<4x16x64xbf16>, tensor<4x12288x16xbf16>) outs(%z : tensor<32x24576xbf16>) -> tensor<32x24576xbf16>
  return %0, %1 : tensor<32x24560xbf16>, tensor<32x24576xbf16>
}

// High ranks go by way of shared memory, many tokens to the wide matrix units.
// CHECK-LABEL: func @high_rank
// CHECK: <"cuda.lora_flow16_128_cluster16", {sharedBytes = {{[0-9]+}} : i64, window = 32 : i64}>
func.func @high_rank(%x: tensor<5x256xbf16>, %ids: tensor<5xi32>, %a: tensor<4x128x256xbf16>, %b: tensor<4x32x128xbf16>, %y: tensor<5x32xbf16>) -> tensor<5x32xbf16> {
  %r = frit.lora_matmul ins(%x, %ids : tensor<5x256xbf16>, tensor<5xi32>) weights(%a, %b : tensor<4x128x256xbf16>, tensor<4x32x128xbf16>) outs(%y : tensor<5x32xbf16>) -> tensor<5x32xbf16>
  return %r : tensor<5x32xbf16>
}

// Ranks between, and the copies' slots of shared memory.
// CHECK-LABEL: func @middle_rank
// CHECK: <"cuda.lora_flow16_32_cluster16", {sharedBytes = 90368 : i64, window = 32 : i64}>
func.func @middle_rank(%x: tensor<5x256xbf16>, %ids: tensor<5xi32>, %a: tensor<4x32x256xbf16>, %b: tensor<4x32x32xbf16>, %y: tensor<5x32xbf16>) -> tensor<5x32xbf16> {
  %r = frit.lora_matmul ins(%x, %ids : tensor<5x256xbf16>, tensor<5xi32>) weights(%a, %b : tensor<4x32x256xbf16>, tensor<4x32x32xbf16>) outs(%y : tensor<5x32xbf16>) -> tensor<5x32xbf16>
  return %r : tensor<5x32xbf16>
}

// Rows that are no whole vectors are read by elements, without a ring of shared memory.
// CHECK-LABEL: func @odd_rows
// CHECK: <"cuda.lora_tile8_cluster16"
func.func @odd_rows(%x: tensor<5x250xbf16>, %ids: tensor<5xi32>, %a: tensor<4x32x250xbf16>, %b: tensor<4x32x32xbf16>, %y: tensor<5x32xbf16>) -> tensor<5x32xbf16> {
  %r = frit.lora_matmul ins(%x, %ids : tensor<5x250xbf16>, tensor<5xi32>) weights(%a, %b : tensor<4x32x250xbf16>, tensor<4x32x32xbf16>) outs(%y : tensor<5x32xbf16>) -> tensor<5x32xbf16>
  return %r : tensor<5x32xbf16>
}

// CHECK-LABEL: func @many_tokens
// CHECK: <"cuda.lora_wide64_cluster8", {sharedBytes = {{[0-9]+}} : i64, window = 2147483648 : i64}>
func.func @many_tokens(%x: tensor<1024x256xbf16>, %ids: tensor<1024xi32>, %a: tensor<4x64x256xbf16>, %b: tensor<4x32x64xbf16>, %y: tensor<1024x32xbf16>,
                       %o: tensor<1024xi32>, %s: tensor<5xi32>) -> tensor<1024x32xbf16> {
  %r = frit.lora_matmul ins(%x, %ids : tensor<1024x256xbf16>, tensor<1024xi32>) weights(%a, %b : tensor<4x64x256xbf16>, tensor<4x32x64xbf16>) grouping(%o, %s : tensor<1024xi32>, tensor<5xi32>) outs(%y : tensor<1024x32xbf16>) -> tensor<1024x32xbf16>
  return %r : tensor<1024x32xbf16>
}

// 94 tiles of two slices, in clusters of four.
// CHECK-LABEL: func @many_tiles
// CHECK: <"cuda.lora_wide128_cluster4", {sharedBytes = 205824 : i64, window = 2147483648 : i64}>
func.func @many_tiles(%x: tensor<2048x256xbf16>, %ids: tensor<2048xi32>, %a: tensor<16x128x256xbf16>, %b: tensor<16x32x128xbf16>, %y: tensor<2048x64xbf16>,
                      %o: tensor<2048xi32>, %s: tensor<17xi32>) -> tensor<2048x64xbf16> {
  %r = frit.lora_matmul ins(%x, %ids : tensor<2048x256xbf16>, tensor<2048xi32>) weights(%a, %b, %a, %b : tensor<16x128x256xbf16>, tensor<16x32x128xbf16>, tensor<16x128x256xbf16>, tensor<16x32x128xbf16>) grouping(%o, %s : tensor<2048xi32>, tensor<17xi32>) outs(%y : tensor<2048x64xbf16>) -> tensor<2048x64xbf16>
  return %r : tensor<2048x64xbf16>
}

// A rank that is known at run time only is guarded by what the shared memory holds.
// CHECK-LABEL: func @dynamic_sizes
// CHECK: arith.cmpi sge
// CHECK: arith.cmpi sle
// CHECK: <"cuda.lora_tile8_cluster16", {sharedBytes = {{[0-9]+}} : i64, window = 32 : i64}>
// CHECK: <"cuda.lora_tile8_cluster8"
// CHECK: <"native.simt">
func.func @dynamic_sizes(%x: tensor<4x?xbf16>, %ids: tensor<4xi32>, %a: tensor<4x?x?xbf16>, %b: tensor<4x?x?xbf16>, %y: tensor<4x?xbf16>) -> tensor<4x?xbf16> {
  %r = frit.lora_matmul ins(%x, %ids : tensor<4x?xbf16>, tensor<4xi32>) weights(%a, %b : tensor<4x?x?xbf16>, tensor<4x?x?xbf16>) outs(%y : tensor<4x?xbf16>) -> tensor<4x?xbf16>
  return %r : tensor<4x?xbf16>
}

//--- direct.mlir

// Of fewer than 33 tokens the kernels read the ids themselves, though the graph computes a grouping; the version for 32 is
// one more than the table's. A kernel that takes more keeps it, unless it reads the ids all the same.
// UNASKED-LABEL: func @computed
// UNASKED-NOT: weights({{[^)]*}}) outs(
// UNASKED: frit.lora_matmul ins({{.*}}) weights({{[^)]*}}) outs({{.*}}<"cuda.lora_flow16_16_ids_cluster8"
// UNASKED-NOT: weights({{[^)]*}}) outs(
// UNASKED: return
// CHECK-LABEL: func @computed
// CHECK: arith.constant 8 : index
// CHECK: frit.lora_matmul ins({{.*}}) weights({{[^)]*}}) outs({{.*}}<"cuda.lora_decode_cluster8", {{{.*}}window = 32 : i64}>
// CHECK: frit.lora_matmul ins({{.*}}) weights({{[^)]*}}) outs({{.*}}<"cuda.lora_flow16_16_ids_cluster8", {{{.*}}window = 32 : i64}>
// CHECK: arith.constant 32 : index
// CHECK: frit.lora_matmul ins({{.*}}) weights({{[^)]*}}) outs({{.*}}<"cuda.lora_decode_tile8_cluster16", {{{.*}}window = 32 : i64}>
// CHECK: arith.constant 35 : index
// CHECK: grouping({{.*}}<"cuda.lora_decode_tile8_cluster16", {{{.*}}window = 2147483648 : i64}>
// CHECK-NOT: weights({{[^)]*}}) outs(
// CHECK: return
func.func @computed(%x: tensor<?x64xbf16>, %ids: tensor<?xi32>, %a: tensor<4x16x64xbf16>, %b: tensor<4x32x16xbf16>, %y: tensor<?x32xbf16>,
                    %o: tensor<?xi32>, %s: tensor<5xi32>) -> tensor<?x32xbf16> {
  %g:2 = frit.lora_group ins(%ids : tensor<?xi32>) outs(%o, %s : tensor<?xi32>, tensor<5xi32>) -> tensor<?xi32>, tensor<5xi32>
  %r = frit.lora_matmul ins(%x, %ids : tensor<?x64xbf16>, tensor<?xi32>) weights(%a, %b : tensor<4x16x64xbf16>, tensor<4x32x16xbf16>) grouping(%g#0, %g#1 : tensor<?xi32>, tensor<5xi32>) outs(%y : tensor<?x32xbf16>) -> tensor<?x32xbf16>
  return %r : tensor<?x32xbf16>
}

// Nor does an op of as many tokens as are known keep a grouping that its kernel leaves unread.
// CHECK-LABEL: func @unread
// CHECK: frit.lora_matmul ins({{.*}}) weights({{[^)]*}}) outs({{.*}}<"cuda.lora_flow16_16_ids_cluster8", {{{.*}}window = 32 : i64}>
// CHECK: frit.lora_matmul ins({{.*}} grouping({{.*}}<"cuda.lora_flow16_16_ids_cluster8", {{{.*}}window = 32 : i64}>
// UNASKED-LABEL: func @unread
// UNASKED: frit.lora_matmul ins({{.*}}) weights({{[^)]*}}) outs(
// UNASKED: frit.lora_matmul ins({{.*}} grouping(
func.func @unread(%x: tensor<64x64xbf16>, %ids: tensor<64xi32>, %a: tensor<4x16x64xbf16>, %b: tensor<4x32x16xbf16>, %y: tensor<64x32xbf16>,
                  %o: tensor<64xi32>, %s: tensor<5xi32>) -> tensor<64x32xbf16> {
  %g:2 = frit.lora_group ins(%ids : tensor<64xi32>) outs(%o, %s : tensor<64xi32>, tensor<5xi32>) -> tensor<64xi32>, tensor<5xi32>
  %0 = frit.lora_matmul ins(%x, %ids : tensor<64x64xbf16>, tensor<64xi32>) weights(%a, %b : tensor<4x16x64xbf16>, tensor<4x32x16xbf16>) grouping(%g#0, %g#1 : tensor<64xi32>, tensor<5xi32>) outs(%y : tensor<64x32xbf16>) -> tensor<64x32xbf16>
  %1 = frit.lora_matmul ins(%x, %ids : tensor<64x64xbf16>, tensor<64xi32>) weights(%a, %b : tensor<4x16x64xbf16>, tensor<4x32x16xbf16>) grouping(%o, %s : tensor<64xi32>, tensor<5xi32>) outs(%0 : tensor<64x32xbf16>) -> tensor<64x32xbf16>
  return %1 : tensor<64x32xbf16>
}

// An engine's grouping costs nothing and is used.
// CHECK-LABEL: func @given
// CHECK-NOT: weights({{[^)]*}}) outs(
// CHECK: return
func.func @given(%x: tensor<?x64xbf16>, %ids: tensor<?xi32>, %a: tensor<4x16x64xbf16>, %b: tensor<4x32x16xbf16>, %y: tensor<?x32xbf16>,
                 %o: tensor<?xi32>, %s: tensor<5xi32>) -> tensor<?x32xbf16> {
  %r = frit.lora_matmul ins(%x, %ids : tensor<?x64xbf16>, tensor<?xi32>) weights(%a, %b : tensor<4x16x64xbf16>, tensor<4x32x16xbf16>) grouping(%o, %s : tensor<?xi32>, tensor<5xi32>) outs(%y : tensor<?x32xbf16>) -> tensor<?x32xbf16>
  return %r : tensor<?x32xbf16>
}

// A kernel that asks for 34 tokens or more has no version for fewer than 33. The first one of 32 tokens that can reads the ids.
// CHECK-LABEL: func @beyond
// CHECK-NOT: cuda.lora_flow16_16_cluster6
// CHECK: arith.constant 26 : index
// CHECK: frit.lora_matmul ins({{.*}}) weights({{[^)]*}}) outs({{.*}}<"cuda.lora_flow16_16_cluster4", {{{.*}}window = 32 : i64}>
// CHECK-NOT: weights({{[^)]*}}) outs(
// CHECK: arith.constant 34 : index
// CHECK: arith.constant 40 : index
// CHECK: grouping({{.*}}<"cuda.lora_flow16_16_cluster3"
// CHECK: arith.constant 32 : index
// CHECK: frit.lora_matmul ins({{.*}}) weights({{[^)]*}}) outs({{.*}}<"cuda.lora_flow16_16_cluster2", {{{.*}}window = 32 : i64}>
// CHECK-NOT: weights({{[^)]*}}) outs(
// CHECK: return
func.func @beyond(%x: tensor<?x4096xbf16>, %ids: tensor<?xi32>, %a: tensor<64x16x4096xbf16>, %b: tensor<64x14336x16xbf16>, %y: tensor<?x28672xbf16>,
                  %o: tensor<?xi32>, %s: tensor<65xi32>) -> tensor<?x28672xbf16> {
  %g:2 = frit.lora_group ins(%ids : tensor<?xi32>) outs(%o, %s : tensor<?xi32>, tensor<65xi32>) -> tensor<?xi32>, tensor<65xi32>
  %r = frit.lora_matmul ins(%x, %ids : tensor<?x4096xbf16>, tensor<?xi32>) weights(%a, %b, %a, %b : tensor<64x16x4096xbf16>, tensor<64x14336x16xbf16>, tensor<64x16x4096xbf16>, tensor<64x14336x16xbf16>) grouping(%g#0, %g#1 : tensor<?xi32>, tensor<65xi32>) outs(%y : tensor<?x28672xbf16>) -> tensor<?x28672xbf16>
  return %r : tensor<?x28672xbf16>
}

// What no guard holds for reads the ids as well, of so few tokens. Of 65536 columns no block has only some: those of one token
// would not run at once.
// CHECK-LABEL: func @otherwise
// CHECK-NOT: expand_steps1"
// CHECK: expand_steps2"
// CHECK: arith.constant 32 : index
// CHECK: frit.lora_expand ins({{.*}}) weights({{[^)]*}}) outs({{.*}}<"cuda.lora_flow32_16_expand_whole", {{{.*}}window = 32 : i64}>
// CHECK: grouping({{.*}}<"cuda.lora_flow32_16_expand_whole", {{{.*}}window = 2147483648 : i64}>
// CHECK-NOT: frit.lora_expand
// CHECK: return
func.func @otherwise(%h: tensor<2x?x16xf32>, %ids: tensor<?xi32>, %b: tensor<64x65536x16xbf16>, %y: tensor<?x131072xbf16>,
                     %o: tensor<?xi32>, %s: tensor<65xi32>) -> tensor<?x131072xbf16> {
  %g:2 = frit.lora_group ins(%ids : tensor<?xi32>) outs(%o, %s : tensor<?xi32>, tensor<65xi32>) -> tensor<?xi32>, tensor<65xi32>
  %r = frit.lora_expand ins(%h, %ids : tensor<2x?x16xf32>, tensor<?xi32>) weights(%b, %b : tensor<64x65536x16xbf16>, tensor<64x65536x16xbf16>) grouping(%g#0, %g#1 : tensor<?xi32>, tensor<65xi32>) outs(%y : tensor<?x131072xbf16>) -> tensor<?x131072xbf16>
  return %r : tensor<?x131072xbf16>
}

//--- refused.mlir
// CHECK: error: 'frit.lora_shrink' op has no admissible kernel (target cuda:sm_90a, policy require=cuda)
// CHECK: candidate 'cuda.lora_tile8_cluster16': needs S to be at most 8, but S is 9
// CHECK: candidate 'cuda.lora_f32_tile16_cluster8': needs weights of f32, but they are bf16 beside bf16
func.func @slices(%x: tensor<4x64xbf16>, %ids: tensor<4xi32>, %a: tensor<2x8x64xbf16>, %h: tensor<9x4x8xf32>) -> tensor<9x4x8xf32> {
  %r = frit.lora_shrink ins(%x, %ids : tensor<4x64xbf16>, tensor<4xi32>)
    weights(%a, %a, %a, %a, %a, %a, %a, %a, %a : tensor<2x8x64xbf16>, tensor<2x8x64xbf16>, tensor<2x8x64xbf16>, tensor<2x8x64xbf16>, tensor<2x8x64xbf16>, tensor<2x8x64xbf16>, tensor<2x8x64xbf16>, tensor<2x8x64xbf16>, tensor<2x8x64xbf16>)
    outs(%h : tensor<9x4x8xf32>) -> tensor<9x4x8xf32>
  return %r : tensor<9x4x8xf32>
}

// -----

// CHECK: error: 'frit.lora_shrink' op has no admissible kernel
// CHECK: candidate 'cuda.lora_tile8_cluster16': needs R to be at most 352, for which there is shared memory, but R is 1025
// CHECK: candidate 'cuda.lora_tile16_cluster1': needs R to be at most 1024, for which there is shared memory, but R is 1025
func.func @rank(%x: tensor<4x64xbf16>, %ids: tensor<4xi32>, %a: tensor<2x1025x64xbf16>, %h: tensor<1x4x1025xf32>) -> tensor<1x4x1025xf32> {
  %r = frit.lora_shrink ins(%x, %ids : tensor<4x64xbf16>, tensor<4xi32>) weights(%a : tensor<2x1025x64xbf16>)
    outs(%h : tensor<1x4x1025xf32>) -> tensor<1x4x1025xf32>
  return %r : tensor<1x4x1025xf32>
}

// -----

// CHECK: error: 'frit.lora_expand' op has no admissible kernel
// CHECK: candidate 'cuda.lora_tile8_cluster16': needs R to be at least 1, but R is 0
func.func @no_rank(%h: tensor<1x4x0xf32>, %ids: tensor<4xi32>, %b: tensor<2x32x0xbf16>, %y: tensor<4x32xbf16>) -> tensor<4x32xbf16> {
  %r = frit.lora_expand ins(%h, %ids : tensor<1x4x0xf32>, tensor<4xi32>) weights(%b : tensor<2x32x0xbf16>)
    outs(%y : tensor<4x32xbf16>) -> tensor<4x32xbf16>
  return %r : tensor<4x32xbf16>
}

// -----

// CHECK: error: 'frit.lora_matmul' op has no admissible kernel
// CHECK: candidate 'cuda.lora_tile8_cluster16': needs weights of the activations' type, but they are f32 beside bf16
// CHECK: candidate 'cuda.lora_f32_tile16_cluster8': needs N0 to be at most 2^30, but N0 is 2147483648
func.func @width(%x: tensor<4x64xbf16>, %ids: tensor<4xi32>, %a: tensor<1x1x64xf32>, %b: tensor<1x2147483648x1xf32>, %y: tensor<4x2147483648xbf16>) -> tensor<4x2147483648xbf16> {
  %r = frit.lora_matmul ins(%x, %ids : tensor<4x64xbf16>, tensor<4xi32>) weights(%a, %b : tensor<1x1x64xf32>, tensor<1x2147483648x1xf32>)
    outs(%y : tensor<4x2147483648xbf16>) -> tensor<4x2147483648xbf16>
  return %r : tensor<4x2147483648xbf16>
}
