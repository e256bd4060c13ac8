// RUN: %frit_opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(convert-assert-to-frit-runtime)'

func.func @no_context(%a: i1) -> i32 {
  // expected-error@below {{is in function 'no_context', which has no context argument}}
  cf.assert %a, "message"
  %ok = arith.constant 0 : i32
  return %ok : i32
}

// -----

// expected-error@below {{function 'no_status' has result types (), but an assertion in it returns a status, one i32}}
func.func @no_status(%context: !llvm.ptr, %a: i1) {
  cf.assert %a, "message"
  return
}

// -----

func.func @structured(%context: !llvm.ptr, %a: i1, %b: i1) -> i32 {
  scf.if %b {
    // expected-error@below {{is nested in 'scf.if'; an early return needs the function's own blocks (run convert-scf-to-cf first)}}
    cf.assert %a, "message"
  }
  %ok = arith.constant 0 : i32
  return %ok : i32
}

// -----

llvm.func @elsewhere(%a: i1) {
  // expected-error@below {{is in no func.func, so that there is no context for the runtime}}
  cf.assert %a, "message"
  llvm.return
}
