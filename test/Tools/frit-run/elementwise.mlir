// Arithmetic on whole tensors, a function that another calls in a branch, and a result that is one of two buffers.
// RUN: frit-run %s --input=1 --input=3xf32=2 --print --expect=native | FileCheck %s --check-prefix=THEN
// THEN: [5, 5, 5]
// THEN: result 0 and native: 3xf32: match
// RUN: frit-run %s --input=0 --input=3xf32=2 --print | FileCheck %s --check-prefix=ELSE
// ELSE: [4, 4, 4]

// A result that cannot be shown is an error, a size that no machine has is one too.
// RUN: %exit 3 sh -c "frit-run %s --input=1 --input=3xf32=2 --print > /dev/full" 2>&1 | FileCheck %s --check-prefix=FULL
// FULL: frit-run: error: cannot write standard output: No space left on device
// RUN: %exit 1 frit-run %s --input=1 --input=100000000000000xf32=2 2>&1 | FileCheck %s --check-prefix=MEMORY
// MEMORY: tensor 100000000000000xf32: cannot allocate 400000000000000 bytes
func.func private @plus_one(%x: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %one = arith.constant 1.0 : f32
  %ones = tensor.splat %one[%n] : tensor<?xf32>
  %0 = arith.addf %x, %ones : tensor<?xf32>
  return %0 : tensor<?xf32>
}
func.func @main(%c: i1, %x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = arith.addf %x, %x : tensor<?xf32>
  %1 = math.absf %0 : tensor<?xf32>
  %2 = scf.if %c -> tensor<?xf32> {
    %3 = func.call @plus_one(%1) : (tensor<?xf32>) -> tensor<?xf32>
    scf.yield %3 : tensor<?xf32>
  } else {
    scf.yield %1 : tensor<?xf32>
  }
  return %2 : tensor<?xf32>
}
