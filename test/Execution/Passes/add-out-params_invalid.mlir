// RUN: %frit_opt %s -split-input-file -verify-diagnostics --pass-pipeline='builtin.module(frit-add-out-params)'

// expected-error @below {{result 1 of '@f' is 'vector<4xf32>', but only ranked tensors and scalars can be returned}}
func.func @f(%x: tensor<4xf32>, %v: f32) -> (tensor<4xf32>, vector<4xf32>) {
  %b = vector.broadcast %v : f32 to vector<4xf32>
  return %x, %b : tensor<4xf32>, vector<4xf32>
}

// -----

// expected-error @below {{result 0 of '@f' is 'tensor<*xf32>', but only ranked tensors and scalars can be returned}}
func.func @f(%x: tensor<4xf32>) -> tensor<*xf32> {
  %u = tensor.cast %x : tensor<4xf32> to tensor<*xf32>
  return %u : tensor<*xf32>
}

// -----

// expected-error @below {{argument 1 of '@f' is 'complex<f32>', but only ranked tensors, memrefs and scalars can be taken}}
func.func @f(%x: tensor<4xf32>, %c: complex<f32>) {
  return
}

// -----

// expected-error @below {{argument 0 of '@f' is 'tensor<4xui8>', but only ranked tensors, memrefs and scalars of signless integers (i8 for si8 and ui8) can be taken}}
func.func @f(%x: tensor<4xui8>) {
  return
}

// -----

// expected-error @below {{argument 0 of '@f' is 'memref<4xsi32>', but only ranked tensors, memrefs and scalars of signless integers (i8 for si8 and ui8) can be taken}}
func.func @f(%x: memref<4xsi32>) {
  return
}

// -----

// expected-note @below {{the function is here}}
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{the call of '@f' cannot be inlined: recursive functions are not supported}}
  %y = func.call @f(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

// expected-note @below {{the function is here}}
func.func private @g(%x: tensor<4xf32>) -> tensor<4xf32> attributes {no_inline} {
  return %x : tensor<4xf32>
}
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{the call of '@g' cannot be inlined: it is marked no_inline}}
  %y = func.call @g(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

// expected-note @below {{the function is here}}
func.func private @g(%x: tensor<4xf32>) -> tensor<4xf32> {
  cf.br ^next
^next:
  return %x : tensor<4xf32>
}
func.func @f(%c: i1, %x: tensor<4xf32>) -> tensor<4xf32> {
  %y = scf.if %c -> tensor<4xf32> {
    // expected-error @below {{the call of '@g' cannot be inlined: the function has 2 blocks, and the region of 'scf.if' takes one}}
    %z = func.call @g(%x) : (tensor<4xf32>) -> tensor<4xf32>
    scf.yield %z : tensor<4xf32>
  } else {
    scf.yield %x : tensor<4xf32>
  }
  return %y : tensor<4xf32>
}

// -----

// expected-note @below {{the function is here}}
func.func private @g(tensor<4xf32>) -> tensor<4xf32>
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{calls '@g', which has no body in this module}}
  %y = func.call @g(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

func.func private @g(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %g = func.constant @g : (tensor<4xf32>) -> tensor<4xf32>
  // expected-error @below {{calls a function that is not known at compile time}}
  %y = func.call_indirect %g(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
