// Matmuls of few tokens by own kernels.
// REQUIRES: cuda-kernels
// RUN: split-file %s %t
// RUN: %frit_opt %t/launch.mlir --pass-pipeline='builtin.module(convert-frit-to-gpu,canonicalize,cse)' | FileCheck %t/launch.mlir
// RUN: %frit_opt %t/select.mlir --verify-diagnostics --remarks-filter='frit-select-kernels' --pass-pipeline='builtin.module(frit-select-kernels{target=cuda:sm_90a policy=require=cuda})' | FileCheck %t/select.mlir
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
// CHECK:         gpu.launch_func @frit_image_matmul_gemv::@frit_matmul_gemv_bf16_tile8 blocks in (%{{.*}}, %[[C1]], %[[C1]]) threads in (%[[THREADS]], %[[C1]], %[[C1]]) dynamic_shared_memory_size %[[SHARED]] args(%{{.*}} : !llvm.ptr, %{{.*}} : !llvm.ptr, %{{.*}} : !llvm.ptr, %[[T]] : i64, %[[N]] : i64, %[[K]] : i64, %{{.*}} : i64, %[[K]] : i64, %[[N]] : i64) {frit.launch = #frit.launch<"cuda.gemv_tile8", [read, read, write, none, none, none, none, none, none], programmatic = true>}
func.func @bf16(%context: !llvm.ptr, %x: memref<3x2048xbf16, strided<[?, 1], offset: ?>>, %w: memref<100x2048xbf16>, %y: memref<3x100xbf16>) {
  frit.matmul ins(%x, %w : memref<3x2048xbf16, strided<[?, 1], offset: ?>>, memref<100x2048xbf16>) outs(%y : memref<3x100xbf16>) transpose_b {frit.kernel = #frit.kernel<"cuda.gemv_tile8">}
  return
}

// In f32 the tokens are in shared memory, too.
// CHECK-LABEL: func @f32(
// CHECK:         arith.constant 147456 : i32
// CHECK:         @frit_matmul_gemv_f32_tile16
func.func @f32(%context: !llvm.ptr, %x: memref<12x1024xf32>, %w: memref<64x1024xf32>, %y: memref<12x64xf32>) {
  frit.matmul ins(%x, %w : memref<12x1024xf32>, memref<64x1024xf32>) outs(%y : memref<12x64xf32>) transpose_b {frit.kernel = #frit.kernel<"cuda.gemv_tile16">}
  return
}

//--- select.mlir
// CHECK-LABEL: func @few(
// CHECK:         "cuda.gemv_tile8"
func.func @few(%x: tensor<3x2048xbf16>, %w: tensor<64x2048xbf16>, %y: tensor<3x64xbf16>) -> tensor<3x64xbf16> {
  // expected-remark @below {{[Passed] cuda.gemv_tile8 | Category:frit-select-kernels | Function=few | Remark="admissible, with priority 16"}}
  // expected-remark @below {{[Missed] cuda.gemv_tile16}}
  // expected-remark @below {{[Missed] library.cublaslt | Category:frit-select-kernels | Function=few | Reason="its provider is library, but the policy is require=cuda"}}
  // expected-remark @below {{[Missed] native.linalg}}
  %0 = frit.matmul ins(%x, %w : tensor<3x2048xbf16>, tensor<64x2048xbf16>) outs(%y : tensor<3x64xbf16>) transpose_b -> tensor<3x64xbf16>
  return %0 : tensor<3x64xbf16>
}

//--- refuse_invalid.mlir
func.func @long_rows(%x: tensor<4x2049xbf16>, %w: tensor<64x2049xbf16>, %y: tensor<4x64xbf16>) -> tensor<4x64xbf16> {
  // expected-error @below {{has no admissible kernel (target cuda:sm_90a, policy require=cuda)}}
  // expected-note @below {{candidate 'library.cublaslt': its provider}}
  // expected-note @below {{candidate 'cuda.gemv_tile8': needs rows of at most 4096 bytes, but K is 2049}}
  // expected-note @below {{candidate 'cuda.gemv_tile16'}}
  // expected-note @below {{candidate 'native.linalg'}}
  %0 = frit.matmul ins(%x, %w : tensor<4x2049xbf16>, tensor<64x2049xbf16>) outs(%y : tensor<4x64xbf16>) transpose_b -> tensor<4x64xbf16>
  return %0 : tensor<4x64xbf16>
}

func.func @many(%x: tensor<17x64xbf16>, %w: tensor<64x64xbf16>, %y: tensor<17x64xbf16>) -> tensor<17x64xbf16> {
  // expected-error @below {{has no admissible kernel}}
  // expected-note @below {{candidate 'library.cublaslt'}}
  // expected-note @below {{candidate 'cuda.gemv_tile8': needs T to be at most 8, but T is 17}}
  // expected-note @below {{candidate 'cuda.gemv_tile16': needs T to be at most 16, but T is 17}}
  // expected-note @below {{candidate 'native.linalg'}}
  %0 = frit.matmul ins(%x, %w : tensor<17x64xbf16>, tensor<64x64xbf16>) outs(%y : tensor<17x64xbf16>) transpose_b -> tensor<17x64xbf16>
  return %0 : tensor<17x64xbf16>
}

func.func @accumulated(%x: tensor<4x64xbf16>, %w: tensor<64x64xbf16>, %y: tensor<4x64xbf16>) -> tensor<4x64xbf16> {
  // expected-error @below {{has no admissible kernel}}
  // expected-note @below {{candidate 'library.cublaslt'}}
  // expected-note @below {{candidate 'cuda.gemv_tile8': needs a plain result, but there is something to add}}
  // expected-note @below {{candidate 'cuda.gemv_tile16'}}
  // expected-note @below {{candidate 'native.linalg'}}
  %0 = frit.matmul ins(%x, %w : tensor<4x64xbf16>, tensor<64x64xbf16>) outs(%y : tensor<4x64xbf16>) transpose_b accumulate -> tensor<4x64xbf16>
  return %0 : tensor<4x64xbf16>
}

func.func @columns(%x: tensor<4x64xbf16>, %w: tensor<64x64xbf16>, %y: tensor<4x64xbf16>) -> tensor<4x64xbf16> {
  // expected-error @below {{has no admissible kernel}}
  // expected-note @below {{candidate 'library.cublaslt'}}
  // expected-note @below {{candidate 'cuda.gemv_tile8': needs x by rows and weights [N, K], as transpose_b alone has it}}
  // expected-note @below {{candidate 'cuda.gemv_tile16'}}
  // expected-note @below {{candidate 'native.linalg'}}
  %0 = frit.matmul ins(%x, %w : tensor<4x64xbf16>, tensor<64x64xbf16>) outs(%y : tensor<4x64xbf16>) -> tensor<4x64xbf16>
  return %0 : tensor<4x64xbf16>
}
