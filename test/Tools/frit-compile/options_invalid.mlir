// What frit-compile refuses, with its exit codes; nothing is written then.

// RUN: %exit 1 frit-compile 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: frit-compile: error: expected one FILE (- for standard input), got 0
// RUN: %exit 1 frit-compile %s 2>&1 | FileCheck %s --check-prefix=OUTPUT
// OUTPUT: error: where does the output go? Pass -o FILE
// RUN: %exit 1 frit-compile %s -o %t.o --emitt=obj 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: error: unknown option '--emitt=obj'; did you mean '--emit=
// RUN: %exit 1 frit-compile %s -o %t.o --emit=obj,asm 2>&1 | FileCheck %s --check-prefix=EMIT
// EMIT: error: --emit=obj,asm: 'asm' is no kind of output: expected obj, header, so, ptx, llvm, mlirbc or weights
// RUN: %exit 1 frit-compile %s -o %t.o --emit=obj,header,obj 2>&1 | FileCheck %s --check-prefix=SAME
// SAME: error: --emit=obj,header,obj: 'obj' is there twice
// RUN: %exit 1 frit-compile %s -o %t.o --emit=obj --emit=obj 2>&1 | FileCheck %s --check-prefix=AGAIN
// AGAIN: error: --emit=obj: 'obj' is there twice
// RUN: %exit 1 frit-compile %s -o - --emit=obj,header 2>&1 | FileCheck %s --check-prefix=STDOUT
// STDOUT: error: -o -: standard output takes one kind of output, but --emit names 2
// RUN: %exit 1 frit-compile %s -o %t.o --prefix=a-b 2>&1 | FileCheck %s --check-prefix=PREFIX
// PREFIX: error: --prefix=a-b: expected letters, digits and underscores, a letter first
// RUN: %exit 1 frit-compile %s -o %t.dir/1.o 2>&1 | FileCheck %s --check-prefix=NAME
// NAME: error: the name of the output, '1', cannot begin exported names; pass --prefix: expected letters
// RUN: %exit 1 frit-compile %s -o - 2>&1 | FileCheck %s --check-prefix=DASH
// DASH: error: the name of the output, '-', cannot begin exported names; pass --prefix

// RUN: %exit 1 frit-compile %s -o %t.o --target=tpu --prefix=p 2>&1 | FileCheck %s --check-prefix=TARGET
// TARGET: error: --target=tpu: expected cpu, cpu:MARCH, cpu+onednn[:MARCH], cuda, cuda:N or cuda:sm_XX, not 'tpu'
// RUN: %exit 1 frit-compile %s -o %t.o --target=cpu:z80 --prefix=p 2>&1 | FileCheck %s --check-prefix=MARCH
// MARCH: error: --target=cpu:z80: LLVM knows no processor 'z80' of {{[^;]+}}; clang --print-supported-cpus lists them{{$}}
// RUN: %exit 1 frit-compile %s -o %t.o --target=cuda:sm_1 --prefix=p 2>&1 | FileCheck %s --check-prefix=CHIP
// CHIP: error: --target=cuda:sm_1: code can be made for {{.*}}, but not for 'sm_1'
// RUN: %exit 1 frit-compile %s -o %t.o --target=cuda:sm_90a,sm_1 --prefix=p 2>&1 | FileCheck %s --check-prefix=CHIPS
// CHIPS: error: --target=cuda:sm_90a,sm_1: code can be made for {{.*}}, but not for 'sm_1'
// RUN: %exit 1 frit-compile %s -o %t.o --target=cuda:sm_80,sm_90a,sm_80 --prefix=p 2>&1 | FileCheck %s --check-prefix=TWICE
// TWICE: error: --target=cuda:sm_80,sm_90a,sm_80: the architecture sm_80 is there twice
// RUN: %exit 1 frit-compile %s -o %t.o --target=cuda:sm_80,1 --prefix=p 2>&1 | FileCheck %s --check-prefix=MIXED
// MIXED: error: --target=cuda:sm_80,1: expected cuda:sm_XX,sm_YY... for several architectures, not '1' in 'cuda:sm_80,1'
// RUN: %exit 1 frit-compile %s -o %t.o --target=cuda:sm_80,sm_90a --emit=obj,ptx --prefix=p 2>&1 | FileCheck %s --check-prefix=PTXS
// PTXS: error: --emit=ptx: PTX is for one architecture, but --target=cuda:sm_80,sm_90a names 2
// RUN: not frit-run %s --target=cuda:sm_80,sm_90a 2>&1 | FileCheck %s --check-prefix=CALLED
// CALLED: error: --target=cuda:sm_80,sm_90a: code for several architectures, sm_80, sm_90a, can only be written to files
// RUN: %exit 1 frit-compile %s -o %t.o --host-march=znver3 --prefix=p 2>&1 | FileCheck %s --check-prefix=HOST
// HOST: error: --host-march=znver3: the target is a CPU: pass --target=cpu:znver3
// RUN: %exit 1 frit-compile %s -o %t.o --emit=ptx --prefix=p 2>&1 | FileCheck %s --check-prefix=PTX
// PTX: error: --emit=ptx: the target is cpu
// RUN: %exit 1 frit-compile %s -o %t.o --policy=fast --prefix=p 2>&1 | FileCheck %s --check-prefix=POLICY
// POLICY: error: --policy: unknown policy 'fast', expected 'auto'
// RUN: %exit 1 frit-compile %s -o %t.o --without=frit-raise --prefix=p 2>&1 | FileCheck %s --check-prefix=WITHOUT
// RUN: %exit 1 frit-compile %s -o %t.o --transpose-weights --without=frit-form-sparse-ffn --prefix=p 2>&1 | FileCheck %s --check-prefix=TRANSPOSE
// TRANSPOSE: error: --transpose-weights cannot be given with --without=frit-form-sparse-ffn
// WITHOUT: error: --without=frit-raise: 'frit-raise' is no pass that can be left out: those are frit-transpose-weights, {{.*}}, frit-launch-early{{$}}

// RUN: %exit 1 frit-compile %s.absent -o %t.o --prefix=p 2>&1 | FileCheck %s --check-prefix=ABSENT
// ABSENT: error: cannot read '{{.*}}.absent': No such file or directory
// RUN: %exit 1 frit-compile %s -o %t.o --entry=g --prefix=p 2>&1 | FileCheck %s --check-prefix=ENTRY
// ENTRY: error: --entry=g: the module has no func.func '@g'; it has @f, @complex, @space
// RUN: echo 'func.func private @f()' | %exit 1 frit-compile - -o %t.o --prefix=p 2>&1 | FileCheck %s --check-prefix=NOTHING
// NOTHING: error: there is nothing to export: the module has no public func.func with a body
// RUN: echo 'func.func @f(' | %exit 2 frit-compile - -o %t.o --prefix=p 2>&1 | FileCheck %s --check-prefix=SYNTAX
// SYNTAX: error: expected
// RUN: %exit 2 frit-compile %s -o %t.o --entry=complex --prefix=p 2>&1 | FileCheck %s --check-prefix=TYPE
// TYPE: options_invalid.mlir:[[#]]:{{.*}}error: result 0 of '@complex' is tensor<4xcomplex<f32>>: callers can pass ranked tensors
// RUN: %exit 2 frit-compile %s -o %t.o --entry=space --prefix=p 2>&1 | FileCheck %s --check-prefix=SPACE
// SPACE: error: argument 0 of '@space' is memref<4xf32, 1>: callers can pass
// RUN: %exit 1 frit-compile %s -o %t.so --entry=f --emit=so --linker=no-such-linker --prefix=p 2>&1 | FileCheck %s --check-prefix=LINKER
// LINKER: error: --linker=no-such-linker: no such program, or it is not in PATH
// RUN: %exit 2 frit-compile %s -o %t.so --entry=f --emit=so --linker=false --prefix=p 2>&1 | FileCheck %s --check-prefix=LINK
// LINK: error: '{{.*}}false' did not link the library: it returned 1 and said nothing; expected the driver of a C compiler
// RUN: %exit 3 frit-compile %s -o %t.absent/f --entry=f --emit=obj,header 2>&1 | FileCheck %s --check-prefix=UNWRITABLE
// UNWRITABLE: error: {{.*}}f.o: {{.*}}No such file or directory

// RUN: not ls %t.o %t.so

// The source is no output, under whatever name.
// RUN: rm -rf %t.own && mkdir %t.own && cp %s %t.own/own.mlir && ln -s own.mlir %t.own/link.mlir
// RUN: %exit 1 frit-compile %t.own/own.mlir -o %t.own/own.mlir --entry=f 2>&1 | FileCheck %s --check-prefix=OWN
// RUN: %exit 1 frit-compile %t.own/link.mlir -o %t.own/own.mlir --entry=f 2>&1 | FileCheck %s --check-prefix=OWN
// OWN: error: the output '{{.*}}own.mlir' is the source '{{.*}}.mlir': expected another file
// RUN: cmp %s %t.own/own.mlir

// Outputs appear together or not at all.
// RUN: rm -rf %t.set && mkdir -p %t.set/x.h
// RUN: %exit 3 frit-compile %s -o %t.set/x --entry=f --emit=obj,header 2>&1 | FileCheck %s --check-prefix=SET
// SET: error: {{.*}}x.h: cannot write: Is a directory
// RUN: not ls %t.set/x.o

func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
func.func @complex(%x: tensor<4xf32>) -> tensor<4xcomplex<f32>> {
  %y = tensor.empty() : tensor<4xcomplex<f32>>
  return %y : tensor<4xcomplex<f32>>
}
func.func @space(%x: memref<4xf32, 1>) {
  return
}
