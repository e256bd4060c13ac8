// RUN: %frit_opt %s --pass-pipeline='builtin.module(convert-frit-to-vector{vector-width=256 convert-unselected},canonicalize,cse)' | FileCheck %s --check-prefixes=CHECK,W256
// RUN: %frit_opt %s --pass-pipeline='builtin.module(convert-frit-to-vector{vector-width=512 convert-unselected},canonicalize,cse)' | FileCheck %s --check-prefixes=CHECK,W512
// RUN: %frit_opt %s --pass-pipeline='builtin.module(convert-frit-to-vector{convert-unselected})' --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s --check-prefix=ORIGIN

// One scratch between two parallel loops, and nothing else on the heap.
// CHECK-LABEL: func.func @bf16(
// CHECK-SAME:    %[[X:.*]]: memref<?x?xbf16, {{.*}}>, %[[IDS:.*]]: memref<?xi32>, %[[A:.*]]: memref<?x?x?xbf16>, %[[B:.*]]: memref<?x?x?xbf16>, %[[Y:.*]]: memref<?x?xbf16, {{.*}}>)
// CHECK-DAG:     %[[L:.*]] = memref.dim %[[A]], %c0
// CHECK-DAG:     %[[R:.*]] = memref.dim %[[A]], %c1
// CHECK:         %[[H:.*]] = memref.alloc(%{{.*}}, %[[R]]) : memref<1x?x?xf32>
// CHECK-NOT:     memref.alloc(

// Runs of one adapter; ids are compared before any weight is addressed.
// CHECK:         scf.parallel
// CHECK:           %[[SUMS:.*]] = memref.alloca() {{.*}} : memref<{{8|16}}x{{8|16}}xf32>
// CHECK:           scf.while
// CHECK:             %[[ID32:.*]] = memref.load %[[IDS]]
// CHECK:             %[[ID:.*]] = arith.index_cast %[[ID32]] : i32 to index
// CHECK:             %[[VALID:.*]] = arith.cmpi ult, %[[ID]], %[[L]]
// CHECK:             scf.if %[[VALID]]

// A single token: code for each number of ranks up to eight, without partial
// steps. Pairs of bf16 are widened without moving lanes.
// CHECK:               scf.index_switch
// CHECK-NEXT:          case 1 {
// W256:                  scf.for {{.*}} -> (vector<8xf32>
// W256:                    vector.load %[[X]]{{.*}} vector<16xbf16>
// W256:                    vector.bitcast {{.*}} : vector<16xbf16> to vector<8xi32>
// W512:                  scf.for {{.*}} -> (vector<16xf32>
// W512:                    vector.load %[[X]]{{.*}} vector<32xbf16>
// CHECK:                   arith.shli
// CHECK:                   arith.andi
// CHECK:                   vector.load %[[A]][%[[ID]],
// CHECK-COUNT-2:           math.fma
// CHECK-NOT:               math.fma
// CHECK:                 vector.store %{{.*}}, %[[SUMS]]
// CHECK:               case 7 {
// CHECK:               default {
// CHECK-COUNT-16:          math.fma
// CHECK-NOT:               math.fma

// One rank after the other, whatever their number: the end of a row, which goes
// through memory element by element, and the lanes.
// CHECK:               scf.for
// CHECK:                 vector.load %[[SUMS]]
// CHECK:                 arith.bitcast %{{.*}} : bf16 to i16
// CHECK:                 math.fma
// CHECK:                 vector.extract
// CHECK:                 memref.store %{{.*}}, %[[H]]

// Four tokens.
// CHECK:               scf.index_switch
// W256-NEXT:           case 1 {
// W256:                default {
// W256-COUNT-16:           math.fma
// W512:                case 3 {
// W512:                default {
// W512-COUNT-32:           math.fma
// CHECK-NOT:           math.fma
// CHECK:               memref.store %{{.*}}, %[[H]]

// The expanding half: a transposed block of B, then one register of B for each
// broadcast rank vector element.
// CHECK:         scf.parallel
// CHECK:           %[[PACKED:.*]] = memref.alloca() {{.*}} : memref<{{.*}}xf32>
// CHECK:             %[[VIEW:.*]] = memref.subview %[[B]]
// CHECK:             vector.load %[[VIEW]]
// CHECK:             vector.shuffle
// CHECK:             vector.store %{{.*}}, %[[PACKED]]
// CHECK:             memref.load %[[H]]
// CHECK:             vector.broadcast
// CHECK:             math.fma
// CHECK:             vector.load %[[Y]]
// CHECK:             arith.truncf
// CHECK:             vector.store %{{.*}}, %[[Y]]
// CHECK-NOT:     scf.parallel
// CHECK:         memref.dealloc %[[H]]

// Sums may be contracted, what follows them not.
// ORIGIN-LABEL: func.func @bf16(
// ORIGIN:         math.fma {{.*}} loc(fused<#frit.origin<"frit.lora_matmul", fma>>
// ORIGIN:         arith.truncf {{.*}} loc(fused<#frit.origin<"frit.lora_matmul", strict>>
func.func @bf16(%x: memref<?x?xbf16, strided<[?, 1], offset: ?>>, %ids: memref<?xi32>, %a: memref<?x?x?xbf16>,
                %b: memref<?x?x?xbf16>, %y: memref<?x?xbf16, strided<[?, 1], offset: ?>>) {
  frit.lora_matmul ins(%x, %ids : memref<?x?xbf16, strided<[?, 1], offset: ?>>, memref<?xi32>)
    weights(%a, %b : memref<?x?x?xbf16>, memref<?x?x?xbf16>)
    outs(%y : memref<?x?xbf16, strided<[?, 1], offset: ?>>)
  return
}
