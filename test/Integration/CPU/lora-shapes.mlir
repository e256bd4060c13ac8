// Sizes at which implementations of LoRA have failed in public, against the reference. A rank below a vector, a hidden
// size that no tile divides, one token, no adapter at all, an id without one in the middle of others.
//
// REQUIRES: cpu-runner
// DEFINE: %{lora} = frit-run %s --fill=random --expect=native
//
// RUN: %{lora} --dim tokens=5 --dim k=3420 --dim n=3424 --dim rank=16 --dim adapters=2 --input='ids=random[-1,2)'
// RUN: %{lora} --dim tokens=6 --dim k=3696 --dim n=2816 --dim rank=64 --dim adapters=3 --input='ids=random[-1,3)'
// RUN: %{lora} --dim tokens=1 --dim k=31 --dim n=1 --dim rank=1 --dim adapters=1 --input='ids=zeros'
// RUN: %{lora} --dim tokens=15 --dim k=1 --dim n=33 --dim rank=8 --dim adapters=4 --input='ids=random[-1,4)'
// RUN: %{lora} --dim tokens=70 --dim k=100 --dim n=300 --dim rank=129 --dim adapters=4 --input='ids=random[-2,5)'
// RUN: %{lora} --dim tokens=7 --dim k=64 --dim n=64 --dim rank=24 --dim adapters=0 --input='ids=random[-1,3)'
// RUN: %{lora} --dim tokens=0 --dim k=64 --dim n=64 --dim rank=12 --dim adapters=2 --input='ids=zeros'

func.func @main(%x: tensor<?x?xbf16> {frit.dims = ["tokens", "k"]},
                %ids: tensor<?xi32> {frit.tensor = "ids", frit.dims = ["tokens"]},
                %a: tensor<?x?x?xbf16> {frit.dims = ["adapters", "rank", "k"]},
                %b: tensor<?x?x?xbf16> {frit.dims = ["adapters", "n", "rank"]},
                %y: tensor<?x?xbf16> {frit.dims = ["tokens", "n"]}) -> tensor<?x?xbf16> {
  %r = frit.lora_matmul ins(%x, %ids : tensor<?x?xbf16>, tensor<?xi32>)
    weights(%a, %b : tensor<?x?x?xbf16>, tensor<?x?x?xbf16>) outs(%y : tensor<?x?xbf16>) scale = 3.535534e-01
    -> tensor<?x?xbf16>
  return %r : tensor<?x?xbf16>
}
