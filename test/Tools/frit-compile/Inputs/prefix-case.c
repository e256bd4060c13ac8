/*===- prefix-case.c - Prefixes that differ in case ---------------*- C -*-===*\
|*                                                                            *|
|* Part of the Frit project, under the Apache License v2.0 with LLVM          *|
|* Exceptions.                                                                *|
|* See https://llvm.org/LICENSE.txt for license information.                  *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
|*===----------------------------------------------------------------------===*|
|*                                                                            *|
|* Uses what both headers declare.                                            *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#include "lower.h"
#include "upper.h"

int main(void) {
  return model_f_entry.numArguments == 1 && Model_f_entry.numArguments == 1 ? 0
                                                                            : 1;
}
