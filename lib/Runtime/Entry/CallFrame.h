//===- CallFrame.h - Checked arguments of a call ----------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Checks descriptors against what an entry says, and lays the values out as
// compiled code takes them.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_LIB_RUNTIME_ENTRY_CALLFRAME_H
#define FRIT_LIB_RUNTIME_ENTRY_CALLFRAME_H

#include "Entry/EntryReporter.h"
#include "Entry/Layout.h"

#include <memory>

namespace frit::runtime {

/// The values of one call. All functions report what they find to the context
/// and return its code.
class CallFrame {
public:
  CallFrame(FritContext *context, const FritEntry &entry);

  /// Gets the memory of the frame; nothing else may be called before.
  FritStatus prepare();

  /// Checks the next values and adds them.
  FritStatus addArguments(const FritTensor *const *values);
  FritStatus addResults(const FritTensor *const *values);

  /// Stores the sizes of the results for the arguments.
  FritStatus computeResultSizes(int64_t *sizes);

  /// Runs the function, once all values are there.
  FritStatus run() const { return entry.function(context, pointers); }

private:
  /// A value that was added.
  struct Slot {
    Layout layout;
    bool isEmpty;
    bool isWritten;
  };

  /// `sizes` are the ones that were computed for a result; null: none were.
  FritStatus add(int32_t index, const FritTensor *tensor, const int64_t *sizes);
  /// Checks what a function computed for its results.
  FritStatus checkResultSizes(const int64_t *sizes) const;
  FritStatus checkType(int32_t index, const FritTensor &tensor) const;
  FritStatus checkSizes(int32_t index, const FritTensor &tensor,
                        const int64_t *sizes);
  FritStatus checkDim(int32_t index, int32_t dimension, int64_t size);
  /// Checks the strides and writes the ones that the code gets; `span` becomes
  /// the number of elements from the first to behind the last.
  FritStatus checkStrides(int32_t index, const FritTensor &tensor,
                          int64_t *strides, int64_t &span) const;
  FritStatus checkMemory(int32_t index, const FritTensor &tensor,
                         const Slot &slot) const;
  FritStatus checkOverlap(int32_t index) const;

  /// Where the size of a name comes from; a size of FRIT_ANY: nowhere yet.
  struct Dim {
    int64_t size;
    int32_t value;
    int32_t dimension;
  };

  FritContext *context;
  const FritEntry &entry;
  EntryReporter reporter;
  /// The CUDA device of tensors, or FRIT_NO_DEVICE.
  int32_t device;
  int32_t numResultSizes;

  void **pointers = nullptr;
  Slot *slots = nullptr;
  Dim *dims = nullptr;
  int64_t *resultSizes = nullptr;
  /// Where the next memref descriptor goes.
  int64_t *next = nullptr;

  static constexpr size_t kLocalBytes = 6144;
  std::unique_ptr<char[]> heap;
  alignas(16) char local[kLocalBytes];
};

} // namespace frit::runtime

#endif // FRIT_LIB_RUNTIME_ENTRY_CALLFRAME_H
