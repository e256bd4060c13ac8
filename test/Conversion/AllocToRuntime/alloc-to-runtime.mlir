// RUN: %frit_opt %s --pass-pipeline='builtin.module(convert-alloc-to-frit-runtime,canonicalize)' | FileCheck %s

// CHECK-DAG: llvm.func @fritScratchAlloc(!llvm.ptr, i64, i64) -> !llvm.ptr
// CHECK-DAG: llvm.func @fritScratchFree(!llvm.ptr, !llvm.ptr)

// CHECK-LABEL: func.func @static(
// CHECK-SAME:    %[[CONTEXT:.*]]: !llvm.ptr, %[[V:.*]]: bf16)
func.func @static(%context: !llvm.ptr, %v: bf16) -> i32 {
  // CHECK-DAG: %[[BYTES:.*]] = arith.constant 70 : i64
  // CHECK-DAG: %[[ALIGNMENT:.*]] = arith.constant 64 : i64
  // CHECK-DAG: %[[NULL:.*]] = llvm.mlir.zero : !llvm.ptr
  // CHECK: %[[P:.*]] = llvm.call @fritScratchAlloc(%[[CONTEXT]], %[[BYTES]], %[[ALIGNMENT]])
  // CHECK: %[[OK:.*]] = llvm.icmp "ne" %[[P]], %[[NULL]]
  // CHECK: cf.assert %[[OK]], "frit.propagate-error"
  // CHECK: %[[BUFFER:.*]] = builtin.unrealized_conversion_cast %{{.*}} to memref<?xi8>
  // CHECK: %[[VIEW:.*]] = memref.view %[[BUFFER]][%{{.*}}][] : memref<?xi8> to memref<5x7xbf16>
  %0 = memref.alloc() : memref<5x7xbf16>
  %c0 = arith.constant 0 : index
  memref.store %v, %0[%c0, %c0] : memref<5x7xbf16>
  // CHECK: %[[D:.*]] = builtin.unrealized_conversion_cast %[[VIEW]] : memref<5x7xbf16> to !llvm.struct
  // CHECK: %[[Q:.*]] = llvm.extractvalue %[[D]][0]
  // CHECK: llvm.call @fritScratchFree(%[[CONTEXT]], %[[Q]])
  memref.dealloc %0 : memref<5x7xbf16>
  %ok = arith.constant 0 : i32
  return %ok : i32
}

// A product of sizes that does not fit asks for all bits set, not for little.
// CHECK-LABEL: func.func @dynamic(
// CHECK-SAME:    %[[CONTEXT:.*]]: !llvm.ptr, %[[M:.*]]: index, %[[N:.*]]: index, %[[V:.*]]: f32)
func.func @dynamic(%context: !llvm.ptr, %m: index, %n: index, %v: f32) -> i32 {
  // CHECK-DAG: %[[KNOWN:.*]] = arith.constant 12 : i64
  // CHECK-DAG: %[[LARGEST:.*]] = arith.constant -1 : i64
  // CHECK-DAG: %[[ALIGNMENT:.*]] = arith.constant 256 : i64
  // CHECK: %[[M64:.*]] = arith.index_cast %[[M]] : index to i64
  // CHECK: %[[LOW1:.*]], %[[HIGH1:.*]] = arith.mului_extended %[[M64]], %[[KNOWN]]
  // CHECK: %[[OVER1:.*]] = arith.cmpi ne, %[[HIGH1]]
  // CHECK: %[[N64:.*]] = arith.index_cast %[[N]] : index to i64
  // CHECK: %[[LOW2:.*]], %[[HIGH2:.*]] = arith.mului_extended %[[LOW1]], %[[N64]]
  // CHECK: %[[OVER2:.*]] = arith.cmpi ne, %[[HIGH2]]
  // CHECK: %[[OVER:.*]] = arith.ori %[[OVER1]], %[[OVER2]]
  // CHECK: %[[BYTES:.*]] = arith.select %[[OVER]], %[[LARGEST]], %[[LOW2]]
  // CHECK: llvm.call @fritScratchAlloc(%[[CONTEXT]], %[[BYTES]], %[[ALIGNMENT]])
  // CHECK: memref.view %{{.*}}[%{{.*}}][%[[M]], %[[N]]] : memref<?xi8> to memref<?x3x?xf32>
  %0 = memref.alloc(%m, %n) {alignment = 256 : i64} : memref<?x3x?xf32>
  %c0 = arith.constant 0 : index
  memref.store %v, %0[%c0, %c0, %c0] : memref<?x3x?xf32>
  %ok = arith.constant 0 : i32
  return %ok : i32
}

// 2^62 * 8 bytes.
// CHECK-LABEL: func.func @static_overflow(
// CHECK:         llvm.call @fritScratchAlloc(%{{.*}}, %c-1_i64, %{{.*}})
func.func @static_overflow(%context: !llvm.ptr, %v: f64) -> i32 {
  %0 = memref.alloc() : memref<2147483648x2147483648xf64>
  %c0 = arith.constant 0 : index
  memref.store %v, %0[%c0, %c0] : memref<2147483648x2147483648xf64>
  %ok = arith.constant 0 : i32
  return %ok : i32
}

// CHECK-LABEL: func.func @rank_0(
// CHECK:         memref.view %{{.*}}[%{{.*}}][] : memref<?xi8> to memref<f32>
func.func @rank_0(%context: !llvm.ptr, %v: f32) -> i32 {
  %0 = memref.alloc() : memref<f32>
  memref.store %v, %0[] : memref<f32>
  %ok = arith.constant 0 : i32
  return %ok : i32
}

// Stack memory is left alone.
// CHECK-LABEL: func.func @alloca(
// CHECK:         memref.alloca() : memref<4xf32>
func.func @alloca(%context: !llvm.ptr, %y: memref<4xf32>) -> i32 {
  %0 = memref.alloca() : memref<4xf32>
  memref.copy %y, %0 : memref<4xf32> to memref<4xf32>
  memref.copy %0, %y : memref<4xf32> to memref<4xf32>
  %ok = arith.constant 0 : i32
  return %ok : i32
}
