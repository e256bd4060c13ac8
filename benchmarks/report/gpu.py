# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The report on the suites that were measured on a GPU: tables, and plots as {file: SVG}."""

import layers
import plot
import result_file
import table
from scaled_peers import ScaledPeers

COLD_WARM = ("cold_us", "warm_us")
PEER_NAMES = {"triton": "vLLM's Triton kernel", "torch_compile": "torch.compile", "eager": "PyTorch eager"}


def peer(point, name, key, scaled):
    """A peer's time: of the same run, else of its file."""
    measured = point.get("peers", {}).get(name, {}).get(key)
    return measured or (scaled.time(name, point, key) if scaled else None)


def gains(points, scaled):
    """A table of geometric means over peers and of the share of a copy's speed, a row an element type."""
    rows = []
    for dtype in sorted({p["dtype"] for p in points}):
        chosen = [p for p in points if p["dtype"] == dtype]
        for name, title in (*PEER_NAMES.items(), ("copy", "a copy of the same bytes")):
            row = [dtype, title]
            pairs = [(peer(p, name, k, scaled), p[k], k) for p in chosen for k in COLD_WARM]
            for key in COLD_WARM:
                ratios = [a / b for a, b, k in pairs if k == key and a]
                row += [len(ratios), f"{sum(r > 1 for r in ratios)}",
                        table.ratio(result_file.geometric_mean(ratios))] if ratios else [0, "", ""]
            if row[2] or row[5]:
                rows.append(row)
    return table.markdown(["element", "over", "points, cold", "faster", "geometric mean", "points, warm", "faster",
                           "geometric mean"], rows)


def over_bytes(points, result, scaled, title):
    series = [plot.Series("Frit", [(p["bytes"], p["cold_us"]) for p in points]),
              plot.Series("copy", [(c["bytes"], c["cold_us"]) for c in result["copy"]], line=True, dots=False)]
    for name, text in (("triton", "vLLM's Triton"), ("torch_compile", "torch.compile"), ("vllm", "vLLM")):
        times = [(p["bytes"], peer(p, name, "cold_us", scaled)) for p in points]
        series.append(plot.Series(text, [(b, t) for b, t in times if t]))
    return plot.svg(title, "bytes read and written", "us, cold", series, 2, plot.bytes_text)


def ratios(points, name, scaled, title, group, group_name):
    """The peer's time over Frit's, over the tokens, a line for each value of `group`."""
    series = []
    for value in sorted({str(group(p)) for p in points}, key=lambda v: (len(v), v)):
        at = [(p["tokens"], peer(p, name, "cold_us", scaled), p["cold_us"]) for p in points if str(group(p)) == value]
        series.append(plot.Series(f"{group_name}{value}", [(t, a / b) for t, a, b in at if a], line=True))
    return plot.svg(title, "tokens", "times as fast", series, 2, level=1.0) if any(s.points for s in series) else None


def details(points, scaled, names):
    header = ["T", "d", "kernel", "cold", "warm", "copy, cold", *(f"{n}, cold" for n in names.values()), "copy / cold",
              "registers", "spills"]
    rows = []
    for p in sorted(points, key=lambda p: (p["d"], p["tokens"])):
        copy = p["peers"]["copy"]["cold_us"]
        rows.append([p["tokens"], p["d"], f"`{p['kernel']}`", table.time(p["cold_us"]), table.time(p["warm_us"]),
                     table.time(copy), *(table.time(peer(p, n, "cold_us", scaled)) for n in names),
                     table.ratio(copy / p["cold_us"]), p["registers"], p["spill_bytes"]])
    return table.markdown(header, rows)


def activation(result, machine, scaled=None):
    """(text, plots) of a suite of gated activations."""
    points = result["points"]
    op = points[0]["op"]
    names = {k: v for k, v in PEER_NAMES.items() if any(peer(p, k, "cold_us", scaled) for p in points)}
    main = [p for p in points if p["dtype"] == "bf16"]
    stem = f"{machine}_{op}_bf16"
    plots = {f"{stem}_time.svg": over_bytes(main, result, scaled, f"frit.{op}, bf16: time over bytes")}
    for name in names:
        image = ratios(main, name, scaled, f"frit.{op}, bf16: over {names[name]}, cold", lambda p: p["d"], "d = ")
        if image and name != "eager":
            plots[f"{stem}_over_{name}.svg"] = image
    text = [table.machine(result), "", gains(points, scaled)]
    text += [f"![{name}](plots/{name})\n" for name in plots]
    text += ["bf16, microseconds:\n", details(main, scaled, names)]
    for dtype in sorted({p["dtype"] for p in points} - {"bf16"}):
        cell = lambda p: f"{table.time(p['cold_us'])} ({p['peers']['copy']['cold_us'] / p['cold_us']:.2f})"
        text += [f"{dtype}, cold microseconds (share of a copy's speed), T by d:\n",
                 table.matrix("T", [p for p in points if p["dtype"] == dtype], cell)]
    text += native(result, scaled)
    return "\n".join([*text, *extras(result)]), plots


def native(result, scaled):
    """What the kernels without hand-written code take, chosen or not, in bf16 and the default form."""
    compiled = {result_file.key(p): peer(p, "torch_compile", "cold_us", scaled) for p in result["points"]}
    found = {}
    for p in [*result["points"], *result["more"]]:
        if p["provider"] == "native" and p["dtype"] == "bf16" and p.get("form", "candidate") == "candidate":
            found.setdefault(p["kernel"], []).append(p)

    def cell(p):
        gain = table.ratio(table.quotient(compiled.get(result_file.key(p)), p["cold_us"]))
        return table.time(p["cold_us"]) + (f" ({gain})" if gain else "")

    text = []
    for kernel, points in sorted(found.items()):
        text += [f"`{kernel}`, bf16, cold microseconds (times as fast as torch.compile), T by d:\n",
                 table.matrix("T", points, cell)]
    return text


def gelu_and_mul_sparse(result, machine):
    return activation(result, machine, ScaledPeers.sparse(result["copy"]))


def act_and_mul(result, machine):
    return activation(result, machine)


def gemma3n_mlp(result, _):
    return layers.gemma3n_mlp(result), {}


def sparse_ffn(result, machine):
    return layers.sparse_ffn(result, machine)


def width(point):
    """The columns of a row, or what its product leads from and to."""
    return point["d"] if "d" in point else f"{point['k']} to {'+'.join(map(str, point['n']))}, rank {point['rank']}"


def extras(result):
    """What a result file says beside its points."""
    text = []
    if found := result.get("regret"):
        rows = [[f"`{op}`", key[:-3], v["points"], v["geometric_mean"], v["largest"], v["at"], f"`{v['best']}`"]
                for op, by in found.items() for key, v in by.items()]
        text += ["What the choice of the kernel costs: the chosen kernel's time over that of the best candidate.\n",
                 table.markdown(["op", "caches", "points", "geometric mean", "largest", "at", "best there"], rows)]
    forms = [p for p in result["more"] if p["form"] != "candidate" and not p["form"].startswith(("random_", "rounded_"))]
    if forms:
        rows = [[p["form"], p["dtype"], p["tokens"], p.get("d", ""), f"`{p['kernel']}`", table.time(p["cold_us"]),
                 table.time(p["warm_us"]), table.ratio(p["peers"]["copy"]["cold_us"] / p["cold_us"])] for p in forms]
        text += ["Other forms:\n", table.markdown(
            ["form", "element", "T", "d", "kernel", "cold", "warm", "copy / cold"], rows)]
    if found := result.get("random_elements"):
        rows = [[dtype, sum(e["rows"] * e["d"] for e in of), sum(e["mask_mismatches"] for e in of),
                 f"{sum(e['near_tie_rows'] for e in of)} of {sum(e['rows'] for e in of)}",
                 f"{sum(e['differing'] for e in of)} of {sum(e['nonzero'] for e in of)}"]
                for dtype in sorted({e["dtype"] for e in found}) if (of := [e for e in found if e["dtype"] == dtype])]
        text += ["Random elements against PyTorch eager on the same GPU:\n", table.markdown(
            ["element", "elements", "zeros in other places", "rows with a near tie", "nonzero values that differ"], rows)]
    if found := result.get("repeats"):
        rows = [[f"{e['dtype']} {e['tokens']} x {width(e)}", f"`{e['kernel']}`", e["calls"], e["differing"]] for e in found]
        text += ["Repeats of a call, elements whose bits differ from the first call's:\n",
                 table.markdown(["shape", "kernel", "calls", "differing"], rows)]
    if found := result.get("batches"):
        rows = [[e["dtype"], e["d"], f"`{e['kernel']}`", ", ".join(map(str, sorted(e["tokens"]))),
                 e["rows_differing_same_kernel"], e["rows_differing_any_kernel"]] for e in found]
        text += ["A row's bits in batches of several sizes:\n", table.markdown(
            ["element", "d", "kernel", "T", "rows that differ, same kernel", "rows that differ, any kernel"], rows)]
    if found := result.get("host_calls"):
        rows = [[f"{e['dtype']} {e['tokens']} x {e['d']}", f"`{e['kernel']}`", table.time(e["call_us"]),
                 table.time(e["raw_us"]), table.time(e["call_us"] - e["raw_us"])] for e in found]
        text += ["Host time of a call, microseconds:\n",
                 table.markdown(["shape", "kernel", "compiled function", "raw launch", "difference"], rows)]
    return text
