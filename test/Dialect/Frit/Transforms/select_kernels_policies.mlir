// RUN: split-file %s %t
// RUN: frit-test-opt %t/sm80.mlir --verify-diagnostics --remarks-filter='frit-select-kernels' --pass-pipeline='builtin.module(frit-select-kernels{target=cuda:sm_80})'
// RUN: frit-test-opt %t/sm90a.mlir --verify-diagnostics --remarks-filter='frit-select-kernels' --pass-pipeline='builtin.module(frit-select-kernels{target=cuda:sm_90a priority=test.specific:200})'
// RUN: frit-test-opt %t/sm100.mlir --verify-diagnostics --remarks-filter='frit-select-kernels' --pass-pipeline='builtin.module(frit-select-kernels{target=cuda:sm_100})'
// RUN: frit-test-opt %t/native.mlir --verify-diagnostics --remarks-filter='frit-select-kernels' --pass-pipeline='builtin.module(frit-select-kernels{policy=native})'
// RUN: frit-test-opt %t/invariant.mlir --verify-diagnostics --remarks-filter='frit-select-kernels' --pass-pipeline='builtin.module(frit-select-kernels{policy=batch-invariant})'
// RUN: frit-test-opt %t/required.mlir --verify-diagnostics --remarks-filter='frit-select-kernels' --pass-pipeline='builtin.module(frit-select-kernels{policy=require=library})'
// RUN: frit-test-opt %t/require_invalid.mlir --verify-diagnostics --pass-pipeline='builtin.module(frit-select-kernels{policy=require=cuda target=cuda:sm_90})'
// RUN: frit-test-opt %t/require_dynamic_invalid.mlir --verify-diagnostics --pass-pipeline='builtin.module(frit-select-kernels{policy=require=library})'
// RUN: frit-test-opt %t/kept_invalid.mlir --verify-diagnostics --pass-pipeline='builtin.module(frit-select-kernels)'
// UNSUPPORTED: plugin

//--- sm80.mlir
func.func @f(%x: tensor<4x64xbf16>, %y: tensor<4x32xbf16>) -> tensor<4x32xbf16> {
  // expected-remark @below {{[Missed] test.absent | Category:frit-select-kernels | Function=f | Reason="built without CUDA"}}
  // expected-remark @below {{[Passed] test.generic | Category:frit-select-kernels | Function=f | Remark="admissible, with priority 100"}}
  // expected-remark @below {{[Missed] test.specific | Category:frit-select-kernels | Function=f | Reason="runs on sm_90a, but the target is cuda:sm_80"}}
  // expected-remark @below {{[Missed] test.tanh_only | Category:frit-select-kernels | Function=f | Reason="runs on cpu, but the target is cuda:sm_80"}}
  // expected-remark @below {{[Missed] native.simt}}
  // expected-remark @below {{[Missed] native.vector | Category:frit-select-kernels | Function=f | Reason="runs on cpu, but the target is cuda:sm_80"}}
  // expected-remark @below {{[Missed] native.linalg | Category:frit-select-kernels | Function=f | Reason="admissible, but of lower priority than 'test.generic' (10 to 100)"}}
  %0 = frit.gelu_and_mul_sparse ins(%x : tensor<4x64xbf16>) outs(%y : tensor<4x32xbf16>) std_multiplier = 1.5 -> tensor<4x32xbf16>
  return %0 : tensor<4x32xbf16>
}

//--- sm90a.mlir
func.func @f(%x: tensor<4x64xbf16>, %y: tensor<4x32xbf16>) -> tensor<4x32xbf16> {
  // expected-remark @below {{[Passed] test.specific | Category:frit-select-kernels | Function=f | Remark="admissible, with priority 200"}}
  // expected-remark @below {{[Missed] test.absent}}
  // expected-remark @below {{[Missed] test.generic | Category:frit-select-kernels | Function=f | Reason="admissible, but of lower priority than 'test.specific' (100 to 200)"}}
  // expected-remark @below {{[Missed] test.tanh_only}}
  // expected-remark @below {{[Missed] native.simt}}
  // expected-remark @below {{[Missed] native.vector}}
  // expected-remark @below {{[Missed] native.linalg}}
  %0 = frit.gelu_and_mul_sparse ins(%x : tensor<4x64xbf16>) outs(%y : tensor<4x32xbf16>) std_multiplier = 1.5 -> tensor<4x32xbf16>
  return %0 : tensor<4x32xbf16>
}

//--- sm100.mlir
func.func @f(%x: tensor<4x64xbf16>, %y: tensor<4x32xbf16>) -> tensor<4x32xbf16> {
  // expected-remark @below {{[Missed] test.absent}}
  // expected-remark @below {{[Missed] test.generic | Category:frit-select-kernels | Function=f | Reason="not built for sm_100 (built: 80, 90a)"}}
  // expected-remark @below {{[Missed] test.specific}}
  // expected-remark @below {{[Missed] test.tanh_only}}
  // expected-remark @below {{[Passed] native.simt}}
  // expected-remark @below {{[Missed] native.vector}}
  // expected-remark @below {{[Missed] native.linalg}}
  %0 = frit.gelu_and_mul_sparse ins(%x : tensor<4x64xbf16>) outs(%y : tensor<4x32xbf16>) std_multiplier = 1.5 -> tensor<4x32xbf16>
  return %0 : tensor<4x32xbf16>
}

//--- native.mlir
func.func @f(%x: tensor<4x128xbf16>, %y: tensor<4x64xbf16>) -> tensor<4x64xbf16> {
  // expected-remark @below {{[Missed] test.few_tokens | Category:frit-select-kernels | Function=f | Reason="its provider is library, but the policy is native"}}
  // expected-remark @below {{[Missed] test.wide | Category:frit-select-kernels | Function=f | Reason="its provider is library, but the policy is native"}}
  // expected-remark @below {{[Missed] native.simt}}
  // expected-remark @below {{[Passed] native.vector}}
  // expected-remark @below {{[Missed] native.linalg}}
  %0 = frit.act_and_mul silu ins(%x : tensor<4x128xbf16>) outs(%y : tensor<4x64xbf16>) -> tensor<4x64xbf16>
  return %0 : tensor<4x64xbf16>
}

//--- invariant.mlir

// The same choice for every number of tokens, known or not, and what it costs.

func.func @static(%x: tensor<4x128xbf16>, %y: tensor<4x64xbf16>) -> tensor<4x64xbf16> {
  // expected-remark @below {{[Missed] test.few_tokens | Category:frit-select-kernels | Function=static | Reason="needs T to be at most 16, and a batch-invariant choice must not depend on the number of tokens"}}
  // expected-remark @below {{[Passed] test.wide}}
  // expected-remark @below {{[Missed] native.simt}}
  // expected-remark @below {{[Missed] native.vector}}
  // expected-remark @below {{[Missed] native.linalg}}
  // expected-remark @below {{[Analysis] batch-invariant | Category:frit-select-kernels | Function=static | Remark="the policy costs 'test.few_tokens' (priority 70); 'test.wide' (priority 60) runs instead"}}
  %0 = frit.act_and_mul silu ins(%x : tensor<4x128xbf16>) outs(%y : tensor<4x64xbf16>) -> tensor<4x64xbf16>
  return %0 : tensor<4x64xbf16>
}
func.func @dynamic(%x: tensor<?x128xbf16>, %y: tensor<?x64xbf16>) -> tensor<?x64xbf16> {
  // expected-remark @below {{[Missed] test.few_tokens}}
  // expected-remark @below {{[Passed] test.wide}}
  // expected-remark @below {{[Missed] native.simt}}
  // expected-remark @below {{[Missed] native.vector}}
  // expected-remark @below {{[Missed] native.linalg}}
  // expected-remark @below {{[Analysis] batch-invariant}}
  %0 = frit.act_and_mul silu ins(%x : tensor<?x128xbf16>) outs(%y : tensor<?x64xbf16>) -> tensor<?x64xbf16>
  return %0 : tensor<?x64xbf16>
}
// Where the entry could not be picked anyway, nothing is given up.
func.func @free(%x: tensor<20x128xbf16>, %y: tensor<20x64xbf16>) -> tensor<20x64xbf16> {
  // expected-remark @below {{[Missed] test.few_tokens}}
  // expected-remark @below {{[Passed] test.wide}}
  // expected-remark @below {{[Missed] native.simt}}
  // expected-remark @below {{[Missed] native.vector}}
  // expected-remark @below {{[Missed] native.linalg}}
  %0 = frit.act_and_mul silu ins(%x : tensor<20x128xbf16>) outs(%y : tensor<20x64xbf16>) -> tensor<20x64xbf16>
  return %0 : tensor<20x64xbf16>
}

//--- required.mlir
func.func @f(%x: tensor<?x128xbf16>, %y: tensor<?x64xbf16>) -> tensor<?x64xbf16> {
  // expected-remark @below {{[Passed] test.few_tokens | Category:frit-select-kernels | Function=f | Remark="where the run-time guard holds: T to be at most 16"}}
  // expected-remark @below {{[Passed] test.wide | Category:frit-select-kernels | Function=f | Remark="admissible, with priority 60"}}
  // expected-remark @below {{[Missed] native.simt}}
  // expected-remark @below {{[Missed] native.vector | Category:frit-select-kernels | Function=f | Reason="its provider is native, but the policy is require=library"}}
  // expected-remark @below {{[Missed] native.linalg}}
  %0 = frit.act_and_mul silu ins(%x : tensor<?x128xbf16>) outs(%y : tensor<?x64xbf16>) -> tensor<?x64xbf16>
  return %0 : tensor<?x64xbf16>
}

//--- require_invalid.mlir
func.func @f(%x: tensor<4x64xf32>, %y: tensor<4x32xf32>) -> tensor<4x32xf32> {
  // expected-error @below {{'frit.gelu_and_mul_sparse' op has no admissible kernel (target cuda:sm_90, policy require=cuda)}}
  // expected-note @below {{candidate 'test.absent': takes f16, bf16, but the element type is f32}}
  // expected-note @below {{candidate 'test.generic': takes f16, bf16, but the element type is f32}}
  // expected-note @below {{candidate 'test.specific': runs on sm_90a, but the target is cuda:sm_90}}
  // expected-note @below {{candidate 'test.tanh_only': its provider is library, but the policy is require=cuda}}
  // expected-note @below {{candidate 'native.simt': its provider is native, but the policy is require=cuda}}
  // expected-note @below {{candidate 'native.vector': its provider is native, but the policy is require=cuda}}
  // expected-note @below {{candidate 'native.linalg': its provider is native, but the policy is require=cuda}}
  %0 = frit.gelu_and_mul_sparse ins(%x : tensor<4x64xf32>) outs(%y : tensor<4x32xf32>) std_multiplier = 1.5 -> tensor<4x32xf32>
  // Every op that misses is reported.
  // expected-error @below {{'frit.act_and_mul' op has no admissible kernel}}
  // expected-note @below {{candidate 'test.few_tokens'}}
  // expected-note @below {{candidate 'test.wide'}}
  // expected-note @below {{candidate 'native.simt'}}
  // expected-note @below {{candidate 'native.vector'}}
  // expected-note @below {{candidate 'native.linalg'}}
  %1 = frit.act_and_mul silu ins(%x : tensor<4x64xf32>) outs(%0 : tensor<4x32xf32>) -> tensor<4x32xf32>
  return %1 : tensor<4x32xf32>
}

//--- require_dynamic_invalid.mlir

// What may miss at run time is a miss.

func.func @f(%x: tensor<?x128xf32>, %y: tensor<?x64xf32>, %xd: tensor<4x?xf32>, %yd: tensor<4x?xf32>) -> (tensor<?x64xf32>, tensor<4x?xf32>) {
  %0 = frit.act_and_mul silu ins(%x : tensor<?x128xf32>) outs(%y : tensor<?x64xf32>) -> tensor<?x64xf32>
  // expected-error @below {{'frit.act_and_mul' op has no kernel that is admissible whatever the sizes at run time are (target cpu, policy require=library)}}
  // expected-note @below {{candidate 'test.few_tokens': takes bf16, but the element type is f32}}
  // expected-note @below {{candidate 'test.wide': where the run-time guard holds: d to be a multiple of 16, d to be at least 64}}
  // expected-note @below {{candidate 'native.simt': its provider is native}}
  // expected-note @below {{candidate 'native.vector': its provider is native}}
  // expected-note @below {{candidate 'native.linalg': its provider is native}}
  %1 = frit.act_and_mul silu ins(%xd : tensor<4x?xf32>) outs(%yd : tensor<4x?xf32>) -> tensor<4x?xf32>
  return %0, %1 : tensor<?x64xf32>, tensor<4x?xf32>
}

//--- kept_invalid.mlir
func.func @f(%x: tensor<20x128xbf16>, %y: tensor<20x64xbf16>) -> tensor<20x64xbf16> {
  // expected-error @below {{'frit.act_and_mul' op names kernel 'test.few_tokens', which cannot execute it: needs T to be at most 16, but T is 20}}
  %0 = frit.act_and_mul silu ins(%x : tensor<20x128xbf16>) outs(%y : tensor<20x64xbf16>) {frit.kernel = #frit.kernel<"test.few_tokens">} -> tensor<20x64xbf16>
  return %0 : tensor<20x64xbf16>
}
