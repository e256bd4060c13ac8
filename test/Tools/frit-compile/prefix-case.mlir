// Prefixes that differ in case alone are two: their headers go into one source.

// RUN: rm -rf %t && mkdir %t
// RUN: frit-compile %s -o %t/lower --emit=obj,header --prefix=model
// RUN: frit-compile %s -o %t/upper --emit=obj,header --prefix=Model
// RUN: %cc -I%t %S/Inputs/prefix-case.c %t/lower.o %t/upper.o %link -o %t/both
// RUN: %t/both

func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
