/*===- gpu.c - The part of the program for a GPU ------------------*- C -*-===*\
|*                                                                            *|
|* Part of the Frit project, under the Apache License v2.0 with LLVM          *|
|* Exceptions.                                                                *|
|* See https://llvm.org/LICENSE.txt for license information.                  *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
|*===----------------------------------------------------------------------===*|
|*                                                                            *|
|* Makes a stream, gives it to Frit's context, calls the function on it, and  *|
|* captures a call into a CUDA graph, whose replay sees new inputs. The       *|
|* driver is opened at run time: the program starts without one.              *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#include "gpu.h"

#include "problem.h"
#include "swiglu_cuda.h"

#include "frit-c/RuntimeDevice.h"

#include <dlfcn.h>
#include <stdio.h>

/* The functions of the driver, as cuda.h of the CUDA Toolkit declares them. */
typedef void *CudaStream;
typedef void *CudaGraph;
typedef void *CudaGraphExec;
enum { kNonBlocking = 1, kCaptureRelaxed = 2 };

typedef struct Driver {
  int (*init)(unsigned flags);
  int (*retainContext)(void **context, int device);
  int (*setContext)(void *context);
  int (*createStream)(CudaStream *stream, unsigned flags);
  int (*beginCapture)(CudaStream stream, int mode);
  int (*endCapture)(CudaStream stream, CudaGraph *graph);
  int (*instantiate)(CudaGraphExec *exec, CudaGraph graph,
                     unsigned long long flags);
  int (*launch)(CudaGraphExec exec, CudaStream stream);
  int (*destroyExec)(CudaGraphExec exec);
  int (*destroyGraph)(CudaGraph graph);
  int (*destroyStream)(CudaStream stream);
} Driver;

static int load(void *library, const char *name, void *function) {
  *(void **)function = dlsym(library, name);
  if (!*(void **)function)
    printf("the driver has no %s\n", name);
  return *(void **)function != NULL;
}

static int loadDriver(Driver *driver) {
  void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    printf("cuda: %s\n", dlerror());
    return 0;
  }
  return load(library, "cuInit", &driver->init) &&
         load(library, "cuDevicePrimaryCtxRetain", &driver->retainContext) &&
         load(library, "cuCtxSetCurrent", &driver->setContext) &&
         load(library, "cuStreamCreate", &driver->createStream) &&
         load(library, "cuStreamBeginCapture_v2", &driver->beginCapture) &&
         load(library, "cuStreamEndCapture", &driver->endCapture) &&
         load(library, "cuGraphInstantiateWithFlags", &driver->instantiate) &&
         load(library, "cuGraphLaunch", &driver->launch) &&
         load(library, "cuGraphExecDestroy", &driver->destroyExec) &&
         load(library, "cuGraphDestroy", &driver->destroyGraph) &&
         load(library, "cuStreamDestroy_v2", &driver->destroyStream);
}

static int cudaOk(int code, const char *what) {
  if (code != 0)
    printf("cuda: %s failed with error %d\n", what, code);
  return code == 0;
}

static Problem problem;

/** What the calls share. */
typedef struct Work {
  FritContext *context;
  void *rows;
  void *result;
} Work;

static int call(const Work *work) {
  const int64_t sizes[] = {kTokens, kColumns};
  const int64_t strides[] = {2 * kColumns, 1};
  FritTensor gate = fritHostTensor(work->rows, FRIT_TYPE_F32, sizes, 2);
  FritTensor up =
      fritHostTensor((float *)work->rows + kColumns, FRIT_TYPE_F32, sizes, 2);
  FritTensor result = fritHostTensor(work->result, FRIT_TYPE_F32, sizes, 2);
  gate.strides = up.strides = strides;
  gate.device = up.device = result.device = 0;
  return succeeded(work->context,
                   swiglu_cuda_act(work->context, &gate, &up, &result), "act");
}

static int upload(const Work *work, int seed) {
  makeProblem(&problem, seed);
  return succeeded(work->context,
                   fritCopyToDevice(work->context, work->rows, problem.rows,
                                    sizeof(problem.rows)),
                   "upload");
}

static int download(const Work *work) {
  return succeeded(work->context,
                   fritCopyToHost(work->context, problem.result, work->result,
                                  sizeof(problem.result)),
                   "download") &&
         succeeded(work->context, fritContextSynchronize(work->context),
                   "synchronize") &&
         checkProblem(&problem);
}

/** Captures a call and replays it on other inputs. */
static int runAsGraph(const Driver *driver, CudaStream stream,
                      const Work *work) {
  CudaGraph graph = NULL;
  CudaGraphExec exec = NULL;
  if (!cudaOk(driver->beginCapture(stream, kCaptureRelaxed),
              "begin of capture"))
    return 0;
  int isCalled = call(work);
  int isRight = cudaOk(driver->endCapture(stream, &graph), "end of capture") &&
                isCalled &&
                cudaOk(driver->instantiate(&exec, graph, 0), "instantiation") &&
                upload(work, 1) &&
                cudaOk(driver->launch(exec, stream), "launch") &&
                download(work);
  if (exec)
    driver->destroyExec(exec);
  if (graph)
    driver->destroyGraph(graph);
  return isRight;
}

static int runOnStream(const Driver *driver, CudaStream stream) {
  FritContextOptions options = fritContextOptionsDefault();
  Work work = {NULL, NULL, NULL};
  options.device = 0;
  options.stream = stream;
  if (!succeeded(NULL, fritContextCreate(&options, &work.context), "context"))
    return 0;
  int isRight = succeeded(work.context,
                          fritDeviceMalloc(work.context, sizeof(problem.rows),
                                           &work.rows),
                          "memory") &&
                succeeded(work.context,
                          fritDeviceMalloc(work.context, sizeof(problem.result),
                                           &work.result),
                          "memory") &&
                upload(&work, 0) && call(&work) && download(&work) &&
                runAsGraph(driver, stream, &work);
  fritContextDestroy(work.context);
  return isRight;
}

int runOnCuda(void) {
  Driver driver;
  void *context = NULL;
  CudaStream stream = NULL;
  if (!loadDriver(&driver) || !cudaOk(driver.init(0), "initialization") ||
      !cudaOk(driver.retainContext(&context, 0), "context of device 0") ||
      !cudaOk(driver.setContext(context), "context of device 0") ||
      !cudaOk(driver.createStream(&stream, kNonBlocking), "stream"))
    return 0;
  int isRight = runOnStream(&driver, stream);
  driver.destroyStream(stream);
  puts(isRight ? "cuda: the results are right" : "cuda: a result is wrong");
  return isRight;
}
