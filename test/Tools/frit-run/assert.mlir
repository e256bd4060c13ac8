// A check in a graph that does not hold is a status with its message, never an abort.

// RUN: %exit 3 frit-run %s --input=5 2>&1 | FileCheck %s --check-prefix=FAILS
// FAILS: frit-run: error: assertion failed: {{.*}}the size must be even

// RUN: frit-run %s --input=4 --print | FileCheck %s
// CHECK: result 0: 4xf32

// A message is whole, with what C takes for its end.
// RUN: %exit 3 frit-run %s --entry=nul --input=0 2>&1 | FileCheck %s --check-prefix=NUL
// NUL: assertion failed: before\00after
func.func @nul(%c: i1) {
  cf.assert %c, "before\00after"
  return
}

func.func @main(%n: index) -> tensor<?xf32> {
  %c2 = arith.constant 2 : index
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %rest = arith.remui %n, %c2 : index
  %even = arith.cmpi eq, %rest, %c0 : index
  cf.assert %even, "the size must be even"
  %e = tensor.empty(%n) : tensor<?xf32>
  %r = linalg.fill ins(%one : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
