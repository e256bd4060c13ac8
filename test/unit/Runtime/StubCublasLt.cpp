//===- StubCublasLt.cpp ---------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The stub of cuBLASLt.
//
//===----------------------------------------------------------------------===//

#include "StubCublasLt.h"
#include "StubState.h"

#include "Cuda/CublasLt/Types.h"
#include "FloatBits.h"

#include <algorithm>
#include <cstring>

// NOLINTBEGIN(readability-identifier-naming): the names are cuBLASLt's.

namespace frit::runtime::cuda::cublaslt {

#define FRIT_CUBLASLT_ENTRY(result, name, parameters)                          \
  extern "C" __attribute__((visibility("default"))) result name parameters;
#include "Cuda/CublasLt/Entries.def"

struct HandleTag {};

struct MatmulDescTag {
  Operation transA = kNoTranspose;
  Operation transB = kNoTranspose;
  Epilogue epilogue = 1;
  const void *bias = nullptr;
};

struct MatrixLayoutTag {
  DataType type;
  uint64_t rows;
  uint64_t columns;
  int64_t leading;
  int32_t batch = 1;
  int64_t batchStride = 0;
};

struct PreferenceTag {
  stub::Preferences values;
};

} // namespace frit::runtime::cuda::cublaslt

using namespace frit::runtime;
using namespace frit::runtime::cuda::cublaslt;
using namespace frit::stub;

namespace {

struct LibraryState {
  std::vector<Matmul> matmuls;
  std::vector<Preferences> preferences;
  int32_t algorithms = 1;
  uint64_t workspaceBytes = 0;
  int32_t alignedId = 1;
  int32_t alignedSplits = 1;
  std::vector<AlgorithmForm> forms;
  uint64_t formBytes = 0;
  int64_t objects = 0;
};

LibraryState &getLibrary() {
  static LibraryState state;
  return state;
}

/// A call that fails where the stub driver is told to.
template <typename Body> Status enterLibrary(const char *name, Body body) {
  std::lock_guard<std::mutex> lock(getState().mutex);
  if (Result result = recordCall(name))
    return result;
  return body();
}

template <typename Tag>
Status create(const char *name, Tag **object, Tag value) {
  return enterLibrary(name, [&] {
    // The real library needs a context for it.
    if (!getCurrent())
      return kStatusInvalidValue;
    *object = new Tag(value);
    ++getLibrary().objects;
    return kStatusSuccess;
  });
}

template <typename Tag> Status destroy(const char *name, Tag *object) {
  return enterLibrary(name, [&] {
    delete object;
    --getLibrary().objects;
    return kStatusSuccess;
  });
}

template <typename Value>
Status readAttribute(Value &target, const void *value, size_t bytes) {
  if (bytes != sizeof(Value))
    return kStatusInvalidValue;
  memcpy(static_cast<void *>(&target), value, bytes);
  return kStatusSuccess;
}

/// The id of kernels with tensor maps.
constexpr uint64_t kTensorMapsId = 66;

/// The form is what an algorithm holds besides its index, id and splits.
AlgorithmForm getForm(const Algorithm &algorithm) {
  AlgorithmForm form;
  memcpy(static_cast<void *>(&form), &algorithm.data[3], sizeof(form));
  return form;
}

void setForm(Algorithm &algorithm, const AlgorithmForm &form) {
  static_assert(sizeof(form) <= 5 * sizeof(uint64_t));
  memcpy(&algorithm.data[3], &form, sizeof(form));
}

/// Element `index` of a buffer, and its replacement.
float load(const void *data, DataType type, int64_t index) {
  if (type == kF32)
    return static_cast<const float *>(data)[index];
  uint16_t bits = static_cast<const uint16_t *>(data)[index];
  uint32_t wide =
      type == kF16 ? widen<Half, Single>(bits) : widen<BFloat16, Single>(bits);
  float value;
  memcpy(&value, &wide, sizeof(value));
  return value;
}

void store(void *data, DataType type, int64_t index, float value) {
  if (type == kF32) {
    static_cast<float *>(data)[index] = value;
    return;
  }
  uint32_t wide;
  memcpy(&wide, &value, sizeof(wide));
  static_cast<uint16_t *>(data)[index] = type == kF16
                                             ? narrow<Single, Half>(wide)
                                             : narrow<Single, BFloat16>(wide);
}

/// One matmul of a batch, column-major.
void compute(const MatmulDescTag &desc, const void *a,
             const MatrixLayoutTag &layoutA, const void *b,
             const MatrixLayoutTag &layoutB, void *d,
             const MatrixLayoutTag &layoutD, float beta, int64_t batch) {
  uint64_t depth = desc.transA ? layoutA.rows : layoutA.columns;
  auto place = [&](const MatrixLayoutTag &layout, bool transposed, uint64_t row,
                   uint64_t column) {
    if (transposed)
      std::swap(row, column);
    return batch * layout.batchStride + static_cast<int64_t>(row) +
           static_cast<int64_t>(column) * layout.leading;
  };
  for (uint64_t column = 0; column < layoutD.columns; ++column)
    for (uint64_t row = 0; row < layoutD.rows; ++row) {
      int64_t target = place(layoutD, false, row, column);
      float sum = beta != 0 ? beta * load(d, layoutD.type, target) : 0;
      for (uint64_t k = 0; k < depth; ++k)
        sum += load(a, layoutA.type, place(layoutA, desc.transA, row, k)) *
               load(b, layoutB.type, place(layoutB, desc.transB, k, column));
      if (desc.epilogue == kEpilogueBias)
        sum += load(desc.bias, layoutD.type, static_cast<int64_t>(row));
      store(d, layoutD.type, target, sum);
    }
}

} // namespace

std::vector<Matmul> frit::stub::getMatmuls() {
  std::lock_guard<std::mutex> lock(getState().mutex);
  return getLibrary().matmuls;
}

std::vector<Preferences> frit::stub::getPreferences() {
  std::lock_guard<std::mutex> lock(getState().mutex);
  return getLibrary().preferences;
}

void frit::stub::resetMatmuls() {
  std::lock_guard<std::mutex> lock(getState().mutex);
  getLibrary().matmuls.clear();
  getLibrary().preferences.clear();
  getLibrary().algorithms = 1;
  getLibrary().workspaceBytes = 0;
  setAlignedAlgorithms(1, 1);
  setForms({});
}

void frit::stub::setForms(std::vector<AlgorithmForm> forms,
                          uint64_t workspaceBytes) {
  getLibrary().forms = std::move(forms);
  getLibrary().formBytes = workspaceBytes;
}

void frit::stub::setHeuristics(int32_t count, uint64_t workspaceBytes) {
  getLibrary().algorithms = count;
  getLibrary().workspaceBytes = workspaceBytes;
}

void frit::stub::setAlignedAlgorithms(int32_t id, int32_t splits) {
  getLibrary().alignedId = id;
  getLibrary().alignedSplits = splits;
}

int64_t frit::stub::countLibraryObjects() { return getLibrary().objects; }

void frit::stub::forgetLibraryObjects() { getLibrary().objects = 0; }

const char *cublaslt::cublasLtGetStatusName(Status status) {
  return status == kStatusNotSupported ? "CUBLAS_STATUS_NOT_SUPPORTED"
                                       : "CUBLAS_STATUS_OTHER";
}

const char *cublaslt::cublasLtGetStatusString(Status) { return "stub"; }

Status cublaslt::cublasLtCreate(Handle *handle) {
  return create("cublasLtCreate", handle, HandleTag{});
}

Status cublaslt::cublasLtDestroy(Handle handle) {
  return destroy("cublasLtDestroy", handle);
}

Status cublaslt::cublasLtMatmulDescCreate(MatmulDesc *desc, ComputeType compute,
                                          DataType scale) {
  if (compute != kCompute32F || scale != kF32)
    return kStatusNotSupported;
  return create("cublasLtMatmulDescCreate", desc, MatmulDescTag{});
}

Status cublaslt::cublasLtMatmulDescDestroy(MatmulDesc desc) {
  return destroy("cublasLtMatmulDescDestroy", desc);
}

Status cublaslt::cublasLtMatmulDescSetAttribute(MatmulDesc desc,
                                                DescAttribute attribute,
                                                const void *value,
                                                size_t bytes) {
  return enterLibrary("cublasLtMatmulDescSetAttribute", [&] {
    switch (attribute) {
    case kDescTransA:
      return readAttribute(desc->transA, value, bytes);
    case kDescTransB:
      return readAttribute(desc->transB, value, bytes);
    case kDescEpilogue:
      return readAttribute(desc->epilogue, value, bytes);
    case kDescBiasPointer:
      return readAttribute(desc->bias, value, bytes);
    default:
      return kStatusInvalidValue;
    }
  });
}

Status cublaslt::cublasLtMatrixLayoutCreate(MatrixLayout *layout, DataType type,
                                            uint64_t rows, uint64_t columns,
                                            int64_t leading) {
  return create("cublasLtMatrixLayoutCreate", layout,
                MatrixLayoutTag{type, rows, columns, leading});
}

Status cublaslt::cublasLtMatrixLayoutDestroy(MatrixLayout layout) {
  return destroy("cublasLtMatrixLayoutDestroy", layout);
}

Status cublaslt::cublasLtMatrixLayoutSetAttribute(MatrixLayout layout,
                                                  LayoutAttribute attribute,
                                                  const void *value,
                                                  size_t bytes) {
  return enterLibrary("cublasLtMatrixLayoutSetAttribute", [&] {
    switch (attribute) {
    case kLayoutBatchCount:
      return readAttribute(layout->batch, value, bytes);
    case kLayoutBatchStride:
      return readAttribute(layout->batchStride, value, bytes);
    default:
      return kStatusInvalidValue;
    }
  });
}

Status cublaslt::cublasLtMatmulPreferenceCreate(Preference *preference) {
  return create("cublasLtMatmulPreferenceCreate", preference, PreferenceTag{});
}

Status cublaslt::cublasLtMatmulPreferenceDestroy(Preference preference) {
  return destroy("cublasLtMatmulPreferenceDestroy", preference);
}

Status cublaslt::cublasLtMatmulPreferenceSetAttribute(
    Preference preference, PreferenceAttribute attribute, const void *value,
    size_t bytes) {
  return enterLibrary("cublasLtMatmulPreferenceSetAttribute", [&] {
    Preferences &values = preference->values;
    switch (attribute) {
    case kPreferMaxWorkspace:
      return readAttribute(values.workspaceBytes, value, bytes);
    case kPreferReductionSchemes:
      return readAttribute(values.reductionSchemes, value, bytes);
    case kPreferAlignmentA:
    case kPreferAlignmentB:
    case kPreferAlignmentC:
    case kPreferAlignmentD:
      return readAttribute(values.alignments[attribute - kPreferAlignmentA],
                           value, bytes);
    default:
      return kStatusInvalidValue;
    }
  });
}

Status cublaslt::cublasLtMatmulAlgoGetHeuristic(
    Handle, MatmulDesc, MatrixLayout, MatrixLayout, MatrixLayout, MatrixLayout,
    Preference preference, int32_t requested, HeuristicResult *results,
    int32_t *count) {
  return enterLibrary("cublasLtMatmulAlgoGetHeuristic", [&] {
    LibraryState &library = getLibrary();
    library.preferences.push_back(preference->values);
    *count = std::min(requested, library.algorithms);
    const uint32_t *alignments = preference->values.alignments;
    bool isAligned = std::all_of(alignments, alignments + 4,
                                 [](uint32_t bytes) { return bytes >= 16; });
    for (int32_t i = 0; i < *count; ++i) {
      // The first one of several is no use.
      results[i].state =
          i == 0 && *count > 1 ? kStatusNotSupported : kStatusSuccess;
      results[i].workspaceSize = library.workspaceBytes;
      results[i].algorithm.data[0] = static_cast<uint64_t>(i) + 1;
      results[i].algorithm.data[1] = isAligned ? library.alignedId : 1;
      results[i].algorithm.data[2] = isAligned ? library.alignedSplits : 1;
    }
    return kStatusSuccess;
  });
}

Status cublaslt::cublasLtMatmulAlgoConfigGetAttribute(
    const Algorithm *algorithm, AlgorithmAttribute attribute, void *value,
    size_t bytes, size_t *written) {
  return enterLibrary("cublasLtMatmulAlgoConfigGetAttribute", [&] {
    auto copy = [&](auto read) {
      *written = sizeof(read);
      if (bytes != *written)
        return kStatusInvalidValue;
      memcpy(value, &read, sizeof(read));
      return kStatusSuccess;
    };
    switch (attribute) {
    case kAlgorithmId:
      return copy(static_cast<int32_t>(algorithm->data[1]));
    case kAlgorithmSplits:
      return copy(static_cast<int32_t>(algorithm->data[2]));
    default:
      return kStatusInvalidValue;
    }
  });
}

Status cublaslt::cublasLtMatmulAlgoInit(Handle handle, ComputeType compute,
                                        DataType scale, DataType a, DataType b,
                                        DataType c, DataType d, int id,
                                        Algorithm *algorithm) {
  return enterLibrary("cublasLtMatmulAlgoInit", [&] {
    if (!handle || compute != kCompute32F || scale != kF32 || a != b ||
        a != c || a != d)
      return kStatusInvalidValue;
    *algorithm = {};
    algorithm->data[0] = kMade + 1;
    algorithm->data[1] = id;
    setForm(*algorithm, AlgorithmForm());
    return kStatusSuccess;
  });
}

Status cublaslt::cublasLtMatmulAlgoConfigSetAttribute(
    Algorithm *algorithm, AlgorithmAttribute attribute, const void *value,
    size_t bytes) {
  return enterLibrary("cublasLtMatmulAlgoConfigSetAttribute", [&] {
    AlgorithmForm form = getForm(*algorithm);
    auto set = [&](auto &field) {
      Status status = readAttribute(field, value, bytes);
      setForm(*algorithm, form);
      return status;
    };
    switch (attribute) {
    case kAlgorithmTile:
      return set(form.tile);
    case kAlgorithmSplits:
      return set(form.splits);
    case kAlgorithmReduction:
      return set(form.reduction);
    case kAlgorithmOption:
      return set(form.option);
    case kAlgorithmStages:
      return set(form.stages);
    case kAlgorithmCluster:
      return set(form.cluster);
    default:
      return kStatusInvalidValue;
    }
  });
}

Status cublaslt::cublasLtMatmulAlgoCheck(Handle, MatmulDesc, MatrixLayout,
                                         MatrixLayout, MatrixLayout,
                                         MatrixLayout,
                                         const Algorithm *algorithm,
                                         HeuristicResult *result) {
  return enterLibrary("cublasLtMatmulAlgoCheck", [&] {
    const LibraryState &library = getLibrary();
    if (algorithm->data[1] != kTensorMapsId ||
        std::find(library.forms.begin(), library.forms.end(),
                  getForm(*algorithm)) == library.forms.end())
      return kStatusNotSupported;
    result->workspaceSize = library.formBytes;
    return kStatusSuccess;
  });
}

Status cublaslt::cublasLtMatmul(Handle handle, MatmulDesc desc,
                                const void *alpha, const void *a,
                                MatrixLayout layoutA, const void *b,
                                MatrixLayout layoutB, const void *beta,
                                const void *c, MatrixLayout layoutC, void *d,
                                MatrixLayout layoutD,
                                const Algorithm *algorithm, void *workspace,
                                size_t workspaceBytes, StreamHandle stream) {
  return enterLibrary("cublasLtMatmul", [&] {
    float factor = *static_cast<const float *>(alpha);
    float old = *static_cast<const float *>(beta);
    if (!handle || factor != 1 || c != d || layoutC != layoutD ||
        algorithm->data[0] == 0 ||
        workspaceBytes < (algorithm->data[0] == kMade + 1
                              ? getLibrary().formBytes
                              : getLibrary().workspaceBytes))
      return kStatusInvalidValue;
    if (workspaceBytes > 0 &&
        !isMemory(getState(), toDevice(workspace), workspaceBytes))
      return kStatusInvalidValue;
    const MatrixLayout layouts[] = {layoutA, layoutB, layoutD};
    Matmul matmul;
    for (int i = 0; i < 3; ++i) {
      matmul.rows[i] = layouts[i]->rows;
      matmul.columns[i] = layouts[i]->columns;
      matmul.leading[i] = layouts[i]->leading;
      matmul.types[i] = layouts[i]->type;
      if (layouts[i]->leading < static_cast<int64_t>(layouts[i]->rows))
        return kStatusInvalidValue;
    }
    matmul.transposed[0] = desc->transA == kTranspose;
    matmul.transposed[1] = desc->transB == kTranspose;
    matmul.beta = old;
    matmul.bias = desc->epilogue == kEpilogueBias ? desc->bias : nullptr;
    matmul.workspace = workspace;
    matmul.workspaceBytes = workspaceBytes;
    matmul.batch = layoutD->batch;
    matmul.algorithmId = static_cast<int32_t>(algorithm->data[1]);
    matmul.algorithmIndex = static_cast<int32_t>(algorithm->data[0]) - 1;
    matmul.form = getForm(*algorithm);
    getLibrary().matmuls.push_back(matmul);
    // What a graph holds outlives the descriptors.
    auto work = [=, described = *desc, first = *layoutA, second = *layoutB,
                 target = *layoutD] {
      for (int64_t batch = 0; batch < target.batch; ++batch)
        compute(described, a, first, b, second, d, target, old, batch);
    };
    return submit(getState(), stream, work) ? kStatusInvalidValue
                                            : kStatusSuccess;
  });
}

// NOLINTEND(readability-identifier-naming)
