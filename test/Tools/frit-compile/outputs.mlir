// Every kind of output, alone and together.
// UNSUPPORTED: plugin

// RUN: rm -rf %t && mkdir %t
// RUN: frit-compile %s -o %t/all --emit=obj,header,so,llvm,mlirbc
// RUN: ls %t | FileCheck %s --check-prefix=FILES --match-full-lines
// FILES: all.h
// FILES-NEXT: all.ll
// FILES-NEXT: all.mlirbc
// FILES-NEXT: all.o
// FILES-NEXT: all.so
// FILES-NOT: {{.}}

// RUN: FileCheck %s --check-prefix=LLVM --input-file=%t/all.ll
// LLVM: @all_f_entry = {{.*}}constant
// LLVM: define {{(noundef )?}}i32 @all_f(ptr{{.*}}, ptr{{.*}}, ptr{{.*}})
// RUN: frit-opt %t/all.mlirbc | FileCheck %s --check-prefix=MLIR
// MLIR: llvm.func @all_f(%{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr) -> i32

// Alone, to a file and to standard output: the same bytes.
// RUN: frit-compile %s -o %t/one.bin --prefix=all
// RUN: cmp %t/one.bin %t/all.o
// RUN: frit-compile %s -o - --emit=obj --prefix=all | cmp - %t/all.o
// RUN: frit-compile %s -o - --emit=header --prefix=all | cmp - %t/all.h

// The library needs the runtime and the C library.
// RUN: llvm-readelf --needed-libs %t/all.so | FileCheck %s --check-prefix=LIBRARIES
// LIBRARIES: libFritRuntime.so.0
// LIBRARIES-NOT: libm.so
// LIBRARIES-NOT: libMLIR

// --entry exports one function.
// RUN: frit-compile %s -o - --emit=llvm --prefix=p --entry=g | FileCheck %s --check-prefix=ENTRY
// ENTRY-NOT: @p_f(
// ENTRY: define {{.*}}@p_g(
// ENTRY-NOT: @p_f(

// Code is for every processor of the architecture unless one is named, of the
// host's part of code for a GPU too.
// RUN: frit-compile %s -o - --emit=llvm --prefix=p | FileCheck %s --check-prefix=BASELINE
// RUN: frit-compile %s -o - --emit=header --prefix=p --target=cuda:sm_90a | FileCheck %s --check-prefix=CUDA
// RUN: frit-compile %s -o - --emit=header --prefix=p --target=cuda:sm_90a --host-march=x86-64-v3 | FileCheck %s --check-prefix=MARCH
// BASELINE-NOT: <8 x float>
// CUDA: compiled for cuda:sm_90a, the host's part for x86-64 by frit-compile
// CUDA: Tensors are in the memory of the context's device
// MARCH: compiled for cuda:sm_90a, the host's part for x86-64-v3 by frit-compile

func.func @f(%x: tensor<64xf32>) -> tensor<64xf32> {
  %y = arith.addf %x, %x : tensor<64xf32>
  return %y : tensor<64xf32>
}
func.func @g(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
