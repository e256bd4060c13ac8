//===- FritAttributes.td -----------------------------------*- tablegen -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The attributes of the frit dialect.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_ATTRIBUTES_TD
#define FRIT_ATTRIBUTES_TD

include "mlir/Dialect/GPU/IR/CompilationAttrInterfaces.td"
include "mlir/IR/AttrTypeBase.td"
include "frit/Dialect/Frit/IR/FritEnums.td"

class Frit_Attr<string name, string attrMnemonic, list<Trait> traits = []>
    : AttrDef<Frit_Dialect, name, traits> {
  let mnemonic = attrMnemonic;
}

def Frit_KernelAttr : Frit_Attr<"Kernel", "kernel"> {
  let summary = "the kernel that executes an op";
  let description = [{
    Written by `frit-select-kernels` as the discardable attribute `frit.kernel`.
    The id names an entry of the kernel table; the parameters are what selection
    fixed for it (a tile size, say). Lowering obeys it and never decides.

    Example: `#frit.kernel<"native.vector">`,
    `#frit.kernel<"native.vector", {tile = 4 : i64}>`.
  }];
  let parameters = (ins
    StringRefParameter<"id of the kernel table's entry">:$id,
    OptionalParameter<"::mlir::DictionaryAttr", "what selection fixed">:$params
  );
  let genVerifyDecl = 1;
  let assemblyFormat = "`<` $id (`,` $params^)? `>`";
  let extraClassDeclaration = [{
    /// The discardable attribute that holds the choice on an op.
    static ::llvm::StringLiteral getOpAttrName() { return "frit.kernel"; }
  }];
}

def Frit_OriginAttr : Frit_Attr<"Origin", "origin"> {
  let summary = "the Frit op that floating-point code was made from";
  let description = [{
    Carried as the metadata of a fused location by every op that a lowering of a
    Frit op makes, down to LLVM. `frit-verify-numerics` judges ops that carry
    it: `strict` code keeps each rounding, `fma` code may also contract
    a product into a sum, but only by an explicit fma op.

    Example: `#frit.origin<"frit.gelu_and_mul_sparse", strict>`.
  }];
  let parameters = (ins
    StringRefParameter<"name of the op">:$op,
    EnumParameter<Frit_FpMode>:$mode
  );
  let assemblyFormat = "`<` $op `,` $mode `>`";
}

def Frit_ImageAttr : Frit_Attr<"Image", "image", [OffloadingTranslationAttrTrait]> {
  let summary = "the device code of a gpu.binary";
  let description = [{
    The offloading handler of a `gpu.binary`: names an image of device code and
    the hash of its bytes, 16 hexadecimal digits. Where the binary's object is
    empty, the bytes are those of the kernel image of that name in this build;
    they are embedded on translation to LLVM IR, and other bytes than those that
    the hash was made from are an error then. So text stays readable.

    Example: `#frit.image<"activation", "00c0ffee00c0ffee">`.
  }];
  let parameters = (ins
    StringRefParameter<"name of the image">:$name,
    StringRefParameter<"hash of its bytes">:$hash
  );
  let genVerifyDecl = 1;
  let assemblyFormat = "`<` $name `,` $hash `>`";
}

def Frit_LaunchAttr : Frit_Attr<"Launch", "launch"> {
  let summary = "what is known of a kernel launch";
  let description = [{
    Written as the discardable attribute `frit.launch` on a `gpu.launch_func`:
    the id of the kernel, for messages and profilers, and what it does with the
    memory behind each of its operands (`none` for scalars). A launch without it
    may do anything. A `programmatic` launch may start before the one ahead of it
    has ended; its kernel waits for that itself.

    Example: `#frit.launch<"cuda.row", [read, write, none]>`.
  }];
  let parameters = (ins
    StringRefParameter<"id of the kernel">:$id,
    OptionalArrayRefParameter<"::mlir::frit::Effect", "one for each operand">:$effects,
    DefaultValuedParameter<"bool", "false">:$programmatic
  );
  let assemblyFormat = [{
    `<` $id `,` `[` (`]`) : ($effects^ `]`)? (`,` `programmatic` `=` $programmatic^)? `>`
  }];
  let extraClassDeclaration = [{
    /// The discardable attribute that holds it on a launch.
    static ::llvm::StringLiteral getOpAttrName() { return "frit.launch"; }
  }];
}

#endif // FRIT_ATTRIBUTES_TD
