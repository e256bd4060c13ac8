# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks and times LoRA and the sparse gated GELU in one pass on the device at hand.

  lora_activation_lab.py --images DIR check [--cases N] [--seed S] [--only KERNEL]
  lora_activation_lab.py --images DIR time [--tokens T ..] [--widths D ..] [--out FILE]
  lora_activation_lab.py --images DIR one --only KERNEL --tokens T     (for a profiler)

DIR holds lora_activation_bf16, lora_bf16, lora_wide_bf16, lora_group and gelu_and_mul_sparse_bf16, .cubin or .fatbin. `time` holds each form
against what it stands for, LoRA and then the activation, on the same operands in turn."""

import argparse
import json
import random
import statistics
import sys

import torch

import lora_kernels as lk
import timing
from activation_reference import gelu_and_mul_sparse, near_tie_rows
from layer_steps import LAYERS, MULTIPLIER, RANK, Lab, Layer, lora_name, shrink_candidates
from lora_activation import HIDDEN_LATE, RANKS, Fused, FusedCall
from lora_cases import Guarded

FUSED = [Fused(c) for c in (16, 8, 4, 2)]


def stream():
    return torch.cuda.current_stream().cuda_stream


def exact(*shape, scale, most=4):
    """Small multiples of a power of two: all sums of products are exact, whatever their order."""
    return torch.randint(-most, most + 1, shape, device="cuda") * scale


def grouping(ids, adapters):
    """As lora_group: (order, starts)."""
    group = torch.where((ids >= 0) & (ids < adapters), ids, adapters).long()
    order = torch.sort(group, stable=True).indices.int()
    return order, torch.searchsorted(group.sort().values, torch.arange(adapters + 1, device="cuda")).int()


def expanded(gate, hidden, b, ids, ranks):
    """gate with what the LoRA adds, rounded once. All sums are exact in binary32."""
    added = torch.zeros_like(gate, dtype=torch.float64)
    for token, adapter in enumerate(ids.tolist()):
        if 0 <= adapter < len(b):
            rank = b.shape[2] if ranks is None else min(max(int(ranks[adapter]), 0), b.shape[2])
            added[token] = b[adapter, :, :rank].double() @ hidden[token, :rank].double()
    return (gate.double() + added).to(torch.bfloat16)


def check_one(lab, kernel, rng):
    tokens = rng.choice([1, 2, 7, 16, 17, 31, 32, 33, 64, 100, 300])
    d = rng.choice([8, 64, 1000, 1001, 2048, 4096, 8192, 13824, 16384, rng.randint(1, 5000)])
    while not kernel.fits(d):
        d //= 2
    rank = rng.choice([RANKS, RANKS, rng.randint(1, RANKS)])
    adapters = rng.choice([1, 2, 4, 5, 40])
    multiplier = rng.choice([MULTIPLIER, MULTIPLIER, 0.5, -3.0, 0.0])
    correction = rng.choice([0, 0, 1]) if d > 1 else 0
    ids = torch.tensor([rng.choice([rng.randrange(adapters)] * 4 + [-1, adapters, 1 << 30]) for _ in range(tokens)], dtype=torch.int32, device="cuda")
    ranks = None
    if rng.random() < 0.4:
        ranks = torch.tensor([[rng.choice([rank, rank, 0, rng.randint(0, rank)]) for _ in range(adapters)] for _ in range(2)],
                             dtype=torch.int32, device="cuda")
    # Of rank vectors two terms are exact.
    hidden = exact(2, tokens, rank, scale=2.0**-4 + 2.0**-12).float()
    b = [exact(adapters, d, rank, scale=2.0**-4).to(torch.bfloat16) for _ in range(2)]
    for which in range(2):
        if ranks is not None:
            for adapter, true_rank in enumerate(ranks[which].tolist()):
                b[which][adapter, :, true_rank:] = float("nan")
                hidden[which, ids == adapter, true_rank:] = float("nan")
        hidden[which, (ids < 0) | (ids >= adapters)] = float("nan")
    shift, pad = rng.choice([0, 0, 0, 1, 8]), rng.choice([0, 0, 8, 3])
    y = Guarded(tokens, 2 * d, torch.bfloat16, shift, 2 * d + pad)
    y.set(torch.randn(tokens, 2 * d, device="cuda") + rng.choice([0.0, 0.3]))
    y.remember()
    out = Guarded(tokens, d, torch.bfloat16, rng.choice([0, 0, 1, 8]), d + rng.choice([0, 0, 8, 3]))
    out.remember()
    gate, up = y.view[:, :d], y.view[:, d:]

    def run(rows, target):
        torch.cuda.synchronize()  # What was written is complete, as HIDDEN_LATE says.
        FusedCall(lab.image("lora_activation_bf16"), kernel, gate[rows], up[rows], target, b, hidden[:, rows].contiguous(),
                  *grouping(ids[rows], adapters), multiplier, ranks, rng.choice([0, HIDDEN_LATE]), correction)(stream())

    run(slice(None), out.view)
    values, ups = (expanded(y, hidden[i], b[i], ids, None if ranks is None else ranks[i]) for i, y in enumerate((gate, up)))
    reference = gelu_and_mul_sparse(values, ups, multiplier, "tanh", correction)
    near = near_tie_rows(values, multiplier, correction)
    kept, wanted = out.view[~near], reference[~near]
    faults = []
    zeros = ((kept == 0) != (wanted == 0)).sum().item()
    if zeros:
        faults.append(f"{zeros} of the zeros")
    error = (kept.double() - wanted.double()).abs() / (2.0**-8 * wanted.double().abs() + 1e-30)
    rare = max(1, error.numel() // 1000)  # One of a thousand may differ in its last bit.
    if error.numel() and (not error.max() <= 5 or (error > 0).sum() > rare):
        faults.append(f"{(error > 0).sum().item()} differ, by up to {error.max().item():.3g}")
    if not out.outside_kept() or not torch.equal(y.bits(), y.before):
        faults.append("wrote outside")
    token = rng.randrange(tokens)
    alone = torch.empty(1, d, dtype=torch.bfloat16, device="cuda")
    run(slice(token, token + 1), alone)
    if not torch.equal(alone[0].view(torch.int16), out.view[token].contiguous().view(torch.int16)):
        faults.append("bits depend on the batch")
    if tokens > 1:
        first = out.view.clone()
        gate[token, rng.randrange(d)] = float("nan")
        run(slice(None), out.view)
        others = [t for t in range(tokens) if t != token]
        if not out.view[token].isnan().all() or not torch.equal(out.view[others].view(torch.int16), first[others].view(torch.int16)):
            faults.append("a row of NaN")
    if faults:
        print(f"FAIL {kernel.label}", faults, f"tokens {tokens} d {d} rank {rank} adapters {adapters} multiplier {multiplier} "
              f"correction {correction} shift {shift} pad {pad} ranks {ranks is not None} near {int(near.sum())}")
    return not faults


def check(lab, options):
    good = True
    for kernel in FUSED:
        if options.only and kernel.label != options.only:
            continue
        rng = random.Random(options.seed)
        torch.manual_seed(options.seed)
        failed = 0
        for _ in range(options.cases):
            failed += not check_one(lab, kernel, rng)
            if failed > 3:
                break
        print(f"check {kernel.label}: {options.cases} cases, {failed} failed", flush=True)
        good = good and failed == 0
    return good


class Steps:
    """The two ways from y to the activation, of ten layers; y is the same memory in each."""

    def __init__(self, lab, tokens, width):
        self.lab, self.layer = lab, Layer(lab, tokens, width, True)
        self.layer.y.normal_()

    def separate(self, stream, kernel):
        for i in range(LAYERS):
            self.layer.add_lora(stream, "lora_gate_up", kernel, i)
            self.layer.activate(stream)

    def activation(self, stream):
        for _ in range(LAYERS):
            self.layer.activate(stream)

    def shrink(self, stream, kernel):
        for i in range(LAYERS):
            self.layer.add_lora(stream, "lora_gate_up", kernel, i, lk.SHRINK_ONLY)

    def fused(self, stream, shrink, kernel, late=True):
        for i in range(LAYERS):
            if shrink:
                self.layer.add_lora(stream, "lora_gate_up", shrink, i, lk.SHRINK_ONLY)
            self.layer.add_fused(stream, kernel, i, late)


def time(lab, options):
    rows = []
    for width in options.widths:
        for tokens in options.tokens:
            steps = Steps(lab, tokens, width)
            layer = steps.layer
            layer.group(stream())
            shrinks = shrink_candidates(tokens)
            forms = {}
            default = layer.default()["lora_gate_up"]
            forms[f"{lora_name(default)}, {layer.activation_name}"] = lambda s: steps.separate(s, default)
            forms["activation alone"] = steps.activation
            for k in shrinks:
                forms[f"shrink {lora_name(k)}"] = lambda s, k=k: steps.shrink(s, k)
            for f in FUSED:
                if f.fits(width):
                    forms[f"{f.label} alone"] = lambda s, f=f: steps.fused(s, None, f, False)
                    forms[f"shrink {lora_name(shrinks[0])}, {f.label}"] = lambda s, f=f: steps.fused(s, shrinks[0], f)
            graphs = {label: timing.capture_graph(capture) for label, capture in forms.items()}
            times = {label: [] for label in graphs}
            for _ in range(2):
                for label, graph in graphs.items():
                    times[label] += timing.replay_times(graph, LAYERS, False, 7)
            print(f"d {width} T {tokens} rank {RANK}", flush=True)
            for label, measured in times.items():
                us = statistics.median(measured)
                rows.append({"d": width, "tokens": tokens, "form": label, "us": us})
                print(f"  {us:8.2f}  {label}", flush=True)
    if options.out:
        json.dump(rows, open(options.out, "w"))
    return True


def one(lab, options):
    steps = Steps(lab, options.tokens[0], options.widths[0])
    steps.layer.group(stream())
    kernel = next(k for k in FUSED if k.label == options.only)
    for i in range(2):
        steps.layer.add_lora(stream(), "lora_gate_up", shrink_candidates(options.tokens[0])[0], i, lk.SHRINK_ONLY)
        steps.layer.add_fused(stream(), kernel, i, True)
    return True


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--images", required=True)
    parser.add_argument("--cases", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", help="one kernel, as the output names it")
    parser.add_argument("--tokens", nargs="+", type=int, default=[2048, 1024, 256, 64, 16])
    parser.add_argument("--widths", nargs="+", type=int, default=[16384])
    parser.add_argument("--out")
    parser.add_argument("command", choices=("check", "time", "one"))
    options = parser.parse_args()
    good = {"check": check, "time": time, "one": one}[options.command](Lab(options.images), options)
    torch.cuda.synchronize()
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
