// Weights of a checkpoint in two shards: by its folder, by its index, and one shard alone.
// DEFINE: %{model} = %frit_src/test/data/checkpoint/model
// DEFINE: %{index} = %t/model.safetensors.index.json

// RUN: rm -rf %t && cp -r %{model} %t
// RUN: frit-run %s --weights=%t --output=@%t/y.npy 2>&1 | FileCheck %s --allow-empty --check-prefix=QUIET
// QUIET-NOT: warning
// RUN: frit-run %s --weights=%{index} --expect=@%t/y.npy
// RUN: frit-run %s --weights=%t/model-00001-of-00002.safetensors --weights=%t/model-00002-of-00002.safetensors --expect=@%t/y.npy

// A file of the whole model comes before the index.
// RUN: cp %t/model-00001-of-00002.safetensors %t/model.safetensors
// RUN: %exit 1 frit-run %s --weights=%t 2>&1 | FileCheck %s --check-prefix=WHOLE
// WHOLE: error: argument 1 ('model.layers.1.mlp.down_proj.weight') of '@main' (32x96xf32) has no source: pass --input (--weights: no tensor 'model.layers.1.mlp.down_proj.weight' among {{[0-9]+}}; did you mean 'model.layers.0.mlp.down_proj.weight'?) or --fill
// RUN: rm %t/model.safetensors

// What is only odd is a warning.
// RUN: sed -i 's/"total_size": 103792/"total_size": 103796/; /lm_head\|embed_tokens_per_layer/d' %{index}
// RUN: frit-run %s --weights=%t --expect=@%t/y.npy 2>&1 | FileCheck %s --check-prefix=ODD
// ODD: warning: {{.*}}.index.json: the weight_map leaves out 1 tensors of 'model-00002-of-00002.safetensors', the first is 'model.embed_tokens_per_layer.weight'
// ODD-NEXT: warning: {{.*}}.index.json: metadata.total_size is 103796, but the tensors have 103280 bytes
// ODD: match

// Shards that are absent, outside, or without the tensor.
// RUN: cp %{model}/*.json %t && rm %t/model-00002-of-00002.safetensors
// RUN: %exit 1 frit-run %s --weights=%t 2>&1 | FileCheck %s --check-prefix=ABSENT
// ABSENT: error: {{.*}}.index.json: weight_map entry '{{.*}}': {{.*}}model-00002-of-00002.safetensors: cannot read: No such file or directory
// RUN: cp %{model}/*.safetensors %t && sed -i '/1.mlp.down_proj/s,model-,../model-,' %{index}
// RUN: %exit 1 frit-run %s --weights=%t 2>&1 | FileCheck %s --check-prefix=OUTSIDE
// OUTSIDE: error: {{.*}}.index.json: weight_map entry 'model.layers.1.mlp.down_proj.weight': expected the name of a file beside the index, found the string '../model-0000{{.}}-of-00002.safetensors'
// RUN: cp %{model}/*.json %t && sed -i '/1.mlp.down_proj/s/-0000[12]/-00001/' %{index}
// RUN: %exit 1 frit-run %s --weights=%t 2>&1 | FileCheck %s --check-prefix=ELSEWHERE
// ELSEWHERE: error: {{.*}}.index.json: weight_map entry 'model.layers.1.mlp.down_proj.weight': expected in 'model-00002-of-00002.safetensors', which has it, found 'model-00001-of-00002.safetensors'
// RUN: cp %{model}/*.json %t && sed -i 's/1.mlp.down_proj/9.mlp.down_proj/' %{index}
// RUN: %exit 1 frit-run %s --weights=%t 2>&1 | FileCheck %s --check-prefix=NOWHERE
// NOWHERE: error: {{.*}}.index.json: weight_map entry 'model.layers.9.mlp.down_proj.weight': {{.*}}model-00002-of-00002.safetensors: no tensor 'model.layers.9.mlp.down_proj.weight' among {{[0-9]+}}; did you mean 'model.layers.1.mlp.down_proj.weight'?
// RUN: cp %{model}/*.json %t && cp %t/model-00001-of-00002.safetensors %t/copy.safetensors
// RUN: sed -i '/0.mlp.up_proj/s/model-00001-of-00002/copy/' %{index}
// RUN: %exit 1 frit-run %s --weights=%t 2>&1 | FileCheck %s --check-prefix=TWICE
// TWICE: error: {{.*}}.index.json: tensor '{{.*}}': expected in one shard, found in 'model-00001-of-00002.safetensors' and 'copy.safetensors'

// A folder without weights.
// RUN: rm %t/model*
// RUN: %exit 1 frit-run %s --weights=%t 2>&1 | FileCheck %s --check-prefix=EMPTY
// EMPTY: error: {{.*}}: expected model.safetensors or model.safetensors.index.json in the folder, found neither
func.func @main(%first: tensor<96x32xf32> {frit.tensor = "model.layers.0.mlp.up_proj.weight"},
                %second: tensor<32x96xf32> {frit.tensor = "model.layers.1.mlp.down_proj.weight"}) -> tensor<32x32xf32> {
  %empty = tensor.empty() : tensor<32x32xf32>
  %zero = arith.constant 0.0 : f32
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<32x32xf32>) -> tensor<32x32xf32>
  %y = linalg.matmul ins(%second, %first : tensor<32x96xf32>, tensor<96x32xf32>) outs(%init : tensor<32x32xf32>) -> tensor<32x32xf32>
  return %y : tensor<32x32xf32>
}
