# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Peers' times that were measured once, benchmarks/peers/*.csv, brought to the speed of another run.

A time is multiplied by what a copy of the same bytes takes now over what it took then, both curves interpolated between
the sizes of h200_copy.csv; below its smallest size the ratio is the one there."""

import csv
import pathlib

import result_file

FOLDER = pathlib.Path(__file__).resolve().parent.parent / "peers"


def rows(name):
    with open(FOLDER / f"{name}.csv", encoding="utf-8") as file:
        return list(csv.DictReader(file))


class ScaledPeers:
    """`times` maps a peer's name to {shape: (bytes, {cold_us, warm_us})}."""

    def __init__(self, curve, times):
        keys = ("cold_us", "warm_us")
        self.then = [{"bytes": int(r["bytes_moved"]), **{k: float(r[k]) for k in keys}} for r in rows("h200_copy")]
        self.now = [{"bytes": p["bytes"], **{k: result_file.interpolate(curve, p["bytes"], k) for k in keys}}
                    for p in self.then]
        self.times = times

    def time(self, name, point, key):
        """Microseconds; None where the peer was not measured."""
        if point["dtype"] != "bf16" or point.get("form"):
            return None
        size, times = self.times.get(name, {}).get(result_file.shape(point), (0, {}))
        if not times.get(key):
            return None
        now, then = (result_file.interpolate(c, size, key) for c in (self.now, self.then))
        return times[key] * now / then

    @staticmethod
    def sparse(curve):
        found = {"triton": {}, "eager": {}}
        for r in rows("h200_gelu_and_mul_sparse_bf16"):
            shape = result_file.shape({"tokens": int(r["tokens"]), "d": int(r["d"])})
            found["triton"][shape] = (int(r["bytes_moved"]), {k: float(r[f"triton_{k}"]) for k in ("cold_us", "warm_us")})
            found["eager"][shape] = (int(r["bytes_moved"]), {"warm_us": float(r["eager_warm_us"])})
        return ScaledPeers(curve, found)

    @staticmethod
    def lora(curve, half):
        """`half`: pair, shrink or expand."""
        found = {}
        for r in rows("h200_lora_bf16"):
            shape = result_file.shape({
                "tokens": int(r["tokens"]), "k": int(r["k"]), "n": [int(n) for n in r["n_per_slice"].split("+")],
                "rank": int(r["rank"]), "adapters": int(r["adapters"]), "active": int(r["active_adapters"]),
                "tokens_with_adapter": int(r["tokens_with_adapter"])})
            found[shape] = (int(r["bytes_pair"]), {k: float(r[f"{half}_{k}"]) for k in ("cold_us", "warm_us")})
        return ScaledPeers(curve, {"vllm": found})
