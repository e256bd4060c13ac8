// RUN: %frit_opt %s --pass-pipeline='builtin.module(convert-frit-to-vector{convert-unselected},canonicalize,cse)' -split-input-file | FileCheck %s

// The gate of all columns, the list of active ones, their rows of up, and of those the rows of down.

// CHECK-LABEL: func @dh
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<1x64xf32>, %[[GATE:[a-z0-9]+]]: memref<1024x64xf32>, %[[UP:[a-z0-9]+]]: memref<1024x64xf32>, %[[DOWN:[a-z0-9]+]]: memref<1024x64xf32>, %[[Y:[a-z0-9]+]]: memref<1x64xf32>
// CHECK: %[[G:.*]] = memref.alloc() : memref<1x1024xf32>
// CHECK: scf.parallel
// CHECK: vector.load %[[GATE]]
// CHECK: memref.store %{{.*}}, %[[G]]
// CHECK: %[[ACT:.*]] = memref.alloc() : memref<1x1024xf32>
// CHECK: vector.store %{{.*}}, %[[ACT]]
// CHECK: %[[LIST:.*]] = memref.alloc() : memref<1024xi32>
// CHECK: %[[STARTS:.*]] = memref.alloc() : memref<3xi32>
// CHECK: memref.alloc() : memref<1x1024xi32>
// CHECK: memref.alloc() : memref<1x3xi32>
// CHECK: memref.store %{{.*}}, %[[STARTS]]
// CHECK: vector.load %[[ACT]]
// CHECK: memref.store %{{.*}}, %[[LIST]]
// CHECK: scf.parallel
// CHECK: %[[JI:.*]] = memref.load %[[LIST]]
// CHECK: %[[J:.*]] = arith.index_cast %[[JI]]
// CHECK: vector.load %[[UP]][%[[J]],
// CHECK: memref.store %{{.*}}, %[[ACT]]
// CHECK: memref.prefetch %[[DOWN]]
// CHECK: %[[V:.*]] = memref.load %[[ACT]][%{{.*}}, %[[K:.*]]]
// CHECK: %[[ISNOT:.*]] = arith.cmpf une, %[[V]]
// CHECK: scf.if %[[ISNOT]]
// CHECK: vector.load %[[DOWN]][%[[K]],
// CHECK: vector.store %{{.*}}, %[[Y]]
// CHECK: memref.dealloc %[[G]]
func.func @dh(%x: memref<1x64xf32>, %gate: memref<1024x64xf32>, %up: memref<1024x64xf32>, %down: memref<1024x64xf32>, %y: memref<1x64xf32>) {
  frit.sparse_ffn ins(%x : memref<1x64xf32>)
      weights(%gate, %up, %down : memref<1024x64xf32>, memref<1024x64xf32>, memref<1024x64xf32>)
      outs(%y : memref<1x64xf32>) std_multiplier = 1.5 down_layout = dh
  return
}

// -----

// Rows of the result: whatever an inactive column's weight is, it is taken for 0.

// CHECK-LABEL: func @hd
// CHECK-SAME: %[[DOWN:[a-z0-9]+]]: memref<64x96xbf16>, %[[Y:[a-z0-9]+]]: memref<2x64xbf16>
// CHECK: %[[W:.*]] = vector.load %[[DOWN]]
// CHECK: %[[WF:.*]] = arith.extf %[[W]]
// CHECK: arith.select %{{.*}}, %[[WF]], %{{.*}} : vector<8xi1>, vector<8xf32>
// CHECK: arith.truncf
// CHECK: memref.store %{{.*}}, %[[NEW:.*]][%{{.*}}] : memref<2x64xbf16>
// CHECK: vector.load %[[Y]]
// CHECK: vector.load %[[NEW]]
// CHECK: vector.store %{{.*}}, %[[Y]]
func.func @hd(%x: memref<2x64xbf16>, %gate: memref<96x64xbf16>, %up: memref<96x64xbf16>, %down: memref<64x96xbf16>, %y: memref<2x64xbf16>) {
  frit.sparse_ffn ins(%x : memref<2x64xbf16>)
      weights(%gate, %up, %down : memref<96x64xbf16>, memref<96x64xbf16>, memref<64x96xbf16>)
      outs(%y : memref<2x64xbf16>) std_multiplier = 1.5 down_layout = hd accumulate = true
  return
}
