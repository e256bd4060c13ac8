// SiLU-gated product of separate gate and up.
func.func @main(%gate: tensor<?x2048xf16> {frit.dims = ["tokens", ""]},
                %up: tensor<?x2048xf16> {frit.dims = ["tokens", ""]}) -> tensor<?x2048xf16> {
  %c0 = arith.constant 0 : index
  %tokens = tensor.dim %gate, %c0 : tensor<?x2048xf16>
  %out = tensor.empty(%tokens) : tensor<?x2048xf16>
  %y = frit.act_and_mul silu ins(%gate, %up : tensor<?x2048xf16>, tensor<?x2048xf16>)
      outs(%out : tensor<?x2048xf16>) -> tensor<?x2048xf16>
  return %y : tensor<?x2048xf16>
}
