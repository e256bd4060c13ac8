/*===- Version.h - The version of Frit ----------------------------*- C -*-===*\
|*                                                                            *|
|* Part of the Frit project, under the Apache License v2.0 with LLVM          *|
|* Exceptions.                                                                *|
|* See https://llvm.org/LICENSE.txt for license information.                  *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
|*===----------------------------------------------------------------------===*|
|*                                                                            *|
|* The version that these headers belong to, by semantic versioning; see      *|
|* docs/Stability.md for what it covers. The build reads it from here.        *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#ifndef FRIT_C_VERSION_H
#define FRIT_C_VERSION_H

#define FRIT_VERSION_MAJOR 0
#define FRIT_VERSION_MINOR 1
#define FRIT_VERSION_PATCH 0

/** "MAJOR.MINOR.PATCH". */
#define FRIT_VERSION_STRING                                                    \
  FRIT_VERSION_TEXT(FRIT_VERSION_MAJOR)                                        \
  "." FRIT_VERSION_TEXT(FRIT_VERSION_MINOR) "." FRIT_VERSION_TEXT(             \
      FRIT_VERSION_PATCH)
#define FRIT_VERSION_TEXT(number) FRIT_VERSION_TEXT_(number)
#define FRIT_VERSION_TEXT_(number) #number

/** For comparisons: 1000 for 0.1.0. */
#define FRIT_VERSION                                                           \
  (FRIT_VERSION_MAJOR * 1000000 + FRIT_VERSION_MINOR * 1000 +                  \
   FRIT_VERSION_PATCH)

#endif /* FRIT_C_VERSION_H */
