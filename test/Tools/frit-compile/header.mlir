// RUN: frit-compile %s -o - --emit=header --prefix=model | FileCheck %s
// RUN: frit-compile %s -o %t.x.h --emit=header --prefix=model
// RUN: %cc -fsyntax-only -x c %t.x.h
// RUN: %cxx -fsyntax-only %t.x.h

// CHECK: /* header.mlir, compiled for cpu:x86-64 by frit-compile.
// CHECK: #ifndef FRIT_COMPILED_model_H
// CHECK: #include "frit-c/Entry.h"
// CHECK: extern "C" {

// CHECK-LABEL: /** @f
// CHECK: * x: [tokens, 4, arg0.2] f32, read
// CHECK: * layer_0_weight: [8] bf16, read ('layer.0.weight')
// A name that C keeps, one that is there already, and none.
// CHECK: * arg2: [tokens] i32, read ('int')
// CHECK: * arg3: [] f64, read ('x')
// CHECK: * arg4: [3] i1, may be written, row-major without gaps
// CHECK: * result0: [tokens, 4, arg0.2] f32, written
// CHECK: * result1: [] i64, written
// CHECK: */
// CHECK: FritStatus model_f(FritContext *context,
// CHECK-NEXT: const FritTensor *x,
// CHECK-NEXT: const FritTensor *layer_0_weight,
// CHECK-NEXT: const FritTensor *arg2,
// CHECK-NEXT: const FritTensor *arg3,
// CHECK-NEXT: const FritTensor *arg4,
// CHECK-NEXT: const FritTensor *result0,
// CHECK-NEXT: const FritTensor *result1);
// CHECK: extern const FritEntry model_f_entry;
func.func @f(%x: tensor<?x4x?xf32> {frit.tensor = "x", frit.dims = ["tokens", "", ""]},
             %w: tensor<8xbf16> {frit.tensor = "layer.0.weight"},
             %ids: tensor<?xi32> {frit.tensor = "int", frit.dims = ["tokens"]},
             %y: tensor<f64> {frit.tensor = "x"},
             %flags: memref<3xi1>) -> (tensor<?x4x?xf32>, i64) {
  %one = arith.constant 1 : i64
  return %x, %one : tensor<?x4x?xf32>, i64
}

// CHECK-LABEL: /** @scalars
// CHECK: * h: f16, its bits
// CHECK: FritStatus model_scalars(FritContext *context,
// CHECK-NEXT: uint8_t arg0,
// CHECK-NEXT: int8_t arg1,
// CHECK-NEXT: int16_t arg2,
// CHECK-NEXT: int32_t arg3,
// CHECK-NEXT: int64_t arg4,
// CHECK-NEXT: int64_t arg5,
// CHECK-NEXT: uint16_t h,
// CHECK-NEXT: uint16_t arg7,
// CHECK-NEXT: float arg8,
// CHECK-NEXT: double arg9,
// CHECK-NEXT: const FritTensor *result);
func.func @scalars(%a: i1, %b: i8, %c: i16, %d: i32, %e: i64, %f: index,
                   %g: f16 {frit.tensor = "h"}, %h: bf16, %i: f32, %j: f64) -> f64 {
  return %j : f64
}

// A name ends no comment.
// CHECK-LABEL: /** @odd * / name
// CHECK: FritStatus model_odd____name(FritContext *context);
func.func @"odd */ name"() {
  return
}
// CHECK: #endif /* FRIT_COMPILED_model_H */
