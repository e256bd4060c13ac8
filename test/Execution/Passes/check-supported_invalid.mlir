// RUN: %frit_opt %s -split-input-file -verify-diagnostics --pass-pipeline='builtin.module(frit-check-supported)'

// Every error of a module is shown.
func.func @rounding(%x: tensor<4xf32>, %e: tensor<4xbf16>, %s: f64) -> (tensor<4xbf16>, f32) {
  %0 = linalg.map ins(%x : tensor<4xf32>) outs(%e : tensor<4xbf16>) (%a: f32, %b: bf16) {
    // expected-error @below {{'arith.truncf' op asks for the rounding mode 'toward_zero', but compiled code only has 'to_nearest_even'}}
    %t = arith.truncf %a toward_zero : f32 to bf16
    linalg.yield %t : bf16
  }
  %1 = arith.truncf %s to_nearest_even : f64 to f32
  // expected-error @below {{'arith.truncf' op asks for the rounding mode 'upward'}}
  %2 = arith.truncf %s upward : f64 to f32
  %3 = arith.addf %1, %2 : f32
  return %0, %3 : tensor<4xbf16>, f32
}

// -----

func.func @reshape(%x: tensor<?x3xf32>, %s: tensor<1xi32>) -> tensor<?xf32> {
  // expected-error @below {{'tensor.reshape' op cannot be compiled: Frit's pipelines have no lowering of this op on tensors}}
  %r = tensor.reshape %x(%s) : (tensor<?x3xf32>, tensor<1xi32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

func.func @scatter(%x: tensor<4xf32>, %i: tensor<2x1xindex>, %y: tensor<2x1xf32>) -> tensor<4xf32> {
  // expected-error @below {{'tensor.scatter' op cannot be compiled}}
  %r = tensor.scatter %y into %x[%i] scatter_dims([0]) unique
      : (tensor<2x1xf32>, tensor<4xf32>, tensor<2x1xindex>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

// Memrefs are no concern of this pass, nor branches without a loop.
func.func @branches(%x: tensor<4xf32>, %m: memref<4xf32>, %c: i1) -> tensor<4xf32> {
  %s = memref.cast %m : memref<4xf32> to memref<?xf32>
  cf.cond_br %c, ^a, ^b(%x : tensor<4xf32>)
^a:
  %y = tensor.empty() : tensor<4xf32>
  cf.br ^b(%y : tensor<4xf32>)
^b(%r: tensor<4xf32>):
  return %r : tensor<4xf32>
}

// -----

func.func @loop(%x: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  %c1 = arith.constant 1 : index
  cf.br ^head(%n, %x : index, tensor<4xf32>)
^head(%i: index, %t: tensor<4xf32>):
  %0 = linalg.square ins(%t : tensor<4xf32>) outs(%t : tensor<4xf32>) -> tensor<4xf32>
  %j = arith.subi %i, %c1 : index
  %more = arith.cmpi sgt, %j, %c1 : index
  // expected-error @below {{the blocks of 'func.func' form a loop here, but only structured loops can be compiled (scf.for, scf.while)}}
  cf.cond_br %more, ^head(%j, %0 : index, tensor<4xf32>), ^exit
^exit:
  return %0 : tensor<4xf32>
}
