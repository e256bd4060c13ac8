# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""frit.ops against PyTorch's results and against float64."""

import json

import frit.ops
import numpy
import pytest
import safetensors_file
from conftest import DATA, TYPES
from references import lora_matmul, lora_shrink


def golden_cases():
    tensors, metadata = safetensors_file.read(DATA / "golden" / "gelu_and_mul_sparse_small.safetensors")
    for name, entry in sorted(metadata.items()):
        if f"{name}.x" not in tensors:
            continue
        case = json.loads(entry)
        if case["dtype"] != "f32":
            yield pytest.param(tensors[f"{name}.x"], tensors[f"{name}.cpu"], case, id=name)


def run_golden(x, case, **arguments):
    approximate = "erf" if case["approximate"] == "none" else case["approximate"]
    return frit.ops.gelu_and_mul_sparse(x, std_multiplier=case["std_multiplier"], approximate=approximate, **arguments)


@pytest.mark.parametrize("x, expected, case", list(golden_cases()))
def test_golden(x, expected, case):
    """PyTorch eager's results: the same zeros, and values that differ by at most a step of the type in 1 of 1000."""
    y = run_golden(x, case)
    assert y.dtype == expected.dtype and y.shape == expected.shape
    numpy.testing.assert_array_equal(y == 0, expected == 0)
    different = y.view(numpy.uint16) != expected.view(numpy.uint16)
    assert numpy.count_nonzero(different & (expected != 0)) <= y.size / 1000
    numpy.testing.assert_allclose(y.astype(numpy.float64), expected.astype(numpy.float64),
                                  rtol=2.0**-9 if y.dtype == numpy.float16 else 2.0**-6)


def test_forms_agree():
    """Packed and separate operands, views with any row stride, and other ranks give the same bits."""
    x = numpy.random.default_rng(1).standard_normal((6, 64)).astype(TYPES["bf16"])
    expected = frit.ops.gelu_and_mul_sparse(x, std_multiplier=0.25)
    gate, up = x[:, :32], x[:, 32:]
    out = numpy.zeros((6, 48), x.dtype)
    results = [
        frit.ops.gelu_and_mul_sparse(gate, up, std_multiplier=0.25),
        frit.ops.gelu_and_mul_sparse(gate, up, std_multiplier=0.25, out=out[:, 8:40]),
        frit.ops.gelu_and_mul_sparse(x.reshape(2, 3, 64), std_multiplier=0.25).reshape(6, 32),
        frit.ops.gelu_and_mul_sparse(x.reshape(3, 2, 64).transpose(1, 0, 2), std_multiplier=0.25).transpose(
            1, 0, 2).reshape(6, 32),
        numpy.stack([frit.ops.gelu_and_mul_sparse(row, std_multiplier=0.25) for row in x]),
    ]
    for result in results:
        numpy.testing.assert_array_equal(result.view(numpy.uint16), expected.view(numpy.uint16))
    assert (out[:, :8] == 0).all() and (out[:, 40:] == 0).all()


@pytest.mark.parametrize("activation", ["silu", "gelu_tanh", "gelu_erf"])
@pytest.mark.parametrize("shape", [(0, 8), (1, 2), (5, 34), (2, 3, 16)])
def test_act_and_mul(activation, shape):
    from math import erf
    x = numpy.random.default_rng(2).standard_normal(shape).astype(numpy.float32)
    gate, up = numpy.split(x.astype(numpy.float64), 2, axis=-1)
    act = {
        "silu": lambda g: g / (1 + numpy.exp(-g)),
        "gelu_tanh": lambda g: 0.5 * g * (1 + numpy.tanh(0.7978845608028654 * (g + 0.044715 * g**3))),
        "gelu_erf": lambda g: 0.5 * g * (1 + numpy.vectorize(erf, otypes=[float])(g / 2**0.5)),
    }[activation](gate)
    numpy.testing.assert_allclose(frit.ops.act_and_mul(x, activation=activation), act * up, rtol=1.3e-6, atol=1e-5)


def make_lora(dtype, tokens=7, k=24, widths=(16, 9), rank=5, adapters=3, seed=3):
    generator = numpy.random.default_rng(seed)

    def normal(*shape):
        return generator.standard_normal(shape).astype(TYPES[dtype])

    ids = generator.integers(-1, adapters + 1, tokens).astype(numpy.int32) if adapters else numpy.zeros(tokens,
                                                                                                        numpy.int32)
    return dict(x=normal(tokens, k), ids=ids, weights=[(normal(adapters, rank, k), normal(adapters, n, rank))
                                                       for n in widths], y=normal(tokens, sum(widths) + 3),
                scales=generator.uniform(0.3, 2, adapters).astype(numpy.float32),
                ranks=generator.integers(0, rank + 1, (len(widths), adapters)).astype(numpy.int32))


@pytest.mark.parametrize("dtype", ["f32", "f16", "bf16"])
@pytest.mark.parametrize("shape", [{}, {"tokens": 0}, {"tokens": 1}, {"adapters": 0}, {"rank": 1, "widths": (4,)}],
                         ids=str)
def test_lora_matmul(dtype, shape):
    case = make_lora(dtype, **shape)
    a, b = [list(weights) for weights in zip(*case["weights"])]
    out = case["y"].copy()
    options = dict(scale=0.7, scales=case["scales"], ranks=case["ranks"])
    expected, bound = lora_matmul(case["x"], case["ids"], case["weights"], case["y"], offset=2, **options)
    if len(a) == 1:
        a, b, options["ranks"] = a[0], b[0], case["ranks"][0]
    result = frit.ops.lora_matmul(case["x"], case["ids"], a, b, out=out, offset=2, **options)
    assert result is out
    assert (numpy.abs(out.astype(numpy.float64) - expected) <= bound).all()


def test_lora_weights_are_read_at_each_call():
    case = make_lora("f32")
    a, b = [list(weights) for weights in zip(*case["weights"])]
    for factor in (1, 3):
        for weight in a:
            weight *= factor
        expected, bound = lora_matmul(case["x"], case["ids"], case["weights"], case["y"])
        result = frit.ops.lora_matmul(case["x"], case["ids"], a, b, out=case["y"].copy())
        assert (numpy.abs(result - expected) <= bound).all()


def test_lora_halves_and_grouping():
    case = make_lora("bf16", tokens=11)
    a, b = [list(weights) for weights in zip(*case["weights"])]
    x, ids = case["x"], case["ids"]
    whole = frit.ops.lora_matmul(x, ids, a, b, out=case["y"].copy(), scale=0.5)
    order, starts = frit.ops.lora_group(ids, 3)
    numpy.testing.assert_array_equal(order, numpy.argsort(numpy.where((ids < 0) | (ids > 2), 3, ids), kind="stable"))
    grouping = dict(order=order, starts=starts)
    h = frit.ops.lora_shrink(x, ids, a, scale=0.5, **grouping)
    assert h.dtype == numpy.float32 and h.shape == (2, 11, 5)
    numpy.testing.assert_allclose(h, lora_shrink(x, ids, a, scale=0.5), rtol=1e-5, atol=1e-5)
    halves = frit.ops.lora_expand(h, ids, b, out=case["y"].copy(), **grouping)
    numpy.testing.assert_array_equal(halves.view(numpy.uint16), whole.view(numpy.uint16))


def test_lora_without_destination():
    case = make_lora("f32")
    a, b = [list(weights) for weights in zip(*case["weights"])]
    result = frit.ops.lora_matmul(case["x"], case["ids"], a, b)
    assert result.shape == (7, 25)
    numpy.testing.assert_array_equal(result[(case["ids"] < 0) | (case["ids"] > 2)], 0)
    assert (result[(case["ids"] >= 0) & (case["ids"] < 3)] != 0).any()


def test_explain():
    frit.ops.act_and_mul(numpy.zeros((1, 2), numpy.float32), activation="silu")
    assert "frit.act_and_mul" in {choice.op for choice in frit.ops.explain()}


def test_std_multiplier():
    assert numpy.float32(frit.ops.std_multiplier(0.95)) == numpy.float32(1.6448535919)
    with pytest.raises(ValueError, match="0 is the plain op"):
        frit.ops.std_multiplier(0)


X = numpy.ones((2, 8), numpy.float32)
A, B = numpy.ones((1, 2, 8), numpy.float32), numpy.ones((1, 4, 2), numpy.float32)
IDS = numpy.zeros(2, numpy.int32)
OUT = numpy.zeros((2, 4), numpy.float32)

BAD = [
    ("odd width", lambda: frit.ops.act_and_mul(X[:, :7], activation="silu"), "7 elements, expected an even"),
    ("activation", lambda: frit.ops.act_and_mul(X, activation="relu"), "'relu', expected one of 'silu'"),
    ("approximate", lambda: frit.ops.gelu_and_mul_sparse(X, std_multiplier=1, approximate="none"),
     "'none', expected one of 'tanh'"),
    ("multiplier", lambda: frit.ops.gelu_and_mul_sparse(X, std_multiplier=float("nan")), "nan, expected a finite"),
    ("correction", lambda: frit.ops.gelu_and_mul_sparse(X, std_multiplier=1, correction=2), "2, expected one of 0"),
    ("up's type", lambda: frit.ops.act_and_mul(X, X.astype(numpy.float16), activation="silu"), "'up'.* f16, expected f32"),
    ("up's sizes", lambda: frit.ops.act_and_mul(X, X[:1], activation="silu"), "'up'.*size 1, but 2"),
    ("leading sizes", lambda: frit.ops.act_and_mul(X.reshape(1, 2, 8), X.reshape(2, 1, 8), activation="silu"),
     r"up has leading sizes \(2, 1\), expected \(1, 2\)"),
    ("activation that is a list", lambda: frit.ops.act_and_mul(X, activation=["silu"]), r"list \['silu'\], expected"),
    ("multiplier that is an array", lambda: frit.ops.gelu_and_mul_sparse(X, std_multiplier=numpy.ones(1)),
     "attribute is the ndarray .*, expected a number"),
    ("huge multiplier", lambda: frit.ops.gelu_and_mul_sparse(X, std_multiplier=10**5000),
     "std_multiplier is an integer of 16610 bits, expected a finite"),
    ("sparsity", lambda: frit.ops.std_multiplier("1"), "sparsity is a str, expected a number"),
    ("masked", lambda: frit.ops.act_and_mul(numpy.ma.masked_array(X), activation="silu"), "x is a MaskedArray"),
    ("scalar", lambda: frit.ops.act_and_mul(numpy.float32(1), activation="silu"), "rank 0, expected 1"),
    ("ids of 64 bits", lambda: frit.ops.lora_matmul(X, IDS.astype(numpy.int64), A, B), "'ids'.* i64, expected i32"),
    ("ids for other tokens", lambda: frit.ops.lora_matmul(X, IDS[:1], A, B), "'ids'.*size 1, but 2"),
    ("number of adapters", lambda: frit.ops.lora_group(IDS, "2"), "num_adapters is '2', expected an integer"),
    ("too many adapters", lambda: frit.ops.lora_group(IDS, 2**45), "cannot be allocated"),
    ("group's destination", lambda: frit.ops.lora_group(IDS, 2, out=3), "out is no pair"),
    ("offset that is text", lambda: frit.ops.lora_matmul(X, IDS, A, B, offset="1"), "offset is '1', expected an integer"),
    ("weight's rank, without out", lambda: frit.ops.lora_shrink(X, IDS, A[0, 0]), r"sizes \(8,\), expected 3"),
    ("destination's rank", lambda: frit.ops.lora_shrink(X, IDS, A, out=OUT[0, 0]), "out has rank 0, expected 3"),
    ("slices", lambda: frit.ops.lora_matmul(X, IDS, [A, A], [B]), "a has 2 slices and b has 1"),
    ("no slices", lambda: frit.ops.lora_shrink(X, IDS, []), "a is empty"),
    ("weight's rank", lambda: frit.ops.lora_shrink(X, IDS, A[0]), "2, 8"),
    ("one half's rank", lambda: frit.ops.lora_matmul(X, IDS, A, B[0], out=OUT.copy()),
     r"a weight of lora_matmul has sizes \(\d+, \d+\), expected 3"),
    ("inner size", lambda: frit.ops.lora_shrink(X[:, :4], IDS, A), "4"),
    ("adapters", lambda: frit.ops.lora_matmul(X, IDS, A, numpy.ones((2, 4, 2), numpy.float32)), "'b'.*size 2, but 1"),
    ("destination's width", lambda: frit.ops.lora_matmul(X, IDS, A, B, out=OUT, offset=1), "4"),
    ("offset", lambda: frit.ops.lora_matmul(X, IDS, A, B, out=OUT, offset=-1), "offset is -1, expected"),
    ("rounding", lambda: frit.ops.lora_matmul(X, IDS, A, B, out=OUT, rounding="none"), "'none', expected one of 'final'"),
    ("half a grouping", lambda: frit.ops.lora_matmul(X, IDS, A, B, out=OUT, order=IDS), "only order, expected"),
    ("destination is read-only", lambda: frit.ops.lora_matmul(X, IDS, A, B, out=numpy.broadcast_to(OUT, (2, 4))),
     "'out'.*read-only"),
    ("destination is x", lambda: frit.ops.lora_expand(numpy.ones((1, 2, 2), numpy.float32), IDS, B, out=B[0, :2]),
     "shares memory|size|rank|dimension"),
]


def ones(*shape):
    return numpy.ones(shape, numpy.float32)


HIDDEN3 = ones(1, 2, 3)

# Sizes and attributes that do not fit together; the whole message.
MISMATCHES = [
    ("K", lambda: frit.ops.lora_matmul(X[:, :4], IDS, A, B), "a has inner size 8, expected 4, that of x"),
    ("K of a slice", lambda: frit.ops.lora_matmul(X, IDS, [A, A[:, :, :7]], [B, B]),
     "a[1] has inner size 7, expected 8, that of x"),
    ("R", lambda: frit.ops.lora_matmul(X, IDS, A, ones(1, 4, 3)), "b has inner size 3, expected 2, the outputs of a"),
    ("R of a slice", lambda: frit.ops.lora_matmul(X, IDS, [A, ones(1, 3, 8)], [B, ones(1, 4, 3)]),
     "a[1] has 3 outputs, expected 2, those of a[0]"),
    ("R of a slice's B", lambda: frit.ops.lora_matmul(X, IDS, [A, A], [B, ones(1, 4, 3)]),
     "b[1] has inner size 3, expected 2, the outputs of a[0]"),
    ("N", lambda: frit.ops.lora_matmul(X, IDS, A, B, out=OUT[:, :3]),
     "out has inner size 3, expected 4 or more: offset 0 and 4 outputs of b"),
    ("N and offset", lambda: frit.ops.lora_matmul(X, IDS, A, B, out=OUT, offset=1),
     "out has inner size 4, expected 5 or more: offset 1 and 4 outputs of b"),
    ("N of slices", lambda: frit.ops.lora_matmul(X, IDS, [A, A], [B, B], out=OUT),
     "out has inner size 4, expected 8 or more: offset 0 and 8 outputs of b"),
    ("K of shrink", lambda: frit.ops.lora_shrink(X[:, :4], IDS, A), "a has inner size 8, expected 4, that of x"),
    ("R of shrink", lambda: frit.ops.lora_shrink(X, IDS, A, out=HIDDEN3),
     "out has inner size 3, expected 2, the outputs of a"),
    ("R of shrink's slices", lambda: frit.ops.lora_shrink(X, IDS, [A, ones(1, 3, 8)]),
     "a[1] has 3 outputs, expected 2, those of a[0]"),
    ("R of expand", lambda: frit.ops.lora_expand(HIDDEN3, IDS, B, out=OUT), "b has inner size 2, expected 3, that of h"),
    ("N of expand", lambda: frit.ops.lora_expand(ones(1, 2, 2), IDS, B, out=OUT, offset=3),
     "out has inner size 4, expected 7 or more: offset 3 and 4 outputs of b"),
    ("huge offset", lambda: frit.ops.lora_matmul(X, IDS, A, B, out=OUT, offset=2**70),
     f"offset is {2**70}, expected an integer from 0 to {2**60}"),
    ("huge offset without out", lambda: frit.ops.lora_matmul(X, IDS, A, B, offset=2**70),
     f"offset is {2**70}, expected an integer from 0 to {2**60}"),
    ("huge offset of expand", lambda: frit.ops.lora_expand(ones(1, 2, 2), IDS, B, out=OUT, offset=2**60),
     f"out has inner size 4, expected {2**60 + 4} or more: offset {2**60} and 4 outputs of b"),
    ("number of adapters", lambda: frit.ops.lora_group(IDS, 2**70, out=(IDS.copy(), IDS.copy())),
     f"num_adapters is {2**70}, expected an integer from 0 to {2**60}"),
    ("roundings", lambda: frit.ops.lora_matmul(X, IDS, A, B, intermediate="element", rounding="stepwise"),
     "intermediate is 'element', expected 'f32' with rounding 'stepwise'"),
]


@pytest.mark.parametrize("call, message", [case[1:] for case in MISMATCHES], ids=[case[0] for case in MISMATCHES])
def test_mismatch(call, message):
    for _ in range(2):
        with pytest.raises(frit.InvalidArgumentError) as caught:
            call()
        assert str(caught.value) == message


HALF = numpy.float16
HIDDEN = numpy.ones((1, 2, 2), numpy.float32)

# What an op does not compute with.
UNSUPPORTED = [
    ("integers", lambda: frit.ops.act_and_mul(X.astype(numpy.int32), activation="silu"), "x has .* i32, expected f32 or"),
    ("doubles", lambda: frit.ops.act_and_mul(X.astype(float), activation="silu"), "x has .* f64, expected f32 or f16"),
    ("doubles in LoRA", lambda: frit.ops.lora_matmul(X.astype(float), IDS, A, B), "x has .* f64, expected f32 or"),
    ("weights", lambda: frit.ops.lora_matmul(X, IDS, A.astype(HALF), B), "a has element type f16, expected f32$"),
    ("destination", lambda: frit.ops.lora_matmul(X, IDS, A, B, out=OUT.astype(HALF)), "out has .* f16, expected f32$"),
    ("shrink", lambda: frit.ops.lora_shrink(X, IDS, A, out=HIDDEN.astype(HALF)), "out has .* f16, expected f32$"),
    ("expand", lambda: frit.ops.lora_expand(HIDDEN.astype(HALF), IDS, B, out=OUT), "h has .* f16, expected f32$"),
    ("ids", lambda: frit.ops.lora_group(IDS.astype(HALF), 2), "ids has element type f16, expected i32"),
]


@pytest.mark.parametrize("call, message", [case[1:] for case in UNSUPPORTED], ids=[case[0] for case in UNSUPPORTED])
def test_unsupported_types(call, message):
    with pytest.raises(frit.UnsupportedTypeError, match=message):
        call()


def with_grouping(order, starts, **options):
    order, starts = (numpy.array(values, numpy.int32) for values in (order, starts))
    return frit.ops.lora_matmul(X, IDS, A, B, order=order, starts=starts, **options)


@pytest.mark.parametrize("order, starts, message", [
    ([0, 100000000], [0, 2], "'order' is no token .*100000000 and 2"),
    ([-5, 0], [0, 2], "'order' is no token"),
    ([0, 1], [0, 1000000], "'starts' exceeds the number of tokens .*1000000 and 2"),
    ([0, 1], [-3, 2], "'starts' begins with a negative number"),
    ([0, 1], [2, 1], "'starts' ends below where it begins"),
])
@pytest.mark.parametrize("policy", ["auto", "native"])
def test_groupings_lead_nowhere_else(order, starts, message, policy):
    with pytest.raises(frit.CheckFailedError, match=message):
        with_grouping(order, starts, policy=policy)
    numpy.testing.assert_array_equal(with_grouping([1, 0], [0, 2], policy=policy), 16)
    # What lies outside of the groups is not read.
    numpy.testing.assert_array_equal(with_grouping([0, 100000000], [0, 1], policy=policy), [[16] * 4, [0] * 4])


def test_verify():
    with_grouping([0, 0], [0, 2])
    with pytest.raises(frit.CheckFailedError, match="a token occurs twice in 'order'"):
        with_grouping([0, 0], [0, 2], verify=True)
    numpy.testing.assert_array_equal(with_grouping([0, 1], [0, 2], verify=True), 16)
    with pytest.raises(frit.CheckFailedError, match="an element of 'ids' is not below"):
        frit.ops.lora_shrink(X, IDS + 1, A, verify=True)
    with pytest.raises(frit.CheckFailedError, match="an element of 'ranks'"):
        frit.ops.lora_expand(HIDDEN, IDS, B, out=OUT.copy(), ranks=numpy.array([3], numpy.int32), verify=True)


@pytest.mark.parametrize("call, message", [case[1:] for case in BAD], ids=[case[0] for case in BAD])
def test_bad_input(call, message):
    with pytest.raises(frit.FritError, match=message):
        call()
    numpy.testing.assert_array_equal(frit.ops.lora_matmul(X, IDS, A, B), 16)
