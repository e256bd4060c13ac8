/*===- RuntimeDevice.h - C ABI of Frit's runtime, devices ---------*- C -*-===*\
|*                                                                            *|
|* Part of the Frit project, under the Apache License v2.0 with LLVM          *|
|* Exceptions.                                                                *|
|* See https://llvm.org/LICENSE.txt for license information.                  *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
|*===----------------------------------------------------------------------===*|
|*                                                                            *|
|* The part of the runtime that concerns NVIDIA GPUs. The driver,             *|
|* libcuda.so.1, is opened when a device is first asked for; the library      *|
|* links no CUDA and works on machines that have none. The environment        *|
|* variable FRIT_CUDA_DRIVER names another driver library.                    *|
|*                                                                            *|
|* Order: a context queues everything on its one stream, in the order of the  *|
|* calls. Functions return before the device has done the work, unless they   *|
|* say otherwise. No function allocates, loads code or waits for the device   *|
|* once it has served a request of that kind and size, unless it says so, so  *|
|* that the calls of a compiled function can be captured into a CUDA graph.   *|
|*                                                                            *|
|* Threads: a context is used by one thread at a time, which may change from  *|
|* call to call; different contexts, also of one device, are used at the same *|
|* time. The thread's current CUDA context is as before when a function       *|
|* returns.                                                                   *|
|*                                                                            *|
|* Errors: a function that gets a context records its error there, as         *|
|* fritReportError does, and returns its code. On a context without a device  *|
|* all of them but the ones that say otherwise report device unavailable.     *|
|* While the stream is being captured, what cannot be captured reports        *|
|* FRIT_STATUS_CAPTURE and leaves the capture valid.                          *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#ifndef FRIT_C_RUNTIMEDEVICE_H
#define FRIT_C_RUNTIMEDEVICE_H

#include "frit-c/Runtime.h"
#include "frit-c/Tensor.h"

#ifdef __cplusplus
extern "C" {
#endif

/*===----------------------------------------------------------------------===*\
|* Devices
\*===----------------------------------------------------------------------===*/

/** What fritDeviceQuery and fritDeviceAttribute tell. A value keeps its meaning
 * in later versions. */
enum FritDeviceAttributeCode {
  /** Number of multiprocessors. */
  FRIT_DEVICE_MULTIPROCESSORS = 0,
  /** Compute capability, 10 * major + minor: 90 for sm_90. */
  FRIT_DEVICE_SM_VERSION = 1,
  /** Most threads of a block. */
  FRIT_DEVICE_MAX_BLOCK_THREADS = 2,
  /** Most bytes of shared memory of a block, static and dynamic, that a kernel
   * can get. */
  FRIT_DEVICE_MAX_SHARED_BYTES = 3,
  /** Most bytes of shared memory that the blocks on a multiprocessor share. */
  FRIT_DEVICE_MULTIPROCESSOR_SHARED_BYTES = 4,
  /** Most threads that are resident on a multiprocessor. */
  FRIT_DEVICE_MULTIPROCESSOR_THREADS = 5,
  /** Bytes of the L2 cache. */
  FRIT_DEVICE_L2_BYTES = 6,
  /** Threads of a warp. */
  FRIT_DEVICE_WARP_SIZE = 7,
  /** 1 if blocks can be launched in clusters, else 0. */
  FRIT_DEVICE_CLUSTERS = 8,
  /** Bytes of device memory. */
  FRIT_DEVICE_MEMORY_BYTES = 9
};

/** Stores the number of devices in `*count`, 0 on an error.
 * Errors, with the reason in fritThreadErrorMessage: invalid argument (null),
 * device unavailable (no driver, a driver that is too old or lacks a function,
 * no device), device error. */
FRIT_RUNTIME_EXPORT FritStatus fritDeviceCount(int32_t *count);

/** Stores the attribute `what` (a FritDeviceAttributeCode) of a device in
 * `*value`, 0 on an error; needs no context. Errors: as fritDeviceCount, and
 * invalid argument for an unknown attribute. */
FRIT_RUNTIME_EXPORT FritStatus fritDeviceQuery(int32_t device, int32_t what,
                                               int64_t *value);

/** Copies a device's name, cut to `size` bytes with the final zero, to `name`.
 * Errors: as fritDeviceCount, and invalid argument for a size of 0. */
FRIT_RUNTIME_EXPORT FritStatus fritDeviceName(int32_t device, char *name,
                                              size_t size);

/** The attribute `what` of the context's device: no driver call. -1 after an
 * error: invalid argument (an unknown attribute), device unavailable. */
FRIT_RUNTIME_EXPORT int64_t fritDeviceAttribute(FritContext *context,
                                                int32_t what);

/** The ordinal of the context's device; FRIT_NO_DEVICE if it has none. */
FRIT_RUNTIME_EXPORT int32_t fritContextDevice(const FritContext *context);

/** The stream (a CUstream) of the context; null if it has no device. */
FRIT_RUNTIME_EXPORT void *fritContextStream(const FritContext *context);

/** Waits until the device has done all work of the context's stream. Errors in
 * that work, an illegal address for one, show here at the latest, as a device
 * error. On a context without a device: nothing to wait for. */
FRIT_RUNTIME_EXPORT FritStatus fritContextSynchronize(FritContext *context);

/*===----------------------------------------------------------------------===*\
|* Memory: for callers
\*===----------------------------------------------------------------------===*/

/** Stores in `*memory` the address of `bytes` bytes of device memory, aligned
 * to 256 bytes, not initialized; null on an error. 0 bytes give an address of
 * their own. The memory is the context's: work queued on its stream may use it
 * from now on, on other streams after fritContextSynchronize. Each request goes
 * to the context's allocator.
 * Errors: invalid argument (null), out of memory, capture, device error. */
FRIT_RUNTIME_EXPORT FritStatus fritDeviceMalloc(FritContext *context,
                                                uint64_t bytes, void **memory);

/** Gives memory of fritDeviceMalloc back, once the work queued by now is done;
 * null is ignored. Errors: invalid argument (memory that this context did not
 * give out, or that was released before), capture, device error. */
FRIT_RUNTIME_EXPORT FritStatus fritDeviceRelease(FritContext *context,
                                                 void *memory);

/** Queues a copy of `bytes` bytes from host memory to device memory. The host
 * memory must stay unchanged until the device has done the copy. 0 bytes: no
 * copy, and the addresses may be null. */
FRIT_RUNTIME_EXPORT FritStatus fritCopyToDevice(FritContext *context,
                                                void *device, const void *host,
                                                uint64_t bytes);

/** Queues a copy of `bytes` bytes from device memory to host memory, which has
 * them after fritContextSynchronize. */
FRIT_RUNTIME_EXPORT FritStatus fritCopyToHost(FritContext *context, void *host,
                                              const void *device,
                                              uint64_t bytes);

/** Counters of the device memory and the code of a context. */
typedef struct FritDeviceStatistics {
  /** Bytes that the context holds: scratch, constants, fritDeviceMalloc. */
  uint64_t bytesHeld;
  /** The largest value that bytesHeld had. */
  uint64_t peakBytesHeld;
  /** Requests to the allocator. */
  uint64_t allocations;
  /** Kernels that were looked up for the first time by this context. */
  uint64_t kernelsLoaded;
  /** Launches that reached the device or a graph. */
  uint64_t launches;
} FritDeviceStatistics;

/** The counters of a context since its creation; all zero for null and for a
 * context without a device. */
FRIT_RUNTIME_EXPORT FritDeviceStatistics
fritDeviceStatistics(FritContext *context);

/*===----------------------------------------------------------------------===*\
|* Memory: for compiled functions
\*===----------------------------------------------------------------------===*/

/** As fritScratchAlloc, in device memory: aligned to 256 bytes, or to
 * `alignment` if that is more. The blocks lie in the context's one arena, each
 * at the lowest place that is free; what was freed is reused at once, since the
 * stream keeps the order. Where the arena ends, a block gets memory of its own,
 * and the arena grows to all that was in use at once when nothing is. Calls
 * that free in reverse order, with requests none of which is larger than that
 * of an earlier call, allocate nothing.
 *
 * Null after an error, which is recorded: those of fritScratchAlloc, capture
 * (there is no room while the stream is being captured), device unavailable,
 * device error. Memory that was given out during a capture stays the context's
 * until it is destroyed, since the graph holds its address: launch the graph in
 * the order of the context's stream, and not after the context's end. */
FRIT_RUNTIME_EXPORT void *fritDeviceScratchAlloc(FritContext *context,
                                                 uint64_t bytes,
                                                 uint64_t alignment);

/** As fritScratchFree, for blocks of fritDeviceScratchAlloc. */
FRIT_RUNTIME_EXPORT void fritDeviceScratchFree(FritContext *context,
                                               void *block);

/** Returns all blocks that are not in use, nor part of a captured graph, to the
 * allocator. Errors: capture, device error. */
FRIT_RUNTIME_EXPORT FritStatus fritDeviceScratchTrim(FritContext *context);

/** The counters of a context's device scratch memory; all zero for null and
 * for a context without a device. */
FRIT_RUNTIME_EXPORT FritScratchStatistics
fritDeviceScratchStatistics(FritContext *context);

/** Constant data of a compiled function. Laid out for constant data of a
 * module: 32 bytes, no padding. */
typedef struct FritConstantDescriptor {
  /** sizeof(FritConstantDescriptor) of the module. */
  uint64_t size;
  /** The bytes, in host memory. */
  const void *data;
  /** How many; may be 0. */
  uint64_t bytes;
  /** A hash of the bytes: two constants of a process with the same hash and
   * number of bytes are the same. */
  uint64_t hash;
} FritConstantDescriptor;

/** The address, aligned to 256 bytes, of a copy of the constant in device
 * memory. The first request of a context for it allocates, copies and waits;
 * later ones only look it up. The copy lives as long as the context. Null after
 * an error, which is recorded: invalid argument (a malformed descriptor), out
 * of memory, capture, device unavailable, device error. */
FRIT_RUNTIME_EXPORT const void *
fritDeviceConstant(FritContext *context,
                   const FritConstantDescriptor *constant);

/** Queues a copy of `bytes` bytes between device memories that do not overlap.
 * 0 bytes: no copy, and the addresses may be null. */
FRIT_RUNTIME_EXPORT FritStatus fritDeviceCopy(FritContext *context,
                                              void *target, const void *source,
                                              uint64_t bytes);

/** Queues a fill of `count` elements of `elementBytes` (1, 2 or 4) bytes each,
 * at an address aligned to that, with the low bits of `pattern`. */
FRIT_RUNTIME_EXPORT FritStatus fritDeviceFill(FritContext *context,
                                              void *target, uint64_t count,
                                              uint32_t pattern,
                                              int32_t elementBytes);

/*===----------------------------------------------------------------------===*\
|* Kernels
\*===----------------------------------------------------------------------===*/

/** A kernel. Laid out for constant data of a module: 48 bytes, no padding. */
typedef struct FritKernelDescriptor {
  /** sizeof(FritKernelDescriptor) of the module. */
  uint64_t size;
  /** The kernel's id ("cuda.gelu_and_mul_sparse.row"), for messages and
   * profilers; UTF-8, ends with a zero. */
  const char *id;
  /** The function's name in the image; ends with a zero. */
  const char *function;
  /** A cubin, a fatbin, or PTX text that ends with a zero. */
  const void *image;
  /** Bytes of the image, the zero of PTX included. */
  uint64_t imageSize;
  /** A hash of the image: two images of a process with the same hash and size
   * are the same. */
  uint64_t imageHash;
} FritKernelDescriptor;

/** Values of FritLaunchConfig::flags, which may be combined. */
enum FritLaunchFlags {
  /** Programmatic dependent launch: the kernel may start before the one ahead
   * of it on the stream has ended, and waits for that itself
   * (griddepcontrol.wait). Without effect before sm_90. */
  FRIT_LAUNCH_PROGRAMMATIC = 1
};

/** Where and how often a kernel runs. 64-bit, as the sizes that the values are
 * computed from: the runtime checks their ranges. 88 bytes, no padding. */
typedef struct FritLaunchConfig {
  /** Blocks in x, y, z: 0 or more. If one is 0, nothing is launched. */
  int64_t grid[3];
  /** Threads of a block in x, y, z: 1 or more. */
  int64_t block[3];
  /** Blocks of a cluster in x, y, z: each divides the grid's; all 0: no
   * cluster. */
  int64_t cluster[3];
  /** Bytes of dynamic shared memory of a block. */
  int64_t sharedBytes;
  /** FritLaunchFlags. */
  int32_t flags;
  /** 0. */
  int32_t reserved;
} FritLaunchConfig;

/** Queues a launch. `arguments` holds the addresses of the `count` arguments,
 * which are read before the function returns. The first launch of a kernel on a
 * device loads its image and sets the function's attributes (dynamic shared
 * memory and cluster size up to the device's limits); the first one of a
 * context looks it up. A grid of 0 blocks is no launch and no error. Errors,
 * all with the kernel's id: invalid argument (a malformed descriptor; a size
 * outside of the device's or the kernel's limits, with both values; a wrong
 * number of arguments), capture (the kernel is not loaded), device unavailable,
 * device error (an image that does not fit the device, for one). */
FRIT_RUNTIME_EXPORT FritStatus fritLaunchKernel(
    FritContext *context, const FritKernelDescriptor *kernel,
    const FritLaunchConfig *config, void *const *arguments, int32_t count);

/*===----------------------------------------------------------------------===*\
|* Matmuls of a library
\*===----------------------------------------------------------------------===*/

/** Values of FritMatmulDescriptor::flags, which may be combined. */
enum FritMatmulFlags {
  /** `a` is [k, m], not [m, k]. */
  FRIT_MATMUL_TRANSPOSE_A = 1,
  /** `b` is [n, k], not [k, n]. */
  FRIT_MATMUL_TRANSPOSE_B = 2,
  /** The sum is added to what `out` holds. */
  FRIT_MATMUL_ACCUMULATE = 4
};

/** A matmul, but for its sizes. Laid out for constant data of a module: 40
 * bytes, no padding. */
typedef struct FritMatmulDescriptor {
  /** sizeof(FritMatmulDescriptor) of the module. */
  uint64_t size;
  /** The kernel's id ("library.cublaslt"), for messages and profilers; ends
   * with a zero. */
  const char *id;
  /** The FritTypeCode of `a` and `b`: f32, f16 or bf16. */
  int32_t elementType;
  /** The FritTypeCode of `out` and `bias`: that of `a`, or f32. */
  int32_t outType;
  /** FritMatmulFlags. */
  int32_t flags;
  /** 0. */
  int32_t reserved;
  /** Most bytes of scratch memory; 0 for fritHostMatmul, where only the context
   * limits it. */
  uint64_t workspaceBytes;
} FritMatmulDescriptor;

/** A stack of row-major matrices in memory of the device, or of the host for
 * fritHostMatmul: strides in elements, inner stride 1. */
typedef struct FritMatrices {
  void *data;
  /** Between rows: no less than a row's elements; any where there is one row.
   */
  int64_t rowStride;
  /** Between matrices; 0: all are the same one, which `out` cannot be. Any
   * where there is one matrix. */
  int64_t batchStride;
} FritMatrices;

/** What a matmul works on. 112 bytes, no padding. */
typedef struct FritMatmulOperands {
  /** Number of matmuls, and their sizes: 0 or more; k 1 or more. */
  int64_t batch;
  int64_t m;
  int64_t n;
  int64_t k;
  /** Read only. */
  FritMatrices a;
  /** Read only. */
  FritMatrices b;
  FritMatrices out;
  /** n elements that are added to each row; null for none. Only where outType
   * is f32: cuBLASLt rounds some sums to the type of the result before it adds
   * the bias. Elsewhere, accumulate in rows that hold it. */
  const void *bias;
} FritMatmulOperands;

/** Queues out[m, n] = round(sum over k of a[m, k] b[k, n] + out[m, n] if it is
 * to accumulate + bias[n]) for every matrix of the batch, computed in binary32
 * and rounded once, by cuBLASLt. The library (libcublasLt.so.13 or .12, or what
 * the environment variable FRIT_CUBLASLT names) is opened by the first matmul
 * of a process. The first one of a context with these sizes, strides and
 * alignments chooses an algorithm; later ones only look it up. Scratch memory
 * is the context's, as that of fritDeviceScratchAlloc. During a preparation
 * only the algorithm's code is loaded. Nothing is queued where m, n or batch is
 * 0. Errors, all with the kernel's id: invalid argument (a malformed
 * descriptor; sizes and strides that contradict each other, with both values),
 * capture (a matmul of these sizes was not prepared, or there is no room for
 * scratch), out of memory, device unavailable (no cuBLASLt), device error (the
 * function of cuBLASLt that failed, its status, types and sizes). */
FRIT_RUNTIME_EXPORT FritStatus
fritLibraryMatmul(FritContext *context, const FritMatmulDescriptor *matmul,
                  const FritMatmulOperands *operands);

/** The same in host memory, for f32 matrices, by oneDNN; done when it returns.
 * The library (libdnnl.so.3 or .2, or what the environment variable FRIT_ONEDNN
 * names) is opened by the first such matmul of a process, and must take its
 * threads from the OpenMP runtime that this library uses; it uses as many as
 * the context's parallel loops, or the calling thread alone in a loop's body.
 * The first matmul of a context with these sizes and strides makes code for
 * them; later ones look it up. Scratch memory is the context's, as that of
 * fritScratchAlloc. Errors, all with the kernel's id: invalid argument (a
 * malformed descriptor; another type than f32; sizes and strides that
 * contradict each other, with both values), out of memory, library unavailable
 * (no oneDNN, or one that does not fit), library error (the function of oneDNN
 * that failed, its status, types and sizes). */
FRIT_RUNTIME_EXPORT FritStatus
fritHostMatmul(FritContext *context, const FritMatmulDescriptor *matmul,
               const FritMatmulOperands *operands);

/*===----------------------------------------------------------------------===*\
|* Preparation
\*===----------------------------------------------------------------------===*/

/** Begins the preparation of a context. Until fritContextEndPrepare, compiled
 * functions load their kernels and constants and allocate their scratch memory
 * but queue no work: fritLaunchKernel and fritLibraryMatmul check and launch
 * nothing, fritDeviceCopy and fritDeviceFill do nothing. Calls with the largest
 * sizes here make later ones within those sizes allocate and load nothing.
 * Errors: invalid argument (a preparation has begun already), capture. */
FRIT_RUNTIME_EXPORT FritStatus fritContextBeginPrepare(FritContext *context);

/** Ends the preparation, and gives the arena of scratch memory the size that
 * the calls needed. Errors: invalid argument (none has begun), out of memory,
 * device error. */
FRIT_RUNTIME_EXPORT FritStatus fritContextEndPrepare(FritContext *context);

/*===----------------------------------------------------------------------===*\
|* Graphs and events: for tools
\*===----------------------------------------------------------------------===*/

/** Work that was captured from a context's stream. */
typedef struct FritGraph FritGraph;

/** Begins a capture of the context's stream: work that is queued from now on is
 * recorded and not run. Errors: capture (one has begun already), device error
 * (the legacy default stream cannot be captured). */
FRIT_RUNTIME_EXPORT FritStatus fritGraphBeginCapture(FritContext *context);

/** Ends the capture and stores the graph, ready to be launched, in `*graph`;
 * null on an error. The capture has ended in any case. Errors: invalid argument
 * (null, or none has begun), device error. */
FRIT_RUNTIME_EXPORT FritStatus fritGraphEndCapture(FritContext *context,
                                                   FritGraph **graph);

/** Queues the work of a graph on the stream of the context that captured it.
 * Errors: invalid argument (null, or another context's), device error. */
FRIT_RUNTIME_EXPORT FritStatus fritGraphLaunch(FritContext *context,
                                               FritGraph *graph);

/** Destroys a graph; null is ignored. Goes before its context. */
FRIT_RUNTIME_EXPORT void fritGraphDestroy(FritGraph *graph);

/** A point in the work of a context's stream, with its time. */
typedef struct FritEvent FritEvent;

/** Creates an event and stores it in `*event`; null on an error. */
FRIT_RUNTIME_EXPORT FritStatus fritEventCreate(FritContext *context,
                                               FritEvent **event);

/** Queues the event on its context's stream. Errors: invalid argument (null),
 * device error. */
FRIT_RUNTIME_EXPORT FritStatus fritEventRecord(FritEvent *event);

/** Waits for both events and stores the time between them in `*milliseconds`; 0
 * on an error. The resolution is about 0.5 us. Errors, in the context of `end`:
 * invalid argument (null), capture, device error (an event that was not
 * recorded). */
FRIT_RUNTIME_EXPORT FritStatus fritEventElapsed(FritEvent *begin,
                                                FritEvent *end,
                                                double *milliseconds);

/** Destroys an event; null is ignored. Goes before its context. */
FRIT_RUNTIME_EXPORT void fritEventDestroy(FritEvent *event);

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* FRIT_C_RUNTIMEDEVICE_H */
