//===- Check.cpp ----------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compares Types.h and Entries.def with oneDNN's header; part of the library
// only where there is that header. Nothing here is run.
//
//===----------------------------------------------------------------------===//

#include "MatmulDesc.h"
#include "Types.h"

#include "Cuda/SameShape.h"

#include <oneapi/dnnl/dnnl.h>
#include <oneapi/dnnl/dnnl_debug.h>

using namespace frit::runtime::cuda;
using namespace frit::runtime::onednn;

namespace {

#define FRIT_ONEDNN_ENTRY(result, name, parameters)                            \
  static_assert(SameFunction<result parameters, decltype(::name)>::value,      \
                #name);
#if DNNL_VERSION_MAJOR == 2
#define FRIT_ONEDNN_ENTRY_2 FRIT_ONEDNN_ENTRY
static_assert(sizeof(dnnl_memory_desc_t) <= kMemoryDescBytes);
static_assert(sizeof(dnnl_matmul_desc_t) <= kMatmulDescBytes);
#elif DNNL_VERSION_MAJOR == 3
#define FRIT_ONEDNN_ENTRY_3 FRIT_ONEDNN_ENTRY
#endif
#include "Entries.def"

FRIT_SAME_VALUE(kSuccess, dnnl_success)
FRIT_SAME_VALUE(kOutOfMemory, dnnl_out_of_memory)
FRIT_SAME_VALUE(kMaxRank, DNNL_MAX_NDIMS)
FRIT_SAME_VALUE(kCpu, dnnl_cpu)
FRIT_SAME_VALUE(kDefaultStream, dnnl_stream_default_flags)
FRIT_SAME_VALUE(kF32, dnnl_f32)
FRIT_SAME_VALUE(kScratchpadOfUser, dnnl_scratchpad_mode_user)
FRIT_SAME_VALUE(kStrictMath, dnnl_fpmath_mode_strict)
FRIT_SAME_VALUE(kQueryArgument, dnnl_query_exec_arg_md)
FRIT_SAME_VALUE(kSource, DNNL_ARG_SRC)
FRIT_SAME_VALUE(kDestination, DNNL_ARG_DST)
FRIT_SAME_VALUE(kWeights, DNNL_ARG_WEIGHTS)
FRIT_SAME_VALUE(kBias, DNNL_ARG_BIAS)
FRIT_SAME_VALUE(kScratchpad, DNNL_ARG_SCRATCHPAD)

static_assert(sizeof(Version) == sizeof(dnnl_version_t));
static_assert(offsetof(Version, major) == offsetof(dnnl_version_t, major));
static_assert(sizeof(Argument) == sizeof(dnnl_exec_arg_t));
static_assert(offsetof(Argument, memory) == offsetof(dnnl_exec_arg_t, memory));

} // namespace
