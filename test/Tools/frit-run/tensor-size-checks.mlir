// What makes a tensor of others ends a call where their sizes do not fit: it
// would write beyond its result.
// DEFINE: %{concat} = frit-run %s --entry=concat
// RUN: %exit 3 %{concat} --input=2x3xf32=ones --input=2x5xf32=zeros 2>&1 | FileCheck %s --check-prefix=CONCAT
// CONCAT: error: assertion failed: 'tensor.concat' at tensor-size-checks.mlir:[[#]]:[[#]]: dimension 1 of 'input 1' and dimension 1 of 'input 0' differ (5 and 3)
// RUN: %exit 3 %{concat} --verify --input=2x3xf32=ones --input=2000x5000xf32=zeros 2>&1 | FileCheck %s --check-prefix=CONCAT-LARGE
// CONCAT-LARGE: differ (5000 and 3)
// RUN: %{concat} --input=2x3xf32=ones --input=1x3xf32=zeros --print | FileCheck %s --check-prefix=CONCATENATED
// CONCATENATED: 3x3xf32
// CONCATENATED-NEXT: [1, 1, 1]{{.*}}
// RUN: %exit 3 frit-run %s --entry=concat_four --input=2xf32=ones --input=3xf32=zeros 2>&1 | FileCheck %s --check-prefix=FOUR
// FOUR: the sum of the sizes of the inputs is not dimension 0 of the result (5 and 4)

// DEFINE: %{expand} = frit-run %s --entry=expand
// RUN: %exit 3 %{expand} --input=12xf32=ones --input=100 2>&1 | FileCheck %s --check-prefix=EXPAND
// EXPAND: 'tensor.expand_shape' at {{.*}}: the product of the sizes that dimension 0 of 'src' expands to differs from it (400 and 12)
// RUN: %{expand} --input=12xf32=ones --input=3 --print | FileCheck %s --check-prefix=EXPANDED
// EXPANDED: 3x4xf32

// DEFINE: %{pad} = frit-run %s --entry=pad --input=8xf32=ones
// RUN: %exit 3 %{pad} --input=-2 --input=0 2>&1 | FileCheck %s --check-prefix=LOW
// LOW: 'tensor.pad' at {{.*}}: the padding 'low' of dimension 0 is negative (-2 and 0)
// RUN: %exit 3 %{pad} --verify --input=0 --input=-3 2>&1 | FileCheck %s --check-prefix=HIGH
// HIGH: the padding 'high' of dimension 0 is negative (-3 and 0)
// RUN: %{pad} --input=1 --input=2 --print | FileCheck %s --check-prefix=PADDED
// PADDED: 11xf32
// RUN: %exit 3 frit-run %s --entry=pad_to_four --input=2xf32=ones 2>&1 | FileCheck %s --check-prefix=WIDTH
// WIDTH: the padded size is not dimension 0 of the result (3 and 4)
// DEFINE: %{empty} = frit-run %s --entry=empty --input=3
// RUN: %exit 3 %{empty} --input=-1 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// NEGATIVE: error: assertion failed: 'tensor.empty' at {{.*}}: size 1 is negative (-1 and 0)
// RUN: %{empty} --input=2 --print | FileCheck %s --check-prefix=SUMS
// SUMS: 3xf32
// SUMS-NEXT: [2, 2, 2]

func.func @empty(%m: index, %n: index) -> tensor<?xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %e = tensor.empty(%m, %n) : tensor<?x?xf32>
  %ones = linalg.fill ins(%one : f32) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  %init = tensor.empty(%m) : tensor<?xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%init : tensor<?xf32>) -> tensor<?xf32>
  %sums = linalg.reduce ins(%ones : tensor<?x?xf32>) outs(%zeros : tensor<?xf32>) dimensions = [1]
    (%a: f32, %b: f32) {
      %sum = arith.addf %a, %b : f32
      linalg.yield %sum : f32
    }
  return %sums : tensor<?xf32>
}

func.func @concat(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %r = tensor.concat dim(0) %a, %b : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

func.func @concat_four(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<4xf32> {
  %r = tensor.concat dim(0) %a, %b : (tensor<?xf32>, tensor<?xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

func.func @expand(%x: tensor<?xf32>, %n: index) -> tensor<?x4xf32> {
  %r = tensor.expand_shape %x [[0, 1]] output_shape [%n, 4] : tensor<?xf32> into tensor<?x4xf32>
  return %r : tensor<?x4xf32>
}

func.func @pad(%x: tensor<?xf32>, %low: index, %high: index) -> tensor<?xf32> {
  %zero = arith.constant 0.0 : f32
  %r = tensor.pad %x low[%low] high[%high] {
  ^bb0(%i: index):
    tensor.yield %zero : f32
  } : tensor<?xf32> to tensor<?xf32>
  return %r : tensor<?xf32>
}

func.func @pad_to_four(%x: tensor<?xf32>) -> tensor<4xf32> {
  %zero = arith.constant 0.0 : f32
  %r = tensor.pad %x low[0] high[1] {
  ^bb0(%i: index):
    tensor.yield %zero : f32
  } : tensor<?xf32> to tensor<4xf32>
  return %r : tensor<4xf32>
}
