# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""frit.compile and the calls of what it returns."""

import array
import pathlib
import threading
import weakref

import frit
import frit.ops
import ml_dtypes
import numpy
import pytest

ADD = """
func.func @add(%x: tensor<?x4xf32> {frit.tensor = "x", frit.dims = ["tokens", ""]}, %s: f32) -> tensor<?x4xf32> {
  %c0 = arith.constant 0 : index
  %t = tensor.dim %x, %c0 : tensor<?x4xf32>
  %e = tensor.empty(%t) : tensor<?x4xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]} ins(%x : tensor<?x4xf32>) outs(%e : tensor<?x4xf32>) {
  ^bb0(%a: f32, %b: f32):
    %0 = arith.addf %a, %s : f32
    linalg.yield %0 : f32
  } -> tensor<?x4xf32>
  return %r : tensor<?x4xf32>
}
"""

TWO = """
func.func @first(%x: tensor<3xi32>) -> (tensor<3xi32>, i32) {
  %c0 = arith.constant 0 : index
  %e = tensor.extract %x[%c0] : tensor<3xi32>
  return %x, %e : tensor<3xi32>, i32
}
func.func @second(%x: i1, %y: bf16, %z: i64) -> (i1, bf16, i64) {
  return %x, %y, %z : i1, bf16, i64
}
"""

GELU = """
func.func @main(%x: tensor<?x256xbf16>) -> tensor<?x128xbf16> {
  %c0 = arith.constant 0 : index
  %t = tensor.dim %x, %c0 : tensor<?x256xbf16>
  %e = tensor.empty(%t) : tensor<?x128xbf16>
  %y = frit.gelu_and_mul_sparse ins(%x : tensor<?x256xbf16>) outs(%e : tensor<?x128xbf16>) std_multiplier = 1.0
      -> tensor<?x128xbf16>
  return %y : tensor<?x128xbf16>
}
"""


@pytest.fixture(scope="module")
def add():
    return frit.compile(ADD, "cpu")["add"]


class Exported:
    """What has __dlpack__ and nothing else."""

    def __init__(self, array, versioned=True):
        self.array = array
        self.versioned = versioned

    def __dlpack__(self, **arguments):
        if not self.versioned:
            if "max_version" in arguments:
                raise TypeError("unexpected keyword argument 'max_version'")
            return self.array.__dlpack__()
        return self.array.__dlpack__(**arguments)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


def test_signature(add):
    assert add.name == "add"
    assert add.target.startswith("cpu")
    assert add.arguments == (frit.Value("x", "f32", ("tokens", 4), False, False), frit.Value("", "f32", (), True, False))
    assert [(value.dtype, value.shape, value.is_written) for value in add.results] == [("f32", ("tokens", 4), True)]


@pytest.mark.parametrize("tokens", [0, 1, 5])
def test_call(add, tokens):
    x = numpy.arange(4.0 * tokens, dtype=numpy.float32).reshape(tokens, 4)
    y = add(x, 0.5)
    assert isinstance(y, numpy.ndarray) and y.dtype == numpy.float32
    numpy.testing.assert_array_equal(y, x + numpy.float32(0.5))


def test_out_and_strides_without_copies(add):
    big = numpy.arange(60, dtype=numpy.float32).reshape(5, 12)
    out = numpy.full((5, 9), -1, numpy.float32)
    assert add(big[:, 4:8], 1, out=out[:, 2:6]) is not None
    numpy.testing.assert_array_equal(out[:, 2:6], big[:, 4:8] + 1)
    assert (out[:, :2] == -1).all() and (out[:, 6:] == -1).all()


@pytest.mark.parametrize("versioned", [True, False])
def test_dlpack(add, versioned):
    x = numpy.arange(16, dtype=numpy.float32).reshape(2, 8)[:, 2:6]
    out = numpy.empty((2, 4), numpy.float32)
    add(Exported(x, versioned), 1, out=Exported(out, versioned))
    numpy.testing.assert_array_equal(out, x + 1)


class Converted(Exported):
    """An exporter from before DLPack 1 that converts what it exports. The copy belongs to the capsule; its bytes change once
    that ends."""

    def __init__(self, array):
        super().__init__(array, versioned=False)

    def __dlpack__(self, **arguments):
        if arguments:
            raise TypeError("unexpected keyword arguments")
        memory = self.array * 2
        owner = memory.view()
        weakref.finalize(owner, memory.fill, numpy.nan)
        return owner.__dlpack__()

    def __dlpack_device__(self):
        return 1, 0


def test_dlpack_capsules_live_until_the_end_of_the_call(add):
    x = numpy.ones((2, 4), numpy.float32)
    numpy.testing.assert_array_equal(add(Converted(x), 1), 3)
    rows = numpy.ones((2, 2, 4), numpy.float32)
    expected = frit.ops.act_and_mul(rows * 2, activation="silu")
    numpy.testing.assert_array_equal(frit.ops.act_and_mul(Converted(rows), activation="silu"), expected)


def test_strides_of_size_1_do_not_matter(add):
    x = numpy.lib.stride_tricks.as_strided(numpy.ones(4, numpy.float32), (1, 4), (5, 4))
    numpy.testing.assert_array_equal(add(x, 1), 2)


def test_buffer_protocol():
    program = frit.compile(TWO, "cpu")
    copy, element = program["first"](array.array("i", [7, 8, 9]))
    assert list(copy) == [7, 8, 9] and element.shape == () and element == 7


def test_scalars():
    second = frit.compile(TWO, "cpu")["second"]
    for values in [(True, 1.5, -2**63), (False, -3.0, 2**63 - 1), (numpy.bool_(True), numpy.float32(2), numpy.int32(5)),
                   (1, ml_dtypes.bfloat16(0.5), numpy.array(6))]:
        assert [value.item() for value in second(*values)] == [value for value in values]


BF16 = "func.func @main(%a: bf16) -> bf16 { return %a : bf16 }"


def test_bf16_scalars_round_once():
    entry = frit.compile(BF16, "cpu")["main"]
    cases = {1 + 2.0**-8: 0x3f80, 1 + 2.0**-8 + 2.0**-40: 0x3f81, 1 + 3 * 2.0**-8: 0x3f82, -2.0**-133: 0x8001,
             2.0**-134: 0x0000, 1.5 * 2.0**-133: 0x0002, 2.0**-126 - 2.0**-135: 0x0080, 5e-324: 0, -0.0: 0x8000,
             2 - 2.0**-30: 0x4000, float("inf"): 0x7f80, 2.0**127 * (2 - 2.0**-7): 0x7f7f}
    for value, bits in cases.items():
        assert entry(value).view(numpy.uint16) == bits, value
    assert numpy.isnan(float(entry(float("nan"))))
    for value in (1e300, 3.4e38, -2.0**127 * (2 - 2.0**-8), 2**128):
        with pytest.raises(frit.InvalidArgumentError, match="which does not fit into bf16"):
            entry(value)


@pytest.mark.parametrize("dtype", ["bf16", "f16"])
def test_helpers_of_the_code_generator(dtype):
    """Python loads libraries for themselves alone, so that the linker of compiled code does not see the runtime's."""
    text = """
func.func @main(%x: tensor<4xT>) -> tensor<4xT> {
  %0 = arith.addf %x, %x : tensor<4xT>
  %1 = math.tan %0 : tensor<4xT>
  return %1 : tensor<4xT>
}
""".replace("T", dtype)
    x = numpy.full(4, 0.5, ml_dtypes.bfloat16 if dtype == "bf16" else numpy.float16)
    numpy.testing.assert_allclose(frit.compile(text, "cpu")["main"](x).astype(float), numpy.tan(1.0), rtol=2.0**-8)


def test_program():
    program = frit.compile(TWO, "cpu", entries=["second"])
    assert list(program) == ["second"] and len(program) == 1 and "first" not in program
    assert program(True, 1.0, 3)[2] == 3
    program = frit.compile(TWO, "cpu")
    assert sorted(program) == ["first", "second"]
    with pytest.raises(frit.InvalidArgumentError, match="2 entries cannot be called, expected 1"):
        program(1)


def test_sources(tmp_path):
    path = tmp_path / "add.mlir"
    path.write_text(ADD)
    x = numpy.zeros((1, 4), numpy.float32)
    for source in (ADD, ADD.encode(), path, str(path)):
        assert (frit.compile(source, "cpu")["add"](x, 2) == 2).all()


def test_explain():
    choice, = frit.compile(GELU, "cpu").explain()
    assert (choice.op, choice.function) == ("frit.gelu_and_mul_sparse", "main")
    assert choice.kernel in [candidate.kernel for candidate in choice.candidates if candidate.outcome == "picked"]
    assert choice.location.line == 6
    assert choice.kernel in str(choice)
    assert any(line.endswith("to 20)") and ": admissible, but of" in line for line in str(choice).splitlines())


def test_explain_other_target():
    program = frit.compile(GELU, "cuda:sm_90a", choices_only=True)
    assert len(program) == 0 and program.target == "cuda:sm_90a"
    choice, = program.explain()
    assert "native" in {candidate.provider for candidate in choice.candidates}


def test_results_do_not_depend_on_policy_native():
    x = numpy.random.default_rng(0).standard_normal((3, 256)).astype(ml_dtypes.bfloat16)
    results = [frit.compile(GELU, "cpu", policy)["main"](x) for policy in ("auto", "native")]
    numpy.testing.assert_array_equal(results[0].view(numpy.uint16), results[1].view(numpy.uint16))


def test_threads():
    """Threads compile, and call one entry, at the same time."""
    program = frit.compile(ADD, "cpu")
    failures = []

    def work(number):
        try:
            own = frit.compile(ADD, "cpu", name=f"thread{number}")["add"]
            for tokens in range(20):
                x = numpy.full((tokens, 4), number, numpy.float32)
                for entry in (program["add"], own):
                    numpy.testing.assert_array_equal(entry(x, tokens), x + tokens)
                with pytest.raises(frit.InvalidArgumentError):
                    own(x[:, :3], 1)
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures


def test_verify():
    text = """
    func.func @at(%x: tensor<4xf32>, %i: index) -> f32 {
      %0 = tensor.extract %x[%i] : tensor<4xf32>
      return %0 : f32
    }
    """
    at = frit.compile(text, "cpu", verify=True)["at"]
    x = numpy.arange(4, dtype=numpy.float32)
    with pytest.raises(frit.CheckFailedError):
        at(x, 4)
    assert at(x, 3) == 3


def test_version_is_the_header_s():
    header = (pathlib.Path(__file__).resolve().parents[2] / "include" / "frit-c" / "Version.h").read_text()
    numbers = [line.split()[2] for line in header.splitlines() if line.startswith("#define FRIT_VERSION_M")
              ] + [line.split()[2] for line in header.splitlines() if line.startswith("#define FRIT_VERSION_PATCH")]
    assert frit.__version__ == ".".join(numbers)
