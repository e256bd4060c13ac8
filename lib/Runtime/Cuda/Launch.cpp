//===- Launch.cpp ---------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Launches kernels.
//
//===----------------------------------------------------------------------===//

#include "DeviceQueue.h"
#include "KernelRange.h"
#include "Ranges.h"

#include "Context.h"

#include <algorithm>
#include <cinttypes>

using namespace frit::runtime;
using namespace frit::runtime::cuda;

/// Whether a descriptor's fields can be used at all.
static FritStatus checkDescriptor(FritContext *context,
                                  const FritKernelDescriptor *kernel,
                                  const FritLaunchConfig *config) {
  Reporter reporter(context, kernel ? kernel->id : nullptr);
  if (!kernel || !config)
    return reporter.report(FRIT_STATUS_INVALID_ARGUMENT, "a launch has no %s",
                           kernel ? "sizes" : "kernel");
  if (kernel->size != sizeof(FritKernelDescriptor))
    return Reporter(context).report(FRIT_STATUS_INVALID_ARGUMENT,
                                    "a kernel descriptor has a size of %" PRIu64
                                    " bytes instead of %zu",
                                    kernel->size, sizeof(FritKernelDescriptor));
  if (!kernel->id || !kernel->function || !kernel->image || !kernel->imageSize)
    return reporter.report(FRIT_STATUS_INVALID_ARGUMENT,
                           "the descriptor has no id, function or image");
  if (config->reserved != 0 || (config->flags & ~FRIT_LAUNCH_PROGRAMMATIC))
    return reporter.report(FRIT_STATUS_INVALID_ARGUMENT,
                           "unknown launch flags 0x%x, 0x%x",
                           static_cast<unsigned>(config->flags),
                           static_cast<unsigned>(config->reserved));
  return FRIT_STATUS_OK;
}

static FritStatus checkRanges(const Reporter &reporter,
                              const char *const (&what)[3],
                              const int64_t (&values)[3], int64_t least,
                              const int32_t (&most)[3]) {
  for (int i = 0; i < 3; ++i)
    if (FritStatus status =
            checkRange(reporter, what[i], values[i], least, most[i]))
      return status;
  return FRIT_STATUS_OK;
}

static FritStatus checkCluster(const Reporter &reporter,
                               const DeviceLimits &limits,
                               const FritLaunchConfig &config) {
  constexpr const char *kNames[] = {"cluster.x", "cluster.y", "cluster.z"};
  if (!limits.clusters)
    return reporter.report(FRIT_STATUS_INVALID_ARGUMENT,
                           "clusters need a device of sm_90 or later, this one "
                           "is of sm_%d",
                           limits.smVersion);
  if (FritStatus status =
          checkRanges(reporter, kNames, config.cluster, 1, limits.maxGrid))
    return status;
  for (int i = 0; i < 3; ++i)
    if (config.grid[i] % config.cluster[i] != 0)
      return reporter.report(FRIT_STATUS_INVALID_ARGUMENT,
                             "%s is %" PRId64
                             ", which does not divide the grid's %" PRId64
                             " blocks",
                             kNames[i], config.cluster[i], config.grid[i]);
  return FRIT_STATUS_OK;
}

/// Checks everything that the device limits but the number of blocks.
static FritStatus checkBlock(const Reporter &reporter,
                             const DeviceLimits &limits,
                             const FritLaunchConfig &config,
                             const Function &function) {
  constexpr const char *kNames[] = {"block.x", "block.y", "block.z"};
  if (FritStatus status =
          checkRanges(reporter, kNames, config.block, 1, limits.maxBlock))
    return status;
  if (FritStatus status = checkRange(
          reporter, "the number of threads of a block",
          config.block[0] * config.block[1] * config.block[2], 1,
          std::min(limits.maxBlockThreads, function.maxBlockThreads)))
    return status;
  return checkRange(reporter, "the dynamic shared memory in bytes",
                    config.sharedBytes, 0, function.maxDynamicSharedBytes);
}

static bool hasCluster(const FritLaunchConfig &config) {
  return (config.cluster[0] | config.cluster[1] | config.cluster[2]) != 0;
}

static FritStatus launch(const Reporter &reporter, DeviceQueue &queue,
                         const FritLaunchConfig &config,
                         const Function &function, void *const *arguments) {
  LaunchAttribute attributes[2];
  LaunchConfig launchConfig = {};
  launchConfig.gridDimX = static_cast<uint32_t>(config.grid[0]);
  launchConfig.gridDimY = static_cast<uint32_t>(config.grid[1]);
  launchConfig.gridDimZ = static_cast<uint32_t>(config.grid[2]);
  launchConfig.blockDimX = static_cast<uint32_t>(config.block[0]);
  launchConfig.blockDimY = static_cast<uint32_t>(config.block[1]);
  launchConfig.blockDimZ = static_cast<uint32_t>(config.block[2]);
  launchConfig.sharedMemBytes = static_cast<uint32_t>(config.sharedBytes);
  launchConfig.hStream = queue.getStream();
  launchConfig.attrs = attributes;
  if (hasCluster(config)) {
    LaunchAttribute &attribute = attributes[launchConfig.numAttrs++];
    attribute = {kLaunchClusterDimension, {}, {}};
    attribute.value.clusterDim = {static_cast<uint32_t>(config.cluster[0]),
                                  static_cast<uint32_t>(config.cluster[1]),
                                  static_cast<uint32_t>(config.cluster[2])};
  }
  // Before sm_90 kernels start one after the other, and wait for nothing.
  if ((config.flags & FRIT_LAUNCH_PROGRAMMATIC) &&
      queue.getLimits().smVersion >= 90) {
    LaunchAttribute &attribute = attributes[launchConfig.numAttrs++];
    attribute = {kLaunchProgrammaticSerialization, {}, {}};
    attribute.value.programmaticStreamSerializationAllowed = 1;
  }
  ++queue.memory.statistics.launches;
  return call(reporter, Driver::get().cuLaunchKernelEx, &launchConfig,
              function.handle, const_cast<void **>(arguments),
              static_cast<void **>(nullptr));
}

FritStatus fritLaunchKernel(FritContext *context,
                            const FritKernelDescriptor *kernel,
                            const FritLaunchConfig *config,
                            void *const *arguments, int32_t count) {
  constexpr const char *kNames[] = {"grid.x", "grid.y", "grid.z"};
  if (!context)
    return FRIT_STATUS_INVALID_ARGUMENT;
  if (FritStatus status = checkDescriptor(context, kernel, config))
    return status;
  Reporter reporter(context, kernel->id);
  DeviceQueue *queue = getQueue(reporter, context);
  if (!queue)
    return FRIT_STATUS_DEVICE_UNAVAILABLE;
  const DeviceLimits &limits = queue->getLimits();
  if (FritStatus status =
          checkRanges(reporter, kNames, config->grid, 0, limits.maxGrid))
    return status;
  if (config->grid[0] == 0 || config->grid[1] == 0 || config->grid[2] == 0)
    return FRIT_STATUS_OK;

  CurrentContext current(reporter, queue->getDevice());
  if (FritStatus status = current.getStatus())
    return status;
  const Function *function = queue->getFunction(reporter, *kernel);
  if (!function)
    return fritPropagateError(context);
  if (FritStatus status = checkBlock(reporter, limits, *config, *function))
    return status;
  if (hasCluster(*config))
    if (FritStatus status = checkCluster(reporter, limits, *config))
      return status;
  if (count != function->numParameters || (count > 0 && !arguments))
    return reporter.report(FRIT_STATUS_INVALID_ARGUMENT,
                           "the launch has %d arguments, the function %d "
                           "parameters",
                           arguments ? count : 0, function->numParameters);
  if (queue->preparing)
    return FRIT_STATUS_OK;
  KernelRange range(kernel->id);
  return launch(reporter, *queue, *config, *function, arguments);
}
