/*===- Check.h - Checks of the tests in C -------------------------*- C -*-===*\
|*                                                                            *|
|* Part of the Frit project, under the Apache License v2.0 with LLVM          *|
|* Exceptions.                                                                *|
|* See https://llvm.org/LICENSE.txt for license information.                  *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
|*===----------------------------------------------------------------------===*|
|*                                                                            *|
|* A check that fails says where and ends the program.                        *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#ifndef FRIT_TEST_LIB_CAPI_CHECK_H
#define FRIT_TEST_LIB_CAPI_CHECK_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/** Ends the program unless `condition` holds. */
#define CHECK(condition)                                                       \
  do {                                                                         \
    if (!(condition)) {                                                        \
      fprintf(stderr, "%s:%d: failed: %s\n", __FILE__, __LINE__, #condition);  \
      exit(1);                                                                 \
    }                                                                          \
  } while (0)

/** Ends the program unless `text` contains `part`. */
#define CHECK_HAS(text, part)                                                  \
  do {                                                                         \
    if (!strstr(text, part)) {                                                 \
      fprintf(stderr, "%s:%d: failed: \"%s\" does not contain \"%s\"\n",       \
              __FILE__, __LINE__, text, part);                                 \
      exit(1);                                                                 \
    }                                                                          \
  } while (0)

#endif /* FRIT_TEST_LIB_CAPI_CHECK_H */
