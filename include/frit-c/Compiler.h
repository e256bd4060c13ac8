/*===- Compiler.h - C API of Frit's compiler ----------------------*- C -*-===*\
|*                                                                            *|
|* Part of the Frit project, under the Apache License v2.0 with LLVM          *|
|* Exceptions.                                                                *|
|* See https://llvm.org/LICENSE.txt for license information.                  *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
|*===----------------------------------------------------------------------===*|
|*                                                                            *|
|* Compiles modules to functions in this process. Knows no type of MLIR or    *|
|* LLVM, so a program, or a language with a foreign-function interface, needs *|
|* the libraries FritCompiler and FritRuntime and nothing else. Entry.h calls *|
|* what was compiled.                                                         *|
|*                                                                            *|
|* Failures are statuses, with the reason in fritCompilerErrorMessage.        *|
|* Nothing is printed.                                                        *|
|*                                                                            *|
|* Threads: compilers and programs do not change. Any number of threads may   *|
|* compile with one compiler, whose handlers then run on all of them, and     *|
|* call one program, each with a context of its own.                          *|
|*                                                                            *|
|* All text is UTF-8 and ends with a zero.                                    *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#ifndef FRIT_C_COMPILER_H
#define FRIT_C_COMPILER_H

#include "frit-c/Entry.h"

#if defined(_WIN32)
#define FRIT_COMPILER_EXPORT
#else
#define FRIT_COMPILER_EXPORT __attribute__((visibility("default")))
#endif

/** Version of this interface; see fritCompilerVersion. */
#define FRIT_COMPILER_VERSION_MAJOR 0
#define FRIT_COMPILER_VERSION_MINOR 3

#ifdef __cplusplus
extern "C" {
#endif

/** The version of the loaded library: major * 1000 + minor. A program works
 * with a library of the same major and of no smaller minor version. */
FRIT_COMPILER_EXPORT int32_t fritCompilerVersion(void);

/** The reason of the last failure, on the calling thread, of a function of this
 * header; for a compilation all its errors with their notes, one a line, as
 * "FILE:LINE:COLUMN: error: ...". "" if there was none. Valid until the
 * thread's next such failure. */
FRIT_COMPILER_EXPORT const char *fritCompilerErrorMessage(void);

/*===----------------------------------------------------------------------===*\
|* Compilers
\*===----------------------------------------------------------------------===*/

/** What compilations share: the dialects and the kernel table. */
typedef struct FritCompiler FritCompiler;

/** A place in a source; one that is unknown has the file "" and line 0. */
typedef struct FritLocation {
  /** The path, or the name that was given with a text. */
  const char *file;
  /** From 1; 0 where it is unknown. */
  int32_t line;
  int32_t column;
} FritLocation;

/** Values of FritDiagnostic::severity. */
enum FritSeverity {
  /** Belongs to the diagnostic before it. */
  FRIT_SEVERITY_NOTE = 0,
  FRIT_SEVERITY_REMARK = 1,
  FRIT_SEVERITY_WARNING = 2,
  FRIT_SEVERITY_ERROR = 3
};

/** What the compiler says about a source. */
typedef struct FritDiagnostic {
  FritLocation location;
  const char *message;
  /** A FritSeverity. */
  int32_t severity;
} FritDiagnostic;

/** Values of FritRemark::kind. */
enum FritRemarkKind {
  FRIT_REMARK_PASSED = 0,
  FRIT_REMARK_MISSED = 1,
  FRIT_REMARK_FAILED = 2,
  FRIT_REMARK_ANALYSIS = 3
};

/** What an optimization did, or did not do and why. */
typedef struct FritRemark {
  FritLocation location;
  /** "frit-select-kernels", ... */
  const char *category;
  /** What it is about: of a choice of kernels, the id of the kernel. */
  const char *name;
  /** The function that it is about. */
  const char *function;
  const char *message;
  /** A FritRemarkKind. */
  int32_t kind;
} FritRemark;

/** Receives diagnostics, on the thread that compiles, while it does. All that
 * it points to is valid during the call only. */
typedef void (*FritDiagnosticHandler)(void *userData,
                                      const FritDiagnostic *diagnostic);

/** The same for remarks. */
typedef void (*FritRemarkHandler)(void *userData, const FritRemark *remark);

/** Options of a compiler. All zero but for `size` are the defaults; later
 * versions append fields and know the older ones by `size`. */
typedef struct FritCompilerOptions {
  /** sizeof(FritCompilerOptions) of the caller. */
  size_t size;
  /** May be null. */
  FritDiagnosticHandler onDiagnostic;
  /** May be null; remarks are not made then. */
  FritRemarkHandler onRemark;
  /** Passed on; the caller's. */
  void *userData;
} FritCompilerOptions;

/** Creates a compiler and stores it in `*compiler`, which becomes null on an
 * error. `options` may be null. The caller owns it.
 * Errors: invalid argument (a null `compiler`, a size). */
FRIT_COMPILER_EXPORT FritStatus
fritCompilerCreate(const FritCompilerOptions *options, FritCompiler **compiler);

/** Destroys a compiler; null is ignored. Its programs stay. */
FRIT_COMPILER_EXPORT void fritCompilerDestroy(FritCompiler *compiler);

/*===----------------------------------------------------------------------===*\
|* Compilations
\*===----------------------------------------------------------------------===*/

/** Values of FritCompileOptions::flags, which may be combined. */
enum FritCompileFlags {
  /** Check at run time what else types leave open: ids, true ranks, whether
   * groupings agree with ids, indices. On the CPU. */
  FRIT_COMPILE_VERIFY = 1,
  /** Run loops on the calling thread instead of the context's threads. */
  FRIT_COMPILE_SERIAL = 2,
  /** Decide which kernels execute the ops and generate no code: the program
   * has choices and no entries. The target need not be on this machine. */
  FRIT_COMPILE_CHOICES_ONLY = 4
};

/** Options of a compilation. All zero but for `size` are the defaults; later
 * versions append fields and know the older ones by `size`. */
typedef struct FritCompileOptions {
  /** sizeof(FritCompileOptions) of the caller. */
  size_t size;
  /** "cpu", "cpu:PROCESSOR", "cpu+onednn", "cpu+onednn:PROCESSOR", "cuda",
   * "cuda:DEVICE", "cuda:sm_90a" (for FRIT_COMPILE_CHOICES_ONLY); null: a GPU
   * if there is one, else the CPU. */
  const char *target;
  /** "auto", "native", "require=PROVIDER" or "batch-invariant"; null: "auto".
   */
  const char *policy;
  /** Folder of the CUDA Toolkit; null: where the environment leads. */
  const char *toolkit;
  /** The names of `numEntries` functions that become entries, each one once;
   * null: every public function with a body. */
  const char *const *entries;
  int32_t numEntries;
  /** FritCompileFlags. */
  int32_t flags;
} FritCompileOptions;

/** Functions that were compiled together. */
typedef struct FritProgram FritProgram;

/** Compiles the module in `bytes` bytes at `source`, MLIR's text or bytecode,
 * and stores the program in `*program`, which becomes null on an error. `name`
 * (may be null) is what locations call it. `options` may be null. The caller
 * owns the program.
 * Errors: invalid argument (null, a size, a target, policy or entry that is
 * unknown), compilation (the source does not parse or cannot be compiled),
 * device unavailable. */
FRIT_COMPILER_EXPORT FritStatus fritCompileSource(
    const FritCompiler *compiler, const char *source, size_t bytes,
    const char *name, const FritCompileOptions *options, FritProgram **program);

/** The same with the module in a file, which is an invalid argument if it
 * cannot be read. */
FRIT_COMPILER_EXPORT FritStatus
fritCompileFile(const FritCompiler *compiler, const char *path,
                const FritCompileOptions *options, FritProgram **program);

/** The number of diagnostics of the last compilation on the calling thread:
 * what FritCompilerOptions::onDiagnostic received, for callers who would rather
 * ask afterwards. Since version 0.2. */
FRIT_COMPILER_EXPORT int32_t fritCompilerNumDiagnostics(void);

/** One of them, in the order in which they came; null if `index` is out of
 * range. Valid until the next compilation on this thread. Since version 0.2. */
FRIT_COMPILER_EXPORT const FritDiagnostic *
fritCompilerDiagnostic(int32_t index);

/** Destroys a program; null is ignored. No call may be running in it, and no
 * context may hold a captured graph of it. */
FRIT_COMPILER_EXPORT void fritProgramDestroy(FritProgram *program);

/*===----------------------------------------------------------------------===*\
|* Programs
\*===----------------------------------------------------------------------===*/

/* A null program has no target, entries or choices. */

/** What the program was compiled for: "cpu", "cuda:sm_90a". */
FRIT_COMPILER_EXPORT const char *fritProgramTarget(const FritProgram *program);

/** The device that entries run on (the driver's ordinal), or FRIT_NO_DEVICE;
 * contexts of this device can call them. */
FRIT_COMPILER_EXPORT int32_t fritProgramDevice(const FritProgram *program);

/** The number of entries. */
FRIT_COMPILER_EXPORT int32_t fritProgramNumEntries(const FritProgram *program);

/** An entry, in the order of the source; null if `index` is out of range. It
 * lives as long as the program. fritEntryCall calls it. */
FRIT_COMPILER_EXPORT const FritEntry *
fritProgramEntry(const FritProgram *program, int32_t index);

/** The entry of a name; null if there is none, and the reason, which lists
 * those that there are, in fritCompilerErrorMessage. */
FRIT_COMPILER_EXPORT const FritEntry *
fritProgramFindEntry(const FritProgram *program, const char *name);

/*===----------------------------------------------------------------------===*\
|* Choices of kernels
\*===----------------------------------------------------------------------===*/

/** Values of FritCandidate::outcome. */
enum FritOutcome {
  /** Cannot execute the op, or the policy keeps it out. */
  FRIT_OUTCOME_REFUSED = 0,
  /** Executes the op where its guard holds at run time. */
  FRIT_OUTCOME_GUARDED = 1,
  /** Executes the op, where no guarded candidate does. */
  FRIT_OUTCOME_PICKED = 2,
  /** Could execute the op, but another candidate goes before it. */
  FRIT_OUTCOME_ADMISSIBLE = 3
};

/** A kernel that could have executed an op. */
typedef struct FritCandidate {
  const char *kernel;
  /** "cuda", "library", "native". */
  const char *provider;
  /** The id of the condition that failed; may be "". */
  const char *condition;
  /** Why it does not execute the op, what guards it, or why it was picked
   * though others come first: one sentence without a stop; may be "". */
  const char *reason;
  /** Higher is tried first. */
  int64_t priority;
  /** A FritOutcome. */
  int32_t outcome;
} FritCandidate;

/** The decision about one op. */
typedef struct FritChoice {
  FritLocation location;
  /** "frit.lora_matmul". */
  const char *op;
  /** The function that has the op. */
  const char *function;
  /** The id of the picked kernel. */
  const char *kernel;
  int32_t numCandidates;
} FritChoice;

/** The number of Frit's ops in the program, and so of choices. */
FRIT_COMPILER_EXPORT int32_t fritProgramNumChoices(const FritProgram *program);

/** The choice for an op, in the order of the source; null if `index` is out of
 * range. It lives as long as the program. */
FRIT_COMPILER_EXPORT const FritChoice *
fritProgramChoice(const FritProgram *program, int32_t index);

/** A candidate of choice `choice`, in the order in which they were tried; null
 * if an index is out of range. It lives as long as the program. */
FRIT_COMPILER_EXPORT const FritCandidate *
fritProgramCandidate(const FritProgram *program, int32_t choice,
                     int32_t candidate);

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* FRIT_C_COMPILER_H */
