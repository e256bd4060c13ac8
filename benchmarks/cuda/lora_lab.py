# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks and times the LoRA kernels on the device at hand.

  lora_lab.py --cubins DIR check [--cases N] [--seed S]
  lora_lab.py --cubins DIR tune --peers h200_lora_bf16.csv [--out FILE]
"""

import argparse
import csv
import ctypes
import json
import math
import random
import time

import torch

import lora_kernels as lk
from lora_cases import Problem, same_bits, stream
from lora_kernel_cases import KernelCase
from lora_timing import MOST_SETS, Timer, copy_curve, interpolate, sets_for

FAMILIES = {"bf16": (8, 16), "f16": (8, 16), "f32": (16,),
            "bf16_f32": (16,), "f16_f32": (16,)}


DECODE = ((1, 16), (1, 64), (8, 16))  # tokens, ranks
FLOW = ((16, 16, 4, 256), (32, 16, 4, 256), (16, 32, 2, 256), (16, 64, 2, 256), (16, 128, 4, 128),
        (16, 256, 2, 128))  # tokens, ranks, slots, depth


def staged_kernels(name, rank):
    clusters = (1, 2, 3, 4, 5, 6, 7, 8, 16)
    return ([lk.Staged(name, 16, c, r) for r in (64, 128, 256) for c in clusters if rank <= r]
            + [lk.Wide(name, 64, c, r) for r in (32, 64, 128, 256) for c in clusters if rank <= r])


def flow_kernels(name, rank):
    return [lk.Flow(name, t, c, r, s, d) for t, r, s, d in FLOW for c in (2, 3, 4, 6, 8, 16) if rank <= r and (t == 16 or c <= 8)]


def kernels_for(name, rank, op="matmul", k=0, grouped=False):
    """Every kernel id that a rank fits."""
    clusters = (1, 2, 4, 8, 16)
    ids = [lk.Kernel(name, t, c) for t in FAMILIES[name] for c in clusters]
    if op == "matmul" and name in ("bf16", "f16"):
        ids += [lk.Decode(name, t, c, r, p) for t, r in DECODE for c in clusters for p in (1, 3)
                if t == 1 or p == 1]
    if op == "matmul" and name == "bf16":
        ids += flow_kernels(name, rank)
    if op == "matmul" and name == "bf16" and k >= 144 and grouped:
        ids += staged_kernels(name, rank)
    return [k for k in ids if k.fits(rank)]


def random_problem(rng, seed):
    """A small problem over everything that the ops take."""
    dtype = rng.choice(["bf16", "f16", "f32"])
    weights = rng.choice([dtype, dtype, "f32"])
    rounding = rng.choice(["final", "final", "sum", "stepwise"])
    slices = rng.choice([1, 1, 2, 3, 8])
    sizes = [1, 2, 19, 31, 35, 64, 128, 777, 1024, 2049, 3420, 4096]
    widths = [rng.choice(sizes[:8] if slices > 2 else sizes) for _ in range(slices)]
    if rng.random() < 0.3:
        widths = [widths[0]] * slices
    rank = rng.choice([rng.randint(1, 256), rng.choice([1, 2, 4, 8, 12, 16, 24, 32, 64, 128]),
                       rng.choice([16, 320, 512, 777, 1024])])
    return Problem(
        dtype=dtype, weights=weights,
        tokens=rng.choice([rng.randint(1, 17), rng.choice([31, 32, 33, 63, 64, 65, 128, 200])]),
        k=rng.choice(sizes), n=tuple(widths), rank=rank,
        adapters=rng.choice([1, 2, 4, 16, 64]) if rank < 300 else 3, rounding=rounding,
        element=rounding != "stepwise" and rng.random() < 0.4,
        scale=rng.choice([1.0, 0.5, 0.7301, -1.3]), scales=rng.random() < 0.4,
        ranks=rng.choice(["", "", "shared", "sliced"]), accumulate=rng.random() < 0.7,
        offset=rng.choice([0, 0, 3, 64]), x_pad=rng.choice([0, 0, 8, 5]),
        y_pad=rng.choice([0, 0, 8, 3]), shift=rng.choice([0, 0, 0, 1]),
        grouping=rng.choice(["", "group", "engine"]),
        op=rng.choice(["matmul", "matmul", "matmul", "shrink", "expand"]), seed=seed)


def check(library, cases, seed):
    """Random problems against float64, each with a random kernel id."""
    rng = random.Random(seed)
    worst, failed = {}, 0
    began = time.time()
    for i in range(cases):
        p = random_problem(rng, seed * 1000003 + i)
        kernel = rng.choice(kernels_for(p.name(), p.rank, p.op, p.k, p.grouping != ""))
        error, faults = KernelCase(p, library).check(kernel)
        worst[p.name()] = max(worst.get(p.name(), 0.0), error)
        if error > 1 or faults:
            failed += 1
            if failed <= 12:
                print("FAIL", f"{error:.3g}", faults, kernel, p)
    print(f"check: {cases} cases, seed {seed}, {failed} failed, worst error/bound",
          {k: round(v, 3) for k, v in worst.items()}, f"{time.time() - began:.0f} s")
    return failed


def check_faults(library):
    """Inputs that broke other projects: ids without adapter, few rows, odd widths, offsets."""
    failed = 0

    def expect(what, case, kernel):
        nonlocal failed
        error, faults = case.check(kernel)
        if error > 1 or faults:
            failed += 1
            print("FAIL", what, f"{error:.3g}", faults, kernel)

    for ids in ([0, -1, 0, -1], [-1, -1, -1, -1], [-1, 3, 3, 9], [2, 1, 0, 3]):
        for grouping in ("", "group", "engine"):
            p = Problem(tokens=4, k=256, n=(96,), grouping=grouping)
            expect(f"ids {ids}", KernelCase(p, library, torch.tensor(ids, dtype=torch.int32)),
                   lk.Kernel("bf16", 8, 4))
    for width in (3420, 3424, 3696, 2816, 19200):
        for rank in (16, 64):
            expect(f"width {width}",
                   KernelCase(Problem(tokens=5, k=width, n=(width,), rank=rank), library),
                   lk.Kernel("bf16", 8, 8))
    for rank in range(1, 257):
        for kernel in [lk.Kernel("bf16", 8, 2)] + [lk.Decode("bf16", t, 2, r) for t, r in DECODE if rank <= r]:
            expect(f"rank {rank}", KernelCase(Problem(tokens=3, k=96, n=(40,), rank=rank), library), kernel)
    for tokens in range(1, 18):
        expect(f"tokens {tokens}", KernelCase(Problem(tokens=tokens, k=320, n=(72,)), library),
               lk.Kernel("bf16", 16, 2))
    return failed


def check_far_rows(library):
    """y's rows beyond 2^31 elements: only the last 64 are compared."""
    tokens, stride, k, n, rank = 87400, 24576, 64, 64, 16
    y = torch.zeros(tokens * stride, dtype=torch.bfloat16, device="cuda").view(tokens, stride)
    p = Problem(tokens=tokens, k=k, n=(n,), rank=rank, adapters=2, grouping="group")
    case = KernelCase(p, library)
    call = case.call()
    call.y, call.y_stride = y.data_ptr(), stride
    failed = 0
    lk.launch(library, lk.Kernel("bf16", 16, 1), call, stream())
    case.y.view.zero_()
    lk.launch(library, lk.Kernel("bf16", 16, 1), case.call(), stream())
    if not same_bits(y[-64:, :n], case.y.view[-64:]) or not case.y.view[-64:].any():
        failed = 1
        print("FAIL far rows")
    return failed


def check_batches(library):
    """A token's bits alone, in a batch, shuffled, repeated, and in a replayed graph."""
    failed = 0
    for kernel in [*(lk.Kernel("bf16", t, c) for t, c in ((8, 16), (16, 4), (16, 1))),
                   lk.Decode("bf16", 1, 4, 64), lk.Decode("bf16", 8, 4, 16), lk.Wide("bf16", 64, 3, 32), lk.Staged("bf16", 16, 8, 64),
                   lk.Decode("bf16", 1, 8, 16, 2), lk.Flow("bf16", 16, 6, 16, 4), lk.Flow("bf16", 32, 4, 16, 4), lk.Flow("bf16", 16, 16, 64, 2)]:
        p = Problem(tokens=96, k=1000, n=(500, 260), rank=12, adapters=5, ranks="sliced",
                    grouping="group", seed=5)
        case = KernelCase(p, library)
        start = case.y.view.clone()

        def run(call):
            case.y.view.copy_(start)
            lk.launch(library, kernel, call, stream())
            return case.y.view.clone()

        whole = run(case.call())
        for _ in range(20):
            failed += not same_bits(run(case.call()), whole)
        reads_ids = not isinstance(kernel, lk.Staged) or kernel.tokens <= lk.WINDOW
        for t in range(0, 96, 5) if reads_ids else ():
            call = case.call()
            call.tokens, call.order = 1, 0
            call.ids += 4 * t
            call.x += 2 * t * call.x_stride
            call.y += 2 * t * call.y_stride
            failed += not same_bits(run(call)[t], whole[t])
        if reads_ids:
            direct = case.call()
            direct.order = 0
            failed += not same_bits(run(direct), whole)
        # The same graph with every adapter's tokens renamed.
        one = torch.zeros(96, dtype=torch.int32, device="cuda")
        kept = case.ids.view[0].clone()
        case.ids.view[0].copy_(one)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            lk.launch_group(library, case.ids.address(), case.order.address(),
                            case.starts.address(), p.tokens, p.adapters, stream())
            lk.launch(library, kernel, case.call(), stream())
        case.ids.view[0].copy_(kept)
        case.y.view.copy_(start)
        graph.replay()
        torch.cuda.synchronize()
        failed += not same_bits(case.y.view, whole)
        if failed:
            print("FAIL batches", kernel, failed)
    print(f"batches: {failed} failed")
    return failed


def check_group(library):
    """Stable groupings of many sizes, against a stable sort."""
    failed = 0
    for tokens in (1, 2, 31, 32, 33, 1000, 8192, 65536, 100000):
        for groups in (1, 4, 64, 1000, 5000):
            ids = torch.randint(-2, groups + 2, (tokens,), dtype=torch.int32, device="cuda")
            order = torch.full((tokens,), -9, dtype=torch.int32, device="cuda")
            starts = torch.full((groups + 1,), -9, dtype=torch.int32, device="cuda")
            lk.launch_group(library, ids.data_ptr(), order.data_ptr(), starts.data_ptr(),
                            tokens, groups, stream())
            key = torch.where((ids < 0) | (ids >= groups), groups, ids)
            want = torch.sort(key, stable=True).indices.int()
            counts = torch.bincount(key, minlength=groups + 1)
            ends = torch.cat([torch.zeros(1, device="cuda", dtype=torch.long),
                              counts.cumsum(0)])[:groups + 1].int()
            if not torch.equal(order, want) or not torch.equal(starts, ends):
                failed += 1
                print("FAIL group", tokens, groups)
    print(f"group: {failed} failed")
    return failed


def peer_points(path):
    with open(path, newline="") as file:
        for row in csv.DictReader(file):
            point = {k: float(v) for k, v in row.items() if k.endswith("_us")}
            point |= {k: int(row[k]) for k in row if not k.endswith("_us") and k != "n_per_slice"}
            point["n"] = tuple(int(n) for n in row["n_per_slice"].split("+"))
            yield point


class PointSets:
    """Input sets of a peer's point, made once for all candidates."""

    def __init__(self, point, library, dtype="bf16", most=MOST_SETS):
        self.point, self.library = point, library
        t, k, n = point["tokens"], point["k"], point["n"]
        layers, rank = point["adapters"], point["rank"]
        e = {"bf16": torch.bfloat16, "f16": torch.float16}[dtype]
        self.kept = []
        self.calls = []
        rng = random.Random(t * 7 + rank)
        for _ in range(sets_for(point["bytes_pair"], most)):
            with_adapter = point["tokens_with_adapter"]
            used = rng.sample(range(layers), point["active_adapters"])
            ids = used + [rng.choice(used) for _ in range(with_adapter - len(used))]
            ids += [-1] * (t - with_adapter)
            rng.shuffle(ids)
            def make(*shape):
                tensor = torch.empty(shape, dtype=e, device="cuda").normal_()
                self.kept.append(tensor)
                return tensor.data_ptr()
            idt = torch.tensor(ids, dtype=torch.int32, device="cuda")
            order = torch.empty(t, dtype=torch.int32, device="cuda")
            starts = torch.empty(layers + 1, dtype=torch.int32, device="cuda")
            h = torch.empty(len(n) * t * rank, dtype=torch.float32, device="cuda").normal_()
            self.kept += [idt, order, starts, h]
            lk.launch_group(library, idt.data_ptr(), order.data_ptr(), starts.data_ptr(), t,
                            layers, stream())
            self.calls.append(lk.Call(
                tokens=t, k=k, n=list(n), rank=rank, adapters=layers, x=make(t, k),
                ids=idt.data_ptr(), a=[make(layers, rank, k) for _ in n],
                b=[make(layers, w, rank) for w in n], order=order.data_ptr(),
                starts=starts.data_ptr(), groups=layers, h=h.data_ptr(), y=make(t, sum(n)),
                x_stride=k, h_slice_stride=t * rank, h_stride=rank, y_stride=sum(n),
                scale=0.5))
            if len(self.kept) > 20000:
                break

    def time(self, timer, kernel, direct, cold, mode=0):
        calls = []
        for call in self.calls if cold else self.calls[:1] * 20:
            c = lk.dataclasses.replace(call, flags=call.flags | mode,
                                       order=0 if direct else call.order)
            calls.append(lambda c=c: lk.launch(self.library, kernel, c, stream()))
        return timer.measure(calls, cold)


def candidates(point):
    """Kernel ids worth timing at a point, and whether each reads ids itself."""
    t, rank = point["tokens"], point["rank"]
    out = []
    for tokens in (8, 16):
        for cluster in (1, 2, 4, 8, 16):
            kernel = lk.Kernel("bf16", tokens, cluster)
            blocks = cluster * kernel.tiles(t, point["adapters"], point["adapters"]) * len(point["n"])
            if not kernel.fits(rank) or blocks > 2400:
                continue
            if (tokens > 8 and t <= 1) or (tokens > 16 and t <= 32) or (tokens == 8 and t > 512 and point["adapters"] < 16):
                continue
            if blocks < 64 and cluster < 8:
                continue
            if t <= 32:
                out.append((kernel, True))
            else:
                out.append((kernel, False))
    for kernel in staged_kernels("bf16", rank):
        if t <= 32 and (kernel.tokens > 32 or rank <= 32):
            continue
        blocks = kernel.cluster * kernel.tiles(t, point["adapters"], point["adapters"]) * len(point["n"])
        if kernel.ranks < max(2 * rank, 33) and 48 <= blocks <= 1200 or kernel.cluster == 16 and blocks < 48:
            out.append((kernel, t <= 32))
    if t <= 128 and rank <= 64:
        for cluster, parts in ((1, 1), (2, 1), (4, 1), (8, 1), (8, 2), (8, 4), (16, 1), (16, 2), (16, 4)):
            blocks = cluster * parts * t * len(point["n"])
            if blocks <= (2400 if parts == 1 else 128) and (blocks >= 64 or cluster >= 8):
                out.append((lk.Decode("bf16", 1, cluster, 16 if rank <= 16 else 64, parts), True))
    for kernel in flow_kernels("bf16", rank):
        blocks = kernel.cluster * kernel.tiles(t, point["adapters"], None if t <= 32 else point["adapters"]) * len(point["n"])
        if kernel.ranks < max(2 * rank, 17) and (90 <= blocks <= 600 or kernel.cluster == 16 and blocks < 90):
            out.append((kernel, t <= 32))
    if t <= 512 and rank <= 16:
        for cluster in (1, 2, 4, 8, 16):
            kernel = lk.Decode("bf16", 8, cluster, 16)
            if 48 <= cluster * kernel.tiles(t, point["adapters"], point["adapters"]) * len(point["n"]) <= 2400:
                out.append((kernel, t <= 32))
    return out


def copy_kernel(library):
    def copy(to, source):
        count = to.numel() // 16
        library.launch("frit_lab_copy", (-(-count // 512), 1, 1), 512, 1, 0,
                       [ctypes.c_void_p(source.data_ptr()), ctypes.c_void_p(to.data_ptr()),
                        ctypes.c_int64(count)], stream())
    return copy


def tune(library, peers, out):
    """Every candidate at every point."""
    timer = Timer()
    curve = copy_curve(timer, copy_kernel(library))
    print("copy", [(row["bytes"], round(row["cold_us"], 2), round(row["warm_us"], 2)) for row in curve])
    results, logs = [], []
    for point in peer_points(peers):
        sets = PointSets(point, library)
        timed = []
        for kernel, direct in candidates(point):
            cold = sets.time(timer, kernel, direct, True)
            timed.append((cold["us"], kernel, direct))
        timed.sort(key=lambda t: t[0])
        _, best, direct = timed[0]
        warm = sets.time(timer, best, direct, False)["us"]
        _, half, direct = next(t for t in timed if isinstance(t[1], lk.Kernel))
        shrink = sets.time(timer, half, direct, True, lk.SHRINK_ONLY)["us"]
        expand = sets.time(timer, half, direct, True, lk.EXPAND_ONLY)["us"]
        floor = max(interpolate(curve, point["bytes_pair"], "cold_us"),
                    point["flops_pair"] / 600e6)
        limit = 1.35 * floor + 1.5
        logs.append(math.log(point["pair_cold_us"] / timed[0][0]))
        print(f"{point['tokens']:5} {point['k']:6} {'+'.join(map(str, point['n'])):>17} r{point['rank']:<4}"
              f"a{point['adapters']:<3} {timed[0][0]:7.2f} limit {limit:7.2f} {'ok  ' if timed[0][0] <= limit else 'MISS'}"
              f" peer {point['pair_cold_us']:7.2f} x{point['pair_cold_us'] / timed[0][0]:.2f} warm {warm:.2f}/{point['pair_warm_us']:.2f}"
              f" s {shrink:.2f}/{point['shrink_cold_us']:.2f} e {expand:.2f}/{point['expand_cold_us']:.2f} | "
              + " ".join(f"{k.function.removeprefix('frit_lora_').removesuffix('_bf16')}x{k.cluster}:{us:.2f}" for us, k, _ in timed[:6]), flush=True)
        results.append({"point": point, "timed": [(us, k.function, k.cluster) for us, k, _ in timed], "warm": warm, "limit": limit,
                        "shrink": shrink, "expand": expand})
        del sets
    print(f"geometric mean over the peer's pair: {math.exp(sum(logs) / len(logs)):.3f}")
    if out:
        with open(out, "w") as file:
            json.dump({"copy": curve, "results": results}, file)


def one(library, peers, index, tile, cluster, ranks):
    """A few launches of one kernel id at one point, for a profiler."""
    kernel = lk.Kernel("bf16", tile, cluster)
    if ranks:
        family = {1: lk.Decode, 8: lk.Decode, 16: lk.Staged, 32: lk.Flow, 64: lk.Wide}[tile]
        kernel = family("bf16", tile, cluster, ranks)
    point = list(peer_points(peers))[index]
    sets = PointSets(point, library)
    for call in sets.calls[:3]:
        if point["tokens"] <= lk.WINDOW:
            call.order = 0
        lk.launch(library, kernel, call, stream())
    torch.cuda.synchronize()


def time_group(library):
    timer = Timer()
    for tokens, groups in ((32, 4), (1024, 4), (8192, 4), (8192, 64), (65536, 64)):
        sets = []
        for _ in range(40):
            ids = torch.randint(-1, groups, (tokens,), dtype=torch.int32, device="cuda")
            sets.append((ids, torch.empty_like(ids),
                         torch.empty(groups + 1, dtype=torch.int32, device="cuda")))
        us = [timer.measure([lambda s=s: lk.launch_group(
            library, s[0].data_ptr(), s[1].data_ptr(), s[2].data_ptr(), tokens, groups,
            stream()) for s in chosen], cold)["us"]
            for chosen, cold in ((sets, True), (sets[:1] * 20, False))]
        print(f"group {tokens} x {groups}: cold {us[0]:.2f} warm {us[1]:.2f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cubins", required=True)
    parser.add_argument("command", choices=["check", "tune", "group", "one"])
    parser.add_argument("--cases", type=int, default=600)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--peers")
    parser.add_argument("--point", type=int, default=0)
    parser.add_argument("--tile", type=int, default=8)
    parser.add_argument("--cluster", type=int, default=16)
    parser.add_argument("--ranks", type=int, default=0, help="of a kernel that is named by its ranks")
    parser.add_argument("--out")
    args = parser.parse_args()
    torch.cuda.init()
    torch.zeros(1, device="cuda")
    library = lk.Library(args.cubins)
    if args.command == "tune":
        tune(library, args.peers, args.out)
    elif args.command == "one":
        one(library, args.peers, args.point, args.tile, args.cluster, args.ranks)
    elif args.command == "group":
        time_group(library)
    else:
        failed = check_group(library) + check_faults(library) + check_batches(library)
        failed += check_far_rows(library) + check(library, args.cases, args.seed)
        raise SystemExit(failed > 0)


if __name__ == "__main__":
    main()
