// RUN: %frit_opt %s --pass-pipeline='builtin.module(frit-split-updates{min-updates=2})' | FileCheck %s
// RUN: %frit_opt %s --pass-pipeline='builtin.module(frit-split-updates)' | FileCheck %s --check-prefix=SHORT
// RUN: %frit_opt %s --pass-pipeline='builtin.module(frit-split-updates{min-updates=2},frit-bufferize,canonicalize)' | FileCheck %s --check-prefix=BUFFERS
// RUN: %frit_opt %s --pass-pipeline='builtin.module(frit-split-updates{min-reads=5})' | FileCheck %s --check-prefix=READS
// RUN: %frit_opt %s --pass-pipeline='builtin.module(frit-split-updates{min-reads=5},frit-bufferize,canonicalize)' | FileCheck %s --check-prefix=SHARED

// Each update has a tensor of its own, and all have one buffer. What reads a value reads its tensor.

// CHECK-LABEL: func.func @chain(
// CHECK-SAME:    %[[X:.*]]: tensor<4xf32>, %[[OUT:.*]]: memref<4xf32>,
// CHECK-NEXT:  %[[T0:.*]] = bufferization.to_tensor %[[OUT]] restrict writable
// CHECK-NEXT:  %[[A:.*]] = linalg.exp ins(%[[X]] : {{.*}}) outs(%[[T0]] :
// CHECK-NEXT:  bufferization.materialize_in_destination %[[A]] in writable %[[OUT]]
// CHECK-NEXT:  %[[T1:.*]] = bufferization.to_tensor %[[OUT]] restrict writable
// CHECK-NEXT:  tensor.empty
// CHECK-NEXT:  %[[READ:.*]] = linalg.abs ins(%[[T1]] :
// CHECK-NEXT:  %[[B:.*]] = linalg.add ins(%[[X]], %[[READ]] : {{.*}}) outs(%[[T1]] :
// CHECK-NEXT:  bufferization.materialize_in_destination %[[B]] in writable %[[OUT]]
// CHECK-NEXT:  %[[T2:.*]] = bufferization.to_tensor %[[OUT]] restrict writable
// CHECK-NEXT:  %[[C:.*]] = linalg.mul ins(%[[X]], %[[X]] : {{.*}}) outs(%[[T2]] :
// CHECK-NEXT:  bufferization.materialize_in_destination %[[C]] in writable %[[OUT]]
// CHECK-NEXT:  bufferization.materialize_in_destination %[[READ]]

// Three updates are fewer than those for which it pays.

// SHORT-LABEL:   func.func @chain(
// SHORT-COUNT-1: bufferization.to_tensor
// SHORT-NOT:     bufferization.to_tensor
// SHORT-LABEL:   func.func @conflict(

// BUFFERS-LABEL: func.func @chain(
// BUFFERS-SAME:    %[[X:.*]]: memref<4xf32, {{.*}}>, %[[OUT:.*]]: memref<4xf32>,
// BUFFERS-NOT:   memref.copy
// BUFFERS:       linalg.exp {{.*}} outs(%[[OUT]] :
// BUFFERS-NOT:   memref.copy
// BUFFERS:       linalg.add {{.*}} outs(%[[OUT]] :
// BUFFERS-NOT:   memref.copy
// BUFFERS:       linalg.mul {{.*}} outs(%[[OUT]] :
func.func @chain(%x: tensor<4xf32>, %out: memref<4xf32>, %more: memref<4xf32>) {
  %t = bufferization.to_tensor %out restrict writable : memref<4xf32> to tensor<4xf32>
  %a = linalg.exp ins(%x : tensor<4xf32>) outs(%t : tensor<4xf32>) -> tensor<4xf32>
  %e = tensor.empty() : tensor<4xf32>
  %read = linalg.abs ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %b = linalg.add ins(%x, %read : tensor<4xf32>, tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
  %c = linalg.mul ins(%x, %x : tensor<4xf32>, tensor<4xf32>) outs(%b : tensor<4xf32>) -> tensor<4xf32>
  bufferization.materialize_in_destination %c in writable %out : (tensor<4xf32>, memref<4xf32>) -> ()
  bufferization.materialize_in_destination %read in writable %more : (tensor<4xf32>, memref<4xf32>) -> ()
  return
}

// An op that needs what it overwrites gets a buffer of its own, whose contents come back to that of the chain.

// CHECK-LABEL: func.func @conflict(
// CHECK-COUNT-3: bufferization.to_tensor
// CHECK:         return
// BUFFERS-LABEL: func.func @conflict(
// BUFFERS-SAME:    %[[OUT:[a-z0-9]+]]: memref<4x4xf32>)
// BUFFERS:       linalg.exp {{.*}} outs(%[[OUT]] :
// BUFFERS:       %[[COPY:.*]] = memref.alloc
// BUFFERS:       memref.copy %[[OUT]], %[[COPY]]
// BUFFERS:       linalg.matmul ins(%[[OUT]], %{{.*}}) outs(%[[COPY]] :
// BUFFERS:       memref.copy %[[COPY]], %[[OUT]]
// BUFFERS:       linalg.add {{.*}} outs(%[[OUT]] :
func.func @conflict(%x: tensor<4x4xf32>, %out: memref<4x4xf32>) {
  %t = bufferization.to_tensor %out restrict writable : memref<4x4xf32> to tensor<4x4xf32>
  %a = linalg.exp ins(%x : tensor<4x4xf32>) outs(%t : tensor<4x4xf32>) -> tensor<4x4xf32>
  %b = linalg.matmul ins(%a, %x : tensor<4x4xf32>, tensor<4x4xf32>) outs(%a : tensor<4x4xf32>) -> tensor<4x4xf32>
  %c = linalg.add ins(%x, %x : tensor<4x4xf32>, tensor<4x4xf32>) outs(%b : tensor<4x4xf32>) -> tensor<4x4xf32>
  bufferization.materialize_in_destination %c in writable %out : (tensor<4x4xf32>, memref<4x4xf32>) -> ()
  return
}

// A new tensor is allocated, with its sizes.

// CHECK-LABEL: func.func @new(
// CHECK-SAME:    %[[X:.*]]: tensor<?x4xf32>, %[[N:.*]]: index,
// CHECK-NEXT:  %[[BUFFER:.*]] = memref.alloc(%[[N]]) {alignment = 64 : i64} : memref<?x4xf32>
// CHECK-NEXT:  %[[T0:.*]] = bufferization.to_tensor %[[BUFFER]] restrict writable
// CHECK:       linalg.exp {{.*}} outs(%[[T0]] :
// CHECK:       %[[T1:.*]] = bufferization.to_tensor %[[BUFFER]] restrict writable
// CHECK:       linalg.abs {{.*}} outs(%[[T1]] :
// BUFFERS-LABEL: func.func @new(
// BUFFERS:       %[[BUFFER:.*]] = memref.alloc
// BUFFERS-NOT:   memref.alloc
// BUFFERS:       linalg.exp {{.*}} outs(%[[BUFFER]] :
// BUFFERS-NOT:   memref.copy
// BUFFERS:       linalg.abs {{.*}} outs(%[[BUFFER]] :
func.func @new(%x: tensor<?x4xf32>, %n: index, %out: memref<?x4xf32>) {
  %e = tensor.empty(%n) : tensor<?x4xf32>
  %a = linalg.exp ins(%x : tensor<?x4xf32>) outs(%e : tensor<?x4xf32>) -> tensor<?x4xf32>
  %b = linalg.abs ins(%x : tensor<?x4xf32>) outs(%a : tensor<?x4xf32>) -> tensor<?x4xf32>
  %t = bufferization.to_tensor %out restrict writable : memref<?x4xf32> to tensor<?x4xf32>
  %r = linalg.add ins(%x, %b : tensor<?x4xf32>, tensor<?x4xf32>) outs(%t : tensor<?x4xf32>) -> tensor<?x4xf32>
  bufferization.materialize_in_destination %r in writable %out : (tensor<?x4xf32>, memref<?x4xf32>) -> ()
  return
}

// An argument that the caller keeps is copied once.

// CHECK-LABEL: func.func @argument(
// CHECK-SAME:    %[[X:.*]]: tensor<?xf32> {bufferization.writable = false}
// CHECK:       %[[N:.*]] = tensor.dim %[[X]],
// CHECK-NEXT:  %[[BUFFER:.*]] = memref.alloc(%[[N]]) {alignment = 64 : i64} : memref<?xf32>
// CHECK-NEXT:  %[[T0:.*]] = bufferization.to_tensor %[[BUFFER]] restrict writable
// CHECK-NEXT:  %[[COPY:.*]] = bufferization.materialize_in_destination %[[X]] in %[[T0]]
// CHECK-NEXT:  linalg.exp ins(%[[X]] : {{.*}}) outs(%[[COPY]] :
// BUFFERS-LABEL: func.func @argument(
// BUFFERS:       %[[BUFFER:.*]] = memref.alloc
// BUFFERS-NOT:   memref.alloc
// BUFFERS:       memref.copy
// BUFFERS-NOT:   memref.copy
// BUFFERS:       linalg.exp {{.*}} outs(%[[BUFFER]] :
// BUFFERS:       linalg.abs {{.*}} outs(%[[BUFFER]] :
// BUFFERS:       linalg.add
func.func @argument(%x: tensor<?xf32> {bufferization.writable = false}, %out: memref<?xf32>) {
  %a = linalg.exp ins(%x : tensor<?xf32>) outs(%x : tensor<?xf32>) -> tensor<?xf32>
  %b = linalg.abs ins(%x : tensor<?xf32>) outs(%a : tensor<?xf32>) -> tensor<?xf32>
  %t = bufferization.to_tensor %out restrict writable : memref<?xf32> to tensor<?xf32>
  %r = linalg.add ins(%x, %b : tensor<?xf32>, tensor<?xf32>) outs(%t : tensor<?xf32>) -> tensor<?xf32>
  bufferization.materialize_in_destination %r in writable %out : (tensor<?xf32>, memref<?xf32>) -> ()
  return
}

// Branches that update one tensor, or pass it on, are one update.

// CHECK-LABEL: func.func @branches(
// CHECK:       %[[T0:.*]] = bufferization.to_tensor
// CHECK:       %[[A:.*]] = scf.if
// CHECK:         linalg.exp {{.*}} outs(%[[T0]] :
// CHECK:       bufferization.materialize_in_destination %[[A]] in writable
// CHECK-NEXT:  %[[T1:.*]] = bufferization.to_tensor
// CHECK-NEXT:  scf.if
// CHECK:         linalg.abs {{.*}} outs(%[[T1]] :
// CHECK:         scf.yield %[[T1]] :
// CHECK:       %[[T2:.*]] = bufferization.to_tensor
// CHECK-NEXT:  linalg.abs {{.*}} outs(%[[T2]] :
// BUFFERS-LABEL: func.func @branches(
// BUFFERS-SAME:    %[[OUT:[a-z0-9]+]]: memref<4xf32>,
// BUFFERS-NOT:   memref.copy
// BUFFERS:       scf.if %{{.*}} {
// BUFFERS:         linalg.exp {{.*}} outs(%[[OUT]] :
// BUFFERS:         linalg.negf {{.*}} outs(%[[OUT]] :
// BUFFERS:       scf.if %{{.*}} {
// BUFFERS-NEXT:    linalg.abs {{.*}} outs(%[[OUT]] :
// BUFFERS-NEXT:  }
// BUFFERS-NEXT:  linalg.abs {{.*}} outs(%[[OUT]] :
func.func @branches(%x: tensor<4xf32>, %out: memref<4xf32>, %c: i1, %d: i1) {
  %t = bufferization.to_tensor %out restrict writable : memref<4xf32> to tensor<4xf32>
  %a = scf.if %c -> tensor<4xf32> {
    %0 = linalg.exp ins(%x : tensor<4xf32>) outs(%t : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %0 : tensor<4xf32>
  } else {
    %0 = scf.if %d -> tensor<4xf32> {
      %1 = linalg.abs ins(%x : tensor<4xf32>) outs(%t : tensor<4xf32>) -> tensor<4xf32>
      scf.yield %1 : tensor<4xf32>
    } else {
      %1 = linalg.negf ins(%x : tensor<4xf32>) outs(%t : tensor<4xf32>) -> tensor<4xf32>
      scf.yield %1 : tensor<4xf32>
    }
    scf.yield %0 : tensor<4xf32>
  }
  %b = scf.if %d -> tensor<4xf32> {
    %0 = linalg.abs ins(%x : tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %0 : tensor<4xf32>
  } else {
    scf.yield %a : tensor<4xf32>
  }
  %r = linalg.abs ins(%x : tensor<4xf32>) outs(%b : tensor<4xf32>) -> tensor<4xf32>
  bufferization.materialize_in_destination %r in writable %out : (tensor<4xf32>, memref<4xf32>) -> ()
  return
}

// A chain ends at what is needed after the next update, also behind a view,

// CHECK-LABEL:   func.func @needed_later(
// CHECK-COUNT-1: bufferization.to_tensor
// CHECK-NOT:     bufferization.to_tensor
// CHECK:         return
// BUFFERS-LABEL: func.func @needed_later(
// BUFFERS-SAME:    %[[OUT:[a-z0-9]+]]: memref<4xf32>,
// BUFFERS:       linalg.exp {{.*}} outs(%[[OUT]] :
// BUFFERS:       %[[COPY:.*]] = memref.alloc
// BUFFERS:       linalg.abs {{.*}} outs(%[[COPY]] :
func.func @needed_later(%x: tensor<4xf32>, %out: memref<4xf32>, %more: memref<2xf32>) {
  %t = bufferization.to_tensor %out restrict writable : memref<4xf32> to tensor<4xf32>
  %a = linalg.exp ins(%x : tensor<4xf32>) outs(%t : tensor<4xf32>) -> tensor<4xf32>
  %v = tensor.extract_slice %a[2] [2] [1] : tensor<4xf32> to tensor<2xf32>
  %b = linalg.abs ins(%x : tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
  bufferization.materialize_in_destination %v in writable %more : (tensor<2xf32>, memref<2xf32>) -> ()
  bufferization.materialize_in_destination %b in writable %out : (tensor<4xf32>, memref<4xf32>) -> ()
  return
}

// at a value that two ops update,

// CHECK-LABEL:   func.func @two_updates(
// CHECK-COUNT-1: bufferization.to_tensor
// CHECK-NOT:     bufferization.to_tensor
// CHECK:         return
func.func @two_updates(%x: tensor<4xf32>, %out: memref<4xf32>, %more: memref<4xf32>) {
  %t = bufferization.to_tensor %out restrict writable : memref<4xf32> to tensor<4xf32>
  %a = linalg.exp ins(%x : tensor<4xf32>) outs(%t : tensor<4xf32>) -> tensor<4xf32>
  %b = linalg.abs ins(%x : tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
  %c = linalg.tanh ins(%x : tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
  bufferization.materialize_in_destination %b in writable %more : (tensor<4xf32>, memref<4xf32>) -> ()
  bufferization.materialize_in_destination %c in writable %out : (tensor<4xf32>, memref<4xf32>) -> ()
  return
}

// and does not begin in an argument that may be written to, in a tensor from outside of a loop, which the next iteration
// needs, nor in a new tensor that becomes a part of another one.

// CHECK-LABEL: func.func @other_starts(
// CHECK-NOT:   memref.alloc
// CHECK-NOT:   bufferization.to_tensor
// CHECK:       return
func.func @other_starts(%x: tensor<4xf32>, %y: tensor<4xf32>, %whole: tensor<8xf32>, %n: index) -> (tensor<4xf32>, tensor<4xf32>, tensor<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = linalg.exp ins(%y : tensor<4xf32>) outs(%x : tensor<4xf32>) -> tensor<4xf32>
  %b = linalg.abs ins(%y : tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
  %e = tensor.empty() : tensor<4xf32>
  %loop = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %y) -> tensor<4xf32> {
    %0 = linalg.exp ins(%sum : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    %1 = linalg.abs ins(%y : tensor<4xf32>) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %1 : tensor<4xf32>
  }
  %f = tensor.empty() : tensor<4xf32>
  %g = linalg.exp ins(%y : tensor<4xf32>) outs(%f : tensor<4xf32>) -> tensor<4xf32>
  %h = linalg.abs ins(%y : tensor<4xf32>) outs(%g : tensor<4xf32>) -> tensor<4xf32>
  %whole2 = tensor.insert_slice %h into %whole[0] [4] [1] : tensor<4xf32> into tensor<8xf32>
  return %b, %loop, %whole2 : tensor<4xf32>, tensor<4xf32>, tensor<8xf32>
}

// A chain also ends where another result of the next update may lie in its buffer,

// CHECK-LABEL:   func.func @needed_beside(
// CHECK-COUNT-1: bufferization.to_tensor
// CHECK-NOT:     bufferization.to_tensor
// CHECK:         return
func.func @needed_beside(%x: tensor<4xf32>, %y: tensor<2xf32>, %out: memref<4xf32>, %more: memref<2xf32>, %c: i1) {
  %t = bufferization.to_tensor %out restrict writable : memref<4xf32> to tensor<4xf32>
  %a = linalg.exp ins(%x : tensor<4xf32>) outs(%t : tensor<4xf32>) -> tensor<4xf32>
  %b:2 = scf.if %c -> (tensor<4xf32>, tensor<2xf32>) {
    %0 = linalg.abs ins(%a : tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %0, %y : tensor<4xf32>, tensor<2xf32>
  } else {
    %0 = tensor.extract_slice %a[0] [2] [1] : tensor<4xf32> to tensor<2xf32>
    scf.yield %a, %0 : tensor<4xf32>, tensor<2xf32>
  }
  %r = linalg.abs ins(%x : tensor<4xf32>) outs(%b#0 : tensor<4xf32>) -> tensor<4xf32>
  bufferization.materialize_in_destination %r in writable %out : (tensor<4xf32>, memref<4xf32>) -> ()
  bufferization.materialize_in_destination %b#1 in writable %more : (tensor<2xf32>, memref<2xf32>) -> ()
  return
}

// or a memref.

// CHECK-LABEL:   func.func @needed_in_memref(
// CHECK-COUNT-1: bufferization.to_tensor
// CHECK-NOT:     bufferization.to_tensor
// CHECK:         return
func.func @needed_in_memref(%x: tensor<4xf32>, %out: memref<4xf32>, %i: index) -> f32 {
  %t = bufferization.to_tensor %out restrict writable : memref<4xf32> to tensor<4xf32>
  %a = linalg.exp ins(%x : tensor<4xf32>) outs(%t : tensor<4xf32>) -> tensor<4xf32>
  %m = bufferization.to_buffer %a read_only : tensor<4xf32> to memref<4xf32>
  %r = linalg.abs ins(%x : tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
  %v = memref.load %m[%i] : memref<4xf32>
  bufferization.materialize_in_destination %r in writable %out : (tensor<4xf32>, memref<4xf32>) -> ()
  return %v : f32
}

// The same holds where the chain begins in an argument that is copied.

// CHECK-LABEL: func.func @needed_beside_argument(
// CHECK-NOT:   memref.alloc
// CHECK:       return
func.func @needed_beside_argument(%x: tensor<4xf32> {bufferization.writable = false}, %y: tensor<2xf32>, %out: memref<4xf32>, %more: memref<2xf32>, %c: i1) {
  %a:2 = scf.if %c -> (tensor<4xf32>, tensor<2xf32>) {
    %0 = linalg.abs ins(%x : tensor<4xf32>) outs(%x : tensor<4xf32>) -> tensor<4xf32>
    %1 = tensor.extract_slice %0[0] [2] [1] : tensor<4xf32> to tensor<2xf32>
    scf.yield %0, %1 : tensor<4xf32>, tensor<2xf32>
  } else {
    scf.yield %x, %y : tensor<4xf32>, tensor<2xf32>
  }
  %r = linalg.exp ins(%x : tensor<4xf32>) outs(%a#0 : tensor<4xf32>) -> tensor<4xf32>
  bufferization.materialize_in_destination %r in writable %out : (tensor<4xf32>, memref<4xf32>) -> ()
  bufferization.materialize_in_destination %a#1 in writable %more : (tensor<2xf32>, memref<2xf32>) -> ()
  return
}

// Two updates by one op do not both lie in the buffer.

// CHECK-LABEL:   func.func @updated_twice(
// CHECK-COUNT-1: bufferization.to_tensor
// CHECK-NOT:     bufferization.to_tensor
// CHECK:         return
#identity = affine_map<(i) -> (i)>
func.func @updated_twice(%x: tensor<4xf32>, %out: memref<4xf32>, %more: memref<4xf32>) {
  %t = bufferization.to_tensor %out restrict writable : memref<4xf32> to tensor<4xf32>
  %a:2 = linalg.generic {indexing_maps = [#identity, #identity, #identity], iterator_types = ["parallel"]}
      ins(%x : tensor<4xf32>) outs(%t, %t : tensor<4xf32>, tensor<4xf32>) {
  ^bb0(%in: f32, %0: f32, %1: f32):
    %2 = arith.addf %in, %0 : f32
    %3 = arith.mulf %in, %1 : f32
    linalg.yield %2, %3 : f32, f32
  } -> (tensor<4xf32>, tensor<4xf32>)
  %b = linalg.abs ins(%x : tensor<4xf32>) outs(%a#0 : tensor<4xf32>) -> tensor<4xf32>
  %r = linalg.abs ins(%x : tensor<4xf32>) outs(%a#1 : tensor<4xf32>) -> tensor<4xf32>
  bufferization.materialize_in_destination %b in writable %out : (tensor<4xf32>, memref<4xf32>) -> ()
  bufferization.materialize_in_destination %r in writable %more : (tensor<4xf32>, memref<4xf32>) -> ()
  return
}

// Each of many reads has a tensor of its own, in which nobody writes: the update gets a copy.

// READS-LABEL: func.func @many_reads(
// READS:       %[[BUFFER:.*]] = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// READS-NEXT:  %[[T:.*]] = bufferization.to_tensor %[[BUFFER]] restrict writable
// READS:       %[[V:.*]] = linalg.exp {{.*}} outs(%[[T]] :
// READS-NEXT:  bufferization.materialize_in_destination %[[V]] in writable %[[BUFFER]]
// READS:       %[[T0:.*]] = bufferization.to_tensor %[[BUFFER]] restrict :
// READS-NEXT:  %[[T1:.*]] = bufferization.to_tensor %[[BUFFER]] restrict :
// READS-NEXT:  linalg.add ins(%[[T1]], %[[T0]] :
// READS-NEXT:  %[[T2:.*]] = bufferization.to_tensor %[[BUFFER]] restrict :
// READS-NEXT:  linalg.abs {{.*}} outs(%[[T2]] :
// READS:       scf.if
// READS-NEXT:    bufferization.to_tensor %[[BUFFER]] restrict :
// READS-NEXT:    linalg.exp
// SHARED-LABEL: func.func @many_reads(
// SHARED:       %[[BUFFER:.*]] = memref.alloc
// SHARED:       linalg.exp {{.*}} outs(%[[BUFFER]] :
// SHARED-NEXT:  linalg.add ins(%[[BUFFER]], %[[BUFFER]] :
// SHARED-NEXT:  %[[COPY:.*]] = memref.alloc
// SHARED:       linalg.abs {{.*}} outs(%[[COPY]] :
// SHARED:       scf.if
// SHARED-NEXT:    linalg.exp ins(%[[BUFFER]] :
func.func @many_reads(%x: tensor<4xf32>, %out: memref<4xf32>, %more: memref<4xf32>, %c: i1) {
  %e = tensor.empty() : tensor<4xf32>
  %v = linalg.exp ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %t = bufferization.to_tensor %out restrict writable : memref<4xf32> to tensor<4xf32>
  %a = linalg.add ins(%v, %v : tensor<4xf32>, tensor<4xf32>) outs(%t : tensor<4xf32>) -> tensor<4xf32>
  %b = linalg.abs ins(%x : tensor<4xf32>) outs(%v : tensor<4xf32>) -> tensor<4xf32>
  bufferization.materialize_in_destination %b in writable %more : (tensor<4xf32>, memref<4xf32>) -> ()
  %r = scf.if %c -> tensor<4xf32> {
    %0 = linalg.exp ins(%v : tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %0 : tensor<4xf32>
  } else {
    %0 = linalg.negf ins(%v : tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %0 : tensor<4xf32>
  }
  bufferization.materialize_in_destination %r in writable %out : (tensor<4xf32>, memref<4xf32>) -> ()
  return
}

// An update may be read where a branch has another tensor in its place; it is
// left as it is, because one-shot analysis would refuse the copy.

// CHECK-LABEL: func.func @another_tensor(
// CHECK-NOT:     bufferization.to_tensor
// CHECK:         return

// BUFFERS-LABEL: func.func @another_tensor(
// BUFFERS:         memref.copy
// BUFFERS:         return
func.func @another_tensor(%x: tensor<4xf32> {bufferization.writable = false},
                          %y: tensor<4xf32> {bufferization.writable = false}, %i: index, %c: i1, %d: i1,
                          %out: memref<4xf32>) {
  %one = arith.constant 1.0 : f32
  %0 = scf.if %c -> tensor<4xf32> {
    %1 = tensor.insert %one into %x[%i] : tensor<4xf32>
    %2 = scf.if %d -> tensor<4xf32> {
      scf.yield %1 : tensor<4xf32>
    } else {
      scf.yield %y : tensor<4xf32>
    }
    %3 = tensor.extract %2[%i] : tensor<4xf32>
    %4 = tensor.insert %3 into %1[%i] : tensor<4xf32>
    scf.yield %4 : tensor<4xf32>
  } else {
    scf.yield %x : tensor<4xf32>
  }
  %5 = linalg.negf ins(%0 : tensor<4xf32>) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
  bufferization.materialize_in_destination %5 in restrict writable %out : (tensor<4xf32>, memref<4xf32>) -> ()
  return
}
