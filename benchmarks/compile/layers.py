#!/usr/bin/env python3
# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Times frit-opt on graphs of many Gemma3n MLP layers with LoRA, and how the time grows with the number of layers.

Each layer has its own weights: gate_up matmul, LoRA on gate and up, gelu_and_mul_sparse, down matmul, LoRA on down, and
the residual. With `--graph=frit` it is gelu_and_mul_sparse and LoRA alone, which fused kernels serve: what the matmuls and
the elementwise ops of linalg cost is the difference. `--print N` prints the graph of N layers instead.
"""

import argparse
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

import compile_result

HIDDEN, D, RANK, ADAPTERS = 2048, 8192, 16, 4

LAYER = """
  %z{i} = linalg.fill ins(%zero : f32) outs(%eu : tensor<?x{dd}xf32>) -> tensor<?x{dd}xf32>
  %m{i} = linalg.matmul ins(%x{i}, %wu{i} : tensor<?x{h}xbf16>, tensor<{h}x{dd}xbf16>) outs(%z{i} : tensor<?x{dd}xf32>) -> tensor<?x{dd}xf32>
  %g{i} = linalg.generic {{indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}}
      ins(%m{i} : tensor<?x{dd}xf32>) outs(%eb : tensor<?x{dd}xbf16>) {{
  ^bb0(%in: f32, %old: bf16):
    %r = arith.truncf %in : f32 to bf16
    linalg.yield %r : bf16
  }} -> tensor<?x{dd}xbf16>
  %l{i} = frit.lora_matmul ins(%x{i}, %ids : tensor<?x{h}xbf16>, tensor<?xi32>)
      weights(%ag{i}, %bg{i}, %au{i}, %bu{i} : {a}, {b}, {a}, {b})
      outs(%g{i} : tensor<?x{dd}xbf16>) scale = 5.000000e-01 -> tensor<?x{dd}xbf16>
  %s{i} = frit.gelu_and_mul_sparse ins(%l{i} : tensor<?x{dd}xbf16>) outs(%ed : tensor<?x{d}xbf16>)
      std_multiplier = 1.64485359 -> tensor<?x{d}xbf16>
  %y{i} = linalg.fill ins(%zero : f32) outs(%eh : tensor<?x{h}xf32>) -> tensor<?x{h}xf32>
  %n{i} = linalg.matmul ins(%s{i}, %wd{i} : tensor<?x{d}xbf16>, tensor<{d}x{h}xbf16>) outs(%y{i} : tensor<?x{h}xf32>) -> tensor<?x{h}xf32>
  %o{i} = linalg.generic {{indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}}
      ins(%n{i} : tensor<?x{h}xf32>) outs(%eo : tensor<?x{h}xbf16>) {{
  ^bb0(%in: f32, %old: bf16):
    %r = arith.truncf %in : f32 to bf16
    linalg.yield %r : bf16
  }} -> tensor<?x{h}xbf16>
  %q{i} = frit.lora_matmul ins(%s{i}, %ids : tensor<?x{d}xbf16>, tensor<?xi32>) weights(%ad{i}, %bd{i} : {c}, {e})
      outs(%o{i} : tensor<?x{h}xbf16>) scale = 5.000000e-01 -> tensor<?x{h}xbf16>
  %x{j} = linalg.generic {{indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}}
      ins(%x{i}, %q{i} : tensor<?x{h}xbf16>, tensor<?x{h}xbf16>) outs(%eo : tensor<?x{h}xbf16>) {{
  ^bb0(%left: bf16, %right: bf16, %old: bf16):
    %wl = arith.extf %left : bf16 to f32
    %wr = arith.extf %right : bf16 to f32
    %sum = arith.addf %wl, %wr : f32
    %r = arith.truncf %sum : f32 to bf16
    linalg.yield %r : bf16
  }} -> tensor<?x{h}xbf16>"""

FRIT_LAYER = """
  %s{i} = frit.gelu_and_mul_sparse ins(%x{i}, %up : tensor<?x{d}xbf16>, tensor<?x{d}xbf16>)
      outs(%ed : tensor<?x{d}xbf16>) std_multiplier = 1.64485359 -> tensor<?x{d}xbf16>
  %x{j} = frit.lora_matmul ins(%up, %ids : tensor<?x{d}xbf16>, tensor<?xi32>) weights(%a{i}, %b{i} : {a}, {b})
      outs(%s{i} : tensor<?x{d}xbf16>) scale = 5.000000e-01 -> tensor<?x{d}xbf16>"""


def frit_graph(layers):
    """The text of a graph of that many layers of Frit's ops alone."""
    a, b = f"tensor<{ADAPTERS}x{RANK}x{D}xbf16>", f"tensor<{ADAPTERS}x{D}x{RANK}xbf16>"
    arguments = [f"%x0: tensor<?x{D}xbf16>, %up: tensor<?x{D}xbf16>, %ids: tensor<?xi32>"]
    arguments += [f"%a{i}: {a}, %b{i}: {b}" for i in range(layers)]
    lines = [f"func.func @main({', '.join(arguments)}) -> tensor<?x{D}xbf16> {{"]
    lines.append(f"  %c0 = arith.constant 0 : index\n  %tokens = tensor.dim %x0, %c0 : tensor<?x{D}xbf16>")
    lines.append(f"  %ed = tensor.empty(%tokens) : tensor<?x{D}xbf16>")
    lines += [FRIT_LAYER.format(i=i, j=i + 1, d=D, a=a, b=b) for i in range(layers)]
    lines.append(f"  return %x{layers} : tensor<?x{D}xbf16>\n}}\n")
    return "\n".join(lines)


def mlp_graph(layers):
    """The text of a graph of that many layers."""
    types = {
        "wu": f"tensor<{HIDDEN}x{2 * D}xbf16>",
        "wd": f"tensor<{D}x{HIDDEN}xbf16>",
        "ag": f"tensor<{ADAPTERS}x{RANK}x{HIDDEN}xbf16>",
        "bg": f"tensor<{ADAPTERS}x{D}x{RANK}xbf16>",
        "ad": f"tensor<{ADAPTERS}x{RANK}x{D}xbf16>",
        "bd": f"tensor<{ADAPTERS}x{HIDDEN}x{RANK}xbf16>",
    }
    types |= {"au": types["ag"], "bu": types["bg"]}
    arguments = [f"%x0: tensor<?x{HIDDEN}xbf16>", "%ids: tensor<?xi32>"]
    arguments += [f"%{name}{i}: {kind}" for i in range(layers) for name, kind in types.items()]
    lines = ["#id = affine_map<(t, n) -> (t, n)>"]
    lines.append(f"func.func @main({', '.join(arguments)}) -> tensor<?x{HIDDEN}xbf16> {{")
    lines.append("  %c0 = arith.constant 0 : index\n  %zero = arith.constant 0.0 : f32")
    lines.append(f"  %tokens = tensor.dim %x0, %c0 : tensor<?x{HIDDEN}xbf16>")
    empties = {"eu": f"{2 * D}xf32", "eb": f"{2 * D}xbf16", "ed": f"{D}xbf16", "eh": f"{HIDDEN}xf32", "eo": f"{HIDDEN}xbf16"}
    lines += [f"  %{name} = tensor.empty(%tokens) : tensor<?x{kind}>" for name, kind in empties.items()]
    for i in range(layers):
        names = {"a": types["ag"], "b": types["bg"], "c": types["ad"], "e": types["bd"]}
        lines.append(LAYER.format(i=i, j=i + 1, h=HIDDEN, d=D, dd=2 * D, **names))
    lines.append(f"  return %x{layers} : tensor<?x{HIDDEN}xbf16>\n}}\n")
    return "\n".join(lines)


GRAPHS = {"mlp": mlp_graph, "frit": frit_graph}


def measure(frit_opt, text, repetitions, pipeline):
    """Seconds of the processor and of the clock that frit-opt takes, process start included: the medians."""
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder, "graph.mlir")
        source.write_text(text)
        clock, processor = [], []
        for _ in range(repetitions):
            begin, used = time.perf_counter(), os.times()
            subprocess.run([frit_opt, source, f"--pass-pipeline={pipeline}", "-o", os.devnull], check=True)
            clock.append(time.perf_counter() - begin)
            now = os.times()
            processor.append(now.children_user + now.children_system - used.children_user - used.children_system)
    return statistics.median(clock), statistics.median(processor)


def write(path, points):
    """Puts points into a result file: those of the same graph and pipeline are replaced."""
    key = lambda point: (point["pipeline"], point["graph"])
    new = {key(point) for point in points}
    old = [point for point in compile_result.read(path)["points"] if key(point) not in new]
    compile_result.write(path, {"points": old + points})


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--frit-opt", default="frit-opt")
    parser.add_argument("--layers", type=int, nargs="+", default=[1, 5, 10, 20, 35])
    parser.add_argument("--repetitions", type=int, default=3)
    parser.add_argument("--pipeline", default="builtin.module(frit-to-cpu)")
    parser.add_argument("--graph", choices=GRAPHS, default="mlp", help="what a layer is (default: mlp)")
    parser.add_argument("--output", type=pathlib.Path, help="write the figures to results/<machine>/compile.json")
    parser.add_argument("--print", type=int, metavar="N", help="print the graph of N layers")
    args = parser.parse_args()
    if args.print is not None:
        print(GRAPHS[args.graph](args.print), end="")
        return 0
    points = []
    for layers in args.layers:
        clock, processor = measure(args.frit_opt, GRAPHS[args.graph](layers), args.repetitions, args.pipeline)
        points.append({"pipeline": args.pipeline, "graph": args.graph, "layers": layers, "seconds": round(clock, 4),
                       "processor_seconds": round(processor, 4)})
        print(f"{layers:4d} layers: {clock:7.3f} s, processor {processor:7.3f} s, {processor / layers * 1e3:7.1f} ms a layer")
    if args.output:
        write(args.output, points)
    return 0


if __name__ == "__main__":
    sys.exit(main())
