//===- GpuToRuntime.h - Device work as calls of the runtime -----*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The parts of convert-gpu-to-frit-runtime: constant data of the module that
// describes kernels and constants, and the calls that use it.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_LIB_CONVERSION_GPUTORUNTIME_GPUTORUNTIME_H
#define FRIT_LIB_CONVERSION_GPUTORUNTIME_GPUTORUNTIME_H

#include "../RuntimeCalls/RuntimeCalls.h"
#include "../Utils/StackBuffer.h"

#include "frit/Dialect/Frit/IR/Frit.h"

#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace mlir::frit {

/// Constant data of a module: descriptors as the runtime takes them, and what
/// they point to. Each is made once.
class DeviceData {
public:
  explicit DeviceData(SymbolTable &symbolTable) : symbolTable(symbolTable) {}

  /// The FritKernelDescriptor of `function` in `binary`. Errors: a binary
  /// without a #frit.image, or of an image that this build does not have.
  FailureOr<LLVM::GlobalOp> getKernel(gpu::BinaryOp binary, StringRef function,
                                      StringRef id, Operation *user);

  /// The FritConstantDescriptor of a constant. Errors: one that is not
  /// constant, or has no value.
  FailureOr<LLVM::GlobalOp> getConstant(memref::GlobalOp constant,
                                        const LLVMTypeConverter &converter);

  /// The FritMatmulDescriptor of a matmul that a library runs, on the host or
  /// on the device.
  LLVM::GlobalOp getMatmul(MatmulOp op, bool onHost);

private:
  LLVM::GlobalOp getString(StringRef text, Location loc);
  /// The bytes of an image, which translation puts there.
  LLVM::GlobalOp getImage(gpu::BinaryOp binary, uint64_t size);
  LLVM::GlobalOp
  createDescriptor(StringRef name, Location loc,
                   ArrayRef<llvm::PointerUnion<Operation *, Attribute>> fields);

  SymbolTable &symbolTable;
  llvm::StringMap<LLVM::GlobalOp> strings;
  DenseMap<Attribute, LLVM::GlobalOp> kernels, matmuls;
  DenseMap<Operation *, LLVM::GlobalOp> images, constants;
};

/// A launch of a kernel through fritLaunchKernel.
LogicalResult convertLaunch(gpu::LaunchFuncOp op, DeviceData &data,
                            RuntimeCalls &runtime, StackBuffer &stack,
                            const LLVMTypeConverter &converter);

/// A matmul that a library runs through fritLibraryMatmul or, on the host,
/// through fritHostMatmul.
LogicalResult convertMatmul(MatmulOp op, bool onHost, DeviceData &data,
                            RuntimeCalls &runtime, StackBuffer &stack,
                            const LLVMTypeConverter &converter);

/// A copy of contiguous buffers through fritDeviceCopy.
LogicalResult convertCopy(memref::CopyOp op, RuntimeCalls &runtime,
                          const LLVMTypeConverter &converter);

/// The address of a constant through fritDeviceConstant.
LogicalResult convertConstant(memref::GetGlobalOp op, DeviceData &data,
                              RuntimeCalls &runtime,
                              const LLVMTypeConverter &converter);

} // namespace mlir::frit

#endif // FRIT_LIB_CONVERSION_GPUTORUNTIME_GPUTORUNTIME_H
