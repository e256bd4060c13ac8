// UNSUPPORTED: plugin
// RUN: frit-test-opt %s --pass-pipeline='builtin.module(convert-frit-to-gpu,canonicalize,cse)' | FileCheck %s

!row = memref<?x256xbf16, strided<[?, 1], offset: ?>>
!half = memref<?x128xbf16, strided<[?, 1], offset: ?>>

// The image by name and hash; its bytes are nowhere in the text.
// CHECK: module attributes {gpu.container_module}
// CHECK-DAG: gpu.binary @frit_image_sparse_90a <#frit.image<"sparse_90a", "0000000000c0ffee">> [#gpu.object<#nvvm.target, "">]

// Packed: up begins d elements after gate and has its stride.
// CHECK-LABEL: func.func @packed(
// CHECK-SAME:  %[[X:.*]]: memref<?x256xbf16, {{.*}}>, %[[Y:.*]]: memref<?x128xbf16, {{.*}}>)
func.func @packed(%x: !row, %y: !half) {
  // CHECK-DAG: %[[BASE_X:.*]], %[[OFFSET_X:.*]], %{{.*}}:2, %[[STRIDES_X:.*]]:2 = memref.extract_strided_metadata %[[X]]
  // CHECK-DAG: %[[BASE_Y:.*]], %[[OFFSET_Y:.*]], %{{.*}}:2, %[[STRIDES_Y:.*]]:2 = memref.extract_strided_metadata %[[Y]]
  // CHECK-DAG: %[[T:.*]] = memref.dim %[[Y]], %c0
  // CHECK-DAG: %[[NONE:.*]] = arith.cmpi eq, %[[T]], %c0
  // CHECK-DAG: %[[GRID:.*]] = arith.select %[[NONE]], %c0, %{{.*}} : index
  // CHECK-DAG: %[[START_X:.*]] = memref.extract_aligned_pointer_as_index %[[X]]
  // CHECK-DAG: %[[UP:.*]] = arith.addi %[[OFFSET_X]], %c128
  // CHECK-DAG: %[[BYTES:.*]] = arith.muli %[[UP]], %c2
  // CHECK-DAG: %[[ADDRESS:.*]] = arith.addi %[[START_X]], %[[BYTES]]
  // CHECK-DAG: %[[NUMBER:.*]] = arith.index_cast %[[ADDRESS]] : index to i64
  // CHECK-DAG: %[[UP_PTR:.*]] = llvm.inttoptr %[[NUMBER]] : i64 to !llvm.ptr
  // CHECK-DAG: %[[STRIDE_X:.*]] = arith.index_cast %[[STRIDES_X]]#0
  // CHECK-DAG: %[[STRIDE_Y:.*]] = arith.index_cast %[[STRIDES_Y]]#0
  // CHECK-DAG: %[[SCALE:.*]] = arith.constant 1.500000e+00 : f32
  // CHECK-DAG: %[[SHARED:.*]] = arith.constant 256 : i32
  // CHECK-DAG: %[[WORK:.*]] = memref.alloc(%{{.*}}) : memref<?xi8>
  // CHECK:     gpu.launch_func @frit_image_sparse_90a::@test_sparse_bf16
  // CHECK-SAME:  blocks in (%[[GRID]], %c1, %c1) threads in (%c128, %c1, %c1) dynamic_shared_memory_size %[[SHARED]]
  // CHECK-SAME:  args(%{{.*}} : !llvm.ptr, %[[UP_PTR]] : !llvm.ptr, %{{.*}} : !llvm.ptr, %{{.*}} : i64, %{{.*}} : i64, %[[STRIDE_X]] : i64, %[[STRIDE_X]] : i64, %[[STRIDE_Y]] : i64, %[[SCALE]] : f32, %{{.*}} : !llvm.ptr)
  // CHECK-SAME:  frit.launch = #frit.launch<"test.specific", [read, read, write, none, none, none, none, none, none, readwrite]>
  // CHECK-NEXT: memref.dealloc %[[WORK]]
  frit.gelu_and_mul_sparse ins(%x : !row) outs(%y : !half) std_multiplier = 1.5
      {frit.kernel = #frit.kernel<"test.specific">}
  return
}
