// RUN: %frit_opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(convert-parallel-to-frit-runtime)'

func.func @no_context(%x: memref<?xf32>, %n: index, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error@below {{is in function 'no_context', which has no context argument; run frit-add-context first}}
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    memref.store %v, %x[%i] : memref<?xf32>
  }
  return
}

// -----

// expected-note@below {{the value is defined here}}
func.func @tensor(%context: !llvm.ptr, %t: tensor<4xf32>, %x: memref<?xf32>, %n: index) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error@below {{uses a value of type 'tensor<4xf32>' from outside, which has no LLVM type to pass it to a thread}}
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %v = tensor.extract %t[%i] : tensor<4xf32>
    memref.store %v, %x[%i] : memref<?xf32>
  }
  %ok = arith.constant 0 : i32
  return %ok : i32
}
