// RUN: frit-run %s --input=arg0=3 --input=arg1=2.5 --input=arg2=1 --input=arg3=4 --input=arg4=ones \
// RUN:   --input=arg5=2x2xf16=-1.5 --input=arg6=1xbf16=3 --fill=zeros --print | FileCheck %s

// Scalars and tensors of every type, 0-d tensors, results that are arguments, constants, or the same value twice.

// CHECK: seed: 0
// CHECK-NEXT: result 0: i64
// CHECK-NEXT: 6
// CHECK-NEXT: result 1: f32
// CHECK-NEXT: 5
// CHECK-NEXT: result 2: i1
// CHECK-NEXT: 1
// CHECK-NEXT: result 3: i64
// CHECK-NEXT: 4
// CHECK-NEXT: result 4: f64
// CHECK-NEXT: 1
// CHECK-NEXT: result 5: 2x2xf16
// CHECK-NEXT: [-1.5, -1.5],
// CHECK-NEXT:  [-1.5, -1.5]]
// CHECK-NEXT: result 6: 2x2xf16
// CHECK-NEXT: [-1.5, -1.5],
// CHECK-NEXT:  [-1.5, -1.5]]
// CHECK-NEXT: result 7: 1xbf16
// CHECK-NEXT: [3]
// CHECK-NEXT: result 8: 3xi32
// CHECK-NEXT: [1, -2, 3]
// CHECK-NEXT: result 9: 0x4xf32
// CHECK-NEXT: []
// CHECK-NEXT: result 10: 2xi1
// CHECK-NEXT: [0, 0]
func.func @main(%i: i64, %f: f32, %flag: i1, %n: index, %d: tensor<f64>, %h: tensor<2x2xf16>, %b: tensor<?xbf16>,
                %e: tensor<0x4xf32>, %m: tensor<2xi1>)
    -> (i64, f32, i1, index, tensor<f64>, tensor<2x2xf16>, tensor<2x2xf16>, tensor<?xbf16>, tensor<3xi32>,
        tensor<0x4xf32>, tensor<2xi1>) {
  %twice = arith.addi %i, %i : i64
  %double = arith.addf %f, %f : f32
  %c = arith.constant dense<[1, -2, 3]> : tensor<3xi32>
  return %twice, %double, %flag, %n, %d, %h, %h, %b, %c, %e, %m
      : i64, f32, i1, index, tensor<f64>, tensor<2x2xf16>, tensor<2x2xf16>, tensor<?xbf16>, tensor<3xi32>,
        tensor<0x4xf32>, tensor<2xi1>
}
