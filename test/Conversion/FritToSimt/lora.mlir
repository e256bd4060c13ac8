// RUN: %frit_opt %s --pass-pipeline='builtin.module(convert-frit-to-simt,canonicalize,cse)' | FileCheck %s

// Each half is a kernel, in two versions; the rank vectors are between them.

// CHECK-LABEL: func @matmul
// CHECK-SAME: %[[X:[a-z0-9]*]]: memref<?x4096xbf16>, %[[IDS:[a-z0-9]*]]: memref<?xi32>, %[[A:[a-z0-9]*]]: memref<4x16x4096xbf16>, %[[B:[a-z0-9]*]]: memref<4x512x16xbf16>, %[[Y:[a-z0-9]*]]: memref<?x512xbf16>
// CHECK: %[[H:.*]] = memref.alloc(%{{.*}}) : memref<1x?x16xf32>
// Four positions and eight ranks a block: a warp for each rank.
// CHECK: scf.if
// CHECK: %[[BLOCKS:.*]] = arith.divui %{{.*}}, %c4
// CHECK: gpu.launch {{.*}} in ({{[^)]*}} = %[[BLOCKS]], {{[^)]*}} = %c2, {{[^)]*}} = %c1)
// CHECK-SAME: threads({{.*}}) in ({{[^)]*}} = %c32, {{[^)]*}} = %c8, {{[^)]*}} = %c1)
// CHECK: memref.load %[[IDS]]
// CHECK: scf.for {{.*}} to %c4096 step %c256 {{.*}} -> (vector<8xf32>)
// CHECK: vector.load %[[A]]{{.*}} {alignment = 16 : i64}
// CHECK: vector.load %[[X]]{{.*}} {alignment = 16 : i64}
// CHECK: math.fma
// CHECK-COUNT-5: gpu.shuffle xor
// CHECK: memref.store {{.*}}, %[[H]]
// A tile of four tokens reads the weights once.
// CHECK: scf.for {{.*}} -> (vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>)
// CHECK: vector.load %[[A]]
// CHECK-COUNT-4: vector.load %[[X]]
// CHECK: } else {
// CHECK: gpu.launch
// CHECK-NOT: vector.load
// CHECK: memref.load %[[A]]
// 256 columns a block, one for each thread.
// CHECK: scf.if
// CHECK: %[[BLOCKS2:.*]] = arith.divui %{{.*}}, %c4
// CHECK: gpu.launch {{.*}} in ({{[^)]*}} = %[[BLOCKS2]], {{[^)]*}} = %c2, {{[^)]*}} = %c1) threads({{.*}} = %c256,
// CHECK: vector.load %[[B]]{{.*}} {alignment = 16 : i64}
// CHECK: vector.load %[[H]]{{.*}} {alignment = 16 : i64}
// CHECK: math.fma
// CHECK: %[[OLD:.*]] = memref.load %[[Y]]
// CHECK: arith.extf %[[OLD]]
// CHECK: %[[NEW:.*]] = arith.truncf
// CHECK: memref.store %[[NEW]], %[[Y]]
// CHECK: memref.dealloc %[[H]]
func.func @matmul(%x: memref<?x4096xbf16>, %ids: memref<?xi32>, %a: memref<4x16x4096xbf16>,
                  %b: memref<4x512x16xbf16>, %y: memref<?x512xbf16>) {
  frit.lora_matmul ins(%x, %ids : memref<?x4096xbf16>, memref<?xi32>)
    weights(%a, %b : memref<4x16x4096xbf16>, memref<4x512x16xbf16>) outs(%y : memref<?x512xbf16>)
    {frit.kernel = #frit.kernel<"native.simt">}
  return
}

// Slices are the third dimension of the grid. The ids are device memory, and so
// is the grouping: the host reads neither.

// CHECK-LABEL: func @slices
// CHECK-SAME: %[[ORDER:[a-z0-9]*]]: memref<?xi32>, %[[STARTS:[a-z0-9]*]]: memref<3xi32>
// CHECK-NOT: memref.load
// CHECK: gpu.launch blocks(%{{[a-z0-9]*}}, %{{[a-z0-9]*}}, %[[SLICE:[a-z0-9]*]]) in ({{[^)]*}} = %c2)
// CHECK: memref.load %[[STARTS]]
// CHECK: %[[SECOND:.*]] = arith.cmpi eq, %[[SLICE]], %c1
// CHECK: arith.select %[[SECOND]], {{.*}} : memref<2x?x64xf32
// CHECK: memref.load %[[ORDER]]
func.func @slices(%x: memref<?x64xf32>, %ids: memref<?xi32>, %a0: memref<2x?x64xf32>, %a1: memref<2x?x64xf32>,
                  %order: memref<?xi32>, %starts: memref<3xi32>, %h: memref<2x?x?xf32>) {
  frit.lora_shrink ins(%x, %ids : memref<?x64xf32>, memref<?xi32>)
    weights(%a0, %a1 : memref<2x?x64xf32>, memref<2x?x64xf32>)
    grouping(%order, %starts : memref<?xi32>, memref<3xi32>)
    outs(%h : memref<2x?x?xf32>) {frit.kernel = #frit.kernel<"native.simt">}
  return
}
