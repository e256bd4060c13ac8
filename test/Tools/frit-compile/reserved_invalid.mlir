// Exported names that a C header cannot declare, since C, C++, the headers behind
// frit-c/Entry.h, or the runtime have them.

// RUN: %exit 2 frit-compile %s -o %t.h --emit=header --prefix=size --entry=t 2>&1 | FileCheck %s --check-prefix=SIZE
// SIZE: reserved_invalid.mlir:[[#]]:{{.*}}error: '@t' is exported as 'size_t', which is a name of <stddef.h> or <stdint.h>: expected another prefix than 'size', or another function name
// RUN: %exit 2 frit-compile %s -o %t.o --prefix=int32 --entry=t 2>&1 | FileCheck %s --check-prefix=INT32
// INT32: error: '@t' is exported as 'int32_t', which is a name of
// RUN: %exit 2 frit-compile %s -o %t.o --prefix=UINT --entry=FAST8_MAX 2>&1 | FileCheck %s --check-prefix=LIMIT
// LIMIT: error: '@FAST8_MAX' is exported as 'UINT_FAST8_MAX', which is a name of
// RUN: %exit 2 frit-compile %s -o %t.o --prefix=static --entry=assert 2>&1 | FileCheck %s --check-prefix=ASSERT
// ASSERT: error: '@assert' is exported as 'static_assert', which is a word of C or C++
// RUN: %exit 2 frit-compile %s -o %t.o --prefix=thread --entry=local 2>&1 | FileCheck %s --check-prefix=LOCAL
// LOCAL: error: '@local' is exported as 'thread_local', which is a word of C or C++
// RUN: %exit 2 frit-compile %s -o %t.o --prefix=FRIT --entry=NO_DEVICE 2>&1 | FileCheck %s --check-prefix=FRIT
// FRIT: error: '@NO_DEVICE' is exported as 'FRIT_NO_DEVICE', which is among the names of Frit's headers
// RUN: %exit 2 frit-compile %s -o %t.o --prefix=fritMath --entry=expf 2>&1 | FileCheck %s --check-prefix=MATH
// MATH: error: '@expf' is exported as 'fritMath_expf', which is among the names of Frit's headers
// RUN: not ls %t.h %t.o

// Names that are near to these, and parameters with names of these kinds.
// RUN: frit-compile %s -o %t.near.h --emit=header --prefix=frit
// RUN: FileCheck %s --check-prefix=NEAR --input-file=%t.near.h
// RUN: %cc -std=c11 -fsyntax-only -x c %t.near.h
// RUN: %cxx -std=c++17 -fsyntax-only %t.near.h
// NEAR: FritStatus frit_t(FritContext *context,
// NEAR-NEXT: const FritTensor *arg0,
// NEAR-NEXT: const FritTensor *arg1,
// NEAR-NEXT: const FritTensor *arg2,
// NEAR-NEXT: const FritTensor *arg3,
// NEAR-NEXT: int32_t arg4,
// NEAR-NEXT: const FritTensor *arg5,
// NEAR-NEXT: const FritTensor *result);
func.func @t(%a: tensor<4xf32> {frit.tensor = "FritTensor"}, %b: tensor<4xf32> {frit.tensor = "static_assert"},
             %c: tensor<4xf32> {frit.tensor = "and_eq"}, %d: tensor<4xf32> {frit.tensor = "FRIT_STATUS_OK"},
             %e: i32 {frit.tensor = "int32_t"}, %f: tensor<4xf32> {frit.tensor = "NULL"}) -> tensor<4xf32> {
  return %a : tensor<4xf32>
}
func.func @assert() { return }
func.func @local() { return }
func.func @NO_DEVICE() { return }
func.func @expf() { return }
func.func @FAST8_MAX() { return }
