// RUN: %frit_opt %s --pass-pipeline='builtin.module(convert-loops-to-gpu)' -verify-diagnostics -split-input-file

func.func @size(%x: memref<4xindex>) {
  %c0 = arith.constant 0 : index
  // expected-note @below {{the value is computed here}}
  %n = memref.load %x[%c0] : memref<4xindex>
  // expected-error @below {{'memref.alloc' op runs on the host, but depends on a value that only the device has}}
  %buffer = memref.alloc(%n) : memref<?xf32>
  memref.dealloc %buffer : memref<?xf32>
  return
}

// -----

func.func @decision(%x: memref<4xi1>, %y: memref<4xf32>, %z: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  // expected-note @below {{the value is computed here}}
  %is = memref.load %x[%c0] : memref<4xi1>
  scf.if %is {
    // expected-error @below {{'memref.copy' op runs on the host, but depends on a value that only the device has}}
    memref.copy %y, %z : memref<4xf32> to memref<4xf32>
  }
  return
}

// -----

func.func @assertion(%x: memref<4xi1>) {
  %c0 = arith.constant 0 : index
  // expected-note @below {{the value is computed here}}
  %is = memref.load %x[%c0] : memref<4xi1>
  // expected-error @below {{'cf.assert' op runs on the host, but depends on a value that only the device has}}
  // expected-note @below {{a condition on elements is checked on the CPU only (frit-run --target=cpu --verify); the GPU checks sizes}}
  cf.assert %is, "x[0] must hold"
  return
}

// -----

func.func @carried(%x: memref<4xf32>, %y: memref<4xf32>, %flag: i1) -> f32 {
  %c0 = arith.constant 0 : index
  %cst = arith.constant 0.0 : f32
  %sum = scf.if %flag -> f32 {
    memref.copy %x, %y : memref<4xf32> to memref<4xf32>
    // expected-note @below {{the value is computed here}}
    %e = memref.load %x[%c0] : memref<4xf32>
    // expected-error @below {{'scf.yield' op carries a value that only the device has out of host code}}
    scf.yield %e : f32
  } else {
    scf.yield %cst : f32
  }
  return %sum : f32
}

// -----

func.func @allocation(%x: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
    // expected-error @below {{'memref.alloc' op is in a parallel loop, which runs on the device, where it cannot run}}
    %buffer = memref.alloc() : memref<8xf32>
    %e = memref.load %buffer[%c0] : memref<8xf32>
    memref.store %e, %x[%i] : memref<4xf32>
    memref.dealloc %buffer : memref<8xf32>
    scf.reduce
  }
  return
}

// -----

func.func @view(%x: memref<4xindex>, %y: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %cst = arith.constant 0.0 : f32
  %at = memref.load %x[%c0] : memref<4xindex>
  // expected-note @below {{the value is computed here}}
  %part = memref.subview %y[%at] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: ?>>
  scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
    // expected-error @below {{'memref.store' op uses a value of type 'memref<4xf32, strided<[1], offset: ?>>' in other device code than what computes it}}
    memref.store %cst, %part[%i] : memref<4xf32, strided<[1], offset: ?>>
    scf.reduce
  }
  return
}

// -----

func.func @sizes(%x: memref<4xindex>, %out: memref<1xindex>) attributes {frit.host} {
  %c0 = arith.constant 0 : index
  // expected-error @below {{'memref.load' op reads an argument of '@sizes', which runs on the host, but arguments are in memory of the device: a size must not depend on elements}}
  %n = memref.load %x[%c0] : memref<4xindex>
  memref.store %n, %out[%c0] : memref<1xindex>
  return
}
