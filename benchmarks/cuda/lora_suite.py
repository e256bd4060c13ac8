# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""lora_matmul on the device: operands in random order of adapters, and the check against float64."""

import math

import torch

import abi
import lora_points
import timing
from assemble import Check
from lora_cases import ROUNDOFF, SUBNORMAL, TYPES

ALIGNMENT = 512


def adapter_ids(point):
    """[T] on the CPU: `active` adapters over `tokens_with_adapter` rows, at random, -1 in the others."""
    used = torch.randperm(point["adapters"])[:point["active"]]
    extra = torch.randint(0, len(used), (point["tokens_with_adapter"] - len(used),))
    ids = torch.cat([used, used[extra], torch.full((point["tokens"] - point["tokens_with_adapter"],), -1)])
    return ids[torch.randperm(len(ids))].to(torch.int32)


def grouping(ids, adapters):
    """(order, starts): the rows by adapter, stably, those without one last."""
    last = torch.where(ids < 0, adapters, ids)
    order = torch.argsort(last, stable=True).to(torch.int32)
    starts = torch.searchsorted(last.sort().values, torch.arange(adapters + 1)).to(torch.int32)
    return order, starts


class Suite:
    """What run.py needs of the suite of lora_points.py."""

    points = lora_points

    def __init__(self, buffers):
        self.buffers = buffers
        self.batches = {}

    def batch(self, point):
        """ids and, where there is one, the grouping, on the device: the same for all calls of a point."""
        if point not in self.batches:
            ids = adapter_ids(point)
            tensors = [ids, *(grouping(ids, point["adapters"]) if lora_points.has_grouping(point) else [])]
            self.batches[point] = [t.cuda() for t in tensors]
        return self.batches[point]

    @staticmethod
    def shapes(point):
        """Tensors without memory: x, A and B of each slice, y."""
        e, layers, rank = TYPES[point.dtype], point["adapters"], point["rank"]
        sizes = [(point["tokens"], point["k"])]
        for n in point["n"]:
            sizes += [(layers, rank, point["k"]), (layers, n, rank)]
        return [torch.empty(s, dtype=e, device="meta") for s in [*sizes, (point["tokens"], sum(point["n"]))]]

    def arguments(self, point, tensors, addresses=None):
        """In the order of the function."""
        x, *weights, y = tensors
        ids, *groups = self.batch(point)
        if addresses:
            at, *weights_at, y_at = addresses
            addresses = [at, ids.data_ptr(), *weights_at, *(g.data_ptr() for g in groups), y_at]
        return abi.Arguments([x, ids, *weights, *groups, y], addresses)

    def check(self, point, function):
        """Of one call on fresh operands, by the bound of rounding `final`."""
        x, *weights, y = (torch.randn(s.shape, device="cuda") for s in self.shapes(point))
        weights = [w / math.sqrt(w.shape[-1]) for w in weights]
        x, *weights, y = (t.to(TYPES[point.dtype]) for t in (x, *weights, y))
        old = y.clone()
        torch.cuda.synchronize()
        function(self.arguments(point, [x, *weights, y]))
        torch.cuda.synchronize()
        ids, scale = self.batch(point)[0], lora_points.SCALE
        gamma = 2.0**-24 * (8 + 2 * math.sqrt(point["k"] + point["rank"]))
        largest, ratio = 0.0, 0.0
        for adapter in range(point["adapters"]):
            rows = (ids == adapter).nonzero()[:, 0]
            column = 0
            for a, b in zip(weights[::2], weights[1::2]):
                n = b.shape[1]
                part, before = y[rows, column:column + n].double(), old[rows, column:column + n].double()
                xs, a64, b64 = x[rows].double(), a[adapter].double(), b[adapter].double()
                expected = before + scale * (xs @ a64.T) @ b64.T
                size = before.abs() + scale * (xs.abs() @ a64.abs().T) @ b64.abs().T
                bound = ROUNDOFF[point.dtype] * expected.abs() + 2 * gamma * size + SUBNORMAL[point.dtype]
                error = (part - expected).abs().nan_to_num(nan=math.inf)
                if error.numel():
                    largest, ratio = max(largest, error.max().item()), max(ratio, (error / bound).max().item())
                column += n
        wrong = f"an error of {ratio:.2f} times the bound" if ratio > 1 else ""
        without = ids < 0
        if not torch.equal(y[without], old[without]):
            wrong = "a row without an adapter has changed"
        return Check({"max_error": largest}, wrong)

    def calls(self, point, count, cold):
        """Arguments of so many calls, on one operand set or, cold, on sets in turn."""
        self.buffers.fill(point.dtype, point.sizes)  # results grow in it from call to call
        tensors = self.shapes(point)
        spans = [-(-t.numel() * t.element_size() // ALIGNMENT) * ALIGNMENT for t in tensors]
        # Weights of adapters that are not active are part of a set, but are not moved.
        places = self.buffers.inputs.numel() // sum(spans)
        result = []
        for number in timing.set_numbers(lora_points.moved(point), count, cold):
            at = self.buffers.inputs.data_ptr() + number % places * sum(spans)
            addresses = [at + sum(spans[:k]) for k in range(len(spans))]
            result.append(self.arguments(point, tensors, addresses))
        return result

    def peers(self, _):
        """The peer's figures are data: benchmarks/peers/h200_lora_bf16.csv."""
        return {}
