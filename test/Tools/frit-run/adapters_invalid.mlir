// DEFINE: %{adapters} = %frit_src/test/data/checkpoint/adapters
// DEFINE: %{run} = %exit 1 frit-run %s --adapter=%{adapters}/second
// DEFINE: %{first} = --adapter=%{adapters}/first

// RUN: %exit 1 frit-run %s --adapter==x 2>&1 | FileCheck %s --check-prefix=FORM
// FORM: error: --adapter==x: expected [NAME=]DIR
// RUN: %exit 1 frit-run %s --adapter=%t.absent 2>&1 | FileCheck %s --check-prefix=ABSENT
// ABSENT: error: --adapter={{.*}}.absent: {{.*}}adapter_config.json: cannot read: No such file or directory
// RUN: %{run} --adapter=second=%{adapters}/first 2>&1 | FileCheck %s --check-prefix=TWICE
// TWICE: error: --adapter=second={{.*}}first: two adapters have the name 'second'

// RUN: rm -rf %t && cp -r %{adapters}/first %t && sed -i 's/"r": 4/"r": 8/' %t/adapter_config.json
// RUN: %{run} --adapter=%t 2>&1 | FileCheck %s --check-prefix=RANK
// RANK: error: --adapter={{.*}}: {{.*}}adapter_model.safetensors: module 'model.layers.0.mlp.down_proj': expected rank 8 as the configuration has it, found A 4x96xf32 and B 32x4xf32
// RUN: sed -i 's/"r": 8/"r": 4/; s/"use_dora": false/"use_dora": true/' %t/adapter_config.json
// RUN: %{run} --adapter=%t 2>&1 | FileCheck %s --check-prefix=DORA
// DORA: error: --adapter={{.*}}: {{.*}}adapter_config.json: field 'use_dora': expected null, false or empty (DoRA scales each column by a trained magnitude), found true
// RUN: sed -i 's/"use_dora": true/"use_dora": false/; s/"gate_proj"/"q_proj"/' %t/adapter_config.json
// RUN: %{run} --adapter=%t 2>&1 | FileCheck %s --check-prefix=TARGET
// TARGET: error: --adapter={{.*}}: {{.*}}adapter_model.safetensors: module 'model.layers.0.mlp.gate_proj': expected one that target_modules names, which begins with '{{.*}}'

// RUN: %{run} %{first} --entry=types 2>&1 | FileCheck %s --check-prefix=TYPE
// TYPE: error: --adapter: 'model.layers.0.mlp.gate_proj.lora_A' is 2x8x32xf32, but argument 0 ('model.layers.0.mlp.gate_proj.lora_A') is 2x8x32xbf16
// RUN: %{run} %{first} --entry=slots 2>&1 | FileCheck %s --check-prefix=SLOTS
// SLOTS: error: --adapter: argument 0 ('model.layers.0.mlp.gate_proj.lora_B') (1x96x8xf32): expected room for 2 adapters in dimension 0, found 1
// RUN: %{run} %{first} --entry=largest 2>&1 | FileCheck %s --check-prefix=LARGEST
// LARGEST: error: --adapter: argument 0 ('model.layers.0.mlp.gate_proj.lora_A') (?x4x32xf32): expected ranks up to 4, found 8 in 'second'
// RUN: %{run} --entry=dimensions 2>&1 | FileCheck %s --check-prefix=DIMENSIONS
// DIMENSIONS: error: --adapter: argument 0 ('model.layers.0.mlp.gate_proj.lora_A') (8x32xf32): expected 3 dimensions, found 2
// RUN: %{run} --entry=common 2>&1 | FileCheck %s --check-prefix=COMMON
// COMMON: error: --adapter: argument 0 ('lora_ranks') (1xi32): adapter 'second' has the rank 3 for 'model.layers.0.mlp.down_proj', but 8 for 'model.layers.0.mlp.gate_proj': expected one for all modules
// RUN: %{run} --entry=absent 2>&1 | FileCheck %s --check-prefix=MODULE
// MODULE: error: argument 1 ('model.layers.0.mlp.up_proj.lora_A') of '@absent' (1x8x32xf32) has no source: pass --input (--adapter: no module 'model.layers.0.mlp.up_proj' among 4; did you mean 'model.layers.{{.}}.mlp.{{.*}}_proj'?) or --fill
// RUN: %{run} --entry=unrelated --fill=zeros 2>&1 | FileCheck %s --check-prefix=UNRELATED
// UNRELATED: error: --adapter: no argument of '@unrelated' has the name of a module of the adapters, such as 'model.layers.0.mlp.down_proj.lora_A', in its attribute frit.tensor
// RUN: %exit 1 frit-run %s --entry=types 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: error: argument 0 ('model.layers.0.mlp.gate_proj.lora_A') of '@types' (2x8x32xbf16) has no source: pass --input or --adapter or --weights or --fill
func.func @types(%a: tensor<2x8x32xbf16> {frit.tensor = "model.layers.0.mlp.gate_proj.lora_A"}) { return }
func.func @slots(%b: tensor<1x96x8xf32> {frit.tensor = "model.layers.0.mlp.gate_proj.lora_B"}) { return }
func.func @largest(%a: tensor<?x4x32xf32> {frit.tensor = "model.layers.0.mlp.gate_proj.lora_A"}) { return }
func.func @dimensions(%a: tensor<8x32xf32> {frit.tensor = "model.layers.0.mlp.gate_proj.lora_A"}) { return }
func.func @common(%r: tensor<1xi32> {frit.tensor = "lora_ranks"}) { return }
func.func @absent(%r: tensor<1xi32> {frit.tensor = "model.layers.0.mlp.gate_proj.lora_ranks"},
                  %a: tensor<1x8x32xf32> {frit.tensor = "model.layers.0.mlp.up_proj.lora_A"}) { return }
func.func @unrelated(%x: tensor<4xf32> {frit.tensor = "x"}) { return }
func.func @main() { return }
