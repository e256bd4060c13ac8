// Dynamic sizes that disagree end a call with both values: nothing is read or
// written outside of a tensor.
// DEFINE: %{matmul} = frit-run %s --entry=matmul --fill=ones --input=a=2x3x16xf32=ones
// DEFINE: %{sparse} = frit-run %s --entry=sparse --fill=ones

// RUN: %exit 3 %{matmul} --input=x=4x16xf32=ones --input=ids=6xi32=0 --input=b=2x8x3xf32=ones --input=y=4x8xf32=ones 2>&1 | FileCheck %s --check-prefix=TOKENS
// TOKENS: error: assertion failed: 'frit.lora_matmul' at size-checks.mlir:[[#]]:[[#]]: dimension 0 of 'ids' and dimension 0 of 'x' differ (6 and 4)
// RUN: %exit 3 %{matmul} --input=x=4x16xf32=ones --input=ids=4xi32=0 --input=b=2x64x3xf32=ones --input=y=4x32xf32=ones 2>&1 | FileCheck %s --check-prefix=WIDTH
// WIDTH: 'frit.lora_matmul' at {{.*}}: 'offset' plus the widths of the slices exceeds dimension 1 of 'out' (64 and 32)
// RUN: %exit 3 %{matmul} --input=x=4x15xf32=ones --input=ids=4xi32=0 --input=b=2x8x3xf32=ones --input=y=4x8xf32=ones 2>&1 | FileCheck %s --check-prefix=DEPTH
// DEPTH: dimension 2 of 'A0' and dimension 1 of 'x' differ (16 and 15)
// RUN: %exit 3 %{matmul} --input=x=4x16xf32=ones --input=ids=4xi32=0 --input=b=3x8x3xf32=ones --input=y=4x8xf32=ones 2>&1 | FileCheck %s --check-prefix=ADAPTERS
// ADAPTERS: dimension 0 of 'B0' and dimension 0 of 'A0' differ (3 and 2)

// An adapter that does not exist leaves its row as it is.
// RUN: %{matmul} --input=x=4x16xf32=ones --input=ids=4xi32=7 --input=b=2x8x3xf32=ones --input=y=4x8xf32=ones --expect=native

// RUN: %exit 3 %{sparse} --input=x=4x16xf32=ones --input=y=5x8xf32=ones 2>&1 | FileCheck %s --check-prefix=ROWS
// ROWS: 'frit.gelu_and_mul_sparse' at {{.*}}: dimension 0 of 'x' and dimension 0 of 'out' differ (4 and 5)
// RUN: %exit 3 %{sparse} --input=x=4x15xf32=ones --input=y=4x7xf32=ones 2>&1 | FileCheck %s --check-prefix=PACKED
// PACKED: dimension 1 of 'x' is not twice dimension 1 of 'out' (15 and 14)
// RUN: %{sparse} --input=x=4x16xf32=ones --input=y=4x8xf32=ones --expect=native

// Ops of linalg too.
// DEFINE: %{linalg} = frit-run %s --entry=linalg --fill=ones
// RUN: %exit 3 %{linalg} --input=x=4x16xf32=ones --input=w=15x8xf32=ones --input=y=4x8xf32=ones 2>&1 | FileCheck %s --check-prefix=INNER
// INNER: error: assertion failed: 'linalg.matmul' at size-checks.mlir:[[#]]:[[#]]: dimension 1 of 'input 0' and dimension 0 of 'input 1' differ (16 and 15)
// RUN: %exit 3 %{linalg} --input=x=4x16xf32=ones --input=w=16x8xf32=ones --input=y=5x8xf32=ones 2>&1 | FileCheck %s --check-prefix=OUTER
// OUTER: 'linalg.matmul' at {{.*}}: dimension 0 of 'input 0' and dimension 0 of 'output 0' differ (4 and 5)
// RUN: %{linalg} --input=x=4x0xf32=ones --input=w=0x8xf32=ones --input=y=4x8xf32=ones --expect=native
// RUN: %exit 3 frit-run %s --entry=fixed --input=4x16xf32=ones --input=4x7xf32=zeros 2>&1 | FileCheck %s --check-prefix=FIXED
// FIXED: 'linalg.matmul' at {{.*}}: dimension 1 of 'output 0' and dimension 1 of 'input 1' differ (7 and 8)
// RUN: %exit 3 frit-run %s --entry=window --input=6xf32=ones --input=3xf32=zeros 2>&1 | FileCheck %s --check-prefix=WINDOW
// WINDOW: 'linalg.generic' at {{.*}}: the size that the loops need exceeds dimension 0 of 'input 0' (7 and 6)
// RUN: frit-run %s --entry=window --input=7xf32=ones --input=3xf32=zeros --expect=native
// RUN: frit-run %s --entry=window --input=0xf32=ones --input=0xf32=zeros --expect=native

func.func @matmul(%x: tensor<?x?xf32> {frit.tensor = "x"}, %ids: tensor<?xi32> {frit.tensor = "ids"},
                  %a: tensor<?x?x?xf32> {frit.tensor = "a"}, %b: tensor<?x?x?xf32> {frit.tensor = "b"},
                  %y: tensor<?x?xf32> {frit.tensor = "y"}) -> tensor<?x?xf32> {
  %0 = frit.lora_matmul ins(%x, %ids : tensor<?x?xf32>, tensor<?xi32>)
      weights(%a, %b : tensor<?x?x?xf32>, tensor<?x?x?xf32>) outs(%y : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

func.func @sparse(%x: tensor<?x?xf32> {frit.tensor = "x"}, %y: tensor<?x?xf32> {frit.tensor = "y"}) -> tensor<?x?xf32> {
  %0 = frit.gelu_and_mul_sparse ins(%x : tensor<?x?xf32>) outs(%y : tensor<?x?xf32>) std_multiplier = 1.0
      -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

func.func @linalg(%x: tensor<?x?xf32> {frit.tensor = "x"}, %w: tensor<?x?xf32> {frit.tensor = "w"},
                  %y: tensor<?x?xf32> {frit.tensor = "y"}) -> tensor<?x?xf32> {
  %0 = linalg.matmul ins(%x, %w : tensor<?x?xf32>, tensor<?x?xf32>) outs(%y : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

func.func @fixed(%x: tensor<?x16xf32>, %y: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %w = arith.constant dense<1.0> : tensor<16x8xf32>
  %0 = linalg.matmul ins(%x, %w : tensor<?x16xf32>, tensor<16x8xf32>) outs(%y : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

func.func @window(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %w = arith.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %0 = linalg.generic {
    indexing_maps = [affine_map<(o, k) -> (2 * o + k)>, affine_map<(o, k) -> (k)>, affine_map<(o, k) -> (o)>],
    iterator_types = ["parallel", "reduction"]
  } ins(%x, %w : tensor<?xf32>, tensor<3xf32>) outs(%y : tensor<?xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %1 = arith.mulf %a, %b : f32
    %2 = arith.addf %1, %c : f32
    linalg.yield %2 : f32
  } -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
