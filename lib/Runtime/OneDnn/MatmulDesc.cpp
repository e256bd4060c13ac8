//===- MatmulDesc.cpp -----------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Calls what the opened version of oneDNN has to describe matmuls.
//
//===----------------------------------------------------------------------===//

#include "MatmulDesc.h"

using namespace frit::runtime::onednn;

CallResult MemoryDesc::destroy() {
  if (!handle || library.majorVersion == 2)
    return {};
  return {"dnnl_memory_desc_destroy", library.dnnl_memory_desc_destroy(handle)};
}

CallResult MemoryDesc::init(int32_t rank, const int64_t *dims,
                            const int64_t *strides) {
  if (library.majorVersion != 2)
    return {"dnnl_memory_desc_create_with_strides",
            library.dnnl_memory_desc_create_with_strides(&handle, rank, dims,
                                                         kF32, strides)};
  handle = reinterpret_cast<MemoryDescHandle>(storage);
  return {"dnnl_memory_desc_init_by_strides",
          library.dnnl_memory_desc_init_by_strides(handle, rank, dims, kF32,
                                                   strides)};
}

CallResult frit::runtime::onednn::createMatmulDesc(
    const Library &library, Engine engine, const MemoryDesc &source,
    const MemoryDesc &weights, const MemoryDesc &bias,
    const MemoryDesc &destination, Attributes attributes, PrimitiveDesc &desc) {
  if (library.majorVersion != 2)
    return {"dnnl_matmul_primitive_desc_create",
            library.dnnl_matmul_primitive_desc_create(
                &desc, engine, source.get(), weights.get(), bias.get(),
                destination.get(), attributes)};
  alignas(16) unsigned char storage[kMatmulDescBytes];
  auto *matmul = reinterpret_cast<MatmulDescHandle>(storage);
  if (Status status = library.dnnl_matmul_desc_init(
          matmul, source.get(), weights.get(), bias.get(), destination.get()))
    return {"dnnl_matmul_desc_init", status};
  return {"dnnl_primitive_desc_create",
          library.dnnl_primitive_desc_create(&desc, matmul, attributes, engine,
                                             nullptr)};
}

CallResult frit::runtime::onednn::appendSum(const Library &library,
                                            PostOps postOps) {
  if (library.majorVersion != 2)
    return {"dnnl_post_ops_append_sum",
            library.dnnl_post_ops_append_sum(postOps, 1, 0, kF32)};
  return {"dnnl_post_ops_append_sum_v3",
          library.dnnl_post_ops_append_sum_v3(postOps, 1, 0, kF32)};
}
