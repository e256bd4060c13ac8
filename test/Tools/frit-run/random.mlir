// The same seed gives the same inputs; another seed gives others.
// RUN: frit-run %s --seed=1 --input=random[-1,4) --output=@%t.npy | FileCheck %s
// CHECK: seed: 1
// RUN: frit-run %s --seed=1 --input=random[-1,4) --expect=@%t.npy
// RUN: %exit 4 frit-run %s --seed=2 --input=random[-1,4) --expect=@%t.npy
// RUN: frit-run %s --input=random[-1,0) --print | FileCheck %s --check-prefix=RANGE
// RANGE: [-1, -1, -1,

// Floats of a range are uniform in it, also those of --fill.
// RUN: frit-run %s --entry=floats --input=random[100,101) --print | FileCheck %s --check-prefix=FLOATS
// RUN: frit-run %s --entry=floats --fill=random[100,101) --print | FileCheck %s --check-prefix=FLOATS
// FLOATS: [100.{{[0-9]+}}, 100.{{[0-9]+}}, 100.{{[0-9]+}}, 100.{{[0-9]+}}]
func.func @floats(%x: tensor<4xf64>) -> tensor<4xf64> {
  return %x : tensor<4xf64>
}
func.func @main(%x: tensor<64xi32>) -> tensor<64xi32> {
  return %x : tensor<64xi32>
}
