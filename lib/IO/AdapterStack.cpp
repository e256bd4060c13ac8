//===- AdapterStack.cpp ---------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Puts the tensors of several adapters into one each, padded with zeros.
//
//===----------------------------------------------------------------------===//

#include "frit/IO/AdapterStack.h"

#include "FileError.h"

#include <cstring>
#include <set>

using namespace mlir::frit;
using Kind = StackedOperand::Kind;

llvm::Error AdapterStack::add(Adapter adapter) {
  for (const Adapter &other : adapters) {
    if (other.getName() == adapter.getName())
      return makeError("two adapters have the name ",
                       quoteText(adapter.getName()));
    for (const auto &[name, module] : adapter.getModules()) {
      const AdapterModule *known = other.find(name);
      if (!known || (known->getInputs() == module.getInputs() &&
                     known->getOutputs() == module.getOutputs() &&
                     known->getType() == module.getType()))
        continue;
      return makeError(
          "module ", quoteText(name), ": A and B are ",
          known->a.getSpec().str(), " and ", known->b.getSpec().str(), " in ",
          quoteText(other.getName()), ", but ", module.a.getSpec().str(),
          " and ", module.b.getSpec().str(), " in ",
          quoteText(adapter.getName()));
    }
  }
  adapters.push_back(std::move(adapter));
  return llvm::Error::success();
}

std::vector<std::string> AdapterStack::getModules() const {
  std::set<std::string> names;
  for (const Adapter &adapter : adapters)
    for (const auto &[name, module] : adapter.getModules())
      names.insert(name);
  return {names.begin(), names.end()};
}

bool AdapterStack::has(const StackedOperand &operand) const {
  return llvm::any_of(adapters, [&](const Adapter &adapter) {
    if (operand.modules.empty())
      return !adapter.getModules().empty();
    return llvm::any_of(operand.modules, [&](const std::string &module) {
      return adapter.find(module) != nullptr;
    });
  });
}

int64_t AdapterStack::getLargestRank() const {
  int64_t rank = 0;
  for (const Adapter &adapter : adapters)
    for (const auto &[name, module] : adapter.getModules())
      rank = std::max(rank, module.getRank());
  return rank;
}

llvm::Expected<int64_t>
AdapterStack::getSlots(llvm::ArrayRef<std::optional<int64_t>> sizes,
                       size_t dim) const {
  const auto count = static_cast<int64_t>(adapters.size());
  const int64_t slots = sizes[dim].value_or(count);
  if (slots < count)
    return makeError("expected room for ", count, " adapters in dimension ",
                     dim, ", found ", slots);
  return slots;
}

llvm::Expected<HostTensor>
AdapterStack::make(const StackedOperand &operand,
                   llvm::ArrayRef<std::optional<int64_t>> sizes) const {
  const bool isWeight = operand.kind == Kind::A || operand.kind == Kind::B;
  const bool isPerModule = operand.kind == Kind::Ranks && sizes.size() == 2;
  const size_t expectedDims = isWeight ? 3 : isPerModule ? 2 : 1;
  if (sizes.size() != expectedDims)
    return makeError("expected ", expectedDims, " dimensions, found ",
                     sizes.size());
  llvm::Expected<int64_t> slots = getSlots(sizes, isPerModule ? 1 : 0);
  if (!slots)
    return slots.takeError();
  if (isWeight)
    return makeWeights(
        operand, *slots,
        sizes[operand.kind == Kind::A ? 1 : 2].value_or(getLargestRank()));
  return operand.kind == Kind::Ranks ? makeRanks(operand, *slots, isPerModule)
                                     : makeScales(operand, *slots);
}

/// Copies rows of `rowBytes` to rows that lie `stride` bytes apart.
static void copyRows(char *to, int64_t stride, const HostTensor &from,
                     int64_t rowBytes) {
  if (rowBytes == 0)
    return;
  llvm::ArrayRef<char> bytes = from.getContiguousBytes();
  for (; !bytes.empty(); bytes = bytes.drop_front(rowBytes), to += stride)
    std::memcpy(to, bytes.data(), rowBytes);
}

llvm::Expected<HostTensor>
AdapterStack::makeWeights(const StackedOperand &operand, int64_t slots,
                          int64_t rank) const {
  const std::string &name = operand.modules.front();
  const bool isA = operand.kind == Kind::A;
  std::optional<HostTensor> stacked;
  for (auto [slot, adapter] : llvm::enumerate(adapters)) {
    const AdapterModule *module = adapter.find(name);
    if (!module)
      continue;
    if (module->getRank() > rank)
      return makeError("expected ranks up to ", rank, ", found ",
                       module->getRank(), " in ", quoteText(adapter.getName()));
    if (!stacked) {
      TensorSpec spec{module->getType(), {slots, rank, module->getInputs()}};
      if (!isA)
        spec.shape = {slots, module->getOutputs(), rank};
      llvm::Expected<HostTensor> zeros = HostTensor::allocate(spec);
      if (!zeros)
        return zeros.takeError();
      stacked = std::move(*zeros);
    }
    const HostTensor &own = isA ? module->a : module->b;
    const int64_t element = getElementBytes(module->getType());
    const auto index = static_cast<int64_t>(slot);
    char *to = stacked->getData() + index * stacked->getStrides()[0] * element;
    copyRows(to, stacked->getShape()[2] * element, own,
             own.getShape()[1] * element);
  }
  if (!stacked)
    return makeError("no adapter has the module ", quoteText(name));
  return std::move(*stacked);
}

/// The number that modules of an adapter have, as far as it has them: those of
/// `names`, or all. 0 if it has none; an error if they differ.
template <typename T, typename Get>
static llvm::Expected<T> getCommon(const Adapter &adapter,
                                   llvm::ArrayRef<std::string> names,
                                   llvm::StringRef what, Get get) {
  std::pair<llvm::StringRef, T> first("", 0);
  for (const auto &[name, module] : adapter.getModules()) {
    if (!names.empty() && !llvm::is_contained(names, name))
      continue;
    const T value = get(module);
    if (first.first.empty())
      first = {name, value};
    else if (first.second != value)
      return makeError("adapter ", quoteText(adapter.getName()), " has the ",
                       what, " ", first.second, " for ", quoteText(first.first),
                       ", but ", value, " for ", quoteText(name),
                       ": expected one for all modules");
  }
  return first.second;
}

llvm::Expected<HostTensor>
AdapterStack::makeRanks(const StackedOperand &operand, int64_t slots,
                        bool isPerModule) const {
  TensorSpec spec{ElementType::I32, {slots}};
  // A row for each module, which then has nothing to agree with.
  std::vector<std::vector<std::string>> rows{operand.modules};
  if (isPerModule) {
    rows.clear();
    for (const std::string &module : operand.modules)
      rows.push_back({module});
    spec.shape = {static_cast<int64_t>(rows.size()), slots};
  }
  llvm::Expected<HostTensor> ranks = HostTensor::allocate(spec);
  if (!ranks)
    return ranks.takeError();
  auto *data = ranks->getDataAs<int32_t>();
  for (const std::vector<std::string> &modules : rows) {
    for (auto [slot, adapter] : llvm::enumerate(adapters)) {
      llvm::Expected<int64_t> rank = getCommon<int64_t>(
          adapter, modules, "rank",
          [](const AdapterModule &module) { return module.getRank(); });
      if (!rank)
        return rank.takeError();
      data[slot] = static_cast<int32_t>(*rank);
    }
    data += slots;
  }
  return ranks;
}

llvm::Expected<HostTensor>
AdapterStack::makeScales(const StackedOperand &operand, int64_t slots) const {
  llvm::Expected<HostTensor> scales =
      HostTensor::allocate(TensorSpec{ElementType::F32, {slots}});
  if (!scales)
    return scales.takeError();
  for (auto [slot, adapter] : llvm::enumerate(adapters)) {
    llvm::Expected<float> scale = getCommon<float>(
        adapter, operand.modules, "factor",
        [](const AdapterModule &module) { return module.scale; });
    if (!scale)
      return scale.takeError();
    scales->getDataAs<float>()[slot] = *scale;
  }
  return scales;
}
