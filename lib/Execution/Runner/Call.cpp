//===- Call.cpp -----------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Calls a compiled function over tensors with tensors of the host.
//
//===----------------------------------------------------------------------===//

#include "Call.h"

#include "frit/Execution/Passes.h"

using namespace llvm;

namespace mlir::frit {

void ArgumentPack::add(HostTensor &tensor, bool isScalar) {
  if (isScalar) {
    pointers.push_back(tensor.getData());
    return;
  }
  // Allocated pointer, aligned pointer, offset, sizes, strides.
  int64_t rank = tensor.getRank();
  auto descriptor = std::make_unique<int64_t[]>(3 + 2 * rank);
  descriptor[0] = descriptor[1] = reinterpret_cast<intptr_t>(tensor.getData());
  descriptor[2] = 0;
  llvm::copy(tensor.getShape(), &descriptor[3]);
  llvm::copy(tensor.getStrides(), &descriptor[3 + rank]);
  pointers.push_back(descriptor.get());
  descriptors.push_back(std::move(descriptor));
}

Expected<CompiledFunction>
CompiledFunction::create(std::unique_ptr<Executable> executable,
                         const Signature &signature, int32_t threads) {
  CompiledFunction function;
  function.signature = signature;
  auto entry = executable->lookup(signature.name);
  if (!entry)
    return entry.takeError();
  function.entry = *entry;
  if (signature.hasDynamicResult()) {
    auto shapes = executable->lookup(getResultShapesName(signature.name));
    if (!shapes)
      return shapes.takeError();
    function.shapes = *shapes;
  }
  function.executable = std::move(executable);

  FritContextOptions options = fritContextOptionsDefault();
  options.threads = threads;
  FritContext *context = nullptr;
  FritStatus status = fritContextCreate(&options, &context);
  if (status != FRIT_STATUS_OK)
    return createStringError(Twine("no runtime context: ") +
                             fritStatusName(status));
  function.context.reset(context);
  return std::move(function);
}

Error CompiledFunction::call(Executable::EntryPoint function,
                             void **arguments) {
  FritStatus status = function(context.get(), arguments);
  if (status == FRIT_STATUS_OK)
    return Error::success();
  StringRef message = fritContextErrorMessage(context.get());
  Error error =
      createStringError(Twine(fritStatusName(status)) +
                        (message.empty() ? Twine() : Twine(": ") + message));
  fritContextClearError(context.get());
  return error;
}

Expected<std::vector<HostTensor>>
CompiledFunction::allocateResults(std::vector<HostTensor> &inputs) {
  SmallVector<TensorSpec> specs;
  int64_t numSizes = 0;
  for (const ValueInfo &result : signature.results) {
    specs.push_back(result.spec);
    numSizes += result.spec.shape.size();
  }
  if (shapes) {
    auto sizes = HostTensor::allocate({ElementType::I64, {numSizes}});
    if (!sizes)
      return sizes.takeError();
    ArgumentPack arguments;
    for (auto [argument, input] : llvm::zip_equal(signature.arguments, inputs))
      arguments.add(input, !argument.isTensor);
    arguments.add(*sizes, /*isScalar=*/false);
    if (Error error = call(shapes, arguments.getPointers()))
      return error;
    const int64_t *next = sizes->getDataAs<int64_t>();
    for (TensorSpec &spec : specs)
      for (int64_t &size : spec.shape)
        size = *next++;
  }
  std::vector<HostTensor> results;
  for (TensorSpec &spec : specs) {
    auto result = HostTensor::allocate(std::move(spec));
    if (!result)
      return result.takeError();
    results.push_back(std::move(*result));
  }
  return results;
}

ArgumentPack CompiledFunction::pack(std::vector<HostTensor> &inputs,
                                    std::vector<HostTensor> &results) const {
  ArgumentPack arguments;
  for (auto [argument, input] : llvm::zip_equal(signature.arguments, inputs))
    arguments.add(input, !argument.isTensor);
  // A scalar result has a destination of rank 0.
  for (HostTensor &result : results)
    arguments.add(result, /*isScalar=*/false);
  return arguments;
}

} // namespace mlir::frit
