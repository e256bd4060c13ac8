// A function may have any name, also one of the C library, of the code
// generator or of the runtime's helpers.
// RUN: frit-run %s --entry=__truncsfbf2 --fill=random --expect=native
// RUN: frit-run %s --entry=erff --fill=random --expect=native
// RUN: frit-run %s --entry=malloc --fill=random --expect=native
// RUN: frit-run %s --entry=fritReportError --fill=random --dim arg0.0=5 --dim arg1.0=5 --expect=native

func.func @__truncsfbf2(%x: tensor<4xf32>) -> tensor<4xbf16> {
  %e = tensor.empty() : tensor<4xbf16>
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x : tensor<4xf32>) outs(%e : tensor<4xbf16>) {
  ^bb0(%a: f32, %b: bf16):
    %t = arith.truncf %a : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<4xbf16>
  return %0 : tensor<4xbf16>
}

func.func @erff(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = math.erf %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}

func.func @malloc(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = math.tan %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}

func.func @fritReportError(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %0 = frit.act_and_mul silu ins(%x, %x : tensor<?xf32>, tensor<?xf32>) outs(%y : tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
