// The statistical gate in f32, one step a line, for tests that change a line.
#row = affine_map<(i, j) -> (i, j)>
#one = affine_map<(i, j) -> (i)>

func.func @main(%g: tensor<4x8xf32>, %u: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %half = arith.constant 0.5 : f32
  %n = arith.constant 8.0 : f32
  %k = arith.constant 1.645 : f32
  %h = arith.constant 0.707106769 : f32
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %y = tensor.empty() : tensor<4x8xf32>
  %rowsums = linalg.generic {indexing_maps = [#row, #one], iterator_types = ["parallel", "reduction"]} ins(%g : tensor<4x8xf32>) outs(%f : tensor<4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.addf %o, %a : f32
    linalg.yield %0 : f32
  } -> tensor<4xf32>
  %sq = linalg.generic {indexing_maps = [#row, #one, #one], iterator_types = ["parallel", "reduction"]} ins(%g, %rowsums : tensor<4x8xf32>, tensor<4xf32>) outs(%f : tensor<4xf32>) {
  ^bb0(%a: f32, %all: f32, %o: f32):
    %0 = arith.divf %all, %n : f32
    %1 = arith.subf %a, %0 : f32
    %2 = arith.mulf %1, %1 : f32
    %3 = arith.addf %2, %o : f32
    linalg.yield %3 : f32
  } -> tensor<4xf32>
  %r = linalg.generic {indexing_maps = [#row, #row, #one, #one, #row], iterator_types = ["parallel", "parallel"]} ins(%g, %u, %rowsums, %sq : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>) outs(%y : tensor<4x8xf32>) {
  ^bb0(%a: f32, %b: f32, %all: f32, %q: f32, %o: f32):
    %m = arith.divf %all, %n : f32
    %v = arith.divf %q, %n : f32
    %d = math.sqrt %v : f32
    %p = arith.mulf %d, %k : f32
    %c = arith.addf %m, %p : f32
    %z = arith.subf %a, %c : f32
    %gt = arith.cmpf ugt, %z, %zero : f32
    %relu = arith.select %gt, %z, %zero : f32
    %t = arith.mulf %relu, %h : f32
    %w = math.erf %t : f32
    %w1 = arith.addf %w, %one : f32
    %w2 = arith.mulf %w1, %half : f32
    %act = arith.mulf %relu, %w2 : f32
    %res = arith.mulf %act, %b : f32
    linalg.yield %res : f32
  } -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}
