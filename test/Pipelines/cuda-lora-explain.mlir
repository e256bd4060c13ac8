// REQUIRES: cuda-kernels
// RUN: frit-run %s --target=cuda:sm_90a --explain --dump=mlir --dump-output=%t.mlir | FileCheck %s
// RUN: FileCheck %s --check-prefix=CODE < %t.mlir

// What is explained is what is compiled: nothing groups few tokens for a device.

// CHECK-NOT: frit.lora_group
// CHECK: frit.lora_matmul {{.*}} cuda.lora_decode_cluster8 {{ *}}picked
// CHECK: cuda.lora_wide32_cluster8 {{ *}}refused {{ *}}needs a grouping, but the op has ids alone
// CODE-NOT: lora_group
// CODE: @fritLaunchKernel
// CODE-NOT: lora_group
func.func @main(%x: tensor<8x4096xbf16>, %ids: tensor<8xi32>, %a: tensor<4x16x4096xbf16>, %b: tensor<4x4096x16xbf16>, %y: tensor<8x4096xbf16>) -> tensor<8x4096xbf16> {
  %r = frit.lora_matmul ins(%x, %ids : tensor<8x4096xbf16>, tensor<8xi32>) weights(%a, %b : tensor<4x16x4096xbf16>, tensor<4x4096x16xbf16>) outs(%y : tensor<8x4096xbf16>) -> tensor<8x4096xbf16>
  return %r : tensor<8x4096xbf16>
}
