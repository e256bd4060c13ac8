// Matmuls by the oneDNN of this machine against the reference: every form, on one thread and on several.
//
// REQUIRES: onednn
// The tolerance is below the bound of an f32 sum of 600 products.
// DEFINE: %{tokens} = 64
// DEFINE: %{run} = frit-run %s --target=cpu+onednn --entry=linear --input=%{tokens}x300xf32=random --input=130x300xf32=random --input=130xf32=random --expect=native --atol=5e-4
// RUN: %{run}
// RUN: env OMP_NUM_THREADS=1 %{run}
// REDEFINE: %{tokens} = 333
// RUN: %{run}
// REDEFINE: %{tokens} = 63
// RUN: %{run}

// DEFINE: %{forms} = frit-run %s --target=cpu+onednn --policy=require=library --entry=forms --input=3x65x33xf32=random --input=33x17xf32=random --input=33x65xf32=random --expect=native --expect=native --atol=5e-4
// RUN: %{forms}
// RUN: env OMP_NUM_THREADS=1 %{forms}

func.func @linear(%x: tensor<?x300xf32>, %w: tensor<130x300xf32>, %bias: tensor<130xf32>) -> tensor<?x130xf32> {
  %c0 = arith.constant 0 : index
  %t = tensor.dim %x, %c0 : tensor<?x300xf32>
  %e = tensor.empty(%t) : tensor<?x130xf32>
  %y = frit.matmul ins(%x, %w : tensor<?x300xf32>, tensor<130x300xf32>) bias(%bias : tensor<130xf32>) outs(%e : tensor<?x130xf32>) transpose_b -> tensor<?x130xf32>
  %z = frit.matmul ins(%x, %w : tensor<?x300xf32>, tensor<130x300xf32>) outs(%y : tensor<?x130xf32>) transpose_b accumulate -> tensor<?x130xf32>
  return %z : tensor<?x130xf32>
}

func.func @forms(%x: tensor<3x?x33xf32>, %w: tensor<33x17xf32>, %xt: tensor<33x?xf32>) -> (tensor<3x?x17xf32>, tensor<?x17xf32>) {
  %c1 = arith.constant 1 : index
  %t = tensor.dim %x, %c1 : tensor<3x?x33xf32>
  %e = tensor.empty(%t) : tensor<3x?x17xf32>
  %y = frit.matmul ins(%x, %w : tensor<3x?x33xf32>, tensor<33x17xf32>) outs(%e : tensor<3x?x17xf32>) -> tensor<3x?x17xf32>
  %u = tensor.dim %xt, %c1 : tensor<33x?xf32>
  %f = tensor.empty(%u) : tensor<?x17xf32>
  %z = frit.matmul ins(%xt, %w : tensor<33x?xf32>, tensor<33x17xf32>) outs(%f : tensor<?x17xf32>) transpose_a -> tensor<?x17xf32>
  return %y, %z : tensor<3x?x17xf32>, tensor<?x17xf32>
}
