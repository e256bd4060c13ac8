// RUN: %frit_opt %s --pass-pipeline='builtin.module(frit-place-results)' | FileCheck %s
// RUN: %frit_opt %s --pass-pipeline='builtin.module(frit-place-results,frit-bufferize)' | FileCheck %s --check-prefix=BUFFERS

// All branches write into the destination.

// CHECK-LABEL: func.func @branches(
// CHECK-SAME:    %[[X:.*]]: tensor<4xf32>, %[[OUT:.*]]: memref<4xf32>, %{{.*}}: i1, %{{.*}}: i1)
// CHECK-NEXT:  %[[D:.*]] = bufferization.to_tensor %[[OUT]] restrict writable
// CHECK:       linalg.exp {{.*}} outs(%[[D]] :
// CHECK:       linalg.abs {{.*}} outs(%[[D]] :
// CHECK:       linalg.fill {{.*}} outs(%[[D]] :
// CHECK:       bufferization.materialize_in_destination %{{.*}} in writable %[[OUT]]
func.func @branches(%x: tensor<4xf32>, %out: memref<4xf32>, %c: i1, %d: i1) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4xf32>
  %r = scf.if %c -> tensor<4xf32> {
    %0 = linalg.exp ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %0 : tensor<4xf32>
  } else {
    %s = scf.if %d -> tensor<4xf32> {
      %1 = linalg.abs ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
      scf.yield %1 : tensor<4xf32>
    } else {
      %2 = linalg.fill ins(%zero : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
      %3 = linalg.add ins(%2, %x : tensor<4xf32>, tensor<4xf32>) outs(%2 : tensor<4xf32>) -> tensor<4xf32>
      scf.yield %3 : tensor<4xf32>
    }
    scf.yield %s : tensor<4xf32>
  }
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<4xf32>, memref<4xf32>) -> ()
  return
}

// A branch may be something else than a new tensor.

// CHECK-LABEL: func.func @other(
// CHECK-SAME:    %[[X:.*]]: tensor<4xf32>, %[[OUT:.*]]: memref<4xf32>, %[[MORE:.*]]: memref<4xf32>,
// CHECK-NEXT:  %[[D:.*]] = bufferization.to_tensor %[[MORE]]
// CHECK-NOT:   bufferization.to_tensor
// CHECK:       linalg.abs {{.*}} outs(%[[D]] :
// CHECK:       return
func.func @other(%x: tensor<4xf32>, %out: memref<4xf32>, %more: memref<4xf32>, %c: i1) {
  %e = tensor.empty() : tensor<4xf32>
  %r = scf.if %c -> tensor<4xf32> {
    %0 = linalg.exp ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %0 : tensor<4xf32>
  } else {
    scf.yield %x : tensor<4xf32>
  }
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<4xf32>, memref<4xf32>) -> ()
  %1 = linalg.abs ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  bufferization.materialize_in_destination %1 in restrict writable %more : (tensor<4xf32>, memref<4xf32>) -> ()
  return
}

// The buffer's type says less than the result's: it is no tensor of that type.

// CHECK-LABEL: func.func @fewer_sizes(
// CHECK-NOT:   bufferization.to_tensor
// CHECK:       bufferization.materialize_in_destination %{{.*}} in restrict writable
func.func @fewer_sizes(%x: tensor<4xf32>, %out: memref<?xf32>, %c: i1) {
  %e = tensor.empty() : tensor<4xf32>
  %r = scf.if %c -> tensor<4xf32> {
    %0 = linalg.exp ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %0 : tensor<4xf32>
  } else {
    %1 = linalg.abs ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %1 : tensor<4xf32>
  }
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<4xf32>, memref<?xf32>) -> ()
  return
}

// What is needed after the write stays where it is.

// CHECK-LABEL: func.func @needed_later(
// CHECK-NOT:   bufferization.to_tensor
// CHECK:       return
func.func @needed_later(%x: tensor<4xf32>, %out: memref<4xf32>, %more: memref<4xf32>, %c: i1) {
  %e = tensor.empty() : tensor<4xf32>
  %b = linalg.exp ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %r = scf.if %c -> tensor<4xf32> {
    %0 = linalg.add ins(%x, %x : tensor<4xf32>, tensor<4xf32>) outs(%b : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %0 : tensor<4xf32>
  } else {
    scf.yield %b : tensor<4xf32>
  }
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<4xf32>, memref<4xf32>) -> ()
  bufferization.materialize_in_destination %b in writable %more : (tensor<4xf32>, memref<4xf32>) -> ()
  return
}

// An argument that is updated to the result is copied to the destination and updated there.

// CHECK-LABEL: func.func @updated(
// CHECK-SAME:    %[[X:.*]]: tensor<4xf32>, %[[OUT:.*]]: memref<4xf32>)
// CHECK-NEXT:  %[[D:.*]] = bufferization.to_tensor %[[OUT]] restrict writable
// CHECK-NEXT:  %[[COPY:.*]] = bufferization.materialize_in_destination %[[X]] in %[[D]]
// CHECK-NEXT:  %[[A:.*]] = linalg.add ins(%[[X]], %[[X]] : {{.*}}) outs(%[[COPY]] :
// CHECK-NEXT:  %[[B:.*]] = linalg.mul ins(%[[X]], %[[X]] : {{.*}}) outs(%[[A]] :
// CHECK-NEXT:  bufferization.materialize_in_destination %[[B]] in writable %[[OUT]]
func.func @updated(%x: tensor<4xf32>, %out: memref<4xf32>) {
  %a = linalg.add ins(%x, %x : tensor<4xf32>, tensor<4xf32>) outs(%x : tensor<4xf32>) -> tensor<4xf32>
  %b = linalg.mul ins(%x, %x : tensor<4xf32>, tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
  bufferization.materialize_in_destination %b in restrict writable %out : (tensor<4xf32>, memref<4xf32>) -> ()
  return
}

// So it is where branches update it first, or pass it on.

// CHECK-LABEL: func.func @updated_in_branches(
// CHECK-SAME:    %[[X:.*]]: tensor<4xf32>, %[[OUT:.*]]: memref<4xf32>, %{{.*}}: i1, %{{.*}}: i1)
// CHECK-NEXT:  %[[D:.*]] = bufferization.to_tensor %[[OUT]] restrict writable
// CHECK-NEXT:  %[[COPY:.*]] = bufferization.materialize_in_destination %[[X]] in %[[D]]
// CHECK-NEXT:  %[[A:.*]] = scf.if
// CHECK-NEXT:    linalg.exp ins(%[[X]] : {{.*}}) outs(%[[COPY]] :
// CHECK:         linalg.abs ins(%[[X]] : {{.*}}) outs(%[[COPY]] :
// CHECK:         scf.yield %[[COPY]] :
// CHECK:       %[[B:.*]] = scf.if
// CHECK-NEXT:    linalg.exp ins(%[[X]] : {{.*}}) outs(%[[A]] :
// CHECK:       bufferization.materialize_in_destination %[[B]] in writable %[[OUT]]
func.func @updated_in_branches(%x: tensor<4xf32>, %out: memref<4xf32>, %c: i1, %d: i1) {
  %a = scf.if %c -> tensor<4xf32> {
    %0 = linalg.exp ins(%x : tensor<4xf32>) outs(%x : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %0 : tensor<4xf32>
  } else {
    %s = scf.if %d -> tensor<4xf32> {
      %1 = linalg.abs ins(%x : tensor<4xf32>) outs(%x : tensor<4xf32>) -> tensor<4xf32>
      scf.yield %1 : tensor<4xf32>
    } else {
      scf.yield %x : tensor<4xf32>
    }
    scf.yield %s : tensor<4xf32>
  }
  %b = scf.if %d -> tensor<4xf32> {
    %0 = linalg.exp ins(%x : tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %0 : tensor<4xf32>
  } else {
    scf.yield %a : tensor<4xf32>
  }
  bufferization.materialize_in_destination %b in restrict writable %out : (tensor<4xf32>, memref<4xf32>) -> ()
  return
}

// Not where the buffer's type says less, nor where the argument itself is the result.

// CHECK-LABEL: func.func @dynamic(
// CHECK-NOT:   bufferization.to_tensor
// CHECK:       return
func.func @dynamic(%x: tensor<4xf32>, %out: memref<?xf32>, %more: memref<4xf32>) {
  %a = linalg.add ins(%x, %x : tensor<4xf32>, tensor<4xf32>) outs(%x : tensor<4xf32>) -> tensor<4xf32>
  bufferization.materialize_in_destination %a in restrict writable %out : (tensor<4xf32>, memref<?xf32>) -> ()
  bufferization.materialize_in_destination %x in restrict writable %more : (tensor<4xf32>, memref<4xf32>) -> ()
  return
}

// Another op may compute its result in the place of a value on the way, and that result is needed later: only the last of
// two results that update one value is placed.

// CHECK-LABEL: func.func @shared_update(
// CHECK-SAME:  %[[FIRST:[a-z0-9]+]]: memref<4xf32>, %[[SECOND:[a-z0-9]+]]: memref<4xf32>)
// CHECK:       bufferization.to_tensor %[[FIRST]]
// CHECK-NOT:   bufferization.to_tensor
// CHECK:       bufferization.materialize_in_destination %{{.*}} in restrict writable %[[SECOND]]
// CHECK:       bufferization.materialize_in_destination %{{.*}} in writable %[[FIRST]]
func.func @shared_update(%x: tensor<4xf32>, %first: memref<4xf32>, %second: memref<4xf32>) {
  %0 = linalg.negf ins(%x : tensor<4xf32>) outs(%x : tensor<4xf32>) -> tensor<4xf32>
  %1 = linalg.tanh ins(%x : tensor<4xf32>) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
  %2 = linalg.add ins(%0, %1 : tensor<4xf32>, tensor<4xf32>) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
  bufferization.materialize_in_destination %1 in restrict writable %second : (tensor<4xf32>, memref<4xf32>) -> ()
  bufferization.materialize_in_destination %2 in restrict writable %first : (tensor<4xf32>, memref<4xf32>) -> ()
  return
}

// CHECK-LABEL: func.func @shared_branches(
// CHECK-SAME:  %[[FIRST:[a-z0-9]+]]: memref<4xf32>, %[[SECOND:[a-z0-9]+]]: memref<4xf32>,
// CHECK:       bufferization.to_tensor %[[FIRST]]
// CHECK-NOT:   bufferization.to_tensor
// CHECK:       bufferization.materialize_in_destination %{{.*}} in restrict writable %[[SECOND]]
// CHECK:       bufferization.materialize_in_destination %{{.*}} in writable %[[FIRST]]
func.func @shared_branches(%x: tensor<4xf32>, %first: memref<4xf32>, %second: memref<4xf32>, %c: i1) {
  %e = tensor.empty() : tensor<4xf32>
  %0 = linalg.negf ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %r = scf.if %c -> tensor<4xf32> {
    %1 = linalg.tanh ins(%x : tensor<4xf32>) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %1 : tensor<4xf32>
  } else {
    scf.yield %0 : tensor<4xf32>
  }
  %2 = linalg.add ins(%0, %r : tensor<4xf32>, tensor<4xf32>) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
  bufferization.materialize_in_destination %r in restrict writable %second : (tensor<4xf32>, memref<4xf32>) -> ()
  bufferization.materialize_in_destination %2 in restrict writable %first : (tensor<4xf32>, memref<4xf32>) -> ()
  return
}

// A part of the updated argument may leave the branch beside it.

// CHECK-LABEL: func.func @part_beside(
// CHECK-NOT:   bufferization.to_tensor
// CHECK:       return
func.func @part_beside(%x: tensor<4xf32>, %y: tensor<2xf32>, %out: memref<4xf32>, %more: memref<2xf32>, %c: i1) {
  %0:2 = scf.if %c -> (tensor<4xf32>, tensor<2xf32>) {
    %1 = linalg.negf ins(%x : tensor<4xf32>) outs(%x : tensor<4xf32>) -> tensor<4xf32>
    %2 = tensor.extract_slice %1[0] [2] [1] : tensor<4xf32> to tensor<2xf32>
    scf.yield %1, %2 : tensor<4xf32>, tensor<2xf32>
  } else {
    scf.yield %x, %y : tensor<4xf32>, tensor<2xf32>
  }
  %3 = linalg.tanh ins(%x : tensor<4xf32>) outs(%0#0 : tensor<4xf32>) -> tensor<4xf32>
  bufferization.materialize_in_destination %3 in restrict writable %out : (tensor<4xf32>, memref<4xf32>) -> ()
  bufferization.materialize_in_destination %0#1 in writable %more : (tensor<2xf32>, memref<2xf32>) -> ()
  return
}

// A branch may put a part of another argument beside a part of the updated one.
// One-shot analysis would refuse the copy to the destination.

// CHECK-LABEL: func.func @other_part(
// CHECK-NOT:   bufferization.to_tensor
// CHECK:       return

// BUFFERS-LABEL: func.func @other_part(
// BUFFERS:         memref.copy
// BUFFERS:         return
func.func @other_part(%x: tensor<4xf32> {bufferization.writable = false}, %c: i1, %out: memref<4xf32>,
                      %more: memref<2xf32>) {
  %0 = tensor.extract_slice %x[2] [2] [1] : tensor<4xf32> to tensor<2xf32>
  %1:2 = scf.if %c -> (tensor<4xf32>, tensor<2xf32>) {
    %2 = linalg.negf ins(%x : tensor<4xf32>) outs(%x : tensor<4xf32>) -> tensor<4xf32>
    %3 = tensor.extract_slice %2[0] [2] [1] : tensor<4xf32> to tensor<2xf32>
    scf.yield %2, %3 : tensor<4xf32>, tensor<2xf32>
  } else {
    scf.yield %x, %0 : tensor<4xf32>, tensor<2xf32>
  }
  %4 = linalg.add ins(%0, %1#1 : tensor<2xf32>, tensor<2xf32>) outs(%0 : tensor<2xf32>) -> tensor<2xf32>
  bufferization.materialize_in_destination %4 in restrict writable %more : (tensor<2xf32>, memref<2xf32>) -> ()
  bufferization.materialize_in_destination %1#0 in restrict writable %out : (tensor<4xf32>, memref<4xf32>) -> ()
  return
}

// Or another argument in the place of an update.

// CHECK-LABEL: func.func @other_argument(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<4xf32>
// CHECK:       linalg.negf {{.*}} outs(%[[X]] :
// CHECK:       return

// BUFFERS-LABEL: func.func @other_argument(
// BUFFERS:         memref.copy
// BUFFERS:         return
func.func @other_argument(%x: tensor<4xf32> {bufferization.writable = false},
                          %y: tensor<4xf32> {bufferization.writable = false}, %c: i1, %out: memref<4xf32>,
                          %more: memref<4xf32>) {
  %0 = linalg.negf ins(%x : tensor<4xf32>) outs(%x : tensor<4xf32>) -> tensor<4xf32>
  %1 = scf.if %c -> tensor<4xf32> {
    scf.yield %0 : tensor<4xf32>
  } else {
    scf.yield %y : tensor<4xf32>
  }
  %e = tensor.empty() : tensor<4xf32>
  %2 = linalg.sub ins(%0, %1 : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  bufferization.materialize_in_destination %0 in restrict writable %out : (tensor<4xf32>, memref<4xf32>) -> ()
  bufferization.materialize_in_destination %2 in restrict writable %more : (tensor<4xf32>, memref<4xf32>) -> ()
  return
}
