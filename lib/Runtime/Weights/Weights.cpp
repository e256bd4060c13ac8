//===- Weights.cpp --------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The functions of frit-c/Weights.h.
//
//===----------------------------------------------------------------------===//

#include "Error.h"
#include "Weights/Source.h"

#include "../IO/MessageText.h"

#include <mutex>
#include <new>

using namespace frit::runtime;
using mlir::frit::joinText;
using mlir::frit::quoteText;

/// Of all weights: giving them to code is rare.
static std::mutex mutex;

static FritStatus fail(FritStatus status, const std::string &message) {
  return reportToThread(status, message.c_str());
}

/// Checks that it is a FritWeights of this runtime.
static FritStatus check(const FritWeights *weights) {
  if (!weights)
    return fail(FRIT_STATUS_INVALID_ARGUMENT, "the weights are null");
  if (weights->size != sizeof(FritWeights))
    return fail(FRIT_STATUS_INVALID_ARGUMENT,
                joinText("the weights are described in ", weights->size,
                         " bytes, but this runtime knows ",
                         sizeof(FritWeights)));
  return FRIT_STATUS_OK;
}

static FritStatus checkIsFree(const FritWeights &weights) {
  if (!*weights.state)
    return FRIT_STATUS_OK;
  return fail(FRIT_STATUS_INVALID_ARGUMENT,
              "the code has its weights already: call fritWeightsUnload first");
}

static void setAddress(const FritWeight &weight, const void *address) {
  for (int32_t place = 0; place < weight.numPlaces; ++place)
    *weight.places[place] = address;
}

/// Gives the weights to the code, which uses them once it sees the state.
static void publish(const FritWeights &weights,
                    const std::vector<const void *> &addresses,
                    WeightsFile *file) {
  for (int32_t index = 0; index < weights.numWeights; ++index)
    setAddress(weights.weights[index], addresses[index]);
  __atomic_store_n(weights.state, file, __ATOMIC_RELEASE);
}

FritStatus fritWeightsLoad(const FritWeights *weights, const char *path) {
  if (FritStatus status = check(weights))
    return status;
  if (!path)
    return fail(FRIT_STATUS_INVALID_ARGUMENT, "the path of weights is null");
  std::lock_guard<std::mutex> lock(mutex);
  if (FritStatus status = checkIsFree(*weights))
    return status;
  std::unique_ptr<WeightsFile> file(new (std::nothrow) WeightsFile);
  if (!file)
    return fail(FRIT_STATUS_OUT_OF_MEMORY,
                "the system has no memory for a record of weights");
  std::vector<const void *> addresses;
  std::string message;
  if (FritStatus status = file->load(path, *weights, addresses, message))
    return fail(status, message);
  publish(*weights, addresses, file.release());
  return FRIT_STATUS_OK;
}

/// Says what is wrong with a tensor of the caller, or "".
static std::string checkTensor(const FritWeight &weight,
                               const FritTensor *tensor) {
  if (!tensor)
    return "is null";
  std::string wanted =
      describeTensor(weight.sizes, weight.rank, fritTypeName(weight.type));
  std::string given =
      tensor->rank != weight.rank || (tensor->rank > 0 && !tensor->sizes)
          ? joinText("of rank ", tensor->rank)
          : describeTensor(tensor->sizes, tensor->rank,
                           fritTypeName(tensor->type));
  if (given != wanted)
    return joinText("is ", given, ", expected ", wanted);
  if (tensor->device != FRIT_NO_DEVICE)
    return joinText("is on device ", tensor->device,
                    ", expected in memory of the host");
  int64_t stride = 1;
  for (int32_t dim = tensor->rank; tensor->strides && dim-- > 0;) {
    if (tensor->sizes[dim] != 1 && tensor->strides[dim] != stride)
      return joinText("has stride ", tensor->strides[dim], " in dimension ",
                      dim, ", expected ", stride, ": row-major without gaps");
    stride *= tensor->sizes[dim];
  }
  auto address = reinterpret_cast<uintptr_t>(tensor->data);
  if (!address)
    return "has no address";
  if (address % FRIT_WEIGHT_ALIGNMENT != 0)
    return joinText("is ", address % FRIT_WEIGHT_ALIGNMENT,
                    " bytes past a multiple of ", FRIT_WEIGHT_ALIGNMENT,
                    ", which it must be aligned to");
  return checkContent(weight, tensor->data);
}

FritStatus fritWeightsBind(const FritWeights *weights,
                           const FritTensor *const *tensors, int32_t count) {
  if (FritStatus status = check(weights))
    return status;
  if (count != weights->numWeights || !tensors)
    return fail(FRIT_STATUS_INVALID_ARGUMENT,
                joinText("got ", tensors ? "" : "no list of ", count,
                         " tensors, expected ", weights->numWeights));
  std::lock_guard<std::mutex> lock(mutex);
  if (FritStatus status = checkIsFree(*weights))
    return status;
  std::vector<const void *> addresses;
  for (int32_t index = 0; index < count; ++index) {
    const FritWeight &weight = weights->weights[index];
    if (std::string wrong = checkTensor(weight, tensors[index]); !wrong.empty())
      return fail(FRIT_STATUS_INVALID_ARGUMENT,
                  joinText("tensor ", index, " (", quoteText(weight.name), ") ",
                           wrong));
    addresses.push_back(tensors[index]->data);
  }
  auto *file = new (std::nothrow) WeightsFile;
  if (!file)
    return fail(FRIT_STATUS_OUT_OF_MEMORY,
                "the system has no memory for a record of weights");
  publish(*weights, addresses, file);
  return FRIT_STATUS_OK;
}

FritStatus fritWeightsUnload(const FritWeights *weights) {
  if (FritStatus status = check(weights))
    return status;
  std::lock_guard<std::mutex> lock(mutex);
  auto *file = static_cast<WeightsFile *>(*weights->state);
  __atomic_store_n(weights->state, nullptr, __ATOMIC_RELEASE);
  for (int32_t index = 0; index < weights->numWeights; ++index)
    setAddress(weights->weights[index], nullptr);
  delete file;
  return FRIT_STATUS_OK;
}
