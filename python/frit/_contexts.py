# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Contexts of the runtime, reused by calls.

A context serves one call at a time, so a call takes one from the pool of its device and stream and puts it back: threads
never wait for each other, and there are as many contexts as there were calls at the same time. Taking the one that came
last gives a thread that runs alone the same one each time.
"""

import ctypes
import sys

from . import _abi, errors
from ._library import runtime


def create(device=_abi.NO_DEVICE, stream=None):
    """A new context of a device and a stream, as a c_void_p."""
    options = _abi.ContextOptions(size=ctypes.sizeof(_abi.ContextOptions), device=device, stream=stream)
    context = ctypes.c_void_p()
    status = runtime.fritContextCreate(ctypes.byref(options), ctypes.byref(context))
    if status:
        raise errors.from_status(status, runtime.fritThreadErrorMessage().decode())
    return context


class Pool:
    """Contexts of one device and stream that no call uses."""

    def __init__(self, device, stream):
        self.device = device
        self.stream = stream
        self.idle = []

    def take(self):
        try:
            return self.idle.pop()
        except IndexError:
            return create(self.device, self.stream)

    def put(self, context):
        self.idle.append(context)


_host_pool = Pool(_abi.NO_DEVICE, None)
_device_pools = {}


def pool(device, stream):
    """The pool of a device and a stream; the host's where `device` is NO_DEVICE."""
    if device == _abi.NO_DEVICE:
        return _host_pool
    key = (device, stream)
    found = _device_pools.get(key)
    if found is None:
        # Of two threads that come here at the same time, one pool wins.
        found = _device_pools.setdefault(key, Pool(device, stream))
    return found


def current_stream(device):
    """The stream that PyTorch uses now on a device, or the legacy default stream where PyTorch does not use CUDA."""
    torch = sys.modules.get("torch")
    if torch is None or not torch.cuda.is_initialized():
        return _abi.LEGACY_DEFAULT_STREAM
    raw = getattr(torch._C, "_cuda_getCurrentRawStream", None)
    handle = raw(device) if raw else torch.cuda.current_stream(device).cuda_stream
    return handle or _abi.LEGACY_DEFAULT_STREAM


def raise_error(context, status):
    """Raises the error that a context recorded, and clears it so that the next call is served."""
    message = runtime.fritContextErrorMessage(context).decode(errors="replace")
    runtime.fritContextClearError(context)
    raise errors.from_status(status, message)


def device_count():
    """The number of CUDA devices; 0 where there is no driver."""
    count = ctypes.c_int32()
    runtime.fritDeviceCount(ctypes.byref(count))
    return count.value
