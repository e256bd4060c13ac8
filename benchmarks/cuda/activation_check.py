# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Holds results of the gated activations against PyTorch eager, or float64 where nothing is rounded on the way."""

import torch

import activation_reference as reference
from assemble import Check

SPECIAL_ULPS = 2  # of a 16-bit result whose GELU is off by one
OFF_BY_ONE_SHARE = 1e-3  # of the nonzero elements


def expected_sparse(gate, up, multiplier, form):
    """(expected, elements that may be anything, what the cutoff's last bits may change)."""
    approximate = "erf" if form == "erf" else "tanh"
    correction = 1 if form == "correction1" else 0
    if gate.dtype == torch.float32 or form == "final":
        return reference.gelu_and_mul_sparse_final(gate, up, multiplier, approximate, correction)
    rows = reference.near_tie_rows(gate, multiplier, correction)
    value = reference.gelu_and_mul_sparse(gate, up, multiplier, approximate, correction)
    return value, rows[:, None].expand_as(value), 0.0


def compare(op, form, gate, up, y, multiplier):
    """The Check of finite inputs' result `y`; `form` as in activation_points."""
    if op == "act_and_mul":
        value = reference.act_and_mul(gate, up, form or "silu")
        exempt, slack = torch.zeros_like(value, dtype=torch.bool), 0.0
    else:
        value, exempt, slack = expected_sparse(gate, up, multiplier, form)
    expected = value.to(y.dtype)
    mask = int((((y == 0) != (expected == 0)) & ~exempt).sum())
    unwritten = int((y.isnan() & ~exempt).sum())
    nonzero = int(((expected != 0) & ~exempt).sum())
    error = torch.where(exempt, 0, (y.double() - value.double()).abs())
    wrong = ""
    if y.dtype == torch.float32:
        differing = int((error > slack + 1e-5 + 1.3e-6 * value.double().abs()).sum())
        if differing:
            wrong = f"{differing} values beyond rtol 1.3e-6, atol 1e-5"
    else:
        same = error <= slack + torch.finfo(y.dtype).eps / 2 * value.double().abs() if form == "final" else exempt
        distance = torch.where(exempt | same, 0, reference.ulps(y, expected))
        differing, largest = int((distance != 0).sum()), int(distance.max())
        if largest > SPECIAL_ULPS or differing > max(2, OFF_BY_ONE_SHARE * nonzero):
            wrong = f"{differing} of {nonzero} values differ, by up to {largest} ulp"
    if mask:
        wrong = f"{mask} zeros in other places"
    if unwritten:
        wrong = f"{unwritten} NaN"
    return Check({"max_error": error.nan_to_num(nan=float("inf")).max().item(), "mask_mismatches": mask,
                  "near_tie_rows": int(exempt.any(-1).sum()), "rows": y.shape[0], "differing": differing,
                  "nonzero": nonzero}, wrong)
