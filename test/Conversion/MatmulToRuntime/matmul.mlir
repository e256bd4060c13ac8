// Matmuls that a library of the CPU runs: a descriptor of the module, and the operands on the stack.
// RUN: %frit_opt %s --pass-pipeline='builtin.module(convert-matmul-to-frit-runtime,canonicalize)' | FileCheck %s

// No limit of scratch memory, f32 both, transpose_b and accumulate.
// CHECK:     llvm.mlir.global private constant @frit_matmul() {{.*}} : !llvm.struct<(i64, ptr, i32, i32, i32, i32, i64)>
// CHECK-DAG:   llvm.mlir.constant(40 : i64)
// CHECK-DAG:   llvm.mlir.constant(0 : i64)
// CHECK-DAG:   llvm.mlir.constant(544 : i32)
// CHECK-DAG:   llvm.mlir.constant(6 : i32)
// CHECK:     }
// CHECK:     llvm.mlir.global private constant @{{.*}}("library.onednn_many_tokens\00")

// CHECK-LABEL: func.func @linear(
// CHECK-SAME:    %[[CONTEXT:.*]]: !llvm.ptr, %[[X:.*]]: memref<?x8xf32, {{.*}}>, %[[W:.*]]: memref<16x8xf32>, %[[Y:.*]]: memref<?x16xf32>)
// CHECK-DAG:     %[[XD:.*]] = builtin.unrealized_conversion_cast %[[X]]
// CHECK-DAG:     %[[T:.*]] = llvm.extractvalue %[[XD]][3, 0]
// CHECK-DAG:     llvm.store %[[T]], %{{.*}} : i64, !llvm.ptr
// CHECK-DAG:     %[[DESCRIPTOR:.*]] = llvm.mlir.addressof @frit_matmul
// CHECK:         %[[STATUS:.*]] = llvm.call @fritHostMatmul(%[[CONTEXT]], %[[DESCRIPTOR]], %{{.*}}) : (!llvm.ptr, !llvm.ptr, !llvm.ptr) -> i32
// CHECK:         %[[OK:.*]] = llvm.icmp "eq" %[[STATUS]]
// CHECK:         cf.assert %[[OK]]
func.func @linear(%context: !llvm.ptr, %x: memref<?x8xf32, strided<[?, 1], offset: ?>>, %w: memref<16x8xf32>, %y: memref<?x16xf32>) {
  frit.matmul ins(%x, %w : memref<?x8xf32, strided<[?, 1], offset: ?>>, memref<16x8xf32>)
      outs(%y : memref<?x16xf32>) transpose_b accumulate {frit.kernel = #frit.kernel<"library.onednn_many_tokens">}
  return
}

// Copies and constants stay the host's.
// CHECK-LABEL: func.func @others(
// CHECK:         memref.get_global
// CHECK:         memref.copy
memref.global "private" constant @c : memref<4xf32> = dense<1.0>
func.func @others(%context: !llvm.ptr, %y: memref<4xf32>) {
  %c = memref.get_global @c : memref<4xf32>
  memref.copy %c, %y : memref<4xf32> to memref<4xf32>
  return
}
