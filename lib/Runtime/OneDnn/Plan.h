//===- Plan.h ---------------------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How a context runs a host's matmul of given sizes and strides on so many
// threads: the primitive of oneDNN.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_LIB_RUNTIME_ONEDNN_PLAN_H
#define FRIT_LIB_RUNTIME_ONEDNN_PLAN_H

#include "Library.h"

#include "HashChains.h"
#include "Matmul/Shape.h"

#include <mutex>

namespace frit::runtime::onednn {

/// All that a primitive depends on. Compared as bytes: it has no padding.
struct PlanKey : MatmulShape {
  PlanKey(const FritMatmulDescriptor &matmul,
          const FritMatmulOperands &operands, int32_t threads)
      : MatmulShape(matmul, operands), threads(threads) {}

  bool operator==(const PlanKey &other) const;

  int64_t threads;
};

struct Plan {
  explicit Plan(const PlanKey &key)
      : hash(hashKey(&key, sizeof(key))), key(key) {}

  const uint64_t hash;
  Plan *chain = nullptr;
  const PlanKey key;
  /// Calls that use it now.
  int32_t users = 0;
  PrimitiveDesc desc = nullptr;
  Primitive primitive = nullptr;
  size_t scratchBytes = 0;
};

/// The plans of a context, and its engine. Loop bodies may use it.
class Plans {
public:
  /// As many plans as are kept while others are used: for a server that sees
  /// every length of a prompt.
  static constexpr int32_t kMostPlans = 256;

  /// Lends the plan of a key, and makes it if there is none yet; null after a
  /// report.
  Plan *borrow(const Reporter &reporter, const Library &library,
               const PlanKey &key);
  void giveBack(Plan *plan);

  /// Of the plans that were lent.
  Engine getEngine() const { return engine; }

  /// Destroys everything, and reports what cannot be destroyed.
  void clear(const Reporter &reporter);

private:
  Plan *create(const Reporter &reporter, const PlanKey &key);
  /// Destroys what is not in use.
  void dropIdle(const Reporter &reporter);

  std::mutex mutex;
  const Library *library = nullptr;
  Engine engine = nullptr;
  HashChains<Plan> plans;
  int32_t numPlans = 0;
};

} // namespace frit::runtime::onednn

#endif // FRIT_LIB_RUNTIME_ONEDNN_PLAN_H
