//===- WideExpand.cuh -----------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The second half on the wide matrix units. Each of a block's two warpgroups
// takes columns of its own and waits for nobody else: while products of one
// run, the other stores. B and y are copied to shared memory several steps
// ahead, y in runs of a row as long as the columns are wide. What counts is how
// many instructions a warp runs through for its columns: there are two or four
// warps on a scheduler, so that each instruction is waited for, and what a loop
// does not hold in the first level of the instruction cache is fetched.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_KERNELS_LORA_WIDEEXPAND_CUH
#define FRIT_KERNELS_LORA_WIDEEXPAND_CUH

#include "WideShape.cuh"

namespace frit::lora {

template <class E, class Shape, bool Vectors> class WideExpander {
public:
  /// The rank vectors are at `base`, slots behind them. `blocks` blocks of a
  /// tile divide its columns.
  __device__ __forceinline__ WideExpander(const Arguments<E, E> &args,
                                          const Tile<E, E, kWideTokens> &tile,
                                          uint32_t base, int block, int blocks)
      : args(args), tile(tile), base(base),
        thread(static_cast<int>(threadIdx.x) % 128), lane(thread % 32),
        firstToken(thread / 32 * 16),
        warpgroup(static_cast<int>(threadIdx.x) / 128),
        n(static_cast<int>(args.n)), pitch(static_cast<int>(args.rank)),
        count(tile.count), rank(tile.rank), b(tile.b),
        stride(2 * kColumns * blocks),
        first(kColumns * (2 * block + warpgroup)), loading(first) {}

  /// Issues the first steps' copies.
  __device__ __forceinline__ void begin() {
#pragma unroll
    for (int s = 0; s < kAhead; ++s)
      loadNext(s);
  }

  /// The rest, once the rank vectors are there.
  __device__ __forceinline__ void run() {
    const bool usual =
        (args.flags & (kAccumulate | kRoundSum | kStepwise)) == kAccumulate;
    Sums sums;
    int slot = 0, next = kAhead, output = 0;
#pragma unroll 1
    for (int column = first; column < n; column += stride) {
#pragma unroll
      for (float &sum : sums)
        sum = 0.0f;
#pragma unroll 1
      for (int chunk = 0; chunk < Shape::kChunks; ++chunk) {
        awaitCopies<kAhead - 1>();
        showToMatrixUnits();
        meetWarpgroup();
        multiply(chunk, slot, sums);
        // Into the slot whose products all threads have waited for.
        loadNext(next);
        awaitProducts();
        slot = slot + 1 == Shape::kWeightSlots ? 0 : slot + 1;
        next = next + 1 == Shape::kWeightSlots ? 0 : next + 1;
      }
      if (!Vectors || !usual || !finishUsual(column, output, sums))
        finish(column, output, sums);
      if constexpr (Vectors)
        store(column, output);
      output = output + 1 == Shape::kOutputSlots ? 0 : output + 1;
    }
  }

private:
  static constexpr int kColumns = Shape::kColumns;
  static constexpr int kAhead = Shape::kAhead;
  using Sums = float[kColumns / 2];

  /// Pieces of a row of y, and rows that a warp takes at once.
  static constexpr int kRowPieces = kColumns / kPiece;
  static constexpr int kRows = 32 / kRowPieces;
  static constexpr int kOwnRows = 16 / kRows;

  __device__ __forceinline__ void meetWarpgroup() const {
    asm volatile("bar.sync %0, 128;" ::"r"(1 + warpgroup) : "memory");
  }

  __device__ __forceinline__ uint32_t slotAt(int slot) const {
    return base + Shape::kHiddenBytes +
           (2 * slot + warpgroup) * Shape::kSlotBytes;
  }
  /// A piece of y: the pieces of every second row are exchanged, so that those
  /// that eight threads use lie in different banks.
  __device__ __forceinline__ uint32_t outputAt(int output, int token,
                                               int piece) const {
    return slotAt(Shape::kWeightSlots + output) + 16 * kRowPieces * token +
           16 * (piece ^ token % 2 * 4);
  }

  /// Issues the copies of the next step, of which there may be none.
  __device__ __forceinline__ void loadNext(int slot) {
    if (loading < n) {
      loadWeights(slot);
      if constexpr (Vectors)
        if (loadingChunk == Shape::kOutputChunk && (args.flags & kAccumulate))
          loadOutputs();
      if (++loadingChunk == Shape::kChunks) {
        loadingChunk = 0;
        loading += stride;
      }
    }
    commitCopies(); // A group of its own, even where it is empty.
  }

  /// Column 8 t + 2 j + e of 32 takes row 8 j + 2 t + e of the tile: so a
  /// thread's columns are neighbours. Columns beyond the last are another one.
  __device__ __forceinline__ void loadWeights(int slot) const {
    constexpr int kPieces = Shape::kChunk / kPiece, kStep = 128 / kPieces;
    const int piece = thread % kPieces, row = thread / kPieces;
    const int r = loadingChunk * Shape::kChunk + kPiece * piece;
    const int left = rank - r, last = n - 1 - loading;
    const int column = row / 2 % 4 * 8 + row / 8 * 2 + row % 2;
    const E *const from = b + static_cast<int64_t>(loading) * pitch + r;
    const uint32_t to = slotAt(slot) + tilePiece(row, piece);
    auto copyRows = [&](auto copy) {
#pragma unroll
      for (int i = 0; i < kColumns / kStep; ++i) {
        const int rows = kStep * i;
        copy(to + 128 * rows,
             from + min(column + rows % 32 / 8 * 2 + rows / 32 * 32, last) *
                        pitch);
      }
    };
    if (Vectors && __builtin_expect(rank % kPiece == 0, 1))
      copyRows([=](uint32_t at, const E *row) { copyWhole(at, row, left); });
    else
      copyRows([=](uint32_t at, const E *row) {
        copyPiece<Vectors>(at, left > 0 ? row : b, left);
      });
  }

  /// This thread's part of the rows that its warp copies: row `i` of kOwnRows,
  /// and the first of its columns.
  __device__ __forceinline__ int ownToken(int i) const {
    return firstToken + kRows * i + lane / kRowPieces;
  }
  __device__ __forceinline__ int ownColumn() const {
    return kPiece * (lane % kRowPieces);
  }
  using Rows = E *[kOwnRows];
  __device__ __forceinline__ void findRows(int column, Rows &rows) const {
#pragma unroll
    for (int i = 0; i < kOwnRows; ++i)
      rows[i] = tile.y[ownToken(i)] + column;
  }

  __device__ __forceinline__ void loadOutputs() {
    const int column = loading + ownColumn();
    Rows rows;
    findRows(column, rows);
#pragma unroll
    for (int i = 0; i < kOwnRows; ++i)
      if (ownToken(i) < count && column < n)
        copyBytes(outputAt(loadingOutput, ownToken(i), lane % kRowPieces),
                  rows[i]);
    loadingOutput =
        loadingOutput + 1 == Shape::kOutputSlots ? 0 : loadingOutput + 1;
  }

  __device__ __forceinline__ void multiply(int chunk, int slot,
                                           Sums &sums) const {
    const uint64_t weights = tileName(slotAt(slot));
    beginProducts();
    // All terms even where others than the first are zero: at a branch the
    // sums would change registers, and wait for the products before it.
#pragma unroll
    for (int t = 0; t < Shape::kTerms; ++t) {
      const uint64_t hidden =
          tileName(base + t * Shape::kTermBytes + chunk * Shape::kTokenTile);
#pragma unroll
      for (int d = 0; d < Shape::kChunk / 16; ++d)
        WideProduct<kColumns>::add(sums, hidden + d * kDepthStep,
                                   weights + d * kDepthStep);
    }
    endProducts();
  }

  /// What y becomes, in place of what it held, where that is a sum of both.
  /// Gives false, and keeps what y held, where anything is not a number: that
  /// is for `finish`.
  __device__ __forceinline__ bool finishUsual(int begin, int output,
                                              const Sums &sums) const {
    static_assert(std::is_same_v<E, __nv_bfloat16>);
    const uint32_t own = outputAt(output, firstToken + lane / 4, lane % 4);
    const uint32_t exchanged = own ^ 64;
    auto place = [&](int h, int q) {
      return (q % 2 ? exchanged : own) + 16 * kRowPieces * 8 * h + q / 2 * 128;
    };
    uint32_t words[2][kColumns / 32][kPiece / 2], worst = 0;
#pragma unroll
    for (int h = 0; h < 2; ++h)
#pragma unroll
      for (int q = 0; q < kColumns / 32; ++q) {
        const float4 held = loadPiece(place(h, q));
        const uint32_t old[kPiece / 2] = {
            __float_as_uint(held.x), __float_as_uint(held.y),
            __float_as_uint(held.z), __float_as_uint(held.w)};
#pragma unroll
        for (int c = 0; c < kPiece / 2; ++c) {
          float low = sums[4 * (4 * q + c) + 2 * h];
          float high = sums[4 * (4 * q + c) + 2 * h + 1];
          if constexpr (!Shape::kShrinks) {
            low = __fmul_rn(tile.scale, low);
            high = __fmul_rn(tile.scale, high);
          }
          words[h][q][c] = packPair<E>(
              __fadd_rn(__uint_as_float(old[c] << 16), low),
              __fadd_rn(__uint_as_float(old[c] & 0xffff0000u), high));
        }
        const bool exists = firstToken + lane / 4 + 8 * h < count &&
                            begin + kPiece * (4 * q + lane % 4) < n;
        if (exists)
#pragma unroll
          for (int c = 0; c < kPiece / 2; ++c)
            asm("max.NaN.bf16x2 %0, %0, %1;"
                : "+r"(worst)
                : "r"(words[h][q][c]));
      }
    constexpr uint32_t kInfinity = 0x7f80;
    if ((worst & 0x7fff) > kInfinity || (worst >> 16 & 0x7fff) > kInfinity)
      return false;
#pragma unroll
    for (int h = 0; h < 2; ++h)
#pragma unroll
      for (int q = 0; q < kColumns / 32; ++q)
        storePiece(place(h, q), words[h][q]);
    return true;
  }

  /// The same of any form; without vectors to y itself.
  __device__ __forceinline__ void finish(int begin, int output,
                                         const Sums &sums) const {
#pragma unroll
    for (int h = 0; h < 2; ++h) {
      const int token = firstToken + lane / 4 + 8 * h;
      if (token >= count)
        continue;
#pragma unroll
      for (int q = 0; q < kColumns / 32; ++q) {
        const int piece = 4 * q + lane % 4, column = begin + kPiece * piece;
        if (column >= n)
          continue;
        float v[kPiece];
        bool isNan = false;
#pragma unroll
        for (int c = 0; c < kPiece; ++c) {
          v[c] = sums[4 * (4 * q + c / 2) + 2 * h + c % 2];
          isNan |= isnan(v[c]);
        }
        if (__builtin_expect(isNan, 0))
          repeatSums(token, column, v);
        const uint32_t at = outputAt(output, token, piece);
        E *const y = tile.y[token] + column;
        Fragment<E, kPiece> old;
        if constexpr (Vectors) {
          const float4 held = loadPiece(at);
          old.words[0] = __float_as_uint(held.x);
          old.words[1] = __float_as_uint(held.y);
          old.words[2] = __float_as_uint(held.z);
          old.words[3] = __float_as_uint(held.w);
        } else if (args.flags & kAccumulate) {
          old = loadWrittenSome<E, kPiece>(y, n - column);
        }
#pragma unroll
        for (int c = 0; c < kPiece; ++c)
          v[c] =
              finishOutput<E, E>(args.flags, tile.scale, v[c],
                                 args.flags & kAccumulate ? old.get(c) : 0.0f);
        if constexpr (Vectors) {
          uint32_t words[kPiece / 2];
#pragma unroll
          for (int c = 0; c < kPiece; c += 2)
            words[c / 2] = packPair<E>(v[c], v[c + 1]);
          storePiece(at, words);
        } else {
          storeColumns<false>(y, v, n - column);
        }
      }
    }
  }

  /// From shared memory to y: each warp the rows that it has finished.
  __device__ __forceinline__ void store(int begin, int output) const {
    const int column = begin + ownColumn();
    Rows rows;
    findRows(column, rows);
    __syncwarp();
    float4 pieces[kOwnRows];
#pragma unroll
    for (int i = 0; i < kOwnRows; ++i)
      pieces[i] = loadPiece(outputAt(output, ownToken(i), lane % kRowPieces));
#pragma unroll
    for (int i = 0; i < kOwnRows; ++i)
      if (ownToken(i) < count && column < n)
        asm volatile("st.global.v4.f32 [%0], {%1, %2, %3, %4};" ::"l"(rows[i]),
                     "f"(pieces[i].x), "f"(pieces[i].y), "f"(pieces[i].z),
                     "f"(pieces[i].w)
                     : "memory");
    __syncwarp(); // The slot may be filled again.
  }

  /// Works out again which of the sums from `column` on are not numbers: two
  /// terms of different signs make that of an infinite weight; one value does
  /// not. The sums go round, so that they stay in registers in so little code.
  __device__ __forceinline__ void repeatSums(int token, int column,
                                             float (&v)[kPiece]) const {
#pragma unroll 1
    for (int c = 0; c < kPiece; ++c) {
      float sum = v[0];
      if (isnan(sum) && column + c < n)
        sum = repeatSum(token, column + c);
#pragma unroll
      for (int i = 1; i < kPiece; ++i)
        v[i - 1] = v[i];
      v[kPiece - 1] = sum;
    }
  }

  __device__ __forceinline__ float repeatSum(int token, int column) const {
    const E *weights = b + static_cast<int64_t>(column) * pitch;
    float sum = 0.0f;
#pragma unroll 1
    for (int r = 0; r < rank; ++r) {
      const uint32_t at =
          base + Shape::hiddenPiece(token, r) + 2 * (r % kPiece);
      float value = 0.0f;
#pragma unroll
      for (int t = Shape::kTerms - 1; t >= 0; --t)
        value += sharedBf16(at + t * Shape::kTermBytes);
      sum = __fmaf_rn(value, toFloat(weights[r]), sum);
    }
    return sum;
  }

  const Arguments<E, E> &args;
  const Tile<E, E, kWideTokens> &tile;
  const uint32_t base;
  const int thread, lane; ///< In the warpgroup, and in the warp.
  const int firstToken;   ///< Of this warp's 16.
  const int warpgroup;
  const int n, pitch;
  const int count, rank; ///< The tile's, which are asked for at every step,
  const E *const b;      ///< in registers.
  const int stride;      ///< From a warpgroup's columns to its next ones.
  const int first;       ///< Its first column.
  int loading;           ///< The first column of the next copies,
  int loadingChunk = 0;  ///< their chunk of ranks,
  int loadingOutput = 0; ///< and where y goes.
};

} // namespace frit::lora

#endif // FRIT_KERNELS_LORA_WIDEEXPAND_CUH
