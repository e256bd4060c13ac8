# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls on devices, with the stub driver of the runtime's tests, which simulates them in host memory and runs no kernel."""

import ctypes
import os
import sys
import types

import frit.ops
import numpy
import pytest
from frit import _contexts
from frit._library import runtime
from frit.ops import _cache

pytestmark = pytest.mark.skipif("FRIT_CUDA_DRIVER" not in os.environ, reason="needs the stub driver")

TEXT = """
func.func @main(%x: tensor<?x16xf32>) -> tensor<?x8xf32> {
  %c0 = arith.constant 0 : index
  %t = tensor.dim %x, %c0 : tensor<?x16xf32>
  %e = tensor.empty(%t) : tensor<?x8xf32>
  %y = frit.act_and_mul silu ins(%x : tensor<?x16xf32>) outs(%e : tensor<?x8xf32>) -> tensor<?x8xf32>
  return %y : tensor<?x8xf32>
}
"""


class Statistics(ctypes.Structure):
    _fields_ = [(name, ctypes.c_uint64)
                for name in ("bytesHeld", "peakBytesHeld", "allocations", "kernelsLoaded", "launches")]


class OnDevice:
    """Memory of a simulated device."""

    def __init__(self, *shape, device=0, dtype=numpy.float32):
        self.array = numpy.zeros(shape, dtype)
        self.device = device
        self.streams = []

    def __dlpack__(self, *, stream=None, **_):
        self.streams.append(stream)
        return self.array.__dlpack__()

    def __dlpack_device__(self):
        return 2, self.device


@pytest.fixture(scope="module", autouse=True)
def ptx(tmp_path_factory):
    """The stub loads PTX, which is what the compiler leaves without a toolkit. A function that compiles so."""
    toolkit = tmp_path_factory.mktemp("toolkit")

    def compile_ptx(text, target, policy="native", **options):
        return frit.compile(text, target, "native", toolkit=toolkit, **options)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_cache, "compile", compile_ptx)
        yield compile_ptx


@pytest.fixture(scope="module")
def entry(ptx):
    return ptx(TEXT, "cuda:0")["main"]


def launches(device, stream):
    runtime.fritDeviceStatistics.restype = Statistics
    runtime.fritDeviceStatistics.argtypes = [ctypes.c_void_p]
    return sum(runtime.fritDeviceStatistics(context).launches for context in _contexts.pool(device, stream).idle)


def make_stream(device):
    runtime.fritContextStream.restype = ctypes.c_void_p
    runtime.fritContextStream.argtypes = [ctypes.c_void_p]
    return runtime.fritContextStream(_contexts.create(device))


def test_default_stream(entry):
    assert entry.device == 0 and entry.target.startswith("cuda:sm_")
    x, out = OnDevice(3, 16), OnDevice(3, 8)
    before = launches(0, 1)
    assert entry(x, out=out) is out
    assert launches(0, 1) > before
    # Exporters are told on which stream their memory is used: the legacy default stream.
    assert x.streams == [1] and out.streams == [1]


def test_own_stream_and_prepare(entry):
    stream = make_stream(0)
    x, out = OnDevice(3, 16), OnDevice(3, 8)
    entry.prepare(x, out=out, stream=stream)
    assert launches(0, stream) == 0
    entry(x, out=out, stream=stream)
    once = launches(0, stream)
    assert once > 0
    entry(x, out=out, stream=stream)
    assert launches(0, stream) == 2 * once


def test_stream_of_pytorch(entry, monkeypatch):
    """Work goes to what PyTorch says is the current stream of the device; its default stream is the legacy one."""
    streams = {0: make_stream(0), 1: 0}
    torch = types.SimpleNamespace(Tensor=type("Tensor", (), {}),
                                  cuda=types.SimpleNamespace(is_initialized=lambda: True),
                                  _C=types.SimpleNamespace(_cuda_getCurrentRawStream=streams.__getitem__))
    monkeypatch.setitem(sys.modules, "torch", torch)
    before = launches(0, 1)
    x = OnDevice(3, 16)
    entry(x, out=OnDevice(3, 8))
    assert launches(0, streams[0]) > 0 and launches(0, 1) == before
    assert x.streams == [streams[0]]
    before = launches(1, 1)
    frit.ops.act_and_mul(OnDevice(2, 16, device=1), activation="silu", out=OnDevice(2, 8, device=1))
    assert launches(1, 1) > before


def test_ops_by_device():
    for device in (0, 1):
        before = launches(device, 1)
        frit.ops.act_and_mul(OnDevice(2, 16, device=device), activation="silu", out=OnDevice(2, 8, device=device))
        assert launches(device, 1) > before
    ids = OnDevice(2, dtype=numpy.int32)
    weights = OnDevice(4, 3, 16), OnDevice(4, 8, 3)
    frit.ops.lora_matmul(OnDevice(2, 16), ids, *weights, out=OnDevice(2, 8))


def test_no_tokens(entry):
    before = launches(0, 1)
    entry(OnDevice(0, 16), out=OnDevice(0, 8))
    assert launches(0, 1) == before


BAD = [
    ("host memory", lambda f: f(numpy.zeros((3, 16), numpy.float32), out=OnDevice(3, 8)), "the host, expected cuda:0"),
    ("host result", lambda f: f(OnDevice(3, 16), out=numpy.zeros((3, 8), numpy.float32)), "the host, expected cuda:0"),
    ("another device", lambda f: f(OnDevice(3, 16, device=1), out=OnDevice(3, 8)), "cuda:1, expected cuda:0"),
    ("mixed devices", lambda f: frit.ops.act_and_mul(OnDevice(3, 16), activation="silu", out=OnDevice(3, 8, device=1)),
     "cuda:1, expected cuda:0"),
    ("no allocator", lambda f: f(OnDevice(3, 16)), "OnDevice: pass out="),
    ("per-thread stream", lambda f: f(OnDevice(3, 16), out=OnDevice(3, 8), stream=2), "stream"),
]


@pytest.mark.parametrize("call, message", [case[1:] for case in BAD], ids=[case[0] for case in BAD])
def test_bad_input(entry, call, message):
    with pytest.raises(frit.InvalidArgumentError, match=message):
        call(entry)
    entry(OnDevice(3, 16), out=OnDevice(3, 8))


def test_no_such_device():
    with pytest.raises(frit.DeviceUnavailableError, match="7"):
        frit.compile(TEXT, "cuda:7")
