// RUN: %frit_opt %s --pass-pipeline='builtin.module(frit-emit-entry-points)' | FileCheck %s

func.func @f(%context: !llvm.ptr, %x: memref<?xf32, strided<[1], offset: ?>>, %flag: i1, %n: index) -> i32 {
  %ok = arith.constant 0 : i32
  return %ok : i32
}

// CHECK: func.func private @_frit_f.body({{.*}}llvm.linkage = #llvm.linkage<internal>
// CHECK-LABEL: func.func @_frit_f(
// CHECK-SAME: %[[CTX:.*]]: !llvm.ptr, %[[ARGS:.*]]: !llvm.ptr) -> i32 {
// CHECK: %[[BEGIN:.*]] = llvm.call @fritBeginCall(%[[CTX]]) : (!llvm.ptr) -> i32
// CHECK: %[[OK:.*]] = arith.cmpi eq, %[[BEGIN]], %{{.*}} : i32
// CHECK-NEXT: cf.cond_br %[[OK]], ^[[BODY:.*]], ^[[END:.*]](%[[BEGIN]] : i32)
// CHECK-NEXT: ^[[BODY]]:
// CHECK-NEXT: %[[S0:.*]] = llvm.getelementptr %[[ARGS]][0] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
// CHECK-NEXT: %[[P0:.*]] = llvm.load %[[S0]] : !llvm.ptr -> !llvm.ptr
// CHECK-NEXT: %[[D0:.*]] = llvm.load %[[P0]] : !llvm.ptr -> !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT: %[[X:.*]] = builtin.unrealized_conversion_cast %[[D0]]
// A flag is a byte in memory.
// CHECK: llvm.getelementptr %[[ARGS]][1]
// CHECK: %[[BYTE:.*]] = llvm.load %{{.*}} : !llvm.ptr -> i8
// CHECK-NEXT: %[[FLAG:.*]] = llvm.trunc %[[BYTE]] : i8 to i1
// CHECK: llvm.getelementptr %[[ARGS]][2]
// CHECK: %[[N:.*]] = builtin.unrealized_conversion_cast %{{.*}} : i64 to index
// CHECK-NEXT: %[[RUNS:.*]] = call @_frit_f.body(%[[CTX]], %[[X]], %[[FLAG]], %[[N]])
// CHECK-NEXT: %[[STATUS:.*]] = llvm.call @fritEndCall(%[[CTX]], %[[RUNS]]) : (!llvm.ptr, i32) -> i32
// CHECK-NEXT: cf.br ^[[END]](%[[STATUS]] : i32)
// CHECK-NEXT: ^[[END]](%[[RESULT:.*]]: i32):
// CHECK-NEXT: return %[[RESULT]] : i32

// CHECK-NOT: @_frit_helper
func.func private @helper(%context: !llvm.ptr) -> i32 {
  %ok = arith.constant 0 : i32
  return %ok : i32
}

// Names of arguments are for callers: LLVM would warn of them.
// CHECK: func.func private @_frit_named.body(%{{[^:]*}}: !llvm.ptr, %{{[^:]*}}: f32, %{{[^:]*}}: f32 {llvm.noundef})
func.func @named(%context: !llvm.ptr, %a: f32 {frit.tensor = "alpha"},
                 %b: f32 {frit.tensor = "beta", llvm.noundef}) -> i32 {
  %ok = arith.constant 0 : i32
  return %ok : i32
}
