// RUN: %frit_opt %s --pass-pipeline='builtin.module(convert-loops-to-gpu,canonicalize,cse)' | FileCheck %s

// A thread for each iteration, in row-major order; none where there is none.
// CHECK-LABEL: func.func @threads(
// CHECK-SAME:  %[[X:.*]]: memref<?x8xf32>, %[[N:.*]]: index, %[[LOW:.*]]: index)
// CHECK:       %[[SPAN:.*]] = arith.subi %[[N]], %[[LOW]]
// CHECK:       %[[ROWS:.*]] = arith.ceildivsi %[[SPAN]], %c2
// CHECK:       %[[SOME:.*]] = arith.maxsi %[[ROWS]], %c0
// CHECK:       %[[COUNT:.*]] = arith.muli %[[SOME]], %c8
// CHECK:       %[[GRID:.*]] = arith.ceildivsi %[[COUNT]], %c256
// CHECK:       gpu.launch blocks(%[[BLOCK:[a-z0-9]+]], {{[^)]*}}) in ({{[^)]*}} = %[[GRID]], {{[^)]*}} = %c1, {{[^)]*}} = %c1)
// CHECK-SAME:    threads(%[[THREAD:[a-z0-9]+]], {{[^)]*}}) in (%[[SIZE:[a-z0-9]+]] = %c256, {{[^)]*}}) module(@frit_generated)
// CHECK:         %[[FIRST:.*]] = arith.muli %[[BLOCK]], %[[SIZE]]
// CHECK:         %[[NUMBER:.*]] = arith.addi %[[FIRST]], %[[THREAD]]
// CHECK:         %[[INSIDE:.*]] = arith.cmpi ult, %[[NUMBER]], %[[COUNT]]
// CHECK:         scf.if %[[INSIDE]]
// CHECK:           %[[J:.*]] = arith.remui %[[NUMBER]], %c8
// CHECK:           %[[ROW:.*]] = arith.divui %[[NUMBER]], %c8
// CHECK:           %[[OFFSET:.*]] = arith.muli %[[ROW]], %c2
// CHECK:           %[[I:.*]] = arith.addi %[[OFFSET]], %[[LOW]]
// CHECK:           memref.store %{{.*}}, %[[X]][%[[I]], %[[J]]]
func.func @threads(%x: memref<?x8xf32>, %n: index, %low: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %cst = arith.constant 1.0 : f32
  scf.parallel (%i, %j) = (%low, %c0) to (%n, %c8) step (%c2, %c1) {
    memref.store %cst, %x[%i, %j] : memref<?x8xf32>
    scf.reduce
  }
  return
}

// Values that the host has pass through; an inner loop keeps its order.
// CHECK-LABEL: func.func @sum(
// CHECK-SAME:  %[[X:.*]]: memref<4x?xf32>, %[[Y:.*]]: memref<4xf32>, %[[SCALE:.*]]: f32)
// CHECK:       gpu.launch
// CHECK:         scf.if
// CHECK:           %[[SUM:.*]] = scf.for
// CHECK:           %[[SCALED:.*]] = arith.mulf %[[SUM]], %[[SCALE]]
// CHECK:           memref.store %[[SCALED]], %[[Y]]
func.func @sum(%x: memref<4x?xf32>, %y: memref<4xf32>, %scale: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0.0 : f32
  %n = memref.dim %x, %c1 : memref<4x?xf32>
  scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
    %sum = scf.for %j = %c0 to %n step %c1 iter_args(%acc = %zero) -> f32 {
      %e = memref.load %x[%i, %j] : memref<4x?xf32>
      %next = arith.addf %acc, %e : f32
      scf.yield %next : f32
    }
    %scaled = arith.mulf %sum, %scale : f32
    memref.store %scaled, %y[%i] : memref<4xf32>
    scf.reduce
  }
  return
}

// A body with parallel loops is run by a block: the loads by all its threads,
// the store by one, the inner loop by all together.
// CHECK-LABEL: func.func @blocks(
// CHECK-SAME:  %[[IDS:.*]]: memref<?xi32>, %[[X:.*]]: memref<?x96xf32>, %[[Y:.*]]: memref<?xi32>)
// CHECK:       %[[N:.*]] = arith.maxsi
// CHECK:       gpu.launch blocks(%[[I:[a-z0-9]+]], {{[^)]*}}) in ({{[^)]*}} = %[[N]], {{[^)]*}})
// CHECK-SAME:    threads(%[[THREAD:[a-z0-9]+]], {{[^)]*}}) in (%[[SIZE:[a-z0-9]+]] = %c256,
// CHECK-NEXT:    %[[ID:.*]] = memref.load %[[IDS]][%[[I]]]
// CHECK-NEXT:    %[[IS:.*]] = arith.cmpi eq, %[[ID]]
// CHECK-NEXT:    scf.if %[[IS]] {
// CHECK-NEXT:      gpu.barrier
// CHECK-NEXT:      scf.for %[[J:.*]] = %[[THREAD]] to %c96 step %[[SIZE]] {
// CHECK-NEXT:        memref.store %{{.*}}, %[[X]][%[[I]], %[[J]]]
// CHECK-NEXT:      }
// CHECK-NEXT:      gpu.barrier
// CHECK-NEXT:    }
// CHECK-NEXT:    gpu.barrier
// CHECK-NEXT:    %[[FIRST:.*]] = arith.cmpi eq, %[[THREAD]], %c0
// CHECK-NEXT:    scf.if %[[FIRST]] {
// CHECK-NEXT:      memref.store %[[ID]], %[[Y]][%[[I]]]
// CHECK-NEXT:    }
// CHECK-NEXT:    gpu.barrier
func.func @blocks(%ids: memref<?xi32>, %x: memref<?x96xf32>, %y: memref<?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c96 = arith.constant 96 : index
  %cst = arith.constant 1.0 : f32
  %n = memref.dim %x, %c0 : memref<?x96xf32>
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %id = memref.load %ids[%i] : memref<?xi32>
    %c3 = arith.constant 3 : i32
    %is = arith.cmpi eq, %id, %c3 : i32
    scf.if %is {
      scf.parallel (%j) = (%c0) to (%c96) step (%c1) {
        memref.store %cst, %x[%i, %j] : memref<?x96xf32>
        scf.reduce
      }
    }
    memref.store %id, %y[%i] : memref<?xi32>
    scf.reduce
  }
  return
}

// What is not parallel runs in one thread, loops and all. A loaded value that
// another launch needs passes through scratch memory.
// CHECK-LABEL: func.func @sequential(
// CHECK-SAME:  %[[X:.*]]: memref<8xf32>, %[[Y:.*]]: memref<8xf32>)
// CHECK:       %[[SLOT:.*]] = memref.alloc() : memref<f32>
// CHECK:       gpu.launch blocks({{[^)]*}}) in ({{[^)]*}} = %c1, {{[^)]*}} = %c1, {{[^)]*}} = %c1) threads({{[^)]*}}) in ({{[^)]*}} = %c1, {{[^)]*}} = %c1, {{[^)]*}} = %c1)
// CHECK-NEXT:    %[[LOADED:.*]] = memref.load %[[X]]
// CHECK-NEXT:    %[[TWICE:.*]] = arith.addf %[[LOADED]], %[[LOADED]]
// CHECK-NEXT:    scf.for
// CHECK-NEXT:      memref.store %[[TWICE]], %[[X]]
// CHECK-NEXT:    }
// CHECK-NEXT:    memref.store %[[TWICE]], %[[SLOT]][]
// CHECK-NEXT:    gpu.terminator
// CHECK:       gpu.launch
// CHECK:         %[[AGAIN:.*]] = memref.load %[[SLOT]][]
// CHECK-NEXT:    memref.store %[[AGAIN]], %[[Y]]
func.func @sequential(%x: memref<8xf32>, %y: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %first = memref.load %x[%c0] : memref<8xf32>
  %twice = arith.addf %first, %first : f32
  scf.for %i = %c0 to %c8 step %c1 {
    memref.store %twice, %x[%i] : memref<8xf32>
  }
  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
    memref.store %twice, %y[%i] : memref<8xf32>
    scf.reduce
  }
  return
}

// Loops over work of the host stay there.
// CHECK-LABEL: func.func @host_loop(
// CHECK:       scf.for
// CHECK-NEXT:    scf.if
// CHECK-NEXT:      %[[BUFFER:.*]] = memref.alloc()
// CHECK-NEXT:      gpu.launch
// CHECK:             memref.store %{{.*}}, %[[BUFFER]]
// CHECK:           gpu.launch
// CHECK-NEXT:        %[[E:.*]] = memref.load %[[BUFFER]]
// CHECK-NEXT:        memref.store %[[E]]
// CHECK-NEXT:        gpu.terminator
// CHECK:           memref.dealloc %[[BUFFER]]
func.func @host_loop(%x: memref<?x8xf32>, %flag: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %cst = arith.constant 1.0 : f32
  %n = memref.dim %x, %c0 : memref<?x8xf32>
  scf.for %i = %c0 to %n step %c1 {
    scf.if %flag {
      %buffer = memref.alloc() : memref<8xf32>
      scf.parallel (%j) = (%c0) to (%c8) step (%c1) {
        memref.store %cst, %buffer[%j] : memref<8xf32>
        scf.reduce
      }
      %e = memref.load %buffer[%c0] : memref<8xf32>
      memref.store %e, %x[%i, %c0] : memref<?x8xf32>
      memref.dealloc %buffer : memref<8xf32>
    }
  }
  return
}

// Functions on the host are left alone.
// CHECK-LABEL: func.func @sizes(
// CHECK-NOT:   gpu.launch
// CHECK:       memref.store
func.func @sizes(%x: memref<?xf32>, %out: memref<1xindex>) attributes {frit.host} {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  memref.store %n, %out[%c0] : memref<1xindex>
  return
}

// The address of a constant comes from the host, wherever it is used.
memref.global "private" constant @weights : memref<8xf32> = dense<1.0>
// CHECK-LABEL: func.func @constant(
// CHECK:       %[[WEIGHTS:.*]] = memref.get_global @weights
// CHECK:       gpu.launch
// CHECK:         memref.load %[[WEIGHTS]]
func.func @constant(%x: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
    %w = memref.get_global @weights : memref<8xf32>
    %e = memref.load %w[%i] : memref<8xf32>
    memref.store %e, %x[%i] : memref<8xf32>
    scf.reduce
  }
  return
}

// A launch that is there stays, in the module of the others.
// CHECK-LABEL: func.func @launch(
// CHECK:       gpu.launch {{.*}} module(@frit_generated)
// CHECK-NEXT:    memref.store
// CHECK-NOT:   gpu.launch
func.func @launch(%x: memref<f32>, %e: f32) {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    memref.store %e, %x[] : memref<f32>
    gpu.terminator
  }
  return
}
