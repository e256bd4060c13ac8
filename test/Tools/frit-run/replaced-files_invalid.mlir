// Nothing that a run reads is replaced by what it writes, however its path is
// spelled, and no two outputs are lost in one place.
// RUN: rm -rf %t && mkdir -p %t/folder && cp %s %t/f.mlir
// RUN: ln -s ../f.mlir %t/folder/link.mlir && ln %t/f.mlir %t/hard.mlir
// DEFINE: %{run} = frit-run %t/f.mlir --target=cpu
// RUN: %{run} --input=ones --output=@%t/w.safetensors#x --output=@%t/w.safetensors#y
// RUN: %{run} --input=ones --output=@%t/x.npy --benchmark-output=%t/x.json --benchmark-repetitions=1
// RUN: cp %t/w.safetensors %t/w.copy && cp %t/x.npy %t/x.copy && ln -s x.npy %t/folder.npy

// The source.
// RUN: %exit 1 %{run} --dump=mlir --dump-output=%t/f.mlir 2>&1 | FileCheck %s --check-prefix=DUMP
// DUMP: frit-run: error: --dump-output={{.*}}/f.mlir would replace the source '{{.*}}/f.mlir': expected another file
// RUN: %exit 1 %{run} --dump=mlir --dump-output=%t/folder/link.mlir 2>&1 | FileCheck %s --check-prefix=LINK
// LINK: error: --dump-output={{.*}}/folder/link.mlir would replace the source '{{.*}}/f.mlir'
// RUN: %exit 1 %{run} --dump=obj --dump-output=%t/hard.mlir 2>&1 | FileCheck %s --check-prefix=HARD
// HARD: error: --dump-output={{.*}}/hard.mlir would replace the source '{{.*}}/f.mlir'
// RUN: %exit 1 frit-run - --target=cpu --dump=mlir --dump-output=%t/f.mlir < %t/f.mlir 2>&1 | FileCheck %s --check-prefix=STDIN
// STDIN: error: --dump-output={{.*}}/f.mlir would replace the source on standard input
// RUN: %exit 1 %{run} --input=ones --benchmark-output=%t/folder/../f.mlir 2>&1 | FileCheck %s --check-prefix=TIMES
// TIMES: error: --benchmark-output={{.*}}/f.mlir would replace the source '{{.*}}/f.mlir'
// RUN: cmp %s %t/f.mlir

// Inputs, weights and expectations.
// RUN: %exit 1 %{run} --input=@%t/x.npy --benchmark-output=%t/x.npy 2>&1 | FileCheck %s --check-prefix=INPUT
// INPUT: error: --benchmark-output={{.*}}/x.npy would replace '{{.*}}/x.npy' of --input=@{{.*}}/x.npy: expected another file
// RUN: %exit 1 %{run} --input=arg0=@%t/x.npy --output=@%t/y.npy --output=@%t/folder.npy 2>&1 | FileCheck %s --check-prefix=OUTPUT
// OUTPUT: error: --output=@{{.*}}/folder.npy of result 1 would replace '{{.*}}/x.npy' of --input=arg0=@{{.*}}/x.npy
// RUN: %exit 1 %{run} --input=@%t/w.safetensors#x --output=@%t/w.safetensors#z 2>&1 | FileCheck %s --check-prefix=KEY
// KEY: error: --output=@{{.*}}/w.safetensors#z of result 0 would replace '{{.*}}/w.safetensors' of --input=@{{.*}}/w.safetensors#x
// RUN: %exit 1 %{run} --weights=%t/w.safetensors --output=@%t/w.safetensors#z 2>&1 | FileCheck %s --check-prefix=WEIGHTS
// WEIGHTS: error: --output=@{{.*}}/w.safetensors#z of result 0 would replace '{{.*}}/w.safetensors' of --weights={{.*}}/w.safetensors
// RUN: %exit 1 %{run} --input=ones --expect=@%t/w.safetensors --output=@%t/w.safetensors#x 2>&1 | FileCheck %s --check-prefix=EXPECTED
// EXPECTED: error: --output=@{{.*}}/w.safetensors#x of result 0 would replace '{{.*}}/w.safetensors' of --expect=@{{.*}}/w.safetensors
// RUN: %exit 1 %{run} --input=ones --expect=@%t/x.npy --output=@%t/x.npy 2>&1 | FileCheck %s --check-prefix=EXPECTED-NPY
// EXPECTED-NPY: error: --output=@{{.*}}/x.npy of result 0 would replace '{{.*}}/x.npy' of --expect=@{{.*}}/x.npy
// RUN: cmp %t/w.safetensors %t/w.copy && cmp %t/x.npy %t/x.copy

// The files of a folder: an index, its shards, an adapter.
// RUN: cp -r %frit_src/test/data/checkpoint %t/data && chmod -R u+w %t/data
// DEFINE: %{folder} = frit-run %t/f.mlir --target=cpu --dump=mlir
// RUN: %exit 1 %{folder} --weights=%t/data/model --dump-output=%t/data/model/model.safetensors.index.json 2>&1 | FileCheck %s --check-prefix=INDEX
// INDEX: error: --dump-output={{.*}} would replace '{{.*}}/model/model.safetensors.index.json' of --weights={{.*}}/model: expected another file
// RUN: %exit 1 %{folder} --weights=%t/data/model --dump-output=%t/data/model/model-00002-of-00002.safetensors 2>&1 | FileCheck %s --check-prefix=SHARD
// SHARD: error: --dump-output={{.*}} would replace '{{.*}}/model/model-00002-of-00002.safetensors' of --weights={{.*}}/model
// RUN: %exit 1 %{folder} --adapter=a=%t/data/adapters/first --dump-output=%t/data/adapters/first/adapter_config.json 2>&1 | FileCheck %s --check-prefix=CONFIG
// CONFIG: error: --dump-output={{.*}} would replace '{{.*}}/first/adapter_config.json' of --adapter=a={{.*}}/first
// RUN: %exit 1 %{folder} --adapter=%t/data/adapters/first --dump-output=%t/data/adapters/first/adapter_model.safetensors 2>&1 | FileCheck %s --check-prefix=TENSORS
// TENSORS: error: --dump-output={{.*}} would replace '{{.*}}/first/adapter_model.safetensors' of --adapter={{.*}}/first
// RUN: %{folder} --weights=%t/data/model --dump-output=%t/data/model/other.mlir

// Two outputs.
// RUN: %exit 1 %{run} --input=ones --output=@%t/y.npy --output=@%t/folder/../y.npy 2>&1 | FileCheck %s --check-prefix=TWICE
// TWICE: error: --output=@{{.*}}/y.npy of result 0 and --output=@{{.*}}/folder/../y.npy of result 1 would go to one place
// RUN: ln -s y.safetensors %t/y.npy
// RUN: %exit 1 %{run} --input=ones --output=@%t/y.npy --output=@%t/y.safetensors#y 2>&1 | FileCheck %s --check-prefix=FORMATS
// FORMATS: error: --output=@{{.*}}/y.npy of result 0 and --output=@{{.*}}/y.safetensors#y of result 1 would go to one place
// RUN: %exit 1 %{run} --input=ones --output=@%t/z.safetensors#z --benchmark-output=%t/z.safetensors 2>&1 | FileCheck %s --check-prefix=BOTH
// BOTH: error: --benchmark-output={{.*}}/z.safetensors and --output=@{{.*}}/z.safetensors#z of result 0 would go to one place

// What is no file cannot be replaced.
// RUN: %exit 1 frit-run /dev/null --target=cpu --dump=mlir --dump-output=/dev/null 2>&1 | FileCheck %s --check-prefix=DEVICE
// DEVICE: error: pass --entry: the module has no @main
func.func @main(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %y = arith.negf %x : tensor<4xf32>
  return %x, %y : tensor<4xf32>, tensor<4xf32>
}
