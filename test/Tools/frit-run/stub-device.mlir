// frit-run on a driver that records launches and computes nothing: how it finds devices, brings data there and back,
// and reports what the driver refuses. A result that no kernel wrote shows as NaN.
//
// UNSUPPORTED: cuda-device
// DEFINE: %{run} = env FRIT_CUDA_DRIVER=%frit_lib/libFritStubDriver%shlibext frit-run
//
// RUN: %{run} --list-devices | FileCheck %s --check-prefix=DEVICES
// DEVICES: cuda:0: {{.*}}, sm_90a, {{[0-9]+}} multiprocessors
// DEVICES: cuda:1: {{.*}}, sm_80

// The default target is the first device. Without ptxas, the driver gets PTX.
// RUN: %{run} %s --policy=native --toolkit=/nowhere --input=2x8xbf16=ones --print | FileCheck %s --check-prefix=NATIVE
// RUN: %{run} %s --target=cuda:1 --policy=native --toolkit=/nowhere --input=2x8xbf16=ones --print --cuda-graph | FileCheck %s --check-prefix=NATIVE
// NATIVE: result 0: 2x4xbf16
// NATIVE: nan

// RUN: %{run} %s --target=cuda:0 --policy=native --toolkit=/nowhere --input=2x8xbf16=ones --benchmark-output=- | FileCheck %s --check-prefix=TIMES
// TIMES: "calls_per_sample": 64
// TIMES: "peak_device_bytes": {{[0-9]+}}
// TIMES: "target": "cuda:sm_90a"

// No token: nothing is launched.
// RUN: %{run} %s --policy=require=cuda --input=0x8xbf16=ones --print | FileCheck %s --check-prefix=NONE
// NONE: result 0: 0x4xbf16

// RUN: %exit 1 %{run} %s --target=cuda:2 --input=2x8xbf16=ones 2>&1 | FileCheck %s --check-prefix=MISSING
// MISSING: error: --target=cuda:2: device 2 does not exist: there are 2, numbered from 0

// The CPU by name, and its reference, need no device.
// RUN: %{run} %s --target=cpu --input=2x8xbf16=random --expect=native | FileCheck %s --check-prefix=CPU
// CPU: match

func.func @main(%x: tensor<?x8xbf16>) -> tensor<?x4xbf16> {
  %c0 = arith.constant 0 : index
  %t = tensor.dim %x, %c0 : tensor<?x8xbf16>
  %y = tensor.empty(%t) : tensor<?x4xbf16>
  %r = frit.gelu_and_mul_sparse ins(%x : tensor<?x8xbf16>) outs(%y : tensor<?x4xbf16>) std_multiplier = 1.5 -> tensor<?x4xbf16>
  return %r : tensor<?x4xbf16>
}
