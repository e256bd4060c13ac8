// RUN: %frit_opt %s -split-input-file -verify-diagnostics --pass-pipeline='builtin.module(gpu.module(convert-gpu-module-to-nvvm))'

// A function of the math dialect that libdevice lacks.
gpu.module @kernels {
  gpu.func @power(%i: i32, %out: memref<1xi32>) kernel {
    %c0 = arith.constant 0 : index
    // expected-error @below {{failed to legalize operation 'math.ipowi' that was explicitly marked illegal}}
    %0 = math.ipowi %i, %i : i32
    memref.store %0, %out[%c0] : memref<1xi32>
    gpu.return
  }
}

// -----

// What only the host can do.
gpu.module @kernels {
  gpu.func @allocation(%n: index) kernel {
    // expected-error @below {{failed to legalize operation 'gpu.alloc' that was explicitly marked illegal}}
    %0 = gpu.alloc(%n) : memref<?xf32>
    gpu.return
  }
}

// -----

// A memory space that has no number on a device.
gpu.module @kernels {
  // expected-error @unknown {{conversion of memref memory space "odd" to integer address space failed}}
  // expected-error @below {{failed to legalize operation 'gpu.func' that was explicitly marked illegal}}
  gpu.func @space(%x: memref<4xf32, "odd">) kernel {
    gpu.return
  }
}

// -----

// A layout that has no strides.
gpu.module @kernels {
  // expected-error @unknown {{conversion to strided form failed}}
  // expected-error @below {{failed to legalize operation 'gpu.func' that was explicitly marked illegal}}
  gpu.func @layout(%x: memref<?xf32, affine_map<(i) -> (i floordiv 2)>>) kernel {
    gpu.return
  }
}
