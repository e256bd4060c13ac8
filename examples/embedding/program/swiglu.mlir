// silu(gate) * up, for any number of tokens; gate is the first half of a row.

func.func @swiglu(%x: tensor<?x512xf32>) -> tensor<?x256xf32> {
  %c0 = arith.constant 0 : index
  %tokens = tensor.dim %x, %c0 : tensor<?x512xf32>
  %init = tensor.empty(%tokens) : tensor<?x256xf32>
  %y = frit.act_and_mul silu ins(%x : tensor<?x512xf32>) outs(%init : tensor<?x256xf32>) -> tensor<?x256xf32>
  return %y : tensor<?x256xf32>
}
