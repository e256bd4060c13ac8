// What run-time verification refuses ends the call with exit code 3 and a
// message; what it accepts runs.
// REQUIRES: cpu-runner
// RUN: %frit_opt %s --pass-pipeline='builtin.module(generate-runtime-verification)' -o %t.mlir
// DEFINE: %{run} = frit-run %t.mlir --fill=random --dim T=4

// RUN: not %{run} --entry=given --input=ids=2 --input=order=0 --input=starts=0 2>&1 | FileCheck %s --check-prefix=IDS
// IDS: an element of 'ids' is not below dimension 0 of 'A0'
// RUN: not %{run} --entry=given --input=ids=0 --input=order=4 --input=starts=0 2>&1 | FileCheck %s --check-prefix=ORDER
// ORDER: an element of 'order' is no token
// RUN: not %{run} --entry=given --input=ids=0 --input=order=0 --input=starts=0 2>&1 | FileCheck %s --check-prefix=TWICE
// TWICE: a token occurs twice in 'order'

// Without it, a grouping that leads outside of the tokens is refused, and what
// it says of tokens is the caller's.
// RUN: not frit-run %s --fill=random --dim T=4 --entry=given --input=ids=0 --input=order=0 --input=starts=9 2>&1 | FileCheck %s --check-prefix=STARTS
// STARTS: 'starts' exceeds the number of tokens (9 and 4)
// RUN: frit-run %s --fill=random --dim T=4 --entry=given --input=ids=0 --input=order=0 --input=starts=0

// RUN: %{run} --entry=grouped --input=ids='random[-1,2)'

func.func @given(%x: tensor<?x16xf32> {frit.dims = ["T", ""]},
                 %ids: tensor<?xi32> {frit.dims = ["T"], frit.tensor = "ids"}, %a: tensor<2x3x16xf32>,
                 %b: tensor<2x8x3xf32>, %order: tensor<?xi32> {frit.dims = ["T"], frit.tensor = "order"},
                 %starts: tensor<3xi32> {frit.tensor = "starts"}, %y: tensor<?x8xf32> {frit.dims = ["T", ""]})
    -> tensor<?x8xf32> {
  %0 = frit.lora_matmul ins(%x, %ids : tensor<?x16xf32>, tensor<?xi32>) weights(%a, %b : tensor<2x3x16xf32>, tensor<2x8x3xf32>)
      grouping(%order, %starts : tensor<?xi32>, tensor<3xi32>) outs(%y : tensor<?x8xf32>) -> tensor<?x8xf32>
  return %0 : tensor<?x8xf32>
}

func.func @grouped(%x: tensor<?x16xf32> {frit.dims = ["T", ""]},
                   %ids: tensor<?xi32> {frit.dims = ["T"], frit.tensor = "ids"}, %a: tensor<2x3x16xf32>,
                   %b: tensor<2x8x3xf32>, %y: tensor<?x8xf32> {frit.dims = ["T", ""]}) -> tensor<?x8xf32> {
  %c0 = arith.constant 0 : index
  %t = tensor.dim %ids, %c0 : tensor<?xi32>
  %o = tensor.empty(%t) : tensor<?xi32>
  %s = tensor.empty() : tensor<3xi32>
  %order, %starts = frit.lora_group ins(%ids : tensor<?xi32>) outs(%o, %s : tensor<?xi32>, tensor<3xi32>)
      -> tensor<?xi32>, tensor<3xi32>
  %0 = frit.lora_matmul ins(%x, %ids : tensor<?x16xf32>, tensor<?xi32>) weights(%a, %b : tensor<2x3x16xf32>, tensor<2x8x3xf32>)
      grouping(%order, %starts : tensor<?xi32>, tensor<3xi32>) outs(%y : tensor<?x8xf32>) -> tensor<?x8xf32>
  return %0 : tensor<?x8xf32>
}
