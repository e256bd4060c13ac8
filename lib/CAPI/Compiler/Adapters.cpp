//===- Adapters.cpp -------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The functions of frit-c/Adapters.h.
//
//===----------------------------------------------------------------------===//

#include "frit-c/Adapters.h"

#include "Failure.h"

#include "frit/IO/AdapterStack.h"
#include "frit/IO/TypeCode.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/Twine.h"

#include <memory>
#include <optional>

using namespace mlir::frit;

struct FritAdapters {
  AdapterStack stack;
  std::vector<std::string> modules;
};

struct FritAdapterTensor {
  explicit FritAdapterTensor(HostTensor value) : tensor(std::move(value)) {
    view.data = tensor.getData();
    view.sizes = tensor.getShape().data();
    view.rank = static_cast<int32_t>(tensor.getRank());
    view.type = getTypeCode(tensor.getType());
    view.device = FRIT_NO_DEVICE;
  }

  HostTensor tensor;
  FritTensor view = {};
};

static FritStatus failNull(const char *function, const char *what) {
  return fail(FRIT_STATUS_INVALID_ARGUMENT,
              llvm::Twine(function) + ": '" + what + "' is null");
}

FritStatus fritAdaptersLoad(const FritAdapterSource *sources, int32_t count,
                            FritAdapters **adapters) {
  constexpr char kName[] = "fritAdaptersLoad";
  if (!adapters)
    return failNull(kName, "adapters");
  *adapters = nullptr;
  if (count < 0)
    return fail(FRIT_STATUS_INVALID_ARGUMENT,
                llvm::Twine(kName) + ": 'count' is " + llvm::Twine(count) +
                    ", expected 0 or more");
  if (count > 0 && !sources)
    return failNull(kName, "sources");
  auto result = std::make_unique<FritAdapters>();
  for (int32_t index = 0; index < count; ++index) {
    const FritAdapterSource &source = sources[index];
    if (!source.name || !source.folder)
      return failNull(kName, source.name ? "folder" : "name");
    auto adapter = Adapter::open(source.name, source.folder);
    llvm::Error error =
        adapter ? result->stack.add(std::move(*adapter)) : adapter.takeError();
    if (error)
      return fail(FRIT_STATUS_INVALID_ARGUMENT,
                  llvm::Twine("adapter '") + source.name +
                      "': " + llvm::toString(std::move(error)));
  }
  result->modules = result->stack.getModules();
  *adapters = result.release();
  return FRIT_STATUS_OK;
}

void fritAdaptersDestroy(FritAdapters *adapters) { delete adapters; }

int32_t fritAdaptersNumModules(const FritAdapters *adapters) {
  return adapters ? static_cast<int32_t>(adapters->modules.size()) : 0;
}

const char *fritAdaptersModule(const FritAdapters *adapters, int32_t index) {
  return index >= 0 && index < fritAdaptersNumModules(adapters)
             ? adapters->modules[index].c_str()
             : nullptr;
}

FritStatus fritAdaptersMake(const FritAdapters *adapters, const char *operand,
                            const int64_t *sizes, int32_t rank,
                            FritAdapterTensor **tensor) {
  constexpr char kName[] = "fritAdaptersMake";
  if (!tensor)
    return failNull(kName, "tensor");
  *tensor = nullptr;
  if (!adapters)
    return failNull(kName, "adapters");
  if (!operand)
    return failNull(kName, "operand");
  if (rank > 0 && !sizes)
    return failNull(kName, "sizes");
  auto parsed = StackedOperand::parse(operand);
  if (!parsed)
    return fail(FRIT_STATUS_INVALID_ARGUMENT,
                llvm::Twine("'") + operand +
                    "' is no operand: expected MODULE.lora_A, MODULE.lora_B, "
                    "MODULE[,MODULE].lora_ranks or "
                    "MODULE[,MODULE].lora_scales");
  llvm::SmallVector<std::optional<int64_t>> wanted;
  for (int32_t dim = 0; dim < rank; ++dim) {
    if (sizes[dim] < FRIT_ANY)
      return fail(FRIT_STATUS_INVALID_ARGUMENT,
                  llvm::Twine(operand) + ": dimension " + llvm::Twine(dim) +
                      " has size " + llvm::Twine(sizes[dim]) +
                      ", expected 0 or more, or FRIT_ANY");
    wanted.push_back(sizes[dim] == FRIT_ANY ? std::nullopt
                                            : std::optional(sizes[dim]));
  }
  auto made = adapters->stack.make(*parsed, wanted);
  if (!made)
    return fail(FRIT_STATUS_INVALID_ARGUMENT,
                llvm::Twine(operand) + ": " + llvm::toString(made.takeError()));
  *tensor = new FritAdapterTensor(std::move(*made));
  return FRIT_STATUS_OK;
}

const FritTensor *fritAdapterTensorView(const FritAdapterTensor *tensor) {
  return tensor ? &tensor->view : nullptr;
}

void fritAdapterTensorDestroy(FritAdapterTensor *tensor) { delete tensor; }
