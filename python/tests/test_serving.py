# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""frit.serving with the arguments that an LLM server passes."""

import frit.serving
import ml_dtypes
import numpy
import pytest
from references import lora_matmul, lora_shrink

ADAPTERS, RANK, K, WIDTHS = 4, 8, 48, (32, 16)


def metadata(mapping, num_active=True):
    """What a server computes of a step: the sorted tokens, counts, starts and active ids, -1 first, in buffers for all
    adapters, of which the ends are not used."""
    ids, counts = numpy.unique(mapping, return_counts=True)
    num_tokens = numpy.zeros(ADAPTERS + 1, numpy.int32)
    starts = numpy.zeros(ADAPTERS + 2, numpy.int32)
    active = numpy.full(ADAPTERS + 1, -1, numpy.int32)
    num_tokens[:len(ids)] = counts
    starts[1:len(ids) + 1] = numpy.cumsum(counts)
    active[:len(ids)] = ids
    order = numpy.argsort(mapping, kind="stable").astype(numpy.int32)
    no_lora = numpy.array([(mapping == -1).all()])
    last = (numpy.array([len(ids)], numpy.int32),) if num_active else ()
    return mapping, order, num_tokens, starts, active, no_lora, *last


def make(tokens, seed=0):
    generator = numpy.random.default_rng(seed)

    def normal(*shape):
        return generator.standard_normal(shape).astype(ml_dtypes.bfloat16)

    a = [normal(ADAPTERS, 1, RANK, K) for _ in WIDTHS]
    b = [normal(ADAPTERS, 1, width, RANK) for width in WIDTHS]
    return normal(tokens, K), a, b, normal(tokens, 7 + sum(WIDTHS))


MAPPINGS = {
    "mixed": [2, -1, 0, 2, 2, -1, 3],
    "no adapter": [-1, -1, -1],
    "one token": [1],
    "one adapter": [3] * 5,
    "none": [],
}


@pytest.mark.parametrize("num_active", [True, False])
@pytest.mark.parametrize("mapping", MAPPINGS.values(), ids=MAPPINGS)
def test_lora(mapping, num_active):
    mapping = numpy.array(mapping, numpy.int32)
    x, a, b, y = make(len(mapping))
    meta = metadata(mapping, num_active)
    no_lora = bool(meta[5][0])

    buffer = numpy.full((len(WIDTHS), len(mapping), RANK), 5, numpy.float32)
    frit.serving.lora_shrink(x, a, buffer, *meta, 0.5)
    expected = lora_shrink(x, mapping, [weight[:, 0] for weight in a], scale=0.5)
    numpy.testing.assert_allclose(buffer, buffer * 0 + 5 if no_lora else expected, rtol=1e-5, atol=1e-5)

    for add_inputs in (True, False):
        out = y.copy()
        frit.serving.lora_expand(buffer, b, out, *meta, offset_start=7, add_inputs=add_inputs)
        weights = [(first[:, 0], second[:, 0]) for first, second in zip(a, b)]
        expected, bound = lora_matmul(x, mapping, weights, y, scale=0.5, offset=7, accumulate=add_inputs)
        # The sum is rounded to the type of y before it is added.
        bound += 2.0**-8 * numpy.abs(expected - y.astype(numpy.float64))
        assert (numpy.abs(out.astype(numpy.float64) - expected) <= bound).all()
        numpy.testing.assert_array_equal(out[mapping == -1], y[mapping == -1])
        numpy.testing.assert_array_equal(out[:, :7], y[:, :7])


def test_verify():
    # There is no adapter 4.
    for mapping, is_right in (([1, 4], False), ([1, 3], True)):
        mapping = numpy.array(mapping, numpy.int32)
        x, a, b, y = make(2)
        meta = mapping, *metadata(numpy.clip(mapping, 0, 3))[1:]
        buffer = numpy.zeros((2, 2, RANK), numpy.float32)
        calls = [
            lambda **options: frit.serving.lora_shrink(x, a, buffer, *meta, 1.0, **options),
            lambda **options: frit.serving.lora_expand(buffer, b, y, *meta, **options),
        ]
        for call in calls:
            call()
            if is_right:
                call(verify=True)
                continue
            with pytest.raises(frit.CheckFailedError):
                call(verify=True)


def test_scaling_is_missing():
    mapping = numpy.zeros(2, numpy.int32)
    x, a, _, _ = make(2)
    with pytest.raises(frit.InvalidArgumentError, match="scaling is missing"):
        frit.serving.lora_shrink(x, a, numpy.zeros((2, 2, RANK), numpy.float32), *metadata(mapping, num_active=False))


def test_weights_of_wrong_rank():
    mapping = numpy.zeros(2, numpy.int32)
    x, a, _, _ = make(2)
    with pytest.raises(frit.InvalidArgumentError, match=r"lora_a_weights\[0\] has sizes \(8, 48\), expected"):
        frit.serving.lora_shrink(x, [a[0][0, 0]], numpy.zeros((1, 2, RANK), numpy.float32), *metadata(mapping), 1.0)


@pytest.mark.parametrize("tokens", [0, 5])
def test_activations(tokens):
    x = numpy.random.default_rng(4).standard_normal((tokens, 32)).astype(ml_dtypes.bfloat16)
    calls = {
        frit.serving.silu_and_mul: lambda: frit.ops.act_and_mul(x, activation="silu"),
        frit.serving.gelu_and_mul: lambda: frit.ops.act_and_mul(x, activation="gelu_erf"),
        frit.serving.gelu_tanh_and_mul: lambda: frit.ops.act_and_mul(x, activation="gelu_tanh"),
        lambda out, x: frit.serving.gelu_and_mul_sparse(out, x, 0.95):
            lambda: frit.ops.gelu_and_mul_sparse(x, std_multiplier=1.6448535919),
        lambda out, x: frit.serving.gelu_and_mul_sparse(out, x, 0.95, "none"):
            lambda: frit.ops.gelu_and_mul_sparse(x, std_multiplier=1.6448535919, approximate="erf"),
    }
    for serving, plain in calls.items():
        out = numpy.full((tokens, 16), 9, x.dtype)
        assert serving(out, x) is None
        numpy.testing.assert_array_equal(out.view(numpy.uint16), plain().view(numpy.uint16))


@pytest.mark.parametrize("approximate", ["erf", "gelu", None, ["none"]])
def test_form_that_servers_do_not_have(approximate):
    x, out = numpy.ones((2, 8), numpy.float32), numpy.full((2, 4), 9, numpy.float32)
    with pytest.raises(frit.InvalidArgumentError, match="approximate is .*, expected one of 'tanh', 'none'$"):
        frit.serving.gelu_and_mul_sparse(out, x, 0.95, approximate)
    assert (out == 9).all()


def test_sizes_that_do_not_fit():
    meta = metadata(numpy.zeros(2, numpy.int32))
    x, a, b, y = make(2)
    buffer = numpy.zeros((2, 2, RANK), numpy.float32)
    with pytest.raises(frit.InvalidArgumentError, match=r"^a\[0\] has inner size 48, expected 47, that of x$"):
        frit.serving.lora_shrink(x[:, 1:], a, buffer, *meta, 1.0)
    with pytest.raises(frit.InvalidArgumentError, match="^out has inner size 55, expected 56 or more: offset 8 and 48 "):
        frit.serving.lora_expand(buffer, b, y, *meta, offset_start=8)
