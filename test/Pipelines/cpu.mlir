// RUN: %frit_opt %s --pass-pipeline='builtin.module(frit-to-cpu)' | FileCheck %s --check-prefixes=CHECK,PARALLEL
// RUN: %frit_opt %s --pass-pipeline='builtin.module(frit-to-cpu{parallel=false})' | FileCheck %s --check-prefixes=CHECK,SEQUENTIAL
// RUN: %frit_opt %s --pass-pipeline='builtin.module(frit-to-cpu{entry-points=false})' | FileCheck %s --check-prefix=BARE
// RUN: %frit_opt %s --pass-pipeline='builtin.module(frit-native-reference)' | FileCheck %s --check-prefixes=CHECK,SEQUENTIAL

// PARALLEL-DAG: llvm.func @fritParallelFor
// SEQUENTIAL-NOT: fritParallelFor
// CHECK-DAG: llvm.func internal @_frit_main.body(%{{.*}}: !llvm.ptr
// CHECK-DAG: llvm.func @_frit_main(%{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr) -> i32
// CHECK-DAG: llvm.func @_frit_main__shapes(
// CHECK-NOT: main__shapes_parallel
// CHECK-NOT: memref.
// CHECK-NOT: llvm.func @helper
// BARE-NOT: _frit_main
// BARE: llvm.func @main
// BARE-NOT: _frit_main
func.func private @helper(%x: tensor<?x64xf32>) -> tensor<?x64xf32> {
  %c0 = arith.constant 0 : index
  %rows = tensor.dim %x, %c0 : tensor<?x64xf32>
  %e = tensor.empty(%rows) : tensor<?x64xf32>
  %y = linalg.exp ins(%x : tensor<?x64xf32>) outs(%e : tensor<?x64xf32>) -> tensor<?x64xf32>
  return %y : tensor<?x64xf32>
}
func.func @main(%x: tensor<?x64xf32>) -> tensor<?x64xf32> {
  %y = func.call @helper(%x) : (tensor<?x64xf32>) -> tensor<?x64xf32>
  return %y : tensor<?x64xf32>
}
