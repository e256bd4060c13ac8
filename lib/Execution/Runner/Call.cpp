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

#include "frit/IO/TypeCode.h"

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

void ArgumentPack::add(HostTensor &tensor, int32_t device) {
  addDescriptor(tensor, tensor.getData(), device);
}

void ArgumentPack::add(const HostTensor &tensor, DeviceMemory memory,
                       int32_t device) {
  addDescriptor(tensor, memory.get(), device);
  memories.push_back(std::move(memory));
}

void ArgumentPack::addDescriptor(const HostTensor &tensor, void *data,
                                 int32_t device) {
  tensors.push_back(std::make_unique<FritTensor>(
      FritTensor{data, tensor.getShape().data(), tensor.getStrides().data(),
                 static_cast<int32_t>(tensor.getRank()),
                 getTypeCode(tensor.getSpec().type), device, 0}));
  pointers.push_back(tensors.back().get());
}

Expected<CompiledFunction>
CompiledFunction::create(std::unique_ptr<Executable> executable,
                         const Signature &signature, int32_t threads,
                         int32_t device) {
  CompiledFunction function;
  function.signature = signature;
  auto entry = executable->lookupEntry(signature.name);
  if (!entry)
    return entry.takeError();
  function.entry = *entry;
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

Error CompiledFunction::call(ArgumentPack &arguments) {
  ArrayRef<const FritTensor *> values = arguments.getValues();
  return check(fritEntryCall(context.get(), entry, values.data(),
                             static_cast<int32_t>(values.size())));
}

Expected<std::vector<HostTensor>>
CompiledFunction::allocateResults(std::vector<HostTensor> &inputs) {
  ArgumentPack arguments;
  int32_t device = fritContextDevice(context.get());
  for (auto [argument, input] : llvm::zip_equal(signature.arguments, inputs))
    arguments.add(input, argument.isTensor ? device : FRIT_NO_DEVICE);
  ArrayRef<const FritTensor *> values = arguments.getValues();
  std::vector<int64_t> sizes(fritEntryNumResultSizes(entry));
  if (Error error = check(fritEntryResultSizes(
          context.get(), entry, values.data(),
          static_cast<int32_t>(values.size()), sizes.data(),
          static_cast<int32_t>(sizes.size()))))
    return error;
  SmallVector<TensorSpec> specs;
  const int64_t *next = sizes.data();
  for (const ValueInfo &result : signature.results) {
    TensorSpec &spec = specs.emplace_back(result.spec);
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
  int32_t device = fritContextDevice(context.get());
  if (device == FRIT_NO_DEVICE) {
    for (HostTensor &input : inputs)
      arguments.add(input, FRIT_NO_DEVICE);
    // A scalar result has a destination of rank 0.
    for (HostTensor &result : results)
      arguments.add(result, FRIT_NO_DEVICE);
    return std::move(arguments);
  }
  for (auto [argument, input] : llvm::zip_equal(signature.arguments, inputs)) {
    if (!argument.isTensor) {
      arguments.add(input, FRIT_NO_DEVICE);
      continue;
    }
    auto memory = DeviceMemory::allocate(context.get(), input.getNumBytes());
    if (!memory)
      return memory.takeError();
    if (Error error =
            check(fritCopyToDevice(context.get(), memory->get(),
                                   input.getData(), input.getNumBytes())))
      return error;
    arguments.add(input, std::move(*memory), device);
  }
  for (HostTensor &result : results) {
    auto memory = DeviceMemory::allocate(context.get(), result.getNumBytes());
    if (!memory)
      return memory.takeError();
    // A result that is not written shows: NaN, or -1.
    if (Error error = check(fritDeviceFill(context.get(), memory->get(),
                                           result.getNumBytes(), 0xff, 1)))
      return error;
    arguments.add(result, std::move(*memory), device);
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
