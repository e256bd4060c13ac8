// With --verify, what a function's types leave open is checked while it runs.

// RUN: %exit 3 frit-run %s --verify --input=4x16xf32=ones --input=6xi32=zeros --input=4x8xf32=ones 2>&1 | FileCheck %s --check-prefix=TOKENS
// TOKENS: error: assertion failed: {{.*}}verification failed
// TOKENS: dimension 0 of 'ids' and dimension 0 of 'x' differ
// RUN: %exit 3 frit-run %s --verify --input=4x16xf32=ones --input=4xi32=2 --input=4x8xf32=ones 2>&1 | FileCheck %s --check-prefix=IDS
// IDS: an element of 'ids' is not below dimension 0 of 'A0'
// RUN: %exit 3 frit-run %s --verify --input=4x16xf32=ones --input=4xi32=0 --input=4x7xf32=ones 2>&1 | FileCheck %s --check-prefix=WIDTH
// WIDTH: 'offset' plus the widths of the slices exceeds dimension 1 of 'out'
// RUN: frit-run %s --verify --input=4x16xf32=ones --input=4xi32=0 --input=4x8xf32=ones --expect=native

// RUN: %exit 3 frit-run %s --verify --entry=matmul --input=4x8xf32=ones --input=9x2xf32=ones --input=4x2xf32=zeros 2>&1 | FileCheck %s --check-prefix=MATMUL
// MATMUL: linalg.matmul
// RUN: frit-run %s --verify --entry=matmul --input=4x0xf32=ones --input=0x2xf32=ones --input=4x2xf32=zeros --expect=native
func.func @main(%x: tensor<?x?xf32>, %ids: tensor<?xi32>, %y: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %a = arith.constant dense<1.0> : tensor<2x3x16xf32>
  %b = arith.constant dense<1.0> : tensor<2x8x3xf32>
  %0 = frit.lora_matmul ins(%x, %ids : tensor<?x?xf32>, tensor<?xi32>)
      weights(%a, %b : tensor<2x3x16xf32>, tensor<2x8x3xf32>) outs(%y : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
func.func @matmul(%x: tensor<?x?xf32>, %w: tensor<?x?xf32>, %y: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = linalg.matmul ins(%x, %w : tensor<?x?xf32>, tensor<?x?xf32>) outs(%y : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
