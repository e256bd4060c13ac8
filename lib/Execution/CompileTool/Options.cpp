//===- Options.cpp --------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Parses the command line of frit-compile.
//
//===----------------------------------------------------------------------===//

#include "Options.h"

#include "../CommandLine.h"

#include "frit/Execution/ExportedName.h"
#include "frit/IO/OutputFile.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Option/ArgList.h"
#include "llvm/Option/OptTable.h"
#include "llvm/Option/Option.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace llvm::opt;

#define FRIT_TOOL_OPTIONS "CompileToolOptions.inc"
#include "../OptionTable.inc"

namespace mlir::frit {

namespace {

constexpr char kTitle[] =
    "Compiles functions over tensors to files that a program links.\n\n"
    "EXIT CODES: 0 success; 1 usage, an unreadable file; 2 the text does not "
    "compile; 3 an\noutput could not be written";

struct KindInfo {
  OutputKind kind;
  StringLiteral name;
  StringLiteral suffix;
};

constexpr KindInfo kKinds[] = {
    {OutputKind::Object, "obj", ".o"},
    {OutputKind::Header, "header", ".h"},
    {OutputKind::SharedLibrary, "so", ".so"},
    {OutputKind::Ptx, "ptx", ".ptx"},
    {OutputKind::Llvm, "llvm", ".ll"},
    {OutputKind::Bytecode, "mlirbc", ".mlirbc"},
    {OutputKind::Weights, "weights", ".safetensors"},
};

Expected<SmallVector<KindInfo>> parseKinds(ArrayRef<std::string> texts) {
  SmallVector<KindInfo> kinds;
  for (StringRef text : texts)
    for (StringRef name : split(text, ',')) {
      const auto *known = find_if(
          kKinds, [&](const KindInfo &info) { return info.name == name; });
      if (known == std::end(kKinds))
        return createStringError(
            "--emit=" + text + ": '" + name +
            "' is no kind of output: expected obj, header, so, ptx, llvm, "
            "mlirbc or weights");
      if (any_of(kinds, [&](const KindInfo &info) {
            return info.kind == known->kind;
          }))
        return createStringError("--emit=" + text + ": '" + name +
                                 "' is there twice");
      kinds.push_back(*known);
    }
  if (kinds.empty())
    kinds.push_back(kKinds[0]);
  return kinds;
}

/// A file that is the source under another name is the source, too.
Error checkIsNotSource(const OutputFile &output, StringRef source) {
  if (source == "-" || output.path == "-" || !isSameFile(source, output.path))
    return Error::success();
  return createStringError("the output '" + output.path + "' is the source '" +
                           source + "': expected another file");
}

Error parseOutputs(const InputArgList &args, CompileToolOptions &options) {
  auto kinds = parseKinds(args.getAllArgValues(OPT_emit));
  if (!kinds)
    return kinds.takeError();
  StringRef output = args.getLastArgValue(OPT_output);
  if (output.empty())
    return createStringError("where does the output go? Pass -o FILE");
  bool isOne = kinds->size() == 1;
  if (output == "-" && !isOne)
    return createStringError("-o -: standard output takes one kind of output, "
                             "but --emit names " +
                             Twine(kinds->size()));
  for (const KindInfo &info : *kinds) {
    options.outputs.push_back(
        {info.kind, isOne ? output.str() : (output + info.suffix).str()});
    if (Error error = checkIsNotSource(options.outputs.back(), options.file))
      return error;
  }
  if (output == "-" && options.writes(OutputKind::Weights))
    return createStringError(
        "--emit=weights: standard output cannot take them, "
        "pass -o FILE");

  options.prefix = args.getLastArgValue(OPT_prefix);
  bool isGiven = args.hasArg(OPT_prefix);
  if (!isGiven)
    options.prefix = isOne ? sys::path::stem(output).str()
                           : sys::path::filename(output).str();
  if (isExportPrefix(options.prefix))
    return Error::success();
  return createStringError(
      (isGiven ? "--prefix=" + options.prefix
               : "the name of the output, '" + options.prefix +
                     "', cannot begin exported names; pass --prefix") +
      ": expected letters, digits and underscores, a letter first");
}

bool isForCpu(const CompileToolOptions &options) {
  return options.targets.front().kind == TargetName::Kind::Cpu;
}

Error parseTarget(const InputArgList &args, CompileToolOptions &options) {
  StringRef text = args.getLastArgValue(OPT_target, "cpu");
  options.targetText = text.str();
  auto targets = parseTargetList(text);
  if (!targets)
    return createStringError("--target=" + text + ": " +
                             toString(targets.takeError()));
  options.targets = std::move(*targets);
  // Files are for other machines, unless one is named.
  StringRef march = CpuTarget::getBaselineName();
  if (const Arg *given = args.getLastArg(OPT_host_march)) {
    march = given->getValue();
    if (isForCpu(options))
      return createStringError(
          "--host-march=" + march +
          ": the target is a CPU: pass --target=cpu:" + march);
  }
  for (TargetName &target : options.targets)
    if (target.march.empty())
      target.march = march.str();
  return Error::success();
}

/// --weights-from.
Error parseWeights(const InputArgList &args, CompileToolOptions &options) {
  StringRef text = args.getLastArgValue(OPT_weights_from, "65536");
  if (text.getAsInteger(10, options.weightBytes) || options.weightBytes == 0)
    return createStringError("--weights-from=" + text +
                             ": expected a number of bytes, at least 1");
  if (args.hasArg(OPT_weights_from) && !options.writes(OutputKind::Weights))
    return createStringError("--weights-from=" + text +
                             ": no weights are written, which --emit=weights "
                             "would");
  return Error::success();
}

} // namespace

bool CompileToolOptions::writes(OutputKind kind) const {
  return any_of(outputs,
                [&](const OutputFile &output) { return output.kind == kind; });
}

StringRef getName(OutputKind kind) {
  return find_if(kKinds,
                 [&](const KindInfo &info) { return info.kind == kind; })
      ->name;
}

Expected<std::optional<CompileToolOptions>>
parseCompileToolOptions(int argc, char **argv) {
  ToolOptTable table;
  CommandLine line(table, argc, argv);
  const InputArgList &args = line.args;
  if (args.hasArg(OPT_help)) {
    table.printHelp(outs(), "frit-compile FILE -o OUTPUT [options]", kTitle);
    return std::nullopt;
  }
  if (args.hasArg(OPT_version)) {
    printVersion("frit-compile", outs());
    return std::nullopt;
  }
  if (Error error = line.check())
    return error;

  CompileToolOptions options;
  options.file = args.getLastArgValue(OPT_INPUT);
  append_range(options.entries, args.getAllArgValues(OPT_entry));
  options.compile.policy = args.getLastArgValue(OPT_policy, "auto");
  options.compile.assumeFiniteWeights = args.hasArg(OPT_assume_finite_weights);
  options.transposeWeights = args.hasArg(OPT_transpose_weights);
  options.compile.toolkit = args.getLastArgValue(OPT_toolkit);
  options.compile.verify = args.hasArg(OPT_verify);
  options.compile.parallel = !args.hasArg(OPT_no_parallel);
  options.linker = args.getLastArgValue(OPT_linker);
  for (const std::string &pass : args.getAllArgValues(OPT_without))
    if (Error error = options.compile.leaveOut(pass))
      return error;
  if (options.transposeWeights)
    if (Error error = options.compile.checkTransposeWeights())
      return error;
  if (Error error = parseTarget(args, options))
    return error;
  if (Error error = parseOutputs(args, options))
    return error;
  if (Error error = parseWeights(args, options))
    return error;
  bool hasPtx = options.writes(OutputKind::Ptx);
  if (hasPtx && isForCpu(options))
    return createStringError("--emit=ptx: the target is cpu");
  if (hasPtx && options.targets.size() > 1)
    return createStringError("--emit=ptx: PTX is for one architecture, but "
                             "--target=" +
                             options.targetText + " names " +
                             Twine(options.targets.size()));
  return options;
}

} // namespace mlir::frit
