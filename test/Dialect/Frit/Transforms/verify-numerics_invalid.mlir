// RUN: %frit_opt %s --pass-pipeline='builtin.module(frit-verify-numerics)' -split-input-file -verify-diagnostics

// One function for each rule and kind of op it knows. Diagnostics stand at the
// location of the Frit op that the code comes from, which is unknown here.

// Flag contract of arith.
// expected-error@unknown {{'arith.addf' op must not have the fastmath flags 'contract' in strict code of 'frit.gelu_and_mul_sparse'}}
func.func @arith_contract(%a: f32) -> f32 {
  %0 = arith.addf %a, %a fastmath<contract> : f32 loc(fused<#frit.origin<"frit.gelu_and_mul_sparse", strict>>[unknown])
  return %0 : f32
}

// -----

// Flag reassoc of arith.
// expected-error@unknown {{'arith.addf' op must not have the fastmath flags 'reassoc' in strict code of 'frit.gelu_and_mul_sparse'}}
func.func @arith_reassoc(%a: f32) -> f32 {
  %0 = arith.addf %a, %a fastmath<reassoc> : f32 loc(fused<#frit.origin<"frit.gelu_and_mul_sparse", strict>>[unknown])
  return %0 : f32
}

// -----

// Flag afn of arith.
// expected-error@unknown {{'arith.addf' op must not have the fastmath flags 'afn' in strict code of 'frit.gelu_and_mul_sparse'}}
func.func @arith_afn(%a: f32) -> f32 {
  %0 = arith.addf %a, %a fastmath<afn> : f32 loc(fused<#frit.origin<"frit.gelu_and_mul_sparse", strict>>[unknown])
  return %0 : f32
}

// -----

// Flag arcp of arith.
// expected-error@unknown {{'arith.addf' op must not have the fastmath flags 'arcp' in strict code of 'frit.gelu_and_mul_sparse'}}
func.func @arith_arcp(%a: f32) -> f32 {
  %0 = arith.addf %a, %a fastmath<arcp> : f32 loc(fused<#frit.origin<"frit.gelu_and_mul_sparse", strict>>[unknown])
  return %0 : f32
}

// -----

// Flag nnan of arith.
// expected-error@unknown {{'arith.addf' op must not have the fastmath flags 'nnan' in strict code of 'frit.gelu_and_mul_sparse'}}
func.func @arith_nnan(%a: f32) -> f32 {
  %0 = arith.addf %a, %a fastmath<nnan> : f32 loc(fused<#frit.origin<"frit.gelu_and_mul_sparse", strict>>[unknown])
  return %0 : f32
}

// -----

// Flag ninf of arith.
// expected-error@unknown {{'arith.addf' op must not have the fastmath flags 'ninf' in strict code of 'frit.gelu_and_mul_sparse'}}
func.func @arith_ninf(%a: f32) -> f32 {
  %0 = arith.addf %a, %a fastmath<ninf> : f32 loc(fused<#frit.origin<"frit.gelu_and_mul_sparse", strict>>[unknown])
  return %0 : f32
}

// -----

// The flag fast stands for all.
// expected-error-re@unknown {{'arith.addf' op must not have the fastmath flags '{{.*}}' in strict code of 'frit.gelu_and_mul_sparse'}}
func.func @arith_fast(%a: f32) -> f32 {
  %0 = arith.addf %a, %a fastmath<fast> : f32 loc(fused<#frit.origin<"frit.gelu_and_mul_sparse", strict>>[unknown])
  return %0 : f32
}

// -----

// Flags count in fma code too.
// expected-error@unknown {{'arith.addf' op must not have the fastmath flags 'reassoc' in fma code of 'frit.lora_shrink'}}
func.func @fma_reassoc(%a: f32) -> f32 {
  %0 = arith.addf %a, %a fastmath<reassoc> : f32 loc(fused<#frit.origin<"frit.lora_shrink", fma>>[unknown])
  return %0 : f32
}

// -----

// Flags of a cast: it is what canonicalization needs to drop a rounding.
// expected-error@unknown {{'arith.truncf' op must not have the fastmath flags 'contract' in strict code of 'frit.gelu_and_mul_sparse'}}
func.func @cast_contract(%a: f32) -> bf16 {
  %0 = arith.truncf %a fastmath<contract> : f32 to bf16 loc(fused<#frit.origin<"frit.gelu_and_mul_sparse", strict>>[unknown])
  return %0 : bf16
}

// -----

// Flags of math.
// expected-error@unknown {{'math.tanh' op must not have the fastmath flags 'afn' in strict code of 'frit.gelu_and_mul_sparse'}}
func.func @math_afn(%a: f32) -> f32 {
  %0 = math.tanh %a fastmath<afn> : f32 loc(fused<#frit.origin<"frit.gelu_and_mul_sparse", strict>>[unknown])
  return %0 : f32
}

// -----

// Flags of vector.
// expected-error@unknown {{'vector.reduction' op must not have the fastmath flags 'reassoc' in strict code of 'frit.gelu_and_mul_sparse'}}
func.func @vector_reassoc(%a: vector<8xf32>) -> f32 {
  %0 = vector.reduction <add>, %a fastmath<reassoc> : vector<8xf32> into f32 loc(fused<#frit.origin<"frit.gelu_and_mul_sparse", strict>>[unknown])
  return %0 : f32
}

// -----

// Flags of LLVM ops.
// expected-error@unknown {{'llvm.fmul' op must not have the fastmath flags 'contract' in strict code of 'frit.gelu_and_mul_sparse'}}
llvm.func @llvm_contract(%a: f32) -> f32 {
  %0 = llvm.fmul %a, %a {fastmathFlags = #llvm.fastmath<contract>} : f32 loc(fused<#frit.origin<"frit.gelu_and_mul_sparse", strict>>[unknown])
  llvm.return %0 : f32
}

// -----

// Flags of LLVM intrinsics.
// expected-error@unknown {{'llvm.intr.sqrt' op must not have the fastmath flags 'afn' in strict code of 'frit.gelu_and_mul_sparse'}}
llvm.func @llvm_intr_afn(%a: f32) -> f32 {
  %0 = llvm.intr.sqrt(%a) {fastmathFlags = #llvm.fastmath<afn>} : (f32) -> f32 loc(fused<#frit.origin<"frit.gelu_and_mul_sparse", strict>>[unknown])
  llvm.return %0 : f32
}

// -----

// Fusing ops.
// expected-error@unknown {{'math.fma' op must not fuse a product and a sum in strict code of 'frit.gelu_and_mul_sparse'}}
func.func @math_fma(%a: f32) -> f32 {
  %0 = math.fma %a, %a, %a : f32 loc(fused<#frit.origin<"frit.gelu_and_mul_sparse", strict>>[unknown])
  return %0 : f32
}

// -----

// vector.fma.
// expected-error@unknown {{'vector.fma' op must not fuse a product and a sum in strict code of 'frit.gelu_and_mul_sparse'}}
func.func @vector_fma(%a: vector<8xf32>) -> vector<8xf32> {
  %0 = vector.fma %a, %a, %a : vector<8xf32> loc(fused<#frit.origin<"frit.gelu_and_mul_sparse", strict>>[unknown])
  return %0 : vector<8xf32>
}

// -----

// vector.outerproduct.
// expected-error@unknown {{'vector.outerproduct' op must not fuse a product and a sum in strict code of 'frit.gelu_and_mul_sparse'}}
func.func @vector_outer(%a: vector<8xf32>, %c: vector<8x8xf32>) -> vector<8x8xf32> {
  %0 = vector.outerproduct %a, %a, %c {kind = #vector.kind<add>} : vector<8xf32>, vector<8xf32> loc(fused<#frit.origin<"frit.gelu_and_mul_sparse", strict>>[unknown])
  return %0 : vector<8x8xf32>
}

// -----

// vector.contract.
// expected-error@unknown {{'vector.contract' op must not fuse a product and a sum in strict code of 'frit.gelu_and_mul_sparse'}}
func.func @vector_contract(%a: vector<8xf32>, %c: f32) -> f32 {
  %0 = vector.contract {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]} %a, %a, %c : vector<8xf32>, vector<8xf32> into f32 loc(fused<#frit.origin<"frit.gelu_and_mul_sparse", strict>>[unknown])
  return %0 : f32
}

// -----

// llvm.intr.fma.
// expected-error@unknown {{'llvm.intr.fma' op must not fuse a product and a sum in strict code of 'frit.gelu_and_mul_sparse'}}
llvm.func @llvm_fma(%a: f32) -> f32 {
  %0 = llvm.intr.fma(%a, %a, %a) : (f32, f32, f32) -> f32 loc(fused<#frit.origin<"frit.gelu_and_mul_sparse", strict>>[unknown])
  llvm.return %0 : f32
}

// -----

// llvm.intr.fmuladd.
// expected-error@unknown {{'llvm.intr.fmuladd' op must not fuse a product and a sum in strict code of 'frit.gelu_and_mul_sparse'}}
llvm.func @llvm_fmuladd(%a: f32) -> f32 {
  %0 = llvm.intr.fmuladd(%a, %a, %a) : (f32, f32, f32) -> f32 loc(fused<#frit.origin<"frit.gelu_and_mul_sparse", strict>>[unknown])
  llvm.return %0 : f32
}

// -----

// A call of the math library.
llvm.func @fmaf(f32, f32, f32) -> f32
// expected-error@unknown {{'llvm.call' op must not fuse a product and a sum in strict code of 'frit.gelu_and_mul_sparse'}}
llvm.func @call_fmaf(%a: f32) -> f32 {
  %0 = llvm.call @fmaf(%a, %a, %a) : (f32, f32, f32) -> f32 loc(fused<#frit.origin<"frit.gelu_and_mul_sparse", strict>>[unknown])
  llvm.return %0 : f32
}

// -----

// An intrinsic by name.
// expected-error@unknown {{'llvm.call_intrinsic' op must not fuse a product and a sum in strict code of 'frit.gelu_and_mul_sparse'}}
llvm.func @intrinsic_fma(%a: f32) -> f32 {
  %0 = llvm.call_intrinsic "llvm.fmuladd.f32"(%a, %a, %a) : (f32, f32, f32) -> f32 loc(fused<#frit.origin<"frit.gelu_and_mul_sparse", strict>>[unknown])
  llvm.return %0 : f32
}

// -----

// Inline assembly.
// expected-error@unknown {{'llvm.inline_asm' op must not fuse a product and a sum in strict code of 'frit.gelu_and_mul_sparse'}}
llvm.func @asm_fma(%a: f32) -> f32 {
  %0 = llvm.inline_asm "fma.rn.f32 $0, $1, $1, $1;", "=f,f" %a : (f32) -> f32 loc(fused<#frit.origin<"frit.gelu_and_mul_sparse", strict>>[unknown])
  llvm.return %0 : f32
}

// -----

// Arithmetic in f16.
// expected-error@unknown {{'arith.addf' op must not compute in f16, but in f32 in strict code of 'frit.gelu_and_mul_sparse'}}
func.func @arith_f16(%a: f16) -> f16 {
  %0 = arith.addf %a, %a : f16 loc(fused<#frit.origin<"frit.gelu_and_mul_sparse", strict>>[unknown])
  return %0 : f16
}

// -----

// math in f16.
// expected-error@unknown {{'math.sqrt' op must not compute in f16, but in f32 in strict code of 'frit.gelu_and_mul_sparse'}}
func.func @math_f16(%a: f16) -> f16 {
  %0 = math.sqrt %a : f16 loc(fused<#frit.origin<"frit.gelu_and_mul_sparse", strict>>[unknown])
  return %0 : f16
}

// -----

// vector in f16.
// expected-error@unknown {{'vector.reduction' op must not compute in f16, but in f32 in fma code of 'frit.lora_shrink'}}
func.func @vector_f16(%a: vector<8xf16>) -> f16 {
  %0 = vector.reduction <add>, %a : vector<8xf16> into f16 loc(fused<#frit.origin<"frit.lora_shrink", fma>>[unknown])
  return %0 : f16
}

// -----

// LLVM in f16.
// expected-error@unknown {{'llvm.fsub' op must not compute in f16, but in f32 in strict code of 'frit.gelu_and_mul_sparse'}}
llvm.func @llvm_f16(%a: vector<8xf16>) -> vector<8xf16> {
  %0 = llvm.fsub %a, %a : vector<8xf16> loc(fused<#frit.origin<"frit.gelu_and_mul_sparse", strict>>[unknown])
  llvm.return %0 : vector<8xf16>
}

// -----

// Arithmetic in bf16.
// expected-error@unknown {{'arith.addf' op must not compute in bf16, but in f32 in strict code of 'frit.gelu_and_mul_sparse'}}
func.func @arith_bf16(%a: bf16) -> bf16 {
  %0 = arith.addf %a, %a : bf16 loc(fused<#frit.origin<"frit.gelu_and_mul_sparse", strict>>[unknown])
  return %0 : bf16
}

// -----

// math in bf16.
// expected-error@unknown {{'math.sqrt' op must not compute in bf16, but in f32 in strict code of 'frit.gelu_and_mul_sparse'}}
func.func @math_bf16(%a: bf16) -> bf16 {
  %0 = math.sqrt %a : bf16 loc(fused<#frit.origin<"frit.gelu_and_mul_sparse", strict>>[unknown])
  return %0 : bf16
}

// -----

// vector in bf16.
// expected-error@unknown {{'vector.reduction' op must not compute in bf16, but in f32 in fma code of 'frit.lora_shrink'}}
func.func @vector_bf16(%a: vector<8xbf16>) -> bf16 {
  %0 = vector.reduction <add>, %a : vector<8xbf16> into bf16 loc(fused<#frit.origin<"frit.lora_shrink", fma>>[unknown])
  return %0 : bf16
}

// -----

// LLVM in bf16.
// expected-error@unknown {{'llvm.fsub' op must not compute in bf16, but in f32 in strict code of 'frit.gelu_and_mul_sparse'}}
llvm.func @llvm_bf16(%a: vector<8xbf16>) -> vector<8xbf16> {
  %0 = llvm.fsub %a, %a : vector<8xbf16> loc(fused<#frit.origin<"frit.gelu_and_mul_sparse", strict>>[unknown])
  llvm.return %0 : vector<8xbf16>
}

// -----

// Approximations.
// expected-error@unknown {{'math.rsqrt' op must not approximate a division or square root ('math.rsqrt') in strict code of 'frit.gelu_and_mul_sparse'}}
func.func @math_rsqrt(%a: f32) -> f32 {
  %0 = math.rsqrt %a : f32 loc(fused<#frit.origin<"frit.gelu_and_mul_sparse", strict>>[unknown])
  return %0 : f32
}

// -----

// An approximate instruction of x86.
// expected-error@unknown {{'x86vector.avx.rsqrt' op must not approximate a division or square root ('x86vector.avx.rsqrt') in strict code of 'frit.gelu_and_mul_sparse'}}
func.func @x86_rsqrt(%a: vector<8xf32>) -> vector<8xf32> {
  %0 = x86vector.avx.rsqrt %a : vector<8xf32> loc(fused<#frit.origin<"frit.gelu_and_mul_sparse", strict>>[unknown])
  return %0 : vector<8xf32>
}

// -----

// The same as an intrinsic.
// expected-error@unknown {{'llvm.call_intrinsic' op must not approximate a division or square root ('llvm.x86.sse.rcp.ps') in strict code of 'frit.gelu_and_mul_sparse'}}
llvm.func @x86_rcp(%a: vector<4xf32>) -> vector<4xf32> {
  %0 = llvm.call_intrinsic "llvm.x86.sse.rcp.ps"(%a) : (vector<4xf32>) -> vector<4xf32> loc(fused<#frit.origin<"frit.gelu_and_mul_sparse", strict>>[unknown])
  llvm.return %0 : vector<4xf32>
}

// -----

// What math.sqrt becomes for NVIDIA GPUs.
llvm.func @__nv_sqrtf(f32) -> f32
// expected-error@unknown {{'llvm.call' op must not approximate a division or square root ('__nv_sqrtf') in strict code of 'frit.gelu_and_mul_sparse'}}
llvm.func @nv_sqrt(%a: f32) -> f32 {
  %0 = llvm.call @__nv_sqrtf(%a) : (f32) -> f32 loc(fused<#frit.origin<"frit.gelu_and_mul_sparse", strict>>[unknown])
  llvm.return %0 : f32
}

// -----

// Flushing of subnormals, not allowed in fma code either.
// expected-error@unknown {{'x86vector.avx512.dot' op must not flush subnormals ('x86vector.avx512.dot') in fma code of 'frit.lora_shrink'}}
func.func @dot_bf16(%a: vector<16xf32>, %b: vector<32xbf16>) -> vector<16xf32> {
  %0 = x86vector.avx512.dot %a, %b, %b : vector<32xbf16> -> vector<16xf32> loc(fused<#frit.origin<"frit.lora_shrink", fma>>[unknown])
  return %0 : vector<16xf32>
}

// -----

// A conversion that flushes.
// expected-error@unknown {{'x86vector.avx512.cvt.packed.f32_to_bf16' op must not flush subnormals ('x86vector.avx512.cvt.packed.f32_to_bf16') in strict code of 'frit.gelu_and_mul_sparse'}}
func.func @cvt_bf16(%a: vector<8xf32>) -> vector<8xbf16> {
  %0 = x86vector.avx512.cvt.packed.f32_to_bf16 %a : vector<8xf32> -> vector<8xbf16> loc(fused<#frit.origin<"frit.gelu_and_mul_sparse", strict>>[unknown])
  return %0 : vector<8xbf16>
}

// -----

// Another rounding mode.
// expected-error@unknown {{'arith.truncf' op must round to nearest even, not 'downward', in strict code of 'frit.gelu_and_mul_sparse'}}
func.func @truncf_downward(%a: f32) -> bf16 {
  %0 = arith.truncf %a downward : f32 to bf16 loc(fused<#frit.origin<"frit.gelu_and_mul_sparse", strict>>[unknown])
  return %0 : bf16
}

// -----

// The same in LLVM's dialect.
// expected-error@unknown {{'llvm.intr.experimental.constrained.fptrunc' op must round to nearest even, not 'towardzero', in fma code of 'frit.lora_shrink'}}
func.func @fptrunc_towardzero(%a: f32) -> bf16 {
  %0 = llvm.intr.experimental.constrained.fptrunc %a towardzero ignore : f32 to bf16 loc(fused<#frit.origin<"frit.lora_shrink", fma>>[unknown])
  return %0 : bf16
}

// -----

// Attributes of a function.
// expected-error@+1 {{'llvm.func' op must not have 'fp_contract' "fast" in strict code of 'frit.gelu_and_mul_sparse'}}
llvm.func @attr_fp_contract(%a: f32) -> f32 attributes {fp_contract = "fast"} {
  %0 = llvm.fadd %a, %a : f32 loc(fused<#frit.origin<"frit.gelu_and_mul_sparse", strict>>[unknown])
  llvm.return %0 : f32
}

// -----

// Attribute no_nans.
// expected-error@+1 {{'llvm.func' op must not have 'no_nans_fp_math' in strict code of 'frit.gelu_and_mul_sparse'}}
llvm.func @attr_no_nans(%a: f32) -> f32 attributes {no_nans_fp_math = true} {
  %0 = llvm.fadd %a, %a : f32 loc(fused<#frit.origin<"frit.gelu_and_mul_sparse", strict>>[unknown])
  llvm.return %0 : f32
}

// -----

// Attribute no_infs.
// expected-error@+1 {{'llvm.func' op must not have 'no_infs_fp_math' in strict code of 'frit.gelu_and_mul_sparse'}}
llvm.func @attr_no_infs(%a: f32) -> f32 attributes {no_infs_fp_math = true} {
  %0 = llvm.fadd %a, %a : f32 loc(fused<#frit.origin<"frit.gelu_and_mul_sparse", strict>>[unknown])
  llvm.return %0 : f32
}

// -----

// Attribute denormal.
// expected-error@+1 {{'llvm.func' op must keep subnormals, but its denormal mode is "preserve-sign,preserve-sign" in strict code of 'frit.gelu_and_mul_sparse'}}
llvm.func @attr_denormal(%a: f32) -> f32 attributes {denormal_fp_math = "preserve-sign,preserve-sign"} {
  %0 = llvm.fadd %a, %a : f32 loc(fused<#frit.origin<"frit.gelu_and_mul_sparse", strict>>[unknown])
  llvm.return %0 : f32
}

// -----

// Inlining wraps the location; the origin in it still counts, and of several
// the strict one.
// expected-error@unknown {{'math.fma' op must not fuse a product and a sum in strict code of 'frit.lora_expand'}}
func.func @call_site(%a: f32) -> f32 {
  %0 = math.fma %a, %a, %a : f32 loc(fused[
      fused<#frit.origin<"frit.lora_shrink", fma>>[unknown],
      callsite(fused<#frit.origin<"frit.lora_expand", strict>>[unknown] at unknown)])
  return %0 : f32
}
