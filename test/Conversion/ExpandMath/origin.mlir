// RUN: %frit_opt %s --pass-pipeline='builtin.module(frit-expand-math)' --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s

// What a function becomes has its origin, so that it is judged as part of it.

// CHECK: arith.divf {{.*}} loc(fused<#frit.origin<"frit.act_and_mul", fma>>["f":1:1])
func.func @f(%x: f32) -> f32 {
  %0 = math.tanh %x : f32 loc(fused<#frit.origin<"frit.act_and_mul", fma>>["f":1:1])
  return %0 : f32
}

// CHECK: arith.shrui {{.*}} loc(fused<#frit.origin<"frit.act_and_mul", strict>>["f":2:2])
func.func @g(%x: f32) -> bf16 {
  %0 = arith.truncf %x : f32 to bf16 loc(fused<#frit.origin<"frit.act_and_mul", strict>>["f":2:2])
  return %0 : bf16
}
