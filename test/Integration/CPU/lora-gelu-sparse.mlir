// On the CPU the op is the two that it stands for: tokens without an adapter, true ranks, a grouping, and a number of tokens
// that is known at run time.
//
// REQUIRES: cpu-runner
//
// RUN: frit-run %s --entry=plain --fill=random --expect=native
// RUN: frit-run %s --entry=grouped --fill=random --expect=native

func.func @plain(%y: tensor<5x64xf32>, %h: tensor<2x5x4xf32>, %b0: tensor<3x32x4xf32>, %b1: tensor<3x32x4xf32>, %out: tensor<5x32xf32>) -> tensor<5x32xf32> {
  %ids = arith.constant dense<[2, -1, 0, 3, 1]> : tensor<5xi32>
  %ranks = arith.constant dense<[[4, 2, 0], [1, 4, 3]]> : tensor<2x3xi32>
  %r = frit.lora_gelu_and_mul_sparse ins(%y, %h, %ids : tensor<5x64xf32>, tensor<2x5x4xf32>, tensor<5xi32>)
      weights(%b0, %b1 : tensor<3x32x4xf32>, tensor<3x32x4xf32>) ranks(%ranks : tensor<2x3xi32>) outs(%out : tensor<5x32xf32>)
      std_multiplier = 0.5 -> tensor<5x32xf32>
  return %r : tensor<5x32xf32>
}

func.func @grouped(%y: tensor<6x64xbf16>, %h: tensor<2x6x4xf32>, %b0: tensor<2x32x4xbf16>, %b1: tensor<2x32x4xbf16>, %out: tensor<6x32xbf16>) -> tensor<6x32xbf16> {
  %ids = arith.constant dense<[1, 0, 1, -1, 0, 1]> : tensor<6xi32>
  %o = tensor.empty() : tensor<6xi32>
  %s = tensor.empty() : tensor<3xi32>
  %order, %starts = frit.lora_group ins(%ids : tensor<6xi32>) outs(%o, %s : tensor<6xi32>, tensor<3xi32>) -> tensor<6xi32>, tensor<3xi32>
  %r = frit.lora_gelu_and_mul_sparse ins(%y, %h, %ids : tensor<6x64xbf16>, tensor<2x6x4xf32>, tensor<6xi32>)
      weights(%b0, %b1 : tensor<2x32x4xbf16>, tensor<2x32x4xbf16>) grouping(%order, %starts : tensor<6xi32>, tensor<3xi32>)
      outs(%out : tensor<6x32xbf16>) std_multiplier = 0.5 correction = 1 -> tensor<6x32xbf16>
  return %r : tensor<6x32xbf16>
}
