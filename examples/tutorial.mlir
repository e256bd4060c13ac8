// The op that docs/Tutorial.md follows through every stage.
func.func @main(%x: tensor<?x512xbf16> {frit.dims = ["tokens", ""]}) -> tensor<?x256xbf16> {
  %c0 = arith.constant 0 : index
  %tokens = tensor.dim %x, %c0 : tensor<?x512xbf16>
  %out = tensor.empty(%tokens) : tensor<?x256xbf16>
  %y = frit.gelu_and_mul_sparse ins(%x : tensor<?x512xbf16>) outs(%out : tensor<?x256xbf16>)
      std_multiplier = 1.64485359 -> tensor<?x256xbf16>
  return %y : tensor<?x256xbf16>
}
