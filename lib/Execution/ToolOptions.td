//===- ToolOptions.td --------------------------------------*- tablegen -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The forms of options that tools have. LLVM's option library, because cl::opt
// has one set of names for a whole process, and LLVM's own take many of them.
//
//===----------------------------------------------------------------------===//

include "llvm/Option/OptParser.td"

class Flag_<string name, string help> : Flag<["--", "-"], name>, HelpText<help>;

// --name=VALUE and --name VALUE.
multiclass Value<string name, string metavar, string help> {
  def NAME : Joined<["--", "-"], name#"=">,
             MetaVarName<metavar>,
             HelpText<help>;
  def NAME#_separate : Separate<["--", "-"], name>, Alias<!cast<Joined>(NAME)>;
}

def help : Flag_<"help", "Show this text">;
def help_short : Flag<["-"], "h">, Alias<help>;
def version : Flag_<"version", "Show the versions of Frit and LLVM">;
