# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A linear layer of several LoRA adapters in a model that torch.compile takes whole."""

import frit.torch
import torch

ADAPTERS, RANK = 3, 8


class MultiLoraLinear(torch.nn.Module):
    """y = x W + scale * B[id] A[id] x for each token's adapter, of which `ids` has -1 for none."""

    def __init__(self, inputs, outputs, scale=0.5):
        super().__init__()
        self.linear = torch.nn.Linear(inputs, outputs, bias=False)
        self.register_buffer("a", torch.randn(ADAPTERS, RANK, inputs))
        self.register_buffer("b", torch.zeros(ADAPTERS, outputs, RANK))
        self.scale = scale

    def forward(self, x, ids):
        y = self.linear(x)
        frit.torch.lora_matmul_(y, x, ids, [self.a], [self.b], scale=self.scale)
        return y


layer = MultiLoraLinear(64, 32)
compiled = torch.compile(layer, fullgraph=True, dynamic=True, backend="aot_eager")
x, ids = torch.randn(6, 64), torch.tensor([0, 2, -1, 2, 1, 0], dtype=torch.int32)
with torch.no_grad():
    before = compiled(x, ids)
    # An adapter is loaded in place; the next call uses it.
    layer.b[2].normal_()
    after = compiled(x, ids)
changed = (before != after).any(dim=1)
print("tokens that changed with adapter 2:", changed.nonzero().flatten().tolist())
assert changed.tolist() == [False, True, False, True, False, False]
