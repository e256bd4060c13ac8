// UNSUPPORTED: plugin
// RUN: frit-test-opt %s --pass-pipeline='builtin.module(frit-to-cuda)' | FileCheck %s

// Versions of an op for few and for many tokens put their results into
// different buffers. Which of them has to be freed is known on the host.

#map = affine_map<(d0, d1) -> (d0, d1)>

// CHECK: llvm.func @_frit_two_layers
func.func @two_layers(%x: tensor<?x64xbf16>, %gate: tensor<256x64xbf16>, %gateA: tensor<1x8x64xbf16>, %gateB: tensor<1x256x8xbf16>,
                      %up: tensor<256x64xbf16>, %upA: tensor<1x8x64xbf16>, %upB: tensor<1x256x8xbf16>)
    -> (tensor<?x256xbf16>, tensor<?x256xbf16>, tensor<?x256xbf16>) {
  %c0 = arith.constant 0 : index
  %c0_i32 = arith.constant 0 : i32
  %zero = arith.constant 0.0 : f32
  %tokens = tensor.dim %x, %c0 : tensor<?x64xbf16>
  %wide = tensor.empty(%tokens) : tensor<?x256xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%wide : tensor<?x256xf32>) -> tensor<?x256xf32>
  %narrow = tensor.empty(%tokens) : tensor<?x256xbf16>
  %columns = tensor.empty() : tensor<64x256xbf16>

  %gateT = linalg.transpose ins(%gate : tensor<256x64xbf16>) outs(%columns : tensor<64x256xbf16>) permutation = [1, 0]
  %0 = linalg.matmul ins(%x, %gateT : tensor<?x64xbf16>, tensor<64x256xbf16>) outs(%zeros : tensor<?x256xf32>) -> tensor<?x256xf32>
  %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]}
      ins(%0 : tensor<?x256xf32>) outs(%narrow : tensor<?x256xbf16>) {
  ^bb0(%in: f32, %out: bf16):
    %7 = arith.truncf %in : f32 to bf16
    linalg.yield %7 : bf16
  } -> tensor<?x256xbf16>
  %none = tensor.empty(%tokens) : tensor<?xi32>
  %ids = linalg.fill ins(%c0_i32 : i32) outs(%none : tensor<?xi32>) -> tensor<?xi32>
  %2 = frit.lora_matmul ins(%x, %ids : tensor<?x64xbf16>, tensor<?xi32>) weights(%gateA, %gateB : tensor<1x8x64xbf16>, tensor<1x256x8xbf16>)
      outs(%1 : tensor<?x256xbf16>) scale = 2.0 -> tensor<?x256xbf16>

  %upT = linalg.transpose ins(%up : tensor<256x64xbf16>) outs(%columns : tensor<64x256xbf16>) permutation = [1, 0]
  %3 = linalg.matmul ins(%x, %upT : tensor<?x64xbf16>, tensor<64x256xbf16>) outs(%zeros : tensor<?x256xf32>) -> tensor<?x256xf32>
  %4 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]}
      ins(%3 : tensor<?x256xf32>) outs(%narrow : tensor<?x256xbf16>) {
  ^bb0(%in: f32, %out: bf16):
    %7 = arith.truncf %in : f32 to bf16
    linalg.yield %7 : bf16
  } -> tensor<?x256xbf16>
  %5 = frit.lora_matmul ins(%x, %ids : tensor<?x64xbf16>, tensor<?xi32>) weights(%upA, %upB : tensor<1x8x64xbf16>, tensor<1x256x8xbf16>)
      outs(%4 : tensor<?x256xbf16>) scale = 2.0 -> tensor<?x256xbf16>

  %6 = frit.gelu_and_mul_sparse ins(%2, %5 : tensor<?x256xbf16>, tensor<?x256xbf16>) outs(%narrow : tensor<?x256xbf16>)
      std_multiplier = 1.6484375 -> tensor<?x256xbf16>
  return %2, %5, %6 : tensor<?x256xbf16>, tensor<?x256xbf16>, tensor<?x256xbf16>
}

// Nor does a loop that exchanges tensors ask the device.

// CHECK: llvm.func @_frit_exchange
func.func @exchange(%x: tensor<5x3xf32>, %n: index) -> tensor<5x3xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %x) -> (tensor<5x3xf32>, tensor<5x3xf32>) {
    %d = linalg.exp ins(%b : tensor<5x3xf32>) outs(%a : tensor<5x3xf32>) -> tensor<5x3xf32>
    scf.yield %b, %d : tensor<5x3xf32>, tensor<5x3xf32>
  }
  return %r#1 : tensor<5x3xf32>
}
