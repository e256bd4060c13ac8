# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The LoRA ops on the device: operands in random order of adapters, and the check against float64."""

import torch

import abi
import lora_points
import timing
from assemble import Check
from lora_cases import TYPES, Case
from lora_forms import call_arguments, hidden_type

ALIGNMENT = 512


def generator(point):
    """The same for points of one batch."""
    batch = (point["tokens"], point["adapters"], point["active"], point["tokens_with_adapter"])
    return torch.Generator().manual_seed(hash(batch) % 2**31)


def adapter_ids(point):
    """[T] on the CPU: `active` adapters over `tokens_with_adapter` rows, at random, -1 in the others."""
    g = generator(point)
    used = torch.randperm(point["adapters"], generator=g)[:point["active"]]
    extra = torch.randint(0, len(used), (point["tokens_with_adapter"] - len(used),), generator=g)
    ids = torch.cat([used, used[extra], torch.full((point["tokens"] - point["tokens_with_adapter"],), -1)])
    return ids[torch.randperm(len(ids), generator=g)].to(torch.int32)


def grouping(ids, adapters):
    """(order, starts): the rows by adapter, stably, those without one last."""
    last = torch.where(ids < 0, adapters, ids)
    order = torch.argsort(last, stable=True).to(torch.int32)
    starts = torch.searchsorted(last.sort().values, torch.arange(adapters + 1)).to(torch.int32)
    return order, starts


class Suite:
    """What run.py needs of the suites of lora_points.py."""

    points = lora_points

    def __init__(self, buffers):
        self.buffers = buffers
        self.batches = {}

    def batch(self, point):
        """(ids, true ranks and grouping where there are) on the device: the same for all calls of a point."""
        if point not in self.batches:
            p, ids = lora_points.problem(point), adapter_ids(point)
            tensors = [ids]
            if p.ranks:
                tensors.append(torch.randint(0, p.rank + 1, (p.adapters,), generator=generator(point), dtype=torch.int32))
            if p.grouping:
                tensors += grouping(ids, p.adapters)
            self.batches[point] = [t.cuda() for t in tensors]
        return self.batches[point]

    @staticmethod
    def shapes(point):
        """Tensors without memory: x or h, the weights of each slice, y or h."""
        p = lora_points.problem(point)
        e, w = TYPES[p.dtype], TYPES[p.weights]
        hidden = ((len(p.n), p.tokens, p.rank), TYPES[hidden_type(p)])
        sizes = [hidden if p.op == "expand" else ((p.tokens, p.k), e)]
        for n in p.n:
            sizes += [((p.adapters, p.rank, p.k), w)] if p.op != "expand" else []
            sizes += [((p.adapters, n, p.rank), w)] if p.op != "shrink" else []
        sizes.append(hidden if p.op == "shrink" else ((p.tokens, sum(p.n)), e))
        return [torch.empty(size, dtype=dtype, device="meta") for size, dtype in sizes]

    def arguments(self, point, tensors, addresses):
        """In the order of the function; `addresses` are those of `tensors`."""
        (first, *weights, last), (at, *weights_at, last_at) = tensors, addresses
        ids, *rest = self.batch(point)
        return abi.Arguments([first, ids, *weights, *rest, last],
                             [at, ids.data_ptr(), *weights_at, *(t.data_ptr() for t in rest), last_at])

    def check(self, point, function):
        """Of one call on fresh operands, by the bound of the point's form."""
        case = Case(lora_points.problem(point), self.batch(point)[0])

        def call():
            torch.cuda.synchronize()
            function(call_arguments(case))

        worst, faults = case.check(call)
        wrong = f"an error of {worst:.2f} times the bound" if worst > 1 else ", ".join(faults)
        return Check({"max_error": case.largest_error}, wrong)

    def calls(self, point, count, cold):
        """Arguments of so many calls, on one operand set or, cold, on sets in turn."""
        self.buffers.fill(point.dtype, (point.op, point.sizes, point.form))  # results grow in it from call to call
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
