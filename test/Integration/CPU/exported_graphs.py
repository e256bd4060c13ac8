#!/usr/bin/env python3
# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# RUN: %python %s %frit_src/test/data/real
# RUN: %python %s %frit_src/test/data/real --raise=exact
# RUN: %python %s %frit_src/test/data/real --raise=framework
# REQUIRES: cpu-runner
"""Runs graphs that were exported from PyTorch through frit-run, as they are or raised.

FOLDER holds NAME.mlir, NAME.safetensors (tensors in.N, and out.N as PyTorch computed them) and CHECK.json: how far
each graph is from PyTorch when upstream's passes execute it literally. A result may be 1.5 times as far, plus one ulp
of its type at the largest output, and its zeros may differ in two more elements; so it is with --raise=exact, where a
raised op computes what the graph does. With --raise=framework the activations are what PyTorch computed: their zeros are
its zeros, f32 values are within 1e-5 + 1.3e-6 |value|, and others within 2 ulp, where all but one in 1000 are equal. Layers
are within one ulp of their type at the largest output, those in f32 within 7.5e-6 more at most. On a GPU the sums of f32 layers
have another order than PyTorch's and upstream's on a CPU: there a result may differ by what lora_matmul's bound allows such a
sum, 2 gamma S with gamma = 2^-24 (8 + 2 sqrt(K)), where S, the sum of the products' sizes, is taken as its least, the largest
output, and K as the fewest terms that these graphs add up.
The environment variable FRIT_REAL_GRAPHS names a folder to use in place of FOLDER (the whole set is larger than what the
project carries).
"""

import argparse
import concurrent.futures
import itertools
import json
import math
import os
import pathlib
import re
import struct
import subprocess
import sys
import tempfile

# Bits of the significand, the leading one included.
PRECISION = {"F32": 24, "F16": 11, "BF16": 8}
# Of a sum of 64 f32 products.
GAMMA = 2.0**-24 * (8 + 2 * math.sqrt(64))


def decode(dtype, data):
    """The values of a tensor's bytes."""
    if dtype == "BF16":
        words = struct.unpack(f"<{len(data) // 2}H", data)
        return [struct.unpack("<f", struct.pack("<I", word << 16))[0] for word in words]
    code = {"F16": "e", "F32": "f"}[dtype]
    return list(struct.unpack(f"<{len(data) // struct.calcsize(code)}{code}", data))


def read_outputs(path):
    """The element types and values of the tensors out.0, out.1, ..."""
    data = path.read_bytes()
    size = struct.unpack("<Q", data[:8])[0]
    header = json.loads(data[8 : 8 + size])
    outputs = []
    while f"out.{len(outputs)}" in header:
        entry = header[f"out.{len(outputs)}"]
        begin, end = entry["data_offsets"]
        outputs.append((entry["dtype"], decode(entry["dtype"], data[8 + size + begin : 8 + size + end])))
    return outputs


def ulp(value, dtype):
    """The distance of numbers of a type around a value; 0 at zero."""
    return 2.0 ** (math.floor(math.log2(abs(value))) - PRECISION[dtype] + 1) if value else 0.0


def tolerance(path, max_abs, other_order):
    """What a result may differ by; `other_order`: sums of f32 may have another order than the stored ones."""
    dtype, values = read_outputs(path)[0]
    largest = max(map(abs, values))
    near = 1.5 * max_abs + ulp(largest, dtype)
    return max(near, 2 * GAMMA * largest) if other_order and dtype == "F32" else near


def is_activation(graph):
    """Whether a graph is an activation alone: its values do not depend on the order of a matmul's sum."""
    return "_act_" in graph.stem


def is_lora(graph):
    """Whether a graph is linear layers with LoRA."""
    return graph.stem.startswith(("peft_linear_", "lora_"))


def read_raised(text):
    """The ops that frit-run --explain says were raised."""
    return re.findall(r"^(?:\S+: )?'(frit\.\w+)' raised at fidelity=\w+$", text, re.M)


def run_raised_activation(frit_run, graph, options):
    """One line of figures and whether the results are those of PyTorch."""
    tensors = graph.with_suffix(".safetensors")
    expected = read_outputs(tensors)
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "result.safetensors"
        command = [frit_run, str(graph), f"--weights={tensors}", f"--output=@{path}#out.0", "--explain", *options]
        result = subprocess.run(command, capture_output=True, text=True)
        if result.returncode or not read_raised(result.stdout):
            return f"exit code {result.returncode}\n{result.stdout}{result.stderr}", False
        (dtype, values), (_, wanted) = read_outputs(path)[0], expected[0]
    zeros = sum((value == 0) != (other == 0) for value, other in zip(values, wanted, strict=True))
    unequal = sum(value != other for value, other in zip(values, wanted))
    if dtype == "F32":
        far = sum(abs(value - other) > 1e-5 + 1.3e-6 * abs(other) for value, other in zip(values, wanted))
        good = far == 0
    else:
        far = sum(abs(value - other) > 2 * ulp(other, dtype) for value, other in zip(values, wanted))
        good = far == 0 and 1000 * unequal <= len(wanted)
    line = f"{len(wanted)} elements, zeros {zeros}, unequal {unequal}, out of bounds {far}"
    return line, good and zeros == 0


def run(frit_run, graph, check, options, raised=None):
    """One line of figures and whether they are good enough. `raised` is an op that has to be raised."""
    tensors = graph.with_suffix(".safetensors")
    on_gpu = any(option.startswith("--target=cuda") for option in options)
    allowed = tolerance(tensors, check["max_abs"], on_gpu)
    command = [frit_run, str(graph), f"--weights={tensors}", f"--expect=@{tensors}"]
    command += [f"--atol={allowed!r}", "--rtol=0", *options, *(["--explain"] if raised else [])]
    result = subprocess.run(command, capture_output=True, text=True)
    found = re.search(r"max abs error ([^,]+),.*?(\d+) zero mask differences", result.stdout)
    if not found:
        return f"exit code {result.returncode}\n{result.stdout}{result.stderr}", False
    zeros = int(found[2])
    good = result.returncode == 0 and zeros <= check["zero_mask_differs"] + 2
    good = good and (not raised or raised in read_raised(result.stdout))
    line = f"max_abs {found[1]} (CHECK {check['max_abs']:g}, allowed {allowed:.3g}), "
    line += f"zeros {zeros} (CHECK {check['zero_mask_differs']})"
    return line if good else f"{line}, exit code {result.returncode}\n{result.stdout}{result.stderr}", good


def run_graph(args, graph, check, options):
    """One line of figures and whether they are good enough."""
    if args.fidelity == "framework":
        if is_activation(graph):
            return run_raised_activation(args.frit_run, graph, options)
        # The roundings of narrow types are PyTorch's: what is left is the order of sums.
        is_narrow = read_outputs(graph.with_suffix(".safetensors"))[0][0] != "F32"
        check = {"max_abs": 0.0 if is_narrow else min(check["max_abs"], 5e-6), "zero_mask_differs": 0}
    raised = "frit.lora_matmul" if args.fidelity and is_lora(graph) else None
    return run(args.frit_run, graph, check, options, raised)


def graph_folder(folder):
    return pathlib.Path(os.environ.get("FRIT_REAL_GRAPHS", folder))


def report(graphs, results):
    """Prints a line for each graph, and returns the exit code."""
    failed = 0
    for graph, (line, good) in zip(graphs, results):
        failed += not good
        print(f"{'ok' if good else 'FAILED'} {graph.stem}: {line}")
    print(f"{len(graphs)} graphs, {failed} failed")
    return 1 if failed or not graphs else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path, metavar="FOLDER")
    parser.add_argument("--frit-run", default="frit-run", help="the runner (default: found through PATH)")
    parser.add_argument("--filter", default="", help="only graphs whose name contains this")
    parser.add_argument("--raise", dest="fidelity", choices=["exact", "framework", "fast"], help="raise the graphs")
    parser.add_argument("--jobs", type=int, default=1, help="graphs that run at the same time (default: %(default)s)")
    parser.epilog = "What follows -- are further options of frit-run."
    # argparse of Python 3.12 refuses them where options stand between FOLDER and --.
    own = list(itertools.takewhile(lambda argument: argument != "--", sys.argv[1:]))
    args = parser.parse_args(own)
    further = sys.argv[len(own) + 2:]
    folder = graph_folder(args.folder)
    checks = json.loads((folder / "CHECK.json").read_text())

    options = further + ([f"--raise={args.fidelity}"] if args.fidelity else [])
    graphs = [g for g in sorted(folder.glob("*.mlir")) if args.filter in g.stem]
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        results = pool.map(lambda graph: run_graph(args, graph, checks[graph.stem], options), graphs)
    return report(graphs, results)


if __name__ == "__main__":
    sys.exit(main())
