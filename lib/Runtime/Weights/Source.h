//===- Source.h ----------------------------------------------- -*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where the constants of code come from: a mapped file, or memory of the
// program.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_LIB_RUNTIME_WEIGHTS_SOURCE_H
#define FRIT_LIB_RUNTIME_WEIGHTS_SOURCE_H

#include "frit-c/Weights.h"

#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

namespace frit::runtime {

/// Checks the contents of one weight, which begin at `data`. Returns what is
/// wrong, or "".
std::string checkContent(const FritWeight &weight, const void *data);

/// "[64, 128] bf16".
std::string describeTensor(const int64_t *sizes, int32_t rank,
                           const char *type);

/// A file of weights in memory.
class WeightsFile {
public:
  WeightsFile() = default;
  WeightsFile(const WeightsFile &) = delete;
  WeightsFile &operator=(const WeightsFile &) = delete;
  ~WeightsFile();

  /// Maps the file and finds the address of each weight. On an error `message`
  /// says why.
  FritStatus load(const char *path, const FritWeights &weights,
                  std::vector<const void *> &addresses, std::string &message);

private:
  struct Free {
    void operator()(void *block) const { std::free(block); }
  };

  FritStatus map(const char *path, std::string &message);

  void *mapping = nullptr;
  size_t size = 0;
  /// Copies of what is not aligned in the file.
  std::vector<std::unique_ptr<void, Free>> copies;
};

} // namespace frit::runtime

#endif // FRIT_LIB_RUNTIME_WEIGHTS_SOURCE_H
