// RUN: %frit_opt %s --pass-pipeline='builtin.module(frit-decompose,canonicalize)' | FileCheck %s
// RUN: %frit_opt %s --pass-pipeline='builtin.module(frit-decompose{accumulate-in-f64=true},canonicalize)' | FileCheck %s --check-prefix=F64

// CHECK-DAG: #[[$A:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d3, d1)>
// CHECK-DAG: #[[$B:.*]] = affine_map<(d0, d1, d2, d3) -> (d3, d2)>
// CHECK-DAG: #[[$Y:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>

// An f32 sum is the result itself.
// CHECK-LABEL: func @plain(
// CHECK-SAME:    %[[A:.*]]: tensor<?x4xf32>, %[[B:.*]]: tensor<5x4xf32>, %[[Y:.*]]: tensor<?x5xf32>)
// CHECK:         %[[FILLED:.*]] = linalg.fill {{.*}} outs(%[[Y]]
// CHECK:         %[[SUM:.*]] = linalg.generic {{.*}} ins(%[[A]], %[[B]] : {{.*}}) outs(%[[FILLED]]
// CHECK-NOT:     arith.extf
// CHECK:         return %[[SUM]]
// F64-LABEL:   func @plain
// F64:           %[[P:.*]] = arith.mulf {{.*}} : f64
// F64:           arith.addf %{{.*}}, %[[P]] : f64
// F64:           arith.truncf {{.*}} : f64 to f32
func.func @plain(%a: tensor<?x4xf32>, %b: tensor<5x4xf32>, %y: tensor<?x5xf32>) -> tensor<?x5xf32> {
  %0 = frit.matmul ins(%a, %b : tensor<?x4xf32>, tensor<5x4xf32>) outs(%y : tensor<?x5xf32>) transpose_b -> tensor<?x5xf32>
  return %0 : tensor<?x5xf32>
}

// CHECK-LABEL: func @everything(
// CHECK:         linalg.generic {indexing_maps = [#[[$A]], #[[$B]], #[[$Y]]], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
// CHECK:         arith.mulf {{.*}} : f32
// CHECK:         arith.addf {{.*}} : f32
// CHECK:         linalg.generic
// CHECK:         ^bb0(%[[SUM:.*]]: f32, %[[BIAS:.*]]: f16, %[[OLD:.*]]: f16):
// CHECK-DAG:       %[[O:.*]] = arith.extf %[[OLD]]
// CHECK-DAG:       %[[T:.*]] = arith.addf %[[SUM]], %[[O]] : f32
// CHECK-DAG:       %[[C:.*]] = arith.extf %[[BIAS]]
// CHECK-DAG:       %[[U:.*]] = arith.addf %[[T]], %[[C]] : f32
// CHECK:           %[[R:.*]] = arith.truncf %[[U]] : f32 to f16
// CHECK:           linalg.yield %[[R]]
func.func @everything(%a: memref<2x4x3xf16>, %b: memref<4x5xf16>, %c: memref<5xf16>, %y: memref<2x3x5xf16>) {
  frit.matmul ins(%a, %b : memref<2x4x3xf16>, memref<4x5xf16>) bias(%c : memref<5xf16>) outs(%y : memref<2x3x5xf16>) transpose_a accumulate
  return
}
