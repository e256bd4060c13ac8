//===- RaiseActivations.cpp -----------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The list of the patterns that find gated activations.
//
//===----------------------------------------------------------------------===//

#include "Raiser.h"

void mlir::frit::populateRaiseActivationPatterns(RaisePatternList &patterns) {}
