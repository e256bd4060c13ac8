// Large constants in a file of their own, of which C programs make sure that it
// is the right one. The code gives the bits that frit-run gives.

// REQUIRES: numpy
// UNSUPPORTED: plugin
// RUN: rm -rf %t && mkdir %t
// RUN: %python %S/Inputs/weights.py make %t %s
// RUN: frit-compile %t/mlp.mlir -o %t/mlp --emit=obj,header,so,weights,llvm,mlirbc --weights-from=4096
// RUN: frit-run %t/mlp.mlir --target=cpu:x86-64 --input=@%t/x.npy --output=@%t/expected.npy

// Weights that are faster to read transposed are stored so, the sum of a resource
// and a small constant stays in the code.
// RUN: %python %S/Inputs/weights.py list %t/mlp.safetensors | FileCheck %s --check-prefix=FILE
// FILE: data begins at a multiple of 64
// FILE-DAG: frit_transposed: F32 [96, 64]
// FILE-DAG: gate: F32 [96, 64]
// FILE-DAG: up: F32 [96, 64]
// FILE-DAG: ids: I32 [1100]
// FILE-NOT: {{.}}

// RUN: FileCheck %s --check-prefix=HEADER --input-file=%t/mlp.h
// HEADER: /** The constants that the code does not contain. Before the first call, once:
// HEADER-NEXT: * fritWeightsLoad(&mlp_weights, FILE), see frit-c/Weights.h.
// HEADER: *   gate: [96, 64] f32
// HEADER: extern const FritWeights mlp_weights;

// The code has variables in their place, and no dump has their bytes.
// RUN: FileCheck %s --check-prefix=LLVM --input-file=%t/mlp.ll --implicit-check-not='[96 x [64 x float]]'
// LLVM: @mlp_weights = {{.*}}constant { i64, ptr, ptr, i32, i32 } { i64 32, {{.*}} i32 4, i32 0 }
// LLVM: @mlp_mlp_entry = {{.*}} ptr @mlp_weights }
// RUN: frit-opt %t/mlp.mlirbc | FileCheck %s --check-prefix=MLIR --implicit-check-not=dense_resource
// MLIR: llvm.mlir.global external constant @mlp_weights

// RUN: %python %S/Inputs/weights.py spoil %t/mlp.safetensors %t
// RUN: %cc -I%t %S/Inputs/weights.c %t/mlp.o %link -o %t/object
// RUN: cd %t && ./object none broken missing shape type bit | FileCheck %s --match-full-lines
// RUN: %cxx -I%t %S/Inputs/weights.c -x none %t/mlp.so %link -Wl,-rpath,%t -o %t/library
// RUN: cd %t && ./library none broken missing shape type bit | FileCheck %s --match-full-lines
// CHECK:      call: invalid argument: 'mlp': its code has not been given its 4 weights, of which '{{.*}}' is the first: call fritWeightsLoad
// CHECK-NEXT: none: invalid argument: none: cannot read: No such file or directory
// CHECK-NEXT: broken: invalid argument: broken: data after the last tensor: expected {{.*}} bytes, found {{.*}}
// CHECK-NEXT: missing: invalid argument: missing: tensor 'gate' is not there, expected [96, 64] f32
// CHECK-NEXT: shape: invalid argument: shape: tensor 'gate' is [64, 96] f32, expected [96, 64] f32
// CHECK-NEXT: type: invalid argument: type: tensor 'gate' is [96, 64] i32, expected [96, 64] f32
// CHECK-NEXT: bit: invalid argument: bit: tensor 'gate' has other contents (hash {{[0-9a-f]+}}) than the code was compiled with ({{[0-9a-f]+}})
// CHECK-NEXT: load: ok
// CHECK-NEXT: again: invalid argument: the code has its weights already: call fritWeightsUnload first
// CHECK-NEXT: call: ok
// CHECK-NEXT: the bits are those of frit-run
// CHECK-NEXT: unload: ok
// CHECK-NEXT: call: invalid argument: 'mlp': its code {{.*}}
// CHECK-NEXT: merged: ok
// CHECK-NEXT: unload: ok
// CHECK-NEXT: few: invalid argument: got 3 tensors, expected 4
// CHECK-NEXT: stride: invalid argument: tensor 0 ('{{.*}}') has stride {{[12]}} in dimension 0, expected {{.*}}: row-major without gaps
// CHECK-NEXT: device: invalid argument: tensor 0 ('{{.*}}') is on device 3, expected in memory of the host
// CHECK-NEXT: rank: invalid argument: tensor 0 ('{{.*}}') is of rank 0, expected [{{.*}}] {{.*}}
// CHECK-NEXT: aligned: invalid argument: tensor 0 ('{{.*}}') is 4 bytes past a multiple of 64, which it must be aligned to
// CHECK-NEXT: bind: ok
// CHECK-NEXT: call: ok
// CHECK-NEXT: the bits are those of frit-run
// CHECK-NEXT: unload: ok
// CHECK-NEXT: unload: ok
// CHECK-NEXT: null: invalid argument: the weights are null

// For several GPU architectures the constants are there once, where their
// descriptors look for them.
// RUN: frit-compile %t/mlp.mlir -o %t/gpu --emit=weights,llvm --weights-from=4096 --target=cuda:sm_90a,sm_80 --policy=native
// RUN: FileCheck %s --check-prefix=GPU --input-file=%t/gpu.ll
// GPU-DAG: @frit.weight.places{{.*}} = internal constant [2 x { ptr }] [{ ptr } { ptr getelementptr {{.*}}@frit_descriptor_{{.*}}8) }, {
// GPU-DAG: @frit_descriptor_{{.*}} = internal {{(unnamed_addr )?}}global { i64, ptr, i64, i64 } { i64 32, ptr null,

// RUN: %exit 2 frit-compile %t/mlp.mlir -o %t/no --emit=obj,weights 2>&1 | FileCheck %s --check-prefix=SMALL
// SMALL: error: --emit=weights: no constant has 65536 bytes or more (see --weights-from)
// RUN: not ls %t/no.o
// RUN: %exit 1 frit-compile %t/mlp.mlir -o - --emit=weights --prefix=p 2>&1 | FileCheck %s --check-prefix=STDOUT
// STDOUT: error: --emit=weights: standard output cannot take them, pass -o FILE
// RUN: sed -e s/@mlp/@weights/ %t/mlp.mlir | %exit 2 frit-compile - -o %t/no --emit=weights --weights-from=4096 2>&1 | FileCheck %s --check-prefix=NAME
// NAME: error: the weights are exported as 'no_weights', which exists already: expected another function name
// RUN: %exit 1 frit-compile %t/mlp.mlir -o %t/no --weights-from=1 2>&1 | FileCheck %s --check-prefix=NOWHERE
// NOWHERE: error: --weights-from=1: no weights are written, which --emit=weights would
// RUN: %exit 1 frit-compile %t/mlp.mlir -o %t/no --emit=weights --weights-from=1k 2>&1 | FileCheck %s --check-prefix=NUMBER
// NUMBER: error: --weights-from=1k: expected a number of bytes, at least 1

func.func @mlp(%x: tensor<?x64xf32>) -> tensor<?x64xf32> {
  %c0 = arith.constant 0 : index
  %t = tensor.dim %x, %c0 : tensor<?x64xf32>
  %zero = arith.constant 0.0 : f32
  %gate = arith.constant dense_resource<gate> : tensor<96x64xf32>
  %up = arith.constant dense_resource<up> : tensor<96x64xf32>
  %down = arith.constant dense_resource<down> : tensor<64x96xf32>
  %e = tensor.empty(%t) : tensor<?x96xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<?x96xf32>) -> tensor<?x96xf32>
  %g = frit.matmul ins(%x, %gate : tensor<?x64xf32>, tensor<96x64xf32>) outs(%z : tensor<?x96xf32>) transpose_b -> tensor<?x96xf32>
  %u = frit.matmul ins(%x, %up : tensor<?x64xf32>, tensor<96x64xf32>) outs(%z : tensor<?x96xf32>) transpose_b -> tensor<?x96xf32>
  %h = frit.gelu_and_mul_sparse ins(%g, %u : tensor<?x96xf32>, tensor<?x96xf32>) outs(%e : tensor<?x96xf32>) std_multiplier = 0.5 -> tensor<?x96xf32>
  %ids = arith.constant dense_resource<ids> : tensor<1100xi32>
  %id = tensor.extract %ids[%t] : tensor<1100xi32>
  %first = arith.sitofp %id : i32 to f32
  %r = tensor.empty(%t) : tensor<?x64xf32>
  %init = linalg.fill ins(%first : f32) outs(%r : tensor<?x64xf32>) -> tensor<?x64xf32>
  %y = frit.matmul ins(%h, %down : tensor<?x96xf32>, tensor<64x96xf32>) outs(%init : tensor<?x64xf32>) transpose_b -> tensor<?x64xf32>
  return %y : tensor<?x64xf32>
}
