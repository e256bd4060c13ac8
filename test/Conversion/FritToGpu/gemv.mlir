// Matmuls of few tokens by own kernels.
// REQUIRES: cuda-kernels
// RUN: split-file %s %t
// RUN: %frit_opt %t/launch.mlir --pass-pipeline='builtin.module(convert-frit-to-gpu,canonicalize,cse)' | FileCheck %t/launch.mlir
// RUN: %frit_opt %t/select.mlir --verify-diagnostics --remarks-filter='frit-select-kernels' --pass-pipeline='builtin.module(frit-select-kernels{target=cuda:sm_90a policy=require=cuda})' | FileCheck %t/select.mlir
// RUN: %frit_opt %t/lora.mlir --pass-pipeline='builtin.module(frit-select-kernels{target=cuda:sm_90a policy=require=cuda})' | FileCheck %t/lora.mlir
// RUN: %frit_opt %t/refuse_invalid.mlir --verify-diagnostics --pass-pipeline='builtin.module(frit-select-kernels{target=cuda:sm_90a policy=require=cuda})'

//--- launch.mlir
// A block for each multiprocessor at most, eight tokens; strides as they are.
// CHECK-LABEL: func @bf16(
// CHECK-SAME:    %[[CONTEXT:.*]]: !llvm.ptr, %[[X:.*]]: memref<3x2048xbf16, strided<[?, 1], offset: ?>>, %[[W:.*]]: memref<100x2048xbf16>, %[[Y:.*]]: memref<3x100xbf16>)
// CHECK-DAG:     %[[C1:.*]] = arith.constant 1 : index
// CHECK-DAG:     %[[THREADS:.*]] = arith.constant 256 : index
// CHECK-DAG:     %[[SHARED:.*]] = arith.constant 98304 : i32
// CHECK-DAG:     %[[T:.*]] = arith.constant 3 : i64
// CHECK-DAG:     %[[N:.*]] = arith.constant 100 : i64
// CHECK-DAG:     %[[K:.*]] = arith.constant 2048 : i64
// CHECK-DAG:     %[[ADDS:.*]] = arith.constant 0 : i32
// CHECK:         gpu.launch_func @frit_image_matmul_gemv::@frit_matmul_gemv_bf16_tile8 blocks in (%{{.*}}, %[[C1]], %[[C1]]) threads in (%[[THREADS]], %[[C1]], %[[C1]]) dynamic_shared_memory_size %[[SHARED]] args(%{{.*}} : !llvm.ptr, %{{.*}} : !llvm.ptr, %{{.*}} : !llvm.ptr, %[[T]] : i64, %[[N]] : i64, %[[K]] : i64, %{{.*}} : i64, %[[K]] : i64, %[[N]] : i64, %[[ADDS]] : i32) {frit.launch = #frit.launch<"cuda.gemv_tile8", [read, read, write, none, none, none, none, none, none, none], programmatic = true>}
func.func @bf16(%context: !llvm.ptr, %x: memref<3x2048xbf16, strided<[?, 1], offset: ?>>, %w: memref<100x2048xbf16>, %y: memref<3x100xbf16>) {
  frit.matmul ins(%x, %w : memref<3x2048xbf16, strided<[?, 1], offset: ?>>, memref<100x2048xbf16>) outs(%y : memref<3x100xbf16>) transpose_b {frit.kernel = #frit.kernel<"cuda.gemv_tile8", {beside = 0 : i64, cluster = 1 : i64, inboxBytes = 0 : i64}>}
  return
}

// In f32 the tokens are in shared memory, too.
// CHECK-LABEL: func @f32(
// CHECK:         arith.constant 147456 : i32
// CHECK:         @frit_matmul_gemv_f32_tile16
func.func @f32(%context: !llvm.ptr, %x: memref<12x1024xf32>, %w: memref<64x1024xf32>, %y: memref<12x64xf32>) {
  frit.matmul ins(%x, %w : memref<12x1024xf32>, memref<64x1024xf32>) outs(%y : memref<12x64xf32>) transpose_b {frit.kernel = #frit.kernel<"cuda.gemv_tile16", {beside = 0 : i64, cluster = 1 : i64, inboxBytes = 0 : i64}>}
  return
}

// Rows of 32 KiB are shared by eight blocks, as many clusters as fit, or so many
// that none has more than eight tiles. What was there is added to.
// CHECK-LABEL: func @long(
// CHECK-SAME:    %{{.*}}: !llvm.ptr
// CHECK-DAG:     %[[C8:.*]] = arith.constant 8 : index
// CHECK-DAG:     %[[LEAST:.*]] = arith.constant 128 : index
// CHECK-DAG:     %[[SHARED:.*]] = arith.constant 102400 : i32
// CHECK-DAG:     %[[ADDS:.*]] = arith.constant 1 : i32
// CHECK:         %[[GRID:.*]] = arith.maxsi %{{.*}}, %[[LEAST]] : index
// CHECK:         gpu.launch_func @frit_image_matmul_gemv::@frit_matmul_gemv_bf16_tile8 clusters in (%[[C8]], {{.*}}) blocks in (%[[GRID]], {{.*}} dynamic_shared_memory_size %[[SHARED]] args({{.*}}, %[[ADDS]] : i32) {frit.launch = #frit.launch<"cuda.gemv_small_tile8", [read, read, readwrite, {{.*}}
func.func @long(%context: !llvm.ptr, %x: memref<3x16384xbf16>, %w: memref<2048x16384xbf16>, %y: memref<3x2048xbf16>) {
  frit.matmul ins(%x, %w : memref<3x16384xbf16>, memref<2048x16384xbf16>) outs(%y : memref<3x2048xbf16>) transpose_b accumulate {frit.kernel = #frit.kernel<"cuda.gemv_small_tile8", {beside = 0 : i64, cluster = 8 : i64, inboxBytes = 4096 : i64}>}
  return
}

//--- select.mlir
// CHECK-LABEL: func @few(
// CHECK:         "cuda.gemv_small_tile8", {beside = 0 : i64, cluster = 1 : i64, inboxBytes = 0 : i64}
func.func @few(%x: tensor<3x2048xbf16>, %w: tensor<64x2048xbf16>, %y: tensor<3x64xbf16>) -> tensor<3x64xbf16> {
  // expected-remark @below {{[Passed] cuda.gemv_small_tile8 | Category:frit-select-kernels | Function=few | Remark="admissible, with priority 26"}}
  // expected-remark @below {{[Missed] cuda.gemv_small_tile16 | Category:frit-select-kernels | Function=few | Reason="needs a result that frit.lora_matmul adds to"}}
  // expected-remark @below {{[Missed] cuda.gemv_tile8}}
  // expected-remark @below {{[Missed] cuda.gemv_tile16}}
  // expected-remark @below {{[Missed] library.cublaslt | Category:frit-select-kernels | Function=few | Reason="its provider is library, but the policy is require=cuda"}}
  // expected-remark @below {{[Missed] native.linalg}}
  %0 = frit.matmul ins(%x, %w : tensor<3x2048xbf16>, tensor<64x2048xbf16>) outs(%y : tensor<3x64xbf16>) transpose_b -> tensor<3x64xbf16>
  return %0 : tensor<3x64xbf16>
}

// Rows of 32 KiB are shared by eight blocks.
// CHECK-LABEL: func @long(
// CHECK:         "cuda.gemv_small_tile8", {beside = 0 : i64, cluster = 8 : i64, inboxBytes = 4096 : i64}
func.func @long(%x: tensor<3x16384xbf16>, %w: tensor<2048x16384xbf16>, %y: tensor<3x2048xbf16>) -> tensor<3x2048xbf16> {
  // expected-remark @below {{[Passed] cuda.gemv_small_tile8}}
  // expected-remark @below {{[Missed] cuda.gemv_small_tile16}}
  // expected-remark @below {{[Missed] cuda.gemv_tile8}}
  // expected-remark @below {{[Missed] cuda.gemv_tile16}}
  // expected-remark @below {{[Missed] library.cublaslt}}
  // expected-remark @below {{[Missed] native.linalg}}
  %0 = frit.matmul ins(%x, %w : tensor<3x16384xbf16>, tensor<2048x16384xbf16>) outs(%y : tensor<3x2048xbf16>) transpose_b accumulate -> tensor<3x2048xbf16>
  return %0 : tensor<3x2048xbf16>
}

// A row more than 64 MiB: cuBLASLt comes first, where it may.
// CHECK-LABEL: func @large(
// CHECK:         "cuda.gemv_tile8", {beside = 0 : i64, cluster = 1 : i64, inboxBytes = 0 : i64}
func.func @large(%x: tensor<3x2048xbf16>, %w: tensor<16385x2048xbf16>, %y: tensor<3x16385xbf16>) -> tensor<3x16385xbf16> {
  // expected-remark @below {{[Missed] cuda.gemv_small_tile8 | Category:frit-select-kernels | Function=large | Reason="needs weights of at most 67108864 bytes, 16384 rows, but N is 16385"}}
  // expected-remark @below {{[Missed] cuda.gemv_small_tile16}}
  // expected-remark @below {{[Passed] cuda.gemv_tile8 | Category:frit-select-kernels | Function=large | Remark="admissible, with priority 16"}}
  // expected-remark @below {{[Missed] cuda.gemv_tile16}}
  // expected-remark @below {{[Missed] library.cublaslt}}
  // expected-remark @below {{[Missed] native.linalg}}
  %0 = frit.matmul ins(%x, %w : tensor<3x2048xbf16>, tensor<16385x2048xbf16>) outs(%y : tensor<3x16385xbf16>) transpose_b -> tensor<3x16385xbf16>
  return %0 : tensor<3x16385xbf16>
}

//--- lora.mlir
// Nine tokens, and what LoRA adds to.
// CHECK-LABEL: func @before_lora(
// CHECK:         "cuda.gemv_small_tile16"
func.func @before_lora(%x: tensor<9x64xbf16>, %ids: tensor<9xi32>, %w: tensor<32x64xbf16>, %a: tensor<4x16x64xbf16>, %b: tensor<4x32x16xbf16>, %y: tensor<9x32xbf16>) -> tensor<9x32xbf16> {
  %0 = frit.matmul ins(%x, %w : tensor<9x64xbf16>, tensor<32x64xbf16>) outs(%y : tensor<9x32xbf16>) transpose_b -> tensor<9x32xbf16>
  %1 = frit.lora_matmul ins(%x, %ids : tensor<9x64xbf16>, tensor<9xi32>) weights(%a, %b : tensor<4x16x64xbf16>, tensor<4x32x16xbf16>) outs(%0 : tensor<9x32xbf16>) -> tensor<9x32xbf16>
  return %1 : tensor<9x32xbf16>
}

//--- refuse_invalid.mlir
func.func @long_rows(%x: tensor<4x32769xbf16>, %w: tensor<64x32769xbf16>, %y: tensor<4x64xbf16>) -> tensor<4x64xbf16> {
  // expected-error @below {{has no admissible kernel (target cuda:sm_90a, policy require=cuda)}}
  // expected-note @below {{candidate 'library.cublaslt': its provider}}
  // expected-note @below {{candidate 'cuda.gemv_small_tile8'}}
  // expected-note @below {{candidate 'cuda.gemv_small_tile16'}}
  // expected-note @below {{candidate 'cuda.gemv_tile8': needs rows of at most 65536 bytes, but K is 32769}}
  // expected-note @below {{candidate 'cuda.gemv_tile16'}}
  // expected-note @below {{candidate 'native.linalg'}}
  %0 = frit.matmul ins(%x, %w : tensor<4x32769xbf16>, tensor<64x32769xbf16>) outs(%y : tensor<4x64xbf16>) transpose_b -> tensor<4x64xbf16>
  return %0 : tensor<4x64xbf16>
}

func.func @many(%x: tensor<17x64xbf16>, %w: tensor<64x64xbf16>, %y: tensor<17x64xbf16>) -> tensor<17x64xbf16> {
  // expected-error @below {{has no admissible kernel}}
  // expected-note @below {{candidate 'library.cublaslt'}}
  // expected-note @below {{candidate 'cuda.gemv_small_tile8'}}
  // expected-note @below {{candidate 'cuda.gemv_small_tile16'}}
  // expected-note @below {{candidate 'cuda.gemv_tile8': needs T to be at most 8, but T is 17}}
  // expected-note @below {{candidate 'cuda.gemv_tile16': needs T to be at most 16, but T is 17}}
  // expected-note @below {{candidate 'native.linalg'}}
  %0 = frit.matmul ins(%x, %w : tensor<17x64xbf16>, tensor<64x64xbf16>) outs(%y : tensor<17x64xbf16>) transpose_b -> tensor<17x64xbf16>
  return %0 : tensor<17x64xbf16>
}

func.func @unknown_rows(%x: tensor<4x?xbf16>, %w: tensor<64x?xbf16>, %y: tensor<4x64xbf16>) -> tensor<4x64xbf16> {
  // expected-error @below {{has no kernel that is admissible whatever the sizes at run time are}}
  // expected-note @below {{candidate 'library.cublaslt'}}
  // expected-note @below {{candidate 'cuda.gemv_small_tile8': needs N and K to be known}}
  // expected-note @below {{candidate 'cuda.gemv_small_tile16'}}
  // expected-note @below {{candidate 'cuda.gemv_tile8'}}
  // expected-note @below {{candidate 'cuda.gemv_tile16'}}
  // expected-note @below {{candidate 'native.linalg'}}
  %0 = frit.matmul ins(%x, %w : tensor<4x?xbf16>, tensor<64x?xbf16>) outs(%y : tensor<4x64xbf16>) transpose_b -> tensor<4x64xbf16>
  return %0 : tensor<4x64xbf16>
}

func.func @bias(%x: tensor<4x64xbf16>, %w: tensor<64x64xbf16>, %bias: tensor<64xbf16>, %y: tensor<4x64xbf16>) -> tensor<4x64xbf16> {
  // expected-error @below {{has no admissible kernel}}
  // expected-note @below {{candidate 'library.cublaslt'}}
  // expected-note @below {{candidate 'cuda.gemv_small_tile8'}}
  // expected-note @below {{candidate 'cuda.gemv_small_tile16'}}
  // expected-note @below {{candidate 'cuda.gemv_tile8': needs no bias, but there is one}}
  // expected-note @below {{candidate 'cuda.gemv_tile16'}}
  // expected-note @below {{candidate 'native.linalg'}}
  %0 = frit.matmul ins(%x, %w : tensor<4x64xbf16>, tensor<64x64xbf16>) bias(%bias : tensor<64xbf16>) outs(%y : tensor<4x64xbf16>) transpose_b -> tensor<4x64xbf16>
  return %0 : tensor<4x64xbf16>
}

func.func @columns(%x: tensor<4x64xbf16>, %w: tensor<64x64xbf16>, %y: tensor<4x64xbf16>) -> tensor<4x64xbf16> {
  // expected-error @below {{has no admissible kernel}}
  // expected-note @below {{candidate 'library.cublaslt'}}
  // expected-note @below {{candidate 'cuda.gemv_small_tile8'}}
  // expected-note @below {{candidate 'cuda.gemv_small_tile16'}}
  // expected-note @below {{candidate 'cuda.gemv_tile8': needs x by rows and weights [N, K], as transpose_b alone has it}}
  // expected-note @below {{candidate 'cuda.gemv_tile16'}}
  // expected-note @below {{candidate 'native.linalg'}}
  %0 = frit.matmul ins(%x, %w : tensor<4x64xbf16>, tensor<64x64xbf16>) outs(%y : tensor<4x64xbf16>) -> tensor<4x64xbf16>
  return %0 : tensor<4x64xbf16>
}
