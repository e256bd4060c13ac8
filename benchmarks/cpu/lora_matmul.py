# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""lora_matmul beside PyTorch's two matmuls for one adapter, and with four adapters in random order."""

import frit_native
import measure
import result_file
import torch

TOKENS, K, N, RANK, SCALE = (1, 64, 1024), 4096, 4096, 16, 0.5


def eager(x, a, b, y):
    return y + (x @ a.T) @ b.T * SCALE


def module(dtype, adapters):
    e = frit_native.NAMES[dtype]
    x, y, ids = f"tensor<?x{K}x{e}>", f"tensor<?x{N}x{e}>", "tensor<?xi32>"
    a, b = f"tensor<{adapters}x{RANK}x{K}x{e}>", f"tensor<{adapters}x{N}x{RANK}x{e}>"
    return f"""
func.func @main(%x: {x}, %ids: {ids}, %a: {a}, %b: {b}, %y: {y}) -> {y} {{
  %r = frit.lora_matmul ins(%x, %ids : {x}, {ids}) weights(%a, %b : {a}, {b}) outs(%y : {y}) scale = {SCALE} -> {y}
  return %r : {y}
}}
"""


def point(library, function, kernel, dtype, tokens, adapters):
    e = torch.finfo(dtype).bits // 8
    x, y = torch.randn(tokens, K).to(dtype), torch.randn(tokens, N).to(dtype)
    a, b = (torch.randn(adapters, RANK, K) / K**0.5).to(dtype), torch.randn(adapters, N, RANK).to(dtype)
    ids = torch.randint(0, adapters, (tokens,), dtype=torch.int32)
    out = torch.empty_like(y)
    call = function.bind(x, ids, a, b, y, out)
    call()
    wide = [v.double() for v in (x, a, b, y)]
    expected = torch.stack([eager(wide[0][t], wide[1][i], wide[2][i], wide[3][t]) for t, i in enumerate(ids.tolist())])
    active = len(set(ids.tolist()))
    entry = {"op": "lora_matmul", "dtype": frit_native.NAMES[dtype], "kernel": kernel,
             "provider": kernel.split(".")[0], "tokens": tokens, "k": K, "n": [N], "rank": RANK, "adapters": adapters,
             "active": active, "tokens_with_adapter": tokens,
             "bytes": e * (tokens * (K + 2 * N) + active * RANK * (K + N)), "flops": 2 * tokens * RANK * (K + N),
             "nodes": 1, "max_error": (out.double() - expected).abs().max().item(),
             **result_file.rounded(measure.times(call))}
    if adapters == 1:
        one = (x, a[0], b[0], y)
        torch._dynamo.reset()
        compiled = torch.compile(eager, dynamic=False)
        entry["peers"] = {
            "torch_compile": result_file.rounded(measure.times(lambda: compiled(*one))),
            "eager": result_file.rounded(measure.times(lambda: eager(*one))),
            "copy": {"warm_us": round(measure.copy_us(entry["bytes"]), 3)}}
    return entry


def run(library, threads):
    torch.manual_seed(0)
    points = []
    for dtype in (torch.float32, torch.bfloat16):
        functions = {n: library.compile(module(dtype, n)) for n in (1, 4)}
        for tokens in TOKENS:
            for adapters, function in functions.items():
                kernel = library.kernel_of(module(dtype, adapters))
                points.append(point(library, function, kernel, dtype, tokens, adapters))
            one, four = points[-2:]
            peers = {k: v["warm_us"] / one["warm_us"] for k, v in one["peers"].items()}
            print(f"{one['dtype']:5} {tokens:4}: {one['warm_us']:9.2f} us, eager {peers['eager']:5.2f}x, "
                  f"torch.compile {peers['torch_compile']:5.2f}x; 4 shuffled adapters take "
                  f"{four['warm_us'] / one['warm_us']:.2f} of one", flush=True)
    return {**measure.header(threads), "points": points, "more": []}
