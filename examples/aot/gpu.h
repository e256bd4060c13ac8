/*===- gpu.h - The part of the program for a GPU ------------------*- C -*-===*\
|*                                                                            *|
|* Part of the Frit project, under the Apache License v2.0 with LLVM          *|
|* Exceptions.                                                                *|
|* See https://llvm.org/LICENSE.txt for license information.                  *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
|*===----------------------------------------------------------------------===*|
|*                                                                            *|
|* The same function on device 0, on a stream of the program's own.           *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#ifndef GPU_H
#define GPU_H

/** 1 if all results are right; else says what is not. */
int runOnCuda(void);

#endif /* GPU_H */
