// RUN: %frit_opt %s --pass-pipeline='builtin.module(convert-frit-to-vector{vector-width=256})' | FileCheck %s '-D$N=8'
// RUN: %frit_opt %s --pass-pipeline='builtin.module(convert-frit-to-vector{vector-width=128})' | FileCheck %s '-D$N=4'

#row = strided<[?, 1], offset: ?>

// Rows in parallel blocks, a loop over vectors, and the rest in copies that fill
// one: no code is scalar.

// CHECK-LABEL: func @silu_f32
// CHECK-SAME: %[[X:.*]]: memref<?x?xf32, strided<[?, 1], offset: ?>>, %[[Y:.*]]: memref<?x?xf32, strided<[?, 1], offset: ?>>
// CHECK: %[[D:.*]] = memref.dim %[[Y]], %{{.*}}
// CHECK: scf.parallel
// CHECK: scf.for
// CHECK-DAG: %[[OUT:.*]] = memref.subview %[[Y]][%{{.*}}, 0] [1, %{{.*}}] [1, 1] : memref<?x?xf32, {{.*}}> to memref<?xf32, strided<[1], offset: ?>>
// CHECK-DAG: %[[GATE:.*]] = memref.subview %[[X]][%{{.*}}, 0] [1, %{{.*}}] [1, 1]
// CHECK-DAG: %[[UP:.*]] = memref.subview %[[X]][%{{.*}}, %{{.*}}] [1, %{{.*}}] [1, 1]
// CHECK: scf.for
// CHECK: vector.load %[[GATE]]{{.*}} vector<[[$N]]xf32>
// CHECK: vector.load %[[UP]]{{.*}} vector<[[$N]]xf32>
// CHECK: math.exp {{.*}} : vector<[[$N]]xf32>
// CHECK: vector.store %{{.*}}, %[[OUT]]{{.*}} vector<[[$N]]xf32>
// CHECK: scf.if
// CHECK: scf.for
// CHECK: memref.load %[[GATE]]
// CHECK: memref.load %[[UP]]
// CHECK: math.exp {{.*}} : vector<[[$N]]xf32>
// CHECK: scf.for
// CHECK: memref.store %{{.*}}, %[[OUT]]
// CHECK-NOT: math.exp
// CHECK: return
func.func @silu_f32(%x: memref<?x?xf32, #row>, %y: memref<?x?xf32, #row>) {
  frit.act_and_mul silu ins(%x : memref<?x?xf32, #row>) outs(%y : memref<?x?xf32, #row>)
    {frit.kernel = #frit.kernel<"native.vector">}
  return
}

// Narrow elements are f32 in registers; act and the product are rounded.

// CHECK-LABEL: func @gelu_bf16
// CHECK: arith.extf {{.*}} : vector<[[$N]]xbf16> to vector<[[$N]]xf32>
// CHECK: %[[A:.*]] = arith.truncf {{.*}} : vector<[[$N]]xf32> to vector<[[$N]]xbf16>
// CHECK: %[[R:.*]] = arith.extf %[[A]]
// CHECK: %[[P:.*]] = arith.mulf %[[R]], %{{.*}} : vector<[[$N]]xf32>
// CHECK: arith.truncf %[[P]]
func.func @gelu_bf16(%g: memref<?x64xbf16, #row>, %u: memref<?x64xbf16, #row>, %y: memref<?x64xbf16, #row>) {
  frit.act_and_mul gelu_erf ins(%g, %u : memref<?x64xbf16, #row>, memref<?x64xbf16, #row>)
    outs(%y : memref<?x64xbf16, #row>) {frit.kernel = #frit.kernel<"native.vector">}
  return
}

// Another kernel, or none, is not for this pass.

// CHECK-LABEL: func @not_selected
// CHECK: frit.act_and_mul silu {{.*}}native.linalg
// CHECK: frit.act_and_mul gelu_tanh
func.func @not_selected(%x: memref<?x64xf32>, %y: memref<?x32xf32>) {
  frit.act_and_mul silu ins(%x : memref<?x64xf32>) outs(%y : memref<?x32xf32>)
    {frit.kernel = #frit.kernel<"native.linalg">}
  frit.act_and_mul gelu_tanh ins(%x : memref<?x64xf32>) outs(%y : memref<?x32xf32>)
  return
}
