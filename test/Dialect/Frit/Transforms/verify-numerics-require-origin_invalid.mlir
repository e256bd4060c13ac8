// RUN: %frit_opt %s --pass-pipeline='builtin.module(frit-verify-numerics{require-origin})' -verify-diagnostics

#strict = loc(fused<#frit.origin<"frit.act_and_mul", strict>>[unknown])

func.func @lost(%a: f32, %b: bf16) -> f32 {
  // A cast is not arithmetic.
  %0 = arith.extf %b : bf16 to f32
  %1 = arith.addf %a, %0 : f32 loc(#strict)
  // expected-error@+1 {{'arith.mulf' op computes with floats, but does not say which Frit op it comes from}}
  %2 = arith.mulf %1, %a : f32
  return %2 : f32
}
