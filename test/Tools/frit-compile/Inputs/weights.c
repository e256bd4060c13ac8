/*===- weights.c - Giving weights to code -------------------------*- C -*-===*\
|*                                                                            *|
|* Part of the Frit project, under the Apache License v2.0 with LLVM          *|
|* Exceptions.                                                                *|
|* See https://llvm.org/LICENSE.txt for license information.                  *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
|*===----------------------------------------------------------------------===*|
|*                                                                            *|
|* Gives the code of weights.mlir the files of the command line, which are    *|
|* wrong ones, then the right one, then memory of its own. Prints what comes  *|
|* of each step.                                                              *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#include "mlp.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kTokens = 5, kColumns = 64, kValues = kTokens * kColumns };

/** Prints the status of giving weights. */
static int print(const char *what, FritStatus status) {
  printf("%s: %s%s%s\n", what, fritStatusName(status), status ? ": " : "",
         status ? fritThreadErrorMessage() : "");
  return status == FRIT_STATUS_OK;
}

/** The last `size` bytes of a file, aligned; what .npy files have of data. */
static void *readEnd(const char *path, size_t size) {
  void *memory = aligned_alloc(64, (size + 127) / 64 * 64);
  FILE *file = fopen(path, "rb");
  if (!memory || !file || fseek(file, -(long)size, SEEK_END) != 0 ||
      fread(memory, 1, size, file) != size)
    exit(2);
  fclose(file);
  return memory;
}

static void call(void) {
  const int64_t sizes[2] = {kTokens, kColumns};
  const size_t bytes = kValues * sizeof(float);
  float *input = (float *)readEnd("x.npy", bytes);
  float result[kValues] = {0};
  FritTensor x = fritHostTensor(input, FRIT_TYPE_F32, sizes, 2);
  FritTensor y = fritHostTensor(result, FRIT_TYPE_F32, sizes, 2);
  FritContext *context = NULL;
  FritStatus status;
  if (fritContextCreate(NULL, &context) != FRIT_STATUS_OK)
    exit(2);
  status = mlp_mlp(context, &x, &y);
  printf("call: %s%s%s\n", fritStatusName(status), status ? ": " : "",
         fritContextErrorMessage(context));
  if (status == FRIT_STATUS_OK) {
    void *expected = readEnd("expected.npy", bytes);
    puts(memcmp(result, expected, bytes) == 0
             ? "the bits are those of frit-run"
             : "the bits are others than those of frit-run");
    free(expected);
  }
  fritContextDestroy(context);
  free(input);
}

/** Gives the code memory of the program, wrong in some ways first. */
static void bind(void) {
  FritTensor tensors[16];
  const FritTensor *list[16];
  int32_t count = mlp_weights.numWeights;
  int64_t strides[4] = {1, 1, 1, 1};
  FritTensor first;
  for (int32_t i = 0; i < count; ++i) {
    const FritWeight *weight = &mlp_weights.weights[i];
    char path[256];
    snprintf(path, sizeof(path), "%s.bin", weight->name);
    tensors[i] = fritHostTensor(readEnd(path, weight->bytes), weight->type,
                                weight->sizes, weight->rank);
    list[i] = &tensors[i];
  }
  first = tensors[0];
  print("few", fritWeightsBind(&mlp_weights, list, count - 1));
  strides[0] = first.rank == 1 ? 2 : 1;
  tensors[0].strides = strides;
  print("stride", fritWeightsBind(&mlp_weights, list, count));
  tensors[0] = first;
  tensors[0].device = 3;
  print("device", fritWeightsBind(&mlp_weights, list, count));
  tensors[0] = first;
  tensors[0].rank = 0;
  print("rank", fritWeightsBind(&mlp_weights, list, count));
  tensors[0] = first;
  tensors[0].data = (char *)first.data + 4;
  print("aligned", fritWeightsBind(&mlp_weights, list, count));
  tensors[0] = first;
  if (print("bind", fritWeightsBind(&mlp_weights, list, count)))
    call();
  print("unload", fritWeightsUnload(&mlp_weights));
  for (int32_t i = 0; i < count; ++i)
    free(tensors[i].data);
}

int main(int argc, char **argv) {
  call();
  for (int i = 1; i < argc; ++i)
    print(argv[i], fritWeightsLoad(&mlp_weights, argv[i]));
  print("load", fritWeightsLoad(&mlp_weights, "mlp.safetensors"));
  print("again", fritWeightsLoad(&mlp_weights, "mlp.safetensors"));
  call();
  print("unload", fritWeightsUnload(&mlp_weights));
  call();
  print("merged", fritWeightsLoad(&mlp_weights, "merged"));
  print("unload", fritWeightsUnload(&mlp_weights));
  bind();
  print("unload", fritWeightsUnload(&mlp_weights));
  print("null", fritWeightsLoad(NULL, "mlp.safetensors"));
  return 0;
}
