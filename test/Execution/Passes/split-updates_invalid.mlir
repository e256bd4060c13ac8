// RUN: %frit_opt %s --verify-diagnostics --pass-pipeline='builtin.module(frit-split-updates{min-updates=1})'
// RUN: not %frit_opt %s --pass-pipeline='builtin.module(frit-split-updates{min-reads=0})' 2>&1 | FileCheck %s
// CHECK: frit-split-updates: min-reads=0: expected a number of reads of 1 or more

// expected-error@below {{frit-split-updates: min-updates=1: expected a number of updates of 2 or more}}
module {
}
