// RUN: %frit_opt %s --pass-pipeline='builtin.module(frit-expand-math)' | FileCheck %s

#fma = #frit.origin<"frit.act_and_mul", fma>
#strict = #frit.origin<"frit.act_and_mul", strict>

// CHECK-LABEL: func @vector_functions
// CHECK-NOT: math.{{tanh|erf|exp}}
// CHECK: math.fma {{.*}} : vector<8xf32>
// CHECK: arith.divf
// CHECK: math.copysign
// CHECK-NOT: math.{{tanh|erf|exp}}
// CHECK: return
func.func @vector_functions(%x: vector<8xf32>) -> vector<8xf32> {
  %0 = math.tanh %x : vector<8xf32> loc(fused<#fma>["f":1:1])
  %1 = math.erf %0 : vector<8xf32> loc(fused<#fma>["f":1:1])
  %2 = math.exp %1 : vector<8xf32> loc(fused<#fma>["f":1:1])
  return %2 : vector<8xf32>
}

// CHECK-LABEL: func @scalar_functions
// CHECK-NOT: math.{{tanh|erf|exp}}
// CHECK: math.fma {{.*}} : f32
// CHECK-NOT: math.{{tanh|erf|exp}}
// CHECK: return
func.func @scalar_functions(%x: f32) -> f32 {
  %0 = math.tanh %x : f32 loc(fused<#fma>["f":1:1])
  %1 = math.erf %0 : f32 loc(fused<#fma>["f":1:1])
  %2 = math.exp %1 : f32 loc(fused<#fma>["f":1:1])
  return %2 : f32
}

// Code that is not Frit's, code that may not be contracted, and other types
// keep their functions.

// CHECK-LABEL: func @left_alone
// CHECK-NEXT: math.tanh
// CHECK-NEXT: math.exp
// CHECK-NEXT: math.erf
// CHECK-NEXT: math.tanh
// CHECK-NEXT: math.exp
// CHECK-NEXT: return
func.func @left_alone(%x: f32, %y: f64) -> (f32, f64) {
  %0 = math.tanh %x : f32
  %1 = math.exp %0 : f32
  %2 = math.erf %1 : f32
  %3 = math.tanh %2 : f32 loc(fused<#strict>["f":1:1])
  %4 = math.exp %y : f64 loc(fused<#fma>["f":1:1])
  return %3, %4 : f32, f64
}
