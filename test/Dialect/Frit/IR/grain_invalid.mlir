// RUN: %frit_opt %s --split-input-file --verify-diagnostics

func.func @zero(%n: index) {
  // expected-error@below {{'frit.grain' must be a positive i64, but is 0 : i64}}
  scf.parallel (%i) = (%n) to (%n) step (%n) {
  } {frit.grain = 0 : i64}
  return
}

// -----

func.func @type(%n: index) {
  // expected-error@below {{'frit.grain' must be a positive i64, but is 4 : i32}}
  scf.parallel (%i) = (%n) to (%n) step (%n) {
  } {frit.grain = 4 : i32}
  return
}

// -----

func.func @place(%n: index) {
  // expected-error@below {{'frit.grain' belongs on scf.parallel}}
  %0 = arith.addi %n, %n {frit.grain = 4 : i64} : index
  return
}
