#!/usr/bin/env bash
# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The main job, on a fresh Debian 12 machine too: installs what is needed, builds
# the tools, and runs a Gemma3n MLP with LoRA: the choice of kernels, the check
# against the native reference, and the timing. Then it runs a graph exported
# from PyTorch against PyTorch's own result. A second run takes seconds.
set -euo pipefail
cd "$(dirname "$0")/.."

scripts/install-dependencies.sh
scripts/build.sh frit-opt frit-run
export PATH="$PWD/build/dev/bin:$PATH"
weights=build/demo/gemma3n_mlp_lora.safetensors
[[ -f $weights ]] || build/venv/bin/python3 examples/make_gemma3n_weights.py "$weights"

say() { printf '\n== %s\n' "$*"; }

say "the kernels that Frit knows"
frit-opt --frit-list-kernels

say "a Gemma3n MLP with LoRA: hidden 2048, d 8192, four adapters, bf16, 64 tokens"
arguments=(examples/gemma3n_mlp_lora.mlir --weights="$weights"
  --input="@$weights#x" --input="@$weights#ids")
echo "Sums in another order move some values of h across a rounding, and a value of y is a sum of"
echo "8192 of them: hence an absolute tolerance. Relative errors are large where y is almost 0."
frit-run "${arguments[@]}" --explain --expect=native --atol=0.005

say "its timing"
frit-run "${arguments[@]}" --benchmark --benchmark-repetitions=10

say "Hugging Face's Gemma3n MLP, exported from PyTorch with its weights, f32"
echo "The exporter writes 0.797724 for sqrt(2/pi) = 0.797884561 in tanh GELU, so the graph as"
echo "it is written differs from PyTorch by up to 2e-5 here: hence the tolerance."
frit-run examples/gemma3n_mlp_exported.mlir --weights=examples/gemma3n_mlp_exported.safetensors \
  --expect=@examples/gemma3n_mlp_exported.safetensors --atol=2e-5 --exact-zero-mask
