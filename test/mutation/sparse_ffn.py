# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The sparse feed-forward network: IR, inputs that expose mutations, and the
reference.

Gates, ups and hidden values are sums of two products that are exact in f32, so
that the activations are those of activations.py, bounds included. Every output
is one column of the activation times an odd number: its bounds follow. Rows of
weights that belong to no active column hold NaN.
"""

import numpy as np

import activations
import lora
from dtypes import STORAGE, decode, encode, round_to

PROJECTIONS = ("gate", "up", "down")
# What a token's second product adds to a gate of about 1, and to ups below 200: less than a unit of E, or little more.
FRACTION = {"f32": (2.0**-14, 2.0**-5), "f16": (2.0**-12, 2.0**-5), "bf16": (2.0**-9, 2.0**-2)}
LARGEST = {"f32": 3.4e38, "f16": 65504, "bf16": 3.38e38}
# Tokens, columns and width. All columns are seen where the width allows it: whole vectors and tails of them, tiles (of 8
# columns for one token, of 2 for 4) and parts of tiles, ranges of columns that are summed by themselves. In a row of few
# columns, which are one place of a tile each, a NaN is seen although all of the row is NaN.
SHAPES = ((8, 64, 83), (1, 14, 35), (5, 61, 101), (3, 1100, 300), (1, 200, 210), (7, 22, 30), (4, 302, 320),
          (1, 198, 210), (8, 7, 20), (8, 15, 30), (8, 23, 40), (600, 7, 1200), (8, 198, 210), (1, 302, 320))
# One token with many active columns: each place of a tile has code of its own, and of a dropped rounding a value tells in one of four.
ONE_TOKEN_SHAPES = ((1, 392, 400), (1, 400, 400))
SMALL_SHAPES = tuple((tokens, columns, 17) for tokens in (1, 4) for columns in (1, 2, 3, 8)) + ((1, 5, 9),)


def build_ir(dtype, layout, attributes):
    """The op on memrefs."""
    matrix = lora.memref(dtype, 2)
    names = ("x", *PROJECTIONS, "y")
    return {"vector": f"""
func.func @f({', '.join(f'%{name}: {matrix}' for name in names)}) attributes {{llvm.emit_c_interface}} {{
  frit.sparse_ffn ins(%x : {matrix}) weights(%gate, %up, %down : {matrix}, {matrix}, {matrix}) outs(%y : {matrix})
    std_multiplier = {activations.MULTIPLIER:.9e} down_layout = {layout} {attributes}
    {{frit.kernel = #frit.kernel<"native.vector">}}
  return
}}
"""}


def bounds_of(gate, up, arguments):
    """Bounds of y as f32, whether a column is active for a token, and the rows without bounds."""
    def bounds(ups):
        low, high, skip = activations.sparse_bounds(np.concatenate([gate, ups], axis=1), *arguments)
        return decode(low, arguments[0]), decode(high, arguments[0]), skip

    least, most, skip = bounds(np.ones_like(up))
    low, high, _ = bounds(up)
    # A column that is not active is 0, whatever up is.
    with np.errstate(invalid="ignore"):
        ends = [np.where(a == 0, np.float32(0), end) for a, end in ((least, low), (most, high))]
    return ends, (least != 0) | (most != 0), skip


def gate_rows(rng, tokens, columns, correction):
    """(name, gates before they are rounded, are their sums exact?)"""
    if columns % 2 == 0 and columns > 13:
        yield "integers", np.array([activations.integer_row(rng, columns - correction, correction)
                                    for _ in range(tokens)]), True
    shape = (tokens, columns)
    yield "random", rng.normal(0.3, 1, shape), False
    yield "sorted", np.sort(rng.normal(-2, 1.5, shape), axis=1), False
    # As many active columns as there can be.
    yield "dense", np.where(rng.random(shape) < 0.22, rng.normal(4, 0.4, shape), rng.normal(-4, 0.2, shape)), False
    # The cutoff is small against gates above it: z = g - c takes more bits than E has.
    yield "few", np.where(rng.random(shape) < 0.15, rng.uniform(0.8, 3.2, shape), rng.normal(-6, 0.5, shape)), False
    if 5 <= columns <= 24:
        # One active column a row, of any value where both terms of gelu's formula count, and a cutoff near 0.
        share = (1 + activations.MULTIPLIER * (columns - 1)**0.5) / columns
        value = rng.uniform(0.5, 3, (tokens, 1))
        rows = -value * share / (1 - share) * rng.normal(1, 0.002, shape)
        np.put_along_axis(rows, rng.integers(0, columns, (tokens, 1)), value, axis=1)
        yield "one", rows, False
    yield "cutoff near 0", rng.normal(-5, 3, shape), False


class Case:
    """Inputs with given gates, and bounds of the result."""

    def __init__(self, rng, rows, exact, width, arguments, is_long=False):
        tokens, columns = rows.shape
        dtype = arguments[0]
        self.x = np.zeros((tokens, width), np.float32)
        # Each token has a 2 and a 1 at places of its own.
        places = rng.permutation(width)[:2 * tokens].reshape(tokens, 2)
        at = np.arange(tokens)
        self.x[at, places[:, 0]], self.x[at, places[:, 1]] = 2, 1
        self.weights = {name: np.zeros((columns, width), np.float32) for name in ("gate", "up")}

        def project(name, values, fraction):
            """Weights for what is to be a projection, and what it is."""
            first = round_to(np.float32(values) / 2, "f16" if dtype == "f32" and fraction else dtype)
            second = np.float32(rng.choice(range(-9, 10, 2), values.shape) * fraction)
            self.weights[name][:, places[:, 0]], self.weights[name][:, places[:, 1]] = first.T, second.T
            total = 2 * np.float64(first) + np.float64(second)
            assert (np.float32(total) == total).all(), "a sum that f32 cannot hold"
            return round_to(np.float32(total), dtype)

        gate = project("gate", rows, 0 if exact or is_long else FRACTION[dtype][0])
        ups = rng.integers(1, 200, rows.shape) * rng.choice([-1.0, 1.0], rows.shape)
        up = project("up", ups, FRACTION[dtype][1])
        is_nan = rng.random(tokens) < (0 if exact or is_long else 0.1 if columns > 8 else 0.5)
        self.x[is_nan, places[is_nan, 1]] = np.nan
        gate[is_nan] = np.nan
        ends, active, _ = bounds_of(gate, up, arguments)
        # An up that overflows where another token alone makes the column active.
        large = ~active & active.any(axis=0) & (rng.random(active.shape) < 0.8)
        token, column = np.nonzero(large)
        self.weights["up"][column, places[token, 0]] = LARGEST[dtype]
        up[large] = np.inf
        # Ups of zero, so that y is zero where the activation is not.
        zero = rng.random(columns) < (0 if is_long or columns < 9 else 0.1)
        self.weights["up"][zero] = 0
        up[:, zero] = 0
        ends, active, self.skip = bounds_of(gate, up, arguments)
        unused = ~active.any(axis=0)
        self.weights["up"][unused] = np.nan
        # Rows of NaN are all read.
        unused |= ((ends[0] == 0) & (ends[1] == 0)).all(axis=0)

        # The destination's column n is column source[n] of the activation, times an odd number.
        source = rng.permutation(np.arange(width) % columns)
        if is_long:
            # One column of each value, and some that are active.
            values = np.unique(rows[0], return_index=True)[1][:width // 2]
            others = np.flatnonzero(active.any(axis=0)) if active.any() else values
            source = np.concatenate([values, rng.choice(others, width - len(values))])
        factor = rng.choice([-5, -3, -1, 1, 3, 5], width).astype(np.float32)
        down = np.zeros((columns, width), np.float32)
        down[source, np.arange(width)] = factor
        down[unused] = np.nan
        self.weights["down"] = down
        self.ends = []
        for end in ends:
            with np.errstate(invalid="ignore", over="ignore"):
                value = round_to(np.float32(end[:, source] * factor), dtype)
            self.ends.append(value)

    def arrays(self, dtype, layout):
        """The operands but the destination."""
        weights = dict(self.weights)
        if layout == "hd":
            weights["down"] = np.ascontiguousarray(weights["down"].T)
        return [encode(self.x, dtype), *(encode(weights[name], dtype) for name in PROJECTIONS)]


def sparse_config(dtype, form, rounding, correction, layout, accumulate):
    """A configuration."""
    attributes = f"approximate = {form} rounding = {rounding} correction = {correction} "
    attributes += f"accumulate = {str(accumulate).lower()}"

    def make_cases(rng):
        arguments = (dtype, form, rounding == "stepwise", correction)
        for tokens, columns, width in SHAPES + SMALL_SHAPES:
            for name, rows, exact in gate_rows(rng, tokens, columns, correction):
                yield f"{name} {tokens} x {columns}", Case(rng, rows, exact, width, (*arguments, exact))
        long_rows = activations.long_rows(dtype, correction)
        if dtype != "f16":
            # Its sum overflows.
            long_rows.append(np.full(700, 3e38 if dtype == "f32" else 1e38))
        for rows in long_rows:
            # The same for several tokens, as each is seen in few columns.
            rows = np.repeat(rows[None], 4, axis=0)
            yield "long", Case(rng, rows, False, 9, (*arguments, False), is_long=True)
        for tokens, columns, width in ONE_TOKEN_SHAPES:
            for name, rows, exact in gate_rows(rng, tokens, columns, correction):
                yield f"{name} {tokens} x {columns}", Case(rng, rows, exact, width, (*arguments, exact))

    def cases(rng, _):
        for name, case in make_cases(rng):
            old = round_to(rng.normal(0, 40, case.ends[0].shape).astype(np.float32), dtype)
            ends = case.ends
            if accumulate:
                with np.errstate(invalid="ignore", over="ignore"):
                    ends = [round_to(np.float32(old + end), dtype) for end in ends]
            with np.errstate(invalid="ignore"):
                bounds = [encode(pick(*ends), dtype) for pick in (np.minimum, np.maximum)]

            def check(out, bounds=bounds, keep=~case.skip):
                return activations.check_bounds(out[keep], [b[keep] for b in bounds], dtype)

            yield name, case.arrays(dtype, layout), encode(old, dtype), check

    kinds = [rounding, f"correction {correction}", layout] + ["accumulate"] * accumulate
    return {"op": "sparse_ffn", "form": form, "dtype": dtype, "mode": ", ".join(kinds),
            "ir": build_ir(dtype, layout, attributes), "cases": cases}


def configs():
    """Every form, type and rounding, in one layout of down each."""
    result = []
    for dtype in ("f32", "f16", "bf16"):
        for form in ("tanh", "erf"):
            for rounding in ("stepwise", "final"):
                by_rows = (form == "erf") != (rounding == "final")
                result.append(sparse_config(dtype, form, rounding, int(by_rows), "hd" if by_rows else "dh", by_rows))
    return result
