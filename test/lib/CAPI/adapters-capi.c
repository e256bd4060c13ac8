/*===- adapters-capi.c - Tests of frit-c/Adapters.h ---------------*- C -*-===*\
|*                                                                            *|
|* Part of the Frit project, under the Apache License v2.0 with LLVM          *|
|* Exceptions.                                                                *|
|* See https://llvm.org/LICENSE.txt for license information.                  *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
|*===----------------------------------------------------------------------===*|
|*                                                                            *|
|* adapters-capi FOLDER: stacks the adapters in FOLDER/first and              *|
|* FOLDER/second, of two layers that are 32 wide. The first has rank 4 and    *|
|* factor 2 everywhere, the second rank 8, but 3 in layer 0's down_proj, and  *|
|* no up_proj.                                                                *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#include "Check.h"

#include "frit-c/Adapters.h"

#include <stdbool.h>

enum { SLOTS = 3, MODULES = 6, WIDTH = 32, LARGEST_RANK = 8 };

#define GATE "model.layers.0.mlp.gate_proj"
#define UP "model.layers.0.mlp.up_proj"
#define DOWN "model.layers.0.mlp.down_proj"

static void testRefusals(const FritAdapterSource *sources) {
  CHECK(fritAdaptersLoad(sources, 2, NULL) == FRIT_STATUS_INVALID_ARGUMENT);
  CHECK_HAS(fritCompilerErrorMessage(), "'adapters' is null");
  FritAdapters *adapters = (FritAdapters *)sources;
  CHECK(fritAdaptersLoad(NULL, 2, &adapters) == FRIT_STATUS_INVALID_ARGUMENT);
  CHECK(!adapters);
  CHECK_HAS(fritCompilerErrorMessage(), "'sources' is null");
  CHECK(fritAdaptersLoad(sources, -1, &adapters) ==
        FRIT_STATUS_INVALID_ARGUMENT);
  CHECK_HAS(fritCompilerErrorMessage(), "-1");
  FritAdapterSource twice[2] = {sources[0], sources[0]};
  CHECK(fritAdaptersLoad(twice, 2, &adapters) == FRIT_STATUS_INVALID_ARGUMENT);
  CHECK_HAS(fritCompilerErrorMessage(), "'first'");
  FritAdapterSource absent = {"absent", "no such folder"};
  CHECK(fritAdaptersLoad(&absent, 1, &adapters) ==
        FRIT_STATUS_INVALID_ARGUMENT);
  CHECK_HAS(fritCompilerErrorMessage(), "no such folder");
  CHECK(!adapters);
  fritAdaptersDestroy(NULL);
  fritAdapterTensorDestroy(NULL);
  CHECK(!fritAdapterTensorView(NULL));
  CHECK(fritAdaptersNumModules(NULL) == 0);
}

static void testModules(const FritAdapters *adapters) {
  CHECK(fritAdaptersNumModules(adapters) == MODULES);
  CHECK(strcmp(fritAdaptersModule(adapters, 0), DOWN) == 0);
  CHECK(strcmp(fritAdaptersModule(adapters, 1), GATE) == 0);
  CHECK(strcmp(fritAdaptersModule(adapters, 2), UP) == 0);
  CHECK(!fritAdaptersModule(adapters, MODULES));
  CHECK(!fritAdaptersModule(adapters, -1));
}

static void refuse(const FritAdapters *adapters, const char *operand,
                   const int64_t *sizes, int32_t rank, const char *reason) {
  FritAdapterTensor *tensor = (FritAdapterTensor *)adapters;
  CHECK(fritAdaptersMake(adapters, operand, sizes, rank, &tensor) ==
        FRIT_STATUS_INVALID_ARGUMENT);
  CHECK(!tensor);
  CHECK_HAS(fritCompilerErrorMessage(), reason);
}

static void testRefusedOperands(const FritAdapters *adapters) {
  const int64_t any[3] = {FRIT_ANY, FRIT_ANY, FRIT_ANY};
  refuse(adapters, "lora_A", any, 3, "'lora_A' is no operand");
  refuse(adapters, "no.such.lora_A", any, 3, "no.such");
  refuse(adapters, GATE ".lora_A", any, 2, "2");
  refuse(adapters, GATE ".lora_A", NULL, 3, "'sizes' is null");
  const int64_t few[3] = {1, FRIT_ANY, WIDTH};
  refuse(adapters, GATE ".lora_A", few, 3, "1");
  const int64_t narrow[3] = {2, 7, WIDTH};
  refuse(adapters, GATE ".lora_A", narrow, 3, "7");
  const int64_t negative[3] = {-2, FRIT_ANY, WIDTH};
  refuse(adapters, GATE ".lora_A", negative, 3, "-2");
  CHECK(fritAdaptersMake(adapters, GATE ".lora_A", any, 3, NULL) ==
        FRIT_STATUS_INVALID_ARGUMENT);
}

static FritAdapterTensor *make(const FritAdapters *adapters,
                               const char *operand, const int64_t *sizes,
                               int32_t rank, int32_t type) {
  FritAdapterTensor *tensor = NULL;
  CHECK(fritAdaptersMake(adapters, operand, sizes, rank, &tensor) ==
        FRIT_STATUS_OK);
  const FritTensor *view = fritAdapterTensorView(tensor);
  CHECK(view && view->rank == rank && view->type == type);
  CHECK(view->device == FRIT_NO_DEVICE && !view->strides);
  return tensor;
}

/* Whether `count` floats have something other than 0. */
static bool hasValues(const float *values, int64_t count) {
  for (int64_t i = 0; i < count; ++i)
    if (values[i] != 0)
      return true;
  return false;
}

static void testWeights(const FritAdapters *adapters) {
  const int64_t sizes[3] = {SLOTS, FRIT_ANY, WIDTH};
  FritAdapterTensor *tensor =
      make(adapters, GATE ".lora_A", sizes, 3, FRIT_TYPE_F32);
  const FritTensor *view = fritAdapterTensorView(tensor);
  CHECK(view->sizes[0] == SLOTS && view->sizes[1] == LARGEST_RANK &&
        view->sizes[2] == WIDTH);
  const float *first = view->data;
  const float *second = first + LARGEST_RANK * WIDTH;
  CHECK(hasValues(first, 4 * WIDTH));
  CHECK(!hasValues(first + 4 * WIDTH, 4 * WIDTH));
  CHECK(hasValues(second + 7 * WIDTH, WIDTH));
  CHECK(!hasValues(second + LARGEST_RANK * WIDTH, LARGEST_RANK * WIDTH));
  fritAdapterTensorDestroy(tensor);

  const int64_t own[3] = {2, 8, WIDTH};
  tensor = make(adapters, UP ".lora_A", own, 3, FRIT_TYPE_F32);
  view = fritAdapterTensorView(tensor);
  CHECK(!hasValues((const float *)view->data + 8 * WIDTH, 8 * WIDTH));
  fritAdapterTensorDestroy(tensor);
}

static void testRanksAndScales(const FritAdapters *adapters) {
  const int64_t slots = SLOTS;
  FritAdapterTensor *tensor =
      make(adapters, DOWN ".lora_ranks", &slots, 1, FRIT_TYPE_I32);
  const int32_t *ranks = fritAdapterTensorView(tensor)->data;
  CHECK(ranks[0] == 4 && ranks[1] == 3 && ranks[2] == 0);
  fritAdapterTensorDestroy(tensor);

  const int64_t both[2] = {2, SLOTS};
  tensor = make(adapters, GATE "," UP ".lora_ranks", both, 2, FRIT_TYPE_I32);
  ranks = fritAdapterTensorView(tensor)->data;
  CHECK(ranks[0] == 4 && ranks[1] == 8 && ranks[2] == 0);
  CHECK(ranks[3] == 4 && ranks[4] == 0 && ranks[5] == 0);
  fritAdapterTensorDestroy(tensor);

  tensor = make(adapters, DOWN ".lora_scales", &slots, 1, FRIT_TYPE_F32);
  const float *scales = fritAdapterTensorView(tensor)->data;
  /* alpha / r, and with rslora alpha / sqrt(r): its square is 25 / 3. */
  CHECK(scales[0] == 2);
  CHECK(scales[1] * scales[1] > 8.333f && scales[1] * scales[1] < 8.334f);
  fritAdapterTensorDestroy(tensor);
}

int main(int argc, char **argv) {
  CHECK(argc == 2);
  char folders[2][4096];
  const char *names[2] = {"first", "second"};
  FritAdapterSource sources[2];
  for (int i = 0; i < 2; ++i) {
    int length =
        snprintf(folders[i], sizeof(folders[i]), "%s/%s", argv[1], names[i]);
    CHECK(length > 0 && (size_t)length < sizeof(folders[i]));
    sources[i].name = names[i];
    sources[i].folder = folders[i];
  }
  testRefusals(sources);
  FritAdapters *adapters = NULL;
  CHECK(fritAdaptersLoad(sources, 2, &adapters) == FRIT_STATUS_OK);
  testModules(adapters);
  testRefusedOperands(adapters);
  testWeights(adapters);
  testRanksAndScales(adapters);
  fritAdaptersDestroy(adapters);
  return 0;
}
