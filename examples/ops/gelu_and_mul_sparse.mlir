// Statistical top-k gated GELU over packed gate and up, for any number of tokens.
func.func @main(%x: tensor<?x4096xbf16> {frit.dims = ["tokens", "width"]}) -> tensor<?x2048xbf16> {
  %c0 = arith.constant 0 : index
  %tokens = tensor.dim %x, %c0 : tensor<?x4096xbf16>
  %out = tensor.empty(%tokens) : tensor<?x2048xbf16>
  %y = frit.gelu_and_mul_sparse ins(%x : tensor<?x4096xbf16>) outs(%out : tensor<?x2048xbf16>)
      std_multiplier = 1.64485359 -> tensor<?x2048xbf16>
  return %y : tensor<?x2048xbf16>
}
