// RUN: %frit_opt %s --pass-pipeline='builtin.module(convert-frit-to-simt,canonicalize,cse)' | FileCheck %s

// Each half is a kernel, in two versions; the rank vectors are between them.

// CHECK-LABEL: func @matmul
// CHECK-SAME: %[[X:[a-z0-9]*]]: memref<?x4096xbf16>, %[[IDS:[a-z0-9]*]]: memref<?xi32>, %[[A:[a-z0-9]*]]: memref<4x16x4096xbf16>, %[[B:[a-z0-9]*]]: memref<4x512x16xbf16>, %[[Y:[a-z0-9]*]]: memref<?x512xbf16>
// CHECK: %[[H:.*]] = memref.alloc(%{{.*}}) : memref<1x?x16xf32>
// The more tokens, the more of them a block is given: one to eight.
// CHECK: %[[T:.*]] = memref.dim %[[IDS]]
// CHECK: %[[WORK:.*]] = arith.muli %[[T]], %c2
// CHECK: %[[FEW:.*]] = arith.maxui %{{.*}}, %c1
// CHECK: %[[SIZE:.*]] = arith.minui %[[FEW]], %c8
// CHECK: %[[WINDOWS:.*]] = arith.divui %{{.*}}, %[[SIZE]]
// Eight ranks a block, computed by eight warps that share the sums over k.
// CHECK: scf.if
// CHECK: %[[BLOCKS:.*]] = arith.muli %[[WINDOWS]], %c2
// CHECK: gpu.launch {{.*}} in ({{[^)]*}} = %[[BLOCKS]], {{[^)]*}} = %c1, {{[^)]*}} = %c1)
// CHECK-SAME: threads(%[[LANE:[a-z0-9]*]], %[[WARP:[a-z0-9]*]], {{.*}}) in ({{[^)]*}} = %c32, {{[^)]*}} = %c8, {{[^)]*}} = %c1)
// CHECK-SAME: workgroup(%[[PARTS:[a-z0-9]*]] : memref<8x64xf32
// The ids of a window are loaded at once.
// CHECK-COUNT-8: memref.load %[[IDS]]
// CHECK: %[[IS_ONE:.*]] = arith.cmpi eq, %{{.*}}, %c1
// CHECK: scf.if %[[IS_ONE]]
// CHECK: %[[SUMS:.*]]:8 = scf.for {{.*}} to %c4096 step %c2048
// CHECK: vector.load %[[X]]{{.*}} {alignment = 16 : i64}
// A bf16 is widened by its bits.
// CHECK: vector.bitcast %{{.*}} : vector<8xbf16> to vector<4xi32>
// CHECK: arith.shli %{{.*}}, %c16_i32
// CHECK: arith.andi %{{.*}}, %c-65536_i32
// CHECK-COUNT-8: vector.load %[[A]]{{.*}} {alignment = 16 : i64}
// CHECK-COUNT-64: math.fma
// Eight sums over 32 lanes: four, two and one shuffles leave one a lane, which
// four lanes have a part in.
// CHECK: %[[LOW:.*]] = arith.select %{{.*}}, %[[SUMS]]#0, %[[SUMS]]#4
// CHECK: %[[OTHER:.*]], %{{.*}} = gpu.shuffle xor %[[LOW]], %c16
// CHECK: %[[OWN:.*]] = arith.select %{{.*}}, %[[SUMS]]#4, %[[SUMS]]#0
// CHECK: arith.addf %[[OWN]], %[[OTHER]]
// CHECK-COUNT-3: gpu.shuffle xor %{{.*}}, %c16
// CHECK-COUNT-2: gpu.shuffle xor %{{.*}}, %c8
// CHECK-NEXT: arith.select
// CHECK-NEXT: arith.addf
// CHECK-COUNT-1: gpu.shuffle xor %{{.*}}, %c4
// CHECK-COUNT-1: gpu.shuffle xor %{{.*}}, %c2
// CHECK-COUNT-1: gpu.shuffle xor %{{.*}}, %c1
// CHECK-NOT: gpu.shuffle
// CHECK: memref.store %{{.*}}, %[[PARTS]][%[[WARP]],
// CHECK: gpu.barrier
// CHECK-COUNT-8: memref.load %[[PARTS]]
// CHECK: memref.store {{.*}}, %[[H]]
// CHECK: gpu.barrier
// Eight tokens of an adapter share its weights.
// CHECK: } else {
// CHECK: :64 = scf.for
// CHECK-COUNT-8: vector.load %[[X]]
// CHECK-COUNT-8: vector.load %[[A]]
// CHECK-NOT: vector.load
// CHECK-COUNT-62: gpu.shuffle xor
// CHECK-NOT: gpu.shuffle
// CHECK: gpu.barrier
// CHECK: } else {
// CHECK: gpu.launch
// CHECK-NOT: vector.load
// CHECK: memref.load %[[A]]
// Neighboring lanes share the sums of four columns, of which each has two then;
// y is loaded before all else.
// CHECK: %[[WINDOWS2:.*]] = arith.divui
// CHECK: scf.if
// CHECK: gpu.launch {{.*}} in ({{[^)]*}} = %{{[a-z0-9]*}}, {{[^)]*}} = %c2, {{[^)]*}} = %c1) threads({{.*}} = %c32, {{.*}} = %c4, {{.*}} = %c1)
// CHECK: %[[OLD:.*]] = memref.load %[[Y]]
// CHECK: memref.load %[[Y]]
// CHECK: :4 = scf.for {{.*}} to %c16 step %c16
// CHECK: vector.load %[[H]]{{.*}} {alignment = 16 : i64}
// CHECK-COUNT-4: vector.load %[[B]]{{.*}} {alignment = 16 : i64}
// CHECK-COUNT-8: math.fma
// CHECK: arith.addf
// CHECK-COUNT-2: gpu.shuffle xor %{{.*}}, %c1
// CHECK: arith.extf %[[OLD]]
// CHECK: %[[NEW:.*]] = arith.truncf
// CHECK: memref.store %[[NEW]], %[[Y]]
// CHECK: } else {
// CHECK-COUNT-16: memref.load %[[Y]]
// CHECK: :32 = scf.for
// CHECK-COUNT-8: vector.load %[[H]]
// CHECK-COUNT-4: vector.load %[[B]]
// CHECK-COUNT-16: gpu.shuffle xor %{{.*}}, %c1
// CHECK: memref.dealloc %[[H]]
func.func @matmul(%x: memref<?x4096xbf16>, %ids: memref<?xi32>, %a: memref<4x16x4096xbf16>,
                  %b: memref<4x512x16xbf16>, %y: memref<?x512xbf16>) {
  frit.lora_matmul ins(%x, %ids : memref<?x4096xbf16>, memref<?xi32>)
    weights(%a, %b : memref<4x16x4096xbf16>, memref<4x512x16xbf16>) outs(%y : memref<?x512xbf16>)
    {frit.kernel = #frit.kernel<"native.simt">}
  return
}

// Tokens that are known to be few have a block each, and there is code for a
// single token only. Blocks have four ranks and a column a lane, so that there
// are more of them.

// CHECK-LABEL: func @few
// CHECK: gpu.launch {{.*}} in ({{[^)]*}} = %c24, {{[^)]*}} = %c1, {{[^)]*}} = %c1)
// CHECK-SAME: workgroup({{.*}} : memref<8x4xf32
// CHECK-COUNT-1: memref.load {{.*}} : memref<6xi32>
// CHECK-NOT: memref<6xi32>
// CHECK: :4 = scf.for
// CHECK-COUNT-1: vector.load {{.*}} : memref<6x512xf16>
// CHECK-NOT: memref<6x512xf16>
// CHECK-COUNT-4: vector.load {{.*}} : memref<4x16x512xf16>
// CHECK: gpu.launch
// CHECK: gpu.launch {{.*}} in ({{[^)]*}} = %c6, {{[^)]*}} = %c4, {{[^)]*}} = %c1)
// CHECK-COUNT-1: memref.load {{.*}} : memref<6x512xf16>
// CHECK-NOT: memref<6x512xf16>
// CHECK: :2 = scf.for
// CHECK-COUNT-2: vector.load {{.*}} : memref<4x512x16xf16>
// CHECK-NOT: vector.load
// CHECK: memref.store {{.*}} : memref<6x512xf16>
func.func @few(%x: memref<6x512xf16>, %ids: memref<6xi32>, %a: memref<4x16x512xf16>, %b: memref<4x512x16xf16>,
               %y: memref<6x512xf16>) {
  frit.lora_matmul ins(%x, %ids : memref<6x512xf16>, memref<6xi32>)
    weights(%a, %b : memref<4x16x512xf16>, memref<4x512x16xf16>) outs(%y : memref<6x512xf16>)
    {frit.kernel = #frit.kernel<"native.simt">}
  return
}

// Blocks of the same tokens are neighbors, also those of several slices. The
// ids are device memory, and so is the grouping: the host reads neither.

// CHECK-LABEL: func @slices
// CHECK-SAME: %[[ORDER:[a-z0-9]*]]: memref<?xi32>, %[[STARTS:[a-z0-9]*]]: memref<3xi32>
// CHECK-NOT: memref.load
// CHECK: %[[RANK_BLOCKS:.*]] = arith.divui %{{.*}}, %c8
// CHECK: %[[SLICE_BLOCKS:.*]] = arith.muli %[[RANK_BLOCKS]], %c2
// CHECK-NOT: memref.load
// CHECK: gpu.launch blocks(%[[BLOCK:[a-z0-9]*]],
// CHECK: %[[PART:.*]] = arith.remui %[[BLOCK]], %[[SLICE_BLOCKS]]
// CHECK: %[[SLICE:.*]] = arith.divui %[[PART]], %[[RANK_BLOCKS]]
// CHECK: memref.load %[[STARTS]]
// CHECK: %[[SECOND:.*]] = arith.cmpi eq, %[[SLICE]], %c1
// CHECK: arith.select %[[SECOND]], {{.*}} : memref<2x?x64xf32
// CHECK: arith.divui %[[BLOCK]], %[[SLICE_BLOCKS]]
// CHECK-COUNT-8: memref.load %[[ORDER]]
func.func @slices(%x: memref<?x64xf32>, %ids: memref<?xi32>, %a0: memref<2x?x64xf32>, %a1: memref<2x?x64xf32>,
                  %order: memref<?xi32>, %starts: memref<3xi32>, %h: memref<2x?x?xf32>) {
  frit.lora_shrink ins(%x, %ids : memref<?x64xf32>, memref<?xi32>)
    weights(%a0, %a1 : memref<2x?x64xf32>, memref<2x?x64xf32>)
    grouping(%order, %starts : memref<?xi32>, memref<3xi32>)
    outs(%h : memref<2x?x?xf32>) {frit.kernel = #frit.kernel<"native.simt">}
  return
}
