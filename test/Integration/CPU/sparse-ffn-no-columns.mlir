// A network without columns adds nothing to its destination, for one token and for several, in either layout of down.
//
// REQUIRES: cpu-runner
//
// RUN: frit-run %s --entry=one --fill=random --expect=native
// RUN: frit-run %s --entry=several --fill=random --expect=native
// RUN: frit-run %s --entry=by_output --fill=random --expect=native

func.func @one(%x: tensor<1x64xf32>, %w: tensor<0x64xf32>, %y: tensor<1x64xf32>) -> tensor<1x64xf32> {
  %r = frit.sparse_ffn ins(%x : tensor<1x64xf32>) weights(%w, %w, %w : tensor<0x64xf32>, tensor<0x64xf32>, tensor<0x64xf32>)
      outs(%y : tensor<1x64xf32>) std_multiplier = 1.5 down_layout = dh accumulate = true -> tensor<1x64xf32>
  return %r : tensor<1x64xf32>
}

func.func @several(%x: tensor<3x64xf32>, %w: tensor<0x64xf32>, %y: tensor<3x64xf32>) -> tensor<3x64xf32> {
  %r = frit.sparse_ffn ins(%x : tensor<3x64xf32>) weights(%w, %w, %w : tensor<0x64xf32>, tensor<0x64xf32>, tensor<0x64xf32>)
      outs(%y : tensor<3x64xf32>) std_multiplier = 1.5 down_layout = dh accumulate = true -> tensor<3x64xf32>
  return %r : tensor<3x64xf32>
}

func.func @by_output(%x: tensor<3x64xbf16>, %w: tensor<0x64xbf16>, %down: tensor<64x0xbf16>, %y: tensor<3x64xbf16>) -> tensor<3x64xbf16> {
  %r = frit.sparse_ffn ins(%x : tensor<3x64xbf16>) weights(%w, %w, %down : tensor<0x64xbf16>, tensor<0x64xbf16>, tensor<64x0xbf16>)
      outs(%y : tensor<3x64xbf16>) std_multiplier = 1.5 down_layout = hd -> tensor<3x64xbf16>
  return %r : tensor<3x64xbf16>
}
