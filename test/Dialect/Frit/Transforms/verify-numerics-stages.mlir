// The origin of code survives every stage down to LLVM: after each, all float
// arithmetic of a graph of Frit ops has it, and the rules hold.

// RUN: %frit_opt %s --pass-pipeline='builtin.module( \
// RUN:     frit-decompose,frit-verify-numerics{require-origin}, \
// RUN:     canonicalize,cse,frit-verify-numerics{require-origin}, \
// RUN:     one-shot-bufferize{bufferize-function-boundaries},canonicalize,cse,frit-verify-numerics{require-origin}, \
// RUN:     func.func(scf-forall-to-parallel,convert-linalg-to-loops),frit-verify-numerics{require-origin}, \
// RUN:     expand-strided-metadata,lower-affine,convert-scf-to-cf,frit-verify-numerics{require-origin}, \
// RUN:     convert-math-to-llvm,convert-math-to-libm,convert-arith-to-llvm,convert-cf-to-llvm,frit-verify-numerics{require-origin}, \
// RUN:     finalize-memref-to-llvm,convert-func-to-llvm,reconcile-unrealized-casts,frit-verify-numerics{require-origin})' \
// RUN:   --remarks-filter=frit-verify-numerics -o /dev/null 2>&1 | FileCheck %s

// Canonicalization drops the compensation of sums that are one block; no later
// stage drops or adds an op, and the strict ones are the same from first to last.
// CHECK: 47 float ops come from Frit ops, 10 of them strict
// CHECK-COUNT-6: 31 float ops come from Frit ops, 10 of them strict

func.func @graph(%x: tensor<?x16xbf16>, %ids: tensor<?xi32>, %a: tensor<4x8x8xbf16>,
                 %b: tensor<4x8x8xbf16>, %scales: tensor<4xf32>, %y: tensor<?x8xbf16>,
                 %z: tensor<?x8xbf16>) -> (tensor<?x8xbf16>, tensor<?x8xbf16>) {
  %0 = frit.gelu_and_mul_sparse ins(%x : tensor<?x16xbf16>) outs(%y : tensor<?x8xbf16>)
      std_multiplier = 1.5 -> tensor<?x8xbf16>
  %1 = frit.lora_matmul ins(%0, %ids : tensor<?x8xbf16>, tensor<?xi32>)
      weights(%a, %b : tensor<4x8x8xbf16>, tensor<4x8x8xbf16>) scales(%scales : tensor<4xf32>)
      outs(%z : tensor<?x8xbf16>) scale = 0.5 rounding = stepwise -> tensor<?x8xbf16>
  return %0, %1 : tensor<?x8xbf16>, tensor<?x8xbf16>
}
