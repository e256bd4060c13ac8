# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The gated activations on the device: operands, checks, and PyTorch beside them."""

import torch

import abi
import activation_check
import activation_points
import activation_reference as reference
import peers
import timing

ALIGNMENT = 512


class Buffers:
    """Device memory that operand sets are cut from: random inputs, and results."""

    def __init__(self, inputs=4 << 30, results=2 << 30):
        self.inputs = torch.empty(inputs, device="cuda", dtype=torch.uint8)
        self.results = torch.empty(results, device="cuda", dtype=torch.uint8)
        self.filled = None

    def fill(self, dtype, owner=None):
        """Random elements of a type, unless they are there already. An `owner` writes to them, and keeps them so long."""
        if self.filled != (dtype, owner):
            self.inputs.view(reference.DTYPES[dtype]).normal_()
            self.filled = dtype, owner


class Suite:
    """What run.py needs of the suites of activation_points.py."""

    points = activation_points

    def __init__(self, buffers):
        self.buffers = buffers

    @staticmethod
    def operands(point):
        """Tensors without memory, of the operands and the result."""
        t, d, dtype = point["tokens"], point["d"], reference.DTYPES[point.dtype]
        empty = lambda n: torch.empty(t, n, dtype=dtype, device="meta")
        return [empty(d), empty(d), empty(d)] if point.form == "separate" else [empty(2 * d), empty(d)]

    def check(self, point, function):
        """Of one call on fresh inputs, the result's memory filled with NaN before."""
        t, d, dtype = point["tokens"], point["d"], reference.DTYPES[point.dtype]
        x = torch.randn(t, 2 * d, device="cuda", dtype=torch.float32).to(dtype)
        y = torch.full((t, d), float("nan"), device="cuda", dtype=dtype)
        gate, up = x[:, :d], x[:, d:]
        inputs = [gate.contiguous(), up.contiguous()] if point.form == "separate" else [x]
        torch.cuda.synchronize()
        function(abi.Arguments([*inputs, y]))
        torch.cuda.synchronize()
        return activation_check.compare(point.op, point.form, gate, up, y, activation_points.MULTIPLIER)

    def calls(self, point, count, cold):
        """Arguments of so many calls, on one operand set or, cold, on sets in turn."""
        self.buffers.fill(point.dtype)
        shapes = self.operands(point)
        size = shapes[-1].numel() * shapes[-1].element_size()
        span = -(-2 * size // ALIGNMENT) * ALIGNMENT
        out_span = -(-size // ALIGNMENT) * ALIGNMENT
        result = []
        for number in timing.set_numbers(activation_points.moved(point), count, cold):
            at = self.buffers.inputs.data_ptr() + number * span
            inputs = [at, at + size][:len(shapes) - 1]
            result.append(abi.Arguments(shapes, [*inputs, self.buffers.results.data_ptr() + number * out_span]))
        return result

    @staticmethod
    def eager(point):
        """The op in PyTorch, of x [tokens, 2d]."""
        d = point["d"]
        if point.op == "act_and_mul":
            act = point.form or activation_points.ACTIVATIONS[0]
            return lambda x: reference.act_and_mul(x[:, :d], x[:, d:], act)
        return lambda x: reference.gelu_and_mul_sparse(x[:, :d], x[:, d:], activation_points.MULTIPLIER, "tanh")

    def peers(self, point):
        def inputs(count):
            shape, dtype = (point["tokens"], 2 * point["d"]), reference.DTYPES[point.dtype]
            return [torch.randn(shape, device="cuda", dtype=dtype) for _ in range(count)]

        return peers.measure(self.eager(point), inputs, activation_points.moved(point))
