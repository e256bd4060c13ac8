# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Times what a layer of Gemma3n's MLP could be made of on the device at hand: ten layers in one graph, each step exchanged in turn.

  layer_lab.py --images DIR COMMAND.. [--widths D ..] [--tokens T ..] [--seconds S] [--out FILE]

  algorithms   every algorithm of cuBLASLt's heuristics for both matmuls, alone
  forms        algorithms that they do not name, as many as --seconds allow, in random order
  decode       few tokens: own products, and LoRA that begins beside them
  prefill      many tokens: cuBLASLt's algorithms and LoRA kernels
  branches     LoRA's shrinking half on a stream beside the matmul
  fused        LoRA's expanding half and the activation in one pass

DIR holds the images of kernels/CMakeLists.txt. docs/kernels/Layer.md says what came of it."""

import argparse
import json
import math
import random
import statistics
import time

import torch

import cublaslt
import lora_kernels as lk
import timing
from layer_steps import LAYERS, Lab, Layer, lora_candidates, lora_name, shrink_candidates
from lora_activation import Fused

MOST_ERROR = 2e-2  # Of the result's norm, between two orders of the sums.


def algorithms(lab, options, rows):
    for width in options.widths:
        for tokens in options.tokens:
            layer = Layer(lab, tokens, width, False)
            layer.h.normal_()
            for name in ("gate_up", "down"):
                timed = []
                for index, found in enumerate(layer.products[name].found):
                    def capture(stream):
                        for i in range(LAYERS):
                            layer.matmul(stream, name, ("lt", index), i)
                    us = statistics.median(timing.replay_times(timing.capture_graph(capture), LAYERS, False, 9))
                    timed.append((us, index, cublaslt.config(found.algorithm)))
                first = timed[0]
                best = sorted(timed, key=lambda t: t[0])[:4]
                print(f"{name} d {width} T {tokens}: of {len(timed)}, first {first[0]:.2f} {list(first[2].values())}; best "
                      + "; ".join(f"{us:.2f} #{i} {list(c.values())}" for us, i, c in best), flush=True)
                rows += [{"what": name, "d": width, "tokens": tokens, "index": i, "us": us, **c} for us, i, c in timed]


def forms(lab, options, rows):
    for width in options.widths:
        for tokens in options.tokens:
            layer = Layer(lab, tokens, width, False)
            layer.run(torch.cuda.current_stream().cuda_stream, layer.default())
            for name in ("gate_up", "down"):
                product, start, timed = layer.products[name], time.monotonic(), []
                candidates = cublaslt.forms(range(1, 9) if name == "down" else (1,))
                random.Random(0).shuffle(candidates)
                for form in candidates:
                    if time.monotonic() - start > options.seconds:
                        break
                    try:
                        index = product.make(*form)
                    except RuntimeError:
                        continue  # Not for this size.
                    graph = timing.capture_graph(lambda stream: [layer.matmul(stream, name, ("lt", index), i) for i in range(LAYERS)])
                    timed.append((statistics.median(timing.replay_times(graph, LAYERS, False, 3)), form))
                print(f"{name} d {width} T {tokens}: {len(timed)} timed; best (tile, splits, cluster, option) "
                      + "; ".join(f"{us:.2f} {form}" for us, form in sorted(timed)[:8]), flush=True)
                rows += [{"what": name, "d": width, "tokens": tokens, "form": form, "us": us} for us, form in timed]


class Chain:
    """Graphs of one layer's size, checked against the first and timed in turn, so that the device's clock is the same for all."""

    def __init__(self, lab, tokens, width, lora, rows):
        self.layer, self.rows = Layer(lab, tokens, width, lora), rows
        self.point = {"d": width, "tokens": tokens, "lora": lora}
        self.base = self.layer.default()
        self.graphs, self.reference = {}, None

    def add(self, label, **changes):
        choice = self.base | changes
        for out in self.layer.outs:
            out.fill_(math.nan)
        graph = timing.capture_graph(lambda stream: self.layer.run(stream, choice))
        graph.replay()
        torch.cuda.synchronize()
        result = torch.stack([o.float() for o in self.layer.outs])
        if self.reference is None:
            self.reference = result
        error = ((result - self.reference).norm() / self.reference.norm()).item()
        if not error <= MOST_ERROR:
            print(f"  WRONG {label}: {error:.2e}")
        self.graphs[label] = graph

    def time(self, rounds=3, warm_ms=0):
        times = {label: [] for label in self.graphs}
        if warm_ms:
            graph = next(iter(self.graphs.values()))
            for _ in range(int(warm_ms * 1000 / LAYERS / statistics.median(timing.replay_times(graph, LAYERS, False, 3)))):
                graph.replay()
        for _ in range(rounds):
            for label, graph in self.graphs.items():
                times[label] += timing.replay_times(graph, LAYERS, False, 7)
        print(" ".join(f"{k} {v}" for k, v in self.point.items()), flush=True)
        for label, all_times in times.items():
            us = statistics.median(all_times)
            print(f"  {us:8.2f}  ({min(all_times):.2f} to {max(all_times):.2f})  {label}", flush=True)
            self.rows.append({"chain": label, "us": us, **self.point})


def decode(lab, options, rows):
    for width in options.widths:
        for tokens in options.tokens:
            gates = [("gemv", True, None, c) for c in ((132, 264) if width > 8192 else (132, 256, 264))]
            downs = [("gemv", True, *p) for p in ((None, None), (8, 16), (8, 32), (4, 32), (4, 64), (16, 16))]
            for lora in (False, True):
                chain = Chain(lab, tokens, width, lora, rows)
                beside = {n: (chain.base[n], "beside") for n in ("lora_gate_up", "lora_down")} if lora else {}
                chain.add("default")
                chain.add("gate_up #1", gate_up=("lt", 1))
                chain.add("down gemv", down=downs[0])
                for g in gates:
                    chain.add(f"gate_up {g}", gate_up=g)
                    chain.add(f"gate_up {g}, down gemv", gate_up=g, down=downs[0])
                chain.add("both gemv ordered", gate_up=("gemv", False, None, None), down=("gemv", False, None, None))
                for d in downs[1:]:
                    chain.add(f"gate_up {gates[-1]}, down {d}", gate_up=gates[-1], down=d)
                if lora:
                    for g in gates:
                        for d in downs:
                            chain.add(f"beside, gate_up {g}, down {d}", gate_up=g, down=d, **beside)
                    chain.add("beside, lt", **beside)
                    chain.add("beside, gate_up lt #1, down gemv", gate_up=("lt", 1), down=downs[0], lora_down=beside["lora_down"])
                    for kernel in (lk.Decode("bf16", m, c, 16) for m, c in ((8, 16), (8, 8), (1, 8), (1, 4))):
                        for name in ("lora_gate_up", "lora_down"):
                            chain.add(f"beside, gemv, {name} {lora_name(kernel)}", gate_up=gates[0], down=downs[0],
                                      **(beside | {name: (kernel, "beside")}))
                chain.time()


def prefill(lab, options, rows):
    for width in options.widths:
        for tokens in options.tokens:
            for lora in (False, True):
                chain = Chain(lab, tokens, width, lora, rows)
                chain.add("default")
                for name in ("gate_up", "down"):
                    for index in range(1, len(chain.layer.products[name].found)):
                        config = list(cublaslt.config(chain.layer.products[name].found[index].algorithm).values())
                        chain.add(f"{name} #{index} {config}", **{name: ("lt", index)})
                if lora:
                    for name, slices in (("lora_gate_up", 2), ("lora_down", 1)):
                        for kernel in lora_candidates(tokens, slices):
                            if kernel.tokens > 8 and kernel != chain.base[name]:
                                chain.add(f"{name} {lora_name(kernel)}", **{name: kernel})
                chain.time(warm_ms=300 if tokens >= 1024 else 0)


def branches(lab, options, rows):
    for width in options.widths:
        for tokens in options.tokens:
            chain = Chain(lab, tokens, width, True, rows)
            chain.add("default")
            for m, shrink, expand in ((8, 4, 16), (8, 8, 16), (16, 2, 4), (16, 4, 4), (16, 2, 1)):
                for dependent in (False, True):
                    pair = lk.Kernel("bf16", m, shrink), lk.Kernel("bf16", m, expand), dependent
                    label = f"tile{m} shrink x{shrink} expand x{expand} dependent {dependent}"
                    chain.add(f"both: {label}", lora_gate_up=pair, lora_down=pair)
                    chain.add(f"down: {label}", lora_down=pair)
            chain.time()


def fused(lab, options, rows):
    for width in options.widths:
        for tokens in options.tokens:
            chain = Chain(lab, tokens, width, True, rows)
            chain.add("default")
            shrink = shrink_candidates(tokens)[0]
            for f in (Fused(16), Fused(8)):
                if f.fits(width):
                    chain.add(f"shrink {lora_name(shrink)}, {f.label}", fused=(shrink, f, True))
                    chain.add(f"shrink {lora_name(shrink)} before the matmul, {f.label}", fused=(shrink, f, False))
            chain.time(warm_ms=300 if tokens >= 1024 else 0)


COMMANDS = {"algorithms": algorithms, "forms": forms, "decode": decode, "prefill": prefill, "branches": branches, "fused": fused}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--images", required=True)
    parser.add_argument("--tokens", nargs="+", type=int, default=[1, 16, 256, 2048])
    parser.add_argument("--widths", nargs="+", type=int, default=[16384])
    parser.add_argument("--seconds", type=float, default=5, help="of a matmul, for forms")
    parser.add_argument("--out")
    parser.add_argument("commands", nargs="+", choices=COMMANDS)
    options = parser.parse_args()
    lab, rows = Lab(options.images), []
    for command in options.commands:
        COMMANDS[command](lab, options, rows)
        if options.out:
            json.dump(rows, open(options.out, "w"))


if __name__ == "__main__":
    main()
