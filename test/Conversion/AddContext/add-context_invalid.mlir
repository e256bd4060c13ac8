// RUN: %frit_opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(frit-add-context)'

// expected-error@below {{function 'f' still has 2 result(s), the first of type 'f32'; all must be out-parameters before a status is added}}
func.func @f(%x: f32, %y: i32) -> (f32, i32) {
  return %x, %y : f32, i32
}

// -----

func.func private @callee(%x: memref<4xf32>) {
  return
}

func.func @caller(%x: memref<4xf32>) {
  // expected-error@below {{uses function 'callee', which is to get a context; inline it first (a recursive function is not supported)}}
  call @callee(%x) : (memref<4xf32>) -> ()
  return
}

// -----

func.func @recursive(%x: memref<4xf32>) {
  // expected-error@below {{uses function 'recursive'}}
  call @recursive(%x) : (memref<4xf32>) -> ()
  return
}

// -----

func.func private @callee(%x: memref<4xf32>) {
  return
}

func.func @takes_address(%x: memref<4xf32>) {
  // expected-error@below {{uses function 'callee'}}
  %f = constant @callee : (memref<4xf32>) -> ()
  call_indirect %f(%x) : (memref<4xf32>) -> ()
  return
}
