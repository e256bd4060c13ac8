//===- Check.h --------------------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What every library's matmul is refused for.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_LIB_RUNTIME_MATMUL_CHECK_H
#define FRIT_LIB_RUNTIME_MATMUL_CHECK_H

#include "Shape.h"

#include "Cuda/Reporter.h"

namespace frit::runtime {

/// Reports a descriptor that is malformed, and the lack of one or of operands.
FritStatus checkMatmul(FritContext *context, const FritMatmulDescriptor *matmul,
                       const FritMatmulOperands *operands);

/// Reports sizes that no library takes.
FritStatus checkMatmulSizes(const cuda::Reporter &reporter,
                            const FritMatmulOperands &operands);

/// Reports operands of a matmul with elements that lack a matrix, and strides
/// that contradict the sizes.
FritStatus checkMatmulOperands(const cuda::Reporter &reporter,
                               const MatmulShape &shape,
                               const FritMatmulOperands &operands);

} // namespace frit::runtime

#endif // FRIT_LIB_RUNTIME_MATMUL_CHECK_H
