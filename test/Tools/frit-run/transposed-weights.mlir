// Weights of down that are stored by outputs: frit-run transposes them when it loads them, code for others takes them so only when asked.
//
// REQUIRES: cpu-runner
// RUN: frit-run %s --target=cpu --assume-finite-weights --fill=random --explain --expect=native --atol=1e-4 | FileCheck %s
// RUN: frit-run %s --target=cpu --assume-finite-weights --fill=random --dim tokens=40 --entry=any --expect=native --atol=1e-4 | FileCheck %s --check-prefix=ANY

// The numbers are those of the dense chain on the tensors as they are given.
// RUN: frit-run %s --target=cpu --fill=random --seed=3 --output=@%t.dense.npy
// RUN: frit-run %s --target=cpu --fill=random --seed=3 --assume-finite-weights --expect=@%t.dense.npy --atol=1e-4 | FileCheck %s --check-prefix=MATCH

// RUN: frit-run %s --target=cpu --entry=main --assume-finite-weights --dump=mlir --dump-output=%t.mlir 2>&1 | count 0
// RUN: frit-run %s --target=cpu --entry=main --assume-finite-weights --transpose-weights --dump=mlir --dump-output=%t.mlir 2>&1 | FileCheck %s --check-prefix=DUMP
// RUN: frit-compile %s --entry=main --assume-finite-weights --prefix=plain -o %t.o 2>&1 | FileCheck %s --check-prefix=PLAIN --allow-empty
// RUN: frit-compile %s --entry=main --assume-finite-weights --transpose-weights --prefix=code --emit=obj,header -o %t.code 2>&1 | FileCheck %s --check-prefix=COMPILE
// RUN: FileCheck %s --check-prefix=HEADER < %t.code.h

// CHECK: argument 3 ('down') (64x96xf32) is stored transposed: 24576 bytes, once
// CHECK: 'frit.sparse_ffn' formed: is one op for 2 tokens: by estimate 'native.vector' is faster than the ops one by one up to {{[0-9]+}} tokens (of 2 tokens: 'native.vector' {{[0-9.]+}} us, the ops one by one {{[0-9.]+}} us)
// CHECK: frit.sparse_ffn at {{.*}} native.vector {{ *}}picked
// CHECK: match

// ANY: argument 3 ('down') (64x96xf32) is stored transposed: 24576 bytes, once
// ANY: match
// MATCH: match

// PLAIN-NOT: is taken transposed
// DUMP: argument 3 ('down') (64x96xf32) is stored transposed: 24576 bytes, once
// COMPILE: frit-compile: argument 3 of '@main' is taken transposed: tensor<96x64xf32>
// HEADER: down: [96, 64] f32, read

func.func @main(%x: tensor<2x64xf32>, %gate: tensor<96x64xf32>, %up: tensor<96x64xf32>, %down: tensor<64x96xf32> {frit.tensor = "down"}) -> tensor<2x64xf32> {
  %e = tensor.empty() : tensor<2x96xf32>
  %y = tensor.empty() : tensor<2x64xf32>
  %g = frit.matmul ins(%x, %gate : tensor<2x64xf32>, tensor<96x64xf32>) outs(%e : tensor<2x96xf32>) transpose_b -> tensor<2x96xf32>
  %u = frit.matmul ins(%x, %up : tensor<2x64xf32>, tensor<96x64xf32>) outs(%e : tensor<2x96xf32>) transpose_b -> tensor<2x96xf32>
  %h = frit.gelu_and_mul_sparse ins(%g, %u : tensor<2x96xf32>, tensor<2x96xf32>) outs(%e : tensor<2x96xf32>) std_multiplier = 1.25 -> tensor<2x96xf32>
  %r = frit.matmul ins(%h, %down : tensor<2x96xf32>, tensor<64x96xf32>) outs(%y : tensor<2x64xf32>) transpose_b -> tensor<2x64xf32>
  return %r : tensor<2x64xf32>
}

func.func @any(%x: tensor<?x64xf32> {frit.dims = ["tokens", ""]}, %gate: tensor<96x64xf32>, %up: tensor<96x64xf32>, %down: tensor<64x96xf32> {frit.tensor = "down"}) -> tensor<?x64xf32> {
  %c0 = arith.constant 0 : index
  %t = tensor.dim %x, %c0 : tensor<?x64xf32>
  %e = tensor.empty(%t) : tensor<?x96xf32>
  %y = tensor.empty(%t) : tensor<?x64xf32>
  %g = frit.matmul ins(%x, %gate : tensor<?x64xf32>, tensor<96x64xf32>) outs(%e : tensor<?x96xf32>) transpose_b -> tensor<?x96xf32>
  %u = frit.matmul ins(%x, %up : tensor<?x64xf32>, tensor<96x64xf32>) outs(%e : tensor<?x96xf32>) transpose_b -> tensor<?x96xf32>
  %h = frit.gelu_and_mul_sparse ins(%g, %u : tensor<?x96xf32>, tensor<?x96xf32>) outs(%e : tensor<?x96xf32>) std_multiplier = 1.25 -> tensor<?x96xf32>
  %r = frit.matmul ins(%h, %down : tensor<?x96xf32>, tensor<64x96xf32>) outs(%y : tensor<?x64xf32>) transpose_b -> tensor<?x64xf32>
  return %r : tensor<?x64xf32>
}
