// RUN: %frit_opt %s --pass-pipeline='builtin.module(frit-expand-switches)' | FileCheck %s

// A branch for each case, in their order, and the default in the last place.

// CHECK-LABEL: func.func @cases
// CHECK-SAME: %[[N:[a-z0-9]+]]: index, %[[A:[a-z0-9]+]]: tensor<4xf32>, %[[B:[a-z0-9]+]]: tensor<4xf32>, %[[C:[a-z0-9]+]]: tensor<4xf32>
// CHECK: %[[TWO:.*]] = arith.constant 2 : index
// CHECK: %[[IS_TWO:.*]] = arith.cmpi eq, %[[N]], %[[TWO]] : index
// CHECK: %[[R:.*]]:2 = scf.if %[[IS_TWO]] -> (tensor<4xf32>, index) {
// CHECK:   %[[SUM:.*]] = linalg.add
// CHECK:   scf.yield %[[SUM]], %[[N]]
// CHECK: } else {
// CHECK:   %[[FIVE:.*]] = arith.constant 5 : index
// CHECK:   %[[IS_FIVE:.*]] = arith.cmpi eq, %[[N]], %[[FIVE]] : index
// CHECK:   %[[REST:.*]]:2 = scf.if %[[IS_FIVE]] -> (tensor<4xf32>, index) {
// CHECK:     scf.yield %[[B]],
// CHECK:   } else {
// CHECK:     scf.yield %[[C]],
// CHECK:   }
// CHECK:   scf.yield %[[REST]]#0, %[[REST]]#1
// CHECK: }
// CHECK: return %[[R]]#0, %[[R]]#1
func.func @cases(%n: index, %a: tensor<4xf32>, %b: tensor<4xf32>, %c: tensor<4xf32>) -> (tensor<4xf32>, index) {
  %k = arith.constant 7 : index
  %r:2 = scf.index_switch %n -> tensor<4xf32>, index
  case 2 {
    %e = tensor.empty() : tensor<4xf32>
    %s = linalg.add ins(%a, %b : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %s, %n : tensor<4xf32>, index
  }
  case 5 {
    scf.yield %b, %k : tensor<4xf32>, index
  }
  default {
    scf.yield %c, %k : tensor<4xf32>, index
  }
  return %r#0, %r#1 : tensor<4xf32>, index
}

// No case: what stands in the default.
// CHECK-LABEL: func.func @onlyDefault
// CHECK-NOT: scf
// CHECK: %[[S:.*]] = linalg.exp
// CHECK-NEXT: return %[[S]]
func.func @onlyDefault(%n: index, %a: tensor<4xf32>) -> tensor<4xf32> {
  %r = scf.index_switch %n -> tensor<4xf32>
  default {
    %s = linalg.exp ins(%a : tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %s : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// One inside of another.
// CHECK-LABEL: func.func @nested
// CHECK-NOT: index_switch
// CHECK: return
func.func @nested(%n: index, %a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %r = scf.index_switch %n -> tensor<4xf32>
  case 1 {
    scf.yield %a : tensor<4xf32>
  }
  default {
    %s = scf.index_switch %n -> tensor<4xf32>
    case 2 {
      scf.yield %b : tensor<4xf32>
    }
    default {
      scf.yield %a : tensor<4xf32>
    }
    scf.yield %s : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// Without tensors it stays.
// CHECK-LABEL: func.func @sizes
// CHECK: scf.index_switch
func.func @sizes(%n: index) -> index {
  %r = scf.index_switch %n -> index
  case 1 {
    scf.yield %n : index
  }
  default {
    %k = arith.constant 7 : index
    scf.yield %k : index
  }
  return %r : index
}
