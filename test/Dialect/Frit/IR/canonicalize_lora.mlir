// RUN: %frit_opt %s --pass-pipeline='builtin.module(canonicalize)' -split-input-file | FileCheck %s

// No row has an adapter: -1, and beyond the last.

// CHECK-LABEL: func @ids_without_adapter
// CHECK-SAME: %[[Y:[^:]*]]: tensor<4x8xf32>, %[[H:[^:]*]]: tensor<1x4x3xf32>
// CHECK-NEXT: return %[[Y]], %[[H]], %[[Y]]
func.func @ids_without_adapter(%y: tensor<4x8xf32>, %h0: tensor<1x4x3xf32>, %x: tensor<4x16xf32>, %a: tensor<2x3x16xf32>,
                               %b: tensor<2x8x3xf32>) -> (tensor<4x8xf32>, tensor<1x4x3xf32>, tensor<4x8xf32>) {
  %none = arith.constant dense<-1> : tensor<4xi32>
  %mixed = arith.constant dense<[-1, 2, -7, 9]> : tensor<4xi32>
  %0 = frit.lora_matmul ins(%x, %none : tensor<4x16xf32>, tensor<4xi32>) weights(%a, %b : tensor<2x3x16xf32>, tensor<2x8x3xf32>)
      outs(%y : tensor<4x8xf32>) accumulate = false -> tensor<4x8xf32>
  %1 = frit.lora_shrink ins(%x, %mixed : tensor<4x16xf32>, tensor<4xi32>) weights(%a : tensor<2x3x16xf32>)
      outs(%h0 : tensor<1x4x3xf32>) -> tensor<1x4x3xf32>
  %2 = frit.lora_expand ins(%1, %mixed : tensor<1x4x3xf32>, tensor<4xi32>) weights(%b : tensor<2x8x3xf32>)
      outs(%y : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0, %1, %2 : tensor<4x8xf32>, tensor<1x4x3xf32>, tensor<4x8xf32>
}

// -----

// With a dynamic number of adapters only negative ids are known to have none.

// CHECK-LABEL: func @unknown_adapters
// CHECK: %[[R:.*]] = frit.lora_matmul
// CHECK-NOT: frit.lora_matmul
// CHECK: return %[[R]]
func.func @unknown_adapters(%y: tensor<2x8xf32>, %x: tensor<2x16xf32>, %a: tensor<?x3x16xf32>, %b: tensor<?x8x3xf32>)
    -> tensor<2x8xf32> {
  %high = arith.constant dense<[-1, 2]> : tensor<2xi32>
  %none = arith.constant dense<[-1, -2]> : tensor<2xi32>
  %0 = frit.lora_matmul ins(%x, %high : tensor<2x16xf32>, tensor<2xi32>) weights(%a, %b : tensor<?x3x16xf32>, tensor<?x8x3xf32>)
      outs(%y : tensor<2x8xf32>) -> tensor<2x8xf32>
  %1 = frit.lora_matmul ins(%x, %none : tensor<2x16xf32>, tensor<2xi32>) weights(%a, %b : tensor<?x3x16xf32>, tensor<?x8x3xf32>)
      outs(%0 : tensor<2x8xf32>) -> tensor<2x8xf32>
  return %1 : tensor<2x8xf32>
}

// -----

// CHECK-LABEL: func @no_adapters_no_columns
// CHECK-SAME: %[[Y:[^:]*]]: tensor<?x8xf32>
// CHECK-NEXT: return %[[Y]]
func.func @no_adapters_no_columns(%y: tensor<?x8xf32>, %x: tensor<?x16xf32>, %ids: tensor<?xi32>, %a: tensor<0x3x16xf32>,
                                  %b: tensor<0x8x3xf32>, %a2: tensor<2x3x16xf32>, %b2: tensor<2x0x3xf32>) -> tensor<?x8xf32> {
  %0 = frit.lora_matmul ins(%x, %ids : tensor<?x16xf32>, tensor<?xi32>) weights(%a, %b : tensor<0x3x16xf32>, tensor<0x8x3xf32>)
      outs(%y : tensor<?x8xf32>) -> tensor<?x8xf32>
  %1 = frit.lora_matmul ins(%x, %ids : tensor<?x16xf32>, tensor<?xi32>) weights(%a2, %b2 : tensor<2x3x16xf32>, tensor<2x0x3xf32>)
      outs(%0 : tensor<?x8xf32>) -> tensor<?x8xf32>
  return %1 : tensor<?x8xf32>
}

// -----

// CHECK-LABEL: func @memrefs
// CHECK-NEXT: return
func.func @memrefs(%x: memref<0x16xf32>, %ids: memref<0xi32>, %a: memref<2x3x16xf32>, %b: memref<2x8x3xf32>, %y: memref<0x8xf32>) {
  frit.lora_matmul ins(%x, %ids : memref<0x16xf32>, memref<0xi32>) weights(%a, %b : memref<2x3x16xf32>, memref<2x8x3xf32>)
      outs(%y : memref<0x8xf32>)
  return
}

// -----

// Scale 0 (0 * inf is NaN), an empty K and an empty rank (-0 + 0 is 0) stay.

// CHECK-LABEL: func @not_folded
// CHECK-COUNT-3: frit.lora_matmul
func.func @not_folded(%x: tensor<4x16xf32>, %ids: tensor<4xi32>, %a: tensor<2x3x16xf32>, %b: tensor<2x8x3xf32>,
                      %x0: tensor<4x0xf32>, %a0: tensor<2x3x0xf32>, %ar: tensor<2x0x16xf32>, %br: tensor<2x8x0xf32>,
                      %y: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = frit.lora_matmul ins(%x, %ids : tensor<4x16xf32>, tensor<4xi32>) weights(%a, %b : tensor<2x3x16xf32>, tensor<2x8x3xf32>)
      outs(%y : tensor<4x8xf32>) scale = 0.0 -> tensor<4x8xf32>
  %1 = frit.lora_matmul ins(%x0, %ids : tensor<4x0xf32>, tensor<4xi32>) weights(%a0, %b : tensor<2x3x0xf32>, tensor<2x8x3xf32>)
      outs(%0 : tensor<4x8xf32>) -> tensor<4x8xf32>
  %2 = frit.lora_matmul ins(%x, %ids : tensor<4x16xf32>, tensor<4xi32>) weights(%ar, %br : tensor<2x0x16xf32>, tensor<2x8x0xf32>)
      outs(%1 : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %2 : tensor<4x8xf32>
}

// -----

// Constant ids that name one adapter: its weights alone, ids 0, no grouping.

// CHECK-LABEL: func @one_adapter
// CHECK-SAME: %[[X:[^:]*]]: tensor<3x16xf32>, %[[A:[^:]*]]: tensor<4x3x16xf32>, %[[B:[^:]*]]: tensor<4x?x3xf32>, %[[SCALES:[^:]*]]: tensor<4xf32>, %[[RANKS:[^:]*]]: tensor<1x4xi32>
// CHECK-DAG: %[[IDS:.*]] = arith.constant dense<[0, -1, 0]> : tensor<3xi32>
// CHECK-DAG: %[[A1:.*]] = tensor.extract_slice %[[A]][2, 0, 0] [1, 3, 16] [1, 1, 1] : tensor<4x3x16xf32> to tensor<1x3x16xf32>
// CHECK-DAG: %[[N:.*]] = tensor.dim %[[B]], %{{.*}}
// CHECK-DAG: %[[B1:.*]] = tensor.extract_slice %[[B]][2, 0, 0] [1, %[[N]], 3] [1, 1, 1] : tensor<4x?x3xf32> to tensor<1x?x3xf32>
// CHECK-DAG: %[[S1:.*]] = tensor.extract_slice %[[SCALES]][2] [1] [1]
// CHECK-DAG: %[[R1:.*]] = tensor.extract_slice %[[RANKS]][0, 2] [1, 1] [1, 1]
// CHECK: frit.lora_matmul ins(%[[X]], %[[IDS]] : tensor<3x16xf32>, tensor<3xi32>)
// CHECK-SAME: weights(%[[A1]], %[[B1]] : tensor<1x3x16xf32>, tensor<1x?x3xf32>)
// CHECK-SAME: scales(%[[S1]] : tensor<1xf32>) ranks(%[[R1]] : tensor<1x1xi32>) outs(
// CHECK-SAME: scale = 5.000000e-01
func.func @one_adapter(%x: tensor<3x16xf32>, %a: tensor<4x3x16xf32>, %b: tensor<4x?x3xf32>, %scales: tensor<4xf32>,
                       %ranks: tensor<1x4xi32>, %order: tensor<3xi32>, %starts: tensor<5xi32>, %y: tensor<3x8xf32>)
    -> tensor<3x8xf32> {
  %ids = arith.constant dense<[2, -1, 2]> : tensor<3xi32>
  %0 = frit.lora_matmul ins(%x, %ids : tensor<3x16xf32>, tensor<3xi32>) weights(%a, %b : tensor<4x3x16xf32>, tensor<4x?x3xf32>)
      scales(%scales : tensor<4xf32>) ranks(%ranks : tensor<1x4xi32>) grouping(%order, %starts : tensor<3xi32>, tensor<5xi32>)
      outs(%y : tensor<3x8xf32>) scale = 0.5 -> tensor<3x8xf32>
  return %0 : tensor<3x8xf32>
}

// -----

// Weights without elements have no slice, and are any other without elements.

// CHECK-LABEL: func @one_adapter_of_nothing
// CHECK-DAG: %[[A:.*]] = tensor.empty() : tensor<1x3x0xf32>
// CHECK-DAG: %[[B:.*]] = tensor.extract_slice %{{.*}}[2, 0, 0] [1, 8, 3] [1, 1, 1]
// CHECK: frit.lora_matmul {{.*}} weights(%[[A]], %[[B]] : tensor<1x3x0xf32>, tensor<1x8x3xf32>)
func.func @one_adapter_of_nothing(%x: tensor<2x0xf32>, %a: tensor<4x3x0xf32>, %b: tensor<4x8x3xf32>,
                                  %y: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %ids = arith.constant dense<2> : tensor<2xi32>
  %0 = frit.lora_matmul ins(%x, %ids : tensor<2x0xf32>, tensor<2xi32>) weights(%a, %b : tensor<4x3x0xf32>, tensor<4x8x3xf32>)
      outs(%y : tensor<2x8xf32>) -> tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}

// -----

// Two adapters stay, and so does what a kernel was chosen for.

// CHECK-LABEL: func @not_one_adapter
// CHECK-NOT: extract_slice
func.func @not_one_adapter(%x: tensor<2x16xf32>, %a: tensor<4x3x16xf32>, %b: tensor<4x8x3xf32>, %y: tensor<2x8xf32>)
    -> tensor<2x8xf32> {
  %two = arith.constant dense<[2, 1]> : tensor<2xi32>
  %one = arith.constant dense<2> : tensor<2xi32>
  %0 = frit.lora_matmul ins(%x, %two : tensor<2x16xf32>, tensor<2xi32>) weights(%a, %b : tensor<4x3x16xf32>, tensor<4x8x3xf32>)
      outs(%y : tensor<2x8xf32>) -> tensor<2x8xf32>
  %1 = frit.lora_matmul ins(%x, %one : tensor<2x16xf32>, tensor<2xi32>) weights(%a, %b : tensor<4x3x16xf32>, tensor<4x8x3xf32>)
      outs(%0 : tensor<2x8xf32>) {frit.kernel = #frit.kernel<"native.vector">} -> tensor<2x8xf32>
  return %1 : tensor<2x8xf32>
}

// -----

// One scale for all is the op's own; full true ranks say nothing.

// CHECK-LABEL: func @uniform
// CHECK: frit.lora_shrink {{.*}}) weights(%{{.*}} : tensor<2x3x16xf32>) outs(%{{.*}} : tensor<1x?x3xf32>) scale = 7.500000e-01 ->
// CHECK: frit.lora_shrink {{.*}} scales(%{{.*}} : tensor<2xf32>) ranks(%{{.*}} : tensor<2xi32>) outs
func.func @uniform(%x: tensor<?x16xf32>, %ids: tensor<?xi32>, %a: tensor<2x3x16xf32>, %h: tensor<1x?x3xf32>)
    -> tensor<1x?x3xf32> {
  %same = arith.constant dense<1.5> : tensor<2xf32>
  %full = arith.constant dense<3> : tensor<2xi32>
  %0 = frit.lora_shrink ins(%x, %ids : tensor<?x16xf32>, tensor<?xi32>) weights(%a : tensor<2x3x16xf32>)
      scales(%same : tensor<2xf32>) ranks(%full : tensor<2xi32>) outs(%h : tensor<1x?x3xf32>) scale = 0.5
      -> tensor<1x?x3xf32>
  %different = arith.constant dense<[1.5, 2.0]> : tensor<2xf32>
  %partial = arith.constant dense<2> : tensor<2xi32>
  %1 = frit.lora_shrink ins(%x, %ids : tensor<?x16xf32>, tensor<?xi32>) weights(%a : tensor<2x3x16xf32>)
      scales(%different : tensor<2xf32>) ranks(%partial : tensor<2xi32>) outs(%0 : tensor<1x?x3xf32>) scale = 0.5
      -> tensor<1x?x3xf32>
  return %1 : tensor<1x?x3xf32>
}
