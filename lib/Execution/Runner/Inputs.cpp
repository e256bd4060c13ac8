//===- Inputs.cpp ---------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds the source of each argument and makes the tensors. Tensors of files are
// read first, because their shapes give the sizes of those that are made.
//
//===----------------------------------------------------------------------===//

#include "Inputs.h"

#include "Dims.h"

#include "frit/IO/Checkpoint.h"

#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace mlir::frit {

namespace {

/// What is known of one argument.
struct Binding {
  /// The option and file, for messages; empty: no source yet.
  std::string origin;
  /// Of a file.
  std::optional<HostTensor> tensor;
  /// Of what is to be made.
  std::optional<TensorSource> source;

  bool isBound() const { return !origin.empty(); }
};

class InputMaker {
public:
  InputMaker(const Signature &signature, const RunnerOptions &options,
             const AdapterStack &adapters, raw_ostream &warnings)
      : signature(signature), options(options), adapters(adapters),
        warnings(warnings), bindings(signature.arguments.size()) {}

  Expected<std::vector<HostTensor>> run() {
    if (Error error = dims.addOptions(signature, options.dims))
      return error;
    if (Error error = bindNamedInputs())
      return error;
    if (Error error = bindAdapters())
      return error;
    for (const std::string &path : options.weights)
      if (Error error = bindWeights(path))
        return error;
    if (Error error = bindOrderedInputs())
      return error;
    if (Error error = fill())
      return error;
    return makeAll();
  }

private:
  Error bindNamedInputs();
  Error bindOrderedInputs();
  Error bindAdapters();
  Error bindWeights(const std::string &path);
  Error bindWeightsByPosition(const Checkpoint &checkpoint);
  Error fill();
  Expected<std::vector<HostTensor>> makeAll();

  Error bind(unsigned index, const InputOption &option);
  Error bind(unsigned index, Expected<HostTensor> tensor, std::string origin);
  Expected<unsigned> findArgument(const InputOption &option) const;
  std::string describeAbsence(const ArgumentInfo &argument) const;

  const Signature &signature;
  const RunnerOptions &options;
  const AdapterStack &adapters;
  raw_ostream &warnings;
  std::vector<Binding> bindings;
  /// Of the tensors in all files of --weights.
  std::vector<std::string> weightNames;
  DimTable dims;
};

Expected<unsigned> InputMaker::findArgument(const InputOption &option) const {
  SmallVector<std::string> names;
  for (const ArgumentInfo &argument : signature.arguments) {
    if (option.argument == argument.tensor ||
        option.argument == "arg" + std::to_string(argument.index))
      return argument.index;
    names.push_back("arg" + std::to_string(argument.index));
    if (!argument.tensor.empty())
      names.back() += " (" + argument.tensor + ")";
  }
  return createStringError(
      "--input=" + option.text + ": '@" + signature.name +
      "' has no argument '" + option.argument + "'" +
      (names.empty() ? std::string() : "; it has " + join(names, ", ")));
}

Error InputMaker::bind(unsigned index, Expected<HostTensor> tensor,
                       std::string origin) {
  if (!tensor)
    return tensor.takeError();
  if (Error error =
          dims.addShape(signature.arguments[index], tensor->getSpec(), origin))
    return error;
  bindings[index].tensor = std::move(*tensor);
  bindings[index].origin = std::move(origin);
  return Error::success();
}

Error InputMaker::bind(unsigned index, const InputOption &option) {
  Binding &binding = bindings[index];
  std::string origin = "--input=" + option.text;
  if (binding.isBound())
    return createStringError(signature.arguments[index].describe() +
                             " has two sources: " + binding.origin + " and " +
                             origin);
  if (option.spec)
    if (Error error =
            dims.addShape(signature.arguments[index], *option.spec, origin))
      return error;
  if (option.source.isFile()) {
    Expected<HostTensor> tensor = option.source.readFile();
    if (tensor && option.spec && tensor->getSpec() != *option.spec)
      return createStringError(origin + ": the file holds " +
                               tensor->getSpec().str());
    return bind(index, std::move(tensor), std::move(origin));
  }
  binding.origin = std::move(origin);
  binding.source = option.source;
  return Error::success();
}

Error InputMaker::bindNamedInputs() {
  for (const InputOption &option : options.inputs) {
    if (option.argument.empty())
      continue;
    Expected<unsigned> index = findArgument(option);
    if (!index)
      return index.takeError();
    if (Error error = bind(*index, option))
      return error;
  }
  return Error::success();
}

Error InputMaker::bindOrderedInputs() {
  unsigned next = 0;
  for (const InputOption &option : options.inputs) {
    if (!option.argument.empty())
      continue;
    while (next < bindings.size() && bindings[next].isBound())
      ++next;
    if (next == bindings.size())
      return createStringError("--input=" + option.text + ": all " +
                               Twine(bindings.size()) + " arguments of '@" +
                               signature.name + "' have a source already");
    if (Error error = bind(next, option))
      return error;
  }
  return Error::success();
}

Error InputMaker::bindAdapters() {
  bool any = false;
  for (const ArgumentInfo &argument : signature.arguments) {
    std::optional<StackedOperand> operand =
        StackedOperand::parse(argument.tensor);
    if (!operand || !adapters.has(*operand))
      continue;
    any = true;
    if (bindings[argument.index].isBound())
      continue;
    SmallVector<std::optional<int64_t>> sizes;
    for (int64_t size : argument.spec.shape)
      sizes.push_back(ShapedType::isDynamic(size) ? std::nullopt
                                                  : std::optional(size));
    Expected<HostTensor> tensor = adapters.make(*operand, sizes);
    if (!tensor)
      return createStringError("--adapter: " + argument.describe() + " (" +
                               toString(argument) +
                               "): " + llvm::toString(tensor.takeError()));
    if (Error error = bind(argument.index, std::move(tensor),
                           "--adapter: '" + argument.tensor + "'"))
      return error;
  }
  if (any || adapters.getAdapters().empty())
    return Error::success();
  return createStringError(
      "--adapter: no argument of '@" + signature.name +
      "' has the name of a module of the adapters, such as '" +
      adapters.getModules().front() + ".lora_A', in its attribute frit.tensor");
}

Error InputMaker::bindWeights(const std::string &path) {
  Expected<Checkpoint> checkpoint = Checkpoint::open(path);
  if (!checkpoint)
    return checkpoint.takeError();
  for (const std::string &warning : checkpoint->getWarnings())
    warnings << warning << "\n";
  llvm::append_range(weightNames, checkpoint->getNames());
  bool hasNames = false;
  for (const ArgumentInfo &argument : signature.arguments) {
    hasNames |= !argument.tensor.empty();
    if (argument.tensor.empty() || bindings[argument.index].isBound() ||
        !checkpoint->contains(argument.tensor))
      continue;
    if (Error error = bind(argument.index, checkpoint->read(argument.tensor),
                           checkpoint->describe(argument.tensor)))
      return error;
  }
  return hasNames ? Error::success() : bindWeightsByPosition(*checkpoint);
}

Error InputMaker::bindWeightsByPosition(const Checkpoint &checkpoint) {
  SmallVector<unsigned> open;
  for (const ArgumentInfo &argument : signature.arguments)
    if (!bindings[argument.index].isBound())
      open.push_back(argument.index);

  bool any = false;
  for (unsigned index : open)
    for (const char *prefix : {"in.", "arg"}) {
      std::string name = prefix + std::to_string(index);
      if (bindings[index].isBound() || !checkpoint.contains(name))
        continue;
      any = true;
      if (Error error =
              bind(index, checkpoint.read(name), checkpoint.describe(name)))
        return error;
    }
  if (any)
    return Error::success();

  ArrayRef<std::string> names = checkpoint.getNames();
  if (names.size() != open.size())
    return createStringError(
        "--weights=" + checkpoint.getPath() + ": the file has " +
        Twine(names.size()) + " tensors for " + Twine(open.size()) +
        " arguments of '@" + signature.name +
        "' without a source, which have no attribute frit.tensor to tell which "
        "is which");
  for (auto [index, name] : llvm::zip_equal(open, names))
    if (Error error =
            bind(index, checkpoint.read(name), checkpoint.describe(name)))
      return error;
  return Error::success();
}

/// What the files of --adapter or --weights have in place of an argument's
/// tensor, and which option would bind it.
std::string InputMaker::describeAbsence(const ArgumentInfo &argument) const {
  if (argument.tensor.empty())
    return "";
  std::optional<StackedOperand> operand =
      StackedOperand::parse(argument.tensor);
  if (operand && !options.adapters.empty() && !operand->modules.empty())
    return " (--adapter: " +
           describeAbsent("module", operand->modules.front(),
                          adapters.getModules()) +
           ")";
  if (options.weights.empty())
    return operand ? " or --adapter or --weights" : " or --weights";
  return " (--weights: " +
         describeAbsent("tensor", argument.tensor, weightNames) + ")";
}

Error InputMaker::fill() {
  for (const ArgumentInfo &argument : signature.arguments) {
    Binding &binding = bindings[argument.index];
    if (binding.isBound())
      continue;
    if (!options.fill) {
      return createStringError(argument.describe() + " of '@" + signature.name +
                               "' (" + toString(argument) +
                               ") has no source: pass --input" +
                               describeAbsence(argument) + " or --fill");
    }
    binding.origin = "--fill";
    binding.source = options.fill;
  }
  return Error::success();
}

Expected<std::vector<HostTensor>> InputMaker::makeAll() {
  std::vector<HostTensor> tensors;
  tensors.reserve(bindings.size());
  for (auto [argument, binding] :
       llvm::zip_equal(signature.arguments, bindings)) {
    if (binding.tensor) {
      tensors.push_back(std::move(*binding.tensor));
      continue;
    }
    Expected<TensorSpec> spec = dims.getSpec(argument);
    if (!spec)
      return spec.takeError();
    Expected<HostTensor> tensor =
        binding.source->make(*spec, options.seed, argument.index);
    if (!tensor)
      return createStringError(binding.origin + ", " + argument.describe() +
                               ": " + llvm::toString(tensor.takeError()));
    tensors.push_back(std::move(*tensor));
  }
  return tensors;
}

} // namespace

Expected<std::vector<HostTensor>> makeInputs(const Signature &signature,
                                             const RunnerOptions &options,
                                             const AdapterStack &adapters,
                                             raw_ostream &warnings) {
  return InputMaker(signature, options, adapters, warnings).run();
}

} // namespace mlir::frit
