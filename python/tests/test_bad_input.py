# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What callers get wrong: each is an exception that names both sides, and the next call works."""

import frit
import numpy
import pytest

TEXT = """
func.func @main(%x: tensor<?x8xf32> {frit.tensor = "x", frit.dims = ["tokens", ""]},
                %y: tensor<?x8xf32> {frit.tensor = "y", frit.dims = ["tokens", ""]}) -> tensor<?x8xf32> {
  %r = linalg.add ins(%x, %y : tensor<?x8xf32>, tensor<?x8xf32>) outs(%x : tensor<?x8xf32>) -> tensor<?x8xf32>
  return %r : tensor<?x8xf32>
}
"""


class OnDevice:
    """A tensor that says it is in the memory of a CUDA device."""

    def __init__(self, device_type=2):
        self.array = numpy.zeros((2, 8), numpy.float32)
        self.device_type = device_type

    def __dlpack__(self, **_):
        return self.array.__dlpack__()

    def __dlpack_device__(self):
        return self.device_type, 0


class Lying(OnDevice):
    """One whose capsule is not what it should be."""

    def __init__(self):
        super().__init__(1)

    def __dlpack__(self, **_):
        return object()


class NoExport(OnDevice):
    """One that cannot be exported now."""

    def __init__(self):
        super().__init__(1)

    def __dlpack__(self, **_):
        raise BufferError("in use")


class Failing(OnDevice):
    """One whose export fails by itself."""

    def __init__(self):
        super().__init__(1)

    def __dlpack__(self, **_):
        raise RuntimeError("no luck")


class Nowhere(OnDevice):
    """One that is on no device."""

    def __dlpack_device__(self):
        return None


def ones(*shape, dtype=numpy.float32):
    return numpy.ones(shape, dtype)


def read_only():
    tensor = ones(2, 8)
    tensor.flags.writeable = False
    return tensor


def released():
    view = memoryview(ones(2, 8))
    view.release()
    return view


def unaligned():
    return numpy.zeros(2 * 8 * 4 + 1, numpy.uint8)[1:].view(numpy.float32).reshape(2, 8)


def odd_stride():
    records = numpy.zeros((2, 8), numpy.dtype([("a", numpy.float32), ("b", numpy.uint8)]))
    return records["a"]


X = ones(2, 8)
OVERLAPPING = numpy.lib.stride_tricks.as_strided(ones(16), (2, 8), (16, 4))

# Name, how to call the entry, exception, what the message has.
CALLS = [
    ("dtype", lambda f: f(ones(2, 8, dtype=numpy.float64), X), frit.InvalidArgumentError, "'x'.* f64, expected f32"),
    ("no such dtype", lambda f: f(ones(2, 8, dtype=numpy.complex64), X), frit.UnsupportedTypeError,
     r"^argument 0 \('x', tensor<tokensx8xf32>\) of 'main' has element type complex64, expected one of [a-z0-9, ]*$"),
    ("unsigned", lambda f: f(ones(2, 8, dtype=numpy.uint32), X), frit.UnsupportedTypeError, "uint32.*float32"),
    ("byte order", lambda f: f(ones(2, 8, dtype=">f4"), X), frit.UnsupportedTypeError, "byte order.*expected"),
    ("rank", lambda f: f(ones(16), X), frit.InvalidArgumentError, "'x'.* rank 1, expected 2"),
    ("high rank", lambda f: f(X, ones(1, 1, 1, 1, 1, 1, 1, 2, 8)), frit.InvalidArgumentError,
     "'y'.* rank 9, expected 2"),
    ("size", lambda f: f(ones(2, 7), X), frit.InvalidArgumentError, "'x'.* size 7, expected 8"),
    ("sizes of one name", lambda f: f(X, ones(3, 8)), frit.InvalidArgumentError, "'y'.*tokens.* size 3, but 2"),
    ("negative stride", lambda f: f(X[::-1], X), frit.InvalidArgumentError, "'x'.* stride -8, expected"),
    ("negative inner stride", lambda f: f(X[:, ::-1], X), frit.InvalidArgumentError, "'x'.* stride -1, expected 1"),
    ("inner stride", lambda f: f(ones(2, 16)[:, ::2], X), frit.InvalidArgumentError, "'x'.* stride 2, expected 1"),
    ("column-major", lambda f: f(numpy.asfortranarray(X), X), frit.InvalidArgumentError, "stride 2, expected 1"),
    ("broadcast", lambda f: f(numpy.broadcast_to(ones(1, 8), (2, 8)), X), frit.InvalidArgumentError,
     "'x'.* stride 0.*expected"),
    ("stride between elements", lambda f: f(odd_stride(), X), frit.InvalidArgumentError,
     "'x'.* 5 bytes, expected a multiple of the 4"),
    ("alignment", lambda f: f(unaligned(), X), frit.InvalidArgumentError, "'x'.* not aligned to the 4 bytes of f32"),
    ("read-only result", lambda f: f(X, X, out=read_only()), frit.InvalidArgumentError, "read-only.*writes"),
    ("overlapping result", lambda f: f(X, X, out=OVERLAPPING), frit.InvalidArgumentError, "several elements"),
    ("result that is an argument", lambda f: f(X, ones(2, 8), out=X), frit.InvalidArgumentError,
     "shares memory with .*'x'"),
    ("result's size", lambda f: f(X, X, out=ones(3, 8)), frit.InvalidArgumentError, "size 3, .*2"),
    ("result's dtype", lambda f: f(X, X, out=ones(2, 8, dtype=numpy.int32)), frit.InvalidArgumentError,
     "i32, expected f32"),
    ("released buffer", lambda f: f(released(), X), frit.InvalidArgumentError, "'x'.* released"),
    ("device", lambda f: f(OnDevice(), X), frit.InvalidArgumentError, "'x'.* cuda:0, expected the host"),
    ("mixed devices", lambda f: f(X, OnDevice()), frit.InvalidArgumentError, "'y'.* cuda:0, expected the host"),
    ("another kind of device", lambda f: f(OnDevice(8), X), frit.InvalidArgumentError, "kind 8, expected the CPU"),
    ("no tensor", lambda f: f(3, X), frit.UnsupportedTypeError, "'x'.* is a int, expected a tensor"),
    ("a list", lambda f: f([[1.0] * 8] * 2, X), frit.UnsupportedTypeError, "is a list, expected a tensor"),
    ("None", lambda f: f(None, X), frit.UnsupportedTypeError, "is a NoneType, expected a tensor"),
    ("no capsule", lambda f: f(Lying(), X), frit.InvalidArgumentError, "'x'.* object, expected a DLPack capsule"),
    ("failing export", lambda f: f(Failing(), X), frit.InvalidArgumentError, r"'x'.* \(RuntimeError: no luck\), expected"),
    ("no device", lambda f: f(Nowhere(), X), frit.InvalidArgumentError, "'x'.* does not say where it is .*expected two"),
    ("masked", lambda f: f(numpy.ma.masked_array(X, mask=X > 0), X), frit.UnsupportedTypeError,
     "'x'.* MaskedArray, whose mask would be lost, expected a plain array"),
    ("no export", lambda f: f(NoExport(), X), frit.UnsupportedTypeError, r"'x'.* \(in use\), expected"),
    ("too few arguments", lambda f: f(X), frit.InvalidArgumentError, "given 1 arguments, expected 2"),
    ("too many arguments", lambda f: f(X, X, X), frit.InvalidArgumentError, "given 3 arguments, expected 2"),
    ("too many results", lambda f: f(X, X, out=(X, X)), frit.InvalidArgumentError, "2 tensors, .* 1 results"),
    ("a stream on the CPU", lambda f: f(X, X, stream=1), frit.InvalidArgumentError, "stream is 1, .*cpu"),
]


@pytest.fixture(scope="module")
def entry():
    return frit.compile(TEXT, "cpu")["main"]


@pytest.mark.parametrize("call, error, message", [case[1:] for case in CALLS], ids=[case[0] for case in CALLS])
def test_call(entry, call, error, message):
    with pytest.raises(error, match=message) as caught:
        call(entry)
    assert isinstance(caught.value, frit.FritError)
    numpy.testing.assert_array_equal(entry(ones(3, 8), ones(3, 8)), numpy.full((3, 8), 2, numpy.float32))


SCALARS = "func.func @main(%a: i1, %b: i8, %c: f32, %d: i64) -> i8 { return %b : i8 }"
SCALAR_CALLS = [
    ("boolean", (2, 0, 0, 0), frit.InvalidArgumentError, "argument 0 .* 2, expected an i1"),
    ("range", (1, 128, 0, 0), frit.InvalidArgumentError, "argument 1 .* 128, .* fit into i8"),
    ("float range", (1, 0, 1e39, 0), frit.InvalidArgumentError, r"argument 2 .* 1e\+39, .* fit into f32"),
    ("float for integer", (1, 0, 0, 1.5), frit.UnsupportedTypeError, "argument 3 .* float 1.5, expected an integer of 64 bits"),
    ("tensor for scalar", (1, 0, 0, numpy.zeros(3)), frit.UnsupportedTypeError, "argument 3 .* ndarray, expected a num"),
    ("huge", (1, 0, 10**5000, 0), frit.InvalidArgumentError, "argument 2 .* an integer of 16610 bits, .* fit into f32"),
    ("text", (1, 0, "1", 0), frit.UnsupportedTypeError, "argument 2 .* str, expected a number for f32"),
]


def test_results_that_cannot_be():
    """Sizes that are negative, and such that no memory has."""
    program = frit.compile("""
func.func @main(%n: index) -> tensor<?xf32> {
  %e = tensor.empty(%n) : tensor<?xf32>
  %z = arith.constant 0.0 : f32
  %r = linalg.fill ins(%z : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
""", "cpu")
    with pytest.raises(frit.InvalidArgumentError, match="result 0: .* size -5, expected 0 or more"):
        program(-5)
    for size in (2**45, 2**62):
        with pytest.raises(frit.OutOfMemoryError, match=f"result of {size}xf32 cannot be allocated"):
            program(size)
    assert program(3).shape == (3,)


@pytest.mark.parametrize("values, error, message", [case[1:] for case in SCALAR_CALLS],
                         ids=[case[0] for case in SCALAR_CALLS])
def test_scalar(values, error, message):
    entry = frit.compile(SCALARS, "cpu")["main"]
    with pytest.raises(error, match=message):
        entry(*values)
    assert entry(True, -128, 1.0, 1) == -128


# Name, arguments of frit.compile, exception, what the message has.
COMPILATIONS = [
    ("text that does not parse", dict(source="func.func @main(", name="mine"), frit.CompilationError, "mine:1:"),
    ("an op that does not verify", dict(source="""
func.func @main(%x: tensor<2x8xf32>, %y: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %r = frit.act_and_mul silu ins(%x : tensor<2x8xf32>) outs(%y : tensor<2x3xf32>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}
"""), frit.CompilationError, "source:3:.*error"),
    ("no bytecode", dict(source=b"ML\xefR\x01\x02"), frit.CompilationError, "error"),
    ("a file that is missing", dict(source="no/such.mlir"), frit.InvalidArgumentError, "no/such.mlir"),
    ("a number", dict(source=3), frit.UnsupportedTypeError, "is a int, expected text"),
    ("target", dict(source=TEXT, target="tpu"), frit.InvalidArgumentError, "expected cpu, .*'tpu'"),
    ("chip", dict(source=TEXT, target="cuda:sm_1", choices_only=True), frit.InvalidArgumentError, "sm_1"),
    ("processor", dict(source=TEXT, target="cpu:z80"), frit.InvalidArgumentError, "z80"),
    ("policy", dict(source=TEXT, policy="fastest"), frit.InvalidArgumentError, "fastest.*auto"),
    ("entry", dict(source=TEXT, entries=["other"]), frit.InvalidArgumentError, "other.*main"),
    ("zero in a name", dict(source=TEXT, name="a\0b"), frit.InvalidArgumentError, "zero"),
    ("half a character", dict(source="// \ud800\n"), frit.InvalidArgumentError, "no text from character 3"),
    ("half a character in a name", dict(source=TEXT, name="\ud800"), frit.InvalidArgumentError, "name .* is no text"),
    ("policy that is a number", dict(source=TEXT, policy=3), frit.UnsupportedTypeError, "policy is a int, expected a str"),
    ("entries that are text", dict(source=TEXT, entries="main"), frit.UnsupportedTypeError, "'main', expected a list"),
    ("entries that are a number", dict(source=TEXT, entries=3), frit.UnsupportedTypeError, "is a int, expected a list"),
    ("an entry that is a number", dict(source=TEXT, entries=[3]), frit.UnsupportedTypeError, "is a int, expected a str"),
    ("no entries", dict(source=TEXT, entries=[]), frit.InvalidArgumentError, "entries is empty, expected"),
    ("an entry twice", dict(source=TEXT, entries=["main", "main"]), frit.InvalidArgumentError, "'main' twice"),
    ("elements of 4 bits", dict(source="func.func @f(%x: tensor<4xi4>) { return }"), frit.CompilationError,
     "source:1:.* argument 0 of '@f' is tensor<4xi4>: callers can pass"),
    ("unsigned elements", dict(source="func.func @f(%x: tensor<4xui8>) { return }"), frit.CompilationError,
     "argument 0 of '@f' is tensor<4xui8>: callers can pass"),
]


@pytest.mark.parametrize("options, error, message", [case[1:] for case in COMPILATIONS],
                         ids=[case[0] for case in COMPILATIONS])
def test_compilation(options, error, message):
    with pytest.raises(error, match=message):
        frit.compile(**{"target": "cpu", **options})
    assert "main" in frit.compile(TEXT, "cpu")


def test_diagnostics_of_a_compilation():
    with pytest.raises(frit.CompilationError) as caught:
        frit.compile("func.func @main(", "cpu", name="mine")
    assert [diagnostic.severity for diagnostic in caught.value.diagnostics] == ["error"]
    assert caught.value.diagnostics[0].location.file == "mine"


def test_entry_that_does_not_exist():
    program = frit.compile(TEXT, "cpu")
    with pytest.raises(frit.UnknownEntryError, match="^there is no entry 'other'; there are: 'main'$"):
        program["other"]
    with pytest.raises(KeyError):
        program["other"]
    assert program.get("other") is None


@pytest.mark.skipif(frit.device_count() > 0, reason="needs a machine without a GPU")
def test_no_device():
    with pytest.raises(frit.DeviceUnavailableError):
        frit.compile(TEXT, "cuda")
    assert frit.compile(TEXT).target.startswith("cpu")
