/*===- Runtime.h - C ABI of Frit's runtime ------------------------*- C -*-===*\
|*                                                                            *|
|* Part of the Frit project, under the Apache License v2.0 with LLVM          *|
|* Exceptions.                                                                *|
|* See https://llvm.org/LICENSE.txt for license information.                  *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
|*===----------------------------------------------------------------------===*|
|*                                                                            *|
|* The interface between compiled functions and the process that runs them.   *|
|* The library behind it links no LLVM, prints nothing and never ends the     *|
|* process: every failure is a status. RuntimeDevice.h adds what concerns GPU *|
|* devices.                                                                   *|
|*                                                                            *|
|* Threads: a context serves one call at a time; different contexts serve     *|
|* calls at the same time. While a call runs, its own loop bodies may use     *|
|* fritReportError, fritReportMismatch, fritPropagateError, fritScratchAlloc *|
|* and fritScratchFree from any thread. Everything else on one context needs  *|
|* the caller's own exclusion.                                                *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#ifndef FRIT_C_RUNTIME_H
#define FRIT_C_RUNTIME_H

#include <stddef.h>
#include <stdint.h>

#if defined(_WIN32)
#define FRIT_RUNTIME_EXPORT
#else
#define FRIT_RUNTIME_EXPORT __attribute__((visibility("default")))
#endif

/** Version of this interface; see fritRuntimeVersion. */
#define FRIT_RUNTIME_VERSION_MAJOR 0
#define FRIT_RUNTIME_VERSION_MINOR 5

#ifdef __cplusplus
extern "C" {
#endif

/** What a function reports: FRIT_STATUS_OK, or the code of an error. Of fixed
 * width, so that compiled code returns it as an i32. */
typedef int32_t FritStatus;

/** The values of FritStatus. A value keeps its meaning in later versions. */
enum FritStatusCode {
  FRIT_STATUS_OK = 0,
  /** An argument breaks the contract of the function that got it. */
  FRIT_STATUS_INVALID_ARGUMENT = 1,
  /** Memory is exhausted, or a size does not fit into 64 bits. */
  FRIT_STATUS_OUT_OF_MEMORY = 2,
  /** A check that the compiled graph contains does not hold. */
  FRIT_STATUS_ASSERTION_FAILED = 3,
  /** The runtime or the compiler broke a promise of its own. */
  FRIT_STATUS_INTERNAL = 4,
  /** There is no usable driver, or no such device, or the context has none. */
  FRIT_STATUS_DEVICE_UNAVAILABLE = 5,
  /** A call of the device's driver failed; the message names the call, the
   * driver's error and, where one is concerned, the kernel. */
  FRIT_STATUS_DEVICE_ERROR = 6,
  /** The context's stream is being captured into a graph, and the request would
   * allocate, load code or wait, which a graph cannot record. The capture stays
   * valid. */
  FRIT_STATUS_CAPTURE = 7,
  /** A source does not parse or cannot be compiled; see Compiler.h. */
  FRIT_STATUS_COMPILATION = 8,
  /** A library of the platform that code for the CPU was compiled for cannot be
   * opened, or is not one that the runtime knows. */
  FRIT_STATUS_LIBRARY_UNAVAILABLE = 9,
  /** A call of such a library failed; the message names the call and the
   * library's error. */
  FRIT_STATUS_LIBRARY_ERROR = 10
};

/** A fixed English name of a code ("out of memory"); never null. */
FRIT_RUNTIME_EXPORT const char *fritStatusName(FritStatus status);

/** The version of the loaded library: major * 1000 + minor. A program works
 * with a library of the same major and of no smaller minor version. */
FRIT_RUNTIME_EXPORT int32_t fritRuntimeVersion(void);

/*===----------------------------------------------------------------------===*\
|* Contexts
\*===----------------------------------------------------------------------===*/

/** What calls of compiled functions share: threads, scratch memory, a device
 * with a stream, and the first error. */
typedef struct FritContext FritContext;

/** Where a context gets its device memory. Both functions are null, for the
 * device's stream-ordered pool, or neither is. They run on the thread that uses
 * the context, with the device's primary context current, and never while the
 * stream is being captured. */
typedef struct FritDeviceAllocator {
  /** `bytes` bytes (1 or more) of device memory, aligned to 256 bytes, that
   * work queued on `stream` (a CUstream) from now on may use; null if there is
   * none left. */
  void *(*allocate)(void *userData, uint64_t bytes, void *stream);
  /** Takes back what `allocate` returned for `bytes`, once the work that is
   * queued on `stream` by now is done. */
  void (*release)(void *userData, void *memory, uint64_t bytes, void *stream);
  /** Passed on; the caller's. */
  void *userData;
} FritDeviceAllocator;

/** FritContextOptions::device of a context without one. */
#define FRIT_NO_DEVICE (-1)

/** Options of a context. Fill it with fritContextOptionsDefault, then change
 * fields; later versions append fields and know the older ones by `size`. */
typedef struct FritContextOptions {
  /** sizeof(FritContextOptions) of the caller. */
  size_t size;
  /** CPU threads of parallel loops, the caller's included: 1 .. 1024, or 0 for
   * what OpenMP would use (OMP_NUM_THREADS, else the CPUs of the process). */
  int32_t threads;
  /** Most bytes of scratch memory that the context may hold; 0: no limit. It
   * holds for host memory and for device memory, each on its own. */
  size_t scratchLimit;
  /** The CUDA device (the driver's ordinal, from 0), or FRIT_NO_DEVICE. */
  int32_t device;
  /** The CUstream of the device on which all work of the context is queued; it
   * stays the caller's and must outlive the context. Null: the context makes
   * one of its own, which does not synchronize with the default stream. The
   * legacy default stream is (CUstream)0x1; the per-thread one, (CUstream)0x2,
   * is refused, since its order would depend on the calling thread. */
  void *stream;
  /** The source of the context's device memory. */
  FritDeviceAllocator allocator;
} FritContextOptions;

/** The default options. */
static inline FritContextOptions fritContextOptionsDefault(void) {
  FritContextOptions options;
  options.size = sizeof(FritContextOptions);
  options.threads = 0;
  options.scratchLimit = 0;
  options.device = FRIT_NO_DEVICE;
  options.stream = NULL;
  options.allocator.allocate = NULL;
  options.allocator.release = NULL;
  options.allocator.userData = NULL;
  return options;
}

/** Creates a context and stores it in `*context`, which becomes null on an
 * error. `options` may be null. The caller owns the context. Starts no thread:
 * the first parallel loop does. Touches the driver only if a device is asked
 * for.
 * Errors, with the reason in fritThreadErrorMessage: invalid argument (a null
 * `context`, a size, a number of threads outside its range, a stream or an
 * allocator without a device, half an allocator, the per-thread stream), out of
 * memory, device unavailable, device error. */
FRIT_RUNTIME_EXPORT FritStatus
fritContextCreate(const FritContextOptions *options, FritContext **context);

/** The reason of the last failure, on the calling thread, of a function that
 * has no context to keep it: fritContextCreate, fritDeviceCount,
 * fritDeviceQuery, fritDeviceName, and those of Weights.h. "" if there was
 * none. Valid until the thread's next such failure. */
FRIT_RUNTIME_EXPORT const char *fritThreadErrorMessage(void);

/** Destroys a context and its memory, also what fritDeviceMalloc gave out; null
 * is ignored. No call may be running on it. Waits for the work on its stream,
 * unless that is being captured. */
FRIT_RUNTIME_EXPORT void fritContextDestroy(FritContext *context);

/** The number of threads that parallel loops of the context use (1 or more). */
FRIT_RUNTIME_EXPORT int32_t fritContextThreads(const FritContext *context);

/*===----------------------------------------------------------------------===*\
|* Errors
\*===----------------------------------------------------------------------===*/

/** Longest message that a context keeps, in bytes, with the final zero; a
 * longer one is cut. */
#define FRIT_ERROR_MESSAGE_SIZE 1024

/** Records an error unless the context has one already, and returns `status`.
 * The message (UTF-8, may be null) is copied. In a parallel loop the error of
 * the lowest chunk wins, whichever thread comes first. A null context, or
 * FRIT_STATUS_OK, records nothing. */
FRIT_RUNTIME_EXPORT FritStatus fritReportError(FritContext *context,
                                               FritStatus status,
                                               const char *message);

/** As fritReportError, with two values that disagree: "message (actual and
 * expected)". A message that is too long is cut, the values are not. */
FRIT_RUNTIME_EXPORT FritStatus fritReportMismatch(FritContext *context,
                                                  FritStatus status,
                                                  const char *message,
                                                  int64_t actual,
                                                  int64_t expected);

/** The code of the error that has been recorded, for code that saw a runtime
 * function fail and only passes the failure on. If none has been recorded,
 * records and returns FRIT_STATUS_INTERNAL: a failure never becomes a success.
 */
FRIT_RUNTIME_EXPORT FritStatus fritPropagateError(FritContext *context);

/** The code of the context's first error, FRIT_STATUS_OK if it has none.
 * A null context: FRIT_STATUS_INVALID_ARGUMENT. */
FRIT_RUNTIME_EXPORT FritStatus fritContextErrorCode(const FritContext *context);

/** The message of the context's first error, "" if it has none. Owned by the
 * context; valid until the error is cleared or the context destroyed. */
FRIT_RUNTIME_EXPORT const char *
fritContextErrorMessage(const FritContext *context);

/** Forgets the context's error, so that it accepts calls again. */
FRIT_RUNTIME_EXPORT void fritContextClearError(FritContext *context);

/*===----------------------------------------------------------------------===*\
|* Calls: used by compiled entry points
\*===----------------------------------------------------------------------===*/

/** Opens a call of a compiled function. Anything but FRIT_STATUS_OK means that
 * the function must not run and fritEndCall must not follow: the context is
 * null (invalid argument), serves a call already (invalid argument), or holds
 * an error that was not cleared (its code). */
FRIT_RUNTIME_EXPORT FritStatus fritBeginCall(FritContext *context);

/** Closes a call whose function returned `status`. All scratch memory that is
 * still in use goes back to the context. Returns `status`, or, where it is
 * FRIT_STATUS_OK, the code of an error that was recorded all the same. */
FRIT_RUNTIME_EXPORT FritStatus fritEndCall(FritContext *context,
                                           FritStatus status);

/*===----------------------------------------------------------------------===*\
|* Parallel loops
\*===----------------------------------------------------------------------===*/

/** A part of a parallel loop: runs the iterations begin <= i < end in rising
 * order, stops at the first that fails and returns its status. */
typedef FritStatus (*FritLoopBody)(FritContext *context, void *closure,
                                   int64_t begin, int64_t end);

/** Runs `body` over begin <= i < end on the context's threads, the caller's
 * included, and returns when all parts are done. Each iteration is run once;
 * a part has `grain` iterations or more (values below 1 count as 1), except
 * the last. The parts are run one by one on the calling thread if there is one
 * part or one thread, if the caller is in a parallel loop itself, or if the
 * process is the fork of one that had run parallel loops and so lacks its
 * threads. `closure` is passed on.
 * Returns FRIT_STATUS_OK, or the status of the failing part with the lowest
 * iterations, which does not depend on the number of threads or on timing;
 * parts behind a failing one may be left out. */
FRIT_RUNTIME_EXPORT FritStatus fritParallelFor(FritContext *context,
                                               int64_t begin, int64_t end,
                                               int64_t grain, FritLoopBody body,
                                               void *closure);

/*===----------------------------------------------------------------------===*\
|* Scratch memory
\*===----------------------------------------------------------------------===*/

/** Largest alignment of scratch memory, in bytes. */
#define FRIT_SCRATCH_MAX_ALIGNMENT ((size_t)1 << 21)

/** `bytes` bytes of memory, not initialized, that belong to the context.
 * Aligned to 64 bytes, or to `alignment` (a power of two, at most
 * FRIT_SCRATCH_MAX_ALIGNMENT) if that is more. 0 bytes give a pointer of their
 * own. Blocks that were freed are kept and reused, so that repeated calls ask
 * the system for nothing. Null after an error, which is recorded: out of
 * memory (the system's, the context's limit, or a size above 2^62), invalid
 * argument (the alignment). */
FRIT_RUNTIME_EXPORT void *fritScratchAlloc(FritContext *context, uint64_t bytes,
                                           uint64_t alignment);

/** Gives a block back to its context; null is ignored. A block that is not in
 * use, or another context's, is recorded as an error (invalid argument), as far
 * as the block's header shows it. */
FRIT_RUNTIME_EXPORT void fritScratchFree(FritContext *context, void *block);

/** Returns all blocks that are not in use to the system. */
FRIT_RUNTIME_EXPORT void fritScratchTrim(FritContext *context);

/** Counters of a context's scratch memory since its creation. */
typedef struct FritScratchStatistics {
  /** Blocks requested from the system. */
  uint64_t systemAllocations;
  /** Blocks returned to the system. */
  uint64_t systemFrees;
  /** Calls of fritScratchAlloc that succeeded. */
  uint64_t allocations;
  /** Blocks that are in use. */
  uint64_t blocksInUse;
  /** Bytes of all blocks that the context holds, used or kept. */
  uint64_t bytesHeld;
  /** The largest value that bytesHeld had. */
  uint64_t peakBytesHeld;
} FritScratchStatistics;

/** The counters of a context; all zero for null. */
FRIT_RUNTIME_EXPORT FritScratchStatistics
fritScratchStatistics(FritContext *context);

/*===----------------------------------------------------------------------===*\
|* Conversions between floating-point types: helpers that compilers call by
|* these names and that not every C library has. All round once, to nearest
|* with ties to even, keep the sign of zero, give infinity beyond the largest
|* finite value, honour subnormals and return a quiet NaN for a NaN, with the
|* payload's leading bits. Their C types are those of the target's ABI, which
|* this header cannot name portably: __truncsfbf2, __truncdfbf2, __truncsfhf2,
|* __truncdfhf2, __extendbfsf2, __extendhfsf2, __extendhfdf2, __gnu_h2f_ieee and
|* __gnu_f2h_ieee (the last two pass the 16 bits as an integer).
\*===----------------------------------------------------------------------===*/

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* FRIT_C_RUNTIME_H */
