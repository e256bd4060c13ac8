//===- DownstreamOps.td ------------------------------------*- tablegen -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The dialect of a compiler that embeds Frit: one op, whose operands are those
// that Frit's ops take.
//
//===----------------------------------------------------------------------===//

#ifndef DOWNSTREAM_OPS_TD
#define DOWNSTREAM_OPS_TD

include "frit/Dialect/Frit/IR/FritOpBase.td"

def Downstream_Dialect : Dialect {
  let name = "downstream";
  let cppNamespace = "::downstream";
}

def Downstream_SwigluOp : Op<Downstream_Dialect, "swiglu", [Pure]> {
  let summary = "silu(gate) * up, packed";
  let arguments = (ins Frit_FloatShaped:$x, Frit_FloatShaped:$init);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat =
      "$x `into` $init attr-dict `:` type($x) `,` type($init) `->` type($result)";
}

#endif // DOWNSTREAM_OPS_TD
