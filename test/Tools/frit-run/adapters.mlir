// Adapters of peft as stacked operands: the ids are the order of the options, R is the largest rank where the type leaves it open.
// DEFINE: %{adapters} = %frit_src/test/data/checkpoint/adapters

// RUN: frit-run %s --adapter=%{adapters}/second/ --adapter=one=%{adapters}/first --print | FileCheck %s
// CHECK: adapter 0: 'second', 4 modules, ranks 3, 8
// CHECK-NEXT: adapter 1: 'one', 6 modules, rank 4
// Slots beyond the adapters are empty. A module that an adapter has not is rank 0 there.
// CHECK: result 0: 3xi32
// CHECK-NEXT: [3, 4, 0]
// CHECK: result 1: 3x2xi32
// CHECK-NEXT: {{\[}}[8, 4],
// CHECK-NEXT: [0, 4],
// CHECK-NEXT: [3, 4]]
// alpha / sqrt(r) with the pattern's alpha of 5 and rank of 3; alpha / r.
// CHECK: result 2: 2xf32
// CHECK-NEXT: [2.88675{{[0-9]*}}, 2]
// CHECK: result 3: 2xf32
// CHECK-NEXT: [2.12132{{[0-9]*}}, 2]
func.func @main(%ranks: tensor<3xi32> {frit.tensor = "model.layers.0.mlp.down_proj.lora_ranks"},
                %slices: tensor<3x2xi32> {frit.tensor = "model.layers.0.mlp.gate_proj,model.layers.0.mlp.up_proj,model.layers.0.mlp.down_proj.lora_ranks"},
                %scales: tensor<?xf32> {frit.tensor = "model.layers.0.mlp.down_proj.lora_scales"},
                %common: tensor<2xf32> {frit.tensor = "model.layers.0.mlp.gate_proj,model.layers.1.mlp.gate_proj.lora_scales"})
    -> (tensor<3xi32>, tensor<3x2xi32>, tensor<?xf32>, tensor<2xf32>) {
  return %ranks, %slices, %scales, %common : tensor<3xi32>, tensor<3x2xi32>, tensor<?xf32>, tensor<2xf32>
}
