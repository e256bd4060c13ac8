# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Views of NumPy's arrays beside what NumPy says of them."""

import frit
import numpy
import pytest
from frit import _views


class Subclass(numpy.ndarray):
    """An array with members of its own."""

    __slots__ = ("first", "second")


def arrays():
    for rank in range(6):
        base = numpy.zeros((4,) * rank, numpy.float32)
        yield base
        yield numpy.asarray(numpy.flip(base))
        yield base[(..., *(slice(1, None, 2),) * rank)]
        yield base.transpose()
        yield base.view(Subclass)
        yield numpy.zeros((2,) * rank, numpy.int8)
        yield numpy.zeros((2,) * rank, numpy.float64)
        yield numpy.zeros((0,) * rank, numpy.float16)
    yield numpy.broadcast_to(numpy.float32(1), (3, 4))


@pytest.mark.parametrize("array", list(arrays()), ids=lambda array: f"{array.dtype}{array.shape}{array.strides}")
def test_view(array):
    address, code, device, sizes, strides = _views.view(array)
    assert address == array.ctypes.data
    assert frit.dtypes.NAMES[code] == frit.dtypes.NAMES[frit.dtypes.from_numpy(array.dtype)]
    assert device == _views.device_word(-1, read_only=not array.flags.writeable)
    assert tuple(sizes) == array.shape
    assert tuple(stride * array.itemsize for stride in strides) == array.strides


@pytest.mark.parametrize("rank", [1, 2, 3, 4])
def test_stride_between_elements(rank):
    record = numpy.dtype([("a", numpy.float32), ("b", numpy.uint8)])
    with pytest.raises(frit.InvalidArgumentError, match="a stride of .* bytes, expected a multiple of the 4 bytes"):
        _views.view(numpy.zeros((2,) * rank, record)["a"])
    # They do not matter where there is one element, or none.
    for size in (0, 1):
        assert tuple(_views.view(numpy.zeros((size,) * rank, record)["a"])[3]) == (size,) * rank
