// UNSUPPORTED: plugin
// RUN: frit-test-opt %s --pass-pipeline='builtin.module(frit-to-cuda{policy=require=cuda})' | FileCheck %s --check-prefix=FUSED
// RUN: frit-test-opt %s --pass-pipeline='builtin.module(frit-to-cuda{policy=native ptx-only})' | FileCheck %s --check-prefix=NATIVE
// RUN: not frit-test-opt %s --pass-pipeline='builtin.module(frit-to-cuda{chip=sm_50})' 2>&1 | FileCheck %s --check-prefix=CHIP
// RUN: not frit-test-opt %s --pass-pipeline='builtin.module(frit-to-cuda{chip=sm_100 policy=require=cuda})' 2>&1 | FileCheck %s --check-prefix=REQUIRE

func.func @main(%x: tensor<?x256xf16>) -> tensor<?x128xf16> {
  %c0 = arith.constant 0 : index
  %t = tensor.dim %x, %c0 : tensor<?x256xf16>
  %y = tensor.empty(%t) : tensor<?x128xf16>
  %r = frit.gelu_and_mul_sparse ins(%x : tensor<?x256xf16>) outs(%y : tensor<?x128xf16>)
         std_multiplier = 1.5 -> tensor<?x128xf16>
  return %r : tensor<?x128xf16>
}

// The text has no code.
// FUSED:       gpu.binary @frit_image_sparse <#frit.image<"sparse", "0000000000facade">> [#gpu.object<#nvvm.target, "">]

// Host code: scratch memory of the kernel, one launch, each status checked.
// FUSED-LABEL: llvm.func internal @_frit_main.body(%arg0: !llvm.ptr
// FUSED:         %[[COUNT:.*]] = llvm.call @fritDeviceAttribute(%arg0, %{{.*}}) : (!llvm.ptr, i32) -> i64
// FUSED:         llvm.icmp "sgt" %[[COUNT]]
// FUSED:         llvm.cond_br %{{.*}}, ^[[BODY:.*]], ^[[FAIL:.*]]
// FUSED:       ^[[BODY]]:
// FUSED:         %[[WORK:.*]] = llvm.call @fritDeviceScratchAlloc(%arg0, %{{.*}}, %{{.*}})
// FUSED:         llvm.cond_br %{{.*}}, ^[[LAUNCH:.*]], ^[[FAIL]]
// FUSED:       ^[[LAUNCH]]:
// FUSED:         %[[STATUS:.*]] = llvm.call @fritLaunchKernel(%arg0, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}})
// FUSED:         llvm.icmp "eq" %[[STATUS]]
// FUSED:         llvm.cond_br %{{.*}}, ^[[END:.*]], ^[[FAIL]]
// FUSED:       ^[[END]]:
// FUSED:         llvm.call @fritDeviceScratchFree(%arg0, %{{.*}})
// FUSED:         llvm.return
// FUSED:       ^[[FAIL]]:
// FUSED:         %[[CODE:.*]] = llvm.call @fritPropagateError(%arg0)
// FUSED:         llvm.return %[[CODE]]
// FUSED-LABEL: llvm.func @_frit_main(
// FUSED:         llvm.call @fritBeginCall
// FUSED:         llvm.call @_frit_main.body(
// FUSED:         llvm.call @fritEndCall
// The host computes the sizes of results with memory of its own.
// FUSED-LABEL: llvm.func internal @_frit_main__shapes.body(
// FUSED-NOT:     fritDevice
// FUSED-NOT:     fritLaunch
// FUSED-LABEL: llvm.func @_frit_main__shapes(

// Nothing on the host reads or writes what is on the device.
// NATIVE-LABEL: llvm.func internal @_frit_main.body(%arg0: !llvm.ptr
// NATIVE-NOT:     llvm.load
// NATIVE:         llvm.call @fritLaunchKernel
// NATIVE-NOT:     llvm.load
// NATIVE:       llvm.func @_frit_main(
// NATIVE:       gpu.binary @frit_generated <#frit.image<"frit_generated", "{{[0-9a-f]+}}">> [#gpu.object<#nvvm.target<O = 3, chip = "sm_90a">, assembly = "

// CHIP: unknown target 'cuda:sm_50'

// REQUIRE: 'frit.gelu_and_mul_sparse' op has no admissible kernel (target cuda:sm_100, policy require=cuda)
// REQUIRE: candidate 'test.absent': built without CUDA
// REQUIRE: candidate 'test.generic': not built for sm_100 (built: 80, 90a)
// REQUIRE: candidate 'test.specific': runs on sm_90a, but the target is cuda:sm_100
