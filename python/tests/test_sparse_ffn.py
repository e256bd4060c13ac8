# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""frit.ops.sparse_ffn against the ops that it stands for, in NumPy, and as an op of PyTorch."""

import frit.ops
import numpy
import pytest
from references import lora_matmul

MULTIPLIER = 1.25


def make(tokens=3, h=24, d=56, rank=4, adapters=2, seed=7):
    rng = numpy.random.default_rng(seed)

    def normal(*sizes):
        return (rng.standard_normal(sizes) / sizes[-1]**0.5).astype(numpy.float32)

    loras = {f"{name}_lora": (normal(adapters, rank, k), normal(adapters, n, rank))
             for name, k, n in (("gate", h, d), ("up", h, d), ("down", d, h))}
    return {"x": rng.standard_normal((tokens, h)).astype(numpy.float32), "gate": normal(d, h), "up": normal(d, h),
            "down": normal(h, d).T.copy(), "ids": numpy.array([1, -1, 0][:tokens], numpy.int32)}, loras


def reference(case, loras=None):
    """The dense chain in float32, with an activation of its own op."""
    def project(x, weight, name):
        y = (x.astype(numpy.float64) @ weight.astype(numpy.float64)).astype(numpy.float32)
        if not loras:
            return y
        return lora_matmul(x, case["ids"], [loras[f"{name}_lora"]], y)[0].astype(numpy.float32)

    gate, up = project(case["x"], case["gate"].T, "gate"), project(case["x"], case["up"].T, "up")
    h = frit.ops.gelu_and_mul_sparse(gate, up, std_multiplier=MULTIPLIER)
    assert 0 < (h == 0).mean() < 1
    return project(h, case["down"], "down")


def run(case, **options):
    return frit.ops.sparse_ffn(case["x"], case["gate"], case["up"], case["down"], std_multiplier=MULTIPLIER, **options)


def test_plain():
    case, _ = make()
    expected = reference(case)
    numpy.testing.assert_allclose(run(case), expected, rtol=1e-4, atol=1e-6)
    by_output = case | {"down": numpy.ascontiguousarray(case["down"].T)}
    numpy.testing.assert_allclose(run(by_output, down_layout="hd"), expected, rtol=1e-4, atol=1e-6)
    out = numpy.ones_like(case["x"])
    assert run(case, out=out, accumulate=True) is out
    numpy.testing.assert_allclose(out, 1 + expected, rtol=1e-4, atol=1e-6)
    deeper = case | {"x": case["x"].reshape(1, 3, 24)}
    assert run(deeper).shape == (1, 3, 24)


def test_lora():
    case, loras = make()
    numpy.testing.assert_allclose(run(case, ids=case["ids"], **loras), reference(case, loras), rtol=1e-4, atol=1e-6)
    halved = {name: (a, b * numpy.float32(0.5)) for name, (a, b) in loras.items()}
    scales = numpy.full((3, 2), 0.5, numpy.float32)
    numpy.testing.assert_allclose(run(case, ids=case["ids"], scales=scales, **loras), reference(case, halved), rtol=1e-4,
                                  atol=1e-6)


def test_zeros_are_left_out():
    """Infinities in rows of up and down that no token needs do not matter."""
    case, _ = make()
    case["gate"][::5] = 0
    expected = run(case)
    case["up"][::5], case["down"][::5] = numpy.inf, -numpy.inf
    numpy.testing.assert_array_equal(run(case), expected)


CASE, LORAS = make()
A, B = LORAS["up_lora"]
BAD = [
    ("layout", lambda: run(CASE, down_layout="dd"), "'dd', expected one of 'dh'"),
    ("up's type", lambda: run(CASE | {"up": CASE["up"].astype(numpy.float16)}), "up has element type f16, expected f32"),
    ("gate's rank", lambda: run(CASE | {"gate": CASE["gate"][0]}), r"gate has sizes \(24,\), expected 2"),
    ("half a LoRA", lambda: run(CASE, ids=CASE["ids"], up_lora=A[0, 0, 0]), "up_lora is no pair"),
    ("A's rank", lambda: run(CASE, ids=CASE["ids"], up_lora=(A[0], B)), r"a_up has sizes \(4, 24\), expected 3"),
    ("ids of 64 bits", lambda: run(CASE, ids=CASE["ids"].astype(numpy.int64), up_lora=(A, B)), "i64, expected i32"),
    ("number of adapters", lambda: run(CASE, ids=CASE["ids"], up_lora=(A, B[:1])), "size 1, but 2|1.*2|2.*1"),
    ("nothing to add to", lambda: run(CASE, accumulate=True), "accumulate needs out"),
    ("destination is x", lambda: run(CASE, out=CASE["x"]), "shares memory"),
]


@pytest.mark.parametrize("call, text", [case[1:] for case in BAD], ids=[case[0] for case in BAD])
def test_bad(call, text):
    with pytest.raises(frit.FritError, match=text):
        call()


def lora(**shapes):
    """The LoRA of up, with sizes of A or B that are other ones."""
    return {"ids": CASE["ids"], "up_lora": tuple(numpy.ones(shapes.get(half, weight.shape), numpy.float32)
                                                 for half, weight in (("a", A), ("b", B)))}


# Sizes and attributes that do not fit together; the whole message.
MISMATCHES = [
    ("gate", lambda: run(CASE | {"gate": CASE["gate"][:, 1:]}), "gate has inner size 23, expected 24, that of x"),
    ("up's outputs", lambda: run(CASE | {"up": CASE["up"][1:]}), "up has 55 outputs, expected 56, those of gate"),
    ("up's inner size", lambda: run(CASE | {"up": CASE["up"][:, 1:]}), "up has inner size 23, expected 24, that of x"),
    ("down", lambda: run(CASE | {"down": CASE["down"][1:]}), "down has sizes (55, 24), expected (56, 24), those of gate"),
    ("transposed down", lambda: run(CASE, down_layout="hd"),
     "down has sizes (56, 24), expected (24, 56), those of gate, transposed"),
    ("A", lambda: run(CASE, **lora(a=(2, 4, 23))), "a_up has inner size 23, expected 24, that of x"),
    ("B", lambda: run(CASE, **lora(b=(2, 55, 4))), "b_up has 55 outputs, expected 56, those of gate"),
    ("rank", lambda: run(CASE, **lora(b=(2, 56, 5))), "b_up has inner size 5, expected 4, the outputs of a_up"),
    ("ranks of two projections", lambda: run(CASE, **lora(a=(2, 5, 24), b=(2, 56, 5)), gate_lora=(A, B)),
     "a_up has 5 outputs, expected 4, those of a_gate"),
    ("down's A", lambda: run(CASE, ids=CASE["ids"], down_lora=(A, B)),
     "a_down has inner size 24, expected 56, the outputs of gate"),
    ("scales", lambda: run(CASE, **lora(), scales=numpy.ones((2, 2), numpy.float32)),
     "scales has sizes (2, 2), expected (adapters,) or (3, adapters)"),
    ("LoRA without ids", lambda: run(CASE, up_lora=(A, B)), "a_up is given without ids, expected both"),
    ("ids without LoRA", lambda: run(CASE, ids=CASE["ids"]),
     "ids is given without gate_lora, up_lora and down_lora, expected one of them or more"),
    ("roundings", lambda: run(CASE, intermediate="element", lora_rounding="stepwise"),
     "intermediate is 'element', expected 'f32' with lora_rounding 'stepwise'"),
]


@pytest.mark.parametrize("call, message", [case[1:] for case in MISMATCHES], ids=[case[0] for case in MISMATCHES])
def test_mismatch(call, message):
    with pytest.raises(frit.InvalidArgumentError) as caught:
        call()
    assert str(caught.value) == message


def test_torch():
    torch = pytest.importorskip("torch")
    import frit.torch

    case, loras = make()
    tensors = {name: torch.from_numpy(value) for name, value in case.items()}
    pairs = {name: list(map(torch.from_numpy, pair)) for name, pair in loras.items()}
    operands = [tensors[name] for name in ("x", "gate", "up", "down")]
    options = {"std_multiplier": MULTIPLIER, "ids": tensors["ids"], **pairs}
    expected = reference(case, loras)
    numpy.testing.assert_allclose(frit.torch.sparse_ffn(*operands, **options).numpy(), expected, rtol=1e-4, atol=1e-6)
    y = torch.ones_like(tensors["x"])
    frit.torch.sparse_ffn_add_(y, *operands, **options)
    numpy.testing.assert_allclose(y.numpy(), 1 + expected, rtol=1e-4, atol=1e-6)
    for op, arguments in ((frit.torch.sparse_ffn, operands), (frit.torch.sparse_ffn_add_, [y, *operands])):
        assert set(torch.library.opcheck(op, arguments, options).values()) == {"SUCCESS"}
