//===- Driver.h -------------------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The CUDA driver, opened when it is first needed.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_LIB_RUNTIME_CUDA_DRIVER_H
#define FRIT_LIB_RUNTIME_CUDA_DRIVER_H

#include "DriverTypes.h"
#include "Reporter.h"

namespace frit::runtime::cuda {

/// A function of the driver with the name it is exported by.
template <typename... Parameters> struct Entry {
  using Function = Result (*)(Parameters...);
  const char *name;
  Function function;
};

namespace detail {
template <typename Signature> struct EntryOf;
template <typename... Parameters> struct EntryOf<Result(Parameters...)> {
  using Type = Entry<Parameters...>;
};
} // namespace detail

/// The functions of the driver.
struct Driver {
#define FRIT_CUDA_ENTRY(name, symbol, parameters)                              \
  detail::EntryOf<Result parameters>::Type name = {#symbol, nullptr};
#include "DriverEntries.def"

  /// The driver, opened and initialized, or null and a report: device
  /// unavailable. A failure is not remembered: the next call tries again.
  static const Driver *open(const Reporter &reporter);

  /// The driver that open() gave out before.
  static const Driver &get();
};

/// Reports that `function` of the driver returned `result`: as out of memory if
/// it says so, else as a device error. `detail` is put behind the driver's own
/// text, unless it is null or empty.
FritStatus reportResult(const Reporter &reporter, const Driver &driver,
                        const char *function, Result result,
                        const char *detail = nullptr);

/// Calls a function of the driver and reports its failure.
template <typename... Parameters, typename... Arguments>
FritStatus call(const Reporter &reporter, const Entry<Parameters...> &entry,
                Arguments... arguments) {
  Result result = entry.function(arguments...);
  if (__builtin_expect(result == kSuccess, 1))
    return FRIT_STATUS_OK;
  return reportResult(reporter, Driver::get(), entry.name, result);
}

} // namespace frit::runtime::cuda

#endif // FRIT_LIB_RUNTIME_CUDA_DRIVER_H
