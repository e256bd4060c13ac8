# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the compiler's choice between sparse and dense layers costs. Needs Python alone."""

import result_file


def finish(values):
    """Puts the dense layer beside each point of a result that has one, and adds `choice`: the points' times over those of the
    faster of dense and sparse."""
    of = {form: {result_file.key(p): p for p in values["more"] if p["form"] == form} for form in ("dense", "sparse")}
    found = []
    for point in values["points"]:
        key = result_file.key(point)
        if key not in of["dense"]:
            continue
        point["dense"] = {k: of["dense"][key][k] for k in ("us", "p5_us", "p95_us", "kernel", "nodes")}
        best = min([point, *(entries[key] for entries in of.values() if key in entries)], key=lambda p: p["us"])
        found.append((point["us"] / best["us"], result_file.label(point), best["kernel"]))
    if found:
        ratio, label, kernel = max(found)
        values["choice"] = {"points": len(found), "geometric_mean": round(result_file.geometric_mean([f[0] for f in found]), 4),
                            "largest": round(ratio, 4), "at": label, "best": kernel}
