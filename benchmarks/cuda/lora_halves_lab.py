# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks and times the LoRA kernels that compute one half, and compares two builds of all kernels, on the device at hand.

  lora_halves_lab.py --cubins DIR check [--cases N] [--state FILE]  every function against float64 (exit status 3: some are wrong)
  lora_halves_lab.py --cubins DIR --peers CSV time [--out FILE]     candidates for shrink and expand at the peer's points
  lora_halves_lab.py --cubins DIR --old DIR --peers CSV --results FILE compare [--out FILE]
                                                                     the ids of a result file, by both builds
  lora_halves_lab.py --cubins DIR [--old DIR] base                   batches in which no token has an adapter
  lora_halves_lab.py --cubins DIR --peers CSV one --point N --kernel NUMBER --op expand
                                                                     a few launches of a candidate, for a profiler
"""

import argparse
import dataclasses
import json
import pathlib
import random
import re
import time

import torch

import lora_kernels as lk
import lora_lab
from lora_cases import stream
from lora_kernel_cases import KernelCase
from lora_timing import Timer

RESIDENT = 132
QUICK_REPLAYS, QUICK_SETS = 9, 80
MODES = {"shrink": lk.SHRINK_ONLY, "expand": lk.EXPAND_ONLY}


def shrink_kernels(name="bf16"):
    ids = [lk.DecodeShrink(name, t, c, r) for t, r in ((1, 16), (1, 64), (8, 16)) for c in (4, 8, 16)]
    ids += [lk.FlowShrink(name, t, c, r, s) for t, r, s in ((16, 16, 4), (32, 16, 4), (16, 64, 2)) for c in (1, 2, 3, 4, 6, 8, 16)
            if t == 16 or c <= 8]
    return ids + [lk.WideShrink(name, 64, c, 64) for c in (1, 2, 3, 4, 5, 6, 8)]


def expand_kernels(name="bf16"):
    flows = ((16, 16, 2, 256), (32, 16, 2, 256), (16, 64, 2, 256), (16, 256, 2, 128))
    return [lk.FlowExpand(name, t, 1, r, s, d) for t, r, s, d in flows] + [lk.WideExpand(name, 64, 1, r) for r in (32, 64, 128, 256)]


def matmul_kernels():
    """Ids of every function of both halves: those of few tokens, of high ranks and of many."""
    ids = [lk.Kernel(name, t, c) for name, tiles in lora_lab.FAMILIES.items() for t in tiles for c in (1, 4, 8)]
    ids += [lk.Decode(name, t, c, r, p) for name in ("bf16", "f16") for t, r, p in ((1, 16, 1), (1, 64, 3), (8, 16, 1)) for c in (1, 8, 16)]
    ids += [lk.Flow("bf16", t, c, r, s, d) for t, r, s, d in lora_lab.FLOW for c in (1, 3, 8)]
    ids += [lk.Staged("bf16", 16, c, r) for r in (64, 128, 256) for c in (1, 5, 16)]
    return ids + [lk.Wide("bf16", 64, c, r) for r in (32, 64, 128, 256) for c in (1, 3, 8)]


def fit_problem(rng, seed, op, kernel):
    """A random problem that a kernel id is for."""
    p = lora_lab.random_problem(rng, seed)
    dtype, _, weights = kernel.dtype.partition("_")
    p = dataclasses.replace(p, op=op, dtype=dtype, weights=weights or dtype)
    if not kernel.fits(p.rank):
        most = kernel.ranks if hasattr(kernel, "ranks") else 64
        p = dataclasses.replace(p, rank=rng.randint(1, most))
    if isinstance(kernel, (lk.Wide, lk.WideExpand)):
        p = dataclasses.replace(p, grouping=p.grouping or "group")
    if op == "matmul" and isinstance(kernel, lk.Staged) and not isinstance(kernel, lk.Flow):
        p = dataclasses.replace(p, k=max(p.k, 145))
    return p


class State:
    """Which functions are right, which are not, and which one runs, in a file: a kernel may end the process, or hang it."""

    def __init__(self, path):
        self.path = pathlib.Path(path) if path else None
        self.values = {"passed": [], "wrong": [], "running": None}
        if self.path and self.path.exists():
            self.values = json.loads(self.path.read_text(encoding="utf-8"))
            if self.values["running"]:
                print("broke off in", self.values["running"])
                self.values["wrong"].append(self.values["running"])

    def set(self, **values):
        self.values |= values
        if self.path:
            self.path.write_text(json.dumps(self.values), encoding="utf-8")

    def is_wrong(self, function):
        return function in self.values["wrong"]


def check(library, cases, seed, state, ops):
    """Random problems for each kernel id of `ops`; the others go on where one fails."""
    began, groups = time.time(), {}
    for op, kernels in (("expand", expand_kernels()), ("shrink", shrink_kernels()), ("matmul", matmul_kernels())):
        for kernel in kernels if op in ops else []:
            groups.setdefault((op, kernel.function), []).append(kernel)
    for number, ((op, function), kernels) in enumerate(groups.items()):
        if function in state.values["passed"] or state.is_wrong(function):
            continue
        state.set(running=function)
        rng, worst, bad = random.Random(seed * 1009 + number), 0.0, 0
        for i in range(cases):
            kernel = rng.choice(kernels)
            p = fit_problem(rng, seed * 1000003 + i, op, kernel)
            one = dataclasses.replace(kernel, parts=rng.choice([1, 2, 5, 16, 40])) if op == "expand" else kernel
            error, faults = KernelCase(p, library).check(one)
            worst = max(worst, error)
            if error > 1 or faults:
                bad += 1
                print("FAIL", f"{error:.3g}", faults, one, p, flush=True)
                if bad >= 3:
                    break
        bits = [k.cluster for k in kernels if not keeps_bits(library, op, k)]
        if bits:
            print("FAIL bits", function, "clusters", bits)
        print(f"{op} {function}: {'WRONG' if bad or bits else 'ok'}, worst {worst:.3f} of the bound, {time.time() - began:.0f} s", flush=True)
        kind = "wrong" if bad or bits else "passed"
        state.set(running=None, **{kind: state.values[kind] + [function]})
    print(f"check: seed {seed}, wrong: {state.values['wrong'] or 'none'}")
    return len(state.values["wrong"])


def keeps_bits(library, op, kernel):
    """Whether a token's bits are the same again, by other parts, and read by ids."""
    dtype, _, weights = kernel.dtype.partition("_")
    p = lora_lab.Problem(dtype=dtype, weights=weights or dtype, tokens=96, k=1000, n=(504, 260), rank=12, adapters=5, ranks="sliced",
                         grouping="group", op=op, seed=5)
    case = KernelCase(p, library)
    out = case.h if op == "shrink" else case.y
    start = out.view.clone()

    def run(kernel, call):
        out.view.copy_(start)
        lk.launch(library, kernel, call, stream())
        return out.view.clone()

    whole = run(kernel, case.call())
    calls = [(kernel, case.call())] * 5
    if op == "expand":
        calls += [(dataclasses.replace(kernel, parts=parts), case.call()) for parts in (1, 3, 7)]
    if kernel.tokens <= lk.WINDOW:
        direct = case.call()
        direct.order = 0
        calls.append((kernel, direct))
    return all(lora_lab.same_bits(run(*each), whole) for each in calls)


def parts_for(kernel, point):
    """Numbers of blocks a tile that are worth a try: some of whole steps, while the multiprocessors have room or the last has too much."""
    grouped = point["tokens"] > lk.WINDOW
    tiles = kernel.tiles(point["tokens"], point["adapters"], point["adapters"] if grouped else None) * len(point["n"])
    step = 128 if (kernel.ranks > 64) != isinstance(kernel, lk.WideExpand) else 256
    steps = -(-max(point["n"]) // step)
    found = [-(-steps // each) for each in (1, 2, 3, 4, 6, 8, 12, 16, 32)]
    found = [parts for parts in found if RESIDENT // 2 <= parts * tiles <= 3 * RESIDENT]
    return sorted(set(found)) or [steps if steps * tiles < RESIDENT else 1]


def candidates(op, point):
    """Kernel ids at a point, the tile kernels among them."""
    t, rank, slices = point["tokens"], point["rank"], len(point["n"])
    grouped = t > lk.WINDOW
    found = []
    if op == "expand":
        for kernel in expand_kernels():
            wide = isinstance(kernel, lk.WideExpand)
            if kernel.fits(rank) and kernel.ranks < max(4 * rank, 33) and (not wide or (grouped and kernel.ranks < max(2 * rank, 33))):
                if (kernel.tokens == 32 and t < 64) or (kernel.tokens == 16 and t > (1024 if rank <= 16 else 512)):
                    continue
                found += [dataclasses.replace(kernel, parts=parts) for parts in parts_for(kernel, point)]
        return found
    for kernel in shrink_kernels():
        wide, decode = isinstance(kernel, lk.WideShrink), isinstance(kernel, lk.DecodeShrink)
        parts = -(-rank // kernel.ranks)
        tiles = kernel.tiles(t, point["adapters"], point["adapters"] if grouped else None)
        blocks = kernel.cluster * tiles * slices * parts
        if (wide and not grouped) or kernel.ranks >= max(2 * rank, 33) or (decode and t > (16 if kernel.tokens == 1 else 128)) or (rank > 32 and kernel.ranks == 16):
            continue
        if kernel.tokens == 16 and t > 1024 and rank > 16:
            continue
        if 100 <= blocks <= 288 or (kernel.cluster in (8, 16) and blocks < 100) or (kernel.cluster == 1 and blocks > 288):
            found.append(kernel)
    return found


def tile_id(text):
    """The kernel id of a name in a result file, None for other providers'."""
    match = re.fullmatch(r"cuda\.lora_(.*)_cluster(\d+)", text)
    if not match:
        return None
    name, cluster = match[1], int(match[2])
    if m := re.fullmatch(r"tile(\d+)", name):
        return lk.Kernel("bf16", int(m[1]), cluster)
    if m := re.fullmatch(r"decode(64)?", name):
        return lk.Decode("bf16", 1, cluster, int(m[1] or 16))
    if name == "decode_tile8":
        return lk.Decode("bf16", 8, cluster, 16)
    if m := re.fullmatch(r"flow(\d+)_(\d+)", name):
        return next(lk.Flow("bf16", t, cluster, r, slots, depth) for t, r, slots, depth in lora_lab.FLOW if (t, r) == (int(m[1]), int(m[2])))
    if m := re.fullmatch(r"staged(\d+)", name):
        return lk.Staged("bf16", 16, cluster, int(m[1]))
    if m := re.fullmatch(r"wide(\d+)", name):
        return lk.Wide("bf16", 64, cluster, int(m[1]))
    return None


def label(kernel):
    parts = f"p{kernel.parts}" if getattr(kernel, "parts", 1) > 1 else f"x{kernel.cluster}"
    return kernel.function.removeprefix("frit_lora_").removesuffix("_bf16") + parts


def gain(point):
    """How much there is to win: points that lost come first."""
    return point["tokens"] < 33, point["bytes_pair"]


def time_halves(library, peers, out, budget, state):
    """Candidates beside the peer, cold and warm."""
    timer, began, rows = Timer(QUICK_REPLAYS), time.time(), []
    for point in sorted(lora_lab.peer_points(peers), key=gain):
        if time.time() - began > budget:
            print("out of time: the other points are left out")
            break
        sets = lora_lab.PointSets(point, library, most=QUICK_SETS)
        direct = point["tokens"] <= lk.WINDOW
        for op, mode in MODES.items():
            timed = sorted(((sets.time(timer, kernel, direct, True, mode)["us"], kernel) for kernel in candidates(op, point)
                            if not state.is_wrong(kernel.function)), key=lambda t: t[0])
            if not timed:
                print(f"{op:6} {point['tokens']:5} {point['k']:6} r{point['rank']}: no candidate")
                continue
            best = [(us, sets.time(timer, kernel, direct, False, mode)["us"], kernel) for us, kernel in timed[:2]]
            peer = point[f"{op}_cold_us"], point[f"{op}_warm_us"]
            cold, warm = min(b[0] for b in best), min(b[1] for b in best)
            print(f"{op:6} {point['tokens']:5} {point['k']:6} {'+'.join(map(str, point['n'])):>17} r{point['rank']:<4}a{point['adapters']:<3}"
                  f" {cold:7.2f}/{peer[0]:7.2f} warm {warm:7.2f}/{peer[1]:7.2f} {'ok  ' if cold < peer[0] and warm < peer[1] else 'LOST'}"
                  f" x{peer[0] / cold:.2f} | " + " ".join(f"{label(k)}:{us:.2f}" for us, k in timed[:7]), flush=True)
            rows.append({"op": op, "point": point, "timed": [(us, label(k)) for us, k in timed],
                         "best": [(c, w, label(k)) for c, w, k in best]})
        del sets
    if out:
        with open(out, "w", encoding="utf-8") as file:
            json.dump(rows, file)


# An odd point, whose rows have no vectors.
ODD = {"tokens": 1024, "k": 2445, "n": (3246,), "rank": 14, "adapters": 4, "active_adapters": 4, "tokens_with_adapter": 1024,
       "bytes_pair": 18_000_000}
ODD_KERNELS = [lk.Kernel("bf16", 8, 2), lk.Kernel("bf16", 16, 2), lk.Flow("bf16", 32, 6, 16, 4), lk.Flow("bf16", 16, 3, 16, 4)]


def compare_odd(libraries, timer):
    sets = lora_lab.PointSets(ODD, libraries[0])
    for kernel in ODD_KERNELS:
        us = []
        for library in libraries:
            sets.library = library
            us.append(sets.time(timer, kernel, False, True)["us"])
        print(f"odd {ODD['tokens']} {ODD['k']} {ODD['n'][0]} r{ODD['rank']} new {us[0]:.2f} old {us[-1]:.2f} {label(kernel)}", flush=True)


def flow_candidates(point):
    """Ids through the ring, of odd rows too."""
    grouped = point["tokens"] > lk.WINDOW
    found = [kernel for kernel, _ in lora_lab.candidates(point) if isinstance(kernel, lk.Flow)]
    if not found:
        for kernel in lora_lab.flow_kernels("bf16", point["rank"]):
            blocks = kernel.cluster * kernel.tiles(point["tokens"], point["adapters"], point["adapters"] if grouped else None) * len(point["n"])
            if kernel.ranks < max(2 * point["rank"], 17) and (60 <= blocks <= 300 or kernel.cluster == 16 and blocks < 60):
                found.append(kernel)
    return found


def compare(libraries, peers, results, out, budget, state):
    """The ids that a result file names, by both builds, in turn, and all ids through the ring by the first."""
    timer, began, rows = Timer(), time.time(), []
    with open(results, encoding="utf-8") as file:
        chosen = {(p["tokens"], p["k"], tuple(p["n"]), p["rank"], p["adapters"], p["tokens_with_adapter"]): p["kernel"]
                  for p in json.load(file)["points"] if p["dtype"] == "bf16"}
    for point in lora_lab.peer_points(peers):
        kernel = tile_id(chosen.get((point["tokens"], point["k"], point["n"], point["rank"], point["adapters"],
                                     point["tokens_with_adapter"]), ""))
        if kernel is None or state.is_wrong(kernel.function) or time.time() - began > budget:
            continue
        sets = lora_lab.PointSets(point, libraries[0])
        us = [[], []]
        for _ in range(2):
            for which, library in enumerate(libraries):
                sets.library = library
                us[which].append(sets.time(timer, kernel, point["tokens"] <= lk.WINDOW, True)["us"])
        sets.library = libraries[0]
        flows = sorted(((sets.time(timer, flow, point["tokens"] <= lk.WINDOW, True)["us"], flow) for flow in flow_candidates(point)
                        if flow != kernel and not state.is_wrong(flow.function)), key=lambda t: t[0])
        new, old = min(us[0]), min(us[1])
        print(f"{point['tokens']:5} {point['k']:6} {'+'.join(map(str, point['n'])):>17} r{point['rank']:<4}a{point['adapters']:<3}"
              f" new {new:7.2f} old {old:7.2f} {old / new:.3f} best {old / min([new] + [f[0] for f in flows[:1]]):.3f} {label(kernel)} | "
              + " ".join(f"{label(f)}:{t:.2f}" for t, f in flows[:5]), flush=True)
        rows.append({"point": point, "kernel": label(kernel), "new": us[0], "old": us[1], "flows": [(t, label(f)) for t, f in flows]})
        del sets
    compare_odd(libraries, timer)
    if out:
        with open(out, "w", encoding="utf-8") as file:
            json.dump(rows, file)


BASE = ((8, lk.Decode("bf16", 1, 8, 16)), (64, lk.Flow("bf16", 16, 16, 16, 4)), (64, lk.Decode("bf16", 8, 16, 16)),
        (1024, lk.Flow("bf16", 16, 6, 16, 4)), (1024, lk.Flow("bf16", 16, 3, 16, 4)))


def base(libraries):
    """Times of batches without an adapter; kernels end where they have found that."""
    timer = Timer()
    for tokens, kernel in BASE:
        ids = torch.full((tokens,), -1, dtype=torch.int32, device="cuda")
        order, starts = torch.arange(tokens, dtype=torch.int32, device="cuda"), torch.zeros(5, dtype=torch.int32, device="cuda")
        x, a, b = (torch.zeros(shape, dtype=torch.bfloat16, device="cuda") for shape in ((tokens, 4096), (4, 16, 4096), (4, 4096, 16)))
        call = lk.Call(tokens=tokens, k=4096, n=[4096], rank=16, adapters=4, x=x.data_ptr(), ids=ids.data_ptr(), a=[a.data_ptr()],
                       b=[b.data_ptr()], order=order.data_ptr() if tokens > lk.WINDOW else 0, starts=starts.data_ptr(), groups=4,
                       y=x.data_ptr(), x_stride=4096, y_stride=4096)
        us = [timer.measure([lambda library=library: lk.launch(library, kernel, call, stream())] * 100, False)["us"]
              for library in libraries]
        print(f"base {tokens:5} {label(kernel)}: {' old '.join(f'{u:.2f}' for u in us)}", flush=True)


def one(library, peers, op, index, number):
    point = list(lora_lab.peer_points(peers))[index]
    kernel = candidates(op, point)[number]
    print(point, kernel)
    sets = lora_lab.PointSets(point, library)
    for call in sets.calls[:3]:
        lk.launch(library, kernel, dataclasses.replace(call, flags=call.flags | MODES[op],
                                                       order=call.order if point["tokens"] > lk.WINDOW else 0), stream())
    torch.cuda.synchronize()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cubins", required=True)
    parser.add_argument("--old")
    parser.add_argument("command", choices=["check", "time", "compare", "base", "one"])
    parser.add_argument("--cases", type=int, default=48)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--ops", nargs="+", default=["shrink", "expand", "matmul"], help="what is checked")
    parser.add_argument("--peers")
    parser.add_argument("--results")
    parser.add_argument("--budget", type=float, default=150, help="seconds after which no other point is begun")
    parser.add_argument("--point", type=int, default=0)
    parser.add_argument("--kernel", type=int, default=0)
    parser.add_argument("--op", choices=list(MODES), default="expand")
    parser.add_argument("--state", help="what is checked so far: a check goes on there, and what is wrong is not timed")
    parser.add_argument("--out")
    options = parser.parse_args()
    torch.cuda.init()
    torch.zeros(1, device="cuda")
    library = lk.Library(options.cubins)
    both = [library] + ([lk.Library(options.old)] if options.old else [])
    state = State(options.state)
    if options.command == "check":
        raise SystemExit(3 if check(library, options.cases, options.seed, state, options.ops) else 0)
    if options.command == "time":
        time_halves(library, options.peers, options.out, options.budget, state)
    elif options.command == "compare":
        compare(both, options.peers, options.results, options.out, options.budget, state)
    elif options.command == "base":
        base(both)
    else:
        one(library, options.peers, options.op, options.point, options.kernel)


if __name__ == "__main__":
    main()
