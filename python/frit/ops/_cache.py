# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiled ops, by all that their code depends on."""

import threading

from .. import _abi, _contexts
from ..compilation import compile

_entries = {}
_lock = threading.Lock()
_host_pool = _contexts.pool(_abi.NO_DEVICE, None)

get = _entries.get


def add(key, name, text, device, policy):
    """Compiles the function `name` of a module for a device and keeps it under `key`."""
    with _lock:
        # Another thread may have been first.
        entry = _entries.get(key)
        if entry is None:
            target = "cpu" if device == _abi.NO_DEVICE else f"cuda:{device}"
            entry = compile(text, target, policy, name=f"frit.ops.{name}")[name]
            _entries[key] = entry
        return entry


def run(entry, views):
    """Calls a compiled op, on a device on PyTorch's current stream."""
    device = entry.device
    entry.run(views, _host_pool if device < 0 else _contexts.pool(device, _contexts.current_stream(device)))


def explain():
    """A list with a `Choice` for each op that was compiled so far."""
    return [choice for entry in list(_entries.values()) for choice in entry.program.explain()]
