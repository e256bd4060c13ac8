# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""LoRA ops: IR, inputs that expose mutations, and the reference.

Inputs are integers, so that every sum is exact in f32 in any order, and the
reference is compared bit for bit. Where a coefficient is not a power of two, the
true rank is 1: the sum over ranks is one product. Adapters outside [0, L),
and weights beyond the true rank, hold NaN.
"""

import ctypes
import functools
import mmap

import numpy as np

from dtypes import DROPPED_BITS, STORAGE, decode, encode, round_to

LIBC = ctypes.CDLL(None, use_errno=True)
# The vector code takes 8 ranks together.
TOKENS, DEPTH, RANK, ADAPTERS = 26, 45, 8, 3
# A full block of the vector code, and a part of two registers.
WIDTHS = (27, 29)
OFFSET, WIDTH = 2, 61
SCALE = np.float32(0.3)
# c is 1 for the first adapter, whose rank is full.
# It is 1/3 and -1/3 for the others.
SCALES = np.array([np.float32(1) / SCALE, np.float32(1.11111116), np.float32(-1.11111116)], np.float32)
RANKS = np.array([[RANK, 1, 0], [3, 0, 1]], np.int32)
# Single tokens of an adapter, and runs of tokens that the vector code takes together.
IDS = np.array([0, -1, 1, 2, ADAPTERS, 0, 1, 0, 2, 1, 0] + [1] * 5 + [2] * 6 + [0] * 4, np.int32)
# Cases of integers for each op. The code has many copies for parts of blocks, each of
# which sees few values in one of them.
ROUNDS = 6
# Just below 1/3 and just above: tells whether a product is rounded before a sum.
THIRD = np.float32(1) / np.float32(3)


def guarded(values, fill):
    """A view of `values` with one guard before and behind along dimension 0."""
    whole = np.full((values.shape[0] + 2, *values.shape[1:]), fill, values.dtype)
    whole[1:-1] = values
    return whole[1:-1]


def fenced(values, behind):
    """A copy of `values` with memory that cannot be read right before or right
    behind it."""
    size = -(-max(values.nbytes, 1) // mmap.PAGESIZE) * mmap.PAGESIZE
    area = mmap.mmap(-1, size + 2 * mmap.PAGESIZE)
    base = np.frombuffer(area, np.uint8)
    for start in (0, size + mmap.PAGESIZE):
        if LIBC.mprotect(ctypes.c_void_p(base.ctypes.data + start), mmap.PAGESIZE, 0):
            raise OSError(ctypes.get_errno(), "mprotect")
    begin = mmap.PAGESIZE + (size - values.nbytes if behind else 0)
    copy = base[begin:begin + values.nbytes].view(values.dtype).reshape(values.shape)
    copy[...] = values
    return copy


def memref(dtype, rank):
    strides = ", ".join(["?"] * (rank - 1) + ["1"])
    return f"memref<{'?x' * rank}{dtype}, strided<[{strides}], offset: ?>>"


def tensor(dtype, rank):
    return f"tensor<{'?x' * rank}{dtype}>"


def build_ir(op, operands, optional, attributes, weight_names):
    """`operands`: (name, type, rank) in the order of the function's arguments, the
    destination last."""
    types = {name: (dtype, rank) for name, dtype, rank in operands}
    arguments = ", ".join(f"%{n}: {memref(t, r)}" for n, t, r in operands)
    first = operands[0][0]

    def op_text(prefix, kind):
        def value(n):
            return f"%{prefix}{n}"

        def type_of(n):
            return kind(*types[n])

        def group(keyword, names):
            return (f"{keyword}({', '.join(map(value, names))} : "
                    f"{', '.join(map(type_of, names))}) ")

        text = group("ins", [first, "ids"]) + group("weights", weight_names)
        for name in optional:
            text += group(name, [name])
        return f"frit.{op} {text}{group('outs', ['y'])}{attributes}"

    reads = "\n".join(
        f"  %t{n} = bufferization.to_tensor %{n} restrict {'writable ' if n == 'y' else ''}: "
        f"{memref(t, r)} to {tensor(t, r)}" for n, t, r in operands)
    out_type, out_rank = types["y"]
    return {
        "linalg": f"""
func.func @f({arguments}) attributes {{llvm.emit_c_interface}} {{
{reads}
  %r = {op_text('t', tensor)} -> {tensor(out_type, out_rank)}
  bufferization.materialize_in_destination %r in restrict writable %y : ({tensor(out_type, out_rank)}, {memref(out_type, out_rank)}) -> ()
  return
}}
""",
        "vector": f"""
func.func @f({arguments}) attributes {{llvm.emit_c_interface}} {{
  {op_text('', memref)} {{frit.kernel = #frit.kernel<"native.vector">}}
  return
}}
"""}


def expand_row(old, sums, c, rounding, accumulate, weight_type, dtype):
    """The stored values of one token and slice, as f32."""
    if rounding == "stepwise":
        value = round_to(sums, weight_type)
        if c is not None:
            value = round_to(np.float32(c * value), weight_type)
    else:
        value = sums if c is None else np.float32(c * sums)
        if rounding == "sum" and accumulate:
            value = round_to(value, dtype)
    return round_to(np.float32(old + value) if accumulate else value, dtype)


def matmul_config(dtype, weight_type, rounding, intermediate, accumulate):
    operands = [("x", dtype, 2), ("ids", "i32", 1), ("a0", weight_type, 3), ("b0", weight_type, 3),
                ("a1", weight_type, 3), ("b1", weight_type, 3), ("scales", "f32", 1),
                ("ranks", "i32", 2), ("y", dtype, 2)]
    ir = build_ir("lora_matmul", operands, ["scales", "ranks"],
                  f"scale = {float(SCALE):.9e} offset = {OFFSET} intermediate = {intermediate} "
                  f"rounding = {rounding} accumulate = {str(accumulate).lower()}",
                  ["a0", "b0", "a1", "b1"])

    stepwise = rounding == "stepwise"

    def reference(x, a, b, old, ids, scales, ranks):
        """The stored result; `old` is None where it should cancel the product."""
        cancel = old is None
        old = np.zeros((len(ids), WIDTH), np.float32) if cancel else old
        expected = encode(old, dtype)
        for t, adapter in enumerate(ids):
            if not 0 <= adapter < len(scales):
                continue
            c = np.float32(SCALE * scales[adapter])
            start = OFFSET
            for s, n in enumerate(w.shape[1] for w in b):
                rank = ranks[s, adapter]
                h = (a[s][adapter, :rank].astype(np.float64) @ x[t].astype(np.float64)).astype(np.float32)
                h = h if stepwise else np.float32(c * h)
                h = round_to(h, weight_type) if stepwise or intermediate == "element" else h
                sums = (b[s][adapter, :, :rank].astype(np.float64) @ h.astype(np.float64)).astype(np.float32)
                columns = slice(start, start + n)
                if cancel:
                    old[t, columns] = -round_to(np.float32(c * sums) if stepwise else sums, dtype)
                value = expand_row(old[t, columns], sums, c if stepwise else None,
                                   rounding, accumulate, weight_type, dtype)
                expected[t, columns] = encode(value, dtype)
                start += n
        return old, expected

    def arrays_of(x, a, b, ids, scales, ranks, place):
        arrays = [encode(x, dtype), ids]
        for s in range(len(WIDTHS)):
            arrays += [place(encode(a[s], weight_type)), place(encode(b[s], weight_type))]
        return arrays + [place(scales), place(ranks)]

    def cases(rng, code):
        def weights():
            a = [rng.integers(-99, 100, (ADAPTERS, RANK, DEPTH)).astype(np.float32) for _ in WIDTHS]
            b = [rng.integers(-99, 100, (ADAPTERS, n, RANK)).astype(np.float32) for n in WIDTHS]
            for s in range(len(WIDTHS)):
                b[s][0] = np.sign(b[s][0]) * 3
                for adapter in range(ADAPTERS):
                    a[s][adapter, RANKS[s, adapter]:] = np.nan
                    b[s][adapter, :, RANKS[s, adapter]:] = np.nan
            return a, b

        for round_number in range(ROUNDS):
            a, b = weights()
            x = rng.integers(-31, 32, (TOKENS, DEPTH)).astype(np.float32) / 64
            old = round_to(rng.normal(0, 40, (TOKENS, WIDTH)).astype(np.float32), dtype)
            _, expected = reference(x, a, b, old, IDS, SCALES, RANKS)
            place = functools.partial(fenced, behind=round_number % 2 == 1)
            yield "integers", arrays_of(x, a, b, IDS, SCALES, RANKS, place), encode(old, dtype), same_bits(expected)

            x = np.zeros((TOKENS, DEPTH), np.float32)
            x[:, 0] = 1
            old, expected = reference(x, a, b, None, IDS, SCALES, RANKS)
            yield ("cancelling", arrays_of(x, a, b, IDS, SCALES, RANKS, lambda v: v), encode(old, dtype),
                   same_bits(expected))

        # Long sums of one value, whose plain f32 sum would round to another E.
        ids, scales, count = np.zeros(1, np.int32), SCALES[:1], LONG[dtype]
        for long_depth in (True, False):
            depth, rank = (count, 1) if long_depth else (1, count)
            first, second = long_values(dtype)
            x = np.full((1, depth), second if long_depth else 1, np.float32)
            a = [np.full((1, rank, depth), first, np.float32) for _ in WIDTHS]
            b = [np.full((1, 1, rank), 1 if long_depth else second, np.float32) for _ in WIDTHS]
            ranks = np.full((2, 1), rank, np.int32)
            old = np.zeros((1, WIDTH), np.float32)
            _, expected = reference(x, a, b, old, ids, scales, ranks)
            yield ("long", arrays_of(x, a, b, ids, scales, ranks, lambda v: v), encode(old, dtype),
                   close_to(expected, dtype, code))

    types = dtype if weight_type == dtype else f"{dtype}, {weight_type} weights"
    return {"op": "lora_matmul", "form": "-", "dtype": types,
            "mode": f"{rounding}, intermediate {intermediate}, accumulate {str(accumulate).lower()}",
            "ir": ir, "cases": cases}


# Products of two bf16 values have only 16 bits: it takes more of them.
LONG = {"f32": 1 << 18, "f16": 1 << 18, "bf16": 1 << 20}


@functools.lru_cache(maxsize=None)
def long_values(dtype, third=False):
    """Two values whose product, summed LONG[dtype] times, rounds to E in another way if it
    is added up plainly, in blocks of 8. `third`: three times as much, times 1/3."""
    rng = np.random.default_rng(0)
    count = LONG[dtype]
    for _ in range(4000):
        pair = round_to(np.float32(1 + rng.random(2)) / np.float32(256), dtype)
        term = pair[0] * pair[1] * np.float32(3 if third else 1)
        exact = np.float64(pair[0] * pair[1]) * count
        block = np.add.accumulate(np.full(8, term, np.float32), dtype=np.float32)[-1]
        plain = np.add.accumulate(np.full(count // 8, block, np.float32), dtype=np.float32)[-1]
        plain = plain * THIRD if third else plain
        near = [encode(np.float32(exact * (1 + e)), dtype) for e in (-20 * 2.0**-24, 20 * 2.0**-24)]
        if near[0] == near[1] != encode(plain, dtype) or (
                dtype == "f32" and abs(plain - exact) > 100 * 2.0**-24 * exact):
            return pair
    raise ValueError(f"no values of {dtype} tell a plain sum from a compensated one")


def close_to(expected, dtype, code):
    """What is held of a sum of LONG[dtype] positive terms. The decomposition compensates
    its sums, so that even 16-bit types agree in every bit; the vector code is as close
    as the contract asks for."""
    stored = {v: k for k, v in STORAGE.items()}[expected.dtype]
    if code == "linalg" and stored != "f32":
        return same_bits(expected)
    relative = 20 * 2.0**-24 if code == "linalg" else 2.0**-23 * (8 + 2 * LONG[dtype]**0.5)
    # Sums that differ by so little may round to neighbours.
    relative += 2.0**(DROPPED_BITS[stored] - 23) if stored != "f32" else 0
    value = decode(expected, stored)

    def check(out):
        with np.errstate(invalid="ignore"):
            bad = ~(np.abs(decode(out, stored) - value) <= relative * np.abs(value))
        return f"{int(bad.sum())} values" if bad.any() else None
    return check


def same_bits(expected):
    def check(out):
        different = int((out.view(np.uint8) != expected.view(np.uint8)).sum())
        return f"{different} bytes" if different else None
    return check


def expand_config(dtype, rounding):
    """lora_expand with its own coefficient, which lora_matmul has for stepwise
    only."""
    operands = [("h", "f32", 3), ("ids", "i32", 1), ("b0", dtype, 3), ("y", dtype, 2)]
    ir = build_ir("lora_expand", operands, [], f"scale = {float(THIRD):.9e} rounding = {rounding}", ["b0"])

    def cases(rng, code):
        n, rank = 29, 3

        def check(out, stored):
            # A sum that cancels may have either sign of zero.
            plus = decode(out, dtype) + np.float32(0)
            return same_bits(encode(decode(stored, dtype) + np.float32(0), dtype))(encode(plus, dtype))

        for round_number in range(ROUNDS):
            h = np.zeros((1, TOKENS, rank), np.float32)
            h[0] = rng.integers(-60, 61, (TOKENS, rank))
            h[0, ::3] = np.sign(h[0, ::3])
            b = rng.integers(-99, 100, (ADAPTERS, n, rank)).astype(np.float32)
            ids = IDS
            expected = np.zeros((TOKENS, n), np.float32)
            old = round_to(rng.normal(0, 40, (TOKENS, n)).astype(np.float32), dtype)
            for t, adapter in enumerate(ids):
                expected[t] = old[t]
                if not 0 <= adapter < ADAPTERS:
                    continue
                sums = (b[adapter] @ h[0, t]).astype(np.float32)
                # What cancels the product exactly, but only after its rounding.
                old[t, ::2] = -round_to(np.float32(THIRD * sums), dtype)[::2]
                expected[t] = expand_row(old[t], sums, THIRD, rounding, True, dtype, dtype)
            yield ("integers", [h, ids, fenced(encode(b, dtype), round_number % 2 == 1)], encode(old, dtype),
                   functools.partial(check, stored=encode(expected, dtype)))
        first, second = long_values(dtype, third=True)
        # Its product with 1/3 is the sum that long_values looked at.
        h = np.full((1, 1, LONG[dtype]), 3 * first, np.float32)
        b = encode(np.full((1, 1, LONG[dtype]), second, np.float32), dtype)
        exact = encode(np.full((1, 1), np.float64(first * second) * LONG[dtype], np.float32), dtype)
        yield "long", [h, np.zeros(1, np.int32), b], np.zeros((1, 1), STORAGE[dtype]), close_to(exact, dtype, code)

    return {"op": "lora_expand", "form": "-", "dtype": dtype, "mode": rounding, "ir": ir, "cases": cases}


def shrink_config(dtype, hidden_type):
    operands = [("x", dtype, 2), ("ids", "i32", 1), ("a0", dtype, 3), ("scales", "f32", 1),
                ("ranks", "i32", 1), ("y", hidden_type, 3)]
    ir = build_ir("lora_shrink", operands, ["scales", "ranks"], f"scale = {float(SCALE):.9e}", ["a0"])

    def cases(rng, code):
        for round_number in range(ROUNDS):
            # Fewer ranks than the vector code takes together, and more.
            most, ranks = (RANK, RANKS[0]) if round_number < 2 else (11, np.array([11, 10, 9], np.int32))
            x = rng.integers(-31, 32, (TOKENS, DEPTH)).astype(np.float32) / 8
            a = rng.integers(-99, 100, (ADAPTERS, most, DEPTH)).astype(np.float32)
            expected = encode(np.full((1, TOKENS, most), 77, np.float32), hidden_type)
            old = expected.copy()
            for t, adapter in enumerate(IDS):
                if not 0 <= adapter < ADAPTERS:
                    continue
                rank = ranks[adapter]
                sums = (a[adapter, :rank] @ x[t]).astype(np.float32)
                expected[0, t, :rank] = encode(np.float32(np.float32(SCALE * SCALES[adapter]) * sums), hidden_type)
            place = functools.partial(fenced, behind=round_number % 2 == 1)
            yield ("integers", [encode(x, dtype), IDS, place(encode(a, dtype)), place(SCALES), place(ranks)],
                   old, same_bits(expected))
        first, second = long_values(dtype)
        exact = np.full((1, 1, 1), np.float64(first * second) * LONG[dtype], np.float32)
        arrays = [encode(np.full((1, LONG[dtype]), first, np.float32), dtype), np.zeros(1, np.int32),
                  encode(np.full((1, 1, LONG[dtype]), second, np.float32), dtype), SCALES[:1], np.ones(1, np.int32)]
        yield "long", arrays, np.zeros((1, 1, 1), STORAGE[hidden_type]), close_to(
            encode(exact, hidden_type), dtype, code)

    return {"op": "lora_shrink", "form": "-", "dtype": dtype, "mode": f"h {hidden_type}", "ir": ir, "cases": cases}


def group_config():
    types = [("ids", 1), ("order", 1), ("starts", 1)]
    arguments = ", ".join(f"%{n}: {memref('i32', r)}" for n, r in types)
    dynamic = memref("i32", 1)
    ir = {"linalg": f"""
func.func @f({arguments}) attributes {{llvm.emit_c_interface}} {{
  frit.lora_group ins(%ids : {dynamic}) outs(%order, %starts : {dynamic}, {dynamic})
  return
}}
"""}

    def cases(rng, code):
        for groups in (4, 0):
            ids = rng.integers(-2, groups + 3, 37).astype(np.int32)
            valid = np.where((ids >= 0) & (ids < groups), ids, groups)
            order = np.argsort(valid, kind="stable").astype(np.int32)
            starts = np.array([(valid < g).sum() for g in range(groups + 1)], np.int32)
            out = guarded(np.full(groups + 1, 77, np.int32), 55)
            # `order` is an argument and `starts` the destination that is compared
            # by the caller; both are checked.
            result = guarded(np.full(37, 99, np.int32), 55)

            def check(o, result=result, order=order, starts=starts):
                fences = [*o.base[[0, -1]], *result.base[[0, -1]]]
                if any(f != 55 for f in fences):
                    return "written out of bounds"
                return same_bits(starts)(np.ascontiguousarray(o)) or same_bits(order)(
                    np.ascontiguousarray(result))

            yield f"{groups} groups", [ids, result], out, check

    return {"op": "lora_group", "form": "-", "dtype": "i32", "mode": "-", "ir": ir, "cases": cases}


def configs():
    result = [group_config()]
    pairs = [("f32", "f32"), ("f16", "f16"), ("bf16", "bf16"), ("f16", "f32"), ("bf16", "f32")]
    for dtype, weight_type in pairs:
        for rounding in ("final", "sum", "stepwise"):
            for intermediate in ("f32",) if rounding == "stepwise" else ("f32", "element"):
                for accumulate in (True, False):
                    result.append(matmul_config(dtype, weight_type, rounding, intermediate, accumulate))
    for dtype, hidden_type in (("f32", "f32"), ("f16", "f32"), ("bf16", "f32"), ("f16", "f16"), ("bf16", "bf16")):
        result.append(shrink_config(dtype, hidden_type))
    for dtype in ("f32", "f16", "bf16"):
        for rounding in ("final", "sum", "stepwise"):
            result.append(expand_config(dtype, rounding))
    return result
