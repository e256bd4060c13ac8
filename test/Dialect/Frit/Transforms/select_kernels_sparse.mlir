// REQUIRES: cuda-kernels
// RUN: %frit_opt %s --pass-pipeline='builtin.module(frit-select-kernels{target=cuda:sm_90a})' | FileCheck %s
// RUN: %frit_opt %s --pass-pipeline='builtin.module(frit-select-kernels{target=cuda:sm_90a})' --remarks-filter='frit-select-kernels' 2>&1 | FileCheck %s --check-prefix=REASON

// Where up is finite, many long rows leave out what the result does not need.

// CHECK-LABEL: func.func @finite(
// CHECK: frit.gelu_and_mul_sparse
// CHECK-SAME: assume_finite_up
// CHECK-SAME: #frit.kernel<"cuda.finite_up", {blocks = 1 : i64, form = "needed8", parked = 8 : i64, threads = 256 : i64}>
func.func @finite(%x: tensor<512x32768xbf16>, %y: tensor<512x16384xbf16>) -> tensor<512x16384xbf16> {
  %r = frit.gelu_and_mul_sparse ins(%x : tensor<512x32768xbf16>) outs(%y : tensor<512x16384xbf16>)
      std_multiplier = 1.0 assume_finite_up -> tensor<512x16384xbf16>
  return %r : tensor<512x16384xbf16>
}

// REASON: cuda.finite_up{{.*}}needs assume_finite_up
// CHECK-LABEL: func.func @any(
// CHECK: #frit.kernel<"cuda.tokens", {blocks = 1 : i64, form = "registers4"
func.func @any(%x: tensor<512x32768xbf16>, %y: tensor<512x16384xbf16>) -> tensor<512x16384xbf16> {
  %r = frit.gelu_and_mul_sparse ins(%x : tensor<512x32768xbf16>) outs(%y : tensor<512x16384xbf16>)
      std_multiplier = 1.0 -> tensor<512x16384xbf16>
  return %r : tensor<512x16384xbf16>
}

// CHECK-LABEL: func.func @few(
// CHECK: #frit.kernel<"cuda.tokens256"
func.func @few(%x: tensor<256x32768xbf16>, %y: tensor<256x16384xbf16>) -> tensor<256x16384xbf16> {
  %r = frit.gelu_and_mul_sparse ins(%x : tensor<256x32768xbf16>) outs(%y : tensor<256x16384xbf16>)
      std_multiplier = 1.0 assume_finite_up -> tensor<256x16384xbf16>
  return %r : tensor<256x16384xbf16>
}

// CHECK-LABEL: func.func @short(
// CHECK: #frit.kernel<"cuda.tokens"
func.func @short(%x: tensor<512x16384xbf16>, %y: tensor<512x8192xbf16>) -> tensor<512x8192xbf16> {
  %r = frit.gelu_and_mul_sparse ins(%x : tensor<512x16384xbf16>) outs(%y : tensor<512x8192xbf16>)
      std_multiplier = 1.0 assume_finite_up -> tensor<512x8192xbf16>
  return %r : tensor<512x8192xbf16>
}

// Its guard is the first where the number of rows is known at run time only.

// CHECK-LABEL: func.func @dynamic(
// CHECK: arith.constant 512 : index
// CHECK: scf.if
// CHECK: #frit.kernel<"cuda.finite_up"
// CHECK: #frit.kernel<"cuda.tokens4"
// CHECK: #frit.kernel<"cuda.tokens16"
func.func @dynamic(%x: tensor<?x32768xbf16>, %y: tensor<?x16384xbf16>) -> tensor<?x16384xbf16> {
  %r = frit.gelu_and_mul_sparse ins(%x : tensor<?x32768xbf16>) outs(%y : tensor<?x16384xbf16>)
      std_multiplier = 1.0 assume_finite_up -> tensor<?x16384xbf16>
  return %r : tensor<?x16384xbf16>
}
