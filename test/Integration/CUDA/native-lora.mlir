// Generated LoRA kernels against the reference: sizes that no piece and no block divides, one token, adapters that are
// absent, true ranks, offsets between slices, every rounding.
//
// REQUIRES: cuda-device, cpu-runner
// DEFINE: %{run} = frit-run %s --target=cuda --policy=native --fill=random --expect=native
// DEFINE: %{sizes} = --dim adapters=3 --input='ids=random[-1,4)' --input='ranks=random[0,9)'
//
// RUN: %{run} --entry=simple --dim tokens=5 --dim k=3420 --dim n=3424 --dim rank=16 --dim adapters=2 --input='ids=random[-1,2)'
// RUN: %{run} --entry=simple --dim tokens=1 --dim k=31 --dim n=1 --dim rank=1 --dim adapters=1 --input='ids=zeros'
// RUN: %{run} --entry=simple --dim tokens=70 --dim k=100 --dim n=300 --dim rank=129 --dim adapters=4 --input='ids=random[-2,5)'
// RUN: %{run} --entry=simple --dim tokens=7 --dim k=64 --dim n=64 --dim rank=24 --dim adapters=0 --input='ids=random[-1,3)'
// RUN: %{run} --entry=simple --dim tokens=0 --dim k=64 --dim n=64 --dim rank=12 --dim adapters=2 --input='ids=zeros'
// RUN: %{run} --entry=slices --dim tokens=33 %{sizes}
// RUN: %{run} --entry=grouped --dim tokens=33 --input='ids=random[-1,4)'

func.func @simple(%x: tensor<?x?xbf16> {frit.dims = ["tokens", "k"]},
                  %ids: tensor<?xi32> {frit.tensor = "ids", frit.dims = ["tokens"]},
                  %a: tensor<?x?x?xbf16> {frit.dims = ["adapters", "rank", "k"]},
                  %b: tensor<?x?x?xbf16> {frit.dims = ["adapters", "n", "rank"]},
                  %y: tensor<?x?xbf16> {frit.dims = ["tokens", "n"]}) -> tensor<?x?xbf16> {
  %r = frit.lora_matmul ins(%x, %ids : tensor<?x?xbf16>, tensor<?xi32>)
    weights(%a, %b : tensor<?x?x?xbf16>, tensor<?x?x?xbf16>) outs(%y : tensor<?x?xbf16>) scale = 3.535534e-01
    -> tensor<?x?xbf16>
  return %r : tensor<?x?xbf16>
}

func.func @slices(%x: tensor<?x72xf16> {frit.dims = ["tokens", ""]},
                  %ids: tensor<?xi32> {frit.tensor = "ids", frit.dims = ["tokens"]},
                  %a0: tensor<?x8x72xf32> {frit.dims = ["adapters", "", ""]},
                  %b0: tensor<?x33x8xf32> {frit.dims = ["adapters", "", ""]},
                  %a1: tensor<?x8x72xf32> {frit.dims = ["adapters", "", ""]},
                  %b1: tensor<?x300x8xf32> {frit.dims = ["adapters", "", ""]},
                  %scales: tensor<?xf32> {frit.dims = ["adapters"]},
                  %ranks: tensor<?xi32> {frit.tensor = "ranks", frit.dims = ["adapters"]},
                  %y: tensor<?x350xf16> {frit.dims = ["tokens", ""]}) -> tensor<?x350xf16> {
  %r = frit.lora_matmul ins(%x, %ids : tensor<?x72xf16>, tensor<?xi32>)
    weights(%a0, %b0, %a1, %b1 : tensor<?x8x72xf32>, tensor<?x33x8xf32>, tensor<?x8x72xf32>, tensor<?x300x8xf32>)
    scales(%scales : tensor<?xf32>) ranks(%ranks : tensor<?xi32>)
    outs(%y : tensor<?x350xf16>) offset = 5 rounding = sum -> tensor<?x350xf16>
  return %r : tensor<?x350xf16>
}

func.func @grouped(%x: tensor<?x64xf32> {frit.dims = ["tokens", ""]},
                   %ids: tensor<?xi32> {frit.tensor = "ids", frit.dims = ["tokens"]},
                   %a: tensor<3x16x64xf32>, %b: tensor<3x96x16xf32>,
                   %y: tensor<?x96xf32> {frit.dims = ["tokens", ""]}) -> tensor<?x96xf32> {
  %c0 = arith.constant 0 : index
  %tokens = tensor.dim %ids, %c0 : tensor<?xi32>
  %o = tensor.empty(%tokens) : tensor<?xi32>
  %s = tensor.empty() : tensor<4xi32>
  %order, %starts = frit.lora_group ins(%ids : tensor<?xi32>) outs(%o, %s : tensor<?xi32>, tensor<4xi32>)
    -> tensor<?xi32>, tensor<4xi32>
  %r = frit.lora_matmul ins(%x, %ids : tensor<?x64xf32>, tensor<?xi32>)
    weights(%a, %b : tensor<3x16x64xf32>, tensor<3x96x16xf32>)
    grouping(%order, %starts : tensor<?xi32>, tensor<4xi32>)
    outs(%y : tensor<?x96xf32>) rounding = stepwise -> tensor<?x96xf32>
  return %r : tensor<?x96xf32>
}
