// RUN: %frit_opt %s --split-input-file --verify-diagnostics

// expected-error@below {{'frit.processor_features' is an array of strings, of modules, but is ["avx2", 512]}}
module attributes {frit.processor_features = ["avx2", 512]} {
}

// -----

// expected-error@below {{'frit.processor_features' is an array of strings, of modules, but is ["avx2"]}}
func.func private @f() attributes {frit.processor_features = ["avx2"]}
