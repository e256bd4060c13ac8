# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""gemma3n_mlp on the device: ten layers with their own weights in one graph, and the check against PyTorch."""

import functools
import math

import torch

import abi
import activation_reference
import graph_nodes
import mlp_points
import timing
from assemble import Check
from layers import HIDDEN, STD_MULTIPLIER

# Of the result's norm. A sum in another order moves roundings of bf16 to the neighbour: where it moves that of a row's cutoff,
# by 1/128 of all that is above.
MOST_ERROR = 2e-2


def random_weight(*shape):
    """Rows of norm 1, so that activations keep their size."""
    return (torch.randn(shape, device="cuda") / math.sqrt(shape[-1])).to(torch.bfloat16)


@functools.lru_cache(maxsize=None)
def base_weights(width):
    return [(random_weight(2 * width, HIDDEN), random_weight(HIDDEN, width)) for _ in range(mlp_points.LAYERS)]


@functools.lru_cache(maxsize=None)
def lora_weights(width, rank):
    """A and B of gate, up and down: small beside the base, as trained ones are."""
    stacks = lambda k, n: (random_weight(mlp_points.ADAPTERS, rank, k), 0.125 * random_weight(mlp_points.ADAPTERS, n, rank))
    return [[t for k, n in ((HIDDEN, width), (HIDDEN, width), (width, HIDDEN)) for t in stacks(k, n)]
            for _ in range(mlp_points.LAYERS)]


def linear(x, weight):
    """Summed in f32 and rounded once."""
    return (x.float() @ weight.float().T).to(x.dtype)


def add_lora(x, ids, adapters, y):
    """NUMERICS 3, `final`: f32 throughout, one rounding."""
    result, column = y.clone(), 0
    for a, b in zip(adapters[::2], adapters[1::2]):
        n = b.shape[1]
        for adapter in range(len(a)):
            rows = (ids == adapter).nonzero()[:, 0]
            delta = (x[rows].float() @ a[adapter].float().T) @ b[adapter].float().T
            result[rows, column:column + n] = (y[rows, column:column + n].float() + delta).to(y.dtype)
        column += n
    return result


class Suite:
    """What run.py needs of the suite of mlp_points.py."""

    points = mlp_points

    def __init__(self, _):
        self.operands = {}

    def inputs(self, point):
        """x, ids in random order where there are adapters, and all weights."""
        t, width, rank = point["tokens"], point["d"], mlp_points.rank(point)
        generator = torch.Generator("cuda").manual_seed(t)
        x = torch.randn(t, HIDDEN, device="cuda", generator=generator).to(torch.bfloat16)
        ids = torch.randint(0, mlp_points.ADAPTERS, (t,), device="cuda", dtype=torch.int32, generator=generator)
        weights = base_weights(width)
        adapters = lora_weights(width, rank) if rank else [[] for _ in weights]
        return x, ids, weights, adapters

    def weights(self, point, _):
        """Gate and up together, and down, of each layer, as the function takes them."""
        return base_weights(point["d"])

    def arguments(self, point, function):
        x, ids, weights, adapters = self.inputs(point)
        flat = [t for pair, more in zip(self.weights(point, function), adapters) for t in (*pair, *more)]
        results = [torch.full_like(x, math.nan) for _ in weights]
        return abi.Arguments([x, *([ids] if mlp_points.rank(point) else []), *flat, *results])

    def references(self, point):
        """The result of each layer in turn."""
        x, ids, weights, adapters = self.inputs(point)
        for (gate_up, down), lora in zip(weights, adapters):
            y = linear(x, gate_up)
            if lora:
                y = add_lora(x, ids, lora[:4], y)
            gate, up = y.chunk(2, dim=-1)
            h = activation_reference.gelu_and_mul_sparse(gate, up, STD_MULTIPLIER, "tanh")
            y = linear(h, down)
            yield add_lora(h, ids, lora[4:], y) if lora else y

    def check(self, point, function):
        """Of one call, by the norm of what each layer differs from PyTorch's in."""
        self.operands = {point: self.arguments(point, function)}
        # The function has a stream of its own, which does not wait for PyTorch's.
        torch.cuda.synchronize()
        function(self.operands[point])
        torch.cuda.synchronize()
        largest, ratio = 0.0, 0.0
        for y, expected in zip(self.operands[point].tensors[-mlp_points.LAYERS:], self.references(point)):
            error = (y.float() - expected.float()).abs().nan_to_num(nan=math.inf)
            largest = max(largest, error.max().item())
            ratio = max(ratio, (error.norm() / expected.float().norm()).item())
        wrong = f"a layer differs by {ratio:.2e} of its norm" if not ratio <= MOST_ERROR else ""
        return Check({"max_error": largest, "relative_error": ratio}, wrong)

    def time(self, stream, point, function):
        """Of a layer: of one replay of the graph over the number of layers. 2 GB of weights: caches are cold by themselves."""
        arguments = self.operands[point]
        graph = timing.capture_graph(lambda _: function(arguments), stream)
        times = timing.spread(timing.replay_times(graph, mlp_points.LAYERS, cold=False), "layer")
        count, kernels = graph_nodes.nodes(graph)
        return {name.removeprefix("layer_"): value for name, value in times.items()} | {
            "nodes": count, "functions": sorted({k.name for k in kernels})}
