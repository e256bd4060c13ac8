// RUN: not %frit_opt %s --pass-pipeline='builtin.module(convert-frit-to-vector{vector-width=64})' 2>&1 | FileCheck %s -DWIDTH=64
// RUN: not %frit_opt %s --pass-pipeline='builtin.module(convert-frit-to-vector{vector-width=384})' 2>&1 | FileCheck %s -DWIDTH=384
// RUN: not %frit_opt %s --pass-pipeline='builtin.module(convert-frit-to-vector{vector-width=4096})' 2>&1 | FileCheck %s -DWIDTH=4096

// CHECK: error: convert-frit-to-vector: vector-width is [[WIDTH]], expected a power of two from 128 to 2048
