// RUN: %frit_opt %s --pass-pipeline='builtin.module(frit-outline-guards)' --split-input-file | FileCheck %s
// RUN: %frit_opt %s --pass-pipeline='builtin.module(frit-outline-guards,frit-merge-equal-functions)' --split-input-file | FileCheck %s --check-prefix=MERGED

// The guards of an op, with a constant that they use, are a function of its own,
// whose status is the caller's.

// CHECK-LABEL: func.func @layers(
// CHECK-SAME: %[[CONTEXT:[a-z0-9]+]]: !llvm.ptr, %[[X:[a-z0-9]+]]: memref<?x128xf32>, %[[Y:[a-z0-9]+]]: memref<?x64xf32>, %[[Z:[a-z0-9]+]]: memref<?x64xf32>,
// CHECK-SAME: %[[FEW:[a-z0-9]+]]: i1
// CHECK: %[[STATUS:.*]] = call @[[FIRST:[a-z0-9_]+]](%[[CONTEXT]], %[[FEW]], %[[X]], %[[Y]]) : (!llvm.ptr, i1, memref<?x128xf32>, memref<?x64xf32>) -> i32
// CHECK: %[[ZERO:.*]] = arith.constant 0 : i32
// CHECK: %[[DONE:.*]] = arith.cmpi eq, %[[STATUS]], %[[ZERO]] : i32
// CHECK: cf.assert %[[DONE]], "frit.propagate-error"
// CHECK: call @[[SECOND:[a-z0-9_]+]](%[[CONTEXT]], %[[FEW]], %[[X]], %[[Z]])
// CHECK-NOT: scf.if
// CHECK: scf.if
// CHECK-NEXT: memref.dealloc
// CHECK: func.func private @[[SECOND]](
// CHECK: func.func private @[[FIRST]](%[[C:[a-z0-9]+]]: !llvm.ptr, %[[GUARD:[a-z0-9]+]]: i1, %[[IN:[a-z0-9]+]]: memref<?x128xf32>, %[[OUT:[a-z0-9]+]]: memref<?x64xf32>) -> i32
// CHECK-SAME: llvm.linkage = #llvm.linkage<internal>
// CHECK: arith.constant 5 : index
// CHECK: scf.if %[[GUARD]]
// CHECK: frit.gelu_and_mul_sparse ins(%[[IN]] : memref<?x128xf32>) outs(%[[OUT]] : memref<?x64xf32>)
// CHECK-SAME: "native.simt"
// CHECK: } else {
// CHECK: scf.if
// CHECK: return %{{.*}} : i32

// MERGED-LABEL: func.func @layers(
// MERGED: call @[[ONE:[a-z0-9_]+]](
// MERGED: call @[[ONE]](
// MERGED: func.func private @[[ONE]](
// MERGED-NOT: func.func private
func.func @layers(%context: !llvm.ptr, %x: memref<?x128xf32>, %y: memref<?x64xf32>, %z: memref<?x64xf32>,
                  %few: i1, %owned: i1) -> i32 {
  %c0 = arith.constant 0 : index
  %c5 = arith.constant 5 : index
  scf.if %few {
    frit.gelu_and_mul_sparse ins(%x : memref<?x128xf32>) outs(%y : memref<?x64xf32>) std_multiplier = 1.0
        {frit.kernel = #frit.kernel<"native.simt">}
  } else {
    %t = memref.dim %x, %c0 : memref<?x128xf32>
    %some = arith.cmpi ult, %t, %c5 : index
    scf.if %some {
      frit.gelu_and_mul_sparse ins(%x : memref<?x128xf32>) outs(%y : memref<?x64xf32>) std_multiplier = 1.0
          {frit.kernel = #frit.kernel<"native.linalg">}
    }
  }
  scf.if %few {
    frit.gelu_and_mul_sparse ins(%x : memref<?x128xf32>) outs(%z : memref<?x64xf32>) std_multiplier = 1.0
        {frit.kernel = #frit.kernel<"native.simt">}
  } else {
    %t = memref.dim %x, %c0 : memref<?x128xf32>
    %some = arith.cmpi ult, %t, %c5 : index
    scf.if %some {
      frit.gelu_and_mul_sparse ins(%x : memref<?x128xf32>) outs(%z : memref<?x64xf32>) std_multiplier = 1.0
          {frit.kernel = #frit.kernel<"native.linalg">}
    }
  }
  // Of no kernel.
  scf.if %owned {
    memref.dealloc %x : memref<?x128xf32>
  }
  %status = arith.constant 0 : i32
  return %status : i32
}

// -----

// Ops that are not guarded stay, and what runs on the host does.

// CHECK-LABEL: func.func @plain(
// CHECK-NOT: call
// CHECK: frit.gelu_and_mul_sparse
func.func @plain(%context: !llvm.ptr, %x: memref<4x128xf32>, %y: memref<4x64xf32>) -> i32 {
  frit.gelu_and_mul_sparse ins(%x : memref<4x128xf32>) outs(%y : memref<4x64xf32>) std_multiplier = 1.0
      {frit.kernel = #frit.kernel<"native.simt">}
  %status = arith.constant 0 : i32
  return %status : i32
}
