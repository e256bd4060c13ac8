# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The report on layers of a model that run as one graph."""

import result_file
import scaled_peers
import table


def gemma3n_mlp(result):
    """A row for each point, beside the layers that were measured once from cuBLAS and vLLM's kernels."""
    peers = {(int(r["d"]), int(r["tokens"])): r for r in scaled_peers.rows("h200_gemma3n_mlp_bf16")}
    rows, over = [], []
    for p in result["points"]:
        row = peers.get((p["d"], p["tokens"]), {})
        other = row.get("triton_lora_us" if p.get("rank") else "triton_us")
        other = float(other) if other else None
        if other:
            over.append(other / p["us"])
        rows.append([p["tokens"], p["d"], p.get("rank", ""), table.time(p["us"]), table.time(p["p95_us"]), table.time(other),
                     table.ratio(table.quotient(other, p["us"])), table.ratio(p["peers"]["copy"]["cold_us"] / p["us"]),
                     f"{p['flops'] / p['us'] / 1e6:.0f}", p["nodes"]])
    mean = f" Geometric mean over the peer: {result_file.geometric_mean(over):.2f}." if over else ""
    header = ["T", "d", "LoRA rank", "us a layer", "p95", "peer", "over the peer", "copy / layer", "TFLOP/s", "nodes"]
    return (f"{table.machine(result)} Ten layers with their own weights, hidden 2048, four adapters in random order, in one graph; the "
            "peer's are cuBLAS, vLLM's activation and LoRA kernels in one graph. Nodes are those of all ten layers."
            f"{mean}\n\n{table.markdown(header, rows)}")
