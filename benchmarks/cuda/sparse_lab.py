# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks and times the products for few tokens and the sparse FFN on the device at hand.

  sparse_lab.py --images DIR check [--cases N] [--seed S]
  sparse_lab.py --images DIR repeat [--cases N]
  sparse_lab.py --images DIR time [--out FILE]
  sparse_lab.py --images DIR forms [--tokens T ..] [--widths D ..]     (forms of the rows' kernel in turn)
  sparse_lab.py --images DIR one --d 16384 --tokens 1      (for a profiler)

DIR holds matmul_gemv.cubin, sparse_ffn_<dtype>.cubin and copy.cubin, each built with nvcc -cubin from kernels/ and copy.cu.
"""

import argparse
import functools
import json
import random
import statistics
import sys
import time as clock

import torch

import timing
from activation_reference import BITS, DTYPES, gelu_and_mul_sparse, gelu_and_mul_sparse_final, near_tie_rows, unit
from driver import Image
from lora_cases import Guarded
from sparse_kernels import DEALT_RANKS, ERF, FINAL, Ffn, FfnPlan, Gemv, GemvCall
from sparse_lora import DOWN, GATE, UP, Lora, random_lora

MULTIPLIER = 1.6448535919
# Pairs of rows in shared memory, tiles of a block of the gate, ranges of columns. The first is the plan
# of kernels/SparseFfn/README.md.
VARIANTS = [(16, None, 128), (14, None, 128), (16, 8, 128), (8, None, 256)]


def stream():
    return torch.cuda.current_stream().cuda_stream


def guarded(rows, columns, dtype, rng, values=None):
    """A matrix between guards, at times off its alignment or with gaps between rows."""
    shift = rng.choice([0, 0, 0, 1, 2, 8])
    pad = rng.choice([0, 0, 8, 3])
    g = Guarded(rows, columns, DTYPES[dtype], shift, columns + pad)
    if values is not None:
        g.set(values)
    return g


def summed_bound(dtype, reference, magnitude, terms):
    """NUMERICS 3: rounding once, and a sum of so many terms in binary32."""
    return unit(dtype) * reference.abs() + 2 * 2.0**-24 * (8 + 2 * terms**0.5) * magnitude + 2.0**-24


def worst_row(difference, allowed, y, weights, half_ulp, near):
    """The largest difference over what is allowed, of rows that are no near tie.

    One of a thousand activations, or one, may differ in its last bit, which moves a whole row: so many rows may differ by
    that much more, each by what so many of its largest products move in their last bits."""
    keep = torch.ones(len(y), dtype=torch.bool, device=y.device) if near is None else ~near
    rows = (difference / allowed).nan_to_num(nan=torch.inf).amax(1)
    rare = max(1, int((y != 0).sum()) // 1000)
    beyond = ((rows > 1) & keep).nonzero().flatten().tolist()
    if len(beyond) <= rare:
        for row in beyond:
            last_bits = 2 * half_ulp * (y[row].double().abs()[:, None] * weights.abs()).amax(0)
            rows[row] = (difference[row] / (allowed[row] + rare * last_bits)).nan_to_num(nan=torch.inf).max()
    return rows[keep].max().item() if keep.any() else 0.0


class Lab:
    def __init__(self, images):
        self.images = images
        torch.cuda.init()
        torch.zeros(1, device="cuda")

    @functools.cache
    def image(self, name):
        return Image(f"{self.images}/{name}.cubin")

    def gemv(self, plan, x, w, out, accumulate=False):
        return GemvCall(self.image("matmul_gemv"), plan, x, w, out, accumulate)

    def ffn(self, plan, *tensors, **options):
        return Ffn(torch, self.image(f"sparse_ffn_{plan.gate.dtype}"), plan, *tensors, **options)


def same(a, b):
    kind = {2: torch.int16, 4: torch.int32}[a.element_size()]
    return torch.equal(a.contiguous().view(kind), b.contiguous().view(kind))


def check_gemv(lab, rng, _):
    dtype = rng.choice(["bf16", "bf16", "f16", "f32"])
    tokens = rng.choice([1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 33])
    n = rng.choice([1, 7, 16, 100, 129, 2048, rng.randint(1, 3000)])
    k = rng.choice([1, 5, 8, 64, 513, 1000, 2048, 2056, 4096, 6000, rng.randint(1, 9000)])
    cluster = rng.choice([None, 1, 2, 4, 8])
    plan = Gemv.of(dtype, tokens, n, k, rng.random() < 0.5, cluster, rng.choice([None, 8, 16]), rng.randint(1, 8))
    x = guarded(tokens, k, dtype, rng, torch.randn(tokens, k, device="cuda"))
    w = guarded(n, k, dtype, rng, torch.randn(n, k, device="cuda"))
    out = guarded(tokens, n, dtype, rng)
    out.remember()
    accumulate = rng.random() < 0.3
    start = (torch.randn(tokens, n, device="cuda") if accumulate else torch.zeros(tokens, n, device="cuda")).to(DTYPES[dtype])
    if accumulate:
        out.view.copy_(start)
    lab.gemv(plan, x.view, w.view, out.view, accumulate)(stream())
    reference = start.double() + x.view.double() @ w.view.double().T
    magnitude = start.double().abs() + x.view.double().abs() @ w.view.double().abs().T
    error = ((out.view.double() - reference).abs() / summed_bound(dtype, reference, magnitude, k)).max().item()
    faults = []
    if not out.outside_kept():
        faults.append("wrote outside")
    token = rng.randrange(tokens)
    alone = start[token:token + 1].clone()
    lab.gemv(plan, x.view[token:token + 1], w.view, alone, accumulate)(stream())
    if not same(alone[0], out.view[token]):
        faults.append("bits depend on the batch")
    ok = error <= 1 and not faults
    if not ok:
        print("FAIL gemv", f"{error:.3g}", faults, plan, tokens, accumulate, x.stride, w.stride, w.address() % 16)
    return ok, error


def exact_values(shape, scale, most=8):
    """Small multiples of a power of two, whose products sum exactly in binary32."""
    return torch.randint(-most, most + 1, tuple(shape), device="cuda") * scale


def reference_products(dtype, values, up, multiplier, approximate, correction, flags):
    """Activation times up in float64, by how much it may differ, and the rows whose cutoff is a near tie."""
    if dtype == "f32" or flags & FINAL:
        y, _, slack = gelu_and_mul_sparse_final(values, up, multiplier, approximate, correction)
        # A rounding of the cutoff moves every element above it, not only those that are near it.
        return y, slack + (2e-6 + (0 if dtype == "f32" else unit(dtype))) * y.abs() + 1e-7, None
    y = gelu_and_mul_sparse(values, up, multiplier, approximate, correction).double()
    return y, torch.zeros_like(y), near_tie_rows(values, multiplier, correction)


def check_ffn(lab, rng, options):
    dtype = rng.choice(["bf16", "bf16", "f16", "f32"])
    tokens = rng.choice([1, 2, 3, 5, 8, 9, 12, 16])
    h = rng.choice([64, 72, 256, 1000, 1001, 2048, 2056, 2560, 4096, rng.randint(2, 600)])
    identity = rng.random() < 0.4
    d = rng.choice([1, 8, 40, 255, 1024, 2048, 3000, 8192, rng.randint(1, 5000)])
    if identity:
        d = min(d, h)
    multiplier = rng.choice([MULTIPLIER, MULTIPLIER, 0.5, -3.0, 4.0, 0.0])
    correction = rng.choice([0, 0, 1]) if d > 1 else 0
    flags = rng.choice([0, 0, FINAL]) | rng.choice([0, ERF])
    approximate = "none" if flags & ERF else "tanh"
    lora = random_lora(rng, dtype, tokens, d, h, exact_values) if rng.random() < 0.5 else None
    plan = FfnPlan.of(dtype, tokens, d, h, tile=rng.choice([None, 8]), pairs=rng.choice([16, 5]), share=rng.randint(1, 8), lora=bool(lora),
                      early=rng.random() < 0.5)
    if options.dealt or rng.random() < 0.5:
        form = rng.choice(["dealt", "grouped"])
        ranges = rng.choice([None, 16, 32, 128] if form == "grouped" else [None, 7, 64, 128])
        dealing = FfnPlan.dealing(dtype, tokens, d, h, form, pairs=rng.choice([None, 5, 16]), ranges=ranges, early=plan.gate.early, share=plan.gate.share)
        if dealing and (not lora or lora.rank <= DEALT_RANKS):
            plan = dealing
    x = guarded(tokens, h, dtype, rng, exact_values((tokens, h), 0.125))
    gate = guarded(d, h, dtype, rng, torch.randn(d, h, device="cuda") / h**0.5)
    up = guarded(d, h, dtype, rng, exact_values((d, h), 2.0**-6))
    down = guarded(d, h, dtype, rng, torch.eye(d, h, device="cuda") if identity else torch.randn(d, h, device="cuda") / 8)
    out = guarded(tokens, h, dtype, rng)
    out.remember()
    residual = rng.random() < 0.2
    start = torch.randn(tokens, h, device="cuda").to(DTYPES[dtype])
    if residual:
        out.view.copy_(start)
    call = lab.ffn(plan, x.view, gate.view, up.view, down.view, out.view, multiplier=multiplier, correction=correction, flags=flags,
                   residual=out.view if residual else None, lora=lora)
    call(stream())
    values = call.values[:, :d].contiguous()
    faults = []
    gates = x.view.double() @ gate.view.double().T
    bound = summed_bound(dtype, gates, x.view.double().abs() @ gate.view.double().abs().T, h)
    if lora and lora.factors[GATE]:
        added, magnitude, hidden, _ = lora.added(GATE, dtype, x.view)
        bound = bound + unit(dtype) * (gates.abs() + added.abs()) + lora.bound(dtype, magnitude, hidden, h + lora.rank)
        gates = gates + added
    if ((values.double() - gates).abs() > bound).any():
        faults.append("gate")
    ups = (x.view.double() @ up.view.double().T).to(DTYPES[dtype])
    if lora and lora.factors[UP]:
        ups = (ups.double() + lora.added(UP, dtype, x.view)[0]).to(DTYPES[dtype])
    y, slack, near = reference_products(dtype, values, ups, multiplier, approximate, correction, flags)
    weights = down.view.double()
    reference = y @ weights
    magnitude = y.abs() @ weights.abs()
    allowed = summed_bound(dtype, reference, magnitude, max(1, int((y != 0).sum(-1).max()))) + slack @ weights.abs()
    if lora and lora.factors[DOWN]:
        added, magnitude, hidden, coefficients = lora.added(DOWN, dtype, y.to(DTYPES[dtype]))
        reference = reference + added
        a, b = (f.double().nan_to_num().abs().amax(0) for f in lora.factors[DOWN])
        allowed = (allowed + unit(dtype) * (reference.abs() + added.abs()) + lora.bound(dtype, magnitude, hidden, d + lora.rank)
                   + coefficients.abs()[:, None] * ((slack + unit(dtype) * y.abs() * (dtype != "f32")) @ a.T @ b.T))
    if residual:
        reference = start.double() + reference
        allowed = allowed + unit(dtype) * reference.abs()
    error = worst_row((out.view.double() - reference).abs(), allowed, y, weights, unit(dtype), near)
    if identity and near is not None and not residual and not lora:
        kept = out.view[:, :d]
        wrong = ((kept == 0) != (y.to(DTYPES[dtype]) == 0))[~near].sum().item()
        if wrong:
            faults.append(f"{wrong} of the zeros")
    if not out.outside_kept():
        faults.append("wrote outside")
    if not residual:
        first = out.view.clone()
        token = rng.randrange(tokens)
        alone = torch.empty(1, h, dtype=DTYPES[dtype], device="cuda")
        lab.ffn(plan, x.view[token:token + 1], gate.view, up.view, down.view, alone, multiplier=multiplier, correction=correction,
                flags=flags, lora=lora and lora.of_token(token))(stream())
        if not same(alone[0], first[token]):
            faults.append("bits depend on the batch")
        call(stream())
        if not same(out.view, first):
            faults.append("bits change")
        # What no token's activation reaches, and what one token's NaN does.
        idle = (gelu_and_mul_sparse(values, torch.ones_like(values), multiplier, approximate, correction) == 0).all(0)
        if near is not None and near.any():
            idle[:] = False
        if dtype != "f32" and not flags & FINAL and idle.any():
            down.view[idle] = float("inf")
            up.view[idle] = float("nan")
            if lora and lora.factors[UP]:
                lora.factors[UP][1][:, idle] = float("inf")
            if lora and lora.factors[DOWN]:
                lora.factors[DOWN][0][:, :, idle] = float("nan")
            call(stream())
            if not same(out.view, first):
                faults.append("idle rows were read")
        if tokens > 1 and d > 1:
            x.view[token, rng.randrange(h)] = float("nan")
            call(stream())
            others = [t for t in range(tokens) if t != token]
            if not out.view[token].isnan().all() or not same(out.view[others], first[others]):
                faults.append("a row of NaN")
    ok = error <= 1 and not faults
    if not ok:
        print("FAIL ffn", f"{error:.3g}", faults, plan, f"tokens {tokens} d {d} h {h} multiplier {multiplier} correction {correction} "
              f"flags {flags} identity {identity} residual {residual} lora "
              f"{lora and (lora.rank, lora.adapters, lora.weights, lora.flags, [bool(f) for f in lora.factors], lora.ids.tolist())} near {None if near is None else int(near.sum())}")
    return ok, error


def check(lab, options):
    rng = random.Random(options.seed)
    torch.manual_seed(options.seed)
    failed, worst, began = 0, {}, clock.time()
    for name, one in (("gemv", check_gemv), ("ffn", check_ffn)):
        if name not in options.what:
            continue
        for _ in range(options.cases):
            ok, error = one(lab, rng, options)
            failed += not ok
            worst[name] = max(worst.get(name, 0.0), error)
            if failed > 12:
                return False
    print(f"check: {options.cases} cases each, {failed} failed, worst error / bound "
          + ", ".join(f"{k} {v:.3f}" for k, v in worst.items()) + f", {clock.time() - began:.0f} s")
    return failed == 0


def repeat(lab, options):
    """The same bits in every one of many calls."""
    good = True
    for tokens in options.tokens:
        d, h = options.widths[0], options.h
        x, weights = layers(d, h, tokens, 1)
        out = torch.empty_like(x)
        plans = {"table": FfnPlan.of("bf16", tokens, d, h, lora=True), "dealt": FfnPlan.dealing("bf16", tokens, d, h, early=True)}
        for label, plan in plans.items():
            if not plan:
                continue
            call = lab.ffn(plan, x, *weights[0], out, multiplier=MULTIPLIER, lora=layer_lora(d, h, tokens))
            call(stream())
            first, differ = out.clone(), torch.zeros((), dtype=torch.int64, device="cuda")
            for _ in range(options.cases):
                out.fill_(float("nan"))
                call(stream())
                differ += (out.view(torch.int16) != first.view(torch.int16)).any()
            print(f"repeat: {label}, {tokens} tokens, {options.cases} calls, {differ.item()} differ")
            good = good and differ.item() == 0
    return good


def layers(d, h, tokens, count=10):
    def weights():
        return (torch.randn(d, h, device="cuda") / h**0.5).to(torch.bfloat16)

    x = torch.randn(tokens, h, device="cuda").to(torch.bfloat16)
    return x, [(weights(), weights(), weights()) for _ in range(count)]


def layer_lora(d, h, tokens, rank=16, adapters=4):
    """Adapters of all three, the tokens' in turn."""
    def pair(k, n):
        return tuple((torch.randn(adapters, *shape, device="cuda") / shape[1]**0.5).to(torch.bfloat16) for shape in ((rank, k), (n, rank)))

    ids = torch.arange(tokens, dtype=torch.int32, device="cuda") % adapters
    return Lora(ids, [pair(h, d), pair(h, d), pair(d, h)], torch.ones(3, adapters, device="cuda"), None, (0.5, 0.5, 0.5))


def median(capture, calls, cold=True):
    return timing.spread(timing.replay_times(timing.capture_graph(capture), calls, cold), "cold")["cold_us"]


def time_gemv(lab, rows):
    copy = Image(f"{lab.images}/copy.cubin")
    pool = torch.randint(0, 127, (1 << 30,), dtype=torch.int8, device="cuda")
    for n, k in ((16384, 2048), (2048, 16384), (8192, 2048), (2048, 2048)):
        bytes_read = 2 * n * k
        copied = timing.copy_us(copy, pool, bytes_read // 2, True)
        sets = max(10, (200 << 20) // bytes_read)
        ws = [(torch.randn(n, k, device="cuda") / k**0.5).to(torch.bfloat16) for _ in range(sets)]
        for tokens in (1, 4, 8, 16):
            x = torch.randn(tokens, k, device="cuda").to(torch.bfloat16)
            out = torch.empty(tokens, n, dtype=torch.bfloat16, device="cuda")
            for early in (False, True):
                plan = Gemv.of("bf16", tokens, n, k, early)
                calls = [lab.gemv(plan, x, w, out) for w in ws]
                us = median(lambda s, calls=calls: [c(s) for c in calls], len(calls))
                rows.append({"op": "gemv", "n": n, "k": k, "tokens": tokens, "early": early, "share": plan.share, "us": us,
                             "copy_us": copied, "gb_s": bytes_read / us / 1000})


def time_ffn(lab, rows, options):
    for d in options.widths:
        for tokens in options.tokens:
            x, weights = layers(d, options.h, tokens)
            out = torch.empty(tokens, options.h, dtype=torch.bfloat16, device="cuda")
            for pairs, share, ranges in VARIANTS[:options.variants]:
                for rank in (0, 16):
                    plan = FfnPlan.of("bf16", tokens, d, options.h, pairs=pairs, share=share, ranges=ranges, lora=bool(rank))
                    loras = [layer_lora(d, options.h, tokens, rank) if rank else None for _ in weights]
                    calls = [lab.ffn(plan, x, *w, out, multiplier=MULTIPLIER, lora=l) for w, l in zip(weights, loras)]
                    row = {"op": "ffn", "d": d, "tokens": tokens, "rank": rank, "pairs": pairs, "share": plan.gate.share,
                           "ranges": ranges}
                    before = len(calls[0].launches) - 3
                    for name, last in (("gate_us", before + 1), ("rows_us", before + 2), ("us", before + 3)):
                        row[name] = median(lambda s, last=last: [c(s, 0, last) for c in calls], len(calls))
                    values = calls[0].values[:, :d]
                    row["active"] = (gelu_and_mul_sparse(values, torch.ones_like(values), MULTIPLIER, "tanh") != 0).any(0).float().mean().item()
                    rows.append(row)


def time(lab, options):
    rows = []
    if "gemv" in options.what:
        time_gemv(lab, rows)
    if "ffn" in options.what:
        time_ffn(lab, rows, options)
    for row in rows:
        print(" ".join(f"{k} {v:.4g}" if isinstance(v, float) else f"{k} {v}" for k, v in row.items()))
    if options.out:
        json.dump(rows, open(options.out, "w"), indent=1)
    return True


def form_plans(tokens, d, h, lora):
    """By name; ranges of columns in order first."""
    plans = {}
    for early in (False, True):
        mark = ", early" * early
        plans["ranges" + mark] = FfnPlan.of("bf16", tokens, d, h, lora=lora, early=early)
        for form in ("dealt", "grouped"):
            for pairs in (16, 14, 13, 8):
                plans[f"{form}, {pairs} pairs{mark}"] = FfnPlan.dealing("bf16", tokens, d, h, form, pairs, early=early)
    return {label: plan for label, plan in plans.items() if plan}


def forms(lab, options):
    """Ten layers in a graph, each form in turn, so that the clock is the same for all. Results are held against the first form's."""
    rows, good = [], True
    for d in options.widths:
        for tokens in options.tokens:
            x, weights = layers(d, options.h, tokens)
            for rank in (0, 16):
                loras = [layer_lora(d, options.h, tokens, rank) if rank else None for _ in weights]
                graphs, calls, first = {}, {}, None
                for label, plan in form_plans(tokens, d, options.h, bool(rank)).items():
                    outs = [torch.full((tokens, options.h), float("nan"), dtype=torch.bfloat16, device="cuda") for _ in weights]
                    calls[label] = [lab.ffn(plan, x, *w, o, multiplier=MULTIPLIER, lora=l) for w, o, l in zip(weights, outs, loras)]
                    # Up to the gate, to the rows, and all: what is shown as the steps' shares.
                    for last in (-2, -1, None):
                        graphs[label, last] = timing.capture_graph(lambda s, c=calls[label], last=last: [one_call(s, 0, last) for one_call in c])
                    graphs[label, None].replay()
                    torch.cuda.synchronize()
                    result = torch.stack(outs).double()
                    first = result if first is None else first
                    error = ((result - first).norm() / first.norm()).item()
                    if not error < 3e-2:  # Of the result's norm, between two orders of the sums.
                        print(f"  WRONG {label}: {error:.2e}")
                        good = False
                times = {key: [] for key in graphs}
                for _ in range(3):
                    for key, graph in graphs.items():
                        times[key] += timing.replay_times(graph, len(weights), False, 7)
                print(f"d {d} tokens {tokens} rank {rank}: gate, gate and rows, all", flush=True)
                for label in calls:
                    gate, most, us = (statistics.median(times[label, last]) for last in (-2, -1, None))
                    rows.append({"op": "forms", "d": d, "tokens": tokens, "rank": rank, "form": label, "gate_us": gate, "rows_us": most, "us": us})
                    print(f"  {gate:7.2f} {most:7.2f} {us:7.2f}  {label}", flush=True)
    if options.out:
        json.dump(rows, open(options.out, "w"), indent=1)
    return good


def one(lab, options):
    d, h, tokens = options.widths[0], options.h, options.tokens[0]
    x, weights = layers(d, h, tokens, 2)
    out = torch.empty_like(x)
    plan = FfnPlan.dealing("bf16", tokens, d, h, early=True) if options.dealt else FfnPlan.of("bf16", tokens, d, h)
    for w in weights:
        lab.ffn(plan, x, *w, out, multiplier=MULTIPLIER)(stream())
    torch.cuda.synchronize()
    return True


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--images", required=True)
    parser.add_argument("--cases", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--tokens", nargs="+", type=int, default=[1, 2, 4, 8, 16])
    parser.add_argument("--widths", nargs="+", type=int, default=[16384, 8192])
    parser.add_argument("--h", type=int, default=2048)
    parser.add_argument("--what", nargs="+", default=["gemv", "ffn"])
    parser.add_argument("--variants", type=int, help="time only the first so many launch plans")
    parser.add_argument("--dealt", action="store_true", help="the kernel that deals columns, wherever it is possible")
    parser.add_argument("--out")
    parser.add_argument("command", choices=("check", "repeat", "time", "forms", "one"))
    options = parser.parse_args()
    lab = Lab(options.images)
    good = {"check": check, "repeat": repeat, "time": time, "forms": forms, "one": one}[options.command](lab, options)
    torch.cuda.synchronize()
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
