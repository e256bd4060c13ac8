// RUN: %frit_opt %s --pass-pipeline='builtin.module(convert-frit-to-vector{vector-width=128 convert-unselected},canonicalize,cse)' | FileCheck %s

// Positions are those of the groups alone; tokens come from `order`, adapters
// from `ids` all the same.
// CHECK-LABEL: func.func @grouped(
// CHECK-SAME:    %[[X:.*]]: memref<?x64xf32>, %[[IDS:.*]]: memref<?xi32>, %[[A:.*]]: memref<4x8x64xf32>, %[[ORDER:.*]]: memref<?xi32>, %[[STARTS:.*]]: memref<5xi32>, %{{.*}}: memref<1x?x8xf32>)
// CHECK:         %[[FIRST32:.*]] = memref.load %[[STARTS]][%c0]
// CHECK:         %[[FIRST:.*]] = arith.index_cast %[[FIRST32]]
// CHECK:         memref.load %[[STARTS]][%c4]
// CHECK:         scf.parallel
// CHECK:           %[[PLACE:.*]] = arith.addi %[[FIRST]], %{{.*}}
// CHECK:           %[[TOKEN32:.*]] = memref.load %[[ORDER]][%[[PLACE]]]
// CHECK:           %[[TOKEN:.*]] = arith.index_cast %[[TOKEN32]]
// CHECK:           memref.load %[[IDS]][%[[TOKEN]]]
func.func @grouped(%x: memref<?x64xf32>, %ids: memref<?xi32>, %a: memref<4x8x64xf32>, %order: memref<?xi32>,
                   %starts: memref<5xi32>, %h: memref<1x?x8xf32>) {
  frit.lora_shrink ins(%x, %ids : memref<?x64xf32>, memref<?xi32>) weights(%a : memref<4x8x64xf32>)
    grouping(%order, %starts : memref<?xi32>, memref<5xi32>) outs(%h : memref<1x?x8xf32>)
  return
}

// A true rank is read for the slice and the adapter and stays within the
// weights; an adapter's own scale multiplies the whole factor once.
// CHECK-LABEL: func.func @ranks_and_scales(
// CHECK-SAME:    %[[SCALES:.*]]: memref<4xf32>, %[[RANKS:.*]]: memref<2x4xi32>,
// CHECK-DAG:     %[[HALF:.*]] = arith.constant 5.000000e-01 : f32
// CHECK-DAG:     %[[MAX:.*]] = arith.constant 8 : index
// CHECK:         scf.parallel
// CHECK:           %[[OWN:.*]] = memref.load %[[SCALES]][%[[ID:.*]]]
// CHECK:           %[[FACTOR:.*]] = arith.mulf %[[OWN]], %[[HALF]]
// CHECK:           scf.for %[[SLICE:.*]] = %c0 to %c2
// CHECK:           %[[RANK32:.*]] = memref.load %[[RANKS]][%[[SLICE]], %[[ID]]]
// CHECK:           %[[RANK:.*]] = arith.index_cast %[[RANK32]]
// CHECK:           %[[POSITIVE:.*]] = arith.maxsi %[[RANK]], %c0
// CHECK:           arith.minui %[[POSITIVE]], %[[MAX]]
// CHECK:           arith.mulf %[[FACTOR]], %{{.*}} : f32
func.func @ranks_and_scales(%scales: memref<4xf32>, %ranks: memref<2x4xi32>, %x: memref<?x64xf32>, %ids: memref<?xi32>,
                            %a: memref<4x8x64xf32>, %h: memref<2x?x8xf32>) {
  frit.lora_shrink ins(%x, %ids : memref<?x64xf32>, memref<?xi32>)
    weights(%a, %a : memref<4x8x64xf32>, memref<4x8x64xf32>) scales(%scales : memref<4xf32>)
    ranks(%ranks : memref<2x4xi32>) outs(%h : memref<2x?x8xf32>) scale = 5.000000e-01
  return
}

// Without accumulation the destination is not read.
// CHECK-LABEL: func.func @no_accumulation(
// CHECK-SAME:    %[[Y:[^,)]*]]: memref<?x64xf32>
// CHECK-NOT:     load %[[Y]]
// CHECK:         vector.store %{{.*}}, %[[Y]]
// CHECK-NOT:     load %[[Y]]
// CHECK:         return
func.func @no_accumulation(%y: memref<?x64xf32>, %h: memref<1x?x8xf32>, %ids: memref<?xi32>, %b: memref<4x64x8xf32>) {
  frit.lora_expand ins(%h, %ids : memref<1x?x8xf32>, memref<?xi32>) weights(%b : memref<4x64x8xf32>)
    outs(%y : memref<?x64xf32>) accumulate = false
  return
}

// e and f round to the type of B, the sum with y_old to that of y.
// CHECK-LABEL: func.func @stepwise(
// CHECK-SAME:    %[[Y:[^,)]*]]: memref<?x64xf16>
// CHECK:         %[[OLD:.*]] = vector.load %[[Y]]{{.*}} : memref<?x64xf16>, vector<4xf16>
// CHECK:         %[[E16:.*]] = arith.truncf %{{.*}} : vector<4xf32> to vector<4xf16>
// CHECK:         %[[E:.*]] = arith.extf %[[E16]]
// CHECK:         %[[SCALED:.*]] = arith.mulf %[[E]], %
// CHECK:         %[[F16:.*]] = arith.truncf %[[SCALED]]
// CHECK:         %[[F:.*]] = arith.extf %[[F16]]
// CHECK:         %[[WIDE:.*]] = arith.extf %[[OLD]]
// CHECK:         %[[NEW:.*]] = arith.addf %[[WIDE]], %[[F]]
// CHECK:         arith.truncf %[[NEW]]
func.func @stepwise(%y: memref<?x64xf16>, %h: memref<1x?x8xf16>, %ids: memref<?xi32>, %b: memref<4x64x8xf16>) {
  frit.lora_expand ins(%h, %ids : memref<1x?x8xf16>, memref<?xi32>) weights(%b : memref<4x64x8xf16>)
    outs(%y : memref<?x64xf16>) scale = 7.000000e-01 rounding = stepwise
  return
}

// Columns start at the offset; those of the second slice after the first. One
// code serves both.
// CHECK-LABEL: func.func @slices(
// CHECK-DAG:     %[[FIRST:.*]] = arith.constant 16 : index
// CHECK-DAG:     %[[SECOND:.*]] = arith.constant 80 : index
// CHECK:         %[[B0:.*]] = memref.cast %{{.*}} : memref<4x64x8xf32> to memref<4x?x8xf32, strided<[?, 8, 1]>>
// CHECK:         %[[B1:.*]] = memref.cast %{{.*}} : memref<4x32x8xf32> to memref<4x?x8xf32, strided<[?, 8, 1]>>
// CHECK:         scf.parallel
// CHECK:           %[[ISLATER:.*]] = arith.cmpi uge, %{{.*}}, %{{.*}} : index
// CHECK:           %[[SLICE:.*]] = arith.select %[[ISLATER]], %c1, %c0 : index
// CHECK:           arith.select %[[ISLATER]], %[[B1]], %[[B0]]
// CHECK:           arith.select %[[ISLATER]], %[[SECOND]], %[[FIRST]] : index
// CHECK:           memref.load %{{.*}}[%[[SLICE]],
// CHECK-NOT:       arith.select %{{.*}}, %[[B1]], %[[B0]]
// CHECK:         return
func.func @slices(%y: memref<?x128xf32>, %h: memref<2x?x8xf32>, %ids: memref<?xi32>, %b0: memref<4x64x8xf32>,
                  %b1: memref<4x32x8xf32>) {
  frit.lora_expand ins(%h, %ids : memref<2x?x8xf32>, memref<?xi32>)
    weights(%b0, %b1 : memref<4x64x8xf32>, memref<4x32x8xf32>) outs(%y : memref<?x128xf32>) offset = 16
  return
}

// An inner size of 1 may come with any stride.
// CHECK-LABEL: func.func @inner_size_one(
// CHECK-SAME:    %[[X:.*]]: memref<?x1xf32, strided<[7, 3]>>
// CHECK:         memref.reinterpret_cast {{.*}} to memref<?x1xf32, strided<[7, 1]>>
func.func @inner_size_one(%x: memref<?x1xf32, strided<[7, 3]>>, %ids: memref<?xi32>, %a: memref<4x8x1xf32>,
                          %h: memref<1x?x8xf32>) {
  frit.lora_shrink ins(%x, %ids : memref<?x1xf32, strided<[7, 3]>>, memref<?xi32>) weights(%a : memref<4x8x1xf32>)
    outs(%h : memref<1x?x8xf32>)
  return
}
