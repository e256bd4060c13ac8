// Temporary buffers that share memory: chains whose lifetimes overlap in part, of dynamic and of static size, in a branch
// and in a loop. A buffer that is overwritten while it is in use changes the result; the reference has a block for each.
//
// REQUIRES: cpu-runner
// DEFINE: %{plan} = frit-run %s --fill=random --expect=native --rtol=1e-3 --atol=1e-2
//
// RUN: %{plan} --dim n=37 --dim m=5 --input='which=ones'
// RUN: %{plan} --dim n=5 --dim m=37 --input='which=zeros'
// RUN: %{plan} --dim n=1 --dim m=70 --input='which=ones'
// RUN: %{plan} --dim n=0 --dim m=3 --input='which=ones'
//
// RUN: %frit_opt %s --pass-pipeline='builtin.module(frit-to-cpu)' --remarks-filter=frit-plan-scratch 2>&1 | FileCheck %s
// CHECK: Function=main | Remark="9 buffers share 6912 bytes and 3 slots of dynamic size"

func.func @main(%x: tensor<?x?xf32> {frit.dims = ["n", "m"]}, %w: tensor<?x?xf32> {frit.dims = ["m", "m"]},
                %s: tensor<24x24xf32>, %which: tensor<1xi32> {frit.tensor = "which"})
    -> (tensor<?x?xf32>, tensor<24x24xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %none = arith.constant 0 : i32
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?x?xf32>
  %m = tensor.dim %x, %c1 : tensor<?x?xf32>

  // Each is needed by the next one, and the first by the third as well.
  %a_empty = tensor.empty(%n, %m) : tensor<?x?xf32>
  %a_init = linalg.fill ins(%zero : f32) outs(%a_empty : tensor<?x?xf32>) -> tensor<?x?xf32>
  %a = linalg.matmul ins(%x, %w : tensor<?x?xf32>, tensor<?x?xf32>) outs(%a_init : tensor<?x?xf32>) -> tensor<?x?xf32>
  %b_empty = tensor.empty(%n, %m) : tensor<?x?xf32>
  %b_init = linalg.fill ins(%zero : f32) outs(%b_empty : tensor<?x?xf32>) -> tensor<?x?xf32>
  %b = linalg.matmul ins(%a, %w : tensor<?x?xf32>, tensor<?x?xf32>) outs(%b_init : tensor<?x?xf32>) -> tensor<?x?xf32>
  %c = linalg.matmul ins(%b, %w : tensor<?x?xf32>, tensor<?x?xf32>) outs(%a : tensor<?x?xf32>) -> tensor<?x?xf32>
  %d_empty = tensor.empty(%n, %m) : tensor<?x?xf32>
  %d_init = linalg.fill ins(%zero : f32) outs(%d_empty : tensor<?x?xf32>) -> tensor<?x?xf32>
  %d = linalg.matmul ins(%c, %w : tensor<?x?xf32>, tensor<?x?xf32>) outs(%d_init : tensor<?x?xf32>) -> tensor<?x?xf32>
  %e_empty = tensor.empty(%n, %m) : tensor<?x?xf32>
  %e_init = linalg.fill ins(%zero : f32) outs(%e_empty : tensor<?x?xf32>) -> tensor<?x?xf32>
  %e = linalg.matmul ins(%d, %w : tensor<?x?xf32>, tensor<?x?xf32>) outs(%e_init : tensor<?x?xf32>) -> tensor<?x?xf32>

  %word = tensor.extract %which[%c0] : tensor<1xi32>
  %taken = arith.cmpi ne, %word, %none : i32
  %f = scf.if %taken -> tensor<?x?xf32> {
    %g_empty = tensor.empty(%n, %m) : tensor<?x?xf32>
    %g_init = linalg.fill ins(%zero : f32) outs(%g_empty : tensor<?x?xf32>) -> tensor<?x?xf32>
    %g = linalg.matmul ins(%d, %w : tensor<?x?xf32>, tensor<?x?xf32>) outs(%g_init : tensor<?x?xf32>) -> tensor<?x?xf32>
    %h = linalg.matmul ins(%g, %w : tensor<?x?xf32>, tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
    scf.yield %h : tensor<?x?xf32>
  } else {
    %i_empty = tensor.empty(%n, %m) : tensor<?x?xf32>
    %i_init = linalg.fill ins(%zero : f32) outs(%i_empty : tensor<?x?xf32>) -> tensor<?x?xf32>
    %i = linalg.matmul ins(%x, %w : tensor<?x?xf32>, tensor<?x?xf32>) outs(%i_init : tensor<?x?xf32>) -> tensor<?x?xf32>
    %j = linalg.matmul ins(%i, %w : tensor<?x?xf32>, tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
    scf.yield %j : tensor<?x?xf32>
  }
  %k = scf.for %step = %c0 to %c3 step %c1 iter_args(%sum = %f) -> tensor<?x?xf32> {
    %l_empty = tensor.empty(%n, %m) : tensor<?x?xf32>
    %l_init = linalg.fill ins(%zero : f32) outs(%l_empty : tensor<?x?xf32>) -> tensor<?x?xf32>
    %l = linalg.matmul ins(%d, %w : tensor<?x?xf32>, tensor<?x?xf32>) outs(%l_init : tensor<?x?xf32>) -> tensor<?x?xf32>
    %o_empty = tensor.empty(%n, %m) : tensor<?x?xf32>
    %o_init = linalg.fill ins(%zero : f32) outs(%o_empty : tensor<?x?xf32>) -> tensor<?x?xf32>
    %o = linalg.matmul ins(%l, %w : tensor<?x?xf32>, tensor<?x?xf32>) outs(%o_init : tensor<?x?xf32>) -> tensor<?x?xf32>
    %p = linalg.matmul ins(%o, %w : tensor<?x?xf32>, tensor<?x?xf32>) outs(%sum : tensor<?x?xf32>) -> tensor<?x?xf32>
    scf.yield %p : tensor<?x?xf32>
  }

  %q_empty = tensor.empty() : tensor<24x24xf32>
  %q_init = linalg.fill ins(%zero : f32) outs(%q_empty : tensor<24x24xf32>) -> tensor<24x24xf32>
  %q = linalg.matmul ins(%s, %s : tensor<24x24xf32>, tensor<24x24xf32>) outs(%q_init : tensor<24x24xf32>) -> tensor<24x24xf32>
  %r_empty = tensor.empty() : tensor<24x24xf32>
  %r_init = linalg.fill ins(%zero : f32) outs(%r_empty : tensor<24x24xf32>) -> tensor<24x24xf32>
  %r = linalg.matmul ins(%q, %s : tensor<24x24xf32>, tensor<24x24xf32>) outs(%r_init : tensor<24x24xf32>) -> tensor<24x24xf32>
  %t_empty = tensor.empty() : tensor<24x24xf32>
  %t_init = linalg.fill ins(%zero : f32) outs(%t_empty : tensor<24x24xf32>) -> tensor<24x24xf32>
  %t = linalg.matmul ins(%r, %q : tensor<24x24xf32>, tensor<24x24xf32>) outs(%t_init : tensor<24x24xf32>) -> tensor<24x24xf32>
  %u_empty = tensor.empty() : tensor<24x24xf32>
  %u_init = linalg.fill ins(%zero : f32) outs(%u_empty : tensor<24x24xf32>) -> tensor<24x24xf32>
  %u = linalg.matmul ins(%t, %s : tensor<24x24xf32>, tensor<24x24xf32>) outs(%u_init : tensor<24x24xf32>) -> tensor<24x24xf32>
  return %k, %u : tensor<?x?xf32>, tensor<24x24xf32>
}
