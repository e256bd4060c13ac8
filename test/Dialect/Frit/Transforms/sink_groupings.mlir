// RUN: %frit_opt %s --pass-pipeline='builtin.module(frit-sink-groupings)' | FileCheck %s
// RUN: %frit_opt %s --pass-pipeline='builtin.module(frit-sink-groupings,canonicalize,cse,frit-sink-groupings)' -o /dev/null

// A grouping is computed where a branch that runs uses it.

!ids = tensor<?xi32>
!starts = tensor<5xi32>
!t = tensor<?x8xbf16>
!a = tensor<4x8x8xbf16>

// CHECK-LABEL: func @else_of_two
// CHECK-SAME: (%[[IDS:.*]]: tensor<?xi32>, %[[O:.*]]: tensor<?xi32>, %[[S:.*]]: tensor<5xi32>,
// CHECK-DAG: %[[FEW:.*]] = arith.cmpi sle, %{{.*}}, %c8
// CHECK-DAG: %[[SOME:.*]] = arith.cmpi sle, %{{.*}}, %c32
// CHECK-DAG: %[[NOT_FEW:.*]] = arith.xori %[[FEW]], %true
// CHECK-DAG: %[[NOT_SOME:.*]] = arith.xori %[[SOME]], %true
// CHECK: %[[USED:.*]] = arith.andi %[[NOT_FEW]], %[[NOT_SOME]]
// CHECK: %[[G:.*]]:2 = scf.if %[[USED]]
// CHECK-NEXT: frit.lora_group
// CHECK-NEXT: scf.yield
// CHECK-NEXT: } else {
// CHECK-NEXT: scf.yield %[[O]], %[[S]]
// CHECK: grouping(%[[G]]#0, %[[G]]#1
func.func @else_of_two(%ids: !ids, %o: !ids, %s: !starts, %x: !t, %a: !a, %y: !t) -> !t {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
  %t = tensor.dim %ids, %c0 : !ids
  %g:2 = frit.lora_group ins(%ids : !ids) outs(%o, %s : !ids, !starts) -> !ids, !starts
  %few = arith.cmpi sle, %t, %c8 : index
  %r = scf.if %few -> !t {
    %0 = frit.lora_matmul ins(%x, %ids : !t, !ids) weights(%a, %a : !a, !a) outs(%y : !t) -> !t
    scf.yield %0 : !t
  } else {
    %some = arith.cmpi sle, %t, %c32 : index
    %1 = scf.if %some -> !t {
      %2 = frit.lora_matmul ins(%x, %ids : !t, !ids) weights(%a, %a : !a, !a) outs(%y : !t) {scale = 2.0 : f32} -> !t
      scf.yield %2 : !t
    } else {
      %3 = frit.lora_matmul ins(%x, %ids : !t, !ids) weights(%a, %a : !a, !a) grouping(%g#0, %g#1 : !ids, !starts) outs(%y : !t) -> !t
      scf.yield %3 : !t
    }
    scf.yield %1 : !t
  }
  return %r : !t
}

// Two layers with one limit, and a third with another: one test of each. The guards between kernels of the grouping move, too.
// CHECK-LABEL: func @layers
// CHECK-SAME: %[[SMALL:[a-z0-9]+]]: i1, %[[TINY:[a-z0-9]+]]: i1, %[[MANY:[a-z0-9]+]]: i1)
// CHECK: %[[A:.*]] = arith.xori %[[SMALL]], %true
// CHECK-NOT: arith.xori %[[SMALL]]
// CHECK: %[[USED:.*]] = arith.ori %[[A]], %[[TINY]]
// CHECK: %[[G:.*]]:2 = scf.if %[[USED]]
// CHECK-NEXT: scf.if %[[MANY]]
// CHECK: frit.lora_group
// CHECK: frit.lora_group
// CHECK-NOT: frit.lora_group
func.func @layers(%ids: !ids, %o: !ids, %s: !starts, %x: !t, %a: !a, %y: !t, %small: i1, %tiny: i1, %many: i1) -> !t {
  %g:2 = scf.if %many -> (!ids, !starts) {
    %0:2 = frit.lora_group ins(%ids : !ids) outs(%o, %s : !ids, !starts) -> !ids, !starts
    scf.yield %0#0, %0#1 : !ids, !starts
  } else {
    %0:2 = frit.lora_group ins(%ids : !ids) outs(%o, %s : !ids, !starts) {frit.kernel = #frit.kernel<"native.linalg">} -> !ids, !starts
    scf.yield %0#0, %0#1 : !ids, !starts
  }
  %r = scf.if %small -> !t {
    scf.yield %y : !t
  } else {
    %0 = frit.lora_matmul ins(%x, %ids : !t, !ids) weights(%a, %a : !a, !a) grouping(%g#0, %g#1 : !ids, !starts) outs(%y : !t) -> !t
    scf.yield %0 : !t
  }
  %q = scf.if %small -> !t {
    scf.yield %r : !t
  } else {
    %0 = frit.lora_matmul ins(%x, %ids : !t, !ids) weights(%a, %a : !a, !a) grouping(%g#0, %g#1 : !ids, !starts) outs(%r : !t) -> !t
    scf.yield %0 : !t
  }
  %p = scf.if %tiny -> !t {
    %0 = frit.lora_matmul ins(%x, %ids : !t, !ids) weights(%a, %a : !a, !a) grouping(%g#0, %g#1 : !ids, !starts) outs(%q : !t) -> !t
    scf.yield %0 : !t
  } else {
    scf.yield %q : !t
  }
  return %p : !t
}

// Both branches use it: computed always. So is one that the function returns, or that an op uses outside of branches.
// CHECK-LABEL: func @both
// CHECK-NOT: arith
// CHECK: frit.lora_group
// CHECK: scf.if
func.func @both(%ids: !ids, %o: !ids, %s: !starts, %x: !t, %a: !a, %y: !t, %c: i1) -> !t {
  %g:2 = frit.lora_group ins(%ids : !ids) outs(%o, %s : !ids, !starts) -> !ids, !starts
  %r = scf.if %c -> !t {
    %0 = frit.lora_matmul ins(%x, %ids : !t, !ids) weights(%a, %a : !a, !a) grouping(%g#0, %g#1 : !ids, !starts) outs(%y : !t) -> !t
    scf.yield %0 : !t
  } else {
    %0 = frit.lora_matmul ins(%x, %ids : !t, !ids) weights(%a, %a : !a, !a) grouping(%g#0, %g#1 : !ids, !starts) outs(%x : !t) -> !t
    scf.yield %0 : !t
  }
  return %r : !t
}

// CHECK-LABEL: func @returned
// CHECK-NOT: scf.if
// CHECK: frit.lora_group
func.func @returned(%ids: !ids, %o: !ids, %s: !starts, %x: !t, %a: !a, %y: !t, %c: i1) -> (!t, !ids) {
  %g:2 = frit.lora_group ins(%ids : !ids) outs(%o, %s : !ids, !starts) -> !ids, !starts
  %r = scf.if %c -> !t {
    %0 = frit.lora_matmul ins(%x, %ids : !t, !ids) weights(%a, %a : !a, !a) grouping(%g#0, %g#1 : !ids, !starts) outs(%y : !t) -> !t
    scf.yield %0 : !t
  } else {
    scf.yield %y : !t
  }
  return %r, %g#0 : !t, !ids
}

// What depends on the loop is not known before it and counts as true; a condition from before it is tested.
// CHECK-LABEL: func @loop
// CHECK-SAME: %[[C:[a-z0-9]+]]: i1,
// CHECK: scf.if %[[C]]
// CHECK-NEXT: frit.lora_group
// CHECK: scf.for
func.func @loop(%ids: !ids, %o: !ids, %s: !starts, %x: !t, %a: !a, %y: !t, %c: i1, %n: index) -> !t {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %g:2 = frit.lora_group ins(%ids : !ids) outs(%o, %s : !ids, !starts) -> !ids, !starts
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%z = %y) -> !t {
    %odd = arith.cmpi eq, %i, %c1 : index
    %w = scf.if %odd -> !t {
      %v = scf.if %c -> !t {
        %0 = frit.lora_matmul ins(%x, %ids : !t, !ids) weights(%a, %a : !a, !a) grouping(%g#0, %g#1 : !ids, !starts) outs(%z : !t) -> !t
        scf.yield %0 : !t
      } else {
        scf.yield %z : !t
      }
      scf.yield %v : !t
    } else {
      scf.yield %z : !t
    }
    scf.yield %w : !t
  }
  return %r : !t
}

// A condition that takes the grouping's own result is not known before it.
// CHECK-LABEL: func @own_size
// CHECK-NOT: scf.if
// CHECK: frit.lora_group
// CHECK-NOT: frit.lora_group
func.func @own_size(%ids: !ids, %o: !ids, %s: !starts, %x: !t, %a: !a, %y: !t) -> !t {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %g:2 = frit.lora_group ins(%ids : !ids) outs(%o, %s : !ids, !starts) -> !ids, !starts
  %t = tensor.dim %g#0, %c0 : !ids
  %few = arith.cmpi sle, %t, %c8 : index
  %r = scf.if %few -> !t {
    scf.yield %y : !t
  } else {
    %0 = frit.lora_matmul ins(%x, %ids : !t, !ids) weights(%a, %a : !a, !a) grouping(%g#0, %g#1 : !ids, !starts) outs(%y : !t) -> !t
    scf.yield %0 : !t
  }
  return %r : !t
}

// An element of a tensor is not read without the condition under which it is there.
// CHECK-LABEL: func @element
// CHECK-SAME: %[[IS_IN:[a-z0-9]+]]: i1)
// CHECK-NOT: tensor.extract
// CHECK: scf.if %[[IS_IN]]
// CHECK-NEXT: frit.lora_group
// CHECK: scf.if %[[IS_IN]]
// CHECK: tensor.extract
func.func @element(%ids: !ids, %o: !ids, %s: !starts, %x: !t, %a: !a, %y: !t, %i: index, %in: i1) -> !t {
  %c1 = arith.constant 1 : i32
  %g:2 = frit.lora_group ins(%ids : !ids) outs(%o, %s : !ids, !starts) -> !ids, !starts
  %r = scf.if %in -> !t {
    %id = tensor.extract %ids[%i] : !ids
    %is1 = arith.cmpi eq, %id, %c1 : i32
    %1 = scf.if %is1 -> !t {
      %0 = frit.lora_matmul ins(%x, %ids : !t, !ids) weights(%a, %a : !a, !a) grouping(%g#0, %g#1 : !ids, !starts) outs(%y : !t) -> !t
      scf.yield %0 : !t
    } else {
      scf.yield %y : !t
    }
    scf.yield %1 : !t
  } else {
    scf.yield %y : !t
  }
  return %r : !t
}

// Another block of the function may run.
// CHECK-LABEL: func @blocks
// CHECK-NOT: scf.if
// CHECK: frit.lora_group
// CHECK: cf.cond_br
func.func @blocks(%ids: !ids, %o: !ids, %s: !starts, %x: !t, %a: !a, %y: !t, %c: i1) -> !t {
  %g:2 = frit.lora_group ins(%ids : !ids) outs(%o, %s : !ids, !starts) -> !ids, !starts
  cf.cond_br %c, ^some, ^none
^some:
  %0 = frit.lora_matmul ins(%x, %ids : !t, !ids) weights(%a, %a : !a, !a) grouping(%g#0, %g#1 : !ids, !starts) outs(%y : !t) -> !t
  return %0 : !t
^none:
  return %y : !t
}
