# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the kernels are held against: PyTorch eager on the same device, the unrounded form in float64 for rounding
`final`, and the rows (or elements) whose cutoff depends on the order of a sum."""

import torch
import torch.nn.functional as F

DTYPES = {"bf16": torch.bfloat16, "f16": torch.float16, "f32": torch.float32}
BITS = {"bf16": torch.int16, "f16": torch.int16, "f32": torch.int32}


def act_and_mul(gate, up, act):
    if act == "silu":
        return F.silu(gate) * up
    return F.gelu(gate, approximate="tanh" if act == "gelu_tanh" else "none") * up


def gelu_and_mul_sparse(gate, up, multiplier, approximate, correction=0):
    cutoff = gate.mean(-1, keepdim=True) + gate.std(-1, keepdim=True, correction=correction) * multiplier
    return F.gelu(F.relu(gate - cutoff), approximate="tanh" if approximate == "tanh" else "none") * up


def gelu_and_mul_sparse_final(gate, up, multiplier, approximate, correction=0):
    """Unrounded; also which elements are near ties, and what the rounding of the cutoff may change in the result."""
    g, u = gate.double(), up.double()
    mean = g.mean(-1, keepdim=True)
    spread = g.std(-1, keepdim=True, correction=correction) * torch.tensor(multiplier, dtype=torch.float32).item()
    excess = g - (mean + spread)
    bound = 1e-6 * (mean.abs() + spread.abs() + g.square().mean(-1, keepdim=True).sqrt())
    result = F.gelu(F.relu(excess), approximate="tanh" if approximate == "tanh" else "none") * u
    return result, excess.abs() <= bound, 1.2 * bound * u.abs()


def near_tie_rows(gate, multiplier, correction=0):
    """Rows of 16-bit elements whose rounded cutoff another order of summation may change."""
    g = gate.double()
    mean = g.mean(-1)
    deviation = g.std(-1, correction=correction)
    delta = 16 * 2.0**-23 * torch.maximum(mean.abs(), deviation)
    factor = torch.tensor(multiplier, dtype=torch.float32, device=gate.device)
    cutoffs = []
    for m in (mean - delta, mean + delta):
        for s in (deviation - delta, deviation + delta):
            spread = (s.float().to(gate.dtype).float() * factor).to(gate.dtype)
            cutoffs.append((m.float().to(gate.dtype).float() + spread.float()).to(gate.dtype))
    return ~torch.stack([c == cutoffs[0] for c in cutoffs]).all(0)


def ulps(a, b):
    """Distance in representable values; 0 for NaN beside NaN and for zeros of either sign."""
    kind = {torch.bfloat16: torch.int16, torch.float16: torch.int16, torch.float32: torch.int32}[a.dtype]

    def order(x):
        bits = x.view(kind).long()
        return torch.where(bits < 0, -(bits & (32767 if kind == torch.int16 else 0x7fffffff)), bits)

    distance = (order(a) - order(b)).abs()
    both = a.isnan() & b.isnan()
    return torch.where(both, 0, torch.where(a.isnan() != b.isnan(), 1 << 30, distance))


def unit(dtype):
    """The unit roundoff of an element type."""
    return {"bf16": 2.0**-8, "f16": 2.0**-11, "f32": 2.0**-24}[dtype]
