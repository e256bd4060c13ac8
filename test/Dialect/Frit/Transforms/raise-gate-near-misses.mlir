// RUN: %frit_opt %s --verify-diagnostics --remarks-filter='frit-raise' --pass-pipeline='builtin.module(frit-raise{fidelity=fast})'
// RUN: %frit_opt %s --pass-pipeline='builtin.module(frit-raise{fidelity=fast})' > %t.raised
// RUN: %frit_opt %s > %t.parsed
// RUN: diff %t.parsed %t.raised

// Each function is the statistical gate but for one step: the remark names the
// step, and the function stays as it is.

#row = affine_map<(i, j) -> (i, j)>
#one = affine_map<(i, j) -> (i)>
#column = affine_map<(i, j) -> (j)>
#transposed = affine_map<(i, j) -> (j, i)>

func.func @leaky_relu(%g: tensor<4x8xf32>, %u: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %half = arith.constant 0.5 : f32
  %n = arith.constant 8.0 : f32
  %nv = arith.constant 8.0 : f32
  %k = arith.constant 1.645 : f32
  %h = arith.constant 0.707106769 : f32
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %y = tensor.empty() : tensor<4x8xf32>
  %sum = linalg.generic {indexing_maps = [#row, #one], iterator_types = ["parallel", "reduction"]} ins(%g : tensor<4x8xf32>) outs(%f : tensor<4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.addf %o, %a : f32
    linalg.yield %0 : f32
  } -> tensor<4xf32>
  %sq = linalg.generic {indexing_maps = [#row, #one, #one], iterator_types = ["parallel", "reduction"]} ins(%g, %sum : tensor<4x8xf32>, tensor<4xf32>) outs(%f : tensor<4xf32>) {
  ^bb0(%a: f32, %s: f32, %o: f32):
    %0 = arith.divf %s, %n : f32
    %1 = arith.subf %a, %0 : f32
    %2 = arith.mulf %1, %1 : f32
    %3 = arith.addf %2, %o : f32
    linalg.yield %3 : f32
  } -> tensor<4xf32>
  // expected-remark @below {{[Missed] frit.gelu_and_mul_sparse | Category:frit-raise | Function=leaky_relu | Reason="what is selected below 0 is not 0"}}
  %r = linalg.generic {indexing_maps = [#row, #row, #one, #one, #row], iterator_types = ["parallel", "parallel"]} ins(%g, %u, %sum, %sq : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>) outs(%y : tensor<4x8xf32>) {
  ^bb0(%a: f32, %b: f32, %s: f32, %q: f32, %o: f32):
    %m = arith.divf %s, %n : f32
    %v = arith.divf %q, %nv : f32
    %d = math.sqrt %v : f32
    %kd = arith.mulf %d, %k : f32
    %c = arith.addf %m, %kd : f32
    %z = arith.subf %a, %c : f32
    %leak = arith.mulf %z, %half : f32
    %gt = arith.cmpf ugt, %z, %zero : f32
    %p = arith.select %gt, %z, %leak : f32
    %t = arith.mulf %p, %h : f32
    %w = math.erf %t : f32
    %w1 = arith.addf %w, %one : f32
    %w2 = arith.mulf %w1, %half : f32
    %act = arith.mulf %p, %w2 : f32
    %res = arith.mulf %act, %b : f32
    linalg.yield %res : f32
  } -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

func.func @relu6(%g: tensor<4x8xf32>, %u: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %half = arith.constant 0.5 : f32
  %n = arith.constant 8.0 : f32
  %nv = arith.constant 8.0 : f32
  %k = arith.constant 1.645 : f32
  %h = arith.constant 0.707106769 : f32
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %y = tensor.empty() : tensor<4x8xf32>
  %sum = linalg.generic {indexing_maps = [#row, #one], iterator_types = ["parallel", "reduction"]} ins(%g : tensor<4x8xf32>) outs(%f : tensor<4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.addf %o, %a : f32
    linalg.yield %0 : f32
  } -> tensor<4xf32>
  %sq = linalg.generic {indexing_maps = [#row, #one, #one], iterator_types = ["parallel", "reduction"]} ins(%g, %sum : tensor<4x8xf32>, tensor<4xf32>) outs(%f : tensor<4xf32>) {
  ^bb0(%a: f32, %s: f32, %o: f32):
    %0 = arith.divf %s, %n : f32
    %1 = arith.subf %a, %0 : f32
    %2 = arith.mulf %1, %1 : f32
    %3 = arith.addf %2, %o : f32
    linalg.yield %3 : f32
  } -> tensor<4xf32>
  // expected-remark @below {{[Missed] frit.gelu_and_mul_sparse | Category:frit-raise | Function=relu6 | Reason="the gate is limited from above"}}
  %r = linalg.generic {indexing_maps = [#row, #row, #one, #one, #row], iterator_types = ["parallel", "parallel"]} ins(%g, %u, %sum, %sq : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>) outs(%y : tensor<4x8xf32>) {
  ^bb0(%a: f32, %b: f32, %s: f32, %q: f32, %o: f32):
    %m = arith.divf %s, %n : f32
    %v = arith.divf %q, %nv : f32
    %d = math.sqrt %v : f32
    %kd = arith.mulf %d, %k : f32
    %c = arith.addf %m, %kd : f32
    %z = arith.subf %a, %c : f32
    %p0 = arith.maximumf %z, %zero : f32
    %p = arith.minimumf %p0, %n : f32
    %t = arith.mulf %p, %h : f32
    %w = math.erf %t : f32
    %w1 = arith.addf %w, %one : f32
    %w2 = arith.mulf %w1, %half : f32
    %act = arith.mulf %p, %w2 : f32
    %res = arith.mulf %act, %b : f32
    linalg.yield %res : f32
  } -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

func.func @relu_of_magnitude(%g: tensor<4x8xf32>, %u: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %half = arith.constant 0.5 : f32
  %n = arith.constant 8.0 : f32
  %nv = arith.constant 8.0 : f32
  %k = arith.constant 1.645 : f32
  %h = arith.constant 0.707106769 : f32
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %y = tensor.empty() : tensor<4x8xf32>
  %sum = linalg.generic {indexing_maps = [#row, #one], iterator_types = ["parallel", "reduction"]} ins(%g : tensor<4x8xf32>) outs(%f : tensor<4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.addf %o, %a : f32
    linalg.yield %0 : f32
  } -> tensor<4xf32>
  %sq = linalg.generic {indexing_maps = [#row, #one, #one], iterator_types = ["parallel", "reduction"]} ins(%g, %sum : tensor<4x8xf32>, tensor<4xf32>) outs(%f : tensor<4xf32>) {
  ^bb0(%a: f32, %s: f32, %o: f32):
    %0 = arith.divf %s, %n : f32
    %1 = arith.subf %a, %0 : f32
    %2 = arith.mulf %1, %1 : f32
    %3 = arith.addf %2, %o : f32
    linalg.yield %3 : f32
  } -> tensor<4xf32>
  // expected-remark @below {{[Missed] frit.gelu_and_mul_sparse | Category:frit-raise | Function=relu_of_magnitude | Reason="what is selected above 0 is not what is compared"}}
  %r = linalg.generic {indexing_maps = [#row, #row, #one, #one, #row], iterator_types = ["parallel", "parallel"]} ins(%g, %u, %sum, %sq : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>) outs(%y : tensor<4x8xf32>) {
  ^bb0(%a: f32, %b: f32, %s: f32, %q: f32, %o: f32):
    %m = arith.divf %s, %n : f32
    %v = arith.divf %q, %nv : f32
    %d = math.sqrt %v : f32
    %kd = arith.mulf %d, %k : f32
    %c = arith.addf %m, %kd : f32
    %z = arith.subf %a, %c : f32
    %gt = arith.cmpf ugt, %a, %zero : f32
    %p = arith.select %gt, %z, %zero : f32
    %t = arith.mulf %p, %h : f32
    %w = math.erf %t : f32
    %w1 = arith.addf %w, %one : f32
    %w2 = arith.mulf %w1, %half : f32
    %act = arith.mulf %p, %w2 : f32
    %res = arith.mulf %act, %b : f32
    linalg.yield %res : f32
  } -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

func.func @erf_of_another_multiple(%g: tensor<4x8xf32>, %u: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %half = arith.constant 0.5 : f32
  %n = arith.constant 8.0 : f32
  %nv = arith.constant 8.0 : f32
  %k = arith.constant 1.645 : f32
  %h = arith.constant 0.797884583 : f32
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %y = tensor.empty() : tensor<4x8xf32>
  %sum = linalg.generic {indexing_maps = [#row, #one], iterator_types = ["parallel", "reduction"]} ins(%g : tensor<4x8xf32>) outs(%f : tensor<4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.addf %o, %a : f32
    linalg.yield %0 : f32
  } -> tensor<4xf32>
  %sq = linalg.generic {indexing_maps = [#row, #one, #one], iterator_types = ["parallel", "reduction"]} ins(%g, %sum : tensor<4x8xf32>, tensor<4xf32>) outs(%f : tensor<4xf32>) {
  ^bb0(%a: f32, %s: f32, %o: f32):
    %0 = arith.divf %s, %n : f32
    %1 = arith.subf %a, %0 : f32
    %2 = arith.mulf %1, %1 : f32
    %3 = arith.addf %2, %o : f32
    linalg.yield %3 : f32
  } -> tensor<4xf32>
  // expected-remark @below {{[Missed] frit.gelu_and_mul_sparse | Category:frit-raise | Function=erf_of_another_multiple | Reason="erf takes 0.797884583 x, expected x / sqrt(2)"}}
  %r = linalg.generic {indexing_maps = [#row, #row, #one, #one, #row], iterator_types = ["parallel", "parallel"]} ins(%g, %u, %sum, %sq : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>) outs(%y : tensor<4x8xf32>) {
  ^bb0(%a: f32, %b: f32, %s: f32, %q: f32, %o: f32):
    %m = arith.divf %s, %n : f32
    %v = arith.divf %q, %nv : f32
    %d = math.sqrt %v : f32
    %kd = arith.mulf %d, %k : f32
    %c = arith.addf %m, %kd : f32
    %z = arith.subf %a, %c : f32
    %gt = arith.cmpf ugt, %z, %zero : f32
    %p = arith.select %gt, %z, %zero : f32
    %t = arith.mulf %p, %h : f32
    %w = math.erf %t : f32
    %w1 = arith.addf %w, %one : f32
    %w2 = arith.mulf %w1, %half : f32
    %act = arith.mulf %p, %w2 : f32
    %res = arith.mulf %act, %b : f32
    linalg.yield %res : f32
  } -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

func.func @broadcast_up(%g: tensor<4x8xf32>, %u: tensor<8xf32>) -> tensor<4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %half = arith.constant 0.5 : f32
  %n = arith.constant 8.0 : f32
  %nv = arith.constant 8.0 : f32
  %k = arith.constant 1.645 : f32
  %h = arith.constant 0.707106769 : f32
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %y = tensor.empty() : tensor<4x8xf32>
  %sum = linalg.generic {indexing_maps = [#row, #one], iterator_types = ["parallel", "reduction"]} ins(%g : tensor<4x8xf32>) outs(%f : tensor<4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.addf %o, %a : f32
    linalg.yield %0 : f32
  } -> tensor<4xf32>
  %sq = linalg.generic {indexing_maps = [#row, #one, #one], iterator_types = ["parallel", "reduction"]} ins(%g, %sum : tensor<4x8xf32>, tensor<4xf32>) outs(%f : tensor<4xf32>) {
  ^bb0(%a: f32, %s: f32, %o: f32):
    %0 = arith.divf %s, %n : f32
    %1 = arith.subf %a, %0 : f32
    %2 = arith.mulf %1, %1 : f32
    %3 = arith.addf %2, %o : f32
    linalg.yield %3 : f32
  } -> tensor<4xf32>
  // expected-remark @below {{[Missed] frit.gelu_and_mul_sparse | Category:frit-raise | Function=broadcast_up | Reason="up is not read at the indices of the result"}}
  %r = linalg.generic {indexing_maps = [#row, #column, #one, #one, #row], iterator_types = ["parallel", "parallel"]} ins(%g, %u, %sum, %sq : tensor<4x8xf32>, tensor<8xf32>, tensor<4xf32>, tensor<4xf32>) outs(%y : tensor<4x8xf32>) {
  ^bb0(%a: f32, %b: f32, %s: f32, %q: f32, %o: f32):
    %m = arith.divf %s, %n : f32
    %v = arith.divf %q, %nv : f32
    %d = math.sqrt %v : f32
    %kd = arith.mulf %d, %k : f32
    %c = arith.addf %m, %kd : f32
    %z = arith.subf %a, %c : f32
    %gt = arith.cmpf ugt, %z, %zero : f32
    %p = arith.select %gt, %z, %zero : f32
    %t = arith.mulf %p, %h : f32
    %w = math.erf %t : f32
    %w1 = arith.addf %w, %one : f32
    %w2 = arith.mulf %w1, %half : f32
    %act = arith.mulf %p, %w2 : f32
    %res = arith.mulf %act, %b : f32
    linalg.yield %res : f32
  } -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

func.func @transposed_up(%g: tensor<8x8xf32>, %u: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %half = arith.constant 0.5 : f32
  %n = arith.constant 8.0 : f32
  %nv = arith.constant 8.0 : f32
  %k = arith.constant 1.645 : f32
  %h = arith.constant 0.707106769 : f32
  %e = tensor.empty() : tensor<8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %y = tensor.empty() : tensor<8x8xf32>
  %sum = linalg.generic {indexing_maps = [#row, #one], iterator_types = ["parallel", "reduction"]} ins(%g : tensor<8x8xf32>) outs(%f : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.addf %o, %a : f32
    linalg.yield %0 : f32
  } -> tensor<8xf32>
  %sq = linalg.generic {indexing_maps = [#row, #one, #one], iterator_types = ["parallel", "reduction"]} ins(%g, %sum : tensor<8x8xf32>, tensor<8xf32>) outs(%f : tensor<8xf32>) {
  ^bb0(%a: f32, %s: f32, %o: f32):
    %0 = arith.divf %s, %n : f32
    %1 = arith.subf %a, %0 : f32
    %2 = arith.mulf %1, %1 : f32
    %3 = arith.addf %2, %o : f32
    linalg.yield %3 : f32
  } -> tensor<8xf32>
  // expected-remark @below {{[Missed] frit.gelu_and_mul_sparse | Category:frit-raise | Function=transposed_up | Reason="up is not read at the indices of the result"}}
  %r = linalg.generic {indexing_maps = [#row, #transposed, #one, #one, #row], iterator_types = ["parallel", "parallel"]} ins(%g, %u, %sum, %sq : tensor<8x8xf32>, tensor<8x8xf32>, tensor<8xf32>, tensor<8xf32>) outs(%y : tensor<8x8xf32>) {
  ^bb0(%a: f32, %b: f32, %s: f32, %q: f32, %o: f32):
    %m = arith.divf %s, %n : f32
    %v = arith.divf %q, %nv : f32
    %d = math.sqrt %v : f32
    %kd = arith.mulf %d, %k : f32
    %c = arith.addf %m, %kd : f32
    %z = arith.subf %a, %c : f32
    %gt = arith.cmpf ugt, %z, %zero : f32
    %p = arith.select %gt, %z, %zero : f32
    %t = arith.mulf %p, %h : f32
    %w = math.erf %t : f32
    %w1 = arith.addf %w, %one : f32
    %w2 = arith.mulf %w1, %half : f32
    %act = arith.mulf %p, %w2 : f32
    %res = arith.mulf %act, %b : f32
    linalg.yield %res : f32
  } -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}

func.func @tanh_in_place_of_erf(%g: tensor<4x8xf32>, %u: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %half = arith.constant 0.5 : f32
  %n = arith.constant 8.0 : f32
  %nv = arith.constant 8.0 : f32
  %k = arith.constant 1.645 : f32
  %h = arith.constant 0.707106769 : f32
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %y = tensor.empty() : tensor<4x8xf32>
  %sum = linalg.generic {indexing_maps = [#row, #one], iterator_types = ["parallel", "reduction"]} ins(%g : tensor<4x8xf32>) outs(%f : tensor<4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.addf %o, %a : f32
    linalg.yield %0 : f32
  } -> tensor<4xf32>
  %sq = linalg.generic {indexing_maps = [#row, #one, #one], iterator_types = ["parallel", "reduction"]} ins(%g, %sum : tensor<4x8xf32>, tensor<4xf32>) outs(%f : tensor<4xf32>) {
  ^bb0(%a: f32, %s: f32, %o: f32):
    %0 = arith.divf %s, %n : f32
    %1 = arith.subf %a, %0 : f32
    %2 = arith.mulf %1, %1 : f32
    %3 = arith.addf %2, %o : f32
    linalg.yield %3 : f32
  } -> tensor<4xf32>
  // No form of GELU takes tanh of x / sqrt(2): there is nothing to report.
  %r = linalg.generic {indexing_maps = [#row, #row, #one, #one, #row], iterator_types = ["parallel", "parallel"]} ins(%g, %u, %sum, %sq : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>) outs(%y : tensor<4x8xf32>) {
  ^bb0(%a: f32, %b: f32, %s: f32, %q: f32, %o: f32):
    %m = arith.divf %s, %n : f32
    %v = arith.divf %q, %nv : f32
    %d = math.sqrt %v : f32
    %kd = arith.mulf %d, %k : f32
    %c = arith.addf %m, %kd : f32
    %z = arith.subf %a, %c : f32
    %gt = arith.cmpf ugt, %z, %zero : f32
    %p = arith.select %gt, %z, %zero : f32
    %t = arith.mulf %p, %h : f32
    %w = math.tanh %t : f32
    %w1 = arith.addf %w, %one : f32
    %w2 = arith.mulf %w1, %half : f32
    %act = arith.mulf %p, %w2 : f32
    %res = arith.mulf %act, %b : f32
    linalg.yield %res : f32
  } -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}
