#!/usr/bin/env python3
# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks and times the activation kernels on a GPU, straight from their images and without the compiler.

    kernel_lab.py --images DIR check            every family and variant against PyTorch eager
    kernel_lab.py --images DIR quick            the same over fewer types and shapes
    kernel_lab.py --images DIR random           10^8 random elements per dtype
    kernel_lab.py --images DIR repeat           1000 repeats; a row's bits for any number and place of rows
    kernel_lab.py --images DIR time --out F     every plan at every shape, cold and warm, beside the peers' csv files
    kernel_lab.py --images DIR once             every plan once, for a profiler or compute-sanitizer

DIR holds what kernels/CMakeLists.txt builds. Needs PyTorch with CUDA. benchmarks/README.md describes the method."""

import argparse
import csv
import ctypes
import itertools
import json
import math
import pathlib
import sys

import torch

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

import activation_plans as planning  # noqa: E402
import activation_reference as reference  # noqa: E402
import result_file  # noqa: E402
import timing  # noqa: E402
from driver import Image, Launch  # noqa: E402

MULTIPLIER = 1.6448535919189453
# Where a tanh form that is computed from exponentials may come to infinity less infinity.
FAR_GATES = (10.5, 11.0, 40.0, 1e4, -13.0, -13.24, -40.0, -1e4)
TOKENS = (1, 2, 8, 32, 128, 512, 2048)
WIDTHS = (2048, 4096, 8192, 13824, 16384, 32768)


class Lab:
    def __init__(self, directory, dependent=True):
        self.directory = pathlib.Path(directory)
        self.images = {}
        self.dependent = dependent

    def image(self, op, dtype):
        name = op if op == "act_and_mul" else f"{op}_{dtype}"
        if name not in self.images:
            paths = [p for p in self.directory.iterdir() if p.stem == name and p.suffix in (".fatbin", ".cubin")]
            self.images[name] = Image(paths[0])
        return self.images[name]

    def launch(self, op, dtype, variant, plan):
        name = f"frit_{op}_{plan.family}_{dtype}_{variant}"
        return Launch(self.image(op, dtype), name, plan.grid, plan.threads, plan.shared, plan.cluster, self.dependent)


def arguments(op, gate, up, out, tokens, d, strides, multiplier=MULTIPLIER, correction=0):
    """`gate`, `up`, `out` are addresses."""
    values = [ctypes.c_void_p(p) for p in (gate, up, out)] + [ctypes.c_int64(v) for v in (tokens, d, *strides)]
    if op == "gelu_and_mul_sparse":
        values += [ctypes.c_float(multiplier), ctypes.c_int32(correction)]
    return values


def run(lab, op, dtype, variant, plan, x, d, multiplier=MULTIPLIER, correction=0):
    """The result for packed rows x [tokens, 2d] (any row stride), in poisoned memory."""
    out = torch.full((x.shape[0], d), float("nan"), dtype=x.dtype, device="cuda")
    out.view(reference.BITS[dtype]).fill_(-3)
    size = x.element_size()
    launch = lab.launch(op, dtype, variant, plan)
    launch(torch.cuda.current_stream().cuda_stream,
           arguments(op, x.data_ptr(), x.data_ptr() + d * size, out.data_ptr(), x.shape[0], d,
                     (x.stride(0), x.stride(0), d), multiplier, correction))
    return out


def variants(op, dtype):
    if op == "act_and_mul":
        return ["silu", "gelu_tanh", "gelu_erf"]
    forms = ["tanh", "erf"]
    return forms if dtype == "f32" else [f"{r}_{f}" for r in ("stepwise", "final") for f in forms]


class Findings:
    """Counts over all checks; `failures` names the first of each kind."""

    def __init__(self):
        self.failures, self.checks, self.off_by_one, self.nonzero, self.near = [], 0, 0, 0, 0
        self.rows, self.mask = 0, 0

    def fail(self, text):
        self.failures.append(text)
        if len(self.failures) <= 40:
            print("FAIL", text, flush=True)

    def compare(self, label, op, dtype, variant, x, d, y, multiplier=MULTIPLIER, correction=0):
        self.checks += 1
        gate, up = x[:, :d], x[:, d:2 * d]
        if op == "act_and_mul":
            expected = reference.act_and_mul(gate, up, variant)
            exempt = torch.zeros_like(expected, dtype=torch.bool)
        elif variant.startswith("final") or dtype == "f32":
            expected, exempt, slack = reference.gelu_and_mul_sparse_final(gate, up, multiplier, variant.split("_")[-1], correction)
            nan_rows = ~gate.isfinite().all(-1, keepdim=True)
            if dtype == "f32":
                within = (y.double() - expected).abs() <= slack + 1e-5 + 1.3e-6 * expected.abs()
                expected = torch.where(within & ~nan_rows & ((y == 0) == (expected == 0)), y.double(), expected)
            else:
                within = (y.double() - expected).abs() <= slack + reference.unit(dtype) * expected.abs()
                expected = torch.where(within & ~nan_rows & ((y == 0) == (expected.to(x.dtype) == 0)), y.double(), expected)
            expected = torch.where(nan_rows, float("nan"), expected).to(x.dtype)
            exempt = exempt & ~nan_rows
        else:
            expected = reference.gelu_and_mul_sparse(gate, up, multiplier, variant.split("_")[-1], correction)
            rows = reference.near_tie_rows(gate, multiplier, correction)
            self.near += int(rows.sum())
            self.rows += rows.numel()
            exempt = rows[:, None].expand_as(expected)
        mask = ((y == 0) != (expected == 0)) & ~exempt & ~(y.isnan() & expected.isnan())
        self.mask += int(mask.sum())
        if mask.any():
            self.fail(f"{label}: {int(mask.sum())} mask mismatches, first at {mask.nonzero()[0].tolist()}")
            return
        if dtype == "f32":
            bad = ~torch.isclose(y, expected, rtol=1.3e-6, atol=1e-5, equal_nan=True) & ~exempt
            if bad.any():
                at = tuple(bad.nonzero()[0].tolist())
                self.fail(f"{label}: {int(bad.sum())} values, {at}: {y[at].item()} not {expected[at].item()}")
            return
        distance = torch.where(exempt, 0, reference.ulps(y, expected))
        nonzero = int(((expected != 0) & ~exempt).sum())
        off = int((distance != 0).sum())
        self.off_by_one += off
        self.nonzero += nonzero
        if distance.max() > 2 or off > max(2, 1e-3 * nonzero):
            at = tuple((distance == distance.max()).nonzero()[0].tolist())
            self.fail(f"{label}: {off} of {nonzero} differ, by {int(distance.max())} ulp at {at}: {y[at].item()} not "
                      f"{expected[at].item()} (gate {gate[at].item()}, up {up[at].item()})")


def packed(tokens, d, dtype, offset=0, stride=None, mean=0.0, deviation=1.0):
    """Random rows [tokens, 2d] with a row stride and a base that is `offset` elements off."""
    stride = stride or 2 * d
    flat = torch.randn(offset + (tokens - 1) * stride + 2 * d + 8, device="cuda") * deviation + mean
    return flat.to(reference.DTYPES[dtype]).as_strided((tokens, 2 * d), (stride, 1), offset)


def every_plan(op, tokens, d, dtype):
    found = {}
    for plan in planning.plans(op, tokens, d, dtype):
        found.setdefault((plan.family, plan.cluster), plan)
    if op == "gelu_and_mul_sparse":
        for threads in (64, 128):
            plan = planning.ring(tokens, d, dtype, threads, 1)
            if plan:
                found[("ring", threads)] = plan
        found["streamed", 4] = planning.streamed(tokens, d, dtype, 128, 4)
        found["cluster", 3] = planning.registers(tokens, d, dtype, "cluster2", 3)
    return [p for p in found.values() if p]


def quick(lab, options):
    return check(lab, options, ("gelu_and_mul_sparse",), ("bf16", "f32"), ("tanh", "stepwise_tanh"),
                 [(3, 2048), (600, 4096), (5, 13824), (2, 32768), (7, 3420), (9, 1)])


def check(lab, options, ops=("gelu_and_mul_sparse", "act_and_mul"), dtypes=("bf16", "f16", "f32"), only=None,
          shapes=((3, 2048), (600, 4096), (5, 13824), (2, 32768), (7, 3420), (4, 1234), (300, 31), (9, 1), (3, 8), (2, 100000))):
    findings = Findings()
    for op, dtype in itertools.product(ops, dtypes):
        for variant in variants(op, dtype):
            if only and variant not in only:
                continue
            for tokens, d in shapes:
                inputs = {"plain": packed(tokens, d, dtype), "offset": packed(tokens, d, dtype, 1),
                          "strided": packed(tokens, d, dtype, 0, 2 * d + 5), "mean": packed(tokens, d, dtype, 8, None, 30.0, 0.1)}
                special = packed(tokens, d, dtype)
                special[0, d // 2] = float("nan")
                special[1, d - 1] = float("inf")
                special[min(2, tokens - 1), d // 3] = -float("inf")
                inputs["special"] = special
                ups = packed(tokens, d, dtype)
                ups[0, d + d // 2] = float("nan")
                ups[1, 2 * d - 1] = float("inf")
                inputs["ups"] = ups
                inputs["large"] = packed(tokens, d, dtype, 0, None, 0.0, 40.0)
                far = packed(tokens, d, dtype)
                values = torch.tensor(FAR_GATES, device="cuda").to(far.dtype)
                far[:, :d] = values.repeat(-(-d // len(values)))[:d]
                inputs["far"] = far
                inputs["constant"] = torch.cat([torch.full((tokens, d), 0.3), torch.randn(tokens, d)], 1).to(
                    reference.DTYPES[dtype]).cuda()
                for plan in every_plan(op, tokens, d, dtype):
                    for name, x in inputs.items():
                        label = f"{op} {plan.label} {dtype} {variant} {tokens}x{d} {name}"
                        if op == "act_and_mul" and name == "special" or plan.family.startswith("needed") and name == "ups":
                            continue
                        y = run(lab, op, dtype, variant, plan, x, d)
                        findings.compare(label, op, dtype, variant, x, d, y)
                if op == "gelu_and_mul_sparse":
                    plan = every_plan(op, tokens, d, dtype)[0]
                    for multiplier, correction in ((-0.5, 0), (0.0, 0), (1.25, 1)):
                        x = inputs["plain"]
                        y = run(lab, op, dtype, variant, plan, x, d, multiplier, correction)
                        findings.compare(f"{op} {plan.label} {dtype} {variant} {tokens}x{d} {multiplier} {correction}",
                                         op, dtype, variant, x, d, y, multiplier, correction)
    print(f"check: {findings.checks} comparisons, {len(findings.failures)} failed; {findings.off_by_one} of "
          f"{findings.nonzero} nonzero 16-bit elements off by an ulp; {findings.near} near-tie rows of {findings.rows}")
    return not findings.failures


def random(lab, arguments_):
    good = True
    for dtype in ("bf16", "f16", "f32"):
        for form in ("tanh", "erf"):
            findings = Findings()
            variant = form if dtype == "f32" else f"stepwise_{form}"
            for seed, (d, plan_of) in enumerate((
                    (16384, lambda t, d: planning.ring(t, d, dtype, 512, 1)), (2048, lambda t, d: planning.registers(t, d, dtype, "registers2")),
                    (8192, lambda t, d: planning.registers(t, d, dtype, "cluster1", 4)), (13824, lambda t, d: planning.streamed(t, d, dtype, 512)))):
                torch.manual_seed(seed)
                tokens = 25_000_000 // d + 1
                x = packed(tokens, d, dtype)
                plan = plan_of(tokens, d) or planning.streamed(tokens, d, dtype, 512)
                y = run(lab, "gelu_and_mul_sparse", dtype, variant, plan, x, d)
                findings.compare(f"random {plan.label} {dtype} {variant} {d}", "gelu_and_mul_sparse", dtype, variant, x, d, y)
                del x, y
            print(f"random {dtype} {form}: 10^8 elements, {findings.mask} mask mismatches outside {findings.near} near-tie rows of "
                  f"{findings.rows}; {findings.off_by_one} of {findings.nonzero} nonzero elements off by an ulp")
            good &= not findings.failures
    return good


def repeat(lab, arguments_):
    good = True
    for dtype in ("bf16", "f32"):
        variant = "tanh" if dtype == "f32" else "stepwise_tanh"
        for tokens, d in ((300, 4096), (130, 13824), (40, 3420)):
            x = packed(tokens, d, dtype)
            for plan in every_plan("gelu_and_mul_sparse", tokens, d, dtype):
                first = run(lab, "gelu_and_mul_sparse", dtype, variant, plan, x, d)
                bits = first.view(reference.BITS[dtype])
                differing = torch.zeros((), dtype=torch.int64, device="cuda")
                for _ in range(1000 if tokens == 130 else 50):
                    y = run(lab, "gelu_and_mul_sparse", dtype, variant, plan, x, d)
                    differing += (y.view(reference.BITS[dtype]) != bits).sum()
                order = torch.randperm(tokens, device="cuda")[:tokens // 2]
                grid = (len(order) * plan.cluster,) if plan.family != "ring" else (min(plan.grid[0], len(order)),)
                fewer = planning.Plan(plan.family, grid, plan.threads, plan.shared, plan.cluster)
                y = run(lab, "gelu_and_mul_sparse", dtype, variant, fewer, x[order].contiguous(), d)
                moved = (y.view(reference.BITS[dtype]) != bits[order]).sum()
                if differing.item() or moved.item():
                    print(f"FAIL repeat {plan.label} {dtype} {tokens}x{d}: {differing.item()} over repeats, {moved.item()} moved")
                    good = False
    print("repeat:", "bit-identical over 1000 repeats and for any number and place of rows" if good else "differs")
    return good


def once(lab, options):
    """Runs the plans whose labels `--families` begins, without looking at the results."""
    for spec in options.cases:
        op, dtype, variant = spec.split(":")
        for tokens, d in itertools.product(options.tokens, options.widths):
            x = packed(tokens, d, dtype)
            for plan in planning.plans(op, tokens, d, dtype):
                if not options.families or any(plan.label.startswith(f) for f in options.families):
                    run(lab, op, dtype, variant, plan, x, d)
                    print(op, dtype, variant, tokens, d, plan.label)
    return True


def fill(pool, dtype):
    pool.view(reference.DTYPES[dtype]).normal_()


def time_plan(launch, op, dtype, tokens, d, pool, results):
    """{cold_us, warm_us} of a plan over packed rows."""
    size = planning.SIZES[dtype]
    moved = 3 * tokens * d * size
    span = -(-2 * tokens * d * size // 512) * 512
    calls = timing.call_count(moved)
    point = {}
    for cold, key in ((True, "cold_us"), (False, "warm_us")):
        packs = []
        for number in timing.set_numbers(moved, calls, cold):
            offset = number * span
            base = pool.data_ptr() + offset % (pool.numel() - span + 1) // 512 * 512
            out = results.data_ptr() + offset // 2 % (results.numel() - moved // 3 + 1) // 512 * 512
            packs.append(arguments(op, base, base + d * size, out, tokens, d, (2 * d, 2 * d, d)))
        launch(torch.cuda.current_stream().cuda_stream, packs[0])

        def capture(stream):
            for pack in packs:
                launch(stream, pack)

        point[key] = timing.median_us(capture, calls, cold)
    return point


def time(lab, options):
    pool = torch.empty(1 << 30, device="cuda", dtype=torch.uint8)
    results = torch.empty(1 << 29, device="cuda", dtype=torch.uint8)
    fill(pool, "bf16")
    curve = timing.copy_curve(pool, lab.directory / "copy.cubin")
    table = Table(curve, options.peers)
    points = []
    for spec in options.cases:
        op, dtype, variant = spec.split(":")
        fill(pool, dtype)
        for tokens, d in itertools.product(options.tokens, options.widths):
            moved = 3 * tokens * d * planning.SIZES[dtype]
            if moved // 3 * 2 > pool.numel() or moved // 3 > results.numel():
                continue
            found = []
            for plan in planning.plans(op, tokens, d, dtype):
                if options.families and not any(plan.label.startswith(f) for f in options.families):
                    continue
                point = {"op": op, "dtype": dtype, "variant": variant, "tokens": tokens, "d": d, "plan": plan.label, "bytes": moved}
                try:
                    point |= time_plan(lab.launch(op, dtype, variant, plan), op, dtype, tokens, d, pool, results)
                except RuntimeError as error:
                    print(plan, error)
                    continue
                found.append(point)
            table.row(found)
            points += found
            if options.out:
                json.dump({"copy": curve, "points": points}, open(options.out, "w"))
    table.close()
    return True


class Table:
    """Prints a line a shape: the best plan beside the copy, the bound and the peers."""

    def __init__(self, curve, directory):
        self.curve, self.peers, self.ratios = curve, {}, {}
        if directory:
            folder = pathlib.Path(directory)
            rows = csv.DictReader(open(folder / "h200_gelu_and_mul_sparse_bf16.csv"))
            self.peers = {(int(r["tokens"]), int(r["d"])): r for r in rows}
            print("copy: bytes, cold, warm | in the csv")
            for r in csv.DictReader(open(folder / "h200_copy.csv")):
                size = int(r["bytes_moved"])
                now = [result_file.interpolate(curve, size, k) for k in ("cold_us", "warm_us")]
                print(f"{size:>10} {now[0]:8.3f} {now[1]:8.3f} | {r['cold_us']} {r['warm_us']}")
        print("shape | best cold, copy, bound (Triton, compiled) | best warm, copy (Triton) | plans by cold time", flush=True)

    def row(self, found):
        if not found:
            return
        best, warm = (min(found, key=lambda p: p[k]) for k in ("cold_us", "warm_us"))
        copies = [result_file.interpolate(self.curve, best["bytes"], k) for k in ("cold_us", "warm_us")]
        bound = 1.05 * copies[0] + 1.2 if best["bytes"] < 25e6 else 1.02 * copies[0] + 1.0
        peer = self.peers.get((best["tokens"], best["d"])) if best["op"] == "gelu_and_mul_sparse" and best["dtype"] == "bf16" else None
        text = f"{best['op'][:4]} {best['dtype']} {best['variant']} {best['tokens']}x{best['d']} | {best['cold_us']:.2f} {copies[0]:.2f} {bound:.2f}"
        if peer:
            text += f" ({peer['triton_cold_us']} {peer['compiled_cold_us']})"
            for k, p in (("cold_us", best), ("warm_us", warm)):
                self.ratios.setdefault(k, []).append(float(peer[f"triton_{k}"]) / p[k])
        text += f" | {warm['warm_us']:.2f} {copies[1]:.2f}" + (f" ({peer['triton_warm_us']})" if peer else "")
        text += " | " + " ".join(f"{p['plan']}={p['cold_us']:.2f}/{p['warm_us']:.2f}" for p in sorted(found, key=lambda p: p["cold_us"])[:7])
        print(text + ("" if best["cold_us"] <= bound else "  SHORT"), flush=True)

    def close(self):
        for key, values in self.ratios.items():
            print(f"geometric mean over Triton's csv figures, {key}: {math.exp(sum(map(math.log, values)) / len(values)):.3f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--images", required=True, help="folder of the built images")
    parser.add_argument("--peers", help="folder of the peers' csv files")
    parser.add_argument("--no-dependent-launch", action="store_true")
    parser.add_argument("--out", help="JSON file of the times")
    parser.add_argument("--cases", nargs="+", default=["gelu_and_mul_sparse:bf16:stepwise_tanh"], metavar="OP:DTYPE:VARIANT")
    parser.add_argument("--tokens", nargs="+", type=int, default=TOKENS)
    parser.add_argument("--widths", nargs="+", type=int, default=WIDTHS)
    parser.add_argument("--families", nargs="+")
    parser.add_argument("command", choices=("check", "quick", "random", "repeat", "time", "once"))
    options = parser.parse_args()
    torch.manual_seed(1)
    lab = Lab(options.images, not options.no_dependent_launch)
    good = {"check": check, "quick": quick, "random": random, "repeat": repeat, "time": time, "once": once}[options.command](lab, options)
    torch.cuda.synchronize()
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
