// RUN: %frit_opt %s --pass-pipeline='builtin.module(frit-form-sparse-ffn{assume-finite-weights})' | FileCheck %s

// LoRAs whose numbers of adapters or of ranks are known only at run time: the op, which has one of each, is for where they
// are the same, and the chain for where they are not.

// CHECK-LABEL: func @adapters
// CHECK-SAME: %[[GA:[a-z0-9]+]]: tensor<?x4x64xf32>, %[[GB:[a-z0-9]+]]: tensor<?x256x4xf32>, %[[UA:[a-z0-9]+]]: tensor<?x4x64xf32>, %[[UB:[a-z0-9]+]]: tensor<?x256x4xf32>, %[[DA:[a-z0-9]+]]: tensor<?x4x256xf32>, %{{.*}}: tensor<?x64x4xf32>, %[[S:[a-z0-9]+]]: tensor<?xf32>, %[[S2:[a-z0-9]+]]: tensor<?xf32>)
// CHECK-DAG: %[[UL:.*]] = tensor.dim %[[UA]], %c0
// CHECK-DAG: %[[GL:.*]] = tensor.dim %[[GA]], %c0
// CHECK: %[[UP:.*]] = arith.cmpi eq, %[[UL]], %[[GL]]
// CHECK-DAG: %[[DL:.*]] = tensor.dim %[[DA]], %c0
// CHECK-DAG: %[[GL2:.*]] = tensor.dim %[[GA]], %c0
// CHECK: %[[DOWN:.*]] = arith.cmpi eq, %[[DL]], %[[GL2]]
// CHECK: %[[SAME:.*]] = arith.andi %[[UP]], %[[DOWN]]
// CHECK-NOT: tensor.insert_slice
// CHECK: %[[Y:.*]] = scf.if %[[SAME]]
// CHECK: tensor.insert_slice %[[S]]
// CHECK: tensor.insert_slice %[[S2]]
// CHECK: %[[F:.*]] = frit.sparse_ffn {{.*}} gate_lora(%[[GA]], %[[GB]] : {{.*}}) up_lora(%[[UA]], %[[UB]] : {{.*}}) down_lora(%[[DA]]
// CHECK: scf.yield %[[F]]
// CHECK: else
// CHECK-COUNT-2: frit.lora_matmul
// CHECK: frit.gelu_and_mul_sparse
// CHECK: %[[D:.*]] = frit.lora_matmul
// CHECK: scf.yield %[[D]]
// CHECK: return %[[Y]]
func.func @adapters(%x: tensor<1x64xf32>, %wg: tensor<256x64xf32>, %wu: tensor<256x64xf32>, %down: tensor<256x64xf32>, %e: tensor<1x256xf32>, %y: tensor<1x64xf32>, %ids: tensor<1xi32>, %ga: tensor<?x4x64xf32>, %gb: tensor<?x256x4xf32>, %ua: tensor<?x4x64xf32>, %ub: tensor<?x256x4xf32>, %da: tensor<?x4x256xf32>, %db: tensor<?x64x4xf32>, %s: tensor<?xf32>, %s2: tensor<?xf32>) -> tensor<1x64xf32> {
  %g0 = frit.matmul ins(%x, %wg : tensor<1x64xf32>, tensor<256x64xf32>) outs(%e : tensor<1x256xf32>) transpose_b -> tensor<1x256xf32>
  %g = frit.lora_matmul ins(%x, %ids : tensor<1x64xf32>, tensor<1xi32>) weights(%ga, %gb : tensor<?x4x64xf32>, tensor<?x256x4xf32>) scales(%s : tensor<?xf32>) outs(%g0 : tensor<1x256xf32>) -> tensor<1x256xf32>
  %u0 = frit.matmul ins(%x, %wu : tensor<1x64xf32>, tensor<256x64xf32>) outs(%e : tensor<1x256xf32>) transpose_b -> tensor<1x256xf32>
  %u = frit.lora_matmul ins(%x, %ids : tensor<1x64xf32>, tensor<1xi32>) weights(%ua, %ub : tensor<?x4x64xf32>, tensor<?x256x4xf32>) scales(%s2 : tensor<?xf32>) outs(%u0 : tensor<1x256xf32>) -> tensor<1x256xf32>
  %h = frit.gelu_and_mul_sparse ins(%g, %u : tensor<1x256xf32>, tensor<1x256xf32>) outs(%e : tensor<1x256xf32>) std_multiplier = 1.5 -> tensor<1x256xf32>
  %d0 = frit.matmul ins(%h, %down : tensor<1x256xf32>, tensor<256x64xf32>) outs(%y : tensor<1x64xf32>) -> tensor<1x64xf32>
  %d = frit.lora_matmul ins(%h, %ids : tensor<1x256xf32>, tensor<1xi32>) weights(%da, %db : tensor<?x4x256xf32>, tensor<?x64x4xf32>) scales(%s : tensor<?xf32>) outs(%d0 : tensor<1x64xf32>) -> tensor<1x64xf32>
  return %d : tensor<1x64xf32>
}

// CHECK-LABEL: func @ranks
// CHECK-SAME: %[[GA:[a-z0-9]+]]: tensor<3x?x64xf32>, %{{.*}}: tensor<3x256x?xf32>, %[[UA:[a-z0-9]+]]: tensor<3x?x64xf32>
// CHECK-DAG: %[[UR:.*]] = tensor.dim %[[UA]], %c1
// CHECK-DAG: %[[GR:.*]] = tensor.dim %[[GA]], %c1
// CHECK: %[[SAME:.*]] = arith.cmpi eq, %[[UR]], %[[GR]]
// CHECK: scf.if %[[SAME]]
// CHECK: frit.sparse_ffn
// CHECK: else
func.func @ranks(%x: tensor<1x64xf32>, %wg: tensor<256x64xf32>, %wu: tensor<256x64xf32>, %down: tensor<256x64xf32>, %e: tensor<1x256xf32>, %y: tensor<1x64xf32>, %ids: tensor<1xi32>, %ga: tensor<3x?x64xf32>, %gb: tensor<3x256x?xf32>, %ua: tensor<3x?x64xf32>, %ub: tensor<3x256x?xf32>) -> tensor<1x64xf32> {
  %g0 = frit.matmul ins(%x, %wg : tensor<1x64xf32>, tensor<256x64xf32>) outs(%e : tensor<1x256xf32>) transpose_b -> tensor<1x256xf32>
  %g = frit.lora_matmul ins(%x, %ids : tensor<1x64xf32>, tensor<1xi32>) weights(%ga, %gb : tensor<3x?x64xf32>, tensor<3x256x?xf32>) outs(%g0 : tensor<1x256xf32>) -> tensor<1x256xf32>
  %u0 = frit.matmul ins(%x, %wu : tensor<1x64xf32>, tensor<256x64xf32>) outs(%e : tensor<1x256xf32>) transpose_b -> tensor<1x256xf32>
  %u = frit.lora_matmul ins(%x, %ids : tensor<1x64xf32>, tensor<1xi32>) weights(%ua, %ub : tensor<3x?x64xf32>, tensor<3x256x?xf32>) outs(%u0 : tensor<1x256xf32>) -> tensor<1x256xf32>
  %h = frit.gelu_and_mul_sparse ins(%g, %u : tensor<1x256xf32>, tensor<1x256xf32>) outs(%e : tensor<1x256xf32>) std_multiplier = 1.5 -> tensor<1x256xf32>
  %d = frit.matmul ins(%h, %down : tensor<1x256xf32>, tensor<256x64xf32>) outs(%y : tensor<1x64xf32>) -> tensor<1x64xf32>
  return %d : tensor<1x64xf32>
}

// The same A has the same sizes: there is nothing to ask. Where one LoRA has true ranks and the other all, its row says how
// many that is.

// CHECK-LABEL: func @some_ranks
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<3x?x64xf32>, {{.*}}, %[[R:[a-z0-9]+]]: tensor<3xi32>)
// CHECK-NOT: scf.if
// CHECK: %[[MOST:.*]] = tensor.dim %[[A]], %c1
// CHECK: %[[ALL:.*]] = arith.index_cast %[[MOST]] : index to i32
// CHECK: %[[ROWS:.*]] = linalg.fill ins(%[[ALL]] : i32) {{.*}} -> tensor<3x3xi32>
// CHECK: %[[RANKS:.*]] = tensor.insert_slice %[[R]] into %[[ROWS]][0, 0] [1, 3] [1, 1]
// CHECK: frit.sparse_ffn {{.*}} ranks(%[[RANKS]] : tensor<3x3xi32>)
func.func @some_ranks(%x: tensor<1x64xf32>, %wg: tensor<256x64xf32>, %wu: tensor<256x64xf32>, %down: tensor<256x64xf32>, %e: tensor<1x256xf32>, %y: tensor<1x64xf32>, %ids: tensor<1xi32>, %a: tensor<3x?x64xf32>, %gb: tensor<3x256x?xf32>, %ub: tensor<3x256x?xf32>, %r: tensor<3xi32>) -> tensor<1x64xf32> {
  %g0 = frit.matmul ins(%x, %wg : tensor<1x64xf32>, tensor<256x64xf32>) outs(%e : tensor<1x256xf32>) transpose_b -> tensor<1x256xf32>
  %g = frit.lora_matmul ins(%x, %ids : tensor<1x64xf32>, tensor<1xi32>) weights(%a, %gb : tensor<3x?x64xf32>, tensor<3x256x?xf32>) ranks(%r : tensor<3xi32>) outs(%g0 : tensor<1x256xf32>) -> tensor<1x256xf32>
  %u0 = frit.matmul ins(%x, %wu : tensor<1x64xf32>, tensor<256x64xf32>) outs(%e : tensor<1x256xf32>) transpose_b -> tensor<1x256xf32>
  %u = frit.lora_matmul ins(%x, %ids : tensor<1x64xf32>, tensor<1xi32>) weights(%a, %ub : tensor<3x?x64xf32>, tensor<3x256x?xf32>) outs(%u0 : tensor<1x256xf32>) -> tensor<1x256xf32>
  %h = frit.gelu_and_mul_sparse ins(%g, %u : tensor<1x256xf32>, tensor<1x256xf32>) outs(%e : tensor<1x256xf32>) std_multiplier = 1.5 -> tensor<1x256xf32>
  %d = frit.matmul ins(%h, %down : tensor<1x256xf32>, tensor<256x64xf32>) outs(%y : tensor<1x64xf32>) -> tensor<1x64xf32>
  return %d : tensor<1x64xf32>
}

// A known number of tokens needs no other condition, an unknown one does.

// CHECK-LABEL: func @tokens_too
// CHECK: %[[FEW:.*]] = arith.cmpi sle
// CHECK: %[[SAME:.*]] = arith.cmpi eq
// CHECK: %[[BOTH:.*]] = arith.andi %[[FEW]], %[[SAME]]
// CHECK: scf.if %[[BOTH]]
func.func @tokens_too(%x: tensor<?x64xf32>, %wg: tensor<256x64xf32>, %wu: tensor<256x64xf32>, %down: tensor<256x64xf32>, %e: tensor<?x256xf32>, %y: tensor<?x64xf32>, %ids: tensor<?xi32>, %ga: tensor<?x4x64xf32>, %gb: tensor<?x256x4xf32>, %ua: tensor<?x4x64xf32>, %ub: tensor<?x256x4xf32>) -> tensor<?x64xf32> {
  %g0 = frit.matmul ins(%x, %wg : tensor<?x64xf32>, tensor<256x64xf32>) outs(%e : tensor<?x256xf32>) transpose_b -> tensor<?x256xf32>
  %g = frit.lora_matmul ins(%x, %ids : tensor<?x64xf32>, tensor<?xi32>) weights(%ga, %gb : tensor<?x4x64xf32>, tensor<?x256x4xf32>) outs(%g0 : tensor<?x256xf32>) -> tensor<?x256xf32>
  %u0 = frit.matmul ins(%x, %wu : tensor<?x64xf32>, tensor<256x64xf32>) outs(%e : tensor<?x256xf32>) transpose_b -> tensor<?x256xf32>
  %u = frit.lora_matmul ins(%x, %ids : tensor<?x64xf32>, tensor<?xi32>) weights(%ua, %ub : tensor<?x4x64xf32>, tensor<?x256x4xf32>) outs(%u0 : tensor<?x256xf32>) -> tensor<?x256xf32>
  %h = frit.gelu_and_mul_sparse ins(%g, %u : tensor<?x256xf32>, tensor<?x256xf32>) outs(%e : tensor<?x256xf32>) std_multiplier = 1.5 -> tensor<?x256xf32>
  %d = frit.matmul ins(%h, %down : tensor<?x256xf32>, tensor<256x64xf32>) outs(%y : tensor<?x64xf32>) -> tensor<?x64xf32>
  return %d : tensor<?x64xf32>
}
