// RUN: frit-run %s --fill=random --dim tokens=5 --expect=native --exact-zero-mask --explain --target=cpu | FileCheck %s --check-prefixes=EXPLAIN,CHECK
// RUN: frit-run %s --fill=random --dim tokens=0 --expect=native | FileCheck %s --check-prefix=EMPTY
// RUN: frit-run %s --fill=random --dim tokens=5 --expect=native --policy=native --threads=1 --target=cpu:x86-64 | FileCheck %s

// EXPLAIN: op {{ *}}kernel {{ *}}outcome {{ *}}reason
// EXPLAIN-NEXT: frit.gelu_and_mul_sparse at [[@LINE+10]]:8
// EXPLAIN-NOT: cuda.
// EXPLAIN: native.vector {{ *}}picked
// EXPLAIN-NEXT: native.linalg {{ *}}admissible  but of lower priority than 'native.vector' (10 to 20)
// CHECK: result 0 and native: 5x64xbf16: match
// EMPTY: result 0 and native: 0x64xbf16: match
func.func @main(%x: tensor<?x128xbf16> {frit.dims = ["tokens", ""]}) -> tensor<?x64xbf16> {
  %c0 = arith.constant 0 : index
  %tokens = tensor.dim %x, %c0 : tensor<?x128xbf16>
  %e = tensor.empty(%tokens) : tensor<?x64xbf16>
  %y = frit.gelu_and_mul_sparse ins(%x : tensor<?x128xbf16>) outs(%e : tensor<?x64xbf16>)
       std_multiplier = 1.0 -> tensor<?x64xbf16>
  return %y : tensor<?x64xbf16>
}
