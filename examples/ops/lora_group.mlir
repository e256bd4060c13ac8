// Groups tokens by adapter, stably; those without an adapter come last.
func.func @main(%ids: tensor<?xi32> {frit.dims = ["tokens"]}) -> (tensor<?xi32>, tensor<5xi32>) {
  %c0 = arith.constant 0 : index
  %tokens = tensor.dim %ids, %c0 : tensor<?xi32>
  %o = tensor.empty(%tokens) : tensor<?xi32>
  %s = tensor.empty() : tensor<5xi32>
  %order, %starts = frit.lora_group ins(%ids : tensor<?xi32>)
      outs(%o, %s : tensor<?xi32>, tensor<5xi32>) -> tensor<?xi32>, tensor<5xi32>
  return %order, %starts : tensor<?xi32>, tensor<5xi32>
}
