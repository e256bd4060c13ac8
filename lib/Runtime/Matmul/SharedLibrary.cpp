//===- SharedLibrary.cpp --------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds a library of matmuls by the environment or by its usual names.
//
//===----------------------------------------------------------------------===//

#include "SharedLibrary.h"

#include <cstdlib>

#include <dlfcn.h>

using namespace frit::runtime;

SharedLibrary SharedLibrary::open(const char *variable,
                                  const char *const *candidates,
                                  size_t numCandidates) {
  const char *named = secure_getenv(variable);
  if (named && *named) {
    candidates = &named;
    numCandidates = 1;
  }
  SharedLibrary library;
  for (size_t i = 0; i < numCandidates && !library.handle; ++i) {
    library.path = candidates[i];
    library.handle = dlopen(library.path, RTLD_NOW | RTLD_LOCAL);
  }
  if (library.handle)
    return library;
  // The loader keeps the last reason only.
  dlopen(candidates[0], RTLD_NOW | RTLD_LOCAL);
  const char *reason = dlerror();
  library.reason = reason ? reason : library.path;
  return library;
}

void SharedLibrary::close() { dlclose(handle); }
