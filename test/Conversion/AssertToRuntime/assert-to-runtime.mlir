// RUN: %frit_opt %s --pass-pipeline='builtin.module(convert-assert-to-frit-runtime)' | FileCheck %s

// A message is stored once.
// CHECK-DAG: llvm.mlir.global private constant @[[$FIRST:.*]]("sizes differ\00")
// CHECK-DAG: llvm.mlir.global private constant @[[$SECOND:.*]]("no tokens\00")
// CHECK-DAG: llvm.func @fritReportError(!llvm.ptr, i32, !llvm.ptr) -> i32
// CHECK-DAG: llvm.func @fritPropagateError(!llvm.ptr) -> i32
// CHECK-NOT: llvm.mlir.global

// CHECK-LABEL: func.func @asserts(
// CHECK-SAME:    %[[CONTEXT:.*]]: !llvm.ptr, %[[A:.*]]: i1, %[[B:.*]]: i1, %[[C:.*]]: i1)
func.func @asserts(%context: !llvm.ptr, %a: i1, %b: i1, %c: i1) -> i32 {
  // CHECK: %[[M1:.*]] = llvm.mlir.addressof @[[$FIRST]]
  // CHECK: cf.cond_br %[[A]], ^[[REST1:.*]], ^[[REPORT:.*]](%[[M1]] : !llvm.ptr)
  cf.assert %a, "sizes differ"
  // CHECK: ^[[REST1]]:
  // CHECK: %[[M2:.*]] = llvm.mlir.addressof @[[$SECOND]]
  // CHECK: cf.cond_br %[[B]], ^[[REST2:.*]], ^[[REPORT]](%[[M2]] : !llvm.ptr)
  cf.assert %b, "no tokens"
  // CHECK: ^[[REST2]]:
  // CHECK: cf.cond_br %[[C]], ^[[REST3:.*]], ^[[PROPAGATE:[^()]*]]
  cf.assert %c, "frit.propagate-error"
  // CHECK: ^[[REST3]]:
  // CHECK: llvm.mlir.addressof @[[$FIRST]]
  // CHECK: cf.cond_br %[[A]], ^[[REST4:.*]], ^[[REPORT]](
  cf.assert %a, "sizes differ"
  // CHECK: ^[[REST4]]:
  // CHECK: return
  %ok = arith.constant 0 : i32
  return %ok : i32
  // CHECK: ^[[REPORT]](%[[MESSAGE:.*]]: !llvm.ptr):
  // CHECK:   %[[CODE:.*]] = llvm.mlir.constant(3 : i32)
  // CHECK:   %[[S1:.*]] = llvm.call @fritReportError(%[[CONTEXT]], %[[CODE]], %[[MESSAGE]])
  // CHECK:   return %[[S1]] : i32
  // CHECK: ^[[PROPAGATE]]:
  // CHECK:   %[[S2:.*]] = llvm.call @fritPropagateError(%[[CONTEXT]])
  // CHECK:   return %[[S2]] : i32
}

// Values are live across the branch, and blocks keep their arguments.
// CHECK-LABEL: func.func @in_a_block(
func.func @in_a_block(%context: !llvm.ptr, %a: i1) -> i32 {
  %c1 = arith.constant 1 : i32
  cf.br ^next(%c1 : i32)
// CHECK: ^bb1(%[[V:.*]]: i32):
^next(%v: i32):
  %s = arith.addi %v, %v : i32
  // CHECK: cf.cond_br %{{.*}}, ^[[REST:.*]], ^{{.*}}(%{{.*}} : !llvm.ptr)
  cf.assert %a, "no tokens"
  // CHECK: ^[[REST]]:
  // CHECK: arith.addi %{{.*}}, %[[V]]
  %t = arith.addi %s, %v : i32
  return %t : i32
}

// Where an assertion compares two values, the message gets them.

// CHECK-LABEL: func.func @comparisons(
// CHECK-SAME:    %[[CONTEXT:.*]]: !llvm.ptr, %[[A:.*]]: index, %[[B:.*]]: index, %[[I:.*]]: i32, %[[F:.*]]: i1)
func.func @comparisons(%context: !llvm.ptr, %a: index, %b: index, %i: i32, %f: i1) -> i32 {
  // CHECK: %[[SAME:.*]] = arith.cmpi eq, %[[A]], %[[B]]
  %same = arith.cmpi eq, %a, %b : index
  // CHECK-DAG: %[[A64:.*]] = arith.index_cast %[[A]] : index to i64
  // CHECK-DAG: %[[B64:.*]] = arith.index_cast %[[B]] : index to i64
  // CHECK: cf.cond_br %[[SAME]], ^{{.*}}, ^[[MISMATCH:.*]](%{{.*}}, %[[A64]], %[[B64]] : !llvm.ptr, i64, i64)
  cf.assert %same, "sizes differ"
  // CHECK: arith.extui %[[I]] : i32 to i64
  %below = arith.cmpi ult, %i, %i : i32
  cf.assert %below, "sizes differ"
  // CHECK: arith.extsi %[[I]] : i32 to i64
  %less = arith.cmpi slt, %i, %i : i32
  cf.assert %less, "sizes differ"
  // Flags are no values to show.
  // CHECK: arith.cmpi eq, %[[F]], %[[F]]
  // CHECK-NOT: arith.ext
  // CHECK: cf.cond_br %{{.*}}, ^{{.*}}, ^[[REPORT:.*]](%{{[^,]*}} : !llvm.ptr)
  %flags = arith.cmpi eq, %f, %f : i1
  cf.assert %flags, "sizes differ"
  %ok = arith.constant 0 : i32
  return %ok : i32
  // CHECK: ^[[MISMATCH]](%[[MESSAGE:.*]]: !llvm.ptr, %[[L:.*]]: i64, %[[R:.*]]: i64):
  // CHECK:   %[[CODE:.*]] = llvm.mlir.constant(3 : i32)
  // CHECK:   %[[S:.*]] = llvm.call @fritReportMismatch(%[[CONTEXT]], %[[CODE]], %[[MESSAGE]], %[[L]], %[[R]])
  // CHECK:   return %[[S]] : i32
  // CHECK: ^[[REPORT]](
}
