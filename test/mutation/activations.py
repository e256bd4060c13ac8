# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Gated activations: IR, inputs that expose mutations, and the reference.

The reference is float64 with the roundings written out. It gives an interval
for each element: the roundings are exact, and only what the contract leaves open
(the error of the activation function, the order of long sums) widens it.
"""

import itertools
import math

import numpy as np

from dtypes import SMALLEST, STORAGE, decode, encode, ordinals, round_to

# Relative error of the activation function in f32, and where E is narrower.
FUNCTION_ERROR = 2.0**-20
# 3 * f32(5 / 3) is just below 5, and rounds to it: rows of deviation 3 and mean
# -5 tell whether the product is rounded before the sum.
MULTIPLIER = float(np.float32(5) / np.float32(3))
ERF = np.vectorize(math.erf, otypes=[np.float64])


def gelu(z, form):
    """The f32 formula around an exact tanh or erf, and its absolute error."""
    z = z.astype(np.float64)
    with np.errstate(over="ignore", invalid="ignore"):
        if form == "tanh":
            inner = np.float64(np.float32(0.7978845608028654)) * (
                z + np.float64(np.float32(0.044715)) * z**3)
            odd = np.tanh(inner)
        else:
            odd = ERF(z * np.float64(np.float32(math.sqrt(0.5))))
        value = 0.5 * z * (1 + odd)
    error = np.abs(value) * FUNCTION_ERROR + np.where(z < 0, np.abs(z) * 2.0**-22, 0)
    return value, np.where(np.isfinite(value), error, 0)


def silu(z):
    z = z.astype(np.float64)
    with np.errstate(over="ignore", invalid="ignore"):
        value = z / (1 + np.exp(-z))
    # exp(-z) overflows in f32 from here on, and its underflow is gradual.
    error = np.abs(value) * FUNCTION_ERROR + np.where(z < -80, 1e-33, 0)
    return value, np.where(np.isfinite(value), error, 0)


def finish(value, error, up, dtype, rounds):
    """Bounds of y: the activation, its rounding, the product and its rounding."""
    ends = []
    with np.errstate(over="ignore", invalid="ignore"):
        for end in (value - error, value + error):
            a = end.astype(np.float32)
            a = round_to(a, dtype) if rounds else a
            ends.append(encode(a * up, dtype))
    return ends


def check_bounds(out, bounds, dtype):
    """What is wrong with stored values, or None."""
    low, high = (decode(b, dtype).astype(np.float64) for b in bounds)
    value = decode(out, dtype).astype(np.float64)
    nan = np.isnan(low)
    if (np.isnan(value) != nan).any():
        return "NaN where there should be none, or none where there should be"
    low, high = np.minimum(low, high), np.maximum(low, high)
    # The product and f32's own rounding of the activation.
    slack = np.where(nan | np.isinf(low), 0, np.abs(low) * 2.0**-22) if dtype == "f32" else 0
    with np.errstate(invalid="ignore"):
        bad = ~nan & ~((value >= low - slack) & (value <= high + slack))
    mask = ~nan & (value == 0) & ~((low <= 0) & (high >= 0))
    if bad.any() or mask.any():
        return f"{int(bad.sum())} of {value.size} values"
    return None


#===----------------------------------------------------------------------===#
# gelu_and_mul_sparse
#===----------------------------------------------------------------------===#


def cutoff(m, s, multiplier, stepwise, dtype):
    """Steps 1 to 4 in f32."""
    r = (lambda v: round_to(v, dtype)) if stepwise else (lambda v: v)
    m, s = r(np.float32(m)), r(np.float32(s))
    p = r(np.float32(s * np.float32(multiplier)))
    return r(np.float32(m + p))


def sparse_bounds(x, dtype, form, stepwise, correction, exact):
    """Bounds for each element; rows that the contract calls near ties are NaN in
    `skip`."""
    d = x.shape[1] // 2
    g, u = x[:, :d], x[:, d:]
    lows, highs, skip = [], [], []
    for row, up in zip(g, u):
        with np.errstate(all="ignore"):
            m = np.float32(np.float64(row).mean())
            total = np.float32(np.float64(row).sum())
            if np.isinf(total):  # f32 sums overflow where f64 sums do not
                m = np.float32(total / np.float32(d))
            squares = np.float32(((np.float64(row) - np.float64(m))**2).sum())
            s = np.sqrt(np.float32(squares / np.float32(d - correction)))
            delta = 0 if exact else 16 * 2.0**-23 * max(abs(float(m)), float(s))
            corners = {float(cutoff(np.float32(m + a), np.float32(s + b), MULTIPLIER, stepwise, dtype))
                       for a in (-delta, delta) for b in (-delta, delta)}
            c = cutoff(m, s, MULTIPLIER, stepwise, dtype)
            unique = len(corners) == 1 or not np.isfinite(c)
            exact_steps = stepwise and dtype != "f32"
            skip.append(exact_steps and not unique)
            width = 0.0
            if not exact_steps and not exact and np.isfinite(c):
                rms = float(np.sqrt(np.mean(np.float64(row)**2)))
                width = 1e-6 * (abs(float(m)) + abs(float(s) * MULTIPLIER) + rms)
            ends = []
            for end in (c + np.float32(width), c - np.float32(width)):
                z = np.float32(row - np.float32(end))
                z = round_to(z, dtype) if stepwise else z
                z = np.where(z < 0, np.float32(0), z)
                value, error = gelu(z, form)
                ends.append(finish(value, error, up, dtype, stepwise))
        stacked = np.stack([decode(e, dtype) for pair in ends for e in pair])
        lows.append(stacked.min(axis=0))
        highs.append(stacked.max(axis=0))
    return encode(np.array(lows), dtype), encode(np.array(highs), dtype), np.array(skip)


def four_terms():
    """(sum, sum of squares) -> four integers from -6 to 5."""
    table = {}
    span = range(-6, 6)
    for quad in itertools.combinations_with_replacement(span, 4):
        table.setdefault((sum(quad), sum(q * q for q in quad)), quad)
    return table


FOUR_TERMS = four_terms()


def integer_row(rng, d, correction):
    """Integers with mean -5 and deviation 3, 0 among them: all sums are exact."""
    while True:
        deviations = 3 - 6 * (np.arange(d) % 2)
        some = rng.integers(0, d - 4, min(d // 3, 24))
        deviations[some] = rng.integers(-6, 6, some.size)
        deviations[0] = 5
        rest = deviations[:-4]
        need = (-int(rest.sum()), 9 * (d - correction) - int((rest**2).sum()))
        if need in FOUR_TERMS:
            deviations[-4:] = FOUR_TERMS[need]
            rng.shuffle(deviations)
            return (deviations - 5).astype(np.float32)


def losing_row(squares, correction):
    """A row of f16 whose terms (the gates, or with mean 0 their squares) a plain f32
    sum loses in part, enough to move the cutoff by a unit of f16.

    Most terms are 1. Of 256, 8 in a row (one in each lane of a vector) are just
    below half a unit of what the sum grows to, and vanish in it: 3e-5 of the whole.
    Terms of 2 bring the mean, or the deviation, closer than that to a tie of f16, but
    not as close as the order of compensated sums could tell."""
    d = 1 << 19
    base = np.ones(d, np.float32)
    term = 2.0**-9 * (1 - 2.0**-6)
    base.reshape(-1, 256)[:, :8] = math.sqrt(term) if squares else term
    if squares:
        base[1::2] *= -1
    # Gates above the cutoff, in whole vectors.
    base[64:80] = np.where(base[64:80] < 0, -1, 1) * np.float32(2.75)
    base[80:96] = np.where(base[80:96] < 0, -1, 1) * np.float32(1.6777)
    for count in range(0, 2048, 2):
        row = round_to(base, "f16")
        row.reshape(-1, 256)[:count // 2, 100:102] *= 2
        values = np.float64(row)
        m, s = values.mean(), math.sqrt(((values - values.mean())**2).sum() / (d - correction))
        lost = (m, s * (1 - 1.2e-5)) if squares else (m * (1 - 2.4e-5), s)
        delta = 20 * 2.0**-23 * max(abs(m), s)
        same = {float(cutoff(m + a, s + b, MULTIPLIER, True, "f16"))
                for a in (-delta, 0, delta) for b in (-delta, 0, delta)}
        if len(same) == 1 and float(cutoff(*lost, MULTIPLIER, True, "f16")) not in same:
            return row
    raise ValueError("no row tells a plain sum from a compensated one")


def long_rows(dtype, correction):
    """Rows of which plain f32 sums are off by units of E."""
    rows = np.full((2, 1 << 18), np.float32(1 + 2.0**-10))
    rows[0, ::4096] += np.float32(2.0**-9)
    rows[1, ::2], rows[1, 1::2] = np.float32(1.137), np.float32(-1.137)
    rows[1, ::4096] = np.float32(1.137) * np.float32(1.6673)
    return [*rows, *([losing_row(squares, correction) for squares in (False, True)] if dtype == "f16" else [])]


def sparse_inputs(rng, dtype, form, stepwise, correction):
    """(name, packed x in f32, exact sums?) in the order of their cost."""
    cases = []

    def add(name, g, exact=False):
        g = np.atleast_2d(np.asarray(g, np.float32))
        u = rng.integers(1, 200, g.shape).astype(np.float32) * rng.choice([-1.0, 1.0], g.shape)
        cases.append((name, round_to(np.concatenate([g, u.astype(np.float32)], axis=1), dtype), exact))

    for d in (14, 64, 1100):
        d -= correction  # a sum of squares of 9 (d - correction) must be even
        add(f"integers {d}", [integer_row(rng, d, correction) for _ in range(6)], exact=True)
    add("random 61", rng.normal(0.3, 1, (64, 61)))
    add("random 1100", rng.normal(-2, 1.5, (24, 1100)))
    # Whole vectors, and tails, of gates above the cutoff.
    add("sorted 61", np.sort(rng.normal(0.3, 1, (24, 61)), axis=1))
    add("sorted 1100", np.sort(rng.normal(-2, 1.5, (8, 1100)), axis=1))
    add("one wide row", rng.normal(0, 1, (1, 4099)))
    special = rng.normal(0, 1, (6, 77)).astype(np.float32)
    special[0, 3], special[1, 70], special[2, 76] = np.nan, np.inf, -np.inf
    special[3, :] = 0
    special[4, :] = -1.5
    add("special gates", special)
    # Rows that fill a vector and a part of one, with as many gates above the cutoff
    # as there can be. The cutoff is small against them: z = g - c takes more bits
    # than E has.
    shape = (1500, 15)
    add("short rows", np.where(rng.random(shape) < 0.15, rng.uniform(0.8, 3.2, shape), rng.normal(-6, 0.5, shape)))
    add("cutoff near 0", rng.normal(-5, 3, (200, 72)))
    add("one element", [[2.5], [-1.0]])
    if dtype != "f16":
        add("sum overflows", np.full((2, 700), 3e38 if dtype == "f32" else 1e38))
    name, x, _ = cases[3]
    x = x.copy()
    x[0, 61:] = np.nan
    x[1, 61 + 5], x[2, 61 + 60] = np.inf, -np.inf
    cases.append(("special ups", x, False))
    for row in long_rows(dtype, correction):
        add("long row", row)
    return cases


def sparse_config(dtype, form, rounding, correction):
    stepwise = rounding == "stepwise"
    shape = f"memref<?x?x{dtype}, strided<[?, 1], offset: ?>>"
    tensor = f"tensor<?x?x{dtype}>"
    ir = wrap("gelu_and_mul_sparse", shape, tensor,
              f"std_multiplier = {MULTIPLIER:.9e} approximate = {form} "
              f"rounding = {rounding} correction = {correction}")

    def cases(rng, _):
        for name, x, exact in sparse_inputs(rng, dtype, form, stepwise, correction):
            low, high, skip = sparse_bounds(x, dtype, form, stepwise, correction, exact)

            def check(out, low=low, high=high, skip=skip):
                keep = ~skip
                return check_bounds(out[keep], (low[keep], high[keep]), dtype)

            out = np.zeros((x.shape[0], x.shape[1] // 2), STORAGE[dtype])
            yield name, [encode(x, dtype)], out, check

    return {"op": "gelu_and_mul_sparse", "form": form, "dtype": dtype,
            "mode": f"{rounding}, correction {correction}", "ir": ir, "cases": cases}


def wrap(op, shape, tensor, attributes, kind=""):
    """A function on memrefs around an op on tensors, and around one on memrefs."""
    return {
        "linalg": f"""
func.func @f(%x: {shape}, %y: {shape}) attributes {{llvm.emit_c_interface}} {{
  %tx = bufferization.to_tensor %x restrict : {shape} to {tensor}
  %ty = bufferization.to_tensor %y restrict writable : {shape} to {tensor}
  %r = frit.{op}{kind} ins(%tx : {tensor}) outs(%ty : {tensor}) {attributes} -> {tensor}
  bufferization.materialize_in_destination %r in restrict writable %y : ({tensor}, {shape}) -> ()
  return
}}
""",
        "vector": f"""
func.func @f(%x: {shape}, %y: {shape}) attributes {{llvm.emit_c_interface}} {{
  frit.{op}{kind} ins(%x : {shape}) outs(%y : {shape}) {attributes}
      {{frit.kernel = #frit.kernel<"native.vector">}}
  return
}}
"""}


#===----------------------------------------------------------------------===#
# act_and_mul
#===----------------------------------------------------------------------===#


def act_config(dtype, kind):
    shape = f"memref<?x?x{dtype}, strided<[?, 1], offset: ?>>"
    tensor = f"tensor<?x?x{dtype}>"
    ir = wrap("act_and_mul", shape, tensor, "", " " + kind)

    def cases(rng, _):
        for name, d in (("random 61", 61), ("random 1100", 1100)):
            g = rng.normal(0, 3, (24, d)).astype(np.float32)
            u = rng.normal(0, 2, (24, d)).astype(np.float32)
            g[0, :8] = [np.nan, np.inf, -np.inf, 11, 40, 1e4, -13.24, -0.0]
            u[1, 0], u[1, 1] = np.nan, np.inf
            x = round_to(np.concatenate([g, u], axis=1), dtype)
            g, u = x[:, :d], x[:, d:]
            value, error = silu(g) if kind == "silu" else gelu(g, kind[len("gelu_"):])
            error = error + SMALLEST["f32"]
            bounds = finish(value, error, u, dtype, True)
            # Where the activation underflows in f32, E's last unit is open.
            out = np.zeros((24, d), STORAGE[dtype])
            yield name, [encode(x, dtype)], out, (lambda o, b=bounds: check_bounds(o, b, dtype))

    return {"op": "act_and_mul", "form": kind, "dtype": dtype, "mode": "-", "ir": ir, "cases": cases}


def configs():
    result = []
    for dtype in ("f32", "f16", "bf16"):
        for form in ("tanh", "erf"):
            for rounding in ("stepwise", "final"):
                for correction in (0, 1):
                    result.append(sparse_config(dtype, form, rounding, correction))
        for kind in ("silu", "gelu_tanh", "gelu_erf"):
            result.append(act_config(dtype, kind))
    return result
