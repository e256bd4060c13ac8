# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What takes many elements or many calls to see: repeats that must be bit-identical, and the bits of a row for any
number of rows."""

import torch

import abi
import activation_reference as reference

REPEATS = 1000


def bits(y):
    return y.view(torch.int32 if y.element_size() == 4 else torch.int16)


def call(function, x, d):
    y = torch.full((x.shape[0], d), float("nan"), device="cuda", dtype=x.dtype)
    torch.cuda.synchronize()
    function(abi.Arguments([x, y]))
    torch.cuda.synchronize()
    return y


def repeats(point, function, stream):
    """How many elements of REPEATS calls differ from the first call's."""
    d = point["d"]
    x = torch.randn(point["tokens"], 2 * d, device="cuda").to(reference.DTYPES[point.dtype])
    first = call(function, x, d)
    y = torch.empty_like(first)
    arguments, differing = abi.Arguments([x, y]), torch.zeros((), dtype=torch.int64, device="cuda")
    with torch.cuda.stream(stream):
        for _ in range(REPEATS):
            function(arguments)
            differing += (bits(y) != bits(first)).sum()
    torch.cuda.synchronize()
    return int(differing)


def batches(compiled, functions):
    """Rows of one input, computed in batches of several sizes: for each (dtype, d) the sizes that each kernel served,
    and the rows whose bits are not those of the largest batch of the same kernel and of any kernel."""
    groups = {}
    for c in compiled:
        groups.setdefault((c.point.dtype, c.point["d"]), []).append(c)
    found = []
    for (dtype, d), members in groups.items():
        members.sort(key=lambda c: -c.point["tokens"])
        x = torch.randn(members[0].point["tokens"], 2 * d, device="cuda").to(reference.DTYPES[dtype])
        largest, kernels = None, {}
        for c in members:
            y = bits(call(functions(c), x[:c.point["tokens"]], d))
            largest = y if largest is None else largest
            entry = kernels.setdefault(c.kernel, {"tokens": [], "first": y, "same_kernel": 0, "any_kernel": 0})
            entry["tokens"].append(len(y))
            entry["same_kernel"] += int((y != entry["first"][:len(y)]).any(-1).sum())
            entry["any_kernel"] += int((y != largest[:len(y)]).any(-1).sum())
        for kernel, entry in kernels.items():
            found.append({"dtype": dtype, "d": d, "kernel": kernel, "tokens": entry["tokens"],
                          "rows_differing_same_kernel": entry["same_kernel"],
                          "rows_differing_any_kernel": entry["any_kernel"]})
    return found
