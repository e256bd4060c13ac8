//===- RunnerOptions.td ------------------------------------*- tablegen -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The options of frit-run.
//
//===----------------------------------------------------------------------===//

include "ToolOptions.td"

defm entry
    : Value<
          "entry", "NAME",
          "The function to run (default: @main, or the only public function)">;
defm target : Value<"target", "cpu[+onednn][:MARCH]|cuda[:N]|cuda:sm_XX",
                    "Where to run (default: cuda if there is a device, else "
                    "cpu). MARCH is LLVM's name of a processor whose "
                    "code this machine can execute: x86-64-v3, znver3, ... N "
                    "is the number of a device; sm_XX an architecture, to "
                    "--dump code for it">;
defm toolkit : Value<"toolkit", "DIR",
                     "The CUDA Toolkit whose ptxas compiles generated kernels "
                     "(default: CUDA_HOME, CUDA_PATH, the one of ptxas in "
                     "PATH, /usr/local/cuda)">;
def list_devices : Flag_<"list-devices", "Show the CUDA devices">;
def cuda_graph
    : Flag_<"cuda-graph", "Capture the call into a CUDA graph and run that">;
defm policy : Value<"policy", "POLICY",
                    "Which kernels may be picked: auto (default), native, "
                    "require=PROVIDER or "
                    "batch-invariant">;

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
            "Where --dump writes code, it takes those weights transposed that it "
            "reads faster so, and says which. Code that runs takes them so "
            "anyway: they are transposed once, when they are loaded">;

defm raise : Value<"raise", "exact|framework|fast",
                   "Put Frit's ops in place of what exporters write for them: "
                   "where they compute what the graph does (exact), what "
                   "PyTorch does for its source (framework), or with fewer "
                   "roundings (fast). Without it the graph runs as it is">;

defm input : Value<"input", "[ARGUMENT=][TYPE=]SOURCE",
                   "The source of an argument. ARGUMENT is argN, or the name "
                   "in the argument's "
                   "attribute frit.tensor; without it the next argument that "
                   "has no source. "
                   "TYPE is like 4x4096xbf16 or f32. SOURCE is random (floats: "
                   "standard normal, "
                   "integers: [-8,8)), random[LOW,HIGH) (uniform between "
                   "two integers), zeros, ones, a number, "
                   "@FILE.npy or @FILE.safetensors#KEY">;
defm fill : Value<"fill", "SOURCE",
                  "The source of every argument that has no other: random, "
                  "random[LOW,HIGH), zeros, ones or a "
                  "number">;
defm weights : Value<"weights", "FILE|DIR",
                     "Binds arguments to the tensors that their attributes "
                     "frit.tensor name: of a safetensors file, or of several "
                     "with an index, given as model.safetensors.index.json or "
                     "the folder that has it. For a function without such "
                     "attributes: tensor in.N or argN to argument N, else "
                     "all tensors in order to all arguments that are left. May "
                     "be repeated">;
defm adapter : Value<"adapter", "[NAME=]DIR",
                     "A LoRA adapter as peft saves it (adapter_config.json, "
                     "adapter_model.safetensors). Ids count from 0 in the "
                     "order of these options. Binds the arguments whose "
                     "attribute frit.tensor is MODULE.lora_A, MODULE.lora_B, "
                     "MODULES.lora_ranks or MODULES.lora_scales. May be "
                     "repeated">;
defm dim : Value<"dim", "NAME=SIZE",
                 "The size of a dynamic dimension. NAME is from the attribute "
                 "frit.dims, or "
                 "argN.D for dimension D of argument N">;
defm seed : Value<"seed", "INTEGER",
                  "Seed of random inputs, always printed (default: 0)">;
defm threads
    : Value<"threads", "N",
            "Threads of parallel loops (default: 0, what OpenMP would use)">;

defm output
    : Value<"output", "@FILE",
            "Where a result goes, one option for each in order: @FILE.npy or "
            "@FILE.safetensors#KEY. A file is written whole or not at all">;
defm expect
    : Value<
          "expect", "WHAT",
          "What a result must equal, one option for each in order: @FILE.npy, "
          "@FILE.safetensors#KEY, or native, the same function through "
          "frit-native-reference. Alone, native stands for all results, and "
          "@FILE.safetensors for its tensors out.0, out.1, ...">;
defm rtol : Value<"rtol", "NUMBER",
                  "Relative tolerance (default: f64 1e-7, f32 1.3e-6, f16 "
                  "1e-3, bf16 1.6e-2, "
                  "integers 0)">;
defm atol : Value<"atol", "NUMBER",
                  "Absolute tolerance (default: f64 1e-7, other floats 1e-5, "
                  "integers 0)">;
def exact_zero_mask
    : Flag_<"exact-zero-mask",
            "Results must also be zero exactly where the expected ones are">;
def print : Flag_<"print", "Print the results">;
def explain : Flag_<"explain", "Print for each op the picked kernel, and why "
                               "each other candidate was not; what --raise "
                               "found, or, without it, where the graph "
                               "differs from PyTorch">;

defm dump_kind : Value<"dump", "mlir|llvm|ptx|obj",
                       "Compile only, and write the module in LLVM's dialect, "
                       "optimized LLVM IR, the PTX of generated kernels, or "
                       "an object file">;
defm dump_output : Value<"dump-output", "FILE",
                         "Where --dump writes (default: -, standard output)">;

def verify : Flag_<"verify", "Check at run time what types leave open: "
                             "sizes that must agree, ids, true ranks, indices">;

def benchmark : Flag_<"benchmark", "Time calls with warm and with cold caches">;
defm benchmark_output : Value<"benchmark-output", "FILE",
                              "Write the times as JSON (- for standard "
                              "output); implies --benchmark">;
defm benchmark_repetitions
    : Value<"benchmark-repetitions", "N", "Samples of each kind (default: 50)">;
