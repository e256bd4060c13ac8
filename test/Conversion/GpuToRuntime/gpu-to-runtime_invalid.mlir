// RUN: %frit_opt %s --pass-pipeline='builtin.module(convert-gpu-to-frit-runtime)' -verify-diagnostics -split-input-file

module attributes {gpu.container_module} {
// expected-error @below {{binary 'kernels' has the offloading handler #gpu.select_object, but Frit's runtime needs a #frit.image}}
gpu.binary @kernels [#gpu.object<#nvvm.target, bin = "code">]
func.func @handler(%context: !llvm.ptr, %n: index) {
  gpu.launch_func @kernels::@f blocks in (%n, %n, %n) threads in (%n, %n, %n)
  return
}
}

// -----

module attributes {gpu.container_module} {
// expected-error @below {{kernel image 'kernels' has hash 04939d9a1b2db88e, but the code was compiled for the one with hash 0000000000000001}}
gpu.binary @kernels <#frit.image<"kernels", "0000000000000001">> [#gpu.object<#nvvm.target, bin = "code">]
func.func @hash(%context: !llvm.ptr, %n: index) {
  gpu.launch_func @kernels::@f blocks in (%n, %n, %n) threads in (%n, %n, %n)
  return
}
}

// -----

module attributes {gpu.container_module} {
// expected-error @below {{kernel image 'nowhere' is not in this build}}
gpu.binary @kernels <#frit.image<"nowhere", "0000000000000001">> [#gpu.object<#nvvm.target, "">]
func.func @image(%context: !llvm.ptr, %n: index) {
  gpu.launch_func @kernels::@f blocks in (%n, %n, %n) threads in (%n, %n, %n)
  return
}
}

// -----

module attributes {gpu.container_module} {
gpu.binary @kernels <#frit.image<"kernels", "04939d9a1b2db88e">> [#gpu.object<#nvvm.target, bin = "code">]
func.func @context(%n: index) {
  // expected-error @below {{is in function 'context', which has no context argument; run frit-add-context first}}
  gpu.launch_func @kernels::@f blocks in (%n, %n, %n) threads in (%n, %n, %n)
  return
}
}

// -----

module attributes {gpu.container_module} {
gpu.binary @kernels <#frit.image<"kernels", "04939d9a1b2db88e">> [#gpu.object<#nvvm.target, bin = "code">]
func.func @stream(%context: !llvm.ptr, %n: index) {
  // expected-error @below {{is asynchronous or names a stream; the context's one stream keeps the order}}
  %token = gpu.launch_func async @kernels::@f blocks in (%n, %n, %n) threads in (%n, %n, %n)
  return
}
}

// -----

func.func @strided(%context: !llvm.ptr, %x: memref<4xf32, strided<[2]>>, %y: memref<4xf32>) {
  // expected-error @below {{copies a buffer of type 'memref<4xf32, strided<[2]>>', which is not contiguous; run convert-strided-copy-to-linalg first}}
  memref.copy %x, %y : memref<4xf32, strided<[2]>> to memref<4xf32>
  return
}

// -----

// expected-error @below {{global 'state' is not a constant with dense elements; device code has no other globals}}
memref.global "private" @state : memref<4xf32> = dense<0.0>
func.func @use_state(%context: !llvm.ptr, %y: memref<4xf32>) {
  %x = memref.get_global @state : memref<4xf32>
  memref.copy %x, %y : memref<4xf32> to memref<4xf32>
  return
}
