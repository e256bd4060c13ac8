#!/usr/bin/env python3
# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Exports the MLPs of several Gemma3n layers from PyTorch as one graph.

The modules are transformers' Gemma3nTextMLP, with --rank as peft changes them, one behind the other with the residual
between them. torch.export and torch-mlir write the graph; nothing of Frit is in it. The arguments are x and the weights
under their own names. With --data, weights are made up, and a safetensors file gets them, x and PyTorch's own result;
without it no weight is made, whatever the sizes. Needs torch, transformers, peft and torch-mlir."""

import argparse
import pathlib
import re

import torch
from torch import nn
from torch_mlir import fx
from transformers import Gemma3nTextConfig
from transformers.models.gemma3n.modeling_gemma3n import Gemma3nTextMLP


class Layers(nn.Module):
    """Layers with their residuals, whose parameters are arguments of the call."""

    def __init__(self, layers):
        super().__init__()
        self.layers = nn.ModuleList(layers)

    def forward(self, x):
        for layer in self.layers:
            x = x + layer(x)
        return x


class Functional(nn.Module):
    """A module as a function of x and its parameters."""

    def __init__(self, module):
        super().__init__()
        self.module, self.names = [module], [name for name, _ in module.named_parameters()]

    def forward(self, x, *parameters):
        return torch.func.functional_call(self.module[0], dict(zip(self.names, parameters)), (x,))


def fold_quantile(config):
    """The quantile of the cutoff as a number: torch-mlir has no inverse error function."""
    quantile = torch.distributions.Normal(0, 1).icdf(torch.tensor(config.activation_sparsity_pattern[0])).item()
    torch.distributions.Normal.icdf = lambda self, probability: torch.tensor(quantile)


def make_layer(args, config, device):
    with torch.device(device):
        layer = Gemma3nTextMLP(config, layer_idx=0).to(getattr(torch, args.element))
        if args.rank:
            from peft import LoraConfig, get_peft_model

            adapters = LoraConfig(r=args.rank, lora_alpha=2 * args.rank, target_modules=["gate_proj", "up_proj", "down_proj"])
            layer = get_peft_model(layer, adapters, autocast_adapter_dtype=False).base_model.model
    return layer.eval()


def export(module, x):
    """The text of the graph, its arguments named by the attribute frit.tensor."""
    parameters = dict(module.named_parameters())
    shapes = {"x": {0: torch.export.Dim("tokens")}, "parameters": tuple(None for _ in parameters)}
    program = torch.export.export(Functional(module), (x, *parameters.values()), strict=False, dynamic_shapes=shapes)
    text = str(fx.export_and_import(program.run_decompositions(), output_type="linalg-on-tensors"))
    attributes = ['{frit.tensor = "x", frit.dims = ["tokens", ""]}', *(f'{{frit.tensor = "{name}"}}' for name in parameters)]
    line = re.search(r"func\.func @main\((.*?)\) -> ", text)
    arguments = re.findall(r"%arg\d+: [^,]+(?=, %arg|$)", line[1])
    named = ",\n    ".join(f"{argument} {attribute}" for argument, attribute in zip(arguments, attributes, strict=True))
    return f"{text[: line.start(1)]}\n    {named}{text[line.end(1) :]}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("output", type=pathlib.Path, help="the graph to write")
    parser.add_argument("--layers", type=int, default=2, help="(default: %(default)s)")
    parser.add_argument("--hidden", type=int, default=2048, help="of the model (default: %(default)s)")
    parser.add_argument("--width", type=int, default=8192, help="of the MLP: 8192 for E2B, 16384 for E4B (default: %(default)s)")
    parser.add_argument("--rank", type=int, default=0, help="of LoRA adapters (default: none)")
    parser.add_argument("--element", default="bfloat16", choices=["bfloat16", "float16", "float32"], help="(default: %(default)s)")
    parser.add_argument("--data", type=pathlib.Path, help="the safetensors file to write: weights, x and PyTorch's result")
    parser.add_argument("--tokens", type=int, default=11, help="of that x (default: %(default)s)")
    args = parser.parse_args()
    config = Gemma3nTextConfig(hidden_size=args.hidden, intermediate_size=args.width, num_hidden_layers=1, activation_sparsity_pattern=[0.95],
                               layer_types=["full_attention"], num_kv_shared_layers=0)
    fold_quantile(config)
    module = Layers([make_layer(args, config, "cpu" if args.data else "meta") for _ in range(args.layers)])
    generator = torch.Generator().manual_seed(0)
    x = torch.randn(args.tokens, args.hidden, generator=generator).to(getattr(torch, args.element))
    if args.data:
        from safetensors.torch import save_file

        for parameter in module.parameters():
            values = torch.randn(parameter.shape, generator=generator) / parameter.shape[-1] ** 0.5
            parameter.data = values.to(parameter.dtype)
        with torch.no_grad():
            tensors = {"x": x, "y": module(x), **{name: tensor.detach() for name, tensor in module.named_parameters()}}
        save_file(tensors, args.data, {"torch": torch.__version__})
    args.output.write_text(export(module, x if args.data else x.to("meta")))


if __name__ == "__main__":
    main()
