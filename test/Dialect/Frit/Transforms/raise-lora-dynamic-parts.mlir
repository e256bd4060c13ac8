// How many rows or columns of a layer and its branch are added shows at run time.
// RUN: %frit_opt %s --split-input-file --pass-pipeline='builtin.module(frit-raise{fidelity=exact})' --remarks-filter=frit-raise 2> %t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK < %t.remarks

#x = affine_map<(m, n, k) -> (m, k)>
#w = affine_map<(m, n, k) -> (n, k)>
#y = affine_map<(m, n, k) -> (m, n)>

// x has more rows than are added: the op would read them all.
// REMARK: [Missed] frit.lora_matmul {{.*}}Function=rows {{.*}}the second matmul reads a part of the first one's result
// CHECK-LABEL: func @rows
// CHECK-NOT: frit.lora_matmul
// CHECK: return
func.func @rows(%n: index, %x: tensor<?x48xf32>, %w: tensor<40x48xf32>, %a: tensor<4x48xf32>, %b: tensor<40x4xf32>) -> tensor<?x40xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %rows = tensor.dim %x, %c0 : tensor<?x48xf32>
  %y0 = tensor.empty(%rows) : tensor<?x40xf32>
  %y1 = linalg.fill ins(%zero : f32) outs(%y0 : tensor<?x40xf32>) -> tensor<?x40xf32>
  %h0 = tensor.empty(%rows) : tensor<?x4xf32>
  %h1 = linalg.fill ins(%zero : f32) outs(%h0 : tensor<?x4xf32>) -> tensor<?x4xf32>
  %base = linalg.matmul indexing_maps = [#x, #w, #y] ins(%x, %w : tensor<?x48xf32>, tensor<40x48xf32>) outs(%y1 : tensor<?x40xf32>) -> tensor<?x40xf32>
  %h = linalg.matmul indexing_maps = [#x, #w, #y] ins(%x, %a : tensor<?x48xf32>, tensor<4x48xf32>) outs(%h1 : tensor<?x4xf32>) -> tensor<?x4xf32>
  %e = linalg.matmul indexing_maps = [#x, #w, #y] ins(%h, %b : tensor<?x4xf32>, tensor<40x4xf32>) outs(%y1 : tensor<?x40xf32>) -> tensor<?x40xf32>
  %first = tensor.extract_slice %base[0, 0] [%n, 40] [1, 1] : tensor<?x40xf32> to tensor<?x40xf32>
  %delta = tensor.extract_slice %e[0, 0] [%n, 40] [1, 1] : tensor<?x40xf32> to tensor<?x40xf32>
  %out = tensor.empty(%n) : tensor<?x40xf32>
  %y = linalg.add ins(%first, %delta : tensor<?x40xf32>, tensor<?x40xf32>) outs(%out : tensor<?x40xf32>) -> tensor<?x40xf32>
  return %y : tensor<?x40xf32>
}

// -----

#x = affine_map<(m, n, k) -> (m, k)>
#w = affine_map<(m, n, k) -> (n, k)>
#y = affine_map<(m, n, k) -> (m, n)>

// The first rows of B give the first columns: their number is there before what they are added to.
// REMARK: [Passed] frit.lora_matmul {{.*}}Function=columns
// CHECK-LABEL: func @columns
// CHECK-SAME: %[[N:.*]]: index, %[[X:.*]]: tensor<6x48xf32>, %{{.*}}: tensor<40x48xf32>, %{{.*}}: tensor<4x48xf32>, %[[B:.*]]: tensor<40x4xf32>
// CHECK: %[[PART:.*]] = tensor.extract_slice %[[B]][0, 0] [%{{.*}}, 4] [1, 1]
// CHECK: %[[WEIGHT:.*]] = tensor.expand_shape %[[PART]]
// CHECK: frit.lora_matmul ins(%[[X]], {{.*}} weights(%{{.*}}, %[[WEIGHT]] : tensor<1x4x48xf32>, tensor<1x?x4xf32>)
func.func @columns(%n: index, %x: tensor<6x48xf32>, %w: tensor<40x48xf32>, %a: tensor<4x48xf32>, %b: tensor<40x4xf32>) -> tensor<6x?xf32> {
  %zero = arith.constant 0.0 : f32
  %y0 = tensor.empty() : tensor<6x40xf32>
  %y1 = linalg.fill ins(%zero : f32) outs(%y0 : tensor<6x40xf32>) -> tensor<6x40xf32>
  %h0 = tensor.empty() : tensor<6x4xf32>
  %h1 = linalg.fill ins(%zero : f32) outs(%h0 : tensor<6x4xf32>) -> tensor<6x4xf32>
  %base = linalg.matmul indexing_maps = [#x, #w, #y] ins(%x, %w : tensor<6x48xf32>, tensor<40x48xf32>) outs(%y1 : tensor<6x40xf32>) -> tensor<6x40xf32>
  %h = linalg.matmul indexing_maps = [#x, #w, #y] ins(%x, %a : tensor<6x48xf32>, tensor<4x48xf32>) outs(%h1 : tensor<6x4xf32>) -> tensor<6x4xf32>
  %e = linalg.matmul indexing_maps = [#x, #w, #y] ins(%h, %b : tensor<6x4xf32>, tensor<40x4xf32>) outs(%y1 : tensor<6x40xf32>) -> tensor<6x40xf32>
  %first = tensor.extract_slice %base[0, 0] [6, %n] [1, 1] : tensor<6x40xf32> to tensor<6x?xf32>
  %delta = tensor.extract_slice %e[0, 0] [6, %n] [1, 1] : tensor<6x40xf32> to tensor<6x?xf32>
  %out = tensor.empty(%n) : tensor<6x?xf32>
  %y = linalg.add ins(%first, %delta : tensor<6x?xf32>, tensor<6x?xf32>) outs(%out : tensor<6x?xf32>) -> tensor<6x?xf32>
  return %y : tensor<6x?xf32>
}
