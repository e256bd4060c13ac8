// Gemma3n's sparse feed-forward network as one op, for any number of tokens.
func.func @main(%x: tensor<?x256xbf16> {frit.dims = ["tokens", "hidden"]},
    %gate: tensor<1024x256xbf16>, %up: tensor<1024x256xbf16>, %down: tensor<1024x256xbf16>)
    -> tensor<?x256xbf16> {
  %c0 = arith.constant 0 : index
  %tokens = tensor.dim %x, %c0 : tensor<?x256xbf16>
  %out = tensor.empty(%tokens) : tensor<?x256xbf16>
  %y = frit.sparse_ffn ins(%x : tensor<?x256xbf16>)
      weights(%gate, %up, %down : tensor<1024x256xbf16>, tensor<1024x256xbf16>, tensor<1024x256xbf16>)
      outs(%out : tensor<?x256xbf16>) std_multiplier = 1.64485359 down_layout = dh -> tensor<?x256xbf16>
  return %y : tensor<?x256xbf16>
}
