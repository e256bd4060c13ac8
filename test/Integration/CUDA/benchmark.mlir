// Times, graphs, devices and explanations on a GPU.
//
// REQUIRES: cuda-device
// RUN: frit-run --list-devices | FileCheck %s --check-prefix=DEVICES
// RUN: frit-run %s --target=cuda --input=random --input=random --cuda-graph --expect=native --explain | FileCheck %s --check-prefix=GRAPH
// RUN: frit-run %s --target=cuda --input=random --input=random --benchmark-output=- --benchmark-repetitions=20 | FileCheck %s --check-prefix=JSON
// RUN: frit-run %s --target=cuda --input=random --input=random --policy=native --benchmark | FileCheck %s --check-prefix=TEXT

// DEVICES: cuda:0: {{.+}}, sm_{{.+}}, {{[0-9]+}} multiprocessors, {{.+}} GiB

// GRAPH: cuda.flat {{.*}} picked
// GRAPH: native.linalg {{.*}} admissible
// GRAPH: result 0 and native: {{.*}}match

// JSON: "bytes": 4194304
// JSON: "cold": {
// JSON: "calls_per_sample": {{[0-9]+}}
// JSON: "device": "
// JSON: "peak_device_bytes": {{[0-9]+}}
// JSON: "target": "cuda:sm_
// JSON: "warm": {

// TEXT: warm: median {{.*}} us, p5 {{.*}} us, p95 {{.*}} us (50 samples of {{[0-9]+}} calls)
// TEXT: cold: median
// TEXT: scratch memory on the device: {{[0-9]+}} bytes
func.func @main(%x: tensor<256x4096xbf16>, %y: tensor<256x2048xbf16>) -> tensor<256x2048xbf16> {
  %r = frit.act_and_mul silu ins(%x : tensor<256x4096xbf16>) outs(%y : tensor<256x2048xbf16>) -> tensor<256x2048xbf16>
  return %r : tensor<256x2048xbf16>
}
