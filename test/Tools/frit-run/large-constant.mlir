// A constant of one value that no memory holds is a status of the call.
// RUN: %exit 3 frit-run %s --input=3 --input=4 2>&1 | FileCheck %s
// CHECK: error: out of memory

func.func @main(%i: index, %j: index) -> f32 {
  %c = arith.constant 2.0 : f32
  %s = tensor.splat %c : tensor<4000000000000000xf32>
  %other = arith.constant 3.0 : f32
  %t = tensor.insert %other into %s[%i] : tensor<4000000000000000xf32>
  %e = tensor.extract %t[%j] : tensor<4000000000000000xf32>
  return %e : f32
}
