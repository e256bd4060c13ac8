//===- OpenMP.h
//--------------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The part of the OpenMP runtime that Frit calls: three functions of the OpenMP
// API, and GOMP_parallel, which is what `#pragma omp parallel` compiles to with
// GCC. LLVM's OpenMP runtime exports the same entry. Declared here so that the
// choice of the OpenMP runtime is the link line's alone, whichever compiler
// builds Frit: a process with oneDNN or GCC-built OpenMP code must not get a
// second one, and clang's pragmas work with LLVM's only.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_LIB_RUNTIME_OPENMP_H
#define FRIT_LIB_RUNTIME_OPENMP_H

// NOLINTBEGIN(readability-identifier-naming): the names are OpenMP's.
extern "C" {

/// Runs `function(data)` once on each of up to `numThreads` threads, the
/// caller's included, and returns when all are done. `flags` is 0.
void GOMP_parallel(void (*function)(void *), void *data, unsigned numThreads,
                   unsigned flags);

/// The number of threads that a parallel region would get by default.
int omp_get_max_threads(void);

void omp_set_num_threads(int count);

/// The index of the calling thread in its team, 0 for the one that began it.
int omp_get_thread_num(void);

/// Nonzero inside of a parallel region.
int omp_in_parallel(void);

} // extern "C"
// NOLINTEND(readability-identifier-naming)

#endif // FRIT_LIB_RUNTIME_OPENMP_H
