#!/usr/bin/env python3
# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Exports LoRA graphs from PyTorch into FOLDER, with PyTorch's own results.

Writes NAME.mlir and NAME.safetensors (in.N, out.N and the metadata of test/data/real) for forms of LoRA that peft's
plain Linear does not have: rank-stabilized scales, two adapters, q, k and v side by side, and an engine's gather of
each row's adapter. Needs torch, torch-mlir and safetensors.
"""

import argparse
import json
import pathlib

import torch
from safetensors.torch import save_file
from torch import nn
from torch_mlir import fx


class LoraLinear(nn.Module):
    """A Linear with adapters, computed in the order of peft's."""

    def __init__(self, inputs, outputs, adapters, dtype, bias=False):
        super().__init__()
        self.base = nn.Linear(inputs, outputs, bias=bias, dtype=dtype)
        self.a = nn.ModuleList(nn.Linear(inputs, r, bias=False, dtype=dtype) for r, _ in adapters)
        self.b = nn.ModuleList(nn.Linear(r, outputs, bias=False, dtype=dtype) for r, _ in adapters)
        self.scalings = [scaling for _, scaling in adapters]

    def forward(self, x):
        y = self.base(x)
        for a, b, scaling in zip(self.a, self.b, self.scalings):
            y = y + b(a(x)) * scaling
        return y


class PackedQkv(nn.Module):
    """Three projections of one input, each with its own adapter, side by side."""

    def __init__(self, dtype):
        super().__init__()
        self.q = LoraLinear(48, 32, [(8, 2.0)], dtype)
        self.k = LoraLinear(48, 16, [(8, 2.0)], dtype)
        self.v = LoraLinear(48, 16, [(8, 2.0)], dtype)

    def forward(self, x):
        return torch.cat([self.q(x), self.k(x), self.v(x)], dim=-1)


class GatheredLora(nn.Module):
    """An engine's eager form: each row has its own adapter, an id below 0 means none."""

    def __init__(self, dtype, adapters=3):
        super().__init__()
        self.base = nn.Linear(48, 40, bias=False, dtype=dtype)
        self.a = nn.Parameter(torch.randn(adapters, 4, 48).to(dtype) * 0.2)
        self.b = nn.Parameter(torch.randn(adapters, 40, 4).to(dtype) * 0.2)


class GatheredLoraSelect(GatheredLora):
    """The factor stands between the matmuls; rows without an adapter keep the layer's result."""

    def forward(self, x, ids):
        y = self.base(x)
        known = ids.clamp(min=0)
        h = torch.bmm(self.a[known], x.unsqueeze(-1))
        delta = torch.bmm(self.b[known], h * 0.7).squeeze(-1)
        return torch.where((ids >= 0).unsqueeze(-1), y + delta, y)


class GatheredLoraMask(GatheredLora):
    """The factor stands behind the matmuls; rows without an adapter add zeros."""

    def forward(self, x, ids):
        y = self.base(x)
        known = torch.maximum(ids, torch.zeros_like(ids))
        h = torch.bmm(x.unsqueeze(1), self.a[known].transpose(1, 2))
        delta = torch.bmm(h, self.b[known].transpose(1, 2)).squeeze(1) * 0.7
        return y + torch.where((ids >= 0)[:, None], delta, torch.zeros_like(delta))


RSLORA = 16 / 8**0.5
GRAPHS = {
    "lora_rslora_f32_dynamic": (lambda: LoraLinear(48, 40, [(8, RSLORA)], torch.float32), False),
    "lora_rslora_bf16_static": (lambda: LoraLinear(48, 40, [(8, RSLORA)], torch.bfloat16), False),
    "lora_two_adapters_bf16_dynamic": (
        lambda: LoraLinear(48, 40, [(4, 2.0), (8, RSLORA)], torch.bfloat16, bias=True),
        False,
    ),
    "lora_packed_qkv_f32_dynamic": (lambda: PackedQkv(torch.float32), False),
    "lora_gather_select_f32_dynamic": (lambda: GatheredLoraSelect(torch.float32), True),
    "lora_gather_mask_bf16_static": (lambda: GatheredLoraMask(torch.bfloat16), True),
}


class ByArguments(nn.Module):
    """A module whose parameters are arguments behind its inputs."""

    def __init__(self, module, num_inputs):
        super().__init__()
        self.module = [module]
        self.num_inputs = num_inputs

    def forward(self, *args):
        names = [name for name, _ in self.module[0].named_parameters()]
        parameters = dict(zip(names, args[self.num_inputs :]))
        return torch.func.functional_call(self.module[0], parameters, args[: self.num_inputs])


def make_inputs(rows, dtype, has_ids):
    x = torch.randn(rows, 48).to(dtype)
    return [x, torch.randint(-1, 3, (rows,))] if has_ids else [x]


def export(folder, name, make_module, has_ids, seed):
    torch.manual_seed(seed)
    module = make_module().eval()
    parameters = list(module.named_parameters())
    dtype = parameters[0][1].dtype
    is_dynamic = name.endswith("dynamic")
    sample = make_inputs(7, dtype, has_ids)
    wrapper = ByArguments(module, len(sample))
    weights = [parameter.detach() for _, parameter in parameters]
    rows = torch.export.Dim("rows")
    shapes = [{0: rows} if is_dynamic else None] * len(sample) + [None] * len(weights)
    program = torch.export.export(wrapper, (*sample, *weights), dynamic_shapes=(tuple(shapes),))
    graph = fx.export_and_import(program.run_decompositions(), output_type="linalg-on-tensors")
    (folder / f"{name}.mlir").write_text(str(graph))

    arguments = make_inputs(11, dtype, has_ids) if is_dynamic else sample
    arguments += weights
    tensors = {f"in.{i}": tensor.contiguous() for i, tensor in enumerate(arguments)}
    with torch.no_grad():
        tensors["out.0"] = wrapper(*arguments)
    meta = {"description": type(module).__doc__.splitlines()[0], "dtype": str(dtype), "torch": torch.__version__}
    meta |= {"module": type(module).__name__, "seed": seed, "dynamic": is_dynamic}
    names = ["x", "ids"][: len(sample)] + [name for name, _ in parameters]
    save_file(
        tensors, folder / f"{name}.safetensors", metadata={"meta": json.dumps(meta), "arg_names": json.dumps(names)}
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path, metavar="FOLDER")
    args = parser.parse_args()
    for seed, (name, (make_module, has_ids)) in enumerate(GRAPHS.items()):
        export(args.folder, name, make_module, has_ids, seed)


if __name__ == "__main__":
    main()
