// A chain with LoRAs whose numbers of adapters need not agree, and a residual behind it: the op where it stands for the
// chain, the chain elsewhere, and the same result.
//
// REQUIRES: cpu-runner
// RUN: %frit_opt %s --pass-pipeline='builtin.module(frit-form-sparse-ffn{assume-finite-weights})' | FileCheck %s
// DEFINE: %{tokens} = 1
// DEFINE: %{gate} = 2
// DEFINE: %{up} = 2
// DEFINE: %{run} = frit-run %s --fill=random '--input=ids=random[-1,3)' --dim tokens=%{tokens} --dim gate_adapters=%{gate} --dim up_adapters=%{up}
// DEFINE: %{both} = %{run} --output=@%t.npy && %{run} --assume-finite-weights --expect=@%t.npy --atol=1e-3 --rtol=1e-3
//
// RUN: %{both}
// REDEFINE: %{up} = 3
// RUN: %{both}
// REDEFINE: %{tokens} = 3
// REDEFINE: %{gate} = 3
// RUN: %{both}
// REDEFINE: %{up} = 0
// RUN: %{both}
// REDEFINE: %{gate} = 0
// RUN: %{both}
// REDEFINE: %{tokens} = 70
// REDEFINE: %{gate} = 2
// REDEFINE: %{up} = 2
// RUN: %{both}

// CHECK: scf.if
// CHECK: frit.sparse_ffn {{.*}} accumulate = true

func.func @main(%x: tensor<?x64xf32> {frit.dims = ["tokens", ""]},
                %ids: tensor<?xi32> {frit.tensor = "ids", frit.dims = ["tokens"]},
                %wg: tensor<256x64xf32>, %wu: tensor<256x64xf32>, %wd: tensor<256x64xf32>,
                %ga: tensor<?x4x64xf32> {frit.dims = ["gate_adapters", "", ""]}, %gb: tensor<?x256x4xf32> {frit.dims = ["gate_adapters", "", ""]},
                %ua: tensor<?x4x64xf32> {frit.dims = ["up_adapters", "", ""]}, %ub: tensor<?x256x4xf32> {frit.dims = ["up_adapters", "", ""]},
                %res: tensor<?x64xf32> {frit.dims = ["tokens", ""]}) -> tensor<?x64xf32> {
  %c0 = arith.constant 0 : index
  %t = tensor.dim %x, %c0 : tensor<?x64xf32>
  %e = tensor.empty(%t) : tensor<?x256xf32>
  %zero = arith.constant 0.0 : f32
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x256xf32>) -> tensor<?x256xf32>
  %g0 = linalg.matmul indexing_maps = [affine_map<(t, n, k) -> (t, k)>, affine_map<(t, n, k) -> (n, k)>, affine_map<(t, n, k) -> (t, n)>]
    ins(%x, %wg : tensor<?x64xf32>, tensor<256x64xf32>) outs(%f : tensor<?x256xf32>) -> tensor<?x256xf32>
  %g = frit.lora_matmul ins(%x, %ids : tensor<?x64xf32>, tensor<?xi32>) weights(%ga, %gb : tensor<?x4x64xf32>, tensor<?x256x4xf32>) outs(%g0 : tensor<?x256xf32>) scale = 1.25e-01 -> tensor<?x256xf32>
  %u0 = linalg.matmul indexing_maps = [affine_map<(t, n, k) -> (t, k)>, affine_map<(t, n, k) -> (n, k)>, affine_map<(t, n, k) -> (t, n)>]
    ins(%x, %wu : tensor<?x64xf32>, tensor<256x64xf32>) outs(%f : tensor<?x256xf32>) -> tensor<?x256xf32>
  %u = frit.lora_matmul ins(%x, %ids : tensor<?x64xf32>, tensor<?xi32>) weights(%ua, %ub : tensor<?x4x64xf32>, tensor<?x256x4xf32>) outs(%u0 : tensor<?x256xf32>) scale = 1.25e-01 -> tensor<?x256xf32>
  %h = frit.gelu_and_mul_sparse ins(%g, %u : tensor<?x256xf32>, tensor<?x256xf32>) outs(%e : tensor<?x256xf32>) std_multiplier = 1.5 -> tensor<?x256xf32>
  %o = tensor.empty(%t) : tensor<?x64xf32>
  %of = linalg.fill ins(%zero : f32) outs(%o : tensor<?x64xf32>) -> tensor<?x64xf32>
  %d = linalg.matmul ins(%h, %wd : tensor<?x256xf32>, tensor<256x64xf32>) outs(%of : tensor<?x64xf32>) -> tensor<?x64xf32>
  %s = linalg.add ins(%d, %res : tensor<?x64xf32>, tensor<?x64xf32>) outs(%o : tensor<?x64xf32>) -> tensor<?x64xf32>
  return %s : tensor<?x64xf32>
}
