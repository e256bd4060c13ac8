# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes result files of a GPU run that never was: made-up times through the code that puts real ones together.

    fake_results.py BENCHMARKS FOLDER
"""

import pathlib
import sys

sys.path[:0] = [sys.argv[1], sys.argv[1] + "/cuda"]

import activation_points  # noqa: E402
import assemble  # noqa: E402
import lora_points  # noqa: E402
import mlp_points  # noqa: E402
import objects  # noqa: E402
import result_file  # noqa: E402
import sparse_choice  # noqa: E402
import sparse_points  # noqa: E402

CURVE = [{"bytes": 2**k, "cold_us": 1.2 + 2**k / 4e6, "warm_us": 0.9 + 2**k / 5e6} for k in range(12, 32)]
HEADER = {"machine": "h200", "device": "a GPU", "driver": "1.2", "cuda": "3.4", "torch": "5.6", "commit": "0123456789abcdef",
          "date": "2001-02-03", "clock_mhz": 1000, "copy": CURVE}


def measured(moved, factor):
    us = 1 + factor * moved / 4e6
    return {"nodes": 1, "registers": 40, "spill_bytes": 0, "cold_us": us, "cold_p5_us": us, "cold_p95_us": us,
            "warm_us": us * 0.8, "warm_p5_us": us * 0.8, "warm_p95_us": us * 0.8}


def suite(points, module):
    assembly = assemble.Assembly(HEADER)
    for point in points:
        if module.is_extra(point):
            continue
        moved = module.moved(point)
        check = assemble.Check({"max_error": 0.25})
        if "d" in point.shape:
            check.fields |= {"mask_mismatches": 0, "near_tie_rows": 1, "rows": point["tokens"], "differing": 2, "nonzero": 100}
        times = measured(moved, 1.1) if module.timed(point) else {}
        entry = assembly.add(objects.Compiled(point, "cuda.chosen"), moved, module.flops(point), check, times)
        if times and module.has_peers(point):
            entry["peers"]["torch_compile"] = {"cold_us": 2.5 * entry["cold_us"], "warm_us": 2.5 * entry["warm_us"]}
        if module.has_candidates(point):
            pinned = objects.Compiled(point.pinned("native.other"), "native.other")
            # Faster than the choice at one shape, slower elsewhere.
            factor = 1.0 if point["tokens"] == 2048 and point.shape.get("d") == 2048 else 3
            assembly.add(pinned, moved, module.flops(point), check, measured(moved, factor))
    assembly.extend("host_calls", {"dtype": "bf16", "tokens": 1, "d": 2048, "kernel": "cuda.chosen", "call_us": 3.25,
                                   "raw_us": 2.0})
    assembly.note("failures", [])
    return assembly.result()


def layer_suite(points, module):
    assembly = assemble.Assembly(HEADER)
    for point in points:
        moved = module.moved(point)
        us = 1 + moved / 4e6
        times = {"us": us, "p5_us": us, "p95_us": us, "nodes": 43}
        kernels = objects.Compiled(point, "library.cublaslt+cuda.chosen")
        assembly.add(kernels, moved, module.flops(point), assemble.Check({"max_error": 0.25}), times)
    return assembly


def sparse_suite():
    """The dense layer is put beside each point, and sparse ones are slower than the choice."""
    assembly = layer_suite(sparse_points.sparse_ffn(), sparse_points)
    for entry in assembly.values["more"]:
        if entry["form"] == "sparse":
            entry["us"] *= 1.5
    sparse_choice.finish(assembly.values)
    return assembly.result()


folder = pathlib.Path(sys.argv[2])
for name, result in {"gelu_and_mul_sparse": suite(activation_points.gelu_and_mul_sparse(), activation_points),
                     "act_and_mul": suite(activation_points.act_and_mul(), activation_points),
                     "lora_matmul": suite(lora_points.lora_matmul(), lora_points),
                     "gemma3n_mlp": layer_suite(mlp_points.gemma3n_mlp(), mlp_points).result(),
                     "sparse_ffn": sparse_suite()}.items():
    result_file.write(folder / "h200" / f"{name}.json", result)

# What is wrong is refused, and said.
broken = suite(activation_points.act_and_mul()[:1], activation_points)
broken["points"].append(dict(broken["points"][0]))
broken["more"][0].pop("registers")
broken["copy"] = broken["copy"][:9]
for sentence in result_file.problems(broken):
    print(sentence)
try:
    result_file.write(folder / "broken.json", broken)
except ValueError as error:
    print(f"refused: {error}")
