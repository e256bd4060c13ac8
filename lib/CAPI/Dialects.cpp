//===- Dialects.cpp -------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The handle of Frit's dialect. MLIR's macro would make one that registers the
// dialect alone, which passes cannot use.
//
//===----------------------------------------------------------------------===//

#include "frit-c/Dialects.h"

#include "frit/InitAll.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Registration.h"
#include "mlir/CAPI/Support.h"

using namespace mlir;

static void registerInto(DialectRegistry &registry) {
  frit::registerDialect(registry);
  frit::registerCudaKernels(registry);
}

static void insertDialect(MlirDialectRegistry registry) {
  registerInto(*unwrap(registry));
}

static MlirDialect loadDialect(MlirContext context) {
  DialectRegistry registry;
  registerInto(registry);
  unwrap(context)->appendDialectRegistry(registry);
  return wrap(static_cast<Dialect *>(
      unwrap(context)->getOrLoadDialect<frit::FritDialect>()));
}

static MlirStringRef getNamespace() {
  return wrap(frit::FritDialect::getDialectNamespace());
}

MlirDialectHandle mlirGetDialectHandle__frit__(void) {
  static MlirDialectRegistrationHooks hooks = {insertDialect, loadDialect,
                                               getNamespace};
  return MlirDialectHandle{&hooks};
}
