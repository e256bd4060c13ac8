// Adds the product of each token's own adapter to a projection's result, in two slices.
func.func @main(%x: tensor<?x256xbf16> {frit.dims = ["tokens", ""]},
                %ids: tensor<?xi32> {frit.dims = ["tokens"]},
                %a_k: tensor<4x8x256xbf16>, %b_k: tensor<4x128x8xbf16>,
                %a_v: tensor<4x8x256xbf16>, %b_v: tensor<4x64x8xbf16>,
                %scales: tensor<4xf32>,
                %y: tensor<?x192xbf16> {frit.dims = ["tokens", ""]}) -> tensor<?x192xbf16> {
  %r = frit.lora_matmul ins(%x, %ids : tensor<?x256xbf16>, tensor<?xi32>)
      weights(%a_k, %b_k, %a_v, %b_v : tensor<4x8x256xbf16>, tensor<4x128x8xbf16>, tensor<4x8x256xbf16>, tensor<4x64x8xbf16>)
      scales(%scales : tensor<4xf32>) outs(%y : tensor<?x192xbf16>) -> tensor<?x192xbf16>
  return %r : tensor<?x192xbf16>
}
