// Matmuls that a library runs: a descriptor of the module, and the operands on the stack.
// RUN: %frit_opt %s --pass-pipeline='builtin.module(convert-gpu-to-frit-runtime,canonicalize)' | FileCheck %s

// CHECK:     llvm.mlir.global private constant @frit_matmul() {{.*}} : !llvm.struct<(i64, ptr, i32, i32, i32, i32, i64)>
// CHECK-DAG:   llvm.mlir.constant(40 : i64)
// CHECK-DAG:   llvm.mlir.constant(33554432 : i64)
// CHECK-DAG:   llvm.mlir.constant(1040 : i32)
// CHECK-DAG:   llvm.mlir.constant(544 : i32)
// CHECK-DAG:   llvm.mlir.constant(2 : i32)
// CHECK:     }
// CHECK:     llvm.mlir.global private constant @{{.*}}("library.cublaslt\00")

// CHECK-LABEL: func.func @linear(
// CHECK-SAME:    %[[CONTEXT:.*]]: !llvm.ptr, %[[X:.*]]: memref<?x8xbf16, {{.*}}>, %[[W:.*]]: memref<16x8xbf16>, %[[Y:.*]]: memref<?x16xf32>, %[[BIAS:.*]]: memref<16xf32>)
// CHECK-DAG:     %[[BYTES:.*]] = llvm.mlir.constant(112 : i64)
// CHECK-DAG:     %[[OPERANDS:.*]] = llvm.alloca %[[BYTES]] x i8 {alignment = 8 : i64}
// CHECK-DAG:     %[[XD:.*]] = builtin.unrealized_conversion_cast %[[X]]
// CHECK-DAG:     %[[T:.*]] = llvm.extractvalue %[[XD]][3, 0]
// CHECK-DAG:     %[[STRIDE:.*]] = llvm.extractvalue %[[XD]][4, 0]
// CHECK-DAG:     %[[OFFSET:.*]] = llvm.extractvalue %[[XD]][2]
// CHECK-DAG:     llvm.store %[[T]], %{{.*}} : i64, !llvm.ptr
// CHECK-DAG:     llvm.store %[[STRIDE]], %{{.*}} : i64, !llvm.ptr
// CHECK-DAG:     %[[DESCRIPTOR:.*]] = llvm.mlir.addressof @frit_matmul
// CHECK:         %[[STATUS:.*]] = llvm.call @fritLibraryMatmul(%[[CONTEXT]], %[[DESCRIPTOR]], %[[OPERANDS]]) : (!llvm.ptr, !llvm.ptr, !llvm.ptr) -> i32
// CHECK:         %[[OK:.*]] = llvm.icmp "eq" %[[STATUS]]
// CHECK:         cf.assert %[[OK]]
func.func @linear(%context: !llvm.ptr, %x: memref<?x8xbf16, strided<[?, 1], offset: ?>>, %w: memref<16x8xbf16>, %y: memref<?x16xf32>, %bias: memref<16xf32>) {
  frit.matmul ins(%x, %w : memref<?x8xbf16, strided<[?, 1], offset: ?>>, memref<16x8xbf16>) bias(%bias : memref<16xf32>)
      outs(%y : memref<?x16xf32>) transpose_b {frit.kernel = #frit.kernel<"library.cublaslt">}
  return
}

// The same descriptor serves another matmul of the kind; another kind has its own.
// CHECK-LABEL: func.func @more(
// CHECK-DAG:     llvm.mlir.addressof @frit_matmul :
// CHECK-DAG:     llvm.mlir.addressof @frit_matmul_{{[0-9]+}} :
func.func @more(%context: !llvm.ptr, %x: memref<2x4x8xbf16>, %w: memref<16x8xbf16>, %z: memref<2x4x16xf32>) {
  frit.matmul ins(%x, %w : memref<2x4x8xbf16>, memref<16x8xbf16>) outs(%z : memref<2x4x16xf32>) transpose_b {frit.kernel = #frit.kernel<"library.cublaslt">}
  frit.matmul ins(%x, %w : memref<2x4x8xbf16>, memref<16x8xbf16>) outs(%z : memref<2x4x16xf32>) transpose_b accumulate {frit.kernel = #frit.kernel<"library.cublaslt">}
  return
}
