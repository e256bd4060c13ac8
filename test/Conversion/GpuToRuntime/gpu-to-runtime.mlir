// RUN: %frit_opt %s --pass-pipeline='builtin.module(convert-gpu-to-frit-runtime,canonicalize)' | FileCheck %s

// The bytes of the image come with translation; the descriptor points to them.
// CHECK:     llvm.mlir.global private constant @frit_kernel_scale() {{.*}} : !llvm.struct<(i64, ptr, ptr, ptr, i64, i64)>
// CHECK-DAG:   llvm.mlir.constant(48 : i64)
// CHECK-DAG:   llvm.mlir.constant(4 : i64)
// CHECK-DAG:   llvm.mlir.constant(329780482934683790 : i64)
// CHECK-DAG:   llvm.mlir.addressof @frit_image_bytes.kernels
// CHECK-DAG:   llvm.mlir.addressof @{{frit_string.*}}
// CHECK:     }
// CHECK-DAG: llvm.mlir.global external constant @frit_image_bytes.kernels() {{.*}} : !llvm.array<4 x i8>
// CHECK-DAG: llvm.mlir.global private constant @{{.*}}("scale\00")
// CHECK-DAG: llvm.mlir.global private constant @{{.*}}("test.scale\00")

module attributes {gpu.container_module} {
gpu.binary @kernels <#frit.image<"kernels", "04939d9a1b2db88e">> [#gpu.object<#nvvm.target, bin = "code">]

// CHECK-LABEL: func.func @launch(
// CHECK-SAME:  %[[CONTEXT:.*]]: !llvm.ptr, %[[X:.*]]: memref<?xf32>, %[[N:.*]]: index, %[[S:.*]]: f32)
func.func @launch(%context: !llvm.ptr, %x: memref<?xf32>, %n: index, %s: f32) -> i32 {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  %shared = arith.constant 128 : i32
  %ok = arith.constant 0 : i32
  // CHECK-DAG: %[[BYTES:.*]] = llvm.mlir.constant(184 : i64)
  // CHECK-DAG: %[[CONFIG:.*]] = llvm.alloca %[[BYTES]] x i8 {alignment = 8 : i64}
  // CHECK-DAG: %[[DESCRIPTOR:.*]] = builtin.unrealized_conversion_cast %[[X]]
  // CHECK-DAG: %[[GRID:.*]] = arith.index_cast %[[N]] : index to i64
  // CHECK-DAG: %[[START:.*]] = llvm.extractvalue %[[DESCRIPTOR]][1]
  // CHECK-DAG: %[[GRID_X:.*]] = llvm.getelementptr %[[CONFIG]][0, 0, 0]
  // CHECK-DAG: llvm.store %[[GRID]], %[[GRID_X]] : i64, !llvm.ptr
  // CHECK-DAG: %[[BLOCK_X:.*]] = llvm.getelementptr %[[CONFIG]][0, 0, 3]
  // CHECK-DAG: llvm.store %c64_i64, %[[BLOCK_X]]
  // CHECK-DAG: %[[CLUSTER_X:.*]] = llvm.getelementptr %[[CONFIG]][0, 0, 6]
  // CHECK-DAG: llvm.store %c2_i64, %[[CLUSTER_X]]
  // CHECK-DAG: %[[SHARED:.*]] = llvm.getelementptr %[[CONFIG]][0, 0, 9]
  // CHECK-DAG: llvm.store %c128_i64, %[[SHARED]]
  // CHECK-DAG: %[[FLAGS:.*]] = llvm.getelementptr %[[CONFIG]][0, 0, 10]
  // CHECK-DAG: llvm.store %c1_i64, %[[FLAGS]]
  // CHECK-DAG: %[[VALUE_0:.*]] = llvm.getelementptr %[[CONFIG]][0, 2, 0]
  // CHECK-DAG: llvm.store %[[S]], %[[VALUE_0]] : f32, !llvm.ptr
  // CHECK-DAG: %[[POINTER_0:.*]] = llvm.getelementptr %[[CONFIG]][0, 1, 0]
  // CHECK-DAG: llvm.store %[[VALUE_0]], %[[POINTER_0]] : !llvm.ptr, !llvm.ptr
  // CHECK-DAG: %[[VALUE_2:.*]] = llvm.getelementptr %[[CONFIG]][0, 2, 2]
  // CHECK-DAG: llvm.store %[[START]], %[[VALUE_2]]
  // CHECK-DAG: %[[KERNEL_ADDRESS:.*]] = llvm.mlir.addressof @frit_kernel_scale :
  // CHECK-DAG: %[[COUNT:.*]] = llvm.mlir.constant(6 : i32)
  // CHECK: %[[STATUS:.*]] = llvm.call @fritLaunchKernel(%[[CONTEXT]], %[[KERNEL_ADDRESS]], %[[CONFIG]], %{{.*}}, %[[COUNT]])
  // CHECK: %[[OK:.*]] = llvm.icmp "eq" %[[STATUS]], %{{.*}} : i32
  // CHECK: cf.assert %[[OK]], "frit.propagate-error"
  gpu.launch_func @kernels::@scale clusters in (%c2, %c1, %c1) blocks in (%n, %c1, %c1) threads in (%c64, %c1, %c1)
      dynamic_shared_memory_size %shared args(%s : f32, %x : memref<?xf32>)
      {frit.launch = #frit.launch<"test.scale", [none, readwrite], programmatic = true>}
  // Launches share the stack memory.
  // CHECK-NOT: llvm.alloca
  // CHECK: llvm.call @fritLaunchKernel(%[[CONTEXT]], %{{.*}}, %[[CONFIG]],
  gpu.launch_func @kernels::@scale blocks in (%n, %c1, %c1) threads in (%c64, %c1, %c1) args(%s : f32)
  return %ok : i32
}

// CHECK-LABEL: func.func @copy(
// CHECK-SAME:  %[[CONTEXT:.*]]: !llvm.ptr, %[[X:.*]]: memref<?x4xbf16>, %[[Y:.*]]: memref<?x4xbf16>)
func.func @copy(%context: !llvm.ptr, %x: memref<?x4xbf16>, %y: memref<?x4xbf16>) -> i32 {
  %ok = arith.constant 0 : i32
  // CHECK-DAG: %[[TARGET:.*]] = builtin.unrealized_conversion_cast %[[Y]]
  // CHECK-DAG: %[[SOURCE:.*]] = builtin.unrealized_conversion_cast %[[X]]
  // CHECK-DAG: %[[TO:.*]] = llvm.extractvalue %[[TARGET]][1]
  // CHECK-DAG: %[[FROM:.*]] = llvm.extractvalue %[[SOURCE]][1]
  // CHECK: llvm.call @fritDeviceCopy(%[[CONTEXT]], %[[TO]], %[[FROM]], %{{.*}})
  // CHECK: cf.assert %{{.*}}, "frit.propagate-error"
  memref.copy %x, %y : memref<?x4xbf16> to memref<?x4xbf16>
  return %ok : i32
}

// CHECK-NOT: memref.global
memref.global "private" constant @weights : memref<2x2xf32> = dense<[[1.0, 2.0], [3.0, 4.0]]>

// CHECK-LABEL: func.func @constant(
// CHECK-SAME:  %[[CONTEXT:.*]]: !llvm.ptr, %[[Y:.*]]: memref<2x2xf32>)
func.func @constant(%context: !llvm.ptr, %y: memref<2x2xf32>) -> i32 {
  %ok = arith.constant 0 : i32
  // CHECK: %[[WHAT:.*]] = llvm.mlir.addressof @frit_descriptor_weights
  // CHECK: %[[DATA:.*]] = llvm.call @fritDeviceConstant(%[[CONTEXT]], %[[WHAT]])
  // CHECK: %[[HAS:.*]] = llvm.icmp "ne" %[[DATA]], %{{.*}} : !llvm.ptr
  // CHECK: cf.assert %[[HAS]], "frit.propagate-error"
  // CHECK: llvm.call @fritDeviceCopy
  %w = memref.get_global @weights : memref<2x2xf32>
  memref.copy %w, %y : memref<2x2xf32> to memref<2x2xf32>
  return %ok : i32
}

// CHECK-LABEL: func.func @host(
func.func @host(%context: !llvm.ptr, %x: memref<4xf32>, %y: memref<4xf32>) -> i32 attributes {frit.host} {
  %ok = arith.constant 0 : i32
  // CHECK-NEXT: arith.constant
  // CHECK-NEXT: memref.copy
  memref.copy %x, %y : memref<4xf32> to memref<4xf32>
  return %ok : i32
}
}
