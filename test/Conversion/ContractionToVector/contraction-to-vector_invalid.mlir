// RUN: not %frit_opt %s --pass-pipeline='builtin.module(convert-contraction-to-vector{vector-width=96})' 2>&1 | FileCheck %s

// CHECK: convert-contraction-to-vector: vector-width is 96, expected a power of two from 128 to 2048
module {}
