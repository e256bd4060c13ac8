# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""lora_matmul over ranks: all sizes static, one of them dynamic, and all dynamic, which take turns."""

import frit_native
import lora_matmul
import measure
import result_file
import torch

TOKENS, K, N, SCALE = (1, 64), 4096, 4096, 0.5
RANKS = (*range(1, 17), 32, 64)
# Which sizes are dynamic; the first form is what the others are compared with.
FORMS = {"static": "", "dynamic t": "t", "dynamic k": "k", "dynamic n": "n", "dynamic r": "r", "dynamic": "tknr"}


def module(dtype, sizes):
    """`sizes` of t, k, n and r are numbers or "?". There is one adapter."""
    e = frit_native.NAMES[dtype]
    t, k, n, r = (sizes[name] for name in "tknr")
    x, y, ids = f"tensor<{t}x{k}x{e}>", f"tensor<{t}x{n}x{e}>", f"tensor<{t}xi32>"
    a, b = f"tensor<1x{r}x{k}x{e}>", f"tensor<1x{n}x{r}x{e}>"
    return f"""
func.func @main(%x: {x}, %ids: {ids}, %a: {a}, %b: {b}, %y: {y}) -> {y} {{
  %r = frit.lora_matmul ins(%x, %ids : {x}, {ids}) weights(%a, %b : {a}, {b}) outs(%y : {y}) scale = {SCALE} -> {y}
  return %r : {y}
}}
"""


class Functions:
    """Compiles each module once: a form serves all points that differ in its dynamic sizes alone."""

    def __init__(self, library):
        self.library, self.compiled = library, {}

    def of(self, text):
        if text not in self.compiled:
            self.compiled[text] = self.library.compile(text)
        return self.compiled[text]


def entries(functions, kernel, dtype, tokens, rank):
    """An entry a form; the results of all of them are the same bits."""
    e = torch.finfo(dtype).bits // 8
    x, y = torch.randn(tokens, K).to(dtype), torch.randn(tokens, N).to(dtype)
    a, b = (torch.randn(1, rank, K) / K**0.5).to(dtype), torch.randn(1, N, rank).to(dtype)
    ids = torch.zeros(tokens, dtype=torch.int32)
    out = torch.empty_like(y)
    wide = [v.double() for v in (x, a[0], b[0], y)]
    expected, first, calls = lora_matmul.eager(*wide), None, {}
    for form, dynamic in FORMS.items():
        sizes = {"t": tokens, "k": K, "n": N, "r": rank} | dict.fromkeys(dynamic, "?")
        calls[form] = functions.of(module(dtype, sizes)).bind(x, ids, a, b, y, out)
        out.zero_()
        calls[form]()
        if first is None:
            first = out.clone()
        elif not torch.equal(out, first):
            raise RuntimeError(f"{dtype}, {tokens} tokens, rank {rank}: '{form}' and 'static' differ")
    common = {"op": "lora_matmul", "dtype": frit_native.NAMES[dtype], "kernel": kernel,
              "provider": kernel.split(".")[0], "tokens": tokens, "k": K, "n": [N], "rank": rank, "adapters": 1,
              "active": 1, "tokens_with_adapter": tokens, "bytes": e * (tokens * (K + 2 * N) + rank * (K + N)),
              "flops": 2 * tokens * rank * (K + N), "nodes": 1, "max_error": (first.double() - expected).abs().max().item()}
    return [{**common, "form": form, **result_file.rounded(times)} for form, times in measure.interleaved(calls).items()]


def run(library, threads):
    torch.manual_seed(0)
    points, more = [], []
    for dtype in (torch.float32, torch.bfloat16):
        functions = Functions(library)
        kernel = library.kernel_of(module(dtype, dict.fromkeys("tknr", "?")))
        for tokens in TOKENS:
            for rank in RANKS:
                static, *others = entries(functions, kernel, dtype, tokens, rank)
                points.append(static)
                more += others
                print(f"{static['dtype']:5} {tokens:4}, rank {rank:2}: static {static['warm_us']:9.2f} us, "
                      + ", ".join(f"{p['form']} {p['over_first']:.2f}" for p in others), flush=True)
    slow = [p for p in more if p["over_first"] > 1.1]
    print(f"{len(slow)} of {len(more)} dynamic forms take over 1.1 of the static one")
    return {**measure.header(threads), "points": points, "more": more}
