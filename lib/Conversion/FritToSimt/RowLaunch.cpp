//===- RowLaunch.cpp ------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Chooses how many threads share a row, and builds the launch.
//
//===----------------------------------------------------------------------===//

#include "RowKernel.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

#include "llvm/Support/MathExtras.h"

namespace mlir::frit {

TeamShape TeamShape::get(int64_t columns, Type elementType) {
  /// The largest team, and the one for rows of unknown length.
  constexpr int64_t maxTeam = 512, unknownTeam = 256;
  /// Pieces of a thread before the team grows to the largest.
  constexpr int64_t fewPieces = 2;
  /// What a thread may hold of a row: a quarter of its registers.
  constexpr int64_t maxHeldColumns = 32;
  /// Pieces at a time where it does not hold the row.
  constexpr int64_t loopBatch = 4;

  int64_t pieceColumns = getPieceLength(elementType);
  if (ShapedType::isDynamic(columns))
    return {unknownTeam,        /*blockRows=*/1,   pieceColumns, loopBatch,
            /*holdsRow=*/false, /*hasPieces=*/true};
  int64_t pieces = columns / pieceColumns;
  int64_t wanted = std::max<int64_t>(llvm::divideCeil(pieces, fewPieces), 1);
  int64_t team =
      std::clamp<int64_t>(llvm::PowerOf2Ceil(wanted), warpSize, maxTeam);
  int64_t blockRows = team == warpSize ? 4 : 1;
  int64_t batch = std::max<int64_t>(llvm::divideCeil(pieces, team), 1);
  bool holdsRow = batch * pieceColumns <= maxHeldColumns;
  return {team,         blockRows,
          pieceColumns, holdsRow ? batch : loopBatch,
          holdsRow,     /*hasPieces=*/pieces > 0};
}

/// The workgroup buffers of a launch.
static SmallVector<Type> getBufferTypes(MLIRContext *context,
                                        const TeamShape &shape,
                                        int64_t numBuffers) {
  if (shape.getNumWarps() == 1)
    return {};
  auto type = MemRefType::get(
      shape.getNumWarps(), Float32Type::get(context),
      MemRefLayoutAttrInterface(),
      gpu::AddressSpaceAttr::get(context, gpu::AddressSpace::Workgroup));
  return SmallVector<Type>(numBuffers, type);
}

void buildRowLaunch(NumericsBuilder &numerics, ImplicitLocOpBuilder &builder,
                    ArrayRef<RowSlice> slices, int64_t numBuffers,
                    llvm::function_ref<void(RowKernel &kernel, ValueRange rows,
                                            ValueRange buffers)>
                        body) {
  Location loc = builder.getLoc();
  const RowSlice &front = slices.front();
  Type elementType = cast<MemRefType>(front.memref.getType()).getElementType();
  TeamShape shape = TeamShape::get(
      getConstantIntValue(front.size).value_or(ShapedType::kDynamic),
      elementType);
  VectorEmitter emit(builder, shape.pieceColumns);
  SmallVector<OpFoldResult> leading = front.getLeadingSizes(builder, loc);
  Value rows = buildRowCount(builder, loc, leading);
  Value columns = getValueOrCreateConstantIndexOp(builder, loc, front.size);
  Value one = emit.index(1);

  auto buildLaunch = [&](bool isWide) {
    auto launch = gpu::LaunchOp::create(
        builder, emit.ceilDiv(rows, shape.blockRows), one, one,
        emit.index(shape.teamSize), emit.index(shape.blockRows), one,
        /*dynamicSharedMemorySize=*/Value(), /*asyncTokenType=*/Type(),
        /*asyncDependencies=*/ValueRange(),
        getBufferTypes(builder.getContext(), shape, numBuffers));
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(&launch.getBody().front());
    SmallVector<Value> buffers(launch.getWorkgroupAttributions());
    buffers.resize(numBuffers);
    auto buildTeam = [&](Value row) {
      RowKernel kernel(numerics, builder, shape, isWide, columns,
                       launch.getThreadIds().x, elementType);
      body(kernel, buildRowViews(builder, loc, slices, leading, row), buffers);
    };
    Value block = launch.getBlockIds().x;
    if (shape.blockRows == 1) {
      buildTeam(block);
    } else {
      Value row =
          emit.add(emit.mul(block, shape.blockRows), launch.getThreadIds().y);
      emit.ifThen(emit.less(row, rows), [&] { buildTeam(row); });
    }
    gpu::TerminatorOp::create(builder);
  };
  if (!shape.hasPieces)
    return buildLaunch(/*isWide=*/false);
  auto areAligned = llvm::map_to_vector(slices, [&](const RowSlice &slice) {
    return buildIsAligned(emit, slice.memref, slice.offset);
  });
  buildWideOrNot(emit, areAligned, buildLaunch);
}

} // namespace mlir::frit
