// Kernels that begin beside the one ahead of them with what it does not write.
// REQUIRES: cuda-kernels
// RUN: %frit_opt %s --pass-pipeline='builtin.module(convert-frit-to-gpu,canonicalize,cse)' | FileCheck %s
// RUN: %frit_opt %s --pass-pipeline='builtin.module(convert-frit-to-gpu{overlap=false},canonicalize,cse)' | FileCheck %s --check-prefix=OFF

#gemv = #frit.kernel<"cuda.gemv_tile8", {beside = 0 : i64, cluster = 1 : i64, inboxBytes = 0 : i64}>
#lora = #frit.kernel<"cuda.lora_decode_cluster16", {parts = 1, sharedBytes = 0, window = 32}>
#ffn = #frit.kernel<"cuda.sparse_ffn_tile1", {cluster = 1 : i64, clusterRows = 1099511627776 : i64, inboxBytes = 0 : i64, resident = 2 : i64}>
#ffn_lora = #frit.kernel<"cuda.sparse_ffn_lora_dealt1", {cluster = 1 : i64, clusterRows = 1099511627776 : i64, inboxBytes = 0 : i64, resident = 2 : i64}>
#ffn_lora_ranges = #frit.kernel<"cuda.sparse_ffn_lora_tile1", {cluster = 1 : i64, clusterRows = 1099511627776 : i64, inboxBytes = 0 : i64, resident = 2 : i64}>

// OFF-NOT: _early
// OFF-NOT: constant 129 : i32

// The weights of the second matmul are an argument, and the first one writes to scratch memory. The LoRA has all but y.
// CHECK-LABEL: func @chain(
// CHECK-DAG:     %[[BESIDE:.*]] = arith.constant 129 : i32
// CHECK:         @frit_matmul_gemv_bf16_tile8 blocks
// CHECK:         %[[PLACES:.*]] = arith.muli %{{.*}}, %c2
// CHECK:         %[[BLOCKS:.*]] = arith.minsi %[[PLACES]], %{{.*}}
// CHECK:         @frit_matmul_gemv_bf16_tile8_early blocks in (%[[BLOCKS]],
// CHECK:         @frit_lora_decode_bf16 {{.*}}, %[[BESIDE]] : i32)
func.func @chain(%context: !llvm.ptr, %x: memref<3x64xbf16>, %ids: memref<3xi32>, %v: memref<64x64xbf16>, %w: memref<32x64xbf16>,
                 %a: memref<4x16x64xbf16>, %b: memref<4x32x16xbf16>, %y: memref<3x32xbf16>) {
  %h = memref.alloc() : memref<3x64xbf16>
  frit.matmul ins(%x, %v : memref<3x64xbf16>, memref<64x64xbf16>) outs(%h : memref<3x64xbf16>) transpose_b {frit.kernel = #gemv}
  frit.matmul ins(%h, %w : memref<3x64xbf16>, memref<32x64xbf16>) outs(%y : memref<3x32xbf16>) transpose_b {frit.kernel = #gemv}
  frit.lora_matmul ins(%h, %ids : memref<3x64xbf16>, memref<3xi32>) weights(%a, %b : memref<4x16x64xbf16>, memref<4x32x16xbf16>)
    outs(%y : memref<3x32xbf16>) {frit.kernel = #lora}
  memref.dealloc %h : memref<3x64xbf16>
  return
}

// The kernel ahead writes what would be read: LoRA's x.
// CHECK-LABEL: func @written(
// CHECK-NOT:     constant 129 : i32
// CHECK:         return
func.func @written(%context: !llvm.ptr, %x: memref<3x64xbf16>, %ids: memref<3xi32>, %v: memref<64x64xbf16>,
                   %a: memref<4x16x64xbf16>, %b: memref<4x32x16xbf16>, %y: memref<3x32xbf16>) {
  %h = memref.alloc() : memref<3x64xbf16>
  frit.matmul ins(%x, %v : memref<3x64xbf16>, memref<64x64xbf16>) outs(%h : memref<3x64xbf16>) transpose_b {frit.kernel = #gemv}
  frit.lora_matmul ins(%h, %ids : memref<3x64xbf16>, memref<3xi32>) weights(%a, %b : memref<4x16x64xbf16>, memref<4x32x16xbf16>)
    outs(%y : memref<3x32xbf16>) {frit.kernel = #lora}
  memref.dealloc %h : memref<3x64xbf16>
  return
}

// It writes the weights by way of a view.
// CHECK-LABEL: func @view(
// CHECK-NOT:     _early
// CHECK:         return
func.func @view(%context: !llvm.ptr, %x: memref<3x64xbf16>, %v: memref<64x64xbf16>, %u: memref<16x64xbf16>, %z: memref<3x16xbf16>) {
  %part = memref.subview %u[0, 0] [3, 64] [1, 1] : memref<16x64xbf16> to memref<3x64xbf16, strided<[64, 1]>>
  frit.matmul ins(%x, %v : memref<3x64xbf16>, memref<64x64xbf16>) outs(%part : memref<3x64xbf16, strided<[64, 1]>>) transpose_b {frit.kernel = #gemv}
  frit.matmul ins(%x, %u : memref<3x64xbf16>, memref<16x64xbf16>) outs(%z : memref<3x16xbf16>) transpose_b {frit.kernel = #gemv}
  return
}

// Callers of a function that is not public may pass one memory twice.
// CHECK-LABEL: func private @internal(
// CHECK-NOT:     _early
// CHECK:         return
func.func private @internal(%context: !llvm.ptr, %x: memref<3x64xbf16>, %v: memref<64x64xbf16>, %w: memref<32x64xbf16>, %h: memref<3x64xbf16>,
                            %y: memref<3x32xbf16>) {
  frit.matmul ins(%x, %v : memref<3x64xbf16>, memref<64x64xbf16>) outs(%h : memref<3x64xbf16>) transpose_b {frit.kernel = #gemv}
  frit.matmul ins(%h, %w : memref<3x64xbf16>, memref<32x64xbf16>) outs(%y : memref<3x32xbf16>) transpose_b {frit.kernel = #gemv}
  return
}

// A library's kernels, and what else is between two, wait as they like.
// CHECK-LABEL: func @between(
// CHECK-NOT:     _early
// CHECK:         return
func.func @between(%context: !llvm.ptr, %x: memref<3x64xbf16>, %v: memref<64x64xbf16>, %w: memref<32x64xbf16>, %y: memref<3x32xbf16>) {
  %h = memref.alloc() : memref<3x64xbf16>
  frit.matmul ins(%x, %v : memref<3x64xbf16>, memref<64x64xbf16>) outs(%h : memref<3x64xbf16>) transpose_b {frit.kernel = #gemv}
  memref.copy %x, %h : memref<3x64xbf16> to memref<3x64xbf16>
  frit.matmul ins(%h, %w : memref<3x64xbf16>, memref<32x64xbf16>) outs(%y : memref<3x32xbf16>) transpose_b {frit.kernel = #gemv}
  frit.matmul ins(%x, %v : memref<3x64xbf16>, memref<64x64xbf16>) outs(%h : memref<3x64xbf16>) transpose_b {frit.kernel = #frit.kernel<"library.cublaslt">}
  frit.matmul ins(%h, %w : memref<3x64xbf16>, memref<32x64xbf16>) outs(%y : memref<3x32xbf16>) transpose_b {frit.kernel = #gemv}
  memref.dealloc %h : memref<3x64xbf16>
  return
}

// Without tokens the second matmul is no launch, and the third follows the first, whose result are its weights.
// CHECK-LABEL: func @skipped(
// CHECK:         @frit_matmul_gemv_bf16_tile8 blocks
// CHECK:         @frit_matmul_gemv_bf16_tile8_early blocks
// CHECK:         @frit_matmul_gemv_bf16_tile8 blocks
// CHECK:         return
func.func @skipped(%context: !llvm.ptr, %x: memref<3x64xbf16>, %v: memref<64x64xbf16>, %t: memref<?x64xbf16>, %z: memref<?x64xbf16>,
                   %y: memref<3x3xbf16>) {
  %h = memref.alloc() : memref<3x64xbf16>
  frit.matmul ins(%x, %v : memref<3x64xbf16>, memref<64x64xbf16>) outs(%h : memref<3x64xbf16>) transpose_b {frit.kernel = #gemv}
  frit.matmul ins(%t, %v : memref<?x64xbf16>, memref<64x64xbf16>) outs(%z : memref<?x64xbf16>) transpose_b {frit.kernel = #gemv}
  frit.matmul ins(%x, %h : memref<3x64xbf16>, memref<3x64xbf16>) outs(%y : memref<3x3xbf16>) transpose_b {frit.kernel = #gemv}
  memref.dealloc %h : memref<3x64xbf16>
  return
}

// With some other memory as weights it is safe behind both.
// CHECK-LABEL: func @skipped_safely(
// CHECK-COUNT-2: @frit_matmul_gemv_bf16_tile8 blocks
// CHECK:         @frit_matmul_gemv_bf16_tile8_early blocks
func.func @skipped_safely(%context: !llvm.ptr, %x: memref<3x64xbf16>, %v: memref<64x64xbf16>, %t: memref<?x64xbf16>, %z: memref<?x3xbf16>,
                          %w: memref<3x64xbf16>, %y: memref<3x3xbf16>) {
  %h = memref.alloc() : memref<3x64xbf16>
  frit.matmul ins(%x, %v : memref<3x64xbf16>, memref<64x64xbf16>) outs(%h : memref<3x64xbf16>) transpose_b {frit.kernel = #gemv}
  frit.matmul ins(%t, %h : memref<?x64xbf16>, memref<3x64xbf16>) outs(%z : memref<?x3xbf16>) transpose_b {frit.kernel = #gemv}
  frit.matmul ins(%x, %w : memref<3x64xbf16>, memref<3x64xbf16>) outs(%y : memref<3x3xbf16>) transpose_b {frit.kernel = #gemv}
  memref.dealloc %h : memref<3x64xbf16>
  return
}

// A branch begins with what is before the branches: only weights with gaps are copied first.
// CHECK-LABEL: func @branches(
// CHECK-DAG:     %[[BESIDE:.*]] = arith.constant 129 : i32
// CHECK-DAG:     %[[BEHIND:.*]] = arith.constant 1 : i32
// CHECK:         @frit_matmul_gemv_bf16_tile8 blocks
// CHECK:         scf.if
// CHECK:           @frit_lora_decode_bf16 {{.*}}, %[[BESIDE]] : i32)
// CHECK:         else
// CHECK:           @frit_lora_decode_bf16 {{.*}}, %[[BEHIND]] : i32)
// Both branches end with a kernel that writes y.
// CHECK:         @frit_matmul_gemv_bf16_tile8_early blocks
// CHECK:         @frit_matmul_gemv_bf16_tile8_early blocks
func.func @branches(%context: !llvm.ptr, %x: memref<3x64xbf16>, %ids: memref<3xi32>, %w: memref<32x64xbf16>, %v: memref<16x32xbf16>,
                    %a: memref<4x16x64xbf16, strided<[?, ?, 1]>>, %b: memref<4x32x16xbf16>, %y: memref<3x32xbf16>, %z: memref<3x16xbf16>) {
  frit.matmul ins(%x, %w : memref<3x64xbf16>, memref<32x64xbf16>) outs(%y : memref<3x32xbf16>) transpose_b {frit.kernel = #gemv}
  frit.lora_matmul ins(%x, %ids : memref<3x64xbf16>, memref<3xi32>)
    weights(%a, %b : memref<4x16x64xbf16, strided<[?, ?, 1]>>, memref<4x32x16xbf16>) outs(%y : memref<3x32xbf16>) {frit.kernel = #lora}
  frit.matmul ins(%y, %v : memref<3x32xbf16>, memref<16x32xbf16>) outs(%z : memref<3x16xbf16>) transpose_b {frit.kernel = #gemv}
  frit.matmul ins(%x, %w : memref<3x64xbf16>, memref<32x64xbf16>) outs(%y : memref<3x32xbf16>) transpose_b {frit.kernel = #gemv}
  return
}

// Unless the weights are what the branches write.
// CHECK-LABEL: func @branches_write(
// CHECK-COUNT-2: @frit_lora_decode_bf16
// CHECK-NOT:     _early
// CHECK:         return
func.func @branches_write(%context: !llvm.ptr, %x: memref<3x64xbf16>, %ids: memref<3xi32>, %v: memref<3x64xbf16>,
                          %a: memref<4x16x64xbf16, strided<[?, ?, 1]>>, %b: memref<4x64x16xbf16>, %y: memref<3x64xbf16>, %z: memref<3x3xbf16>) {
  frit.lora_matmul ins(%x, %ids : memref<3x64xbf16>, memref<3xi32>)
    weights(%a, %b : memref<4x16x64xbf16, strided<[?, ?, 1]>>, memref<4x64x16xbf16>) outs(%y : memref<3x64xbf16>) {frit.kernel = #lora}
  frit.matmul ins(%v, %y : memref<3x64xbf16>, memref<3x64xbf16>) outs(%z : memref<3x3xbf16>) transpose_b {frit.kernel = #gemv}
  return
}

// Without an else, what is before the branch may be the kernel ahead.
// CHECK-LABEL: func @first_in_block(
// CHECK:         @frit_matmul_gemv_bf16_tile8 blocks
// CHECK:         scf.if
// CHECK:           @frit_matmul_gemv_bf16_tile8_early blocks
// CHECK:         }
// CHECK:         @frit_matmul_gemv_bf16_tile8 blocks
// CHECK:         return
func.func @first_in_block(%context: !llvm.ptr, %x: memref<3x64xbf16>, %v: memref<64x64xbf16>, %w: memref<32x64xbf16>, %y: memref<3x32xbf16>,
                          %z: memref<3x3xbf16>, %chosen: i1) {
  %h = memref.alloc() : memref<3x64xbf16>
  frit.matmul ins(%x, %v : memref<3x64xbf16>, memref<64x64xbf16>) outs(%h : memref<3x64xbf16>) transpose_b {frit.kernel = #gemv}
  scf.if %chosen {
    frit.matmul ins(%h, %w : memref<3x64xbf16>, memref<32x64xbf16>) outs(%y : memref<3x32xbf16>) transpose_b {frit.kernel = #gemv}
  }
  frit.matmul ins(%x, %h : memref<3x64xbf16>, memref<3x64xbf16>) outs(%z : memref<3x3xbf16>) transpose_b {frit.kernel = #gemv}
  memref.dealloc %h : memref<3x64xbf16>
  return
}

// Of a sparse feed-forward network the gate's weights are asked for, by the first of its launches; with LoRA that is the one of the rank
// vectors, which lets the gate's begin.
// CHECK-LABEL: func @sparse_ffn(
// CHECK:         @frit_sparse_ffn_gate_bf16_tile8 blocks
// CHECK:         @frit_sparse_ffn_rows_bf16_tile1 blocks
// CHECK:         @frit_sparse_ffn_sum_bf16 blocks
// CHECK:         @frit_sparse_ffn_gate_bf16_tile8_early blocks
// CHECK:         @frit_sparse_ffn_rows_bf16_tile1 blocks
// CHECK:         @frit_sparse_ffn_sum_bf16 blocks
// CHECK:         @frit_sparse_ffn_hidden_bf16_early blocks
// CHECK:         @frit_sparse_ffn_gate_bf16_tile8_lora blocks
// CHECK:         @frit_sparse_ffn_dealt_bf16_lora blocks
// CHECK:         @frit_sparse_ffn_sum_bf16_lora blocks
func.func @sparse_ffn(%context: !llvm.ptr, %x: memref<1x64xbf16>, %ids: memref<1xi32>, %v: memref<96x64xbf16>, %w: memref<96x64xbf16>,
                      %up: memref<96x64xbf16>, %down: memref<96x64xbf16>, %a: memref<4x8x64xbf16>, %b: memref<4x96x8xbf16>, %y: memref<1x64xbf16>,
                      %z: memref<1x64xbf16>) {
  %h = memref.alloc() : memref<1x64xbf16>
  frit.sparse_ffn ins(%x : memref<1x64xbf16>) weights(%v, %up, %down : memref<96x64xbf16>, memref<96x64xbf16>, memref<96x64xbf16>)
    outs(%h : memref<1x64xbf16>) std_multiplier = 1.5 down_layout = dh {frit.kernel = #ffn}
  frit.sparse_ffn ins(%h : memref<1x64xbf16>) weights(%w, %up, %down : memref<96x64xbf16>, memref<96x64xbf16>, memref<96x64xbf16>)
    outs(%y : memref<1x64xbf16>) std_multiplier = 1.5 down_layout = dh accumulate = true {frit.kernel = #ffn}
  frit.sparse_ffn ins(%y, %ids : memref<1x64xbf16>, memref<1xi32>) weights(%w, %up, %down : memref<96x64xbf16>, memref<96x64xbf16>, memref<96x64xbf16>)
    up_lora(%a, %b : memref<4x8x64xbf16>, memref<4x96x8xbf16>) outs(%z : memref<1x64xbf16>) std_multiplier = 1.5 down_layout = dh {frit.kernel = #ffn_lora}
  memref.dealloc %h : memref<1x64xbf16>
  return
}

// Where ranges of columns have blocks, LoRAs gain nothing by it.
// CHECK-LABEL: func @sparse_ffn_ranges(
// CHECK-NOT:     _early
// CHECK:         return
func.func @sparse_ffn_ranges(%context: !llvm.ptr, %x: memref<1x64xbf16>, %ids: memref<1xi32>, %w: memref<96x64xbf16>, %up: memref<96x64xbf16>,
                             %down: memref<96x64xbf16>, %a: memref<4x8x64xbf16>, %b: memref<4x96x8xbf16>, %y: memref<1x64xbf16>, %z: memref<1x64xbf16>) {
  frit.sparse_ffn ins(%x : memref<1x64xbf16>) weights(%w, %up, %down : memref<96x64xbf16>, memref<96x64xbf16>, memref<96x64xbf16>)
    outs(%y : memref<1x64xbf16>) std_multiplier = 1.5 down_layout = dh {frit.kernel = #ffn}
  frit.sparse_ffn ins(%y, %ids : memref<1x64xbf16>, memref<1xi32>) weights(%w, %up, %down : memref<96x64xbf16>, memref<96x64xbf16>, memref<96x64xbf16>)
    up_lora(%a, %b : memref<4x8x64xbf16>, memref<4x96x8xbf16>) outs(%z : memref<1x64xbf16>) std_multiplier = 1.5 down_layout = dh {frit.kernel = #ffn_lora_ranges}
  return
}

// Not where the kernel ahead writes the gate's weights.
// CHECK-LABEL: func @sparse_ffn_gate_written(
// CHECK-NOT:     _early
// CHECK:         return
func.func @sparse_ffn_gate_written(%context: !llvm.ptr, %x: memref<1x64xbf16>, %w: memref<8x64xbf16>, %up: memref<8x64xbf16>, %down: memref<8x64xbf16>,
                                   %u: memref<64x64xbf16>, %y: memref<1x64xbf16>) {
  %v = memref.alloc() : memref<8x64xbf16>
  frit.matmul ins(%w, %u : memref<8x64xbf16>, memref<64x64xbf16>) outs(%v : memref<8x64xbf16>) transpose_b {frit.kernel = #gemv}
  frit.sparse_ffn ins(%x : memref<1x64xbf16>) weights(%v, %up, %down : memref<8x64xbf16>, memref<8x64xbf16>, memref<8x64xbf16>)
    outs(%y : memref<1x64xbf16>) std_multiplier = 1.5 down_layout = dh {frit.kernel = #ffn}
  memref.dealloc %v : memref<8x64xbf16>
  return
}

// Nor where it writes adapters, here by way of a view. The rows of up are read after the wait.
// CHECK-LABEL: func @sparse_ffn_others_written(
// CHECK:         @frit_sparse_ffn_gate_bf16_tile8_early blocks
// CHECK:         @frit_sparse_ffn_hidden_bf16 blocks
func.func @sparse_ffn_others_written(%context: !llvm.ptr, %x: memref<1x64xbf16>, %ids: memref<1xi32>, %w: memref<8x64xbf16>, %v: memref<8x64xbf16>,
                                     %up: memref<8x64xbf16>, %down: memref<8x64xbf16>, %u: memref<64x64xbf16>, %a: memref<4x8x64xbf16>,
                                     %b: memref<4x8x8xbf16>, %y: memref<1x64xbf16>) {
  frit.matmul ins(%w, %u : memref<8x64xbf16>, memref<64x64xbf16>) outs(%up : memref<8x64xbf16>) transpose_b {frit.kernel = #gemv}
  frit.sparse_ffn ins(%x : memref<1x64xbf16>) weights(%v, %up, %down : memref<8x64xbf16>, memref<8x64xbf16>, memref<8x64xbf16>)
    outs(%y : memref<1x64xbf16>) std_multiplier = 1.5 down_layout = dh {frit.kernel = #ffn}
  %a_row = memref.collapse_shape %a [[0, 1], [2]] : memref<4x8x64xbf16> into memref<32x64xbf16>
  %some = memref.subview %a_row[0, 0] [8, 64] [1, 1] : memref<32x64xbf16> to memref<8x64xbf16, strided<[64, 1]>>
  frit.matmul ins(%w, %u : memref<8x64xbf16>, memref<64x64xbf16>) outs(%some : memref<8x64xbf16, strided<[64, 1]>>) transpose_b {frit.kernel = #gemv}
  frit.sparse_ffn ins(%x, %ids : memref<1x64xbf16>, memref<1xi32>) weights(%v, %up, %down : memref<8x64xbf16>, memref<8x64xbf16>, memref<8x64xbf16>)
    up_lora(%a, %b : memref<4x8x64xbf16>, memref<4x8x8xbf16>) outs(%y : memref<1x64xbf16>) std_multiplier = 1.5 down_layout = dh {frit.kernel = #ffn_lora}
  return
}

// Nothing writes to constants.
// CHECK-LABEL: func @constants(
// CHECK:         @frit_matmul_gemv_bf16_tile8 blocks
// CHECK:         @frit_matmul_gemv_bf16_tile8_early blocks
memref.global "private" constant @v : memref<64x64xbf16> = dense<1.0>
memref.global "private" constant @w : memref<64x64xbf16> = dense<2.0>
func.func @constants(%context: !llvm.ptr, %x: memref<3x64xbf16>, %y: memref<3x32xbf16>) {
  %h = memref.alloc() : memref<3x64xbf16>
  %v = memref.get_global @v : memref<64x64xbf16>
  %w = memref.get_global @w : memref<64x64xbf16>
  %part = memref.subview %w[0, 0] [32, 64] [1, 1] : memref<64x64xbf16> to memref<32x64xbf16, strided<[64, 1]>>
  frit.matmul ins(%x, %v : memref<3x64xbf16>, memref<64x64xbf16>) outs(%h : memref<3x64xbf16>) transpose_b {frit.kernel = #gemv}
  frit.matmul ins(%h, %part : memref<3x64xbf16>, memref<32x64xbf16, strided<[64, 1]>>) outs(%y : memref<3x32xbf16>) transpose_b {frit.kernel = #gemv}
  memref.dealloc %h : memref<3x64xbf16>
  return
}

// A global that is no constant may be written anywhere.
// CHECK-LABEL: func @variable(
// CHECK-NOT:     _early
// CHECK:         return
memref.global "private" @u : memref<32x64xbf16> = dense<1.0>
func.func @variable(%context: !llvm.ptr, %x: memref<3x64xbf16>, %v: memref<64x64xbf16>, %y: memref<3x32xbf16>) {
  %h = memref.alloc() : memref<3x64xbf16>
  %u = memref.get_global @u : memref<32x64xbf16>
  frit.matmul ins(%x, %v : memref<3x64xbf16>, memref<64x64xbf16>) outs(%h : memref<3x64xbf16>) transpose_b {frit.kernel = #gemv}
  frit.matmul ins(%h, %u : memref<3x64xbf16>, memref<32x64xbf16>) outs(%y : memref<3x32xbf16>) transpose_b {frit.kernel = #gemv}
  memref.dealloc %h : memref<3x64xbf16>
  return
}
