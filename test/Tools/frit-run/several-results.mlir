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

// An argument or a buffer that is also a result, by a switch and a select.
// RUN: frit-run %s --entry=switch --input=1 --input=3xf32=2 --print | FileCheck %s --check-prefix=PICKED
// RUN: frit-run %s --entry=select --input=1 --input=3xf32=2 --print | FileCheck %s --check-prefix=PICKED
// PICKED:      [2, 2, 2]
// PICKED-NEXT: result 1: 3xf32
// PICKED-NEXT: [4, 4, 4]
// RUN: frit-run %s --entry=switch --input=0 --input=3xf32=2 --print | FileCheck %s --check-prefix=OTHER
// RUN: frit-run %s --entry=select --input=0 --input=3xf32=2 --print | FileCheck %s --check-prefix=OTHER
// OTHER:      [4, 4, 4]
// OTHER-NEXT: result 1: 3xf32
// OTHER-NEXT: [4, 4, 4]
func.func @switch(%k: index, %x: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>) {
  %e = tensor.empty() : tensor<3xf32>
  %four = linalg.square ins(%x : tensor<3xf32>) outs(%e : tensor<3xf32>) -> tensor<3xf32>
  %r = scf.index_switch %k -> tensor<3xf32>
  case 1 {
    scf.yield %x : tensor<3xf32>
  }
  default {
    scf.yield %four : tensor<3xf32>
  }
  return %r, %four : tensor<3xf32>, tensor<3xf32>
}
func.func @select(%c: i1, %x: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>) {
  %e = tensor.empty() : tensor<3xf32>
  %four = linalg.square ins(%x : tensor<3xf32>) outs(%e : tensor<3xf32>) -> tensor<3xf32>
  %r = arith.select %c, %x, %four : tensor<3xf32>
  return %r, %four : tensor<3xf32>, tensor<3xf32>
}

// What a switch yields of an argument is not written over.
// RUN: frit-run %s --entry=update --input=1 --input=3xf32=2 --print | FileCheck %s --check-prefix=UPDATED
// RUN: frit-run %s --entry=update --input=0 --input=3xf32=2 --print | FileCheck %s --check-prefix=UPDATED
// UPDATED:      [6, 6, 6]
// UPDATED-NEXT: result 1: 3xf32
// UPDATED-NEXT: [2, 2, 2]
func.func @update(%k: index, %x: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>) {
  %r = scf.index_switch %k -> tensor<3xf32>
  case 1 {
    scf.yield %x : tensor<3xf32>
  }
  default {
    %e = tensor.empty() : tensor<3xf32>
    %0 = linalg.abs ins(%x : tensor<3xf32>) outs(%e : tensor<3xf32>) -> tensor<3xf32>
    scf.yield %0 : tensor<3xf32>
  }
  %1 = linalg.add ins(%x, %r : tensor<3xf32>, tensor<3xf32>) outs(%r : tensor<3xf32>) -> tensor<3xf32>
  %2 = linalg.add ins(%x, %1 : tensor<3xf32>, tensor<3xf32>) outs(%1 : tensor<3xf32>) -> tensor<3xf32>
  return %2, %x : tensor<3xf32>, tensor<3xf32>
}

// Results of branches that are computed from each other, and that are one.
// RUN: frit-run %s --entry=branches --input=1 --input=3xf32=2 --print | FileCheck %s --check-prefix=CHAINED
// CHAINED:      [6, 6, 6]
// CHAINED-NEXT: result 1: 3xf32
// CHAINED-NEXT: [4, 4, 4]
// RUN: frit-run %s --entry=branches --input=0 --input=3xf32=2 --print | FileCheck %s --check-prefix=OTHER
func.func @branches(%c: i1, %x: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>) {
  %e = tensor.empty() : tensor<3xf32>
  %r:2 = scf.if %c -> (tensor<3xf32>, tensor<3xf32>) {
    %four = linalg.square ins(%x : tensor<3xf32>) outs(%e : tensor<3xf32>) -> tensor<3xf32>
    %six = linalg.add ins(%x, %four : tensor<3xf32>, tensor<3xf32>) outs(%four : tensor<3xf32>) -> tensor<3xf32>
    scf.yield %six, %four : tensor<3xf32>, tensor<3xf32>
  } else {
    %four = linalg.square ins(%x : tensor<3xf32>) outs(%e : tensor<3xf32>) -> tensor<3xf32>
    scf.yield %four, %four : tensor<3xf32>, tensor<3xf32>
  }
  return %r#0, %r#1 : tensor<3xf32>, tensor<3xf32>
}

// Two results that update the same value, which updates an argument; in both orders.
// RUN: frit-run %s --entry=updates --input=2xf32=1 --input=2xf32=0 --print | FileCheck %s --check-prefix=UPDATES
// UPDATES:      [-1, -1]
// UPDATES-NEXT: result 1: 2xf32
// UPDATES-NEXT: [0, 0]
// UPDATES-NEXT: result 2: 2xf32
// UPDATES-NEXT: [-1, -1]
func.func @updates(%x: tensor<2xf32>, %y: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
  %0 = linalg.negf ins(%x : tensor<2xf32>) outs(%x : tensor<2xf32>) -> tensor<2xf32>
  %1 = linalg.tanh ins(%y : tensor<2xf32>) outs(%0 : tensor<2xf32>) -> tensor<2xf32>
  %2 = linalg.add ins(%0, %1 : tensor<2xf32>, tensor<2xf32>) outs(%0 : tensor<2xf32>) -> tensor<2xf32>
  return %2, %1, %2 : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}

// A loop that hands one tensor to two results, of which one is updated.
// RUN: frit-run %s --entry=loop --input=3xf32=2 --input=3xf32=1 --input=1 --print | FileCheck %s --check-prefix=LOOP
// LOOP:      [10, 6, 6]
// LOOP-NEXT: result 1: 3xf32
// LOOP-NEXT: [7, 3, 3]
func.func @loop(%x: tensor<3xf32>, %y: tensor<3xf32>, %n: index) -> (tensor<3xf32>, tensor<3xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %seven = arith.constant 7.0 : f32
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %x, %q = %y) -> (tensor<3xf32>, tensor<3xf32>) {
    %e = tensor.empty() : tensor<3xf32>
    %m = linalg.add ins(%p, %q : tensor<3xf32>, tensor<3xf32>) outs(%e : tensor<3xf32>) -> tensor<3xf32>
    scf.yield %m, %m : tensor<3xf32>, tensor<3xf32>
  }
  %a = tensor.insert %seven into %r#0[%c0] : tensor<3xf32>
  %e = tensor.empty() : tensor<3xf32>
  %s = linalg.add ins(%a, %r#1 : tensor<3xf32>, tensor<3xf32>) outs(%e : tensor<3xf32>) -> tensor<3xf32>
  return %s, %a : tensor<3xf32>, tensor<3xf32>
}
