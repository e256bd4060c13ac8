# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The report on the suites that were measured on a CPU."""

import result_file
import table

LORA_HEADER = ["element", "T", "K to N", "rank", "adapters", "kernel", "us", "torch.compile", "eager"]


def gelu_and_mul_sparse(result, machine):
    """(text, no plots)."""
    header = ["element", "T", "d", "kernel", "us", "torch.compile", "eager", "copy", "over torch.compile", "over eager",
              "time / copy"]
    rows, gains = [], {}
    for p in result["points"]:
        us, peers = p["warm_us"], {k: v["warm_us"] for k, v in p["peers"].items()}
        gain = table.quotient(peers.get("torch_compile"), us)
        gains.setdefault(p["dtype"], []).append(gain)
        rows.append([p["dtype"], p["tokens"], p["d"], f"`{p['kernel']}`", table.time(us),
                     *(table.time(peers.get(k)) for k in ("torch_compile", "eager", "copy")), table.ratio(gain),
                     table.ratio(table.quotient(peers.get("eager"), us)),
                     table.ratio(table.quotient(us, peers.get("copy")))])
    means = ", ".join(f"{result_file.geometric_mean(v):.2f} in {k}" for k, v in gains.items())
    text = (f"{table.machine(result)} Warm, microseconds. Geometric mean over torch.compile: {means}. "
            f"{mask(result)}\n\n")
    return text + table.markdown(header, rows), {}


def mask(result):
    points = result["points"] + result["more"]
    return (f"Zeros in other places than PyTorch's, outside of near ties: {sum(p['mask_mismatches'] for p in points)} "
            f"in {len(points)} results.")


def lora_matmul(result, machine):
    rows = []
    for p in result["points"]:
        peers = {k: v["warm_us"] for k, v in p.get("peers", {}).items()}
        rows.append([p["dtype"], p["tokens"], f"{p['k']} to {'+'.join(map(str, p['n']))}", p["rank"], p["adapters"],
                     f"`{p['kernel']}`", table.time(p["warm_us"]),
                     *(table.time(peers.get(k)) for k in ("torch_compile", "eager"))])
    return (f"{table.machine(result)} Warm, microseconds; PyTorch is measured with one adapter.\n\n"
            + table.markdown(LORA_HEADER, rows)), {}
