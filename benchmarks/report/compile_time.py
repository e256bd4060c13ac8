# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The report on how long graphs of many layers take to compile."""

import table

NOTE = ("Seconds of the processor that `frit-opt` takes, its start included, by the number of layers. mlp: Gemma3n MLPs with "
        "weights of their own, matmuls of linalg and LoRA; frit: activation and LoRA alone, which need no matmul of linalg.")


def text(result):
    """A row for each graph and pipeline, a column for each number of layers."""
    counts = sorted({p["layers"] for p in result["points"]})
    rows = {}
    for p in result["points"]:
        rows.setdefault((p["graph"], p["pipeline"]), {})[p["layers"]] = p["processor_seconds"]
    cells = [[graph, f"`{pipeline}`", *(f"{times[n]:.2f}" if n in times else "" for n in counts)]
             for (graph, pipeline), times in rows.items()]
    where = f"{result['processor']}, {result['threads']} threads; {result['date']}, commit {result['commit'][:12]}."
    where = f"{where} {result['note']}" if "note" in result else where
    table_text = f"{where} {NOTE}\n\n" + table.markdown(["graph", "pipeline", *map(str, counts)], cells)
    cold = result.get("cold")
    if not cold:
        return table_text
    return (f"{table_text}\nOne op from its text to an object in a cold process, `{cold['kernel']}`: {cold['compile_ms']:.0f} ms "
            f"of the clock, of which {cold['process_start_ms']:.0f} ms are the start of the process.\n")
