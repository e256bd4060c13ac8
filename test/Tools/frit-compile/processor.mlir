// Code for a processor that this machine is not ends in a status.

// RUN: rm -rf %t && mkdir %t
// RUN: frit-compile %s -o %t/called --emit=obj,header --target=cpu:diamondrapids
// RUN: %cc -I%t %S/Inputs/call-status.c %t/called.o %link -o %t/newer
// RUN: %t/newer | FileCheck %s --check-prefix=NEWER
// NEWER-COUNT-2: device unavailable: 'f': its code for the host is for another processor than this machine's, which lacks {{.*}}egpr

// What is called first is for every processor: it stores in no wide register.
// RUN: llvm-objdump -dr --disassemble-symbols=called_f %t/called.o | FileCheck %s --check-prefix=FIRST
// FIRST: <called_f>:
// FIRST-NOT: {{ymm|zmm|\{evex\}|\<v[a-z]}}
// FIRST: fritEntryCall

// The host's part of code for a GPU too.
// RUN: frit-compile %s -o %t/called --emit=obj,header --target=cuda:sm_90a --host-march=diamondrapids
// RUN: %cc -I%t %S/Inputs/call-status.c %t/called.o %link -o %t/cuda
// RUN: %t/cuda | FileCheck %s --check-prefix=NEWER

// This machine's own processor is none of them.
// RUN: frit-compile %s -o %t/called --emit=obj,header --target=cpu:native
// RUN: %cc -I%t %S/Inputs/call-status.c %t/called.o %link -o %t/native
// RUN: %t/native | FileCheck %s --check-prefix=NATIVE
// NATIVE-COUNT-2: ok:

func.func @f(%x: tensor<?x8xf32> {frit.dims = ["tokens", ""]}) -> tensor<?x8xf32> {
  %y = arith.addf %x, %x : tensor<?x8xf32>
  return %y : tensor<?x8xf32>
}
