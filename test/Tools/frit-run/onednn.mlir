// Matmuls by oneDNN, on the stub of it that computes them one by one: what the graph says reaches the library.
//
// REQUIRES: stub-onednn
// DEFINE: %{run} = env FRIT_ONEDNN=%frit_lib/libFritStubOneDnn%shlibext frit-run %s --target=cpu+onednn

// RUN: %{run} --entry=linear --input=64x4xf32=ones --input=3x4xf32=ones --input=3xf32=ones --print --explain | FileCheck %s --check-prefix=LINEAR
// LINEAR:      frit.matmul at
// LINEAR:      library.onednn_many_tokens {{ *}}guarded
// LINEAR:      native.linalg {{ *}}picked
// LINEAR:      library.onednn {{ *}}admissible
// LINEAR:      result 0: 64x3xf32
// LINEAR-NEXT: {{\[}}[5, 5, 5],

// The library is asked for where it is to be used, and only then.
// RUN: env FRIT_ONEDNN=/nowhere/libdnnl.so frit-run %s --target=cpu+onednn --entry=linear --input=63x4xf32=ones --input=3x4xf32=ones --input=3xf32=ones --print | FileCheck %s --check-prefix=FEW
// FEW: result 0: 63x3xf32
// FEW-NEXT: {{\[}}[5, 5, 5],
// RUN: %exit 3 env FRIT_ONEDNN=/nowhere/libdnnl.so frit-run %s --target=cpu+onednn --entry=linear --input=64x4xf32=ones --input=3x4xf32=ones --input=3xf32=ones 2>&1 | FileCheck %s --check-prefix=MISSING
// MISSING: kernel 'library.onednn_many_tokens': oneDNN cannot be opened (FRIT_ONEDNN may name it; code for the target 'cpu' does without): /nowhere/libdnnl.so

// Code for the plain CPU never asks, and says why.
// RUN: env FRIT_ONEDNN=/nowhere/libdnnl.so frit-run %s --target=cpu --entry=linear --input=64x4xf32=ones --input=3x4xf32=ones --input=3xf32=ones --print --explain | FileCheck %s --check-prefix=PLAIN
// PLAIN: library.onednn_many_tokens {{ *}}refused {{.*}}runs on cpu+onednn, but the target is cpu
// PLAIN: {{\[}}[5, 5, 5],

// Where it is required it takes what the measurements speak against, and contractions of linalg; one matmul accumulates in the result of another.
// RUN: %{run} --policy=require=library --entry=chain --input=2x4xf32=ones --input=4x3xf32=ones --print --explain | FileCheck %s --check-prefix=CHAIN
// CHAIN:         library.onednn {{ *}}picked
// CHAIN:         library.onednn {{ *}}picked
// CHAIN:         result 0: 2x3xf32
// CHAIN-NEXT:    {{\[}}[8, 8, 8],
// RUN: env FRIT_ONEDNN=%frit_lib/libFritStubOneDnn2%shlibext frit-run %s --target=cpu+onednn --policy=require=library --entry=chain --input=2x4xf32=ones --input=4x3xf32=ones --print | FileCheck %s --check-prefix=CHAIN2
// CHAIN2: {{\[}}[8, 8, 8],

func.func @linear(%x: tensor<?x4xf32>, %w: tensor<3x4xf32>, %bias: tensor<3xf32>) -> tensor<?x3xf32> {
  %c0 = arith.constant 0 : index
  %t = tensor.dim %x, %c0 : tensor<?x4xf32>
  %e = tensor.empty(%t) : tensor<?x3xf32>
  %y = frit.matmul ins(%x, %w : tensor<?x4xf32>, tensor<3x4xf32>) bias(%bias : tensor<3xf32>) outs(%e : tensor<?x3xf32>) transpose_b -> tensor<?x3xf32>
  return %y : tensor<?x3xf32>
}

func.func @chain(%x: tensor<?x4xf32>, %w: tensor<4x3xf32>) -> tensor<?x3xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %t = tensor.dim %x, %c0 : tensor<?x4xf32>
  %e = tensor.empty(%t) : tensor<?x3xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x3xf32>) -> tensor<?x3xf32>
  %y = linalg.matmul ins(%x, %w : tensor<?x4xf32>, tensor<4x3xf32>) outs(%f : tensor<?x3xf32>) -> tensor<?x3xf32>
  %z = linalg.matmul ins(%x, %w : tensor<?x4xf32>, tensor<4x3xf32>) outs(%y : tensor<?x3xf32>) -> tensor<?x3xf32>
  return %z : tensor<?x3xf32>
}
