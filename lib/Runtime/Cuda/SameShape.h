//===- SameShape.h ----------------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compares declarations of the runtime's own with those of a toolkit's header,
// when the library is built.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_LIB_RUNTIME_CUDA_SAMESHAPE_H
#define FRIT_LIB_RUNTIME_CUDA_SAMESHAPE_H

#include <cstdint>
#include <type_traits>

namespace frit::runtime::cuda {

/// Whether two types are passed alike: of the same size, and both pointers or
/// both integers (an enumeration is one).
template <typename Own, typename Theirs>
constexpr bool kSameShape =
    sizeof(Own) == sizeof(Theirs) &&
    std::is_pointer_v<Own> == std::is_pointer_v<Theirs> &&
    std::is_floating_point_v<Own> == std::is_floating_point_v<Theirs>;

template <typename Own, typename Theirs>
struct SameFunction : std::false_type {};
template <typename OwnResult, typename... Own, typename TheirResult,
          typename... Theirs>
struct SameFunction<OwnResult(Own...), TheirResult(Theirs...)>
    : std::bool_constant<sizeof...(Own) == sizeof...(Theirs)> {
  template <bool SameCount> static constexpr bool compare() {
    if constexpr (SameCount)
      return kSameShape<OwnResult, TheirResult> &&
             (kSameShape<Own, Theirs> && ...);
    else
      return false;
  }
  static constexpr bool value = compare<sizeof...(Own) == sizeof...(Theirs)>();
};

#define FRIT_SAME_VALUE(own, theirs)                                           \
  static_assert(int64_t(own) == int64_t(theirs), #theirs);

} // namespace frit::runtime::cuda

#endif // FRIT_LIB_RUNTIME_CUDA_SAMESHAPE_H
