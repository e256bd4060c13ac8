//===- Runner.cpp ---------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The steps of frit-run in order: options, module, inputs, compilation, call,
// outputs, comparison. Each failing step has its exit code.
//
//===----------------------------------------------------------------------===//

#include "frit/Execution/Runner.h"

#include "Adapters.h"
#include "Benchmark.h"
#include "Call.h"
#include "Expect.h"
#include "Explain.h"
#include "Inputs.h"
#include "Options.h"
#include "Print.h"
#include "Progress.h"
#include "Raise.h"
#include "TransposedInputs.h"

#include "frit/Execution/Executable.h"
#include "frit/IO/OutputFile.h"

#include "mlir/IR/Diagnostics.h"

#include "llvm/Support/InitLLVM.h"

using namespace llvm;

namespace mlir::frit {

namespace {

class Runner {
public:
  Runner(RunnerOptions options, DialectRegistry &registry)
      : options(std::move(options)), context(registry) {}

  RunnerExit run();

private:
  RunnerExit fail(RunnerExit exit, Error error) {
    outs().flush();
    logAllUnhandledErrors(std::move(error), errs(), "frit-run: error: ");
    return exit;
  }

  /// Where explanations go: standard output may be what is dumped.
  raw_ostream &explanations() {
    return options.dump && options.dumpOutput == "-" ? errs() : outs();
  }

  /// Prints lines that each are a warning.
  void warn(StringRef lines) {
    for (; !lines.empty(); lines = lines.split('\n').second)
      errs() << "frit-run: warning: " << lines.split('\n').first << "\n";
  }

  RunnerExit compileAndRun(func::FuncOp entry);
  /// Lets the function take weights, and the inputs have them, as they are
  /// faster to read.
  RunnerExit transposeWeights(func::FuncOp entry,
                              std::vector<HostTensor> &inputs);
  RunnerExit execute(std::vector<HostTensor> inputs);
  /// The function to run.
  Expected<func::FuncOp> findEntry();
  /// Writes what --dump asks for, from the lowered module.
  Error dump();
  /// Checks options that only one of the targets has.
  Error checkOptions();
  Error callOnce(CompiledFunction &function, std::vector<HostTensor> &inputs,
                 std::vector<HostTensor> &results);
  Error runReference(std::vector<HostTensor> &inputs,
                     std::vector<HostTensor> &results);
  Error writeOutputs(const std::vector<HostTensor> &results);
  void printResults(const std::vector<HostTensor> &results);

  RunnerOptions options;
  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  /// Of the same function, before it was lowered.
  OwningOpRef<ModuleOp> reference;
  Signature signature;
  CompileTarget target;
  Expectations expectations;
};

RunnerExit Runner::run() {
  auto sources = std::make_shared<SourceMgr>();
  if (Error error = readSource(options.file, *sources))
    return fail(RunnerExit::Usage, std::move(error));
  SourceMgrDiagnosticHandler handler(*sources, &context);
  module = parseModule(sources, context);
  if (!module)
    return RunnerExit::Compile;
  auto entry = findEntry();
  if (!entry)
    return fail(RunnerExit::Usage, entry.takeError());
  return compileAndRun(*entry);
}

Expected<func::FuncOp> Runner::findEntry() {
  bool isNamed = !options.entry.empty();
  auto entry = isNamed ? findFunction(*module, options.entry)
                       : findMainFunction(*module);
  if (entry)
    return entry;
  return createStringError(
      (isNamed ? "--entry=" + options.entry : std::string("pass --entry")) +
      ": " + toString(entry.takeError()));
}

Error Runner::dump() {
  std::string bytes;
  raw_string_ostream stream(bytes);
  if (Error error = emitModule(*module, target, *options.dump, stream))
    return error;
  if (options.dumpOutput != "-")
    return writeFileAtomically(options.dumpOutput,
                               [&](raw_ostream &file) { file << bytes; });
  outs() << bytes;
  outs().flush();
  return Error::success();
}

RunnerExit Runner::compileAndRun(func::FuncOp entry) {
  // What is only written to a file may also take memrefs, as a function that
  // updates one in place does.
  auto known = Signature::get(entry);
  if (known)
    signature = std::move(*known);
  else if (!options.dump)
    return fail(RunnerExit::Compile, known.takeError());
  else
    consumeError(known.takeError());
  if (!options.dump && options.outputs.size() > signature.results.size())
    return fail(
        RunnerExit::Usage,
        createStringError("--output is given " + Twine(options.outputs.size()) +
                          " times, but '@" + signature.name + "' has " +
                          Twine(signature.results.size()) + " results"));
  if (Error error = options.compile.checkPolicy(context))
    return fail(RunnerExit::Usage,
                createStringError("--policy: " + toString(std::move(error))));
  auto knownTarget = options.target.resolve(
      options.dump ? TargetName::Use::Write : TargetName::Use::Call);
  if (!knownTarget)
    return fail(
        RunnerExit::Usage,
        createStringError((options.targetText.empty()
                               ? "the default target: "
                               : "--target=" + options.targetText + ": ") +
                          toString(knownTarget.takeError())));
  target = std::move(*knownTarget);
  if (Error error = checkOptions())
    return fail(RunnerExit::Usage, std::move(error));

  std::vector<HostTensor> inputs;
  if (!options.dump) {
    outs() << "seed: " << options.seed << "\n";
    outs().flush();
    auto adapters = loadAdapters(options);
    if (!adapters)
      return fail(RunnerExit::Usage, adapters.takeError());
    describeAdapters(*adapters, outs());
    outs().flush();
    Progress progress("making inputs");
    std::string warnings;
    raw_string_ostream stream(warnings);
    auto made = makeInputs(signature, options, *adapters, stream);
    warn(warnings);
    if (!made)
      return fail(RunnerExit::Usage, made.takeError());
    inputs = std::move(*made);
    auto loaded = Expectations::load(signature, options);
    if (!loaded)
      return fail(RunnerExit::Usage, loaded.takeError());
    expectations = std::move(*loaded);
  }

  exportOnly(*module, entry);
  if (failed(raiseModule(*module, options, explanations())))
    return RunnerExit::Compile;
  // Of what is only written the caller must know.
  if (!options.dump || options.transposeWeights) {
    RunnerExit exit = transposeWeights(entry, inputs);
    if (exit != RunnerExit::Success)
      return exit;
  }
  if (expectations.needsReference())
    reference = module->clone();
  {
    Progress progress("compiling");
    if (options.explain &&
        failed(explainKernels(*module, target.getKernelTarget(),
                              options.compile, explanations())))
      return RunnerExit::Compile;
    if (failed(lowerModule(*module, target, options.compile)))
      return RunnerExit::Compile;
  }
  if (options.dump) {
    if (Error error = dump())
      return fail(RunnerExit::Run, std::move(error));
    return RunnerExit::Success;
  }
  return execute(std::move(inputs));
}

RunnerExit Runner::transposeWeights(func::FuncOp entry,
                                    std::vector<HostTensor> &inputs) {
  if (failed(transposeArguments(*module, target, options.compile)))
    return RunnerExit::Compile;
  auto now = Signature::get(entry);
  if (!now && options.dump) {
    consumeError(now.takeError());
    return RunnerExit::Success;
  }
  if (!now)
    return fail(RunnerExit::Compile, now.takeError());
  // Standard output may be what is dumped.
  if (Error error = transposeInputs(signature, *now, inputs,
                                    options.dump ? errs() : outs()))
    return fail(RunnerExit::Run, std::move(error));
  signature = std::move(*now);
  return RunnerExit::Success;
}

RunnerExit Runner::execute(std::vector<HostTensor> inputs) {
  std::optional<CompiledFunction> function;
  {
    Progress progress("generating code");
    auto executable = Executable::compile(*module, target.cpu);
    if (!executable)
      return fail(RunnerExit::Compile, executable.takeError());
    auto created = CompiledFunction::create(
        std::move(*executable), signature, options.threads, target.getDevice());
    if (!created)
      return fail(RunnerExit::Compile, created.takeError());
    function = std::move(*created);
  }
  std::vector<HostTensor> results;
  {
    Progress progress("running");
    auto allocated = function->allocateResults(inputs);
    if (!allocated)
      return fail(RunnerExit::Run, allocated.takeError());
    results = std::move(*allocated);
    if (Error error = callOnce(*function, inputs, results))
      return fail(RunnerExit::Run, std::move(error));
  }
  if (options.print)
    printResults(results);
  if (Error error = writeOutputs(results))
    return fail(RunnerExit::Run, std::move(error));

  bool matches = true;
  if (!expectations.empty()) {
    std::vector<HostTensor> referenceResults;
    if (expectations.needsReference())
      if (Error error = runReference(inputs, referenceResults))
        return fail(RunnerExit::Compile, std::move(error));
    matches = expectations.compare(outs(), results, referenceResults, options);
  }
  if (options.benchmark)
    if (Error error = runBenchmark(*function, signature, target, inputs,
                                   results, options))
      return fail(RunnerExit::Run, std::move(error));
  outs().flush();
  return matches ? RunnerExit::Success : RunnerExit::Mismatch;
}

Error Runner::runReference(std::vector<HostTensor> &inputs,
                           std::vector<HostTensor> &results) {
  Progress progress("running the reference");
  if (failed(lowerToReference(*reference)))
    return createStringError("the reference does not compile");
  auto executable = Executable::compile(*reference, target.cpu);
  if (!executable)
    return executable.takeError();
  auto function = CompiledFunction::create(std::move(*executable), signature,
                                           /*threads=*/1, FRIT_NO_DEVICE);
  if (!function)
    return function.takeError();
  auto allocated = function->allocateResults(inputs);
  if (!allocated)
    return allocated.takeError();
  results = std::move(*allocated);
  auto arguments = function->pack(inputs, results);
  if (!arguments)
    return arguments.takeError();
  return function->call(*arguments);
}

Error Runner::checkOptions() {
  if (target.cuda)
    return Error::success();
  if (options.dump == EmitKind::Ptx)
    return createStringError("--dump=ptx: the target is cpu");
  if (options.cudaGraph)
    return createStringError("--cuda-graph: the target is cpu");
  if (!options.compile.toolkit.empty())
    return createStringError("--toolkit: the target is cpu");
  return Error::success();
}

Error Runner::callOnce(CompiledFunction &function,
                       std::vector<HostTensor> &inputs,
                       std::vector<HostTensor> &results) {
  auto arguments = function.pack(inputs, results);
  if (!arguments)
    return arguments.takeError();
  // Outside of a capture first: that loads the kernels.
  if (Error error = function.call(*arguments))
    return error;
  if (options.cudaGraph) {
    auto fresh = function.pack(inputs, results);
    if (!fresh)
      return fresh.takeError();
    if (Error error = function.callAsGraph(*fresh))
      return error;
    return function.fetch(*fresh, results);
  }
  return function.fetch(*arguments, results);
}

Error Runner::writeOutputs(const std::vector<HostTensor> &results) {
  SmallVector<const HostTensor *> written;
  for (const HostTensor &result :
       ArrayRef(results).take_front(options.outputs.size()))
    written.push_back(&result);
  return writeTensors(options.outputs, written);
}

void Runner::printResults(const std::vector<HostTensor> &results) {
  for (auto [index, result] : llvm::enumerate(results)) {
    outs() << "result " << index << ": " << result.getSpec().str() << "\n";
    printTensor(outs(), result);
    outs() << "\n";
  }
}

} // namespace

static RunnerExit runMain(int argc, char **argv, DialectRegistry &registry) {
  auto options = parseRunnerOptions(argc, argv);
  if (!options) {
    logAllUnhandledErrors(options.takeError(), errs(), "frit-run: error: ");
    return RunnerExit::Usage;
  }
  if (!*options)
    return RunnerExit::Success;
  return Runner(std::move(**options), registry).run();
}

int fritRunMain(int argc, char **argv, DialectRegistry &registry) {
  InitLLVM init(argc, argv);
  RunnerExit exit = runMain(argc, argv, registry);
  // An error that is not cleared ends the process in the stream's destructor.
  outs().flush();
  if (std::error_code code = outs().error()) {
    outs().clear_error();
    errs() << "frit-run: error: cannot write standard output: "
           << code.message() << "\n";
    if (exit == RunnerExit::Success)
      exit = RunnerExit::Run;
  }
  return static_cast<int>(exit);
}

} // namespace mlir::frit
