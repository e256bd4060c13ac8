// Generated activation kernels against the reference: rows of a warp, of a block, too long for registers; columns that
// fill no piece; no rows and no columns.
//
// REQUIRES: cuda-device, cpu-runner
// DEFINE: %{run} = frit-run %s --target=cuda --policy=native --fill=random --expect=native
//
// RUN: %{run} --entry=bf16 --exact-zero-mask --dim tokens=131
// RUN: %{run} --entry=bf16 --exact-zero-mask --dim tokens=0
// RUN: %{run} --entry=any --exact-zero-mask --dim tokens=3 --dim more=5 --dim d=1
// RUN: %{run} --entry=any --exact-zero-mask --dim tokens=3 --dim more=5 --dim d=97
// RUN: %{run} --entry=any --exact-zero-mask --dim tokens=3 --dim more=5 --dim d=4096
// RUN: %{run} --entry=any --exact-zero-mask --dim tokens=3 --dim more=1 --dim d=70003
// RUN: %{run} --entry=any --exact-zero-mask --dim tokens=3 --dim more=5 --dim d=0
// RUN: %{run} --entry=short --exact-zero-mask --dim tokens=1027
// RUN: %{run} --entry=odd --dim tokens=9
// RUN: %{run} --entry=silu --dim tokens=9

func.func @bf16(%x: tensor<?x32768xbf16> {frit.dims = ["tokens", ""]}) -> tensor<?x16384xbf16> {
  %c0 = arith.constant 0 : index
  %tokens = tensor.dim %x, %c0 : tensor<?x32768xbf16>
  %e = tensor.empty(%tokens) : tensor<?x16384xbf16>
  %y = frit.gelu_and_mul_sparse ins(%x : tensor<?x32768xbf16>) outs(%e : tensor<?x16384xbf16>)
    std_multiplier = 1.64485359 -> tensor<?x16384xbf16>
  return %y : tensor<?x16384xbf16>
}

func.func @any(%gate: tensor<?x?x?xf16> {frit.dims = ["tokens", "more", "d"]},
               %up: tensor<?x?x?xf16> {frit.dims = ["tokens", "more", "d"]},
               %out: tensor<?x?x?xf16> {frit.dims = ["tokens", "more", "d"]}) -> tensor<?x?x?xf16> {
  %y = frit.gelu_and_mul_sparse ins(%gate, %up : tensor<?x?x?xf16>, tensor<?x?x?xf16>) outs(%out : tensor<?x?x?xf16>)
    std_multiplier = 1.0 approximate = erf -> tensor<?x?x?xf16>
  return %y : tensor<?x?x?xf16>
}

func.func @short(%x: tensor<?x192xbf16> {frit.dims = ["tokens", ""]}) -> tensor<?x96xbf16> {
  %c0 = arith.constant 0 : index
  %tokens = tensor.dim %x, %c0 : tensor<?x192xbf16>
  %e = tensor.empty(%tokens) : tensor<?x96xbf16>
  %y = frit.gelu_and_mul_sparse ins(%x : tensor<?x192xbf16>) outs(%e : tensor<?x96xbf16>)
    std_multiplier = 1.0 correction = 1 -> tensor<?x96xbf16>
  return %y : tensor<?x96xbf16>
}

// Packed rows of an odd length: up is not aligned.
func.func @odd(%x: tensor<?x2054xf32> {frit.dims = ["tokens", ""]}) -> tensor<?x1027xf32> {
  %c0 = arith.constant 0 : index
  %tokens = tensor.dim %x, %c0 : tensor<?x2054xf32>
  %e = tensor.empty(%tokens) : tensor<?x1027xf32>
  %y = frit.gelu_and_mul_sparse ins(%x : tensor<?x2054xf32>) outs(%e : tensor<?x1027xf32>)
    std_multiplier = 5.000000e-01 rounding = final -> tensor<?x1027xf32>
  return %y : tensor<?x1027xf32>
}

func.func @silu(%x: tensor<?x22016xf16> {frit.dims = ["tokens", ""]}) -> tensor<?x11008xf16> {
  %c0 = arith.constant 0 : index
  %tokens = tensor.dim %x, %c0 : tensor<?x22016xf16>
  %e = tensor.empty(%tokens) : tensor<?x11008xf16>
  %y = frit.act_and_mul silu ins(%x : tensor<?x22016xf16>) outs(%e : tensor<?x11008xf16>)
    -> tensor<?x11008xf16>
  return %y : tensor<?x11008xf16>
}
