// Ops of linalg that are no structured ops are run as the ones that they consist of.
// RUN: frit-run %s --entry=softmax --input=2x4xf32=1000 --input=2x4xf32=0 --print --expect=native | FileCheck %s --check-prefix=SOFTMAX
// SOFTMAX:      {{\[}}[0.25, 0.25, 0.25, 0.25],
// SOFTMAX-NEXT: [0.25, 0.25, 0.25, 0.25]]
// RUN: frit-run %s --entry=softmax --input=0x4xf32=0 --input=0x4xf32=0 --expect=native
// RUN: %exit 3 frit-run %s --entry=softmax --input=2x4xf32=0 --input=2x5xf32=0 2>&1 | FileCheck %s --check-prefix=SIZES
// SIZES: error: assertion failed: 'linalg.generic' at linalg-composites.mlir:[[#]]:[[#]]: dimension 1 of {{.*}} differ

// With a last tile that is padded.
// RUN: frit-run %s --entry=pack --input=3x5xf32=2 --input=2x3x2x2xf32=1 --print | FileCheck %s --check-prefix=PACK
// PACK: result 0: 2x3x2x2xf32
// PACK: {{\[\[}}2, 7],
// PACK-NEXT: [2, 7]]
// PACK: {{\[\[}}2, 7],
// PACK-NEXT: [7, 7]]
// RUN: %exit 3 frit-run %s --entry=pack --input=3x5xf32=2 --input=2x2x2x2xf32=1 2>&1 | FileCheck %s --check-prefix=TILES
// TILES: 'tensor.pad' at {{.*}}: the padding 'high' of dimension 1 is negative (-1 and 0)

// RUN: %exit 2 frit-run %s --entry=unpack --input=2x3x2x2xf32=1 --input=3x5xf32=2 2>&1 | FileCheck %s --check-prefix=UNPACK
// UNPACK: error: 'linalg.unpack' op cannot be compiled

func.func @softmax(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = linalg.softmax dimension(1) ins(%x : tensor<?x?xf32>) outs(%y : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

func.func @pack(%x: tensor<?x?xf32>, %y: tensor<?x?x2x2xf32>) -> tensor<?x?x2x2xf32> {
  %seven = arith.constant 7.0 : f32
  %0 = linalg.pack %x padding_value(%seven : f32) inner_dims_pos = [0, 1] inner_tiles = [2, 2] into %y
      : tensor<?x?xf32> -> tensor<?x?x2x2xf32>
  return %0 : tensor<?x?x2x2xf32>
}

func.func @unpack(%x: tensor<?x?x2x2xf32>, %y: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = linalg.unpack %x inner_dims_pos = [0, 1] inner_tiles = [2, 2] into %y
      : tensor<?x?x2x2xf32> -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
