// RUN: %frit_opt %s --pass-pipeline='builtin.module(convert-matmul-to-frit-runtime)' -verify-diagnostics -split-input-file

func.func @no_kernel(%context: !llvm.ptr, %x: memref<4x8xf32>, %w: memref<8x16xf32>, %y: memref<4x16xf32>) {
  // expected-error @below {{is to become a call of a library, but no kernel was selected for it}}
  frit.matmul ins(%x, %w : memref<4x8xf32>, memref<8x16xf32>) outs(%y : memref<4x16xf32>)
  return
}

// -----

func.func @native(%context: !llvm.ptr, %x: memref<4x8xf32>, %w: memref<8x16xf32>, %y: memref<4x16xf32>) {
  // expected-error @below {{is to become a call of a library, but its kernel is 'native.linalg'}}
  frit.matmul ins(%x, %w : memref<4x8xf32>, memref<8x16xf32>) outs(%y : memref<4x16xf32>) {frit.kernel = #frit.kernel<"native.linalg">}
  return
}

// -----

func.func @tensors(%context: !llvm.ptr, %x: tensor<4x8xf32>, %w: tensor<8x16xf32>, %y: tensor<4x16xf32>) -> tensor<4x16xf32> {
  // expected-error @below {{is to become a call of a library, but 'out' is 'tensor<4x16xf32>'; bufferize first}}
  %0 = frit.matmul ins(%x, %w : tensor<4x8xf32>, tensor<8x16xf32>) outs(%y : tensor<4x16xf32>) {frit.kernel = #frit.kernel<"library.onednn">} -> tensor<4x16xf32>
  return %0 : tensor<4x16xf32>
}

// -----

func.func @no_context(%x: memref<4x8xf32>, %w: memref<8x16xf32>, %y: memref<4x16xf32>) {
  // expected-error @below {{which has no context argument; run frit-add-context first}}
  frit.matmul ins(%x, %w : memref<4x8xf32>, memref<8x16xf32>) outs(%y : memref<4x16xf32>) {frit.kernel = #frit.kernel<"library.onednn">}
  return
}
