// An object exports what its prefix says, and needs the runtime and memcpy's
// kin alone, whatever the graph calls.

// RUN: frit-compile %s -o %t.o --prefix=all
// RUN: llvm-nm --extern-only --defined-only --format=just-symbols %t.o | sort | FileCheck %s --check-prefix=DEFINED --match-full-lines
// DEFINED: all_casts
// DEFINED-NEXT: all_casts_entry
// DEFINED-NEXT: all_libm
// DEFINED-NEXT: all_libm_entry
// DEFINED-NOT: {{.}}

// RUN: llvm-nm --undefined-only --format=just-symbols %t.o | sort | FileCheck %s --check-prefix=NEEDED
// RUN: llvm-nm --undefined-only --format=just-symbols %t.o | not grep -vE '^(frit[A-Z]|mem(cpy|move|set)$|__(trunc|extend))'
// NEEDED-DAG: fritEntryCall
// NEEDED-DAG: fritBeginCall
// NEEDED-DAG: fritMath_powf
// NEEDED-DAG: fritMath_fmod
// NEEDED-DAG: fritMath_cosf
// NEEDED-DAG: fritMath___powisf2
// NEEDED-DAG: __extendhfsf2

// Neither libm nor anything else of the compiler's is linked.
// RUN: %cc -nodefaultlibs -shared %t.o -o %t.so -Wl,-z,defs %link -lc

func.func @libm(%x: tensor<8xf32>, %y: tensor<8xf64>, %n: i32) -> (tensor<8xf32>, tensor<8xf64>) {
  %0 = math.cos %x : tensor<8xf32>
  %1 = math.powf %0, %x : tensor<8xf32>
  %c0 = arith.constant 0 : index
  %2 = tensor.extract %1[%c0] : tensor<8xf32>
  %3 = math.fpowi %2, %n : f32, i32
  %4 = tensor.insert %3 into %1[%c0] : tensor<8xf32>
  %5 = arith.remf %y, %y : tensor<8xf64>
  return %4, %5 : tensor<8xf32>, tensor<8xf64>
}

func.func @casts(%x: tensor<8xf16>, %y: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xbf16>) {
  %0 = arith.extf %x : tensor<8xf16> to tensor<8xf32>
  %1 = arith.truncf %y : tensor<8xf32> to tensor<8xbf16>
  return %0, %1 : tensor<8xf32>, tensor<8xbf16>
}
