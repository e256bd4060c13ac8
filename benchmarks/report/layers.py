# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The report on layers of a model that run as one graph."""

import pass_points
import plot
import result_file
import scaled_peers
import table


def peer(point):
    """Of the layers that were measured once from cuBLAS and vLLM's kernels; None where there is none."""
    for row in scaled_peers.rows("h200_gemma3n_mlp_bf16"):
        if (int(row["d"]), int(row["tokens"])) == (point["d"], point["tokens"]):
            other = row["triton_lora_us" if point.get("rank") else "triton_us"]
            return float(other) if other else None
    return None


def gemma3n_mlp(result):
    """A row for each point, beside the peer."""
    rows, over = [], []
    for p in result["points"]:
        other = peer(p)
        if other:
            over.append(other / p["us"])
        rows.append([p["tokens"], p["d"], p.get("rank", ""), table.time(p["us"]), table.time(p["p95_us"]), table.time(other),
                     table.ratio(table.quotient(other, p["us"])), table.ratio(p["peers"]["copy"]["cold_us"] / p["us"]),
                     f"{p['flops'] / p['us'] / 1e6:.0f}", p["nodes"]])
    mean = f" Geometric mean over the peer: {result_file.geometric_mean(over):.2f}." if over else ""
    header = ["T", "d", "LoRA rank", "us a layer", "p95", "peer", "over the peer", "copy / layer", "TFLOP/s", "nodes"]
    return (f"{table.machine(result)} Ten layers with their own weights, hidden 2048, four adapters in random order, in one graph; the "
            "peer's are cuBLAS, vLLM's activation and LoRA kernels in one graph. Nodes are those of all ten layers."
            f"{mean}\n\n{table.markdown(header, rows)}{passes(result)}")


def passes(result):
    """What passes gain; "" where no point does without one."""
    rows = [[f"`{pass_points.left_out(without['form'])}`", without["tokens"], without["d"], without.get("rank", ""),
             "at run time" if pass_points.is_dynamic(without["form"]) else "", table.time(p["us"]), table.time(without["us"]),
             table.ratio(without["us"] / p["us"]), p["nodes"], without["nodes"]] for p, without in pass_points.gains(result)]
    if not rows:
        return ""
    header = ["pass", "T", "d", "LoRA rank", "T known", "us a layer", "without", "without / with", "nodes", "without"]
    return ("\nWhat passes over graphs gain: the same layers, and compiled with `--without` the pass, in the same run. What "
            "`frit-form-sparse-ffn` gains is the dense layer over the chosen one.\n\n"
            + table.markdown(header, rows))


def over_tokens(result, width):
    """Time over tokens without LoRA: the choice, the dense layer, and the sparse one wherever a fused kernel executes it."""
    plain = lambda points: [p for p in points if p["d"] == width and not p.get("rank")]
    points = sorted(plain(result["points"]), key=lambda p: p["tokens"])
    sparse = sorted(plain([p for p in result["more"] if p["form"] == "sparse"]), key=lambda p: p["tokens"])
    bytes_us = [(p["tokens"], p["peers"]["copy"]["cold_us"]) for p in points]
    series = [plot.Series("Frit's choice", [(p["tokens"], p["us"]) for p in points]),
              plot.Series("dense", [(p["tokens"], p["dense"]["us"]) for p in points if "dense" in p], line=True, dots=False),
              plot.Series("sparse", [(p["tokens"], p["us"]) for p in sparse], line=True, dots=False),
              plot.Series("copy of the bytes", bytes_us, line=True, dots=False),
              plot.Series("peer", [(p["tokens"], other) for p in points if (other := peer(p))])]
    return plot.svg(f"Gemma3n's sparse layer, d = {width}, bf16", "tokens", "us a layer", series, 2)


def sparse_ffn(result, machine):
    """(text, plots): a row for each point, beside the dense layer of the same run and the peer."""
    rows = []
    for p in result["points"]:
        dense, other = p.get("dense", {}).get("us"), peer(p)
        rows.append([p["tokens"], p["d"], p.get("rank", ""), f"`{p['kernel']}`", table.time(p["us"]), table.time(dense),
                     table.ratio(table.quotient(dense, p["us"])), table.time(other), table.ratio(table.quotient(other, p["us"])),
                     table.ratio(p["peers"]["copy"]["cold_us"] / p["us"]), p["nodes"]])
    header = ["T", "d", "LoRA rank", "chosen", "us a layer", "dense", "dense / chosen", "peer", "peer / chosen", "copy / layer", "nodes"]
    plots = {f"{machine}_sparse_ffn_{d}.svg": over_tokens(result, d) for d in sorted({p["d"] for p in result["points"]})}
    text = [f"{table.machine(result)} The layers of the table above, where the compiler may leave zeros out. Dense is the same graph "
            "without that right, in the same run; the copy is one of the bytes that must be read: the gate's weights, and the rows of up "
            "and down of which some token's activation is not zero.\n", table.markdown(header, rows)]
    text += [f"![{name}](plots/{name})\n" for name in plots]
    if choice := result.get("choice"):
        text.append(f"What the choice costs over the faster of dense and sparse, at {choice['points']} points: geometric mean "
                    f"{choice['geometric_mean']}, at most {choice['largest']} ({choice['at']}, best `{choice['best']}`).\n")
    text += [passes(result)] if pass_points.gains(result) else []
    return "\n".join(text), plots
