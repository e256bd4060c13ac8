//===- StubDriver.h ---------------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Controls of the stub driver: a shared library with the CUDA driver's entry
// points that Frit uses. It simulates two devices in host memory and runs work
// at once, records the calls in order, makes chosen calls fail, keeps account
// of what is alive, and holds to the driver's rules about current contexts and
// captures.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_TEST_UNIT_RUNTIME_STUBDRIVER_H
#define FRIT_TEST_UNIT_RUNTIME_STUBDRIVER_H

#include <cstdint>
#include <string>
#include <vector>

namespace frit::stub {

/// A launch as the driver saw it.
struct Launch {
  std::string function;
  uint32_t grid[3] = {};
  uint32_t block[3] = {};
  /// 0 without the attribute.
  uint32_t cluster[3] = {};
  uint32_t sharedBytes = 0;
  bool programmatic = false;
  void *stream = nullptr;
  int32_t device = -1;
  /// Their bytes, followed by zeros; none for an image that is not PTX.
  std::vector<uint64_t> arguments;
};

/// Forgets recorded calls, launches and failures to come, frees what is alive
/// and makes no context current on the thread.
void reset();

/// Makes the n-th call from now (1: the next) fail with a CUresult.
void failCall(int64_t n, uint32_t result);

/// Makes the next call of that entry point fail, after `skip` good ones.
void failNamed(const char *name, uint32_t result, int64_t skip = 0);

/// Names of the calls since reset(), without those for names of errors.
std::vector<std::string> getCalls();

std::vector<Launch> getLaunches();

/// What is alive, one kind a line; empty if nothing is.
std::string describeLive();
int64_t countLive();

/// How many contexts the calling thread has on its stack.
int64_t getContextDepth();

/// Bytes that device memory may take on each device.
void setMemory(uint64_t bytes);

/// As if another stream were being captured that the legacy stream waits for.
void setImplicitCapture(bool capturing);

/// Whether devices have stream-ordered memory pools.
void setMemoryPools(bool present);

/// The architecture of device 0 (10 * major + minor), 90 at first; device 1 is
/// of sm_80.
void setSm(int32_t sm);

/// A stream of a device that is not Frit's; alive until destroyStream.
void *createStream(int32_t device);
void destroyStream(void *stream);
/// Begins and ends a capture of such a stream. The end returns whether the
/// capture is valid, and drops its graph.
void beginCapture(void *stream);
bool endCapture(void *stream);

} // namespace frit::stub

#endif // FRIT_TEST_UNIT_RUNTIME_STUBDRIVER_H
