//===- Program.cpp --------------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The functions of the C API that ask a program.
//
//===----------------------------------------------------------------------===//

#include "Program.h"

#include "Failure.h"

using namespace mlir::frit;

void fritProgramDestroy(FritProgram *program) { delete program; }

const char *fritProgramTarget(const FritProgram *program) {
  return program ? program->target.c_str() : "";
}

int32_t fritProgramDevice(const FritProgram *program) {
  return program ? program->device : FRIT_NO_DEVICE;
}

int32_t fritProgramNumEntries(const FritProgram *program) {
  return program ? static_cast<int32_t>(program->entries.size()) : 0;
}

const FritEntry *fritProgramEntry(const FritProgram *program, int32_t index) {
  return index >= 0 && index < fritProgramNumEntries(program)
             ? program->entries[index]
             : nullptr;
}

const FritEntry *fritProgramFindEntry(const FritProgram *program,
                                      const char *name) {
  if (!program || !name) {
    (void)fail(FRIT_STATUS_INVALID_ARGUMENT,
               llvm::Twine("fritProgramFindEntry: '") +
                   (program ? "name" : "program") + "' is null");
    return nullptr;
  }
  for (const FritEntry *entry : program->entries)
    if (llvm::StringRef(entry->name) == name)
      return entry;
  std::string known;
  for (const FritEntry *entry : program->entries)
    known +=
        (known.empty() ? "it has '" : ", '") + std::string(entry->name) + "'";
  (void)fail(FRIT_STATUS_INVALID_ARGUMENT,
             llvm::Twine("the program has no entry '") + name + "'; " +
                 (known.empty() ? "it has none" : known));
  return nullptr;
}

int32_t fritProgramNumChoices(const FritProgram *program) {
  return program ? program->choices.size() : 0;
}

const FritChoice *fritProgramChoice(const FritProgram *program, int32_t index) {
  return program ? program->choices.getChoice(index) : nullptr;
}

const FritCandidate *fritProgramCandidate(const FritProgram *program,
                                          int32_t choice, int32_t candidate) {
  return program ? program->choices.getCandidate(choice, candidate) : nullptr;
}
