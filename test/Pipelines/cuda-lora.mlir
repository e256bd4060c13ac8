// REQUIRES: cuda-kernels
// RUN: %frit_opt %s --pass-pipeline='builtin.module(frit-to-cuda{policy=require=cuda})' -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: grep -c 'llvm.call @fritLaunchKernel' %t.mlir | FileCheck %s --check-prefix=COUNT
// RUN: frit-run %s --target=cuda:sm_90a --entry=layers --explain --dump=obj --dump-output=%t.o | FileCheck %s --check-prefix=EXPLAIN

// Layers share the grouping of their tokens, which the graph makes once, and it is a kernel of its own; each layer is one
// launch. Beside the grouping and the copy of y to its new place, each layer has its launch, and for weights with gaps two copies and another.

// CHECK-DAG: gpu.binary @frit_image_lora_flow_bf16
// CHECK-DAG: gpu.binary @frit_image_lora_group
// CHECK-LABEL: llvm.func internal @_frit_layers.body(
// CHECK-COUNT-1: llvm.call @fritDeviceScratchAlloc
// CHECK-NOT: llvm.call @fritDeviceScratchAlloc
// CHECK: llvm.call @fritLaunchKernel
// 14 and, in @decode, its launch and two copies and another.
// COUNT: {{^18$}}
// EXPLAIN: frit.lora_group {{.*}} cuda.lora_group {{ *}}picked
// EXPLAIN: frit.lora_matmul {{.*}} cuda.lora_decode_cluster8 {{ *}}refused {{ *}}needs T to be at most 8, but T is 8192
// EXPLAIN: cuda.lora_tile8_cluster16 {{ *}}refused {{ *}}needs T to be at most 64, but T is 8192
// EXPLAIN: cuda.lora_flow32_16_cluster1 {{ *}}picked
func.func @layers(%x: tensor<8192x64xbf16>, %ids: tensor<8192xi32>, %a: tensor<4x16x64xbf16>, %b: tensor<4x64x16xbf16>, %y: tensor<8192x64xbf16>) -> tensor<8192x64xbf16> {
  %0 = frit.lora_matmul ins(%x, %ids : tensor<8192x64xbf16>, tensor<8192xi32>) weights(%a, %b : tensor<4x16x64xbf16>, tensor<4x64x16xbf16>) outs(%y : tensor<8192x64xbf16>) -> tensor<8192x64xbf16>
  %1 = frit.lora_matmul ins(%x, %ids : tensor<8192x64xbf16>, tensor<8192xi32>) weights(%a, %b : tensor<4x16x64xbf16>, tensor<4x64x16xbf16>) outs(%0 : tensor<8192x64xbf16>) -> tensor<8192x64xbf16>
  %2 = frit.lora_matmul ins(%x, %ids : tensor<8192x64xbf16>, tensor<8192xi32>) weights(%a, %b : tensor<4x16x64xbf16>, tensor<4x64x16xbf16>) outs(%1 : tensor<8192x64xbf16>) -> tensor<8192x64xbf16>
  return %2 : tensor<8192x64xbf16>
}

// Few tokens: the kernel finds each adapter's itself, and nothing groups them.
// CHECK-LABEL: llvm.func internal @_frit_decode.body(
func.func @decode(%x: tensor<32x64xbf16>, %ids: tensor<32xi32>, %a: tensor<4x16x64xbf16>, %b: tensor<4x64x16xbf16>, %y: memref<32x64xbf16>) {
  %old = bufferization.to_tensor %y restrict writable : memref<32x64xbf16> to tensor<32x64xbf16>
  %new = frit.lora_matmul ins(%x, %ids : tensor<32x64xbf16>, tensor<32xi32>) weights(%a, %b : tensor<4x16x64xbf16>, tensor<4x64x16xbf16>) outs(%old : tensor<32x64xbf16>) -> tensor<32x64xbf16>
  bufferization.materialize_in_destination %new in restrict writable %y : (tensor<32x64xbf16>, memref<32x64xbf16>) -> ()
  return
}
