# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The result files benchmarks/results/<machine>/<suite>.json: how they are checked and written.

`points` has one entry for each (op, dtype, shape), what the compiler chose for the default form; other forms and
other kernels are entries of `more`, with `form`. Needs Python alone."""

import json
import math
import pathlib
import subprocess

HEADER = ("machine", "driver", "cuda", "commit", "date", "clock_mhz", "copy", "points", "more")
POINT = ("op", "dtype", "kernel", "provider", "tokens", "bytes", "flops", "nodes", "warm_us", "max_error")
DEVICE_POINT = ("cold_us", "cold_p5_us", "cold_p95_us", "registers", "spill_bytes")
ACTIVATION = ("d", "mask_mismatches", "near_tie_rows")
LORA = ("k", "n", "rank", "adapters", "active", "tokens_with_adapter")
LAYER = ("op", "dtype", "kernel", "provider", "tokens", "d", "bytes", "flops", "nodes", "us", "p5_us", "p95_us", "max_error")
LAYERS = ("gemma3n_mlp", "sparse_ffn")
SHAPE = ("tokens", "d", "k", "n", "rank", "adapters", "active", "tokens_with_adapter")


def shape(point):
    """What tells points of an op and element type apart."""
    return tuple(tuple(v) if isinstance(v := point.get(k), list) else v for k in SHAPE)


def key(point):
    return point["op"], point["dtype"], shape(point)


def label(point):
    if point["op"] in LAYERS:
        lora = f", rank {point['rank']}, {point['adapters']} adapters" if "rank" in point else ""
        return f"{point['op']} {point['dtype']} {point['tokens']} x {point['d']}{lora}"
    sizes = f"{point['tokens']} x {point['d']}" if "d" in point else (
        f"{point['tokens']} x {point['k']} to {'+'.join(map(str, point['n']))}, rank {point['rank']}, "
        f"{point['active']} of {point['adapters']} adapters")
    return f"{point['op']} {point['dtype']} {sizes}"


def required(point, device):
    if point.get("op") in LAYERS:
        return LAYER
    names = POINT + (LORA if point.get("op", "").startswith("lora") else ACTIVATION)
    return names + DEVICE_POINT if device else names


def problems(result):
    """What is wrong with a result, as sentences; [] for a good one."""
    found = [f"no '{name}'" for name in HEADER if name not in result]
    if found:
        return found
    device = result["driver"] is not None
    if device and len(result["copy"]) < 10:
        found.append(f"{len(result['copy'])} copy sizes, not at least 10")
    seen = set()
    for where in ("points", "more"):
        for number, point in enumerate(result[where]):
            missing = [name for name in required(point, device) if name not in point]
            if where == "more" and "form" not in point:
                missing.append("form")
            if missing:
                found.append(f"{where}[{number}] has no {', '.join(missing)}")
            elif where == "points":
                if key(point) in seen:
                    found.append(f"two points {label(point)}")
                seen.add(key(point))
    return found


def interpolate(curve, size, key):
    """The curve's time at a size: linear between its points, the first below, in proportion above."""
    points = sorted((p["bytes"], p[key]) for p in curve)
    if size <= points[0][0]:
        return points[0][1]
    for (a, x), (b, y) in zip(points, points[1:]):
        if size <= b:
            return x + (y - x) * (size - a) / (b - a)
    return points[-1][1] * size / points[-1][0]


def geometric_mean(values):
    return math.exp(sum(map(math.log, values)) / len(values))


def rounded(values):
    """The same with floats to three places."""
    if isinstance(values, dict):
        return {k: rounded(v) for k, v in values.items()}
    return round(values, 3) if isinstance(values, float) else values


def git(*arguments):
    root = pathlib.Path(__file__).resolve().parent
    return subprocess.run(["git", "-C", root, *arguments], capture_output=True, text=True, check=False).stdout.strip()


def commit():
    """Of the tree around; "" in a copy without its history."""
    return git("rev-parse", "HEAD")


def text(result):
    """JSON with a line for each field, and for each entry of a list."""
    def field(value):
        if isinstance(value, list) and value:
            return "[\n" + ",\n".join("  " + json.dumps(entry) for entry in value) + "\n ]"
        return json.dumps(value)
    return "{\n" + ",\n".join(f" {json.dumps(name)}: {field(value)}" for name, value in result.items()) + "\n}\n"


def write(path, result):
    """Writes a result that is as it must be: whole or not at all."""
    wrong = problems(result)
    if wrong:
        raise ValueError(f"{path}: " + "; ".join(wrong[:5]))
    path = pathlib.Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(path.name + ".part")
    unfinished.write_text(text(result))
    unfinished.replace(path)
    print(f"wrote {path}")
