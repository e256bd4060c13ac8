// RUN: rm -rf %t && mkdir %t

// Written, read, compared.
// RUN: frit-run %s --seed 7 --input=arg0=random --input=arg1=ones --output=@%t/y.npy --output=@%t/z.safetensors#z | FileCheck %s
// CHECK: seed: 7
// RUN: frit-run %s --input=@%t/y.npy --input=ones --expect=@%t/y.npy | FileCheck %s --check-prefix=MATCH
// MATCH: result 0 and {{.*}}y.npy: 2x4xf32: match

// Results in one file.
// RUN: frit-run %s --input=zeros --input=ones --output=@%t/both.safetensors#out.0 --output=@%t/both.safetensors#out.1
// RUN: frit-run %s --input=zeros --input=ones --expect=@%t/both.safetensors | FileCheck %s --check-prefix=BOTH
// BOTH: result 0 and {{.*}}both.safetensors#out.0: 2x4xf32: match
// BOTH: result 1 and {{.*}}both.safetensors#out.1: 2x4xf32: match

// However the file is spelled.
// RUN: mkdir %t/folder
// RUN: frit-run %s --input=zeros --input=ones --output=@%t/two.safetensors#out.0 --output=@%t/folder/../two.safetensors#out.1
// RUN: frit-run %s --input=zeros --input=ones --expect=@%t/two.safetensors | FileCheck %s --check-prefix=SPELLED
// SPELLED: out.1: 2x4xf32: match

// By name, by position in a file without names, and all results at once.
// RUN: frit-run %s --seed 7 --weights=%t/z.safetensors --fill=random --expect=@%t/y.npy | FileCheck %s --check-prefix=MATCH
// RUN: frit-run %s --entry=unnamed --weights=%t/z.safetensors --print | FileCheck %s --check-prefix=POSITION
// POSITION: result 0: 2x4xf32
// POSITION-NEXT: [1, 1, 1, 1]

// A mismatch is exit code 4 and shows what differs; the output is written all the same.
// RUN: %exit 4 frit-run %s --fill=zeros --expect=@%t/y.npy --output=@%t/w.npy | FileCheck %s --check-prefix=DIFFERS
// DIFFERS: result 0 and {{.*}}y.npy: 2x4xf32: MISMATCH
// RUN: %exit 4 frit-run %s --fill=zeros --expect=@%t/z.safetensors#z --atol=0.5 | FileCheck %s --check-prefix=TOLERANCE
// TOLERANCE: atol 0.5
// RUN: frit-run %s --fill=zeros --expect=@%t/z.safetensors#z --atol=1
// RUN: %exit 4 frit-run %s --fill=zeros --expect=@%t/z.safetensors#z --atol=1 --exact-zero-mask
// RUN: %exit 4 frit-run %s --entry=other --fill=zeros --expect=@%t/y.npy | FileCheck %s --check-prefix=SHAPES
// SHAPES: result 0 and {{.*}}y.npy: {{.*}}3xf32{{.*}}2x4xf32

// Where one file cannot be written, none is replaced.
// RUN: cp %t/y.npy %t/kept.npy
// RUN: %exit 3 frit-run %s --fill=zeros --output=@%t/kept.npy --output=@%t/absent/y.npy 2>&1 | FileCheck %s --check-prefix=KEPT
// KEPT: error: {{.*}}absent/y.npy: cannot write: No such file or directory
// RUN: cmp %t/y.npy %t/kept.npy

// Errors of files.
// RUN: %exit 1 frit-run %s --fill=zeros --expect=@%t/absent.npy 2>&1 | FileCheck %s --check-prefix=ABSENT
// ABSENT: error: {{.*}}absent.npy
// RUN: %exit 1 frit-run %s --fill=zeros --expect=@%t/z.safetensors 2>&1 | FileCheck %s --check-prefix=KEY
// KEY: error: {{.*}}z.safetensors: no tensor 'out.0' among 1: 'z'
// RUN: %exit 1 frit-run %s --fill=zeros --expect=@%t/both.safetensors#out 2>&1 | FileCheck %s --check-prefix=NEAR-KEY
// NEAR-KEY: error: {{.*}}both.safetensors: no tensor 'out' among 2: 'out.0', 'out.1'
// RUN: %exit 1 frit-run %s --input=zeros --input=@%t/both.safetensors#out0 2>&1 | FileCheck %s --check-prefix=INPUT-KEY
// INPUT-KEY: error: {{.*}}both.safetensors: no tensor 'out0' among 2; did you mean 'out.0'?
// RUN: %exit 1 frit-run %s --input=zeros --weights=%t/both.safetensors 2>&1 | FileCheck %s --check-prefix=WEIGHTS-KEY
// WEIGHTS-KEY: error: argument 1 ('z') of '@main' (2x4xf32) has no source: pass --input (--weights: no tensor 'z' among 2: 'out.0', 'out.1') or --fill
// RUN: %exit 1 frit-run %s --fill=zeros --expect=native --expect=native --expect=native 2>&1 | FileCheck %s --check-prefix=MANY
// MANY: error: --expect is given 3 times, but '@main' has 2 results
// RUN: %exit 1 frit-run %s --entry=two --weights=%t/z.safetensors 2>&1 | FileCheck %s --check-prefix=COUNT
// COUNT: error: --weights={{.*}}z.safetensors: the file has 1 tensors for 2 arguments of '@two' without a source
// RUN: %exit 3 frit-run %s --fill=zeros --output=@%t/absent/y.npy 2>&1 | FileCheck %s --check-prefix=UNWRITABLE
// UNWRITABLE: error: {{.*}}absent/y.npy: {{.*}}No such file or directory
func.func @main(%x: tensor<2x4xf32>, %z: tensor<2x4xf32> {frit.tensor = "z"}) -> (tensor<2x4xf32>, tensor<2x4xf32>) {
  return %x, %z : tensor<2x4xf32>, tensor<2x4xf32>
}
func.func @unnamed(%x: tensor<2x4xf32>) -> tensor<2x4xf32> {
  return %x : tensor<2x4xf32>
}
func.func @other(%x: tensor<3xf32>) -> tensor<3xf32> {
  return %x : tensor<3xf32>
}
func.func @two(%x: tensor<2x4xf32>, %y: tensor<2x4xf32>) -> tensor<2x4xf32> {
  return %x : tensor<2x4xf32>
}
