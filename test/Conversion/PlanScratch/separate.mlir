// RUN: %frit_opt %s --pass-pipeline='builtin.module(func.func(frit-plan-scratch))' --remarks-filter=frit-plan-scratch --verify-diagnostics | FileCheck %s

func.func private @use(memref<?xf32>)
func.func private @get_size() -> index

// CHECK-LABEL: func.func @parallel(
func.func @parallel(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    // CHECK: memref.alloc(%{{.*}}) : memref<?xf32>
    // expected-remark@below {{it is not in straight-line code or a sequential loop}}
    %a = memref.alloc(%n) : memref<?xf32>
    func.call @use(%a) : (memref<?xf32>) -> ()
    memref.dealloc %a : memref<?xf32>
  }
  return
}

// CHECK-LABEL: func.func @blocks(
func.func @blocks(%n: index, %p: i1) {
  // CHECK: memref.alloc(%{{.*}}) : memref<?xf32>
  // expected-remark@below {{it is not in straight-line code}}
  %a = memref.alloc(%n) : memref<?xf32>
  cf.cond_br %p, ^one, ^two
^one:
  call @use(%a) : (memref<?xf32>) -> ()
  cf.br ^two
^two:
  memref.dealloc %a : memref<?xf32>
  return
}

// CHECK-LABEL: func.func @kept(
func.func @kept(%n: index) -> memref<?xf32> {
  // CHECK: memref.alloc(%{{.*}}) : memref<?xf32>
  // expected-remark@below {{it is not freed once, in the block that allocates it}}
  %a = memref.alloc(%n) : memref<?xf32>
  return %a : memref<?xf32>
}

// CHECK-LABEL: func.func @carried(
func.func @carried(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-remark@below {{it is not freed once}}
  %first = memref.alloc(%n) : memref<?xf32>
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%old = %first) -> memref<?xf32> {
    // expected-remark@below {{it is not freed once}}
    %new = memref.alloc(%n) : memref<?xf32>
    memref.copy %old, %new : memref<?xf32> to memref<?xf32>
    memref.dealloc %old : memref<?xf32>
    scf.yield %new : memref<?xf32>
  }
  memref.dealloc %last : memref<?xf32>
  return
}

// The second's size is not known in front of the first.
// expected-remark@below {{2 buffers share 0 bytes and 2 slots}}
func.func @late_size(%n: index) {
  %a = memref.alloc(%n) : memref<?xf32>
  %m = call @get_size() : () -> index
  // expected-remark@below {{its size is not known in front of the first buffer}}
  %b = memref.alloc(%m) : memref<?xf32>
  %c = memref.alloc(%n) : memref<?xf32>
  memref.copy %a, %b : memref<?xf32> to memref<?xf32>
  memref.copy %a, %c : memref<?xf32> to memref<?xf32>
  memref.dealloc %a : memref<?xf32>
  memref.dealloc %b : memref<?xf32>
  memref.dealloc %c : memref<?xf32>
  return
}

// The difference may be negative where the branch is not taken.
// CHECK-LABEL: func.func @late_first(
// expected-remark@below {{1 buffers share 0 bytes and 1 slots}}
func.func @late_first(%n: index, %p: i1) {
  %c100 = arith.constant 100 : index
  scf.if %p {
    %m = arith.subi %n, %c100 : index
    // CHECK: memref.alloc(%{{.*}}) : memref<?xf32>
    // expected-remark@below {{its size may have no meaning where it does not run}}
    %a = memref.alloc(%m) : memref<?xf32>
    func.call @use(%a) : (memref<?xf32>) -> ()
    memref.dealloc %a : memref<?xf32>
  }
  // CHECK: memref.alloc(%{{.*}}) {alignment = 256 : i64} : memref<?xi8>
  %b = memref.alloc(%n) : memref<?xf32>
  call @use(%b) : (memref<?xf32>) -> ()
  memref.dealloc %b : memref<?xf32>
  return
}

// CHECK-LABEL: func.func @special(
func.func @special(%n: index) {
  // expected-remark@below {{its alignment is larger}}
  %a = memref.alloc(%n) {alignment = 512 : i64} : memref<?xf32>
  // expected-remark@below {{it has a layout or a memory space}}
  %b = memref.alloc(%n) : memref<?xf32, 3>
  // expected-remark@below {{its size is out of range}}
  %c = memref.alloc(%n) : memref<?x4294967296x4294967296xf32>
  memref.dealloc %a : memref<?xf32>
  memref.dealloc %b : memref<?xf32, 3>
  memref.dealloc %c : memref<?x4294967296x4294967296xf32>
  return
}

// What is freed is one of two.
// CHECK-LABEL: func.func @one_of_two(
func.func @one_of_two(%n: index, %p: i1) {
  // CHECK-COUNT-2: memref.alloc(%{{.*}}) : memref<?xf32>
  // expected-remark@below {{it is not freed once, in the block that allocates it}}
  %a = memref.alloc(%n) : memref<?xf32>
  // expected-remark@below {{it is not freed once, in the block that allocates it}}
  %b = memref.alloc(%n) : memref<?xf32>
  %c = arith.select %p, %a, %b : memref<?xf32>
  call @use(%c) : (memref<?xf32>) -> ()
  // CHECK: memref.dealloc
  memref.dealloc %c : memref<?xf32>
  return
}

// CHECK-LABEL: func.func @one_of_branches(
func.func @one_of_branches(%n: index, %p: i1) {
  // CHECK-COUNT-2: memref.alloc(%{{.*}}) : memref<?xf32>
  // expected-remark@below {{it is not freed once, in the block that allocates it}}
  %a = memref.alloc(%n) : memref<?xf32>
  // expected-remark@below {{it is not freed once, in the block that allocates it}}
  %b = memref.alloc(%n) : memref<?xf32>
  %c = scf.if %p -> memref<?xf32> {
    scf.yield %a : memref<?xf32>
  } else {
    scf.yield %b : memref<?xf32>
  }
  call @use(%c) : (memref<?xf32>) -> ()
  // CHECK: memref.dealloc
  memref.dealloc %c : memref<?xf32>
  return
}
