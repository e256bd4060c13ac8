// RUN: %frit_opt %s --pass-pipeline='builtin.module(frit-bf16-memory-as-integer)' | FileCheck %s

// CHECK-LABEL: llvm.func @copy
// CHECK-NEXT: %[[V:.*]] = llvm.load %{{.*}} {alignment = 2 : i64} : !llvm.ptr -> vector<8xi16>
// CHECK-NEXT: llvm.store %[[V]], %{{.*}} {alignment = 2 : i64} : vector<8xi16>, !llvm.ptr
// CHECK-NEXT: llvm.return
llvm.func @copy(%from: !llvm.ptr, %to: !llvm.ptr) {
  %0 = llvm.load %from {alignment = 2 : i64} : !llvm.ptr -> vector<8xbf16>
  %1 = llvm.bitcast %0 : vector<8xbf16> to vector<8xi16>
  %2 = llvm.bitcast %1 : vector<8xi16> to vector<8xbf16>
  llvm.store %2, %to {alignment = 2 : i64} : vector<8xbf16>, !llvm.ptr
  llvm.return
}

// A loaded value with a use as bf16, or with uses as different integers, stays.

// CHECK-LABEL: llvm.func @other_uses
// CHECK: llvm.load %{{.*}} -> bf16
// CHECK: llvm.bitcast
// CHECK: llvm.load %{{.*}} -> vector<2xbf16>
llvm.func @other_uses(%from: !llvm.ptr) -> i32 {
  %0 = llvm.load %from : !llvm.ptr -> bf16
  %1 = llvm.bitcast %0 : bf16 to i16
  llvm.store %0, %from : bf16, !llvm.ptr
  llvm.store %1, %from : i16, !llvm.ptr
  %2 = llvm.load %from : !llvm.ptr -> vector<2xbf16>
  %3 = llvm.bitcast %2 : vector<2xbf16> to vector<2xi16>
  llvm.store %3, %from : vector<2xi16>, !llvm.ptr
  %4 = llvm.bitcast %2 : vector<2xbf16> to i32
  llvm.return %4 : i32
}

// CHECK-LABEL: llvm.func @not_bf16
// CHECK: llvm.load %{{.*}} -> f16
// CHECK: llvm.bitcast
llvm.func @not_bf16(%from: !llvm.ptr) -> i16 {
  %0 = llvm.load %from : !llvm.ptr -> f16
  %1 = llvm.bitcast %0 : f16 to i16
  llvm.return %1 : i16
}
