// Results that are computed from each other, in each order, and by several returns.
// RUN: frit-run %s --entry=chain --input=3xf32=2 --print --expect=native | FileCheck %s --check-prefix=CHAIN
// CHAIN:      result 0: 3xf32
// CHAIN-NEXT: [6, 6, 6]
// CHAIN-NEXT: result 1: 3xf32
// CHAIN-NEXT: [4, 4, 4]
// CHAIN-NEXT: result 2: 3xf32
// CHAIN-NEXT: [8, 8, 8]
// CHAIN-NEXT: result 3: 3xf32
// CHAIN-NEXT: [6, 6, 6]
func.func @chain(%x: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) {
  %e = tensor.empty() : tensor<3xf32>
  %four = linalg.square ins(%x : tensor<3xf32>) outs(%e : tensor<3xf32>) -> tensor<3xf32>
  %six = linalg.add ins(%four, %x : tensor<3xf32>, tensor<3xf32>) outs(%four : tensor<3xf32>) -> tensor<3xf32>
  %eight = linalg.add ins(%six, %x : tensor<3xf32>, tensor<3xf32>) outs(%six : tensor<3xf32>) -> tensor<3xf32>
  return %six, %four, %eight, %six : tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>
}

// RUN: frit-run %s --entry=returns --input=1 --input=3xf32=2 --print | FileCheck %s --check-prefix=FIRST
// FIRST:      [4, 4, 4]
// FIRST-NEXT: result 1: 3xf32
// FIRST-NEXT: [2, 2, 2]
// RUN: frit-run %s --entry=returns --input=0 --input=3xf32=2 --print | FileCheck %s --check-prefix=SECOND
// SECOND:      [16, 16, 16]
// SECOND-NEXT: result 1: 3xf32
// SECOND-NEXT: [4, 4, 4]
func.func @returns(%c: i1, %x: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>) {
  %e = tensor.empty() : tensor<3xf32>
  %four = linalg.square ins(%x : tensor<3xf32>) outs(%e : tensor<3xf32>) -> tensor<3xf32>
  cf.cond_br %c, ^a, ^b
^a:
  return %four, %x : tensor<3xf32>, tensor<3xf32>
^b:
  %f = tensor.empty() : tensor<3xf32>
  %sixteen = linalg.square ins(%four : tensor<3xf32>) outs(%f : tensor<3xf32>) -> tensor<3xf32>
  return %sixteen, %four : tensor<3xf32>, tensor<3xf32>
}

// One of two buffers, and both.
// RUN: frit-run %s --entry=either --input=1 --input=3xf32=2 --print | FileCheck %s --check-prefix=EITHER
// EITHER:      [6, 6, 6]
// EITHER-NEXT: result 1: 3xf32
// EITHER-NEXT: [4, 4, 4]
func.func @either(%c: i1, %x: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>) {
  %e = tensor.empty() : tensor<3xf32>
  %four = linalg.square ins(%x : tensor<3xf32>) outs(%e : tensor<3xf32>) -> tensor<3xf32>
  %r = scf.if %c -> tensor<3xf32> {
    %six = linalg.add ins(%four, %x : tensor<3xf32>, tensor<3xf32>) outs(%four : tensor<3xf32>) -> tensor<3xf32>
    scf.yield %six : tensor<3xf32>
  } else {
    scf.yield %four : tensor<3xf32>
  }
  return %r, %four : tensor<3xf32>, tensor<3xf32>
}
