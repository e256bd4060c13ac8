// A LoRA matmul on memrefs, whose decomposition allocates and frees by hand,
// runs in the reference pipeline and, as native.linalg, in the one for the CPU.

// REQUIRES: cpu-runner
// DEFINE: %{options} = --target=cpu --input=5x16xf32=random '--input=5xi32=random[-1,3)' --input=random --input=random --input=5x8xf32=random --expect=native
// RUN: frit-run %s %{options} | FileCheck %s
// RUN: sed 's/"native.vector"/"native.linalg"/' %s > %t.mlir
// RUN: frit-run %t.mlir %{options} | FileCheck %s
// CHECK: result 0 and native: 5x8xf32: match
func.func @main(%x: tensor<?x16xf32>, %ids: tensor<?xi32>, %a: tensor<3x4x16xf32>, %b: tensor<3x8x4xf32>, %y: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %xm = bufferization.to_buffer %x : tensor<?x16xf32> to memref<?x16xf32, strided<[?, 1], offset: ?>>
  %im = bufferization.to_buffer %ids : tensor<?xi32> to memref<?xi32, strided<[1], offset: ?>>
  %am = bufferization.to_buffer %a : tensor<3x4x16xf32> to memref<3x4x16xf32, strided<[?, ?, 1], offset: ?>>
  %bm = bufferization.to_buffer %b : tensor<3x8x4xf32> to memref<3x8x4xf32, strided<[?, ?, 1], offset: ?>>
  %c0 = arith.constant 0 : index
  %t = tensor.dim %y, %c0 : tensor<?x8xf32>
  %ym = memref.alloc(%t) : memref<?x8xf32>
  bufferization.materialize_in_destination %y in restrict writable %ym : (tensor<?x8xf32>, memref<?x8xf32>) -> ()
  frit.lora_matmul ins(%xm, %im : memref<?x16xf32, strided<[?, 1], offset: ?>>, memref<?xi32, strided<[1], offset: ?>>)
    weights(%am, %bm : memref<3x4x16xf32, strided<[?, ?, 1], offset: ?>>, memref<3x8x4xf32, strided<[?, ?, 1], offset: ?>>) outs(%ym : memref<?x8xf32>)
    {frit.kernel = #frit.kernel<"native.vector">}
  %r = bufferization.to_tensor %ym restrict : memref<?x8xf32> to tensor<?x8xf32>
  return %r : tensor<?x8xf32>
}
