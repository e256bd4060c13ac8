# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the benchmarks' check says of a good result and of results with one element changed.

    check_activations.py BENCHMARKS
"""

import sys

sys.path[:0] = [sys.argv[1], sys.argv[1] + "/cuda"]

import activation_check  # noqa: E402
import activation_points  # noqa: E402
import activation_reference as reference  # noqa: E402
import torch  # noqa: E402


def changed(y, at, value):
    other = y.clone()
    other[at] = value
    return other


torch.manual_seed(0)
for dtype in ("bf16", "f16", "f32"):
    for op, form in (("gelu_and_mul_sparse", ""), ("gelu_and_mul_sparse", "final"), ("gelu_and_mul_sparse", "erf"),
                     ("gelu_and_mul_sparse", "correction1"), ("act_and_mul", ""), ("act_and_mul", "gelu_erf")):
        gate, up = torch.randn(2, 32, 1024).to(reference.DTYPES[dtype])
        if op == "act_and_mul":
            y = reference.act_and_mul(gate, up, form or "silu")
        else:
            y = activation_check.expected_sparse(gate, up, activation_points.MULTIPLIER, form)[0].to(gate.dtype)
        at = tuple((y == y.max()).nonzero()[0])
        check = lambda result: activation_check.compare(op, form, gate, up, result, activation_points.MULTIPLIER).wrong
        print(f"{op} {dtype} {form or 'default'}: '{check(y)}', '{check(changed(y, at, 0))}', "
              f"'{check(changed(y, at, y[at] * 1.1))}', '{check(changed(y, at, float('nan')))}'")
