// The same seed gives the same inputs; another seed gives others.
// RUN: frit-run %s --seed=1 --input=random[-1,4) --output=@%t.npy | FileCheck %s
// CHECK: seed: 1
// RUN: frit-run %s --seed=1 --input=random[-1,4) --expect=@%t.npy
// RUN: %exit 4 frit-run %s --seed=2 --input=random[-1,4) --expect=@%t.npy
// RUN: frit-run %s --input=random[-1,0) --print | FileCheck %s --check-prefix=RANGE
// RANGE: [-1, -1, -1,
func.func @main(%x: tensor<64xi32>) -> tensor<64xi32> {
  return %x : tensor<64xi32>
}
