# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiled functions as callables."""

import ctypes
from dataclasses import dataclass
from typing import Optional

from . import _abi, _allocation, _contexts, _frames, _scalars, dtypes
from ._handles import Handle
from ._library import entry_call, runtime
from ._views import viewers
from .errors import InvalidArgumentError, UnsupportedTypeError


@dataclass(frozen=True)
class Value:
    """An argument or a result. Dynamic sizes are None, or their name where they have one."""

    name: str
    dtype: str
    shape: tuple
    is_scalar: bool
    is_written: bool


def _read_value(value, dims):
    shape = tuple(
        value.sizes[d] if value.sizes[d] != _abi.ANY else dims[value.dims[d]].decode() if value.dims[d] != _abi.ANY else
        None for d in range(value.rank))
    return Value(value.name.decode(), dtypes.name_of(value.type), shape, bool(value.flags & _abi.VALUE_SCALAR),
                 bool(value.flags & _abi.VALUE_WRITTEN))


class Entry(Handle):
    """A function of a program.

    Called with its arguments: tensors with __dlpack__, or numbers for scalars. Returns its result, a tuple of several, or
    None. Results are new tensors of the framework of the first tensor among the arguments, or those of `out`. Nothing is
    copied. On a device the work is queued on PyTorch's current stream, or on `stream` (the address of a CUstream), which the
    caller then orders after the work that makes the arguments.

    Calls from several threads run at the same time.
    """

    def __init__(self, program, pointer):
        entry = pointer.contents
        self.program = program
        self.name = entry.name.decode()
        self.target = entry.target.decode()
        self.device = program.device
        self._address = ctypes.c_void_p(ctypes.addressof(entry))
        values = [entry.values[index] for index in range(entry.numArguments + entry.numResults)]
        described = [_read_value(value, entry.dims) for value in values]
        self.arguments = tuple(described[:entry.numArguments])
        self.results = tuple(described[entry.numArguments:])
        self._codes = [value.type for value in values]
        self._ranks = [value.rank for value in values]
        self._scalars = [value.is_scalar for value in described]
        self._frames = []
        self._host_pool = _contexts.pool(_abi.NO_DEVICE, None) if self.device == _abi.NO_DEVICE else None

    def __repr__(self):
        return f"<frit.Entry {self.name!r} for {self.target}>"

    def __call__(self, *arguments, out=None, stream: Optional[int] = None):
        pool = self._pool(stream)
        context = pool.take()
        try:
            return self._call(context, arguments, out)
        finally:
            pool.put(context)

    def prepare(self, *arguments, out=None, stream: Optional[int] = None):
        """Loads what a call with these arguments needs, and allocates its scratch memory, but queues no work: calls of at
        most these sizes on this stream can then be captured into a CUDA graph. Returns nothing."""
        pool = self._pool(stream)
        context = pool.take()
        try:
            _check(context, runtime.fritContextBeginPrepare(context))
            try:
                self._call(context, arguments, out)
            finally:
                _check(context, runtime.fritContextEndPrepare(context))
        finally:
            pool.put(context)

    def run(self, views):
        """Calls the function with views (see _views) of all its values, which are checked here and nowhere else; on a device
        on PyTorch's current stream."""
        pool = self._host_pool or self._pool(None)
        try:
            context = pool.idle.pop()
        except IndexError:
            context = pool.take()
        try:
            self._run(context, views)
        finally:
            pool.idle.append(context)

    def _run(self, context, views):
        frames = self._frames
        try:
            frame = frames.pop()
        except IndexError:
            frame = _frames.Frame(self._ranks, self._scalars)
        try:
            try:
                frame.fill(views)
                used = frame
            except ValueError:
                # The runtime says which number or rank is wrong.
                used = _frames.for_views(views, self._scalars)
            status = entry_call(context, self._address, used.values, used.count)
        finally:
            frames.append(frame)
        if status:
            _contexts.raise_error(context, status)

    def _call(self, context, arguments, out):
        views = self._view_arguments(arguments)
        outs = self._allocate(context, arguments, views) if out is None else self._take_out(out)
        for index, tensor in enumerate(outs):
            views.append(self._view(len(arguments) + index, tensor))
        self._run(context, views)
        return outs[0] if len(outs) == 1 else tuple(outs) if outs else None

    def _pool(self, stream):
        if self.device == _abi.NO_DEVICE:
            if stream is not None:
                raise InvalidArgumentError(f"stream is {stream!r}, but {self.name!r} is compiled for {self.target}, "
                                           "which has none")
            return self._host_pool
        if stream is None:
            return _contexts.pool(self.device, _contexts.current_stream(self.device))
        if not isinstance(stream, int) or not 0 <= stream < 1 << 64:
            raise InvalidArgumentError(f"stream is {stream!r}, expected the address of a CUstream")
        return _contexts.pool(self.device, stream)

    def _view_arguments(self, arguments):
        if len(arguments) != len(self.arguments):
            raise InvalidArgumentError(f"{self.name!r} was given {len(arguments)} arguments, expected "
                                       f"{len(self.arguments)}")
        return [self._view(index, argument) for index, argument in enumerate(arguments)]

    def _view(self, index, value):
        try:
            if self._scalars[index]:
                return _scalars.view(value, self._codes[index])
            return viewers[type(value)](value)
        except (InvalidArgumentError, UnsupportedTypeError) as error:
            raise type(error)(f"{self._label(index)} of {self.name!r} {error}") from error.__cause__

    def _label(self, index):
        count = len(self.arguments)
        kind, values, number = ("argument", self.arguments, index) if index < count else ("result", self.results,
                                                                                          index - count)
        value = values[number]
        sizes = "".join(f"{'?' if size is None else size}x" for size in value.shape)
        facts = ([repr(value.name)] if value.name else []) + (
            [] if value.is_scalar else [f"tensor<{sizes}{value.dtype}>"])
        return f"{kind} {number}" + (f" ({', '.join(facts)})" if facts else "")

    def _take_out(self, out):
        outs = list(out) if isinstance(out, (tuple, list)) else [out]
        if len(outs) != len(self.results):
            raise InvalidArgumentError(f"out has {len(outs)} tensors, but {self.name!r} has {len(self.results)} results")
        return outs

    def _allocate(self, context, arguments, views):
        if not self.results:
            return []
        sizes = self._result_sizes(context, views)
        like = next((argument for argument, is_scalar in zip(arguments, self._scalars) if not is_scalar), None)
        outs, begin = [], 0
        for index, result in enumerate(self.results):
            end = begin + len(result.shape)
            code = self._codes[len(self.arguments) + index]
            outs.append(_allocation.empty(like, tuple(sizes[begin:end]), code, self.device))
            begin = end
        return outs

    def _result_sizes(self, context, views):
        count = runtime.fritEntryNumResultSizes(self._address)
        sizes = (ctypes.c_int64 * max(count, 1))()
        frame = _frames.for_views(views, self._scalars)
        _check(context, runtime.fritEntryResultSizes(context, self._address, frame.values, frame.count, sizes, count))
        return sizes[:count]


def _check(context, status):
    if status:
        _contexts.raise_error(context, status)
