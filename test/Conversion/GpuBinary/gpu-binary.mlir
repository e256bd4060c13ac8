// RUN: %frit_opt %s --pass-pipeline='builtin.module(frit-gpu-module-to-binary{chip=sm_80 ptx-only})' | FileCheck %s

// CHECK-NOT: gpu.module
// CHECK: gpu.binary @kernels <#frit.image<"kernels", "{{[0-9a-f]+}}">>
// CHECK-SAME: [#gpu.object<#nvvm.target<O = 3, chip = "sm_80">, assembly = "
// CHECK-SAME: .target sm_80
// CHECK-SAME: .visible .entry exact(

// Products and sums stay apart; roots and quotients are rounded correctly.
// CHECK-SAME: mul.rn.f32
// CHECK-SAME: add.rn.f32
// CHECK-NOT:  fma
// CHECK-SAME: sqrt.rn.f32
// CHECK-SAME: div.rn.f32

// What the driver takes ends with a zero.
// CHECK-SAME: \00">]
gpu.module @kernels {
  llvm.func @exact(%x: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %a = llvm.load %x : !llvm.ptr -> f32
    %b = llvm.fmul %a, %a : f32
    %c = llvm.fadd %b, %a : f32
    %d = llvm.intr.sqrt(%c) : (f32) -> f32
    %e = llvm.fdiv %d, %a : f32
    llvm.store %e, %x : f32, !llvm.ptr
    llvm.return
  }
}
