// RUN: %frit_opt %s | FileCheck %s

module attributes {gpu.container_module} {
// CHECK: gpu.binary @image <#frit.image<"activation", "00c0ffee00c0ffee">> [#gpu.object<#nvvm.target, "">]
gpu.binary @image <#frit.image<"activation", "00c0ffee00c0ffee">> [#gpu.object<#nvvm.target, "">]

// CHECK: func.func @launches(%{{.*}}: index) attributes {frit.host}
func.func @launches(%n: index) attributes {frit.host} {
  // CHECK: frit.launch = #frit.launch<"cuda.row", [read, write, readwrite, none]>
  gpu.launch_func @image::@f blocks in (%n, %n, %n) threads in (%n, %n, %n)
      args(%n : index, %n : index, %n : index, %n : index)
      {frit.launch = #frit.launch<"cuda.row", [read, write, readwrite, none]>}
  // CHECK: frit.launch = #frit.launch<"cuda.row", [], programmatic = true>
  gpu.launch_func @image::@f blocks in (%n, %n, %n) threads in (%n, %n, %n)
      {frit.launch = #frit.launch<"cuda.row", [], programmatic = true>}
  return
}
}
