//===- Graph.cpp ----------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Captures the work of a context into graphs.
//
//===----------------------------------------------------------------------===//

#include "DeviceQueue.h"

#include "Context.h"

#include <new>

using namespace frit::runtime::cuda;

struct FritGraph {
  FritContext *context;
  GraphExecHandle exec = nullptr;
};

FritStatus fritGraphBeginCapture(FritContext *context) {
  if (!context)
    return FRIT_STATUS_INVALID_ARGUMENT;
  Reporter reporter(context);
  DeviceQueue *queue = getQueue(reporter, context);
  if (!queue)
    return FRIT_STATUS_DEVICE_UNAVAILABLE;
  CurrentContext current(reporter, queue->getDevice());
  if (FritStatus status = current.getStatus())
    return status;
  if (FritStatus status =
          queue->memory.refuseCapture(reporter, "another capture"))
    return status;
  return call(reporter, Driver::get().cuStreamBeginCapture, queue->getStream(),
              kCaptureThreadLocal);
}

/// Makes a captured graph ready to be launched.
static FritStatus instantiate(const Reporter &reporter, GraphHandle captured,
                              GraphExecHandle &exec) {
  RelaxedCapture relaxed(reporter);
  if (FritStatus status = relaxed.getStatus())
    return status;
  return call(reporter, Driver::get().cuGraphInstantiate, &exec, captured,
              0ull);
}

/// The first of two statuses that is an error.
static FritStatus combine(FritStatus first, FritStatus second) {
  return first ? first : second;
}

/// Ends the capture of a queue's stream, also where a call before it fails, so
/// that the stream works again.
static FritStatus endCapture(const Reporter &reporter, DeviceQueue &queue,
                             GraphExecHandle &exec) {
  const Driver &driver = Driver::get();
  bool capturing = false;
  FritStatus status = queue.memory.isCapturing(reporter, capturing);
  if (!status && !capturing)
    return reporter.report(FRIT_STATUS_INVALID_ARGUMENT,
                           "the stream is not being captured");
  GraphHandle captured = nullptr;
  status = combine(status, call(reporter, driver.cuStreamEndCapture,
                                queue.getStream(), &captured));
  if (!captured)
    return status;
  if (!status)
    status = instantiate(reporter, captured, exec);
  return combine(status, call(reporter, driver.cuGraphDestroy, captured));
}

FritStatus fritGraphEndCapture(FritContext *context, FritGraph **graph) {
  if (graph)
    *graph = nullptr;
  if (!context)
    return FRIT_STATUS_INVALID_ARGUMENT;
  Reporter reporter(context);
  DeviceQueue *queue = getQueue(reporter, context);
  if (!queue)
    return FRIT_STATUS_DEVICE_UNAVAILABLE;
  CurrentContext current(reporter, queue->getDevice());
  GraphExecHandle exec = nullptr;
  FritStatus status =
      combine(current.getStatus(), endCapture(reporter, *queue, exec));
  if (!status && !graph)
    status = reporter.report(FRIT_STATUS_INVALID_ARGUMENT,
                             "there is no place for the graph");
  FritGraph *created =
      status ? nullptr : new (std::nothrow) FritGraph{context, exec};
  if (!status && !created)
    status = reporter.report(FRIT_STATUS_OUT_OF_MEMORY,
                             "the system has no memory for a graph");
  if (!created) {
    if (exec)
      call(reporter, Driver::get().cuGraphExecDestroy, exec);
    return status;
  }
  *graph = created;
  return FRIT_STATUS_OK;
}

FritStatus fritGraphLaunch(FritContext *context, FritGraph *graph) {
  if (!context)
    return FRIT_STATUS_INVALID_ARGUMENT;
  Reporter reporter(context);
  DeviceQueue *queue = getQueue(reporter, context);
  if (!queue)
    return FRIT_STATUS_DEVICE_UNAVAILABLE;
  if (!graph || graph->context != context)
    return reporter.report(FRIT_STATUS_INVALID_ARGUMENT,
                           graph ? "the graph is another context's"
                                 : "there is no graph");
  CurrentContext current(reporter, queue->getDevice());
  if (FritStatus status = current.getStatus())
    return status;
  return call(reporter, Driver::get().cuGraphLaunch, graph->exec,
              queue->getStream());
}

void fritGraphDestroy(FritGraph *graph) {
  if (!graph)
    return;
  Reporter reporter(graph->context);
  CurrentContext current(reporter, graph->context->queue->getDevice());
  call(reporter, Driver::get().cuGraphExecDestroy, graph->exec);
  delete graph;
}
