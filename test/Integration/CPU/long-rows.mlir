// Weights with long rows, of which many left-hand rows take a part at a time.

// DEFINE: %{entry} =
// DEFINE: %{target} = cpu
// DEFINE: %{run} = frit-run %s --target=%{target} --entry=%{entry} --fill='random[-2,3)' --dim tokens=70 --expect=native --atol=1e-2
// REDEFINE: %{entry} = f32
// RUN: %{run}
// REDEFINE: %{target} = cpu:x86-64-v3
// RUN: %{run}
// REDEFINE: %{entry} = bf16
// RUN: %{run}
// REDEFINE: %{target} = cpu
// RUN: %{run}

func.func @f32(%x: tensor<?x8250xf32> {frit.dims = ["tokens", ""]}, %w: tensor<35x8250xf32>,
               %y: tensor<?x35xf32> {frit.dims = ["tokens", ""]}) -> tensor<?x35xf32> {
  %r = frit.matmul ins(%x, %w : tensor<?x8250xf32>, tensor<35x8250xf32>) outs(%y : tensor<?x35xf32>) transpose_b -> tensor<?x35xf32>
  return %r : tensor<?x35xf32>
}

func.func @bf16(%x: tensor<?x16410xbf16> {frit.dims = ["tokens", ""]}, %w: tensor<35x16410xbf16>,
                %y: tensor<?x35xbf16> {frit.dims = ["tokens", ""]}) -> tensor<?x35xbf16> {
  %r = frit.matmul ins(%x, %w : tensor<?x16410xbf16>, tensor<35x16410xbf16>) outs(%y : tensor<?x35xbf16>) transpose_b -> tensor<?x35xbf16>
  return %r : tensor<?x35xbf16>
}
