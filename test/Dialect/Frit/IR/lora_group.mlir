// RUN: %frit_opt %s | FileCheck %s

// CHECK-LABEL: func @tensors
func.func @tensors(%ids: tensor<?xi32>, %o: tensor<?xi32>, %s: tensor<5xi32>)
    -> (tensor<?xi32>, tensor<5xi32>) {
  // CHECK: %{{.*}}:2 = frit.lora_group ins(%{{.*}} : tensor<?xi32>)
  // CHECK-SAME: outs(%{{.*}}, %{{.*}} : tensor<?xi32>, tensor<5xi32>)
  // CHECK-SAME: -> tensor<?xi32>, tensor<5xi32>
  %order, %starts = frit.lora_group ins(%ids : tensor<?xi32>)
      outs(%o, %s : tensor<?xi32>, tensor<5xi32>) -> tensor<?xi32>, tensor<5xi32>
  return %order, %starts : tensor<?xi32>, tensor<5xi32>
}
