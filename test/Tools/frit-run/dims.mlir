// RUN: frit-run %s --fill=ones --dim tokens=2 --dim arg0.1=3 --print | FileCheck %s
// CHECK: result 0: 2x3xf32

// RUN: frit-run %s --fill=ones --input=arg0=2x3xf32=random | FileCheck %s --check-prefix=TYPE
// TYPE: seed: 0

// RUN: %exit 1 frit-run %s --fill=ones --dim tokens=2 2>&1 | FileCheck %s --check-prefix=MISSING
// MISSING: error: the size of dimension 1 of argument 0 (?x?xf32) is not known: pass --dim arg0.1=SIZE, or a type with --input

// RUN: %exit 1 frit-run %s --fill=ones --dim token=2 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: error: --dim token=2: no dimension of '@main' has this name; there are tokens, arg0.1, width

// RUN: %exit 1 frit-run %s --fill=ones --dim tokens=2 --input=arg0=4x3xf32=random 2>&1 | FileCheck %s --check-prefix=DISAGREE
// DISAGREE: error: dimension 'tokens' is 2 by --dim, but 4 by argument 0 (--input=arg0=4x3xf32=random)

// RUN: %exit 1 frit-run %s --fill=ones --dim tokens=2 --dim arg0.1=3 --dim width=6 2>&1 | FileCheck %s --check-prefix=STATIC
// STATIC: error: dimension 'width' is 6 by --dim, but 5 by the type of argument 1 (?x5xf32)

// RUN: %exit 1 frit-run %s --fill=ones --dim tokens=-1 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// NEGATIVE: error: --dim=tokens=-1: '-1' is not a size (an integer of 0 or more)
func.func @main(%x: tensor<?x?xf32> {frit.dims = ["tokens", ""]}, %y: tensor<?x5xf32> {frit.dims = ["tokens", "width"]})
    -> tensor<?x?xf32> {
  return %x : tensor<?x?xf32>
}
