// RUN: frit-run %s --dump=mlir | FileCheck %s --check-prefix=MLIR
// RUN: frit-run %s --dump=llvm | FileCheck %s --check-prefix=LLVM
// RUN: frit-run %s --dump=llvm --target=cpu:x86-64 --dump-output=%t.ll
// RUN: FileCheck %s --check-prefix=LLVM --input-file=%t.ll
// RUN: frit-run %s --dump=obj --dump-output=%t.o
// RUN: llvm-nm %t.o | FileCheck %s --check-prefix=OBJ
// RUN: %exit 3 frit-run %s --dump=obj --dump-output=%t.absent/a.o 2>&1 | FileCheck %s --check-prefix=UNWRITABLE

// MLIR: llvm.func @_frit_main(%{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr) -> i32
// LLVM: define {{.*}}i32 @_frit_main(ptr {{.*}}, ptr {{.*}})
// OBJ-DAG: T _frit_main
// OBJ-DAG: U fritBeginCall
// UNWRITABLE: error: {{.*}}a.o: {{.*}}No such file or directory
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
