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
// PACKED: dimension 1 of 'x' and twice dimension 1 of 'out' differ (15 and 14)
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
// Indices that fall with a loop, by division and of a remainder.
// DEFINE: %{index} = frit-run %s --input=9xf32=2
// RUN: %exit 3 %{index} --entry=reversed --input=11xf32=0 2>&1 | FileCheck %s --check-prefix=BELOW
// BELOW: 'linalg.generic' at {{.*}}: the loops reach below dimension 0 of 'input 0' (-2 and 0)
// RUN: %exit 3 frit-run %s --entry=reversed --input=8xf32=2 --input=9xf32=0 2>&1 | FileCheck %s --check-prefix=ABOVE
// ABOVE: the size that the loops need exceeds dimension 0 of 'input 0' (9 and 8)
// RUN: %{index} --entry=reversed --input=9xf32=0 --print | FileCheck %s --check-prefix=REVERSED
// REVERSED: [2, 2, 2, 2, 2, 2, 2, 2, 2]
// RUN: %{index} --entry=reversed --input=0xf32=0 --expect=native
// RUN: %exit 3 %{index} --entry=halved --input=19xf32=0 2>&1 | FileCheck %s --check-prefix=HALVED
// HALVED: the size that the loops need exceeds dimension 0 of 'input 0' (10 and 9)
// RUN: %{index} --entry=halved --input=18xf32=0 --expect=native
// RUN: %exit 3 frit-run %s --entry=remainder --input=2xf32=2 --input=5xf32=0 2>&1 | FileCheck %s --check-prefix=REMAINDER
// REMAINDER: the size that the loops need exceeds dimension 0 of 'input 0' (3 and 2)
// RUN: frit-run %s --entry=remainder --input=3xf32=2 --input=5xf32=0 --expect=native
// RUN: frit-run %s --entry=remainder --input=2xf32=2 --input=2xf32=0 --expect=native
// RUN: %exit 3 frit-run %s --entry=remainder_of_five --input=2xf32=2 2>&1 | FileCheck %s --check-prefix=REMAINDER
// RUN: %exit 3 frit-run %s --entry=difference --input=2x3xf32=1 2>&1 | FileCheck %s --check-prefix=DIFFERENCE
// DIFFERENCE: the loops reach below dimension 0 of 'input 0' (-2 and 0)
// RUN: frit-run %s --entry=difference --input=2x1xf32=1 --expect=native

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

func.func @reversed(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %0 = linalg.generic {
    indexing_maps = [affine_map<(i) -> (8 - i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]
  } ins(%x : tensor<?xf32>) outs(%y : tensor<?xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

func.func @halved(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %0 = linalg.generic {
    indexing_maps = [affine_map<(i) -> (i floordiv 2)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]
  } ins(%x : tensor<?xf32>) outs(%y : tensor<?xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

func.func @remainder(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %0 = linalg.generic {
    indexing_maps = [affine_map<(i) -> (i mod 3)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]
  } ins(%x : tensor<?xf32>) outs(%y : tensor<?xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// The op's verifier looks at the ends of static loops, 0 and 4: index 2 is between.
func.func @remainder_of_five(%x: tensor<2xf32>) -> tensor<5xf32> {
  %y = tensor.empty() : tensor<5xf32>
  %0 = linalg.generic {
    indexing_maps = [affine_map<(i) -> (i mod 3)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]
  } ins(%x : tensor<2xf32>) outs(%y : tensor<5xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<5xf32>
  return %0 : tensor<5xf32>
}

func.func @difference(%y: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %x = arith.constant dense<1.0> : tensor<4xf32>
  %0 = linalg.generic {
    indexing_maps = [affine_map<(i, j) -> (i - j)>, affine_map<(i, j) -> (i, j)>],
    iterator_types = ["parallel", "parallel"]
  } ins(%x : tensor<4xf32>) outs(%y : tensor<?x?xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
