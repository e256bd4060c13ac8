#!/usr/bin/env python3
# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A process of peers.Precompiler: compiles its share of the points of suites with torch.compile."""

import argparse
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))


def main():
    import torch

    import activation_points
    import activation_reference
    import activation_suite
    import peers

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("suites", nargs="*")
    parser.add_argument("--share", default="0/1", help="I/N: every N-th point from the I-th on")
    options = parser.parse_args()
    first, step = map(int, options.share.split("/"))
    torch.set_grad_enabled(False)
    points = []
    for name in options.suites:
        if hasattr(activation_points, name):
            points += [p for p in getattr(activation_points, name)() if activation_points.has_peers(p)]
    for point in points[first::step]:
        x = torch.randn(point["tokens"], 2 * point["d"], device="cuda", dtype=activation_reference.DTYPES[point.dtype])
        peers.compiled(activation_suite.Suite.eager(point))(x)
        torch.cuda.synchronize()


if __name__ == "__main__":
    main()
