// RUN: %frit_opt %s --pass-pipeline='builtin.module(convert-frit-to-simt,canonicalize,cse)' | FileCheck %s

#row = strided<[?, 1], offset: ?>

// A row is held in the registers of 512 threads: four pieces of eight columns
// in each.

// CHECK-LABEL: func @held
// CHECK-SAME: %[[X:[a-z0-9]*]]: memref<?x32768xbf16
// CHECK-SAME: %[[Y:[a-z0-9]*]]: memref<?x16384xbf16
// CHECK: %[[T:.*]] = memref.dim %[[Y]], %c0
// Two kernels, of which the addresses of all rows choose: out, gate and up.
// CHECK: memref.extract_strided_metadata %[[Y]]
// CHECK: %[[BASE:.*]] = memref.extract_aligned_pointer_as_index
// CHECK: %[[ADDRESS:.*]] = arith.addi %[[BASE]],
// CHECK: %[[SINGLE:.*]] = arith.cmpi ult, %{{.*}}, %c2
// CHECK: arith.select %[[SINGLE]], %c0,
// CHECK: %[[BITS:.*]] = arith.ori %[[ADDRESS]],
// CHECK: %[[REST:.*]] = arith.remui %[[BITS]], %c16
// CHECK: arith.cmpi eq, %[[REST]], %c0
// CHECK: memref.extract_strided_metadata %[[X]]
// CHECK: arith.andi
// CHECK: %[[ALIGNED:.*]] = arith.andi
// CHECK: scf.if %[[ALIGNED]] {
// CHECK: gpu.launch blocks(%[[ROW:[a-z0-9]*]], {{.*}} = %[[T]],
// CHECK-SAME: threads(%[[THREAD:[a-z0-9]*]], {{.*}} = %c512, {{.*}} = %c1, {{.*}} = %c1)
// CHECK-SAME: workgroup(%[[SUMS:.*]] : memref<16xf32, #gpu.address_space<workgroup>>, %[[SQUARES:.*]] : memref<16xf32, #gpu.address_space<workgroup>>)
// CHECK: %[[OUT:.*]] = memref.subview %[[Y]][%[[ROW]], 0] [1, 16384]
// CHECK: %[[GATE:.*]] = memref.subview %[[X]][%[[ROW]], 0] [1, 16384]
// CHECK: %[[UP:.*]] = memref.subview %[[X]][%[[ROW]], 16384] [1, 16384]
// CHECK: arith.muli %[[THREAD]], %c8
// CHECK: %[[G:.*]] = vector.load %[[GATE]][{{.*}}] {alignment = 16 : i64}
// CHECK-COUNT-3: vector.load %[[GATE]][{{.*}}] {alignment = 16 : i64}
// The sum of a thread, of its warp, and of the block in a fixed order.
// CHECK: arith.extf %[[G]] : vector<8xbf16> to vector<8xf32>
// CHECK-COUNT-5: gpu.shuffle xor
// CHECK: memref.store {{.*}}, %[[SUMS]]
// CHECK: gpu.barrier
// CHECK: memref.load %[[SUMS]]
// CHECK-COUNT-4: gpu.shuffle xor
// CHECK-NOT: gpu.shuffle
// CHECK: %[[M:.*]] = arith.divf
// The squared differences to the unrounded mean, of the same registers.
// CHECK-NOT: vector.load
// CHECK: %[[MV:.*]] = vector.broadcast %[[M]]
// CHECK: %[[DEV:.*]] = arith.subf %{{.*}}, %[[MV]]
// CHECK: math.fma %[[DEV]], %[[DEV]],
// CHECK: memref.store {{.*}}, %[[SQUARES]]
// CHECK: gpu.barrier
// CHECK: %[[S:.*]] = math.sqrt
// CHECK: arith.truncf %[[M]] : f32 to bf16
// CHECK: arith.truncf %[[S]] : f32 to bf16
// CHECK: arith.mulf
// CHECK: arith.truncf
// CHECK: arith.addf
// CHECK: arith.truncf
// CHECK: %[[C:.*]] = arith.extf
// CHECK: vector.load %[[UP]]
// CHECK: vector.broadcast %[[C]]
// CHECK: arith.subf
// CHECK: math.tanh
// CHECK-COUNT-4: vector.store {{.*}}, %[[OUT]][{{.*}}] {alignment = 16 : i64}
// CHECK: gpu.terminator
// CHECK: } else {
// CHECK: gpu.launch
// CHECK-NOT: vector.load
// CHECK-COUNT-8: memref.load
// CHECK: vector.from_elements
// CHECK-NOT: vector.store
// CHECK: vector.extract
// CHECK: memref.store
// CHECK: gpu.terminator
func.func @held(%x: memref<?x32768xbf16, #row>, %y: memref<?x16384xbf16, #row>) {
  frit.gelu_and_mul_sparse ins(%x : memref<?x32768xbf16, #row>) outs(%y : memref<?x16384xbf16, #row>)
    std_multiplier = 1.64485359 {frit.kernel = #frit.kernel<"native.simt">}
  return
}

// A row of unknown length is read once for each sum, in loops whose sums are
// compensated, and once more. Columns that fill no piece are a thread's each.

// CHECK-LABEL: func @dynamic
// CHECK: threads({{.*}} = %c256, {{.*}} = %c1, {{.*}} = %c1)
// CHECK: %[[PIECES:.*]] = arith.divui %[[D:.*]], %c8
// CHECK: %[[SUM:.*]]:3 = scf.for %[[FIRST:.*]] = %c0 to %[[PIECES]] step %c1024
// CHECK: %[[INSIDE:.*]] = arith.cmpi ult, %[[PIECE:.*]], %[[PIECES]]
// CHECK: arith.minui %[[PIECE]],
// CHECK: arith.select %[[INSIDE]]
// CHECK: %[[COLUMN:.*]] = arith.addi
// CHECK: %[[HAS:.*]] = arith.cmpi ult, %[[COLUMN]], %[[D]]
// CHECK: scf.if %[[HAS]] -> (f32)
// CHECK: scf.for
// CHECK: %[[CORRECTED:.*]] = arith.subi %[[D]], %c1
// CHECK: arith.index_cast %[[CORRECTED]]
// CHECK: scf.for
// CHECK: math.erf {{.*}} : vector<8xf32>
// CHECK: scf.if %[[HAS]]
// CHECK: math.erf {{.*}} : f32
func.func @dynamic(%g: memref<?x?xf16, #row>, %u: memref<?x?xf16, #row>, %y: memref<?x?xf16, #row>) {
  frit.gelu_and_mul_sparse ins(%g, %u : memref<?x?xf16, #row>, memref<?x?xf16, #row>)
    outs(%y : memref<?x?xf16, #row>) std_multiplier = 1.0 approximate = erf correction = 1
    {frit.kernel = #frit.kernel<"native.simt">}
  return
}

// A short row is a warp's, which needs no memory for its sums; four rows make a
// block, and the last block may have fewer.

// CHECK-LABEL: func @short
// CHECK-NOT: workgroup
// CHECK: gpu.launch blocks(%[[BLOCK:[a-z0-9]*]], {{.*}} = %c26,
// CHECK-SAME: threads(%{{.*}}, %[[TEAM:[a-z0-9]*]], {{.*}} = %c32, {{.*}} = %c4, {{.*}} = %c1)
// CHECK: %[[FIRST:.*]] = arith.muli %[[BLOCK]], %c4
// CHECK: %[[ROW:.*]] = arith.addi %[[FIRST]], %[[TEAM]]
// CHECK: arith.cmpi ult, %[[ROW]], %c101
// CHECK: scf.if
// CHECK-NOT: scf.for
// CHECK-COUNT-10: gpu.shuffle xor
// CHECK-NOT: gpu.barrier
// CHECK: gpu.terminator
func.func @short(%x: memref<101x192xf32>, %y: memref<101x96xf32>) {
  frit.gelu_and_mul_sparse ins(%x : memref<101x192xf32>) outs(%y : memref<101x96xf32>)
    std_multiplier = 1.0 rounding = final {frit.kernel = #frit.kernel<"native.simt">}
  return
}

// Only a rest, and nothing.

// CHECK-LABEL: func @narrow
// CHECK-NOT: vector<
// CHECK: gpu.terminator
func.func @narrow(%x: memref<?x2xbf16>, %y: memref<?x1xbf16>) {
  frit.gelu_and_mul_sparse ins(%x : memref<?x2xbf16>) outs(%y : memref<?x1xbf16>)
    std_multiplier = 1.0 {frit.kernel = #frit.kernel<"native.simt">}
  return
}
