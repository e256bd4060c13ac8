// RUN: %frit_opt %s --split-input-file --pass-pipeline='builtin.module(convert-parallel-to-frit-runtime,canonicalize,cse)' | FileCheck %s

// CHECK: llvm.func @fritParallelFor(!llvm.ptr, i64, i64, i64, !llvm.ptr, !llvm.ptr) -> i32

// CHECK-LABEL: func.func @one_dimension(
// CHECK-SAME:    %[[CONTEXT:.*]]: !llvm.ptr, %[[X:.*]]: memref<?xf32>, %[[V:.*]]: f32, %[[LB:.*]]: index, %[[UB:.*]]: index)
func.func @one_dimension(%context: !llvm.ptr, %x: memref<?xf32>, %v: f32, %lb: index, %ub: index) -> i32 {
  %c1 = arith.constant 1 : index
  // CHECK-DAG: %[[BODY:.*]] = constant @one_dimension_parallel
  // CHECK-DAG: %[[GRAIN:.*]] = arith.constant 7 : i64
  // CHECK-DAG: %[[ZERO:.*]] = arith.constant 0 : i64
  // CHECK-DAG: %[[SIZE:.*]] = llvm.mlir.constant(56 : i64) : i64
  // CHECK: %[[CLOSURE:.*]] = llvm.alloca %[[SIZE]] x i8 {alignment = 8 : i64}
  // CHECK: %[[DISTANCE:.*]] = arith.subi %[[UB]], %[[LB]]
  // CHECK: %[[COUNT:.*]] = arith.maxsi %[[DISTANCE]]
  // CHECK: %[[COUNT64:.*]] = arith.index_cast %[[COUNT]] : index to i64
  // CHECK: %[[DESCRIPTOR:.*]] = builtin.unrealized_conversion_cast %[[X]] : memref<?xf32> to !llvm.struct
  // CHECK: llvm.getelementptr %[[CLOSURE]][0, {{[0-9]}}]
  // CHECK: llvm.store
  // CHECK: %[[BODY_POINTER:.*]] = builtin.unrealized_conversion_cast %[[BODY]] : {{.*}} to !llvm.ptr
  // CHECK: %[[STATUS:.*]] = llvm.call @fritParallelFor(%[[CONTEXT]], %[[ZERO]], %[[COUNT64]], %[[GRAIN]], %[[BODY_POINTER]], %[[CLOSURE]])
  // CHECK: %[[OK:.*]] = arith.cmpi eq, %[[STATUS]]
  // CHECK: cf.assert %[[OK]], "frit.propagate-error"
  scf.parallel (%i) = (%lb) to (%ub) step (%c1) {
    memref.store %v, %x[%i] : memref<?xf32>
  } {frit.grain = 7 : i64}
  %ok = arith.constant 0 : i32
  return %ok : i32
}
// CHECK-LABEL: func.func private @one_dimension_parallel(
// CHECK-SAME:    %{{.*}}: !llvm.ptr, %[[CLOSURE:.*]]: !llvm.ptr, %[[BEGIN64:.*]]: i64, %[[END64:.*]]: i64) -> i32 attributes {llvm.linkage = #llvm.linkage<internal>}
// CHECK-DAG:     %[[STATUS:.*]] = arith.constant 0 : i32
// CHECK-DAG:     %[[ONE:.*]] = arith.constant 1 : index
// CHECK:         llvm.getelementptr %[[CLOSURE]]
// CHECK:         llvm.load
// CHECK-DAG:     %[[BEGIN:.*]] = arith.index_cast %[[BEGIN64]] : i64 to index
// CHECK-DAG:     %[[END:.*]] = arith.index_cast %[[END64]] : i64 to index
// CHECK:         scf.for %[[I:.*]] = %[[BEGIN]] to %[[END]] step %[[ONE]] {
// CHECK:           %[[INDEX:.*]] = arith.addi %[[I]], %{{.*}}
// CHECK:           memref.store %{{.*}}, %{{.*}}[%[[INDEX]]] : memref<?xf32>
// CHECK:         }
// CHECK:         return %[[STATUS]] : i32

// -----

// Any piece of the row-major order: rows by number, columns as a loop.
// CHECK-LABEL: func.func @three_dimensions(
func.func @three_dimensions(%context: !llvm.ptr, %x: memref<?x?x?xf32>, %a: index, %b: index, %c: index, %v: f32) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  // CHECK-DAG: %[[C2:.*]] = arith.constant 2 : index
  // CHECK-DAG: %[[C3:.*]] = arith.constant 3 : index
  // CHECK: %[[SUM:.*]] = arith.addi %{{.*}}, %[[C2]]
  // CHECK: arith.divui %[[SUM]], %[[C3]]
  // CHECK: arith.muli
  // CHECK: arith.muli
  // CHECK: llvm.call @fritParallelFor
  scf.parallel (%i, %j, %k) = (%c0, %c0, %c0) to (%a, %b, %c) step (%c1, %c3, %c1) {
    memref.store %v, %x[%i, %j, %k] : memref<?x?x?xf32>
  }
  %ok = arith.constant 0 : i32
  return %ok : i32
}
// CHECK-LABEL: func.func private @three_dimensions_parallel(
// CHECK:         %[[FIRST:.*]] = arith.divui %[[BEGIN:.*]], %[[LENGTH:.*]] : index
// CHECK:         %[[LAST:.*]] = arith.divui %{{.*}}, %[[LENGTH]] : index
// CHECK:         %[[END:.*]] = arith.addi %[[LAST]], %{{.*}}
// CHECK:         scf.for %[[ROW:.*]] = %[[FIRST]] to %[[END]]
// CHECK:           %[[REM:.*]] = arith.remui %[[ROW]], %[[B:.*]] : index
// CHECK:           %[[I:.*]] = arith.divui %[[ROW]], %[[B]] : index
// CHECK:           %[[J:.*]] = arith.muli %[[REM]], %{{.*}}
// CHECK:           %[[START:.*]] = arith.muli %[[ROW]], %[[LENGTH]]
// CHECK:           arith.maxsi
// CHECK:           arith.minsi %{{.*}}, %[[LENGTH]]
// CHECK:           scf.for %[[K:.*]] =
// CHECK:             memref.store %{{.*}}, %{{.*}}[%[[I]], %[[J]], %[[K]]]

// -----

// A loop with a reduction runs in order, and a parallel loop inside of it may
// still use threads; a parallel loop inside of another is sequential.
// CHECK-LABEL: func.func @reduction(
// CHECK:         scf.for %{{.*}} iter_args(%[[OUTER:.*]] =
// CHECK:           scf.for %{{.*}} iter_args(%[[ACC:.*]] = %[[OUTER]]
// CHECK:             llvm.call @fritParallelFor
// CHECK:             %[[V:.*]] = memref.load
// CHECK:             %[[SUM:.*]] = arith.addf %[[ACC]], %[[V]]
// CHECK:             scf.yield %[[SUM]]
// CHECK:         memref.store
func.func @reduction(%context: !llvm.ptr, %x: memref<?x?xf32>, %y: memref<f32>, %n: index) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %sum = scf.parallel (%i, %j) = (%c0, %c0) to (%n, %n) step (%c1, %c1) init (%zero) -> f32 {
    scf.parallel (%k) = (%c0) to (%n) step (%c1) {
      scf.parallel (%l) = (%c0) to (%n) step (%c1) {
        memref.store %zero, %x[%k, %l] : memref<?x?xf32>
      }
    }
    %v = memref.load %x[%i, %j] : memref<?x?xf32>
    scf.reduce(%v : f32) {
    ^bb0(%a: f32, %b: f32):
      %s = arith.addf %a, %b : f32
      scf.reduce.return %s : f32
    }
  }
  memref.store %sum, %y[] : memref<f32>
  %ok = arith.constant 0 : i32
  return %ok : i32
}
// CHECK-LABEL: func.func private @reduction_parallel(
// CHECK-NOT:     fritParallelFor
// CHECK:         scf.for
// CHECK:           scf.for
// CHECK:             memref.store
// CHECK-NOT:   func.func

// -----

// Constants are repeated, the context is passed, nothing else: no closure.
memref.global "private" @counters : memref<8xi32>
// CHECK-LABEL: func.func @constants(
// CHECK-SAME:    %[[CONTEXT:.*]]: !llvm.ptr)
// CHECK-NOT:     llvm.alloca
// CHECK:         %[[NULL:.*]] = llvm.mlir.zero : !llvm.ptr
// CHECK:         llvm.call @fritParallelFor(%[[CONTEXT]], {{.*}}, %[[NULL]])
func.func @constants(%context: !llvm.ptr) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %v = arith.constant 42 : i32
  %x = memref.get_global @counters : memref<8xi32>
  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
    memref.store %v, %x[%i] : memref<8xi32>
    %p = llvm.getelementptr %context[1] : (!llvm.ptr) -> !llvm.ptr, i8
  }
  %ok = arith.constant 0 : i32
  return %ok : i32
}
// CHECK-LABEL: func.func private @constants_parallel(
// CHECK-NOT:     llvm.load
// CHECK-DAG:     %[[V:.*]] = arith.constant 42 : i32
// CHECK-DAG:     %[[X:.*]] = memref.get_global @counters
// CHECK:         memref.store %[[V]], %[[X]]

// -----

// Closures of one function share its stack block: as large as the largest.
// CHECK-LABEL: func.func @two_loops(
// CHECK:         %[[SIZE:.*]] = llvm.mlir.constant(128 : i64) : i64
// CHECK:         %[[CLOSURE:.*]] = llvm.alloca %[[SIZE]] x i8 {alignment = 64 : i64}
// CHECK-NOT:     llvm.alloca
// CHECK:         llvm.call @fritParallelFor({{.*}}, %[[CLOSURE]])
// CHECK:         llvm.call @fritParallelFor({{.*}}, %[[CLOSURE]])
func.func @two_loops(%context: !llvm.ptr, %x: memref<?xf32>, %y: memref<?xvector<16xf32>>, %s: f32, %v: vector<16xf32>, %n: index) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    memref.store %s, %x[%i] : memref<?xf32>
  }
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    memref.store %v, %y[%i] : memref<?xvector<16xf32>>
  }
  %ok = arith.constant 0 : i32
  return %ok : i32
}
// CHECK: func.func private @two_loops_parallel
// CHECK: func.func private @two_loops_parallel

// -----

// Buffers of fixed size are made once a piece; others are given back.
// CHECK-LABEL: func.func @allocas(
// CHECK-NOT:     memref.alloca
// CHECK-LABEL: func.func private @allocas_parallel(
// CHECK:         memref.alloca() : memref<8xf32>
// CHECK:         scf.for
// CHECK:           %[[STACK:.*]] = llvm.intr.stacksave
// CHECK:           memref.alloca(%{{.*}}) : memref<?xf32>
// CHECK:           llvm.intr.stackrestore %[[STACK]]
func.func @allocas(%context: !llvm.ptr, %x: memref<?xf32>, %n: index) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %a = memref.alloca() : memref<8xf32>
    %b = memref.alloca(%i) : memref<?xf32>
    %v = memref.load %x[%i] : memref<?xf32>
    memref.store %v, %a[%c0] : memref<8xf32>
    memref.store %v, %b[%c0] : memref<?xf32>
    %w = memref.load %a[%c1] : memref<8xf32>
    %u = memref.load %b[%c1] : memref<?xf32>
    %s = arith.addf %w, %u : f32
    memref.store %s, %x[%i] : memref<?xf32>
  }
  %ok = arith.constant 0 : i32
  return %ok : i32
}

// -----

// Without frit.grain: 16384 operations, a loop of unknown length counted as 64
// iterations. Here 132 operations an iteration.
// CHECK-LABEL: func.func @grain(
// CHECK:         %[[GRAIN:.*]] = arith.constant 124 : i64
// CHECK:         llvm.call @fritParallelFor(%{{.*}}, %{{.*}}, %{{.*}}, %[[GRAIN]],
func.func @grain(%context: !llvm.ptr, %x: memref<?x?xf32>, %n: index) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = arith.constant 1.0 : f32
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %d = arith.addi %i, %n : index
    %e = arith.addi %d, %n : index
    scf.for %j = %c0 to %e step %c1 {
      memref.store %v, %x[%i, %j] : memref<?x?xf32>
    }
  }
  %ok = arith.constant 0 : i32
  return %ok : i32
}
