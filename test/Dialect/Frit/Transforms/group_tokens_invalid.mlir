// RUN: %frit_opt %s --verify-diagnostics --pass-pipeline='builtin.module(frit-group-tokens{min-tokens=-1})'

// expected-error@below {{min-tokens=-1: expected a number of tokens of 0 or more}}
module {
}
