// downstream-opt swiglu.mlir --pass-pipeline='builtin.module(downstream-to-frit)'

func.func @swiglu(%x: tensor<?x512xbf16>, %init: tensor<?x256xbf16>) -> tensor<?x256xbf16> {
  %0 = downstream.swiglu %x into %init : tensor<?x512xbf16>, tensor<?x256xbf16> -> tensor<?x256xbf16>
  return %0 : tensor<?x256xbf16>
}
