// One launch expands the LoRAs of gate and up and activates. Where the kernel ahead writes nothing but the rank vectors, it
// begins beside that one.
// REQUIRES: cuda-kernels
// RUN: %frit_opt %s --pass-pipeline='builtin.module(convert-frit-to-gpu,canonicalize,cse)' | FileCheck %s
// RUN: %frit_opt %s --pass-pipeline='builtin.module(convert-frit-to-gpu{overlap=false},canonicalize,cse)' | FileCheck %s --check-prefix=OFF

#shrink = #frit.kernel<"cuda.lora_tile16_cluster1", {sharedBytes = 21504 : i64, window = 2147483648 : i64}>
#fused = #frit.kernel<"cuda.lora_gelu_and_mul_sparse", {sharedBytes = 98304 : i64}>

// OFF-NOT: constant 1 : i32

// At most 68 tiles: 1024 / 16, and one more for each adapter and for the tokens without one; but no more clusters of 8 blocks
// than run at once.
// CHECK-LABEL: func @layer(
// CHECK-DAG:     %[[LATE:.*]] = arith.constant 1 : i32
// CHECK-DAG:     %[[MULTIPLIER:.*]] = arith.constant 1.500000e+00 : f32
// CHECK-DAG:     %[[THREADS:.*]] = arith.constant 256 : index
// CHECK-DAG:     %[[C8:.*]] = arith.constant 8 : index
// CHECK-DAG:     %[[MOST:.*]] = arith.constant 544 : index
// CHECK-DAG:     %[[SHARED:.*]] = arith.constant 98304 : i32
// CHECK:         llvm.call @fritDeviceAttribute
// CHECK:         @frit_lora_tile16_bf16
// CHECK:         %[[FEW:.*]] = arith.minsi %{{.*}}, %[[MOST]]
// CHECK:         %[[BLOCKS:.*]] = arith.maxsi %[[FEW]], %[[C8]]
// CHECK:         gpu.launch_func @frit_image_lora_activation_bf16::@frit_lora_gelu_and_mul_sparse16_16_bf16 clusters in (%[[C8]], %{{.*}}) blocks in (%[[BLOCKS]], %{{.*}}) threads in (%[[THREADS]], %{{.*}}) dynamic_shared_memory_size %[[SHARED]] args({{.*}}, %[[LATE]] : i32, %[[MULTIPLIER]] : f32, %{{.*}} : i32)
// CHECK-SAME:    #frit.launch<"cuda.lora_gelu_and_mul_sparse"
func.func @layer(%context: !llvm.ptr, %x: memref<1024x2048xbf16>, %ids: memref<1024xi32>, %order: memref<1024xi32>, %starts: memref<5xi32>, %a0: memref<4x16x2048xbf16>, %a1: memref<4x16x2048xbf16>, %b0: memref<4x16384x16xbf16>, %b1: memref<4x16384x16xbf16>, %y: memref<1024x32768xbf16>, %out: memref<1024x16384xbf16>) {
  %h = memref.alloc() : memref<2x1024x16xf32>
  frit.lora_shrink ins(%x, %ids : memref<1024x2048xbf16>, memref<1024xi32>) weights(%a0, %a1 : memref<4x16x2048xbf16>, memref<4x16x2048xbf16>)
    grouping(%order, %starts : memref<1024xi32>, memref<5xi32>) outs(%h : memref<2x1024x16xf32>) {frit.kernel = #shrink}
  frit.lora_gelu_and_mul_sparse ins(%y, %h, %ids : memref<1024x32768xbf16>, memref<2x1024x16xf32>, memref<1024xi32>)
    weights(%b0, %b1 : memref<4x16384x16xbf16>, memref<4x16384x16xbf16>) grouping(%order, %starts : memref<1024xi32>, memref<5xi32>)
    outs(%out : memref<1024x16384xbf16>) std_multiplier = 1.5 {frit.kernel = #fused}
  memref.dealloc %h : memref<2x1024x16xf32>
  return
}
