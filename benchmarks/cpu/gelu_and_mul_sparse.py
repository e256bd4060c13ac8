# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""gelu_and_mul_sparse beside PyTorch: eager, torch.compile, and a copy of the same bytes."""

import frit_native
import measure
import result_file
import torch
import torch.nn.functional as F

TOKENS, WIDTHS, MULTIPLIER = (1, 32, 512), (2048, 8192, 16384), 1.6448535919189453


def eager(x):
    gate, up = x.chunk(2, -1)
    mean = gate.mean(-1, keepdim=True)
    deviation = gate.std(-1, keepdim=True, unbiased=False)
    return F.gelu(F.relu(gate - (mean + deviation * MULTIPLIER)), approximate="tanh") * up


def module(dtype, tokens, width):
    """`tokens` and `width` are numbers or "?"."""
    double = "?" if width == "?" else 2 * width
    e = frit_native.NAMES[dtype]
    x, y = f"tensor<{tokens}x{double}x{e}>", f"tensor<{tokens}x{width}x{e}>"
    sizes = ", ".join(name for name, size in (("%t", tokens), ("%d", width)) if size == "?")
    return f"""
func.func @main(%x: {x}) -> {y} {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %t = tensor.dim %x, %c0 : {x}
  %dd = tensor.dim %x, %c1 : {x}
  %d = arith.divui %dd, %c2 : index
  %y = tensor.empty({sizes}) : {y}
  %r = frit.gelu_and_mul_sparse ins(%x : {x}) outs(%y : {y}) std_multiplier = {MULTIPLIER} -> {y}
  return %r : {y}
}}
"""


def near_ties(x):
    """What may differ by the order of an f32 sum: for f32 single elements, else whole rows."""
    gate = x.chunk(2, -1)[0]
    g = gate.double()
    m, s = g.mean(-1, keepdim=True), g.std(-1, keepdim=True, unbiased=False)
    if x.dtype == torch.float32:
        p = s * MULTIPLIER
        return (g - (m + p)).abs() <= 1e-6 * (m.abs() + p.abs() + g.square().mean(-1, keepdim=True).sqrt())
    delta = 16 * 2.0**-23 * torch.maximum(m.abs(), s)
    r = lambda v: v.float().to(x.dtype)
    corners = [r(r(m + a * delta).float() + r(r(s + b * delta).float() * MULTIPLIER).float())
               for a in (-1, 1) for b in (-1, 1)]
    tie = torch.zeros_like(corners[0], dtype=torch.bool)
    for corner in corners[1:]:
        tie |= corner != corners[0]
    return tie.expand_as(gate)


def check(x, y):
    """Mask mismatches outside near ties, rows with a near tie, the largest error."""
    expected, ties = eager(x), near_ties(x)
    wrong = ((y == 0) != (expected == 0)) & ~ties
    error = torch.where(ties, 0, (y.float() - expected.float()).abs()).max().item()
    return {"max_error": error, "mask_mismatches": int(wrong.sum()), "near_tie_rows": int(ties.any(-1).sum())}


def point(library, dtype, tokens, width, x, form=("?", None)):
    text = module(dtype, form[0] or tokens, form[1] or width)
    y = torch.empty(tokens, width, dtype=dtype)
    call = library.compile(text).bind(x, y)
    call()
    moved = 3 * tokens * width * x.element_size()
    kernel = library.kernel_of(text)
    return {"op": "gelu_and_mul_sparse", "dtype": frit_native.NAMES[dtype], "kernel": kernel,
            "provider": kernel.split(".")[0], "tokens": tokens, "d": width, "bytes": moved, "flops": 0, "nodes": 1,
            **check(x, y), **result_file.rounded(measure.times(call))}


def run(library, threads):
    torch.manual_seed(0)
    points, more = [], []
    for dtype in (torch.float32, torch.bfloat16):
        for tokens in TOKENS:
            for width in WIDTHS:
                x = torch.randn(tokens, 2 * width).to(dtype)
                entry = point(library, dtype, tokens, width, x)
                torch._dynamo.reset()
                compiled = torch.compile(eager, dynamic=False)
                entry["peers"] = {
                    "torch_compile": result_file.rounded(measure.times(lambda: compiled(x))),
                    "eager": result_file.rounded(measure.times(lambda: eager(x))),
                    "copy": {"warm_us": round(measure.copy_us(entry["bytes"]), 3)}}
                # Beside it, as the memory of a large point is not the same twice.
                for name, form in (("static", (None, None)), ("dynamic", ("?", "?"))):
                    more.append({**point(library, dtype, tokens, width, x, form), "form": name})
                points.append(entry)
                peers = {k: v["warm_us"] / entry["warm_us"] for k, v in entry["peers"].items()}
                print(f"{entry['dtype']:5} {tokens:4} x {width:5}: {entry['warm_us']:9.2f} us, "
                      f"torch.compile {peers['torch_compile']:5.1f}x, eager {peers['eager']:5.1f}x, "
                      f"copy {1 / peers['copy']:5.2f}; static {more[-2]['warm_us']:9.2f}, "
                      f"all dynamic {more[-1]['warm_us']:9.2f} us; {entry['mask_mismatches']} mask mismatches", flush=True)
    return {**measure.header(threads), "points": points, "more": more}
