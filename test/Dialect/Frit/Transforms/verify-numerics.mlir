// RUN: %frit_opt %s --pass-pipeline='builtin.module(frit-verify-numerics)' --remarks-filter=frit-verify-numerics 2>&1 | FileCheck %s

#strict = loc(fused<#frit.origin<"frit.gelu_and_mul_sparse", strict>>[unknown])
#fma = loc(fused<#frit.origin<"frit.gelu_and_mul_sparse", fma>>[unknown])

// CHECK: 5 float ops come from Frit ops, 3 of them strict

// What moves, casts or compares narrow floats is fine, and so is nsz: signs of
// zeros are not compared.
func.func @strict(%a: bf16, %b: bf16, %v: vector<8xbf16>, %m: memref<?xbf16>, %i: index) -> (bf16, f32) {
  %zero = arith.constant 0.0 : bf16 loc(#strict)
  %negative = arith.cmpf olt, %a, %zero : bf16 loc(#strict)
  %0 = arith.select %negative, %zero, %a : bf16 loc(#strict)
  memref.store %0, %m[%i] : memref<?xbf16> loc(#strict)
  %1 = vector.extract %v[0] : bf16 from vector<8xbf16> loc(#strict)
  %2 = arith.extf %1 : bf16 to f32 loc(#strict)
  %3 = arith.addf %2, %2 fastmath<nsz> : f32 loc(#strict)
  %4 = math.sqrt %3 : f32 loc(#strict)
  %5 = arith.divf %4, %3 : f32 loc(#strict)
  %6 = arith.truncf %5 : f32 to bf16 loc(#strict)
  return %6, %5 : bf16, f32
}

// Sums and the inside of an activation may fuse, and have their own error bound.
func.func @fma(%a: f32, %v: vector<8xf32>) -> (f32, vector<8xf32>) {
  %0 = math.fma %a, %a, %a : f32 loc(#fma)
  %1 = vector.fma %v, %v, %v : vector<8xf32> loc(#fma)
  return %0, %1 : f32, vector<8xf32>
}

// Code that does not come from a Frit op is not judged.
func.func @other(%a: f16) -> f16 {
  %0 = arith.mulf %a, %a fastmath<fast> : f16
  %1 = math.fma %0, %a, %a : f16
  return %1 : f16
}
