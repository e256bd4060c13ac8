# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""frit.ops with PyTorch's tensors, and frit.torch."""

import json

import pytest
from conftest import DATA

torch = pytest.importorskip("torch")
import frit.ops
import frit.torch

GELU = dict(std_multiplier=0.5)


def randn(*shape, dtype=torch.bfloat16, seed=0):
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed)).to(dtype)


def eager(x, std_multiplier):
    gate, up = x.chunk(2, -1)
    cutoff = gate.mean(-1, keepdim=True) + gate.std(-1, keepdim=True, unbiased=False) * std_multiplier
    return torch.nn.functional.gelu(torch.relu(gate - cutoff), approximate="tanh") * up


def make_lora(dtype=torch.bfloat16):
    ids = torch.tensor([0, -1, 2, 1, 2, 7], dtype=torch.int32)
    a = [randn(3, 4, 24, dtype=dtype, seed=seed) for seed in (1, 2)]
    b = [randn(3, width, 4, dtype=dtype, seed=seed) for width, seed in ((16, 3), (8, 4))]
    return randn(6, 24, dtype=dtype, seed=5), ids, a, b, randn(6, 24, dtype=dtype, seed=6)


def lora_reference(x, ids, a, b, y, scale=1.0):
    y = y.double().clone()
    for t, adapter in enumerate(ids.tolist()):
        if 0 <= adapter < 3:
            y[t] += scale * torch.cat([second[adapter].double() @ (first[adapter].double() @ x[t].double())
                                       for first, second in zip(a, b)])
    return y


def test_verify():
    x, ids, a, b, y = make_lora()
    h = torch.zeros(2, 6, 4)
    # ids has a 7, and there are three adapters.
    calls = [
        lambda **options: frit.torch.lora_matmul(x, ids, a, b, y, **options),
        lambda **options: frit.torch.lora_matmul_(y.clone(), x, ids, a, b, **options),
        lambda **options: frit.torch.lora_shrink(x, ids, a, **options),
        lambda **options: frit.torch.lora_expand(h, ids, b, y, **options),
        lambda **options: frit.torch.lora_expand_(y.clone(), h, ids, b, **options),
    ]
    for call in calls:
        call()
        with pytest.raises(frit.CheckFailedError):
            call(verify=True)
    ids[5] = 1
    for call in calls:
        call(verify=True)


def test_golden():
    from safetensors import safe_open
    with safe_open(DATA / "golden" / "gelu_and_mul_sparse_small.safetensors", "pt") as golden:
        names = [key.removesuffix(".x") for key in golden.keys() if key.endswith(".x") and "f32" not in key]
        assert names
        for name in names:
            case = json.loads(golden.metadata()[name])
            y = frit.ops.gelu_and_mul_sparse(golden.get_tensor(f"{name}.x"), std_multiplier=case["std_multiplier"],
                                             approximate="erf" if case["approximate"] == "none" else "tanh")
            expected = golden.get_tensor(f"{name}.cpu")
            assert torch.equal(y == 0, expected == 0)
            torch.testing.assert_close(y, expected)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float16, torch.bfloat16])
def test_no_copies(dtype):
    x, big = randn(4, 64, dtype=dtype), torch.full((4, 50), 3.0, dtype=dtype)
    out = big[:, 9:41]
    assert frit.ops.gelu_and_mul_sparse(x[:, :32], x[:, 32:], out=out, **GELU) is out
    torch.testing.assert_close(out, eager(x, 0.5))
    assert (big[:, :9] == 3).all() and (big[:, 41:] == 3).all()


def test_parameters_and_gradients():
    x = torch.nn.Parameter(randn(2, 16))
    with pytest.raises(frit.InvalidArgumentError, match="x requires a gradient.*torch.no_grad"):
        frit.ops.act_and_mul(x, activation="silu")
    with pytest.raises(frit.InvalidArgumentError, match="requires a gradient"):
        frit.torch.act_and_mul(x, activation="silu")
    with torch.no_grad():
        y = frit.ops.act_and_mul(x, activation="silu")
        assert type(y) is torch.Tensor
        assert torch.equal(y, frit.torch.act_and_mul(x, activation="silu"))
    with torch.inference_mode():
        assert torch.equal(y, frit.torch.act_and_mul(randn(2, 16), activation="silu"))


def freed(x):
    x.untyped_storage().resize_(0)
    return x


BAD = {
    "freed": (lambda x: freed(x.clone()), "address is null|0 bytes|storage"),
    "dtype": (lambda x: x.to(torch.complex64), "complex64, expected one of"),
    "meta": (lambda x: x.to("meta"), "on device meta, expected"),
    "sparse": (lambda x: x.to_sparse(), "torch.sparse_coo, expected torch.strided"),
    "negation": (lambda x: torch.imag(torch.complex(x.float(), x.float()).conj()), "negation, expected"),
    "expanded": (lambda x: x[:1].expand(2, 16), "stride 0.*expected"),
    "transposed": (lambda x: x.T, "stride"),
}


@pytest.mark.parametrize("change, message", BAD.values(), ids=BAD)
def test_bad_input(change, message):
    x = randn(2, 16)
    with pytest.raises(frit.FritError, match=message):
        frit.ops.act_and_mul(change(x), activation="silu")
    torch.testing.assert_close(frit.ops.act_and_mul(x, activation="silu"),
                               torch.nn.functional.silu(x[:, :8]) * x[:, 8:])


def lora_cases():
    x, ids, a, b, y = make_lora()
    h = frit.ops.lora_shrink(x, ids, a)
    scales = torch.tensor([0.5, 1.5, 2.0])
    yield frit.torch.lora_shrink, (x, ids, a), {}
    yield frit.torch.lora_expand, (h, ids, b, y), {}
    yield frit.torch.lora_expand_, (y, h, ids, b), {"accumulate": False}
    yield frit.torch.lora_matmul, (x, ids, a, b, y), {"scale": 0.5, "scales": scales}
    yield frit.torch.lora_matmul_, (y, x, ids, a, b), {"rounding": "sum"}
    yield frit.torch.lora_group, (ids, 3), {}


def cases():
    x = randn(4, 32)
    out = torch.empty(4, 16, dtype=x.dtype)
    yield frit.torch.gelu_and_mul_sparse, (x,), GELU
    yield frit.torch.gelu_and_mul_sparse, (x, x.clone()), GELU
    yield frit.torch.gelu_and_mul_sparse_out, (x,), GELU | {"out": out}
    yield frit.torch.act_and_mul, (x,), {"activation": "silu"}
    yield frit.torch.act_and_mul_out, (x,), {"activation": "gelu_tanh", "out": out}
    yield from lora_cases()


@pytest.mark.parametrize("op, arguments, options", list(cases()), ids=str)
def test_opcheck(op, arguments, options):
    """The schema, the fake implementation and the tracing with static and dynamic sizes are true."""
    results = torch.library.opcheck(op, arguments, options)
    assert set(results.values()) == {"SUCCESS"}


def test_lora_forms():
    x, ids, a, b, y = make_lora()
    old = y.clone()
    expected = lora_reference(x, ids, a, b, y, 0.5)
    result = frit.torch.lora_matmul(x, ids, a, b, y, scale=0.5)
    assert torch.equal(y, old)
    torch.testing.assert_close(result.double(), expected, rtol=2**-7, atol=1e-2)
    frit.torch.lora_matmul_(y, x, ids, a, b, scale=0.5)
    assert torch.equal(y, result)
    assert torch.equal(y[1], old[1]) and torch.equal(y[5], old[5])


def count_frit_ops(model, arguments):
    """The result of a compiled model, and how often each of Frit's ops is in its one graph."""
    seen = []

    def backend(graph, _):
        seen.append([str(node.target) for node in graph.graph.nodes if "frit" in str(node.target)])
        return graph.forward

    result = torch.compile(model, backend=backend, fullgraph=True, dynamic=True)(*arguments)
    return result, seen


def test_compile_keeps_ops():
    x, ids, a, b, y = make_lora()

    def model(x, y):
        h = frit.torch.gelu_and_mul_sparse(torch.cat([x, x], -1), **GELU)
        y = y + 1
        frit.torch.lora_matmul_(y, h, ids, a, b)
        return frit.torch.lora_matmul(h, ids, a, b, y) * 2

    result, seen = count_frit_ops(model, (x, y))
    assert seen == [["frit.gelu_and_mul_sparse.default", "frit.lora_matmul_.default", "frit.lora_matmul.default"]]
    assert torch.equal(result, model(x, y))


def test_compile_functionalizes_mutation():
    """Through AOTAutograd, where ops that change tensors are rewritten, the result is that of eager."""
    x, ids, a, b, y = make_lora()

    def model(x, y):
        z = y * 2
        frit.torch.lora_matmul_(z[:, :], x, ids, a, b)
        out = torch.empty_like(x[:, :12])
        frit.torch.act_and_mul_out(x, activation="silu", out=out)
        return z + 1, out

    compiled = torch.compile(model, backend="aot_eager", fullgraph=True)
    for result, expected in zip(compiled(x, y), model(x, y)):
        assert torch.equal(result, expected)


def test_entry_with_tensors():
    entry = frit.compile(
        """
        func.func @main(%x: tensor<?x16xbf16>) -> tensor<?x8xbf16> {
          %c0 = arith.constant 0 : index
          %t = tensor.dim %x, %c0 : tensor<?x16xbf16>
          %e = tensor.empty(%t) : tensor<?x8xbf16>
          %y = frit.act_and_mul silu ins(%x : tensor<?x16xbf16>) outs(%e : tensor<?x8xbf16>) -> tensor<?x8xbf16>
          return %y : tensor<?x8xbf16>
        }
        """, "cpu")["main"]
    x = randn(3, 16)
    y = entry(x)
    assert isinstance(y, torch.Tensor) and torch.equal(y, frit.ops.act_and_mul(x, activation="silu"))


@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a GPU")
def test_cuda():
    """On the current stream, and in a CUDA graph, which sees the new bytes of weights."""
    x, ids, a, b, y = make_lora()
    on_device = [x.cuda(), ids.cuda(), [w.cuda() for w in a], [w.cuda() for w in b], y.cuda()]
    stream = torch.cuda.Stream()
    stream.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(stream):
        result = frit.torch.lora_matmul(*on_device)
    stream.synchronize()
    torch.testing.assert_close(result.cpu().double(), lora_reference(x, ids, a, b, y), rtol=2**-7, atol=1e-2)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph, stream=stream):
        result = frit.torch.lora_matmul(*on_device)
    for weight in on_device[2]:
        weight.mul_(2)
    graph.replay()
    torch.cuda.synchronize()
    expected = lora_reference(x, ids, [weight * 2 for weight in a], b, y)
    torch.testing.assert_close(result.cpu().double(), expected, rtol=2**-7, atol=1e-2)
