// RUN: frit-run %s --fill=random --benchmark --benchmark-repetitions=3 | FileCheck %s
// CHECK: warm: median {{[0-9.]+}} us, p5 {{[0-9.]+}} us, p95 {{[0-9.]+}} us (3 samples of {{[0-9]+}} calls)
// CHECK: cold: median {{[0-9.]+}} us, p5 {{[0-9.]+}} us, p95 {{[0-9.]+}} us (3 samples of 1 calls)

// RUN: frit-run %s --fill=random --benchmark-output=%t.json --benchmark-repetitions=3
// RUN: %python -m json.tool %t.json | FileCheck %s --check-prefix=JSON
// RUN: frit-run %s --fill=random --benchmark-output=- --benchmark-repetitions=3 | FileCheck %s --check-prefix=JSON
// JSON: "arguments": [
// JSON-NEXT: "64xf32"
// JSON: "cold": {
// JSON: "median_us":
// JSON: "threads":
// JSON: "warm": {
// RUN: %exit 3 frit-run %s --fill=random --benchmark-output=%t.absent/a.json --benchmark-repetitions=3 2>&1 | FileCheck %s --check-prefix=UNWRITABLE --implicit-check-not=warm
// UNWRITABLE: error: {{.*}}a.json: cannot write: No such file or directory
// RUN: %exit 1 frit-run %s --fill=random --benchmark-repetitions=0
func.func @main(%x: tensor<64xf32>) -> tensor<64xf32> {
  %e = tensor.empty() : tensor<64xf32>
  %y = linalg.add ins(%x, %x : tensor<64xf32>, tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  return %y : tensor<64xf32>
}
