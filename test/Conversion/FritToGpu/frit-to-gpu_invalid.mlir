// UNSUPPORTED: plugin
// RUN: frit-test-opt %s --pass-pipeline='builtin.module(convert-frit-to-gpu)' -verify-diagnostics -split-input-file

func.func @unknown(%x: memref<4x8xbf16>, %y: memref<4x4xbf16>) {
  // expected-error @below {{names kernel 'test.nothing', which the kernel table does not have for it}}
  frit.gelu_and_mul_sparse ins(%x : memref<4x8xbf16>) outs(%y : memref<4x4xbf16>) std_multiplier = 1.5
      {frit.kernel = #frit.kernel<"test.nothing">}
  return
}

// -----

func.func @absent(%x: memref<4x8xbf16>, %y: memref<4x4xbf16>) {
  // expected-error @below {{names kernel 'test.absent', but Frit was built without CUDA}}
  frit.gelu_and_mul_sparse ins(%x : memref<4x8xbf16>) outs(%y : memref<4x4xbf16>) std_multiplier = 1.5
      {frit.kernel = #frit.kernel<"test.absent">}
  return
}

// -----

func.func @tensors(%x: tensor<4x8xbf16>, %y: tensor<4x4xbf16>) -> tensor<4x4xbf16> {
  // expected-error @below {{is to become a launch, but has an operand of type 'tensor<4x8xbf16>'; bufferize first}}
  %r = frit.gelu_and_mul_sparse ins(%x : tensor<4x8xbf16>) outs(%y : tensor<4x4xbf16>) std_multiplier = 1.5
      {frit.kernel = #frit.kernel<"test.specific">} -> tensor<4x4xbf16>
  return %r : tensor<4x4xbf16>
}

// -----

// The plan asks for the number of multiprocessors.
func.func @context(%x: memref<4x8xbf16>, %y: memref<4x4xbf16>) {
  // expected-error @below {{is in function 'context', which has no context argument; run frit-add-context first}}
  frit.gelu_and_mul_sparse ins(%x : memref<4x8xbf16>) outs(%y : memref<4x4xbf16>) std_multiplier = 1.5
      {frit.kernel = #frit.kernel<"test.generic">}
  return
}
