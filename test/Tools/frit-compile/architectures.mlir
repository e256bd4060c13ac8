// Code for several GPU architectures in one object, of which the device's is
// called.
// UNSUPPORTED: plugin

// RUN: rm -rf %t && mkdir %t
// RUN: frit-compile %s -o %t/called --emit=obj,header,so,llvm,mlirbc --target=cuda:sm_90a,sm_80

// RUN: FileCheck %s --check-prefix=HEADER --input-file=%t/called.h
// HEADER: compiled for cuda:sm_90a,sm_80, the host's part for x86-64 by frit-compile
// HEADER: FritStatus called_f(FritContext *context,

// One of each function for each, and one description of both.
// RUN: FileCheck %s --check-prefix=LLVM --input-file=%t/called.ll
// LLVM-DAG: c"cuda:sm_90a,sm_80\00"
// LLVM-DAG: c"cuda:sm_90a\00"
// LLVM-DAG: c"cuda:sm_80\00"
// LLVM-DAG: @_frit_f.entry.variants = internal {{.*}}[2 x { ptr }] [{ ptr } { ptr @_frit_f.entry.sm_90a }, { ptr } { ptr @_frit_f.entry.sm_80 }]
// The sm of each, after its variants.
// LLVM-DAG: @_frit_f.entry.sm_90a = internal {{.*}} ptr @_frit_f, {{.*}} ptr null, i32 0, i32 90, ptr null }
// LLVM-DAG: @_frit_f.entry.sm_80 = internal {{.*}} ptr @_frit_f.sm_80, {{.*}} ptr null, i32 0, i32 80, ptr null }
// LLVM-DAG: @called_f_entry = constant {{.*}} ptr null, ptr null, {{.*}} i32 1, i64 0, i64 0, ptr @_frit_f.entry.variants, i32 2, i32 0, ptr null }

// Both have a generated kernel, under one name in the source. The hand-written
// images that both use are there once.
// RUN: frit-opt %t/called.mlirbc | FileCheck %s --check-prefix=MLIR
// MLIR: gpu.binary @frit_generated {{.*}}
// MLIR: gpu.binary @frit_generated.sm_80 {{.*}}

// RUN: llvm-nm --extern-only --defined-only --format=just-symbols %t/called.o | sort | FileCheck %s --check-prefix=DEFINED --match-full-lines
// DEFINED: called_f
// DEFINED-NEXT: called_f_entry
// DEFINED-NOT: {{.}}

// On a context without a device there is none to choose.
// RUN: %cc -I%t %S/Inputs/call-status.c %t/called.o %link -o %t/object
// RUN: %t/object | FileCheck %s --check-prefix=CALLED
// RUN: %cc -I%t %S/Inputs/call-status.c %t/called.so %link -Wl,-rpath,%t -o %t/library
// RUN: %t/library | FileCheck %s --check-prefix=CALLED
// CALLED-COUNT-2: device unavailable: 'f': is compiled for cuda:sm_90a,sm_80, but the context has no device

func.func @f(%x: tensor<?x8xf32> {frit.dims = ["tokens", ""]}) -> tensor<?x8xf32> {
  %y = arith.addf %x, %x : tensor<?x8xf32>
  return %y : tensor<?x8xf32>
}
