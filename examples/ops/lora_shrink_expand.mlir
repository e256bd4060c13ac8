// The two halves of a LoRA matmul, as engines that split them write it.
func.func @main(%x: tensor<?x256xf16> {frit.dims = ["tokens", ""]},
                %ids: tensor<?xi32> {frit.dims = ["tokens"]},
                %a: tensor<4x8x256xf16>, %b: tensor<4x128x8xf16>,
                %y: tensor<?x128xf16> {frit.dims = ["tokens", ""]}) -> tensor<?x128xf16> {
  %c0 = arith.constant 0 : index
  %tokens = tensor.dim %x, %c0 : tensor<?x256xf16>
  %empty = tensor.empty(%tokens) : tensor<1x?x8xf32>
  %h = frit.lora_shrink ins(%x, %ids : tensor<?x256xf16>, tensor<?xi32>)
      weights(%a : tensor<4x8x256xf16>) outs(%empty : tensor<1x?x8xf32>) scale = 2.0 -> tensor<1x?x8xf32>
  %r = frit.lora_expand ins(%h, %ids : tensor<1x?x8xf32>, tensor<?xi32>)
      weights(%b : tensor<4x128x8xf16>) outs(%y : tensor<?x128xf16>) -> tensor<?x128xf16>
  return %r : tensor<?x128xf16>
}
