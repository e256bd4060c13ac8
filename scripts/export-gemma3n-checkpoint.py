#!/usr/bin/env python3
# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes a small Gemma3n checkpoint, two PEFT adapters and exported graphs of its MLP into FOLDER.

Everything is made by the libraries whose files Frit reads. transformers' Gemma3nForCausalLM with random weights and a
small configuration saves itself in two shards with an index; peft saves two adapters with different ranks, factors and
modules; torch-mlir exports the MLP of layer 0, alone and with the adapters, with the tensors' own names as attributes
frit.tensor of the arguments. x.npy, ids.npy, base.npy and adapters.npy are inputs and PyTorch's own results. Needs torch,
transformers, peft and torch-mlir, which the tests do not.
"""

import argparse
import pathlib
import re

import numpy as np
import torch
from peft import LoraConfig, get_peft_model
from torch import nn
from torch_mlir import fx
from transformers import Gemma3nForCausalLM, Gemma3nTextConfig

TOKENS = 11
PROJECTIONS = ("gate_proj", "up_proj", "down_proj")
LAYER = "model.layers.0.mlp"
CONFIG = {
    "vocab_size": 16,
    "vocab_size_per_layer_input": 16,
    "hidden_size": 32,
    "hidden_size_per_layer_input": 4,
    "intermediate_size": [96, 96],
    "num_hidden_layers": 2,
    "num_attention_heads": 2,
    "num_key_value_heads": 1,
    "head_dim": 8,
    "num_kv_shared_layers": 0,
    "altup_num_inputs": 2,
    "laurel_rank": 2,
    "activation_sparsity_pattern": [0.95, 0.0],
    "layer_types": ["sliding_attention", "full_attention"],
}
# The second has another rank and factor for one module, leaves one module out, and is rank-stabilized.
ADAPTERS = {
    "first": LoraConfig(r=4, lora_alpha=8, target_modules=list(PROJECTIONS)),
    "second": LoraConfig(
        r=8,
        lora_alpha=6,
        use_rslora=True,
        target_modules=["gate_proj", "down_proj"],
        rank_pattern={r"layers\.0\.mlp\.down_proj": 3},
        alpha_pattern={"down_proj": 5},
    ),
}


def randomize(parameters, generator):
    """Random weights scaled as a trained model's are. Adapters would start as zeros, which test nothing."""
    for parameter in parameters:
        values = torch.randn(parameter.shape, generator=generator) / parameter.shape[-1] ** 0.5
        parameter.data.copy_(values)


def fold_quantile():
    """The cutoff's quantile as a constant: torch-mlir has no inverse error function."""
    value = torch.distributions.Normal(0, 1).icdf(torch.tensor(CONFIG["activation_sparsity_pattern"][0])).item()
    torch.distributions.Normal.icdf = lambda self, probability: torch.tensor(value)


class Mlp(nn.Module):
    """The MLP of one layer with its weights as arguments."""

    def __init__(self, mlp):
        super().__init__()
        self.mlp = [mlp]

    def forward(self, x, *weights):
        names = [f"{name}.weight" for name in PROJECTIONS]
        return torch.func.functional_call(self.mlp[0], dict(zip(names, weights)), (x,))


class GatheredLora(nn.Module):
    """A projection as an engine computes it eagerly: each row gathers its own adapter, an id below 0 means none."""

    def forward(self, x, ids, weight, a, b, scales):
        y = nn.functional.linear(x, weight)
        known = ids.clamp(min=0).long()
        h = torch.bmm(a[known], x.unsqueeze(-1))
        delta = torch.bmm(b[known], h).squeeze(-1) * scales[known].unsqueeze(-1)
        return torch.where((ids >= 0).unsqueeze(-1), y + delta, y)


class MlpWithAdapters(nn.Module):
    """The class's own MLP over gathered projections."""

    def __init__(self, mlp):
        super().__init__()
        self.mlp = [mlp]

    def forward(self, x, ids, *weights):
        project, mlp = GatheredLora(), self.mlp[0]
        gate = project(x, ids, *weights[0:4])
        up = project(x, ids, *weights[4:8])
        return project(mlp.act_fn(mlp._gaussian_topk(gate)) * up, ids, *weights[8:12])


def write_graph(path, module, inputs, weights, dynamic):
    """The exported graph, whose arguments have the names of `inputs` (with a dimension "tokens") and of `weights`."""
    tokens = torch.export.Dim("tokens")
    shapes = [{0: tokens} for _ in inputs] + dynamic
    program = torch.export.export(module, (*inputs.values(), *(tensor for _, tensor in weights)), strict=False,
                                  dynamic_shapes=(*shapes[: len(inputs)], tuple(shapes[len(inputs) :])))
    graph = str(fx.export_and_import(program.run_decompositions(), output_type="linalg-on-tensors"))
    attributes = []
    for index, (name, tensor) in enumerate([*inputs.items(), *weights]):
        dims = '["tokens"' + ', ""' * (tensor.dim() - 1) + "]"
        attributes.append(f'{{frit.tensor = "{name}"' + (f", frit.dims = {dims}}}" if index < len(inputs) else "}"))
    line = re.search(r"func\.func @main\((.*?)\) -> ", graph)
    arguments = re.findall(r"%arg\d+: [^,]+(?=, %arg|$)", line[1])
    named = ", ".join(f"{argument} {attribute}" for argument, attribute in zip(arguments, attributes, strict=True))
    path.write_text(graph[: line.start(1)] + named + graph[line.end(1) :])


def save_adapters(folder, model, generator):
    """The model with both adapters, which are saved into a folder each."""
    names = list(ADAPTERS)
    model = get_peft_model(model, ADAPTERS[names[0]], adapter_name=names[0])
    for name in names[1:]:
        model.add_adapter(name, ADAPTERS[name])
    randomize((parameter for name, parameter in model.named_parameters() if "lora_" in name), generator)
    model.save_pretrained(folder)
    (folder / "README.md").unlink()
    return model.eval()


def stack(mlp, projection):
    """A, B and the scales of one projection with both adapters, as zeros where an adapter does not have it."""
    layer = getattr(mlp, projection)
    base = layer.base_layer.weight if hasattr(layer, "base_layer") else layer.weight
    rank = max(config.r for config in ADAPTERS.values())
    a = torch.zeros(len(ADAPTERS), rank, base.shape[1])
    b = torch.zeros(len(ADAPTERS), base.shape[0], rank)
    scales = torch.zeros(len(ADAPTERS))
    for index, name in enumerate(ADAPTERS):
        if name in layer.lora_A:
            r = layer.r[name]
            a[index, :r] = layer.lora_A[name].weight.detach()
            b[index, :, :r] = layer.lora_B[name].weight.detach()
            scales[index] = layer.scaling[name]
    return [base.detach(), a, b, scales]


def run_row(model, mlp, row, index):
    """peft's own result for a row with one adapter, or with none."""
    if index < 0:
        with model.disable_adapter():
            return mlp(row)
    model.set_adapter(list(ADAPTERS)[index])
    return mlp(row)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path, metavar="FOLDER")
    args = parser.parse_args()
    args.folder.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(0)
    generator = torch.Generator().manual_seed(6)

    model = Gemma3nForCausalLM(Gemma3nTextConfig(**CONFIG)).eval()
    randomize((parameter for parameter in model.parameters() if parameter.dim() == 2), generator)
    model.save_pretrained(args.folder / "model", max_shard_size="60KB")
    mlp = model.model.layers[0].mlp
    fold_quantile()
    x = torch.randn(TOKENS, CONFIG["hidden_size"], generator=generator)
    ids = torch.randint(-1, len(ADAPTERS), (TOKENS,), generator=generator, dtype=torch.int32)
    weights = [(f"{LAYER}.{name}.weight", getattr(mlp, name).weight.detach()) for name in PROJECTIONS]
    write_graph(args.folder / "base.mlir", Mlp(mlp), {"x": x}, weights, [None] * len(weights))
    with torch.no_grad():
        np.save(args.folder / "base.npy", mlp(x).numpy())

    model = save_adapters(args.folder / "adapters", model, generator)
    mlp = model.base_model.model.model.layers[0].mlp
    weights, dynamic = [], []
    for name in PROJECTIONS:
        suffixes = ".weight", ".lora_A", ".lora_B", ".lora_scales"
        weights += [(f"{LAYER}.{name}{suffix}", tensor) for suffix, tensor in zip(suffixes, stack(mlp, name))]
    dynamic = [None] * len(weights)
    write_graph(args.folder / "adapters.mlir", MlpWithAdapters(mlp), {"x": x, "ids": ids}, weights, dynamic)
    with torch.no_grad():
        result = torch.cat([run_row(model, mlp, x[i : i + 1], index) for i, index in enumerate(ids.tolist())])
    np.save(args.folder / "x.npy", x.numpy())
    np.save(args.folder / "ids.npy", ids.numpy())
    np.save(args.folder / "adapters.npy", result.numpy())


if __name__ == "__main__":
    main()
