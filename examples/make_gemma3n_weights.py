#!/usr/bin/env python3
# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes random weights and inputs for gemma3n_mlp_lora.mlir, scaled as a trained model's are.

A projection over K inputs has entries of standard deviation 1/sqrt(K), so that activations keep the order of 1 from layer
to layer. The file has the tensors that the example's attributes frit.tensor name, and `x` and `ids` for some tokens.
"""

import argparse
import pathlib

import ml_dtypes
import numpy as np
from safetensors.numpy import save_file

HIDDEN, WIDTH, ADAPTERS, RANK = 2048, 8192, 4, 16


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("output", type=pathlib.Path, help="the .safetensors file to write")
    parser.add_argument("--tokens", type=int, default=64, help="tokens of x and ids (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=0, help="seed of the random numbers (default: %(default)s)")
    args = parser.parse_args()
    generator = np.random.default_rng(args.seed)

    def normal(*shape, inputs=1):
        values = generator.standard_normal(shape, dtype=np.float32) / np.sqrt(np.float32(inputs))
        return values.astype(ml_dtypes.bfloat16)

    tensors = {
        "mlp.gate_up_proj.weight": normal(HIDDEN, 2 * WIDTH, inputs=HIDDEN),
        "mlp.down_proj.weight": normal(WIDTH, HIDDEN, inputs=WIDTH),
        "x": normal(args.tokens, HIDDEN),
        # One token in five has no adapter.
        "ids": generator.integers(-1, ADAPTERS, args.tokens, dtype=np.int32),
    }
    for name, inputs, outputs in (("gate", HIDDEN, WIDTH), ("up", HIDDEN, WIDTH), ("down", WIDTH, HIDDEN)):
        tensors[f"mlp.{name}_proj.lora_A"] = normal(ADAPTERS, RANK, inputs, inputs=inputs)
        tensors[f"mlp.{name}_proj.lora_B"] = normal(ADAPTERS, outputs, RANK, inputs=RANK)
    args.output.parent.mkdir(parents=True, exist_ok=True)
    partial = args.output.with_name(args.output.name + ".partial")
    save_file(tensors, partial)
    partial.replace(args.output)


if __name__ == "__main__":
    main()
