// Sparse feed-forward networks with LoRA go through every pipeline.
//
// RUN: %frit_opt %s --pass-pipeline='builtin.module(frit-to-cpu)' | FileCheck %s --check-prefixes=CHECK,CPU
// RUN: %frit_opt %s --pass-pipeline='builtin.module(frit-native-reference)' | FileCheck %s
// RUN: %frit_opt %s --pass-pipeline='builtin.module(frit-to-cuda{ptx-only=true})' | FileCheck %s --check-prefixes=CHECK,CUDA

// CHECK-NOT: frit.sparse_ffn ins
// CPU: llvm.intr.prefetch
// CHECK: llvm.func @_frit_f(
// CUDA: gpu.binary @frit_generated
func.func @f(%x: tensor<?x64xbf16>, %ids: tensor<?xi32>, %gate: tensor<96x64xbf16>, %up: tensor<96x64xbf16>,
    %down: tensor<96x64xbf16>, %a: tensor<4x8x96xbf16>, %b: tensor<4x64x8xbf16>, %ranks: tensor<3x4xi32>,
    %residual: tensor<?x64xbf16>) -> tensor<?x64xbf16> {
  %0 = frit.sparse_ffn ins(%x, %ids : tensor<?x64xbf16>, tensor<?xi32>)
      weights(%gate, %up, %down : tensor<96x64xbf16>, tensor<96x64xbf16>, tensor<96x64xbf16>)
      down_lora(%a, %b : tensor<4x8x96xbf16>, tensor<4x64x8xbf16>) ranks(%ranks : tensor<3x4xi32>)
      outs(%residual : tensor<?x64xbf16>) std_multiplier = 1.5 down_layout = dh lora_rounding = stepwise
      accumulate = true -> tensor<?x64xbf16>
  return %0 : tensor<?x64xbf16>
}
