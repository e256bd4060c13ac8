# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Puts measured points together into a result, and says what the choice of kernels costs. Needs Python alone."""

import dataclasses

import result_file

CANDIDATE, RANDOM = "candidate", "random"


@dataclasses.dataclass
class Check:
    """What a result was found to be, as fields of a result file; `wrong` is why it is refused, or ""."""

    fields: dict
    wrong: str = ""


class Assembly:
    def __init__(self, header):
        self.values = {**header, "points": [], "more": []}

    def add(self, compiled, moved, flops, check, measured):
        """Adds the entry of a function and returns it; a candidate has the kernel that its op names."""
        point = compiled.point
        entry = {"op": point.op, "dtype": point.dtype, "kernel": compiled.kernel,
                 "provider": "graph" if "+" in compiled.kernel else compiled.kernel.split(".")[0], **point.shape, "bytes": moved, "flops": flops,
                 **check.fields, **result_file.rounded(measured)}
        if measured:
            entry["peers"] = {"copy": result_file.rounded(
                {k: result_file.interpolate(self.values["copy"], moved, k) for k in ("cold_us", "warm_us")})}
        if point.form or point.kernel:
            entry["form"] = point.form or CANDIDATE
        where = "random_elements" if point.form == RANDOM else "more" if "form" in entry else "points"
        self.values.setdefault(where, []).append(entry)
        return entry

    def note(self, name, value):
        self.values[name] = value

    def extend(self, name, value):
        self.values.setdefault(name, []).append(result_file.rounded(value))

    def result(self):
        """With `regret`: for each op the chosen kernels' times over the best candidates'."""
        return {**self.values, "regret": regret(self.values["points"], self.values["more"])}


def regret(points, more):
    """{op: {temperature: {geometric_mean, largest, at, points}}} over points with candidates."""
    best = {}
    for entry in more:
        if entry["form"] == CANDIDATE:
            best.setdefault(result_file.key(entry), []).append(entry)
    found = {}
    for entry in points:
        others = best.get(result_file.key(entry))
        if not others:
            continue
        for name in ("cold_us", "warm_us"):
            lowest = min([entry, *others], key=lambda e: e[name])
            found.setdefault(entry["op"], {}).setdefault(name, []).append(
                (entry[name] / lowest[name], result_file.label(entry), lowest["kernel"]))
    return {op: {name: {"geometric_mean": round(result_file.geometric_mean([v[0] for v in values]), 4), "points": len(values),
                        "largest": round(max(values)[0], 4), "at": max(values)[1], "best": max(values)[2]}
                 for name, values in by.items()} for op, by in found.items()}
