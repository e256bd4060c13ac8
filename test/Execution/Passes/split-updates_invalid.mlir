// RUN: %frit_opt %s --verify-diagnostics --pass-pipeline='builtin.module(frit-split-updates{min-updates=1})'

// expected-error@below {{frit-split-updates: min-updates=1: expected a number of updates of 2 or more}}
module {
}
