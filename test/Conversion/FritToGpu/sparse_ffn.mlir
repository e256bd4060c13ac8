// The sparse feed-forward network of few tokens: three launches that share one workspace, four with LoRAs.
// REQUIRES: cuda-kernels
// RUN: split-file %s %t
// RUN: %frit_opt %t/launch.mlir --pass-pipeline='builtin.module(convert-frit-to-gpu,canonicalize,cse)' | FileCheck %t/launch.mlir
// RUN: %frit_opt %t/select.mlir --verify-diagnostics --remarks-filter='frit-select-kernels' --pass-pipeline='builtin.module(frit-select-kernels{target=cuda:sm_90a})' | FileCheck %t/select.mlir
// RUN: %frit_opt %t/invariant.mlir --verify-diagnostics --remarks-filter='frit-select-kernels' --pass-pipeline='builtin.module(frit-select-kernels{target=cuda:sm_90a policy=batch-invariant})' | FileCheck %t/invariant.mlir
// RUN: %frit_opt %t/refuse_invalid.mlir --verify-diagnostics --pass-pipeline='builtin.module(frit-select-kernels{target=cuda:sm_90a policy=require=cuda})'
// RUN: %frit_opt %t/old_invalid.mlir --verify-diagnostics --pass-pipeline='builtin.module(frit-select-kernels{target=cuda:sm_80 policy=require=cuda})'

//--- launch.mlir
// The workspace has the gate's values, the shares of the output, and the moments of the gate's blocks.
// CHECK-LABEL: func @bf16(
// CHECK-SAME:    %{{.*}}: !llvm.ptr, %[[X:.*]]: memref<3x2048xbf16, strided<[?, 1], offset: ?>>
// CHECK-DAG:     %[[C1:.*]] = arith.constant 1 : index
// CHECK-DAG:     %[[C3:.*]] = arith.constant 3 : index
// CHECK-DAG:     %[[TILES:.*]] = arith.constant 1024 : index
// CHECK-DAG:     %[[GATE_THREADS:.*]] = arith.constant 256 : index
// CHECK-DAG:     %[[GATE_SHARED:.*]] = arith.constant 98304 : i32
// CHECK-DAG:     %[[RANGES:.*]] = arith.constant 128 : index
// CHECK-DAG:     %[[ROWS_THREADS:.*]] = arith.constant 512 : index
// CHECK-DAG:     %[[ROWS_SHARED:.*]] = arith.constant 147456 : i32
// CHECK-DAG:     %[[SUM_GRID:.*]] = arith.constant 64 : index
// CHECK-DAG:     %[[T:.*]] = arith.constant 3 : i64
// CHECK-DAG:     %[[D:.*]] = arith.constant 16384 : i64
// CHECK-DAG:     %[[H:.*]] = arith.constant 2048 : i64
// CHECK-DAG:     %[[SHARES:.*]] = arith.constant 128 : i64
// CHECK-DAG:     %[[ZERO:.*]] = arith.constant 0 : i64
// CHECK-DAG:     %[[NONE:.*]] = arith.constant 0 : i32
// CHECK-DAG:     %[[MULTIPLIER:.*]] = arith.constant 1.64485359 : f32
// CHECK-DAG:     %[[SUMS_BYTE:.*]] = arith.constant 98304 : index
// CHECK-DAG:     %[[PARTS_BYTE:.*]] = arith.constant 3244032 : index
// CHECK:         llvm.call @fritDeviceAttribute
// CHECK:         %[[MULTIPROCESSORS:.*]] = arith.index_cast
// CHECK:         %[[WORKSPACE:.*]] = memref.alloc() : memref<3293184xi8>
// CHECK-NEXT:    %[[ANY:.*]] = memref.cast %[[WORKSPACE]]
// CHECK:         %[[RESIDENT:.*]] = arith.muli %[[MULTIPROCESSORS]], %{{.*}}
// CHECK:         %[[FIT:.*]] = arith.minsi %[[RESIDENT]], %[[TILES]]
// CHECK:         %[[BLOCKS:.*]] = arith.minsi %[[FIT]], %[[GATE_THREADS]]
// CHECK:         %[[PARTS:.*]] = arith.maxsi %[[BLOCKS]], %[[C1]]
// CHECK:         %[[BASE:.*]] = memref.extract_aligned_pointer_as_index %[[ANY]]
// CHECK:         %[[GATE_AT:.*]] = llvm.inttoptr
// CHECK:         arith.addi %[[BASE]], %[[PARTS_BYTE]]
// CHECK:         %[[PARTS_AT:.*]] = llvm.inttoptr
// CHECK:         gpu.launch_func @frit_image_sparse_ffn_bf16::@frit_sparse_ffn_gate_bf16_tile8 blocks in (%[[PARTS]], %[[C1]], %[[C1]]) threads in (%[[GATE_THREADS]], %[[C1]], %[[C1]]) dynamic_shared_memory_size %[[GATE_SHARED]]
// CHECK-SAME:      args(%[[X_AT:[0-9]+]] : !llvm.ptr, %{{.*}} : !llvm.ptr, %[[GATE_AT]] : !llvm.ptr, %[[PARTS_AT]] : !llvm.ptr, %[[T]] : i64, %[[D]] : i64, %[[H]] : i64, %[[X_STRIDE:.*]] : i64, %[[H]] : i64, %[[D]] : i64)
// CHECK-SAME:      {frit.launch = #frit.launch<"cuda.sparse_ffn_tile4", [read, read, readwrite, readwrite, none, none, none, none, none, none], programmatic = true>}
// CHECK:         arith.addi %[[BASE]], %[[SUMS_BYTE]]
// CHECK:         %[[SUMS_AT:.*]] = llvm.inttoptr
// CHECK:         %[[PART_COUNT:.*]] = arith.index_cast %[[PARTS]] : index to i64
// CHECK:         gpu.launch_func @frit_image_sparse_ffn_bf16::@frit_sparse_ffn_rows_bf16_tile4 blocks in (%[[RANGES]], %[[C1]], %[[C1]]) threads in (%[[ROWS_THREADS]], %[[C1]], %[[C1]]) dynamic_shared_memory_size %[[ROWS_SHARED]]
// CHECK-SAME:      args(%[[X_AT]] : !llvm.ptr, %[[GATE_AT]] : !llvm.ptr, %[[PARTS_AT]] : !llvm.ptr, %{{.*}} : !llvm.ptr, %{{.*}} : !llvm.ptr, %[[SUMS_AT]] : !llvm.ptr, %[[T]] : i64, %[[D]] : i64, %[[H]] : i64, %[[PART_COUNT]] : i64, %[[X_STRIDE]] : i64, %[[D]] : i64, %[[H]] : i64, %[[H]] : i64, %[[MULTIPLIER]] : f32, %[[NONE]] : i32, %[[NONE]] : i32)
// CHECK:         gpu.launch_func @frit_image_sparse_ffn_bf16::@frit_sparse_ffn_sum_bf16 blocks in (%[[SUM_GRID]], %[[C3]], %[[C1]]) threads in (%[[GATE_THREADS]], %[[C1]], %[[C1]])
// CHECK-SAME:      args(%[[SUMS_AT]] : !llvm.ptr, %[[ZERO]] : i64, %{{.*}} : !llvm.ptr, %[[T]] : i64, %[[H]] : i64, %[[SHARES]] : i64, %[[ZERO]] : i64, %[[H]] : i64)
// CHECK-SAME:      {frit.launch = #frit.launch<"cuda.sparse_ffn_tile4", [readwrite, none, write, none, none, none, none, none], programmatic = true>}
// CHECK-NEXT:    memref.dealloc %[[WORKSPACE]]
func.func @bf16(%context: !llvm.ptr, %x: memref<3x2048xbf16, strided<[?, 1], offset: ?>>, %gate: memref<16384x2048xbf16>, %up: memref<16384x2048xbf16>, %down: memref<16384x2048xbf16>, %y: memref<3x2048xbf16>) -> i32 {
  frit.sparse_ffn ins(%x : memref<3x2048xbf16, strided<[?, 1], offset: ?>>) weights(%gate, %up, %down : memref<16384x2048xbf16>, memref<16384x2048xbf16>, memref<16384x2048xbf16>) outs(%y : memref<3x2048xbf16>) std_multiplier = 1.64485359 down_layout = dh
    {frit.kernel = #frit.kernel<"cuda.sparse_ffn_tile4", {cluster = 1 : i64, clusterRows = 1099511627776 : i64, inboxBytes = 0 : i64, resident = 2 : i64}>}
  %ok = arith.constant 0 : i32
  return %ok : i32
}

// Long rows of f32: clusters of four blocks share them, of which there are enough for all tiles; tokens and inbox are in
// shared memory, too. What is added to is read and written.
// CHECK-LABEL: func @f32(
// CHECK-DAG:     %[[C4:.*]] = arith.constant 4 : index
// CHECK-DAG:     %[[FLAGS:.*]] = arith.constant 3 : i32
// CHECK-DAG:     %[[CORRECTION:.*]] = arith.constant 1 : i32
// CHECK-DAG:     %[[GATE_SHARED:.*]] = arith.constant 155648 : i32
// CHECK-DAG:     %[[ROWS_SHARED:.*]] = arith.constant 216288 : i32
// CHECK-DAG:     %[[PADDED:.*]] = arith.constant 2312 : i64
// CHECK-DAG:     %[[FEWEST:.*]] = arith.constant 76 : index
// CHECK:         arith.divsi %{{.*}}, %[[C4]]
// CHECK:         %[[CLUSTERS:.*]] = arith.select
// CHECK:         %[[WHOLE:.*]] = arith.muli %[[CLUSTERS]], %[[C4]]
// CHECK:         %[[FEW:.*]] = arith.minsi %[[WHOLE]], %{{.*}}
// CHECK:         %[[FITS:.*]] = arith.minsi %[[FEW]], %{{.*}}
// CHECK:         %[[GRID:.*]] = arith.maxsi %[[FITS]], %[[FEWEST]]
// CHECK:         gpu.launch_func @frit_image_sparse_ffn_f32::@frit_sparse_ffn_gate_f32_tile16 clusters in (%[[C4]], %{{.*}}, %{{.*}}) blocks in (%[[GRID]], {{.*}} dynamic_shared_memory_size %[[GATE_SHARED]]
// CHECK-SAME:      %[[PADDED]] : i64)
// CHECK:         @frit_sparse_ffn_rows_f32_tile8 blocks in {{.*}} dynamic_shared_memory_size %[[ROWS_SHARED]]
// CHECK-SAME:      %[[CORRECTION]] : i32, %[[FLAGS]] : i32)
// CHECK:         @frit_sparse_ffn_sum_f32
// CHECK-SAME:      args(%{{.*}} : !llvm.ptr, %[[OUT:.*]] : !llvm.ptr, %[[OUT]] : !llvm.ptr, %{{.*}} : i64, %{{.*}} : i64, %{{.*}} : i64, %[[STRIDE:.*]] : i64, %[[STRIDE]] : i64) {frit.launch = #frit.launch<"cuda.sparse_ffn_tile16", [readwrite, readwrite, readwrite, none
func.func @f32(%context: !llvm.ptr, %x: memref<12x3001xf32>, %gate: memref<2305x3001xf32>, %up: memref<2305x3001xf32>, %down: memref<2305x3001xf32>, %y: memref<12x3001xf32>) -> i32 {
  frit.sparse_ffn ins(%x : memref<12x3001xf32>) weights(%gate, %up, %down : memref<2305x3001xf32>, memref<2305x3001xf32>, memref<2305x3001xf32>) outs(%y : memref<12x3001xf32>) std_multiplier = 1.0 down_layout = dh approximate = erf rounding = final correction = 1 accumulate = true
    {frit.kernel = #frit.kernel<"cuda.sparse_ffn_tile16", {cluster = 4 : i64, clusterRows = 128 : i64, inboxBytes = 8192 : i64, resident = 1 : i64}>}
  %ok = arith.constant 0 : i32
  return %ok : i32
}

// An unknown number of columns: the grid of clusters is at least as large as the tiles that a block can take ask for.
// CHECK-LABEL: func @any_columns(
// CHECK:         memref.alloc(%{{.*}}) : memref<?xi8>
// CHECK:         arith.divsi %{{.*}}, %c128
// CHECK:         %[[FEWEST:.*]] = arith.muli %{{.*}}, %c2
// CHECK:         %[[GRID:.*]] = arith.maxsi %{{.*}}, %[[FEWEST]]
// CHECK:         @frit_sparse_ffn_gate_bf16_tile8 clusters in {{.*}} blocks in (%[[GRID]],
func.func @any_columns(%context: !llvm.ptr, %x: memref<3x4096xbf16>, %gate: memref<?x4096xbf16>, %up: memref<?x4096xbf16>, %down: memref<?x4096xbf16>, %y: memref<3x4096xbf16>) -> i32 {
  frit.sparse_ffn ins(%x : memref<3x4096xbf16>) weights(%gate, %up, %down : memref<?x4096xbf16>, memref<?x4096xbf16>, memref<?x4096xbf16>) outs(%y : memref<3x4096xbf16>) std_multiplier = 1.5 down_layout = dh
    {frit.kernel = #frit.kernel<"cuda.sparse_ffn_tile4", {cluster = 2 : i64, clusterRows = 128 : i64, inboxBytes = 4096 : i64, resident = 1 : i64}>}
  %ok = arith.constant 0 : i32
  return %ok : i32
}

// No token: no launch.
// CHECK-LABEL: func @any_tokens(
// CHECK:         memref.alloc(%{{.*}}) : memref<?xi8>
// CHECK:         %[[IS_EMPTY:.*]] = arith.cmpi eq
// CHECK:         %[[GRID:.*]] = arith.select %[[IS_EMPTY]], %{{.*}}
// CHECK:         @frit_sparse_ffn_gate_f16_tile8 blocks in (%[[GRID]]
// CHECK:         %[[GRID:.*]] = arith.select %[[IS_EMPTY]], %{{.*}}
// CHECK:         @frit_sparse_ffn_rows_f16_tile8 blocks in (%[[GRID]]
// CHECK:         %[[GRID:.*]] = arith.select %[[IS_EMPTY]], %{{.*}}
// CHECK:         @frit_sparse_ffn_sum_f16 blocks in (%[[GRID]]
func.func @any_tokens(%context: !llvm.ptr, %x: memref<?x64xf16>, %gate: memref<96x64xf16>, %up: memref<96x64xf16>, %down: memref<96x64xf16>, %y: memref<?x64xf16>) -> i32 {
  frit.sparse_ffn ins(%x : memref<?x64xf16>) weights(%gate, %up, %down : memref<96x64xf16>, memref<96x64xf16>, memref<96x64xf16>) outs(%y : memref<?x64xf16>) std_multiplier = 1.0 down_layout = dh
    {frit.kernel = #frit.kernel<"cuda.sparse_ffn_tile8", {cluster = 1 : i64, clusterRows = 1099511627776 : i64, inboxBytes = 0 : i64, resident = 2 : i64}>}
  %ok = arith.constant 0 : i32
  return %ok : i32
}

// LoRAs of gate and down, f32: the rank vectors come first, of which those of up and its matrices are null. Matrices may have
// gaps; ranks are shared by the projections, scales are not.
// CHECK-LABEL: func @lora(
// CHECK-DAG:     %[[L:.*]] = arith.constant 4 : i64
// CHECK-DAG:     %[[R:.*]] = arith.constant 9 : i64
// CHECK-DAG:     %[[NULL:.*]] = arith.constant 0 : i64
// CHECK-DAG:     %[[FLAGS:.*]] = arith.constant 65546 : i32
// CHECK-DAG:     %[[A_GATE_STRIDE:.*]] = arith.constant 576 : i64
// CHECK-DAG:     %[[B_GATE_STRIDE:.*]] = arith.constant 864 : i64
// CHECK-DAG:     %[[A_DOWN_STRIDE:.*]] = arith.constant 1000 : i64
// CHECK-DAG:     %[[A_DOWN_ROW:.*]] = arith.constant 100 : i64
// CHECK-DAG:     %[[GATE_SCALE:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-DAG:     %[[DOWN_SCALE:.*]] = arith.constant 2.000000e+00 : f32
// CHECK-DAG:     %[[TWO:.*]] = arith.constant 2 : index
// CHECK-DAG:     %[[HIDDEN_BYTE:.*]] = arith.constant 66112 : index
// CHECK-DAG:     %[[UP_BYTE:.*]] = arith.constant 66208 : index
// CHECK-DAG:     %[[DOWN_BYTE:.*]] = arith.constant 66304 : index
// CHECK:         memref.alloc() : memref<78592xi8>
// CHECK:         %[[BASE:.*]] = memref.extract_aligned_pointer_as_index %{{.*}} : memref<?xi8>
// CHECK:         arith.addi %[[BASE]], %[[HIDDEN_BYTE]]
// CHECK:         %[[HIDDEN:.*]] = llvm.inttoptr
// CHECK:         gpu.launch_func @frit_image_sparse_ffn_bf16::@frit_sparse_ffn_hidden_bf16 blocks in (%[[TWO]], %[[TWO]], %[[TWO]]) threads in
// CHECK-SAME:      args(%[[X:[0-9]+]] : !llvm.ptr, %[[HIDDEN]] : !llvm.ptr, %[[H:.*]] : i64, %[[H]] : i64, %[[IDS:[0-9]+]] : !llvm.ptr, %[[SCALES:[0-9]+]] : !llvm.ptr, %[[RANKS:[0-9]+]] : !llvm.ptr, %[[L]] : i64, %[[NULL]] : i64, %[[L]] : i64, %[[R]] : i64, %[[FLAGS]] : i32, %{{[0-9]+}} : !llvm.ptr, %[[A_GATE_STRIDE]] : i64, %[[H]] : i64, %[[NULL]] : i64, %[[NULL]] : i64, %[[NULL]] : i64)
// CHECK-SAME:      {frit.launch = #frit.launch<"cuda.sparse_ffn_lora_tile4", [read, readwrite, none, none, read, read, read, none, none, none, none, none, read, none, none, none, none, none], programmatic = true>}
// CHECK:         gpu.launch_func @frit_image_sparse_ffn_bf16::@frit_sparse_ffn_gate_bf16_tile8_lora
// CHECK-SAME:      %[[IDS]] : !llvm.ptr, %[[SCALES]] : !llvm.ptr, %[[RANKS]] : !llvm.ptr, %[[L]] : i64, %[[NULL]] : i64, %[[L]] : i64, %[[R]] : i64, %[[FLAGS]] : i32, %{{[0-9]+}} : !llvm.ptr, %[[B_GATE_STRIDE]] : i64, %[[R]] : i64, %[[HIDDEN]] : !llvm.ptr, %[[GATE_SCALE]] : f32)
// CHECK:         arith.addi %[[BASE]], %[[UP_BYTE]]
// CHECK:         %[[UP_HIDDEN:.*]] = llvm.inttoptr
// CHECK:         arith.addi %[[BASE]], %[[DOWN_BYTE]]
// CHECK:         %[[DOWN_HIDDEN:.*]] = llvm.inttoptr
// CHECK:         gpu.launch_func @frit_image_sparse_ffn_bf16::@frit_sparse_ffn_rows_bf16_tile4_lora
// CHECK-SAME:      %[[FLAGS]] : i32, %[[NULL]] : i64, %[[NULL]] : i64, %[[NULL]] : i64, %[[UP_HIDDEN]] : !llvm.ptr, %[[GATE_SCALE]] : f32, %{{[0-9]+}} : !llvm.ptr, %[[A_DOWN_STRIDE]] : i64, %[[A_DOWN_ROW]] : i64, %[[DOWN_HIDDEN]] : !llvm.ptr)
// CHECK:         gpu.launch_func @frit_image_sparse_ffn_bf16::@frit_sparse_ffn_sum_bf16_lora
// CHECK-SAME:      %[[FLAGS]] : i32, %{{[0-9]+}} : !llvm.ptr, %[[A_GATE_STRIDE]] : i64, %[[R]] : i64, %[[DOWN_HIDDEN]] : !llvm.ptr, %[[DOWN_SCALE]] : f32)
func.func @lora(%context: !llvm.ptr, %x: memref<2x64xbf16>, %ids: memref<2xi32>, %gate: memref<96x64xbf16>, %up: memref<96x64xbf16>, %down: memref<96x64xbf16>, %ag: memref<4x9x64xf32>, %bg: memref<4x96x9xf32>, %ad: memref<4x9x96xf32, strided<[1000, 100, 1]>>, %bd: memref<4x64x9xf32>, %scales: memref<3x4xf32>, %ranks: memref<4xi32>, %y: memref<2x64xbf16>) -> i32 {
  frit.sparse_ffn ins(%x, %ids : memref<2x64xbf16>, memref<2xi32>) weights(%gate, %up, %down : memref<96x64xbf16>, memref<96x64xbf16>, memref<96x64xbf16>) gate_lora(%ag, %bg : memref<4x9x64xf32>, memref<4x96x9xf32>) down_lora(%ad, %bd : memref<4x9x96xf32, strided<[1000, 100, 1]>>, memref<4x64x9xf32>) scales(%scales : memref<3x4xf32>) ranks(%ranks : memref<4xi32>) outs(%y : memref<2x64xbf16>) std_multiplier = 1.5 down_layout = dh down_scale = 2.0 intermediate = element lora_rounding = sum
    {frit.kernel = #frit.kernel<"cuda.sparse_ffn_lora_tile4", {cluster = 1 : i64, clusterRows = 1099511627776 : i64, inboxBytes = 0 : i64, resident = 2 : i64}>}
  %ok = arith.constant 0 : i32
  return %ok : i32
}

// Tokens with blocks of their own: half of the blocks each.
// CHECK-LABEL: func @dealt(
// CHECK-DAG:     %[[C1:.*]] = arith.constant 1 : index
// CHECK-DAG:     %[[C2:.*]] = arith.constant 2 : index
// CHECK-DAG:     %[[RANGES:.*]] = arith.constant 64 : index
// CHECK-DAG:     %[[SHARED:.*]] = arith.constant 135168 : i32
// CHECK:         @frit_sparse_ffn_gate_bf16_tile8 blocks
// CHECK:         @frit_sparse_ffn_dealt_bf16 blocks in (%[[RANGES]], %[[C2]], %[[C1]]) {{.*}} dynamic_shared_memory_size %[[SHARED]]
// CHECK:         @frit_sparse_ffn_sum_bf16 blocks
func.func @dealt(%context: !llvm.ptr, %x: memref<2x2048xbf16>, %gate: memref<16384x2048xbf16>, %up: memref<16384x2048xbf16>, %down: memref<16384x2048xbf16>, %y: memref<2x2048xbf16>) {
  frit.sparse_ffn ins(%x : memref<2x2048xbf16>) weights(%gate, %up, %down : memref<16384x2048xbf16>, memref<16384x2048xbf16>, memref<16384x2048xbf16>) outs(%y : memref<2x2048xbf16>) std_multiplier = 1.64485359 down_layout = dh
    {frit.kernel = #frit.kernel<"cuda.sparse_ffn_dealt2", {cluster = 1 : i64, clusterRows = 1099511627776 : i64, inboxBytes = 0 : i64, resident = 2 : i64}>}
  return
}

// Groups of blocks, whatever the number of columns, and room for as many rows as let two blocks fit on a multiprocessor.
// CHECK-LABEL: func @grouped(
// CHECK-DAG:     %[[BLOCKS:.*]] = arith.constant 16 : index
// CHECK-DAG:     %[[SHARED:.*]] = arith.constant 110592 : i32
// CHECK:         @frit_sparse_ffn_hidden_bf16 blocks
// CHECK:         @frit_sparse_ffn_gate_bf16_tile16_lora blocks
// CHECK:         @frit_sparse_ffn_grouped_bf16_lora blocks in (%[[BLOCKS]], %[[BLOCKS]], %{{.*}}) {{.*}} dynamic_shared_memory_size %[[SHARED]]
// CHECK:         @frit_sparse_ffn_sum_bf16_lora blocks
func.func @grouped(%context: !llvm.ptr, %x: memref<16x2048xbf16>, %ids: memref<16xi32>, %gate: memref<24x2048xbf16>, %up: memref<24x2048xbf16>, %down: memref<24x2048xbf16>, %a: memref<4x8x2048xbf16>, %b: memref<4x24x8xbf16>, %y: memref<16x2048xbf16>) {
  frit.sparse_ffn ins(%x, %ids : memref<16x2048xbf16>, memref<16xi32>) weights(%gate, %up, %down : memref<24x2048xbf16>, memref<24x2048xbf16>, memref<24x2048xbf16>) up_lora(%a, %b : memref<4x8x2048xbf16>, memref<4x24x8xbf16>) outs(%y : memref<16x2048xbf16>) std_multiplier = 1.64485359 down_layout = dh
    {frit.kernel = #frit.kernel<"cuda.sparse_ffn_lora_grouped16", {cluster = 1 : i64, clusterRows = 1099511627776 : i64, inboxBytes = 0 : i64, resident = 1 : i64}>}
  return
}

//--- select.mlir
// Nine tokens that share rows: the gate's larger tile, rows in two of eight.
// CHECK-LABEL: func @nine(
// CHECK:         frit.kernel = #frit.kernel<"cuda.sparse_ffn_tile16", {cluster = 2 : i64, clusterRows = 128 : i64, inboxBytes = 8192 : i64, resident = 1 : i64}>
func.func @nine(%x: tensor<9x4096xbf16>, %gate: tensor<16384x4096xbf16>, %up: tensor<16384x4096xbf16>, %down: tensor<16384x4096xbf16>, %y: tensor<9x4096xbf16>) -> tensor<9x4096xbf16> {
  // expected-remark @below {{[Missed] cuda.sparse_ffn_dealt1 |}}
  // expected-remark @below {{[Missed] cuda.sparse_ffn_dealt2 |}}
  // expected-remark @below {{[Missed] cuda.sparse_ffn_dealt4 |}}
  // expected-remark @below {{[Missed] cuda.sparse_ffn_grouped4 |}}
  // expected-remark @below {{[Missed] cuda.sparse_ffn_grouped8 | Category:frit-select-kernels | Function=nine | Reason="needs std_multiplier to be at least 1.5, but it is 1.4000"}}
  // expected-remark @below {{[Missed] cuda.sparse_ffn_grouped16 | Category:frit-select-kernels | Function=nine | Reason="needs std_multiplier to be at least 1.5, but it is 1.4000"}}
  // expected-remark @below {{[Missed] cuda.sparse_ffn_tile1 | Category:frit-select-kernels | Function=nine | Reason="needs T to be at most 1, but T is 9"}}
  // expected-remark @below {{[Missed] cuda.sparse_ffn_tile2}}
  // expected-remark @below {{[Missed] cuda.sparse_ffn_tile4}}
  // expected-remark @below {{[Missed] cuda.sparse_ffn_tile8 | Category:frit-select-kernels | Function=nine | Reason="needs T to be at most 8, but T is 9"}}
  // expected-remark @below {{[Passed] cuda.sparse_ffn_tile16 | Category:frit-select-kernels | Function=nine | Remark="admissible, with priority 41"}}
  // expected-remark @below {{[Missed] cuda.sparse_ffn_lora_dealt1 |}}
  // expected-remark @below {{[Missed] cuda.sparse_ffn_lora_dealt2 |}}
  // expected-remark @below {{[Missed] cuda.sparse_ffn_lora_dealt4 |}}
  // expected-remark @below {{[Missed] cuda.sparse_ffn_lora_grouped4 |}}
  // expected-remark @below {{[Missed] cuda.sparse_ffn_lora_grouped8 |}}
  // expected-remark @below {{[Missed] cuda.sparse_ffn_lora_grouped16 |}}
  // expected-remark @below {{[Missed] cuda.sparse_ffn_lora_tile1 |}}
  // expected-remark @below {{[Missed] cuda.sparse_ffn_lora_tile4}}
  // expected-remark @below {{[Missed] cuda.sparse_ffn_lora_tile8}}
  // expected-remark @below {{[Missed] cuda.sparse_ffn_lora_tile16}}
  // expected-remark @below {{[Missed] native.vector}}
  // expected-remark @below {{[Missed] native.linalg}}
  %0 = frit.sparse_ffn ins(%x : tensor<9x4096xbf16>) weights(%gate, %up, %down : tensor<16384x4096xbf16>, tensor<16384x4096xbf16>, tensor<16384x4096xbf16>) outs(%y : tensor<9x4096xbf16>) std_multiplier = 1.4 down_layout = dh -> tensor<9x4096xbf16>
  return %0 : tensor<9x4096xbf16>
}

// CHECK-LABEL: func @guarded(
// CHECK:         arith.cmpi sle, %{{.*}}, %c1
// CHECK:         "cuda.sparse_ffn_dealt1"
// CHECK:         "cuda.sparse_ffn_dealt2"
// CHECK:         "cuda.sparse_ffn_dealt4"
// CHECK:         "cuda.sparse_ffn_grouped8"
// CHECK:         "cuda.sparse_ffn_grouped16"
// CHECK:         "native.linalg"
func.func @guarded(%x: tensor<?x64xf16>, %gate: tensor<96x64xf16>, %up: tensor<96x64xf16>, %down: tensor<96x64xf16>, %y: tensor<?x64xf16>) -> tensor<?x64xf16> {
  // expected-remark @below {{[Passed] cuda.sparse_ffn_dealt1 | Category:frit-select-kernels | Function=guarded | Remark="where the run-time guard holds: T to be at most 1"}}
  // expected-remark @below {{[Passed] cuda.sparse_ffn_dealt2 |}}
  // expected-remark @below {{[Passed] cuda.sparse_ffn_dealt4 |}}
  // expected-remark @below {{[Missed] cuda.sparse_ffn_grouped4 |}}
  // expected-remark @below {{[Passed] cuda.sparse_ffn_grouped8 |}}
  // expected-remark @below {{[Passed] cuda.sparse_ffn_grouped16 | Category:frit-select-kernels | Function=guarded | Remark="where the run-time guard holds: T to be at most 16"}}
  // expected-remark @below {{[Missed] cuda.sparse_ffn_tile1 | Category:frit-select-kernels | Function=guarded | Reason="admissible, but where its guard holds 'cuda.sparse_ffn_dealt1' goes before it"}}
  // expected-remark @below {{[Missed] cuda.sparse_ffn_tile2}}
  // expected-remark @below {{[Missed] cuda.sparse_ffn_tile4}}
  // expected-remark @below {{[Missed] cuda.sparse_ffn_tile8}}
  // expected-remark @below {{[Missed] cuda.sparse_ffn_tile16}}
  // expected-remark @below {{[Missed] cuda.sparse_ffn_lora_dealt1 |}}
  // expected-remark @below {{[Missed] cuda.sparse_ffn_lora_dealt2 |}}
  // expected-remark @below {{[Missed] cuda.sparse_ffn_lora_dealt4 |}}
  // expected-remark @below {{[Missed] cuda.sparse_ffn_lora_grouped4 |}}
  // expected-remark @below {{[Missed] cuda.sparse_ffn_lora_grouped8 |}}
  // expected-remark @below {{[Missed] cuda.sparse_ffn_lora_grouped16 |}}
  // expected-remark @below {{[Missed] cuda.sparse_ffn_lora_tile1 |}}
  // expected-remark @below {{[Missed] cuda.sparse_ffn_lora_tile4}}
  // expected-remark @below {{[Missed] cuda.sparse_ffn_lora_tile8}}
  // expected-remark @below {{[Missed] cuda.sparse_ffn_lora_tile16}}
  // expected-remark @below {{[Missed] native.vector}}
  // expected-remark @below {{[Passed] native.linalg}}
  %0 = frit.sparse_ffn ins(%x : tensor<?x64xf16>) weights(%gate, %up, %down : tensor<96x64xf16>, tensor<96x64xf16>, tensor<96x64xf16>) outs(%y : tensor<?x64xf16>) std_multiplier = 1.5 down_layout = dh -> tensor<?x64xf16>
  return %0 : tensor<?x64xf16>
}

// An unknown number of columns is a number that the kernels are given: there only has to be one.
// CHECK-LABEL: func @any_columns(
// CHECK:         %[[D:.*]] = tensor.dim %{{.*}}, %c0
// CHECK:         %[[SOME:.*]] = arith.cmpi sge, %[[D]], %c1
// CHECK:         %[[FEW:.*]] = arith.cmpi sle, %{{.*}}, %c8192
// CHECK:         %[[FIT:.*]] = arith.andi %[[SOME]], %[[FEW]]
// CHECK:         scf.if %[[FIT]]
// CHECK:         "cuda.sparse_ffn_dealt4"
// CHECK:         arith.cmpi sle, %{{.*}}, %c16384
// CHECK:         "cuda.sparse_ffn_grouped4"
// CHECK:         arith.cmpi sge, %{{.*}}, %c1
// CHECK:         scf.if
// CHECK:         frit.kernel = #frit.kernel<"cuda.sparse_ffn_tile4", {cluster = 2 : i64, clusterRows = 128 : i64, inboxBytes = 4096 : i64, resident = 1 : i64}>
// CHECK:         "native.linalg"
func.func @any_columns(%x: tensor<3x4096xbf16>, %gate: tensor<?x4096xbf16>, %up: tensor<?x4096xbf16>, %down: tensor<?x4096xbf16>, %y: tensor<3x4096xbf16>) -> tensor<3x4096xbf16> {
  // expected-remark @below {{[Missed] cuda.sparse_ffn_dealt1 |}}
  // expected-remark @below {{[Missed] cuda.sparse_ffn_dealt2 |}}
  // expected-remark @below {{[Passed] cuda.sparse_ffn_dealt4 | Category:frit-select-kernels | Function=any_columns | Remark="where the run-time guard holds: d to be at least 1, d to be at most 8192"}}
  // expected-remark @below {{[Passed] cuda.sparse_ffn_grouped4 | Category:frit-select-kernels | Function=any_columns | Remark="where the run-time guard holds: d to be at least 1, d to be at most 16384"}}
  // expected-remark @below {{[Missed] cuda.sparse_ffn_grouped8 |}}
  // expected-remark @below {{[Missed] cuda.sparse_ffn_grouped16 |}}
  // expected-remark @below {{[Missed] cuda.sparse_ffn_tile1 |}}
  // expected-remark @below {{[Missed] cuda.sparse_ffn_tile2}}
  // expected-remark @below {{[Passed] cuda.sparse_ffn_tile4 | Category:frit-select-kernels | Function=any_columns | Remark="where the run-time guard holds: d to be at least 1"}}
  // expected-remark @below {{[Missed] cuda.sparse_ffn_tile8 | Category:frit-select-kernels | Function=any_columns | Reason="admissible, but where its guard holds 'cuda.sparse_ffn_tile4' goes before it"}}
  // expected-remark @below {{[Missed] cuda.sparse_ffn_tile16}}
  // expected-remark @below {{[Missed] cuda.sparse_ffn_lora_dealt1 |}}
  // expected-remark @below {{[Missed] cuda.sparse_ffn_lora_dealt2 |}}
  // expected-remark @below {{[Missed] cuda.sparse_ffn_lora_dealt4 |}}
  // expected-remark @below {{[Missed] cuda.sparse_ffn_lora_grouped4 |}}
  // expected-remark @below {{[Missed] cuda.sparse_ffn_lora_grouped8 |}}
  // expected-remark @below {{[Missed] cuda.sparse_ffn_lora_grouped16 |}}
  // expected-remark @below {{[Missed] cuda.sparse_ffn_lora_tile1 |}}
  // expected-remark @below {{[Missed] cuda.sparse_ffn_lora_tile4}}
  // expected-remark @below {{[Missed] cuda.sparse_ffn_lora_tile8}}
  // expected-remark @below {{[Missed] cuda.sparse_ffn_lora_tile16}}
  // expected-remark @below {{[Missed] native.vector}}
  // expected-remark @below {{[Passed] native.linalg}}
  %0 = frit.sparse_ffn ins(%x : tensor<3x4096xbf16>) weights(%gate, %up, %down : tensor<?x4096xbf16>, tensor<?x4096xbf16>, tensor<?x4096xbf16>) outs(%y : tensor<3x4096xbf16>) std_multiplier = 1.5 down_layout = dh -> tensor<3x4096xbf16>
  return %0 : tensor<3x4096xbf16>
}

//--- invariant.mlir
// CHECK: "native.linalg"
func.func @invariant(%x: tensor<?x64xf16>, %gate: tensor<96x64xf16>, %up: tensor<96x64xf16>, %down: tensor<96x64xf16>, %y: tensor<?x64xf16>) -> tensor<?x64xf16> {
  // expected-remark @below {{[Missed] cuda.sparse_ffn_dealt1 |}}
  // expected-remark @below {{[Missed] cuda.sparse_ffn_dealt2 |}}
  // expected-remark @below {{[Missed] cuda.sparse_ffn_dealt4 |}}
  // expected-remark @below {{[Missed] cuda.sparse_ffn_grouped4 |}}
  // expected-remark @below {{[Missed] cuda.sparse_ffn_grouped8 |}}
  // expected-remark @below {{[Missed] cuda.sparse_ffn_grouped16 |}}
  // expected-remark @below {{[Missed] cuda.sparse_ffn_tile1 | Category:frit-select-kernels | Function=invariant | Reason="needs T to be at most 1, and a batch-invariant choice must not depend on the number of tokens"}}
  // expected-remark @below {{[Missed] cuda.sparse_ffn_tile2}}
  // expected-remark @below {{[Missed] cuda.sparse_ffn_tile4}}
  // expected-remark @below {{[Missed] cuda.sparse_ffn_tile8}}
  // expected-remark @below {{[Missed] cuda.sparse_ffn_tile16}}
  // expected-remark @below {{[Missed] cuda.sparse_ffn_lora_dealt1 |}}
  // expected-remark @below {{[Missed] cuda.sparse_ffn_lora_dealt2 |}}
  // expected-remark @below {{[Missed] cuda.sparse_ffn_lora_dealt4 |}}
  // expected-remark @below {{[Missed] cuda.sparse_ffn_lora_grouped4 |}}
  // expected-remark @below {{[Missed] cuda.sparse_ffn_lora_grouped8 |}}
  // expected-remark @below {{[Missed] cuda.sparse_ffn_lora_grouped16 |}}
  // expected-remark @below {{[Missed] cuda.sparse_ffn_lora_tile1 |}}
  // expected-remark @below {{[Missed] cuda.sparse_ffn_lora_tile4}}
  // expected-remark @below {{[Missed] cuda.sparse_ffn_lora_tile8}}
  // expected-remark @below {{[Missed] cuda.sparse_ffn_lora_tile16}}
  // expected-remark @below {{[Missed] native.vector}}
  // expected-remark @below {{[Passed] native.linalg}}
  // expected-remark @below {{the policy costs 'cuda.sparse_ffn_dealt1' (priority 51)}}
  %0 = frit.sparse_ffn ins(%x : tensor<?x64xf16>) weights(%gate, %up, %down : tensor<96x64xf16>, tensor<96x64xf16>, tensor<96x64xf16>) outs(%y : tensor<?x64xf16>) std_multiplier = 1.5 down_layout = dh -> tensor<?x64xf16>
  return %0 : tensor<?x64xf16>
}

//--- refuse_invalid.mlir
func.func @wide(%x: tensor<17x64xbf16>, %gate: tensor<16392x64xbf16>, %up: tensor<16392x64xbf16>, %down: tensor<16392x64xbf16>, %y: tensor<17x64xbf16>) -> tensor<17x64xbf16> {
  // expected-error @below {{has no admissible kernel}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_dealt1': needs d to be at most 16384, but d is 16392}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_dealt2'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_dealt4'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_grouped4'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_grouped8'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_grouped16'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_tile1': needs T to be at most 1, but T is 17}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_tile2'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_tile4'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_tile8'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_tile16'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_lora_dealt1'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_lora_dealt2'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_lora_dealt4'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_lora_grouped4'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_lora_grouped8'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_lora_grouped16'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_lora_tile1'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_lora_tile4'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_lora_tile8'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_lora_tile16'}}
  // expected-note @below {{candidate 'native.vector'}}
  // expected-note @below {{candidate 'native.linalg'}}
  %0 = frit.sparse_ffn ins(%x : tensor<17x64xbf16>) weights(%gate, %up, %down : tensor<16392x64xbf16>, tensor<16392x64xbf16>, tensor<16392x64xbf16>) outs(%y : tensor<17x64xbf16>) std_multiplier = 1.5 down_layout = dh -> tensor<17x64xbf16>
  return %0 : tensor<17x64xbf16>
}

func.func @many(%x: tensor<17x64xbf16>, %gate: tensor<96x64xbf16>, %up: tensor<96x64xbf16>, %down: tensor<96x64xbf16>, %y: tensor<17x64xbf16>) -> tensor<17x64xbf16> {
  // expected-error @below {{has no admissible kernel (target cuda:sm_90a, policy require=cuda)}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_dealt1'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_dealt2'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_dealt4'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_grouped4'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_grouped8'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_grouped16'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_tile1'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_tile2'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_tile4'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_tile8'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_tile16': needs T to be at most 16, but T is 17}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_lora_dealt1'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_lora_dealt2'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_lora_dealt4'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_lora_grouped4'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_lora_grouped8'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_lora_grouped16'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_lora_tile1'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_lora_tile4'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_lora_tile8'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_lora_tile16'}}
  // expected-note @below {{candidate 'native.vector'}}
  // expected-note @below {{candidate 'native.linalg'}}
  %0 = frit.sparse_ffn ins(%x : tensor<17x64xbf16>) weights(%gate, %up, %down : tensor<96x64xbf16>, tensor<96x64xbf16>, tensor<96x64xbf16>) outs(%y : tensor<17x64xbf16>) std_multiplier = 1.5 down_layout = dh -> tensor<17x64xbf16>
  return %0 : tensor<17x64xbf16>
}

func.func @layout(%x: tensor<1x64xbf16>, %gate: tensor<96x64xbf16>, %up: tensor<96x64xbf16>, %down: tensor<64x96xbf16>, %y: tensor<1x64xbf16>) -> tensor<1x64xbf16> {
  // expected-error @below {{has no admissible kernel}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_dealt1'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_dealt2'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_dealt4'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_grouped4'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_grouped8'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_grouped16'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_tile1': needs down_layout dh, but it is hd}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_tile2'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_tile4'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_tile8'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_tile16': needs down_layout dh, but it is hd}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_lora_dealt1'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_lora_dealt2'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_lora_dealt4'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_lora_grouped4'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_lora_grouped8'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_lora_grouped16'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_lora_tile1'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_lora_tile4'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_lora_tile8'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_lora_tile16'}}
  // expected-note @below {{candidate 'native.vector'}}
  // expected-note @below {{candidate 'native.linalg'}}
  %0 = frit.sparse_ffn ins(%x : tensor<1x64xbf16>) weights(%gate, %up, %down : tensor<96x64xbf16>, tensor<96x64xbf16>, tensor<64x96xbf16>) outs(%y : tensor<1x64xbf16>) std_multiplier = 1.5 down_layout = hd -> tensor<1x64xbf16>
  return %0 : tensor<1x64xbf16>
}

func.func @lora(%x: tensor<1x64xbf16>, %ids: tensor<1xi32>, %gate: tensor<96x64xbf16>, %up: tensor<96x64xbf16>, %down: tensor<64x96xbf16>, %a: tensor<4x8x64xbf16>, %b: tensor<4x96x8xbf16>, %y: tensor<1x64xbf16>) -> tensor<1x64xbf16> {
  // expected-error @below {{has no admissible kernel}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_dealt1'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_dealt2'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_dealt4'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_grouped4'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_grouped8'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_grouped16'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_tile1': needs an op without LoRA, but up has one}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_tile2'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_tile4'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_tile8'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_tile16'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_lora_dealt1'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_lora_dealt2'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_lora_dealt4'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_lora_grouped4'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_lora_grouped8'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_lora_grouped16'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_lora_tile1': needs down_layout dh, but it is hd}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_lora_tile4'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_lora_tile8'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_lora_tile16'}}
  // expected-note @below {{candidate 'native.vector'}}
  // expected-note @below {{candidate 'native.linalg'}}
  %0 = frit.sparse_ffn ins(%x, %ids : tensor<1x64xbf16>, tensor<1xi32>) weights(%gate, %up, %down : tensor<96x64xbf16>, tensor<96x64xbf16>, tensor<64x96xbf16>) up_lora(%a, %b : tensor<4x8x64xbf16>, tensor<4x96x8xbf16>) outs(%y : tensor<1x64xbf16>) std_multiplier = 1.5 down_layout = hd -> tensor<1x64xbf16>
  return %0 : tensor<1x64xbf16>
}

func.func @any_width(%x: tensor<1x?xbf16>, %gate: tensor<96x?xbf16>, %up: tensor<96x?xbf16>, %down: tensor<96x?xbf16>, %y: tensor<1x?xbf16>) -> tensor<1x?xbf16> {
  // expected-error @below {{has no admissible kernel}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_dealt1'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_dealt2'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_dealt4'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_grouped4'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_grouped8'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_grouped16'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_tile1': needs H to be known and at least 1, but it is known only at run time}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_tile2'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_tile4'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_tile8'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_tile16'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_lora_dealt1'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_lora_dealt2'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_lora_dealt4'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_lora_grouped4'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_lora_grouped8'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_lora_grouped16'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_lora_tile1'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_lora_tile4'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_lora_tile8'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_lora_tile16'}}
  // expected-note @below {{candidate 'native.vector'}}
  // expected-note @below {{candidate 'native.linalg'}}
  %0 = frit.sparse_ffn ins(%x : tensor<1x?xbf16>) weights(%gate, %up, %down : tensor<96x?xbf16>, tensor<96x?xbf16>, tensor<96x?xbf16>) outs(%y : tensor<1x?xbf16>) std_multiplier = 1.5 down_layout = dh -> tensor<1x?xbf16>
  return %0 : tensor<1x?xbf16>
}

func.func @no_columns(%x: tensor<1x64xbf16>, %gate: tensor<0x64xbf16>, %up: tensor<0x64xbf16>, %down: tensor<0x64xbf16>, %y: tensor<1x64xbf16>) -> tensor<1x64xbf16> {
  // expected-error @below {{has no admissible kernel}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_dealt1'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_dealt2'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_dealt4'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_grouped4'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_grouped8'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_grouped16'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_tile1': needs d to be at least 1, but d is 0}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_tile2'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_tile4'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_tile8'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_tile16'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_lora_dealt1'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_lora_dealt2'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_lora_dealt4'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_lora_grouped4'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_lora_grouped8'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_lora_grouped16'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_lora_tile1'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_lora_tile4'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_lora_tile8'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_lora_tile16'}}
  // expected-note @below {{candidate 'native.vector'}}
  // expected-note @below {{candidate 'native.linalg'}}
  %0 = frit.sparse_ffn ins(%x : tensor<1x64xbf16>) weights(%gate, %up, %down : tensor<0x64xbf16>, tensor<0x64xbf16>, tensor<0x64xbf16>) outs(%y : tensor<1x64xbf16>) std_multiplier = 1.5 down_layout = dh -> tensor<1x64xbf16>
  return %0 : tensor<1x64xbf16>
}

// 37552 elements: three rows fit, four do not.
func.func @long_rows(%x: tensor<2x37552xbf16>, %gate: tensor<96x37552xbf16>, %up: tensor<96x37552xbf16>, %down: tensor<96x37552xbf16>, %y: tensor<2x37552xbf16>) -> tensor<2x37552xbf16> {
  // expected-error @below {{has no admissible kernel}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_dealt1'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_dealt2'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_dealt4'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_grouped4'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_grouped8'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_grouped16'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_tile1': needs shared memory for 3 rows of H elements: 225280 bytes, but H is 37552}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_tile2'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_tile4'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_tile8'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_tile16': needs shared memory for 10 rows of H elements: 225280 bytes, but H is 37552}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_lora_dealt1'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_lora_dealt2'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_lora_dealt4'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_lora_grouped4'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_lora_grouped8'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_lora_grouped16'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_lora_tile1'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_lora_tile4'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_lora_tile8'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_lora_tile16'}}
  // expected-note @below {{candidate 'native.vector'}}
  // expected-note @below {{candidate 'native.linalg'}}
  %0 = frit.sparse_ffn ins(%x : tensor<2x37552xbf16>) weights(%gate, %up, %down : tensor<96x37552xbf16>, tensor<96x37552xbf16>, tensor<96x37552xbf16>) outs(%y : tensor<2x37552xbf16>) std_multiplier = 1.5 down_layout = dh -> tensor<2x37552xbf16>
  return %0 : tensor<2x37552xbf16>
}

//--- old_invalid.mlir
func.func @old(%x: tensor<1x64xbf16>, %gate: tensor<96x64xbf16>, %up: tensor<96x64xbf16>, %down: tensor<96x64xbf16>, %y: tensor<1x64xbf16>) -> tensor<1x64xbf16> {
  // expected-error @below {{has no admissible kernel}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_dealt1'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_dealt2'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_dealt4'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_grouped4'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_grouped8'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_grouped16'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_tile1': runs on sm_90 and later, but the target is cuda:sm_80}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_tile2'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_tile4'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_tile8'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_tile16'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_lora_dealt1'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_lora_dealt2'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_lora_dealt4'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_lora_grouped4'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_lora_grouped8'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_lora_grouped16'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_lora_tile1'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_lora_tile4'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_lora_tile8'}}
  // expected-note @below {{candidate 'cuda.sparse_ffn_lora_tile16'}}
  // expected-note @below {{candidate 'native.vector'}}
  // expected-note @below {{candidate 'native.linalg'}}
  %0 = frit.sparse_ffn ins(%x : tensor<1x64xbf16>) weights(%gate, %up, %down : tensor<96x64xbf16>, tensor<96x64xbf16>, tensor<96x64xbf16>) outs(%y : tensor<1x64xbf16>) std_multiplier = 1.5 down_layout = dh -> tensor<1x64xbf16>
  return %0 : tensor<1x64xbf16>
}
