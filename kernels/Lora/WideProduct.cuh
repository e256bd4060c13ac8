//===- WideProduct.cuh ----------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Products of a warpgroup: 64 rows from shared memory by columns from shared
// memory. A tile there has rows of 128 bytes (64 elements of 16 bits along the
// depth), whose pieces of 16 bytes are exchanged by the row's number modulo 8.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_KERNELS_LORA_WIDEPRODUCT_CUH
#define FRIT_KERNELS_LORA_WIDEPRODUCT_CUH

#include <cstdint>

namespace frit::lora {

/// Where a piece of 16 bytes of a tile's row lies, in bytes from its beginning,
/// which is a multiple of 1024.
__device__ __forceinline__ uint32_t tilePiece(int row, int piece) {
  return static_cast<uint32_t>(128 * row + 16 * (piece ^ (row & 7)));
}

/// The matrix unit's name of the tile at a shared address; 16 elements further
/// along the depth are kDepthStep more.
__device__ __forceinline__ uint64_t tileName(uint32_t shared) {
  constexpr uint64_t kEightRows = 1024 >> 4, kSwizzle128 = 1;
  return static_cast<uint64_t>((shared & 0x3ffff) >> 4) | uint64_t{1} << 16 |
         kEightRows << 32 | kSwizzle128 << 62;
}
inline constexpr uint64_t kDepthStep = 32 >> 4;

/// Makes this thread's writes to shared memory visible to the matrix units,
/// once the threads have met.
__device__ __forceinline__ void showToMatrixUnits() {
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

/// Around products: the sums' registers are ready; all products so far form a
/// group; the sums of all groups are here.
__device__ __forceinline__ void beginProducts() {
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}
__device__ __forceinline__ void endProducts() {
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}
__device__ __forceinline__ void awaitProducts() {
  asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
}

/// d += a * b: a has 64 rows and b `Columns`, both 16 deep. A thread's sums of
/// columns 8 j + 2 t + e are d[4 j + 2 h + e], of rows 16 w + g + 8 h: w its
/// warp in the warpgroup, g and t its lane divided by 4 and the remainder.
template <int Columns> struct WideProduct;

// clang-format off
template <> struct WideProduct<16> {
  static __device__ __forceinline__ void add(float (&d)[8], uint64_t a,
                                             uint64_t b) {
    asm volatile("wgmma.mma_async.sync.aligned.m64n16k16.f32.bf16.bf16 "
                 "{%0, %1, %2, %3, %4, %5, %6, %7}, "
                 "%8, %9, 1, 1, 1, 0, 0;"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7])
                 : "l"(a), "l"(b));
  }
};

template <> struct WideProduct<32> {
  static __device__ __forceinline__ void add(float (&d)[16], uint64_t a,
                                             uint64_t b) {
    asm volatile("wgmma.mma_async.sync.aligned.m64n32k16.f32.bf16.bf16 "
                 "{%0, %1, %2, %3, %4, %5, %6, %7, "
"%8, %9, %10, %11, %12, %13, %14, %15}, "
                 "%16, %17, 1, 1, 1, 0, 0;"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7]), "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]), "+f"(d[14]), "+f"(d[15])
                 : "l"(a), "l"(b));
  }
};

template <> struct WideProduct<64> {
  static __device__ __forceinline__ void add(float (&d)[32], uint64_t a,
                                             uint64_t b) {
    asm volatile("wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 "
                 "{%0, %1, %2, %3, %4, %5, %6, %7, "
"%8, %9, %10, %11, %12, %13, %14, %15, "
"%16, %17, %18, %19, %20, %21, %22, %23, "
"%24, %25, %26, %27, %28, %29, %30, %31}, "
                 "%32, %33, 1, 1, 1, 0, 0;"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7]), "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]), "+f"(d[14]), "+f"(d[15]), "+f"(d[16]), "+f"(d[17]), "+f"(d[18]), "+f"(d[19]), "+f"(d[20]), "+f"(d[21]), "+f"(d[22]), "+f"(d[23]), "+f"(d[24]), "+f"(d[25]), "+f"(d[26]), "+f"(d[27]), "+f"(d[28]), "+f"(d[29]), "+f"(d[30]), "+f"(d[31])
                 : "l"(a), "l"(b));
  }
};

template <> struct WideProduct<128> {
  static __device__ __forceinline__ void add(float (&d)[64], uint64_t a,
                                             uint64_t b) {
    asm volatile("wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16 "
                 "{%0, %1, %2, %3, %4, %5, %6, %7, "
"%8, %9, %10, %11, %12, %13, %14, %15, "
"%16, %17, %18, %19, %20, %21, %22, %23, "
"%24, %25, %26, %27, %28, %29, %30, %31, "
"%32, %33, %34, %35, %36, %37, %38, %39, "
"%40, %41, %42, %43, %44, %45, %46, %47, "
"%48, %49, %50, %51, %52, %53, %54, %55, "
"%56, %57, %58, %59, %60, %61, %62, %63}, "
                 "%64, %65, 1, 1, 1, 0, 0;"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7]), "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]), "+f"(d[14]), "+f"(d[15]), "+f"(d[16]), "+f"(d[17]), "+f"(d[18]), "+f"(d[19]), "+f"(d[20]), "+f"(d[21]), "+f"(d[22]), "+f"(d[23]), "+f"(d[24]), "+f"(d[25]), "+f"(d[26]), "+f"(d[27]), "+f"(d[28]), "+f"(d[29]), "+f"(d[30]), "+f"(d[31]), "+f"(d[32]), "+f"(d[33]), "+f"(d[34]), "+f"(d[35]), "+f"(d[36]), "+f"(d[37]), "+f"(d[38]), "+f"(d[39]), "+f"(d[40]), "+f"(d[41]), "+f"(d[42]), "+f"(d[43]), "+f"(d[44]), "+f"(d[45]), "+f"(d[46]), "+f"(d[47]), "+f"(d[48]), "+f"(d[49]), "+f"(d[50]), "+f"(d[51]), "+f"(d[52]), "+f"(d[53]), "+f"(d[54]), "+f"(d[55]), "+f"(d[56]), "+f"(d[57]), "+f"(d[58]), "+f"(d[59]), "+f"(d[60]), "+f"(d[61]), "+f"(d[62]), "+f"(d[63])
                 : "l"(a), "l"(b));
  }
};
// clang-format on

} // namespace frit::lora

#endif // FRIT_KERNELS_LORA_WIDEPRODUCT_CUH
