// A shared library gives the bits that frit-run gives for the same processor:
// sums over rows, matmuls, functions of libm, and roundings to bf16.

// REQUIRES: numpy
// RUN: rm -rf %t && mkdir %t
// RUN: %python %S/Inputs/same-bits.py make %t
// DEFINE: %{march} = native
// DEFINE: %{run} = frit-run %s --entry=f --target=cpu:%{march} --input=@%t/x.npy --input=@%t/w.npy --output=@%t/run.npy
// DEFINE: %{compile} = frit-compile %s -o %t/f.so --emit=so --target=cpu:%{march}
// RUN: %{run}
// RUN: %{compile}
// RUN: %python %S/Inputs/same-bits.py check %t %frit_lib/libFritRuntime%shlibext
// REDEFINE: %{march} = x86-64
// RUN: %{run}
// RUN: %{compile}
// RUN: %python %S/Inputs/same-bits.py check %t %frit_lib/libFritRuntime%shlibext

func.func @f(%x: tensor<?x512xf32>, %w: tensor<256x64xf32>) -> tensor<?x64xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %tokens = tensor.dim %x, %c0 : tensor<?x512xf32>
  %h = tensor.empty(%tokens) : tensor<?x256xf32>
  %g = frit.gelu_and_mul_sparse ins(%x : tensor<?x512xf32>) outs(%h : tensor<?x256xf32>) std_multiplier = 0.5 -> tensor<?x256xf32>
  %e = tensor.empty(%tokens) : tensor<?x64xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<?x64xf32>) -> tensor<?x64xf32>
  %m = linalg.matmul ins(%g, %w : tensor<?x256xf32>, tensor<256x64xf32>) outs(%init : tensor<?x64xf32>) -> tensor<?x64xf32>
  %c = math.cos %m : tensor<?x64xf32>
  %p = math.powf %c, %c : tensor<?x64xf32>
  %b = arith.truncf %p : tensor<?x64xf32> to tensor<?x64xbf16>
  %y = arith.extf %b : tensor<?x64xbf16> to tensor<?x64xf32>
  %z = arith.addf %y, %m : tensor<?x64xf32>
  return %z : tensor<?x64xf32>
}
