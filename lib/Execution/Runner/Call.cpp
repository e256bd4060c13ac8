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

/// The recorded error of a context, which is cleared.
static Error takeError(FritContext *context, FritStatus status) {
  if (status == FRIT_STATUS_OK)
    return Error::success();
  StringRef message = fritContextErrorMessage(context);
  Error error =
      createStringError(Twine(fritStatusName(status)) +
                        (message.empty() ? Twine() : Twine(": ") + message));
  fritContextClearError(context);
  return error;
}

Expected<DeviceMemory> DeviceMemory::allocate(FritContext *context,
                                              uint64_t bytes) {
  void *address = nullptr;
  if (Error error =
          takeError(context, fritDeviceMalloc(context, bytes, &address)))
    return error;
  return DeviceMemory(context, address);
}

void ArgumentPack::add(HostTensor &tensor, bool isScalar) {
  if (isScalar)
    pointers.push_back(tensor.getData());
  else
    addDescriptor(tensor, tensor.getData());
}

void ArgumentPack::add(const HostTensor &tensor, DeviceMemory memory) {
  addDescriptor(tensor, memory.get());
  memories.push_back(std::move(memory));
}

void ArgumentPack::addDescriptor(const HostTensor &tensor, void *data) {
  // Allocated pointer, aligned pointer, offset, sizes, strides.
  int64_t rank = tensor.getRank();
  auto descriptor = std::make_unique<int64_t[]>(3 + 2 * rank);
  descriptor[0] = descriptor[1] = reinterpret_cast<intptr_t>(data);
  descriptor[2] = 0;
  llvm::copy(tensor.getShape(), &descriptor[3]);
  llvm::copy(tensor.getStrides(), &descriptor[3 + rank]);
  pointers.push_back(descriptor.get());
  descriptors.push_back(std::move(descriptor));
}

Expected<CompiledFunction>
CompiledFunction::create(std::unique_ptr<Executable> executable,
                         const Signature &signature, int32_t threads,
                         int32_t device) {
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
  options.device = device;
  FritContext *context = nullptr;
  FritStatus status = fritContextCreate(&options, &context);
  if (status != FRIT_STATUS_OK)
    return createStringError(Twine("no runtime context: ") +
                             fritStatusName(status) + ": " +
                             fritThreadErrorMessage());
  function.context.reset(context);
  return std::move(function);
}

Error CompiledFunction::check(FritStatus status) {
  return takeError(context.get(), status);
}

Error CompiledFunction::call(Executable::EntryPoint function,
                             void **arguments) {
  return check(function(context.get(), arguments));
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

Expected<ArgumentPack>
CompiledFunction::pack(std::vector<HostTensor> &inputs,
                       std::vector<HostTensor> &results) {
  ArgumentPack arguments;
  if (!isOnDevice()) {
    for (auto [argument, input] : llvm::zip_equal(signature.arguments, inputs))
      arguments.add(input, !argument.isTensor);
    // A scalar result has a destination of rank 0.
    for (HostTensor &result : results)
      arguments.add(result, /*isScalar=*/false);
    return std::move(arguments);
  }
  for (auto [argument, input] : llvm::zip_equal(signature.arguments, inputs)) {
    if (!argument.isTensor) {
      arguments.add(input, /*isScalar=*/true);
      continue;
    }
    auto memory = DeviceMemory::allocate(context.get(), input.getNumBytes());
    if (!memory)
      return memory.takeError();
    if (Error error =
            check(fritCopyToDevice(context.get(), memory->get(),
                                   input.getData(), input.getNumBytes())))
      return error;
    arguments.add(input, std::move(*memory));
  }
  for (HostTensor &result : results) {
    auto memory = DeviceMemory::allocate(context.get(), result.getNumBytes());
    if (!memory)
      return memory.takeError();
    // A result that is not written shows: NaN, or -1.
    if (Error error = check(fritDeviceFill(context.get(), memory->get(),
                                           result.getNumBytes(), 0xff, 1)))
      return error;
    arguments.add(result, std::move(*memory));
  }
  return std::move(arguments);
}

Error CompiledFunction::fetch(ArgumentPack &arguments,
                              std::vector<HostTensor> &results) {
  if (!isOnDevice())
    return Error::success();
  ArrayRef<DeviceMemory> memories =
      arguments.getDeviceMemory().take_back(results.size());
  for (auto [result, memory] : llvm::zip_equal(results, memories))
    if (Error error = check(fritCopyToHost(context.get(), result.getData(),
                                           memory.get(), result.getNumBytes())))
      return error;
  return check(fritContextSynchronize(context.get()));
}

Error CompiledFunction::callAsGraph(ArgumentPack &arguments) {
  if (Error error = check(fritGraphBeginCapture(context.get())))
    return error;
  Error callError = call(arguments);
  FritGraph *graph = nullptr;
  Error endError = check(fritGraphEndCapture(context.get(), &graph));
  if (callError || endError) {
    fritGraphDestroy(graph);
    return joinErrors(std::move(callError), std::move(endError));
  }
  Error error = check(fritGraphLaunch(context.get(), graph));
  if (!error)
    error = check(fritContextSynchronize(context.get()));
  fritGraphDestroy(graph);
  return error;
}

} // namespace mlir::frit
