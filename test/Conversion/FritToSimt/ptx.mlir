// RUN: %frit_opt %s --pass-pipeline='builtin.module(convert-frit-to-simt,frit-expand-math,canonicalize,cse,frit-verify-numerics,gpu-launch-sink-index-computations,gpu-kernel-outlining,gpu.module(convert-scf-to-cf,expand-strided-metadata,lower-affine,canonicalize,cse,convert-gpu-module-to-nvvm,reconcile-unrealized-casts,frit-verify-numerics),frit-gpu-module-to-binary{chip=sm_90a ptx-only=true})' \
// RUN:   | sed 's/\\0A/\n/g; s/\\09/ /g' > %t.ptx
// RUN: FileCheck %s --input-file=%t.ptx

// Nothing flushes subnormals or comes from libdevice, and only the exponential
// is approximate; a product and a sum that round apart are not left to ptxas to
// contract.
// RUN: FileCheck %s --input-file=%t.ptx --check-prefix=NEVER --allow-empty
// NEVER-NOT: {{(sqrt|rcp|div|tanh)\.approx|\.ftz|__nv_|\.extern|mad\.f32|mul\.f32|add\.f32|sub\.f32}}

// Without pieces and with the roundings of `final`, every step is one
// instruction.

// CHECK-LABEL: .entry final_kernel(
// CHECK: sqrt.rn.f32 [[S:%r[0-9]+]],
// CHECK: mul.rn.f32 [[P:%r[0-9]+]], [[S]], 0f3FD28A90;
// CHECK: add.rn.f32 [[C:%r[0-9]+]], {{.*}}[[P]]
// CHECK: sub.rn.f32 {{%r[0-9]+}}, {{%r[0-9]+}}, [[C]];
func.func @final(%x: memref<?x2xf32>, %y: memref<?x1xf32>) {
  frit.gelu_and_mul_sparse ins(%x : memref<?x2xf32>) outs(%y : memref<?x1xf32>)
    std_multiplier = 1.64485359 rounding = final {frit.kernel = #frit.kernel<"native.simt">}
  return
}

// Pieces are 16 bytes (4096 divides by a product exactly), and bf16 is rounded by instructions that keep subnormals.

// CHECK-LABEL: .entry bf16_kernel(
// CHECK: ld.global.v4.b32
// CHECK: shfl.sync.bfly.b32
// CHECK: st.shared.b32
// CHECK: bar.sync
// CHECK: mul.rn.f32 [[M:%r[0-9]+]], {{.*}}, 0f39800000;
// CHECK: sqrt.rn.f32 [[S:%r[0-9]+]],
// CHECK-DAG: cvt.rn.bf16.f32 {{%rs[0-9]+}}, [[M]];
// CHECK-DAG: cvt.rn.bf16.f32 {{%rs[0-9]+}}, [[S]];
// CHECK: cvt.rn.bf16x2.f32
// CHECK: st.global.v4.b32
func.func @bf16(%x: memref<?x8192xbf16>, %y: memref<?x4096xbf16>) {
  frit.gelu_and_mul_sparse ins(%x : memref<?x8192xbf16>) outs(%y : memref<?x4096xbf16>)
    std_multiplier = 1.64485359 {frit.kernel = #frit.kernel<"native.simt">}
  return
}

// CHECK-LABEL: .entry f16_kernel(
// CHECK: ld.global.v4.b32
// CHECK: cvt.f32.f16
// CHECK: cvt.rn.f16x2.f32
// CHECK: st.global.v4.b32
func.func @f16(%x: memref<?x8192xf16>, %y: memref<?x4096xf16>) {
  frit.act_and_mul silu ins(%x : memref<?x8192xf16>) outs(%y : memref<?x4096xf16>)
    {frit.kernel = #frit.kernel<"native.simt">}
  return
}
