//===- Options.cpp --------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Parses the command line of frit-run.
//
//===----------------------------------------------------------------------===//

#include "Options.h"

#include "../CommandLine.h"
#include "Files.h"

#include "frit/Execution/CudaTarget.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/Option/ArgList.h"
#include "llvm/Option/OptTable.h"
#include "llvm/Option/Option.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>

using namespace llvm;
using namespace llvm::opt;

#define FRIT_TOOL_OPTIONS "RunnerOptions.inc"
#include "../OptionTable.inc"

namespace mlir::frit {

namespace {

constexpr char kTitle[] =
    "Compiles and runs one function over tensors.\n\n"
    "EXIT CODES: 0 success; 1 usage, unreadable or unsuitable inputs; 2 the "
    "text does not\ncompile; 3 the function reported an error, or an output "
    "could not be written; 4 a result\ndiffers from what was expected";

Error parseTarget(StringRef text, RunnerOptions &options) {
  auto target = TargetName::parse(text);
  if (!target)
    return createStringError("--target=" + text + ": " +
                             toString(target.takeError()));
  options.target = std::move(*target);
  options.targetText = text.str();
  return Error::success();
}

Error parseDim(StringRef text, RunnerOptions &options) {
  auto [name, value] = text.split('=');
  int64_t size = 0;
  if (name.empty() || value.empty())
    return createStringError("--dim=" + text + ": expected NAME=SIZE");
  if (value.getAsInteger(10, size) || size < 0)
    return createStringError("--dim=" + text + ": '" + value +
                             "' is not a size (an integer of 0 or more)");
  options.dims.push_back({name.str(), size});
  return Error::success();
}

Error parseFill(StringRef text, RunnerOptions &options) {
  auto source = TensorSource::parse(text);
  if (!source)
    return createStringError("--fill=" + text + ": " +
                             toString(source.takeError()));
  if (source->isFile())
    return createStringError("--fill=" + text +
                             ": a file binds one argument, use --input");
  options.fill = std::move(*source);
  return Error::success();
}

Error parseSeedOption(StringRef text, RunnerOptions &options) {
  auto seed = parseSeed(text);
  if (!seed)
    return createStringError("--seed=" + text + ": " +
                             toString(seed.takeError()));
  options.seed = *seed;
  return Error::success();
}

Error parseTolerance(StringRef flag, StringRef text,
                     std::optional<double> &tolerance) {
  double value = 0;
  if (text.getAsDouble(value) || !std::isfinite(value) || value < 0)
    return createStringError("--" + flag + "=" + text +
                             ": expected a finite number of 0 or more");
  tolerance = value;
  return Error::success();
}

Error parseOutput(StringRef text, RunnerOptions &options) {
  auto output = TensorSource::parseDestination(text);
  if (!output)
    return createStringError("--output=" + text + ": " +
                             toString(output.takeError()));
  options.outputs.push_back(std::move(*output));
  return Error::success();
}

template <typename T>
Error parseCount(StringRef flag, StringRef text, T low, T high, T &count) {
  if (text.getAsInteger(10, count) || count < low || count > high)
    return createStringError("--" + flag + "=" + text +
                             ": expected an integer from " + Twine(low) +
                             " to " + Twine(high));
  return Error::success();
}

Error parseRaise(StringRef text, RunnerOptions &options) {
  options.fidelity = symbolizeFidelity(text);
  if (options.fidelity)
    return Error::success();
  return createStringError("--raise=" + text +
                           ": expected exact, framework or fast");
}

Error parseDump(StringRef text, RunnerOptions &options) {
  options.dump = StringSwitch<std::optional<EmitKind>>(text)
                     .Case("mlir", EmitKind::Mlir)
                     .Case("llvm", EmitKind::Llvm)
                     .Case("ptx", EmitKind::Ptx)
                     .Case("obj", EmitKind::Object)
                     .Default(std::nullopt);
  if (!options.dump)
    return createStringError("--dump=" + text +
                             ": expected mlir, llvm, ptx or obj");
  return Error::success();
}

/// The options whose text is a value of another kind.
Error parseArgument(const opt::Arg &arg, RunnerOptions &options) {
  StringRef text = arg.getNumValues() == 0 ? "" : arg.getValue();
  switch (arg.getOption().getID()) {
  case OPT_target:
    return parseTarget(text, options);
  case OPT_entry:
    if (text.empty())
      return createStringError("--entry=: expected the name of a function");
    options.entry = text.str();
    return Error::success();
  case OPT_dim:
    return parseDim(text, options);
  case OPT_fill:
    return parseFill(text, options);
  case OPT_seed:
    return parseSeedOption(text, options);
  case OPT_rtol:
    return parseTolerance("rtol", text, options.relativeTolerance);
  case OPT_atol:
    return parseTolerance("atol", text, options.absoluteTolerance);
  case OPT_threads:
    return parseCount("threads", text, 0, 1024, options.threads);
  case OPT_benchmark_repetitions:
    return parseCount("benchmark-repetitions", text, 1u, 1000000u,
                      options.benchmarkRepetitions);
  case OPT_dump_kind:
    return parseDump(text, options);
  case OPT_input: {
    auto input = InputOption::parse(text);
    if (!input)
      return input.takeError();
    options.inputs.push_back(std::move(*input));
    return Error::success();
  }
  case OPT_adapter: {
    auto adapter = AdapterOption::parse(text);
    if (!adapter)
      return adapter.takeError();
    options.adapters.push_back(std::move(*adapter));
    return Error::success();
  }
  case OPT_without:
    return options.compile.leaveOut(text);
  case OPT_raise:
    return parseRaise(text, options);
  case OPT_output:
    return parseOutput(text, options);
  case OPT_expect: {
    auto expected = ExpectOption::parse(text);
    if (!expected)
      return expected.takeError();
    options.expected.push_back(std::move(*expected));
    return Error::success();
  }
  default:
    return Error::success();
  }
}

/// What only a call gives cannot be asked for together with --dump.
Error checkDumpUsage(const opt::InputArgList &args) {
  if (!args.hasArg(OPT_dump_kind))
    return Error::success();
  for (unsigned id : {OPT_dim, OPT_output, OPT_expect, OPT_print, OPT_benchmark,
                      OPT_benchmark_output})
    if (const opt::Arg *arg = args.getLastArg(id))
      return createStringError(
          arg->getSpelling().rtrim('=') +
          " cannot be given with --dump, which compiles and calls nothing");
  return Error::success();
}

/// An option that says how another one is done means nothing without it.
Error checkCompanions(const opt::InputArgList &args) {
  struct Companion {
    unsigned option;
    unsigned of;
    unsigned orOf;
    StringRef name;
  };
  for (const Companion &rule : {
           Companion{OPT_dump_output, OPT_dump_kind, OPT_dump_kind, "--dump"},
           Companion{OPT_rtol, OPT_expect, OPT_expect, "--expect"},
           Companion{OPT_atol, OPT_expect, OPT_expect, "--expect"},
           Companion{OPT_exact_zero_mask, OPT_expect, OPT_expect, "--expect"},
           Companion{OPT_benchmark_repetitions, OPT_benchmark,
                     OPT_benchmark_output, "--benchmark"},
       })
    if (const opt::Arg *arg = args.getLastArg(rule.option);
        arg && !args.hasArg(rule.of, rule.orOf))
      return createStringError(arg->getSpelling().rtrim('=') +
                               " means nothing without " + rule.name);
  return Error::success();
}

} // namespace

Expected<std::optional<RunnerOptions>> parseRunnerOptions(int argc,
                                                          char **argv) {
  ToolOptTable table;
  CommandLine line(table, argc, argv);
  const opt::InputArgList &args = line.args;
  if (args.hasArg(OPT_help)) {
    table.printHelp(outs(), "frit-run FILE [options]", kTitle);
    return std::nullopt;
  }
  if (args.hasArg(OPT_version)) {
    printVersion("frit-run", outs());
    return std::nullopt;
  }
  if (args.hasArg(OPT_list_devices)) {
    printCudaDevices(outs());
    return std::nullopt;
  }
  if (Error error = line.check())
    return error;

  RunnerOptions options;
  for (const opt::Arg *arg : args)
    if (Error error = parseArgument(*arg, options))
      return error;
  options.file = args.getLastArgValue(OPT_INPUT);
  options.compile.policy = args.getLastArgValue(OPT_policy, "auto");
  options.transposeWeights = args.hasArg(OPT_transpose_weights);
  options.compile.assumeFiniteWeights = args.hasArg(OPT_assume_finite_weights);
  options.compile.toolkit = args.getLastArgValue(OPT_toolkit);
  options.cudaGraph = args.hasArg(OPT_cuda_graph);
  llvm::append_range(options.weights, args.getAllArgValues(OPT_weights));
  options.exactZeroMask = args.hasArg(OPT_exact_zero_mask);
  options.print = args.hasArg(OPT_print);
  options.compile.verify = args.hasArg(OPT_verify);
  options.explain = args.hasArg(OPT_explain);
  options.dumpOutput = args.getLastArgValue(OPT_dump_output, "-");
  options.benchmark = args.hasArg(OPT_benchmark, OPT_benchmark_output);
  options.benchmarkOutput = args.getLastArgValue(OPT_benchmark_output);
  options.compile.ptxOnly = options.dump == EmitKind::Ptx;
  if (options.transposeWeights)
    if (Error error = options.compile.checkTransposeWeights())
      return error;
  if (Error error = checkDumpUsage(args))
    return error;
  if (Error error = checkCompanions(args))
    return error;
  if (Error error = checkFiles(options))
    return error;
  return options;
}

} // namespace mlir::frit
