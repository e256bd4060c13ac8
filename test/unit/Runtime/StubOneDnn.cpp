//===- StubOneDnn.cpp -----------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A stand-in for oneDNN. FRIT_STUB_ONEDNN_VERSION says which; without
// FRIT_STUB_ONEDNN_THREADS it knows no OpenMP, with FRIT_STUB_ONEDNN_PART it
// lacks a function.
//
//===----------------------------------------------------------------------===//

#include "StubOneDnn.h"

#include "OneDnn/Types.h"

#include <cstring>
#include <new>

#ifdef FRIT_STUB_ONEDNN_THREADS
#include "OpenMP.h"
#endif

// NOLINTBEGIN(readability-identifier-naming): the names are oneDNN's.

#define FRIT_STUB_EXPORT extern "C" __attribute__((visibility("default")))

namespace frit::runtime::onednn {

struct EngineTag {};
struct DnnlStreamTag {};

struct PostOpsTag {
  int32_t sums = 0;
};

struct AttributesTag {
  int32_t scratchpadMode = -1;
  int32_t mathMode = -1;
  int32_t sums = 0;
};

struct MemoryDescTag {
  int32_t rank;
  DataType type;
  Dims dims;
  Dims strides;
};

struct DnnlMatmulDescTag {
  MemoryDescTag source, weights, bias, destination;
};

struct PrimitiveDescTag {
  DnnlMatmulDescTag matmul;
  AttributesTag attributes;
  MemoryDescTag scratchpad;
};

struct PrimitiveTag {
  PrimitiveDescTag desc;
};

struct MemoryTag {
  MemoryDescTag desc;
  void *data;
};

FRIT_STUB_EXPORT const Version *dnnl_version();
#define FRIT_ONEDNN_ENTRY(result, name, parameters)                            \
  FRIT_STUB_EXPORT result name parameters;
#if FRIT_STUB_ONEDNN_VERSION == 2
#define FRIT_ONEDNN_ENTRY_2 FRIT_ONEDNN_ENTRY
#else
#define FRIT_ONEDNN_ENTRY_3 FRIT_ONEDNN_ENTRY
#endif
#include "OneDnn/Entries.def"

} // namespace frit::runtime::onednn

using namespace frit::runtime::onednn;
using frit::stub::OneDnnControl;

FRIT_STUB_EXPORT OneDnnControl *fritStubOneDnn() {
  static OneDnnControl control;
  return &control;
}

namespace {

int32_t getThreads() {
#ifdef FRIT_STUB_ONEDNN_THREADS
  return omp_get_max_threads();
#else
  return 1;
#endif
}

/// Counts a call, which is the one to fail or not.
Status enter(const char *name) {
  OneDnnControl &control = *fritStubOneDnn();
  if (++control.calls != control.failingCall)
    return kSuccess;
  control.failed = name;
  return control.failure;
}

template <typename Tag, typename... Arguments>
Status create(const char *name, Tag **object, Arguments... arguments) {
  if (Status status = enter(name))
    return status;
  *object = new Tag{arguments...};
  ++fritStubOneDnn()->objects;
  return kSuccess;
}

/// An object is gone also where a failure is reported.
template <typename Tag> Status destroy(const char *name, Tag *object) {
  delete object;
  --fritStubOneDnn()->objects;
  return enter(name);
}

MemoryDescTag describe(int32_t rank, const int64_t *dims, DataType type,
                       const int64_t *strides) {
  MemoryDescTag desc = {};
  desc.rank = rank;
  desc.type = type;
  memcpy(desc.dims, dims, rank * sizeof(*dims));
  memcpy(desc.strides, strides, rank * sizeof(*strides));
  return desc;
}

/// An element of a matrix of a stack; what has one size is broadcast.
float &at(const MemoryTag &memory, int64_t matrix, int64_t row,
          int64_t column) {
  const MemoryDescTag &desc = memory.desc;
  int64_t place[] = {matrix, row, column};
  int64_t offset = 0;
  for (int32_t i = 0; i < desc.rank; ++i)
    if (desc.dims[i] > 1)
      offset += place[3 - desc.rank + i] * desc.strides[i];
  return static_cast<float *>(memory.data)[offset];
}

const MemoryDescTag *getDesc(PrimitiveDesc desc, int32_t argument) {
  switch (argument) {
  case kSource:
    return &desc->matmul.source;
  case kWeights:
    return &desc->matmul.weights;
  case kBias:
    return &desc->matmul.bias;
  case kDestination:
    return &desc->matmul.destination;
  default:
    return &desc->scratchpad;
  }
}

Status createMatmul(const char *name, PrimitiveDesc *desc,
                    const DnnlMatmulDescTag &matmul, Attributes attributes) {
  OneDnnControl &control = *fritStubOneDnn();
  control.scratchpadMode = attributes->scratchpadMode;
  control.mathMode = attributes->mathMode;
  control.threadsOfPlan = getThreads();
  MemoryDescTag scratchpad = {};
  scratchpad.rank = control.scratchBytes ? 1 : 0;
  scratchpad.dims[0] = control.scratchBytes;
  return create(name, desc, matmul, *attributes, scratchpad);
}

} // namespace

const Version *frit::runtime::onednn::dnnl_version() {
  static const Version version = {FRIT_STUB_ONEDNN_VERSION, 7, 1, "", 2, 0};
  return &version;
}

#ifndef FRIT_STUB_ONEDNN_PART
const char *frit::runtime::onednn::dnnl_status2str(Status status) {
  return status == kOutOfMemory ? "out_of_memory" : "runtime_error";
}
#endif

Status frit::runtime::onednn::dnnl_engine_create(Engine *engine,
                                                 EngineKind kind, size_t) {
  return kind == kCpu ? create(__func__, engine) : 2;
}
Status frit::runtime::onednn::dnnl_engine_destroy(Engine engine) {
  return destroy(__func__, engine);
}
Status frit::runtime::onednn::dnnl_stream_create(Stream *stream, Engine,
                                                 uint32_t) {
  return create(__func__, stream);
}
Status frit::runtime::onednn::dnnl_stream_wait(Stream) {
  return enter(__func__);
}
Status frit::runtime::onednn::dnnl_stream_destroy(Stream stream) {
  return destroy(__func__, stream);
}

Status frit::runtime::onednn::dnnl_post_ops_create(PostOps *postOps) {
  return create(__func__, postOps);
}
Status frit::runtime::onednn::dnnl_post_ops_destroy(PostOps postOps) {
  return destroy(__func__, postOps);
}

static Status appendSum(const char *name, PostOps postOps, float scale,
                        int32_t zeroPoint, DataType type) {
  if (scale != 1 || zeroPoint != 0 || type != kF32)
    return 2;
  ++postOps->sums;
  return enter(name);
}

Status frit::runtime::onednn::dnnl_primitive_attr_create(Attributes *result) {
  return create(__func__, result);
}
Status frit::runtime::onednn::dnnl_primitive_attr_destroy(Attributes object) {
  return destroy(__func__, object);
}
Status frit::runtime::onednn::dnnl_primitive_attr_set_scratchpad_mode(
    Attributes attributes, ScratchpadMode mode) {
  attributes->scratchpadMode = mode;
  return enter(__func__);
}
Status frit::runtime::onednn::dnnl_primitive_attr_set_fpmath_mode(
    Attributes attributes, MathMode mode) {
  attributes->mathMode = mode;
  return enter(__func__);
}
Status
frit::runtime::onednn::dnnl_primitive_attr_set_post_ops(Attributes attributes,
                                                        PostOps postOps) {
  attributes->sums = postOps->sums;
  return enter(__func__);
}

size_t
frit::runtime::onednn::dnnl_memory_desc_get_size(const MemoryDescTag *desc) {
  return desc->rank ? static_cast<size_t>(desc->dims[0]) : 0;
}

#if FRIT_STUB_ONEDNN_VERSION == 2

Status frit::runtime::onednn::dnnl_post_ops_append_sum_v3(PostOps postOps,
                                                          float scale,
                                                          int32_t zeroPoint,
                                                          DataType type) {
  return appendSum(__func__, postOps, scale, zeroPoint, type);
}
Status frit::runtime::onednn::dnnl_memory_desc_init_by_strides(
    MemoryDescHandle desc, int32_t rank, const int64_t *dims, DataType type,
    const int64_t *strides) {
  new (desc) MemoryDescTag(describe(rank, dims, type, strides));
  return enter(__func__);
}
Status frit::runtime::onednn::dnnl_matmul_desc_init(
    MatmulDescHandle desc, const MemoryDescTag *source,
    const MemoryDescTag *weights, const MemoryDescTag *bias,
    const MemoryDescTag *destination) {
  new (desc) DnnlMatmulDescTag{*source, *weights,
                               bias ? *bias : MemoryDescTag{}, *destination};
  return enter(__func__);
}
Status frit::runtime::onednn::dnnl_primitive_desc_create(
    PrimitiveDesc *desc, MatmulDescHandle matmul, Attributes attributes, Engine,
    PrimitiveDesc) {
  return createMatmul(__func__, desc, *matmul, attributes);
}

#else

Status frit::runtime::onednn::dnnl_post_ops_append_sum(PostOps postOps,
                                                       float scale,
                                                       int32_t zeroPoint,
                                                       DataType type) {
  return appendSum(__func__, postOps, scale, zeroPoint, type);
}
Status frit::runtime::onednn::dnnl_memory_desc_create_with_strides(
    MemoryDescHandle *desc, int32_t rank, const int64_t *dims, DataType type,
    const int64_t *strides) {
  MemoryDescTag described = describe(rank, dims, type, strides);
  Status status = create(__func__, desc);
  if (!status)
    **desc = described;
  return status;
}
Status frit::runtime::onednn::dnnl_memory_desc_destroy(MemoryDescHandle desc) {
  return destroy(__func__, desc);
}
Status frit::runtime::onednn::dnnl_matmul_primitive_desc_create(
    PrimitiveDesc *desc, Engine, const MemoryDescTag *source,
    const MemoryDescTag *weights, const MemoryDescTag *bias,
    const MemoryDescTag *destination, Attributes attributes) {
  DnnlMatmulDescTag matmul = {*source, *weights, bias ? *bias : MemoryDescTag{},
                              *destination};
  return createMatmul(__func__, desc, matmul, attributes);
}

#endif

Status frit::runtime::onednn::dnnl_primitive_desc_destroy(PrimitiveDesc desc) {
  return destroy(__func__, desc);
}
const MemoryDescTag *
frit::runtime::onednn::dnnl_primitive_desc_query_md(PrimitiveDesc desc, Query,
                                                    int32_t index) {
  return getDesc(desc, index);
}
Status frit::runtime::onednn::dnnl_primitive_create(Primitive *primitive,
                                                    PrimitiveDesc desc) {
  ++fritStubOneDnn()->primitives;
  return create(__func__, primitive, *desc);
}
Status frit::runtime::onednn::dnnl_primitive_destroy(Primitive primitive) {
  return destroy(__func__, primitive);
}

Status frit::runtime::onednn::dnnl_primitive_execute(
    Primitive primitive, Stream, int32_t count, const Argument *arguments) {
  if (Status status = enter(__func__))
    return status;
  auto find = [&](int32_t argument) {
    for (int32_t i = 0; i < count; ++i)
      if (arguments[i].argument == argument)
        return arguments[i].memory;
    return Memory{};
  };
  Memory source = find(kSource), weights = find(kWeights), bias = find(kBias),
         destination = find(kDestination), scratchpad = find(kScratchpad);
  const PrimitiveDescTag &desc = primitive->desc;
  if ((desc.matmul.bias.rank != 0) != (bias != nullptr) ||
      (desc.scratchpad.rank != 0) != (scratchpad != nullptr))
    return 2;
  if (scratchpad)
    memset(scratchpad->data, 0x5A, desc.scratchpad.dims[0]);
  auto size = [&](const Memory memory, int32_t fromLast) {
    return memory->desc.dims[memory->desc.rank - fromLast];
  };
  int64_t batch = destination->desc.rank == 3 ? size(destination, 3) : 1;
  for (int64_t matrix = 0; matrix < batch; ++matrix)
    for (int64_t m = 0; m < size(destination, 2); ++m)
      for (int64_t n = 0; n < size(destination, 1); ++n) {
        float &out = at(*destination, matrix, m, n);
        float sum = desc.attributes.sums ? out : 0;
        if (bias)
          sum += at(*bias, 0, 0, n);
        for (int64_t k = 0; k < size(source, 1); ++k)
          sum += at(*source, matrix, m, k) * at(*weights, matrix, k, n);
        out = sum;
      }
  fritStubOneDnn()->threadsOfExecution = getThreads();
  ++fritStubOneDnn()->executions;
  return kSuccess;
}

Status frit::runtime::onednn::dnnl_memory_create(Memory *memory,
                                                 const MemoryDescTag *desc,
                                                 Engine, void *data) {
  return create(__func__, memory, *desc, data);
}
Status frit::runtime::onednn::dnnl_memory_destroy(Memory memory) {
  return destroy(__func__, memory);
}

// NOLINTEND(readability-identifier-naming)
