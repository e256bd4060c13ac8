// SiLU-gated product of gate and up, for any number of tokens.
func.func @act(%gate: tensor<?x256xf32> {frit.tensor = "gate", frit.dims = ["tokens", ""]},
               %up: tensor<?x256xf32> {frit.tensor = "up", frit.dims = ["tokens", ""]}) -> tensor<?x256xf32> {
  %c0 = arith.constant 0 : index
  %tokens = tensor.dim %gate, %c0 : tensor<?x256xf32>
  %out = tensor.empty(%tokens) : tensor<?x256xf32>
  %y = frit.act_and_mul silu ins(%gate, %up : tensor<?x256xf32>, tensor<?x256xf32>)
      outs(%out : tensor<?x256xf32>) -> tensor<?x256xf32>
  return %y : tensor<?x256xf32>
}
