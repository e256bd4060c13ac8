// Two modules with the same functions, constants and names, in one program, in
// C and in C++; and a shared library.

// RUN: rm -rf %t && mkdir %t
// RUN: sed -e s/FACTOR/2.0/ %s | frit-compile - -o %t/two --emit=obj,header
// RUN: sed -e s/FACTOR/3.0/ %s | frit-compile - -o %t/three --emit=obj,header,so
// RUN: %cc -I%t %S/Inputs/two-modules.c %t/two.o %t/three.o %link -o %t/c
// RUN: %t/c | FileCheck %s
// RUN: %cxx -I%t %S/Inputs/two-modules.c -x none %t/two.o %t/three.o %link -o %t/cxx
// RUN: %t/cxx | FileCheck %s
// RUN: %cc -I%t %S/Inputs/two-modules.c %t/two.o %t/three.so %link -o %t/so -Wl,-rpath,%t
// RUN: %t/so | FileCheck %s

// CHECK: two: 2 4 6 8
// CHECK-NEXT: three: 3 6 9 12
// CHECK-NEXT: scalars: 1.5 1 -7 65536.25

func.func @scale(%x: tensor<?xf32> {frit.tensor = "x", frit.dims = ["n"]}) -> tensor<?xf32> {
  %factor = arith.constant FACTOR : f32
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %splat = tensor.splat %factor[%n] : tensor<?xf32>
  %y = arith.mulf %x, %splat : tensor<?xf32>
  return %y : tensor<?xf32>
}

func.func @scalars(%h: bf16, %flag: i1, %i: i16, %d: f64) -> (bf16, i1, i16, f64) {
  return %h, %flag, %i, %d : bf16, i1, i16, f64
}
