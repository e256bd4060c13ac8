// Where gate and up come from: only the two halves of each row of one whole tensor, gate first, are one operand.
// RUN: %frit_opt %s --pass-pipeline='builtin.module(frit-raise{fidelity=exact},canonicalize)' | FileCheck %s

#id = affine_map<(i, j) -> (i, j)>

// CHECK-LABEL: func @halves
// CHECK: frit.act_and_mul silu ins(%arg0 : tensor<4x16xf32>) outs
func.func @halves(%x: tensor<4x16xf32>) -> tensor<4x8xf32> {
  %g = tensor.extract_slice %x[0, 0] [4, 8] [1, 1] : tensor<4x16xf32> to tensor<4x8xf32>
  %u = tensor.extract_slice %x[0, 8] [4, 8] [1, 1] : tensor<4x16xf32> to tensor<4x8xf32>
  %one = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<4x8xf32>
  %r = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%g, %u : tensor<4x8xf32>, tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %n = arith.negf %a : f32
    %w = math.exp %n : f32
    %d = arith.addf %w, %one : f32
    %q = arith.divf %a, %d : f32
    %y = arith.mulf %q, %b : f32
    linalg.yield %y : f32
  } -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// Up is the half of another tensor.
// CHECK-LABEL: func @two_tensors
// CHECK-DAG: %[[G:.*]] = tensor.extract_slice %arg0[0, 0]
// CHECK-DAG: %[[U:.*]] = tensor.extract_slice %arg1[0, 8]
// CHECK: frit.act_and_mul silu ins(%[[G]], %[[U]] :
func.func @two_tensors(%x: tensor<4x16xf32>, %z: tensor<4x16xf32>) -> tensor<4x8xf32> {
  %g = tensor.extract_slice %x[0, 0] [4, 8] [1, 1] : tensor<4x16xf32> to tensor<4x8xf32>
  %u = tensor.extract_slice %z[0, 8] [4, 8] [1, 1] : tensor<4x16xf32> to tensor<4x8xf32>
  %one = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<4x8xf32>
  %r = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%g, %u : tensor<4x8xf32>, tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %n = arith.negf %a : f32
    %w = math.exp %n : f32
    %d = arith.addf %w, %one : f32
    %q = arith.divf %a, %d : f32
    %y = arith.mulf %q, %b : f32
    linalg.yield %y : f32
  } -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// Up is the first half.
// CHECK-LABEL: func @swapped
// CHECK-DAG: %[[G:.*]] = tensor.extract_slice %arg0[0, 8]
// CHECK-DAG: %[[U:.*]] = tensor.extract_slice %arg0[0, 0]
// CHECK: frit.act_and_mul silu ins(%[[G]], %[[U]] :
func.func @swapped(%x: tensor<4x16xf32>) -> tensor<4x8xf32> {
  %g = tensor.extract_slice %x[0, 8] [4, 8] [1, 1] : tensor<4x16xf32> to tensor<4x8xf32>
  %u = tensor.extract_slice %x[0, 0] [4, 8] [1, 1] : tensor<4x16xf32> to tensor<4x8xf32>
  %one = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<4x8xf32>
  %r = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%g, %u : tensor<4x8xf32>, tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %n = arith.negf %a : f32
    %w = math.exp %n : f32
    %d = arith.addf %w, %one : f32
    %q = arith.divf %a, %d : f32
    %y = arith.mulf %q, %b : f32
    linalg.yield %y : f32
  } -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// The parts overlap.
// CHECK-LABEL: func @overlapping
// CHECK-DAG: %[[G:.*]] = tensor.extract_slice %arg0[0, 0]
// CHECK-DAG: %[[U:.*]] = tensor.extract_slice %arg0[0, 4]
// CHECK: frit.act_and_mul silu ins(%[[G]], %[[U]] :
func.func @overlapping(%x: tensor<4x16xf32>) -> tensor<4x8xf32> {
  %g = tensor.extract_slice %x[0, 0] [4, 8] [1, 1] : tensor<4x16xf32> to tensor<4x8xf32>
  %u = tensor.extract_slice %x[0, 4] [4, 8] [1, 1] : tensor<4x16xf32> to tensor<4x8xf32>
  %one = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<4x8xf32>
  %r = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%g, %u : tensor<4x8xf32>, tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %n = arith.negf %a : f32
    %w = math.exp %n : f32
    %d = arith.addf %w, %one : f32
    %q = arith.divf %a, %d : f32
    %y = arith.mulf %q, %b : f32
    linalg.yield %y : f32
  } -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// The tensor has more rows, of which the first are read.
// CHECK-LABEL: func @rows
// CHECK-DAG: %[[G:.*]] = tensor.extract_slice %arg0[0, 0] [4, 8]
// CHECK-DAG: %[[U:.*]] = tensor.extract_slice %arg0[0, 8] [4, 8]
// CHECK: frit.act_and_mul silu ins(%[[G]], %[[U]] :
func.func @rows(%x: tensor<6x16xf32>) -> tensor<4x8xf32> {
  %g = tensor.extract_slice %x[0, 0] [4, 8] [1, 1] : tensor<6x16xf32> to tensor<4x8xf32>
  %u = tensor.extract_slice %x[0, 8] [4, 8] [1, 1] : tensor<6x16xf32> to tensor<4x8xf32>
  %one = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<4x8xf32>
  %r = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%g, %u : tensor<4x8xf32>, tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %n = arith.negf %a : f32
    %w = math.exp %n : f32
    %d = arith.addf %w, %one : f32
    %q = arith.divf %a, %d : f32
    %y = arith.mulf %q, %b : f32
    linalg.yield %y : f32
  } -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// Even and odd columns.
// CHECK-LABEL: func @interleaved
// CHECK-DAG: %[[G:.*]] = tensor.extract_slice %arg0[0, 0] [4, 8] [1, 2]
// CHECK-DAG: %[[U:.*]] = tensor.extract_slice %arg0[0, 1] [4, 8] [1, 2]
// CHECK: frit.act_and_mul silu ins(%[[G]], %[[U]] :
func.func @interleaved(%x: tensor<4x16xf32>) -> tensor<4x8xf32> {
  %g = tensor.extract_slice %x[0, 0] [4, 8] [1, 2] : tensor<4x16xf32> to tensor<4x8xf32>
  %u = tensor.extract_slice %x[0, 1] [4, 8] [1, 2] : tensor<4x16xf32> to tensor<4x8xf32>
  %one = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<4x8xf32>
  %r = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%g, %u : tensor<4x8xf32>, tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %n = arith.negf %a : f32
    %w = math.exp %n : f32
    %d = arith.addf %w, %one : f32
    %q = arith.divf %a, %d : f32
    %y = arith.mulf %q, %b : f32
    linalg.yield %y : f32
  } -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// One row of a tensor, read by its index: what is raised has one row.
// CHECK-LABEL: func @one_row
// CHECK: frit.act_and_mul silu ins(%{{.*}}, %{{.*}} : tensor<1x8xf32>, tensor<1x8xf32>)
func.func @one_row(%x: tensor<?x8xf32>, %z: tensor<?x8xf32>) -> tensor<1x8xf32> {
  %one = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<1x8xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (0, j)>, affine_map<(i, j) -> (0, j)>, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %z : tensor<?x8xf32>, tensor<?x8xf32>) outs(%e : tensor<1x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %n = arith.negf %a : f32
    %w = math.exp %n : f32
    %d = arith.addf %w, %one : f32
    %q = arith.divf %a, %d : f32
    %y = arith.mulf %q, %b : f32
    linalg.yield %y : f32
  } -> tensor<1x8xf32>
  return %r : tensor<1x8xf32>
}
