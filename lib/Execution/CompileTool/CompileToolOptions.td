//===- CompileToolOptions.td -------------------------------*- tablegen -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The options of frit-compile.
//
//===----------------------------------------------------------------------===//

include "ToolOptions.td"

def output : JoinedOrSeparate<["-"], "o">,
             MetaVarName<"FILE">,
             HelpText<"Where the output goes; - for standard output. With more "
                      "than one kind: a stem that gets the suffix of each "
                      "(.o, .h, .so, .ptx, .ll, .mlirbc, "
                      ".safetensors)">;
defm emit : Value<"emit", "KIND[,KIND...]",
                  "What to write: obj (default), header, so, ptx, llvm, mlirbc, "
                  "weights. May be repeated. With weights the large constants "
                  "are in that file, a safetensors file, and not in the code">;
defm weights_from
    : Value<"weights-from", "BYTES",
            "The size from which on --emit=weights takes constants out of the "
            "code (default: 65536)">;
defm target
    : Value<"target", "cpu[+onednn][:MARCH]|cuda[:N]|cuda:sm_XX[,sm_YY...]",
            "What the code is for (default: cpu). MARCH is LLVM's name of a "
            "processor, x86-64-v3 or znver3, or native for this one; without "
            "it, the oldest of the architecture. N is the number of a device "
            "of this machine. Of several architectures the device's is called">;
defm host_march : Value<"host-march", "MARCH",
                        "The processor of the host's part of code for a GPU, as "
                        "in --target (default: the oldest of the architecture)">;
defm prefix : Value<"prefix", "NAME",
                    "What exported names begin with (default: the name of the "
                    "output)">;
defm entry : Value<"entry", "NAME",
                   "A function to export, may be repeated (default: all public "
                   "ones with a body)">;
defm policy
    : Value<"policy", "POLICY",
            "Which kernels may be picked: auto (default), native, "
            "require=PROVIDER or batch-invariant">;
defm without
    : Value<"without", "PASS,...",
            "Leave out passes that make code faster and nothing else, may be "
            "repeated: frit-transpose-weights, frit-form-matmuls, "
            "frit-form-sparse-ffn, frit-group-tokens, "
            "frit-form-lora-activations, frit-sink-groupings, "
            "frit-plan-scratch or frit-launch-early">;
def assume_finite_weights
    : Flag_<"assume-finite-weights",
            "No weight is an infinity or NaN: sparse feed-forward networks leave "
            "out products with zeros, where that is estimated to be faster">;
def transpose_weights
    : Flag_<"transpose-weights",
            "Arguments that are weights may be taken transposed, where that is "
            "estimated to be faster: a line for each says which. The caller "
            "transposes them, once">;
defm toolkit : Value<"toolkit", "DIR",
                     "The CUDA Toolkit whose ptxas compiles generated kernels "
                     "(default: CUDA_HOME, CUDA_PATH, the one of ptxas in "
                     "PATH, /usr/local/cuda)">;
defm linker : Value<"linker", "PROGRAM",
                    "The C compiler's driver that links --emit=so (default: cc, "
                    "else clang or gcc)">;
def verify : Flag_<"verify", "Check at run time what types leave open: "
                             "sizes that must agree, ids, true ranks, indices">;
def no_parallel : Flag_<"no-parallel",
                        "Run the loops of code for a CPU in order, on the "
                        "calling thread">;
