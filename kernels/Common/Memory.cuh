//===- Memory.cuh ----------------------------------------------*- CUDA -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Access to the rows of a matrix in vectors of 16 bytes, for any alignment of
// the row and any number of elements: the widest loads and stores that the
// addresses allow, and single elements in the vector that the row's end cuts.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_KERNELS_COMMON_MEMORY_CUH
#define FRIT_KERNELS_COMMON_MEMORY_CUH

#include "Common/Element.cuh"

#include <type_traits>

namespace frit {

/// The widest power of two, at most 16, that divides the address of every row.
template <typename E>
__device__ int accessBytes(const E *base, int64_t stride) {
  unsigned bits = static_cast<unsigned>(reinterpret_cast<uintptr_t>(base)) |
                  static_cast<unsigned>(stride * int64_t(sizeof(E))) | 16u;
  return static_cast<int>(bits & -bits);
}

/// Of memory that no running kernel writes. The load allocates in L1: around it
/// (L1::no_allocate) rows from the memory took up to 8 % longer.
inline __device__ Vector loadWhole(const void *address) {
  Vector v;
  asm volatile("ld.global.nc.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(v.words[0]), "=r"(v.words[1]), "=r"(v.words[2]),
                 "=r"(v.words[3])
               : "l"(address));
  return v;
}

/// Copies a vector into shared memory past the registers, through L1;
/// `awaitCopies` waits for all of this thread's.
inline __device__ void copyToShared(Vector *shared, const void *address) {
  asm volatile("cp.async.ca.shared.global [%0], [%1], 16;" ::"r"(
                   static_cast<uint32_t>(__cvta_generic_to_shared(shared))),
               "l"(address)
               : "memory");
}

/// The same around L1, for what is read once.
inline __device__ void copyToSharedPastL1(Vector *shared, const void *address) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(
                   static_cast<uint32_t>(__cvta_generic_to_shared(shared))),
               "l"(address)
               : "memory");
}

inline __device__ void awaitCopies() {
  asm volatile("cp.async.wait_all;" ::: "memory");
}

inline __device__ void storeWhole(void *address, const Vector &v) {
  asm volatile("st.global.v4.u32 [%0], {%1, %2, %3, %4};" ::"l"(address),
               "r"(v.words[0]), "r"(v.words[1]), "r"(v.words[2]),
               "r"(v.words[3])
               : "memory");
}

/// Loads `count` elements (more than a vector's: a vector; the rest is zero)
/// from an address that `bytes` divides.
template <typename E>
__device__ Vector loadPart(const E *address, int64_t count, int bytes) {
  Vector v = {{0, 0, 0, 0}};
  if (count >= Element<E>::kPerVector && bytes >= 4) {
    if (bytes >= 8) {
      uint2 low = *reinterpret_cast<const uint2 *>(address);
      uint2 high = *(reinterpret_cast<const uint2 *>(address) + 1);
      v = {{low.x, low.y, high.x, high.y}};
    } else {
#pragma unroll
      for (int i = 0; i < 4; ++i)
        v.words[i] = reinterpret_cast<const uint32_t *>(address)[i];
    }
    return v;
  }
#pragma unroll
  for (int i = 0; i < Element<E>::kPerVector; ++i) {
    if (i >= count)
      continue;
    if constexpr (sizeof(E) == 4)
      v.words[i] = reinterpret_cast<const uint32_t *>(address)[i];
    else
      v.words[i / 2] |= uint32_t(reinterpret_cast<const uint16_t *>(address)[i])
                        << (i % 2 * 16);
  }
  return v;
}

/// Loads `count` elements, at most a vector's, one by one; the rest is zero. In
/// few instructions, for code that has it in many places and seldom needs it.
template <typename E>
__device__ Vector loadOneByOne(const E *address, int count) {
  Vector v = {{0, 0, 0, 0}};
#pragma unroll 1
  for (int i = Element<E>::kPerVector - 1; i >= 0; --i) {
    uint32_t element = 0;
    if (i < count)
      element = sizeof(E) == 4 ? reinterpret_cast<const uint32_t *>(address)[i]
                               : reinterpret_cast<const uint16_t *>(address)[i];
    constexpr int kBits = 8 * sizeof(E);
    v.words[3] = __funnelshift_lc(v.words[2], v.words[3], kBits);
    v.words[2] = __funnelshift_lc(v.words[1], v.words[2], kBits);
    v.words[1] = __funnelshift_lc(v.words[0], v.words[1], kBits);
    v.words[0] = sizeof(E) == 4 ? element : v.words[0] << 16 | element;
  }
  return v;
}

/// The store that mirrors loadPart.
template <typename E>
__device__ void storePart(E *address, const Vector &v, int64_t count,
                          int bytes) {
  if (count >= Element<E>::kPerVector && bytes >= 4) {
    if (bytes >= 8) {
      reinterpret_cast<uint2 *>(address)[0] = {v.words[0], v.words[1]};
      reinterpret_cast<uint2 *>(address)[1] = {v.words[2], v.words[3]};
    } else {
#pragma unroll
      for (int i = 0; i < 4; ++i)
        reinterpret_cast<uint32_t *>(address)[i] = v.words[i];
    }
    return;
  }
#pragma unroll
  for (int i = 0; i < Element<E>::kPerVector; ++i) {
    if (i >= count)
      continue;
    if constexpr (sizeof(E) == 4)
      reinterpret_cast<uint32_t *>(address)[i] = v.words[i];
    else
      reinterpret_cast<uint16_t *>(address)[i] =
          static_cast<uint16_t>(v.words[i / 2] >> (i % 2 * 16));
  }
}

/// One row of an operand: `load` and `store` move the vector that begins at an
/// element index; `left` elements of the row begin there (0 or less: nothing).
template <typename Type> struct Row {
  using E = std::remove_const_t<Type>;
  Type *data;
  int bytes;

  __device__ Vector load(int64_t index, int64_t left) const {
    if (left >= Element<E>::kPerVector && bytes == 16)
      return loadWhole(data + index);
    return loadPart(data + index, left, bytes);
  }
  __device__ void store(int64_t index, int64_t left, const Vector &v) const {
    if (left >= Element<E>::kPerVector && bytes == 16)
      storeWhole(data + index, v);
    else
      storePart(data + index, v, left, bytes);
  }
};

} // namespace frit

#endif // FRIT_KERNELS_COMMON_MEMORY_CUH
