// LoRA as an engine writes it: each row has the weights and the factor of its adapter, one step a line.
#x = affine_map<(m, n, k) -> (m, k)>
#w = affine_map<(m, n, k) -> (n, k)>
#y = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(m, n, k) -> (m)>
#row = affine_map<(m, n) -> (m)>
#element = affine_map<(m, n) -> (m, n)>

func.func @main(%x: tensor<6x48xf32>, %ids: tensor<6xi64>, %others: tensor<6xi64>, %a: tensor<3x4x48xf32>, %b: tensor<3x40x4xf32>,
    %w: tensor<40x48xf32>, %factors: tensor<3xf32>, %one: tensor<f32>) -> tensor<6x40xf32> {
  %zero = arith.constant 0.0 : f32
  %none = arith.constant 0 : i64
  %y0 = tensor.empty() : tensor<6x40xf32>
  %y1 = linalg.fill ins(%zero : f32) outs(%y0 : tensor<6x40xf32>) -> tensor<6x40xf32>
  %h0 = tensor.empty() : tensor<6x4xf32>
  %h1 = linalg.fill ins(%zero : f32) outs(%h0 : tensor<6x4xf32>) -> tensor<6x4xf32>
  %base = linalg.matmul indexing_maps = [#x, #w, #y] ins(%x, %w : tensor<6x48xf32>, tensor<40x48xf32>) outs(%y1 : tensor<6x40xf32>) -> tensor<6x40xf32>
  %h = linalg.generic {indexing_maps = [#id, #x, #y], iterator_types = ["parallel", "parallel", "reduction"]} ins(%ids, %x : tensor<6xi64>, tensor<6x48xf32>) outs(%h1 : tensor<6x4xf32>) {
  ^bb0(%id: i64, %in: f32, %o: f32):
    %clamped = arith.maxsi %id, %none : i64
    %l = arith.index_cast %clamped : i64 to index
    %r = linalg.index 1 : index
    %k = linalg.index 2 : index
    %weight = tensor.extract %a[%l, %r, %k] : tensor<3x4x48xf32>
    %mul = arith.mulf %in, %weight : f32
    %added = arith.addf %o, %mul : f32
    linalg.yield %added : f32
  } -> tensor<6x4xf32>
  %e = linalg.generic {indexing_maps = [#id, #x, #y], iterator_types = ["parallel", "parallel", "reduction"]} ins(%ids, %h : tensor<6xi64>, tensor<6x4xf32>) outs(%y1 : tensor<6x40xf32>) {
  ^bb0(%id: i64, %in: f32, %o: f32):
    %clamped = arith.maxsi %id, %none : i64
    %l = arith.index_cast %clamped : i64 to index
    %n = linalg.index 1 : index
    %r = linalg.index 2 : index
    %weight = tensor.extract %b[%l, %n, %r] : tensor<3x40x4xf32>
    %mul = arith.mulf %in, %weight : f32
    %added = arith.addf %o, %mul : f32
    linalg.yield %added : f32
  } -> tensor<6x40xf32>
  %y = linalg.generic {indexing_maps = [#row, #row, #element, #element, #element], iterator_types = ["parallel", "parallel"]} ins(%ids, %others, %base, %e : tensor<6xi64>, tensor<6xi64>, tensor<6x40xf32>, tensor<6x40xf32>) outs(%y0 : tensor<6x40xf32>) {
  ^bb0(%id: i64, %other: i64, %old: f32, %delta: f32, %o: f32):
    %clamped = arith.maxsi %id, %none : i64
    %l = arith.index_cast %clamped : i64 to index
    %factor = tensor.extract %factors[%l] : tensor<3xf32>
    %multiplied = arith.mulf %delta, %factor : f32
    %added = arith.addf %old, %multiplied : f32
    %has = arith.cmpi sge, %id, %none : i64
    %new = arith.select %has, %added, %old : f32
    linalg.yield %new : f32
  } -> tensor<6x40xf32>
  return %y : tensor<6x40xf32>
}
