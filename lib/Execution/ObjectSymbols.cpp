//===- ObjectSymbols.cpp - What object files need -------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Renames the functions that object files call, and refuses ones that nothing
// would define.
//
//===----------------------------------------------------------------------===//

#include "ObjectSymbols.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ObjCopy/CommonConfig.h"
#include "llvm/ObjCopy/ELF/ELFConfig.h"
#include "llvm/ObjCopy/ELF/ELFObjcopy.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/SmallVectorMemoryBuffer.h"

using namespace llvm;

namespace mlir::frit {

/// The functions on memory that the code generator calls.
static constexpr StringLiteral kMemoryFunctions[] = {"memcpy", "memmove",
                                                     "memset"};

/// What the runtime and every C library define.
static StringSet<> getDefined() {
  StringSet<> names;
#define FRIT_RUNTIME_FUNCTION(name) names.insert(#name);
#define FRIT_RUNTIME_HELPER(name) names.insert(#name);
#include "frit-c/RuntimeSymbols.def"
  for (StringRef name : kMemoryFunctions)
    names.insert(name);
  return names;
}

/// The runtime's names of the mathematical functions.
static StringMap<StringRef> getMathFunctions() {
  StringMap<StringRef> names;
#define FRIT_RUNTIME_MATH(result, name, parameters, arguments)                 \
  names[#name] = "fritMath_" #name;
#include "frit-c/RuntimeMath.def"
  return names;
}

Expected<std::unique_ptr<MemoryBuffer>>
bindToRuntime(const MemoryBuffer &object) {
  auto binary =
      object::ObjectFile::createELFObjectFile(object.getMemBufferRef());
  if (!binary)
    return binary.takeError();
  const StringSet<> defined = getDefined();
  const StringMap<StringRef> functions = getMathFunctions();
  objcopy::CommonConfig config;
  SmallVector<std::string> missing;
  for (const object::SymbolRef &symbol : (*binary)->symbols()) {
    auto flags = symbol.getFlags();
    auto name = symbol.getName();
    if (!flags)
      return flags.takeError();
    if (!name)
      return name.takeError();
    if (!(*flags & object::SymbolRef::SF_Undefined) || name->empty() ||
        defined.contains(*name))
      continue;
    auto renamed = functions.find(*name);
    if (renamed == functions.end())
      missing.push_back("'" + name->str() + "'");
    else
      config.SymbolsToRename[*name] = renamed->second;
  }
  if (!missing.empty())
    return createStringError("the code needs " + join(missing, ", ") +
                             ", which neither Frit's runtime nor the C "
                             "library's functions on memory are");
  SmallVector<char, 0> bytes;
  raw_svector_ostream stream(bytes);
  if (Error error = objcopy::elf::executeObjcopyOnBinary(
          config, objcopy::ELFConfig(),
          cast<object::ELFObjectFileBase>(**binary), stream))
    return error;
  return std::make_unique<SmallVectorMemoryBuffer>(
      std::move(bytes), object.getBufferIdentifier(),
      /*RequiresNullTerminator=*/false);
}

} // namespace mlir::frit
