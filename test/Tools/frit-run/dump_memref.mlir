// A function that updates a memref in place can be written to a file; to run it, frit-run would need a tensor.
// RUN: frit-run %s --dump=llvm | FileCheck %s
// RUN: %exit 2 frit-run %s 2>&1 | FileCheck %s --check-prefix=CALL

// CHECK: define {{.*}}i32 @_frit_update(ptr {{.*}}, ptr {{.*}})
// CHECK-NOT: memcpy
// CALL: error: argument 1 of '@update' is memref<4x8xf32>: only ranked tensors
func.func @update(%x: tensor<4x16xf32>, %y: memref<4x8xf32>) {
  %old = bufferization.to_tensor %y restrict writable : memref<4x8xf32> to tensor<4x8xf32>
  %new = frit.act_and_mul silu ins(%x : tensor<4x16xf32>) outs(%old : tensor<4x8xf32>) -> tensor<4x8xf32>
  bufferization.materialize_in_destination %new in restrict writable %y : (tensor<4x8xf32>, memref<4x8xf32>) -> ()
  return
}
