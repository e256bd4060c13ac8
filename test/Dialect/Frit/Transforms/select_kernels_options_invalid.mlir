// RUN: not %frit_opt %s --pass-pipeline='builtin.module(frit-select-kernels{target=gpu})' 2>&1 | FileCheck %s --check-prefix=TARGET
// TARGET: error: frit-select-kernels: unknown target 'gpu', expected 'cpu', 'cpu+onednn' or 'cuda:sm_XX' with XX one of 80, 89, 90, 90a, 100, 100a, 103, 120

// RUN: not %frit_opt %s --pass-pipeline='builtin.module(frit-select-kernels{target=cuda:sm_50})' 2>&1 | FileCheck %s --check-prefix=SM
// SM: error: frit-select-kernels: unknown target 'cuda:sm_50', expected

// RUN: not %frit_opt %s --pass-pipeline='builtin.module(frit-select-kernels{policy=fastest})' 2>&1 | FileCheck %s --check-prefix=POLICY
// POLICY: error: frit-select-kernels: unknown policy 'fastest', expected 'auto', 'native', 'batch-invariant', 'require=cuda', 'require=library' or 'require=native'

// RUN: not %frit_opt %s --pass-pipeline='builtin.module(frit-select-kernels{policy=require=oneDNN})' 2>&1 | FileCheck %s --check-prefix=PROVIDER
// PROVIDER: error: frit-select-kernels: unknown policy 'require=oneDNN', expected

// RUN: not %frit_opt %s --pass-pipeline='builtin.module(frit-select-kernels{priority=native.vector})' 2>&1 | FileCheck %s --check-prefix=PRIORITY
// PRIORITY: error: frit-select-kernels: priority 'native.vector' is not '<kernel id>:<number>'

// RUN: not %frit_opt %s --pass-pipeline='builtin.module(frit-select-kernels{priority=native.vektor:3})' 2>&1 | FileCheck %s --check-prefix=ID
// ID: error: frit-select-kernels: priority 'native.vektor:3' names kernel 'native.vektor', which is not in the kernel table

// RUN: not %frit_opt %s --pass-pipeline='builtin.module(frit-select-kernels{priority=native.vector:3,native.vector:4})' 2>&1 | FileCheck %s --check-prefix=TWICE
// TWICE: error: frit-select-kernels: priority 'native.vector:4' is a second one for 'native.vector'

// RUN: not %frit_opt %s --pass-pipeline='builtin.module(frit-select-kernels{min-grouped-tokens=-1})' 2>&1 | FileCheck %s --check-prefix=GROUPED
// GROUPED: error: frit-select-kernels: min-grouped-tokens=-1: expected a number of tokens of 0 or more

func.func @f() {
  return
}
