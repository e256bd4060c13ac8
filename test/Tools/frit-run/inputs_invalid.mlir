// RUN: %exit 1 frit-run %s 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: error: argument 0 ('w') of '@main' (2x4xf32) has no source: pass --input or --weights or --fill

// RUN: %exit 1 frit-run %s --input=zeros --input=zeros --input=zeros 2>&1 | FileCheck %s --check-prefix=MANY
// MANY: error: --input=zeros: all 2 arguments of '@main' have a source already

// RUN: %exit 1 frit-run %s --input=w=zeros --input=arg0=ones 2>&1 | FileCheck %s --check-prefix=TWICE
// TWICE: error: argument 0 ('w') has two sources: --input=w=zeros and --input=arg0=ones

// RUN: %exit 1 frit-run %s --input=v=zeros 2>&1 | FileCheck %s --check-prefix=NAME
// NAME: error: --input=v=zeros: '@main' has no argument 'v'; it has arg0 (w), arg1

// RUN: %exit 1 frit-run %s --input=2x5xf32=zeros 2>&1 | FileCheck %s --check-prefix=SHAPE
// SHAPE: error: --input=2x5xf32=zeros is 2x5xf32, but argument 0 ('w') is 2x4xf32

// RUN: %exit 1 frit-run %s --input=2x4xf16=zeros 2>&1 | FileCheck %s --check-prefix=TYPE
// TYPE: error: --input=2x4xf16=zeros is 2x4xf16, but argument 0 ('w') is 2x4xf32

// RUN: %exit 1 frit-run %s --input=4xf33=zeros 2>&1 | FileCheck %s --check-prefix=WORD
// WORD: error: --input=4xf33=zeros: '4xf33' is neither a type such as 4x16xbf16 nor the name of an argument

// RUN: %exit 1 frit-run %s --input=arg1=2.5 --fill=zeros 2>&1 | FileCheck %s --check-prefix=NUMBER
// NUMBER: error: --input=arg1=2.5, argument 1: 2.5 is not a value of i32

// RUN: %exit 1 frit-run %s --input=w=1e39 --fill=zeros 2>&1 | FileCheck %s --check-prefix=LARGE
// LARGE: error: --input=w=1e39, argument 0 ('w'): 1e+39 exceeds the largest value of f32
// RUN: %exit 1 frit-run %s --entry=half --input=70000 2>&1 | FileCheck %s --check-prefix=HALF
// HALF: error: --input=70000, argument 0: 70000 exceeds the largest value of f16
// RUN: %exit 1 frit-run %s --entry=half --input=1e999 2>&1 | FileCheck %s --check-prefix=DOUBLE
// DOUBLE: error: --input=1e999: '1e999': exceeds the largest value of f64, 1.79769e+308
// RUN: frit-run %s --entry=half --input=-inf --print | FileCheck %s --check-prefix=INFINITE
// INFINITE: [-inf, -inf]

// RUN: %exit 1 frit-run %s --input=arg1=random[3,3) --fill=zeros 2>&1 | FileCheck %s --check-prefix=RANGE
// RANGE: error: --input=arg1=random[3,3), argument 1: {{.*}}3
// RUN: %exit 1 frit-run %s --entry=half --input=random[3,1) 2>&1 | FileCheck %s --check-prefix=FLOATS
// FLOATS: error: --input=random[3,1), argument 0: random range [3, 1): expected the low end below the high end
// RUN: %exit 1 frit-run %s --entry=half --fill=random[0,70000) 2>&1 | FileCheck %s --check-prefix=BEYOND
// BEYOND: error: --fill, argument 0: random range [0, 70000): leaves the type f16

// RUN: %exit 1 frit-run %s --input=@%t.absent.npy 2>&1 | FileCheck %s --check-prefix=ABSENT
// ABSENT: error: {{.*}}absent.npy: {{.*}}No such file

// RUN: %exit 1 frit-run %s --weights=%s 2>&1 | FileCheck %s --check-prefix=WEIGHTS
// WEIGHTS: error: {{.*}}inputs_invalid.mlir:

// RUN: %exit 1 frit-run %s --fill=@a.npy 2>&1 | FileCheck %s --check-prefix=FILL
// FILL: error: --fill=@a.npy: a file binds one argument, use --input
func.func @main(%w: tensor<2x4xf32> {frit.tensor = "w"}, %n: tensor<i32>) -> tensor<2x4xf32> {
  return %w : tensor<2x4xf32>
}
func.func @half(%x: tensor<2xf16>) -> tensor<2xf16> {
  return %x : tensor<2xf16>
}
