//===- KernelLaunch.h - How a kernel is launched ----------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Launch plans and argument plans of hand-written kernels: grid, block,
// cluster, shared memory and arguments as functions of the sizes of an op.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_KERNELS_KERNELLAUNCH_H
#define FRIT_KERNELS_KERNELLAUNCH_H

#include "frit/Dialect/Frit/IR/Frit.h"

#include <array>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace mlir::frit {

/// What plans are written over: the sizes of an op under their names, the
/// numbers that selection fixed as parameters of the kernel, the device's
/// number of multiprocessors and the bytes of an element. All are symbols of
/// the same expressions, or constants where they are known.
class KernelPlanSizes {
public:
  /// Of an op. The multiprocessors are the symbol after those of the shape.
  KernelPlanSizes(const KernelShape &shape, int64_t elementBytes,
                  DictionaryAttr params, MLIRContext *context);

  /// Of no op in particular, for listings: every name is a symbol.
  explicit KernelPlanSizes(MLIRContext *context) : context(context) {}

  /// The size or parameter `name`. One that is not there is a constant, and
  /// noted in `getUnknown`.
  AffineExpr operator()(StringRef name) const;
  AffineExpr getMultiprocessors() const { return get("multiprocessors"); }
  AffineExpr getElementBytes() const;
  AffineExpr getConstant(int64_t value) const {
    return getAffineConstantExpr(value, context);
  }

  unsigned getMultiprocessorsPosition() const { return names.size() - 1; }
  ArrayRef<std::string> getUnknown() const { return unknown; }

  /// An expression as text, with names for the symbols.
  std::string str(AffineExpr expr) const;

private:
  AffineExpr get(StringRef name) const;

  MLIRContext *context;
  bool isOfOp = false;
  int64_t elementBytes = 0;
  DictionaryAttr params;
  /// By number of symbol.
  mutable SmallVector<std::string> names;
  mutable SmallVector<std::string> unknown;
};

/// A number of a plan: the smallest of its expressions, but no less than
/// `least` where that is there. Absent without any.
struct KernelPlanValue {
  SmallVector<AffineExpr, 1> expressions;
  AffineExpr least = {};

  KernelPlanValue() = default;
  KernelPlanValue(AffineExpr expr) : expressions({expr}) {}
  KernelPlanValue(std::initializer_list<AffineExpr> minimum,
                  AffineExpr least = {})
      : expressions(minimum), least(least) {}

  bool isAbsent() const { return expressions.empty(); }
};

/// How a kernel is launched. What is absent is 1, and 0 for shared memory.
struct KernelLaunchPlan {
  std::array<KernelPlanValue, 3> grid, block;
  /// Absent, or of one block, where the kernel needs no cluster. Divides the
  /// grid.
  std::array<KernelPlanValue, 3> cluster = {};
  /// In bytes.
  KernelPlanValue dynamicSharedMemory = {};
  /// The kernel may start before the one ahead of it has ended, and waits for
  /// that itself.
  bool isProgrammatic = false;

  bool usesSymbol(unsigned position) const;
  /// "grid (T, 1, 1), block (128, 1, 1)", for listings.
  std::string str(const KernelPlanSizes &sizes) const;
};

/// One argument of a kernel.
struct KernelArgument {
  enum class Kind {
    /// Address of an element of an operand.
    Pointer,
    /// A number of a plan, as i64.
    Size,
    /// Distance in elements of an operand's dimension, as i64.
    Stride,
    /// A number that is known: an attribute of the op.
    Constant,
    /// Address of a byte of the entry's scratch memory.
    Workspace,
  };

  Kind kind;
  unsigned operand = 0;
  /// The dimension that a stride belongs to.
  int64_t dim = 0;
  /// Of a pointer the element it points to, of the workspace the byte; null
  /// for the first.
  AffineExpr offset = {};
  /// Of a size.
  KernelPlanValue value = {};
  TypedAttr constant = {};

  static KernelArgument pointer(unsigned operand, AffineExpr element = {}) {
    return {Kind::Pointer, operand, 0, element};
  }
  static KernelArgument size(KernelPlanValue value) {
    return {Kind::Size, 0, 0, {}, std::move(value)};
  }
  static KernelArgument stride(unsigned operand, int64_t dim) {
    return {Kind::Stride, operand, dim};
  }
  static KernelArgument number(TypedAttr constant) {
    return {Kind::Constant, 0, 0, {}, {}, constant};
  }
  static KernelArgument workspace(AffineExpr byte = {}) {
    return {Kind::Workspace, 0, 0, byte};
  }
};

/// One launch of an entry.
struct KernelStep {
  std::function<KernelLaunchPlan(const KernelPlanSizes &)> launchPlan = {};
  /// The arguments, in order.
  std::function<std::vector<KernelArgument>(KernelOpInterface,
                                            const KernelPlanSizes &)>
      argumentPlan = {};
  /// The name of the kernel's function in the image.
  std::function<std::string(KernelOpInterface)> function = {};

  bool isComplete() const { return launchPlan && argumentPlan && function; }
};

} // namespace mlir::frit

#endif // FRIT_KERNELS_KERNELLAUNCH_H
