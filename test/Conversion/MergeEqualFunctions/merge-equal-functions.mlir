// RUN: %frit_opt %s --pass-pipeline='builtin.module(frit-merge-equal-functions)' | FileCheck %s

#strict = loc(fused<#frit.origin<"frit.act_and_mul", strict>>["a"])

// CHECK-LABEL: func.func @user
// CHECK-NEXT: constant @first :
// CHECK-NEXT: constant @first :
// CHECK-NEXT: constant @other :
// CHECK-NEXT: constant @strict :
// CHECK-NEXT: call @first(
func.func @user(%x: f32) -> f32 {
  %a = constant @first : (f32) -> f32
  %b = constant @second : (f32) -> f32
  %c = constant @other : (f32) -> f32
  %d = constant @strict : (f32) -> f32
  %e = call @second(%x) : (f32) -> f32
  return %e : f32
}

// CHECK: func.func private @first(
func.func private @first(%x: f32) -> f32 {
  %y = arith.addf %x, %x : f32
  %z = arith.mulf %x, %y : f32
  return %z : f32
}
// CHECK-NOT: @second
func.func private @second(%x: f32) -> f32 {
  %y = arith.addf %x, %x : f32
  %z = arith.mulf %x, %y : f32
  return %z : f32
}

// Other operands, another origin.

// CHECK: func.func private @other(
func.func private @other(%x: f32) -> f32 {
  %y = arith.addf %x, %x : f32
  %z = arith.mulf %y, %y : f32
  return %z : f32
}
// CHECK: func.func private @strict(
func.func private @strict(%x: f32) -> f32 {
  %y = arith.addf %x, %x : f32 loc(#strict)
  %z = arith.mulf %x, %y : f32 loc(#strict)
  return %z : f32
}

// A public function is an interface.

// CHECK: func.func @public(
func.func @public(%x: f32) -> f32 {
  %y = arith.addf %x, %x : f32
  %z = arith.mulf %x, %y : f32
  return %z : f32
}
