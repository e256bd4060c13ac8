// RUN: %frit_opt %s --pass-pipeline='builtin.module(frit-expand-math)' | FileCheck %s

#fma = #frit.origin<"frit.act_and_mul", fma>

// Hardware conversions are right for all values, and exact functions are left.

// CHECK-LABEL: gpu.func @exact
// CHECK: arith.truncf
// CHECK: arith.extf
// CHECK: math.sqrt
// CHECK: arith.divf
gpu.module @m {
  gpu.func @exact(%x: f32, %v: vector<4xf32>) -> (f32, vector<4xf32>) {
    %0 = arith.truncf %v : vector<4xf32> to vector<4xbf16>
    %1 = arith.extf %0 : vector<4xbf16> to vector<4xf32>
    %2 = math.sqrt %x : f32
    %3 = arith.divf %2, %x : f32
    gpu.return %3, %1 : f32, vector<4xf32>
  }
}

// The body of a launch is device code, what is around it is not. Functions and
// divisions that may have errors are approximated there.

// CHECK-LABEL: func @launch
// CHECK-NOT: arith.truncf
// CHECK: gpu.launch
// CHECK: %[[E:.*]] = llvm.call_intrinsic "llvm.nvvm.ex2.approx.f32"
// CHECK: %[[SUM:.*]] = arith.addf %[[E]],
// CHECK: llvm.call_intrinsic "llvm.nvvm.div.full"({{.*}}, %[[SUM]])
// CHECK: arith.subf
// CHECK: math.copysign
// CHECK: llvm.call_intrinsic "llvm.nvvm.ex2.approx.f32"
// CHECK: llvm.call_intrinsic "llvm.nvvm.div.full"
// CHECK: llvm.call_intrinsic "llvm.nvvm.div.full"
// CHECK: vector.from_elements
// CHECK: arith.divf
// CHECK: arith.truncf
// CHECK: gpu.terminator
// CHECK: math.sqrt
func.func @launch(%x: f32, %v: vector<2xf32>, %y: memref<bf16>, %z: memref<2xf32>) -> (bf16, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = arith.truncf %x : f32 to bf16
  gpu.launch blocks(%a, %b, %c) in (%d = %c1, %e = %c1, %f = %c1) threads(%g, %h, %i) in (%j = %c1, %k = %c1, %l = %c1) {
    %1 = math.tanh %x : f32 loc(fused<#fma>["f"])
    %exp = math.exp %1 : f32 loc(fused<#fma>["f"])
    %v2 = vector.broadcast %exp : f32 to vector<2xf32>
    %w = arith.divf %v, %v2 : vector<2xf32> loc(fused<#fma>["f"])
    %exact = arith.divf %w, %v : vector<2xf32>
    vector.store %exact, %z[%c0] : memref<2xf32>, vector<2xf32>
    %2 = arith.truncf %1 : f32 to bf16
    memref.store %2, %y[] : memref<bf16>
    gpu.terminator
  }
  %3 = math.sqrt %x : f32
  return %0, %3 : bf16, f32
}
