# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiled ops, by all that their code depends on."""

import os
import threading

from .. import _abi
from ..compilation import compile
from ..errors import UnsupportedTypeError

_entries = {}
_lock = threading.Lock()


def _renew_lock():
    # The thread that held it is not in the child.
    global _lock
    _lock = threading.Lock()


os.register_at_fork(after_in_child=_renew_lock)


def get(key):
    """The entry for a key, or None."""
    try:
        return _entries.get(key)
    except TypeError:
        pass
    for value in key:
        for part in value if isinstance(value, tuple) else (value,):
            if type(part).__hash__ is None:
                raise UnsupportedTypeError(f"an attribute is the {type(part).__name__} {part!r}, expected a number or a str")
    raise UnsupportedTypeError(f"an attribute of {key} cannot be a key, expected numbers and str")


def add(key, name, text, device, policy, verify=False):
    """Compiles the function `name` of a module for a device and keeps it under `key`."""
    with _lock:
        # Another thread may have been first.
        entry = _entries.get(key)
        if entry is None:
            target = "cpu" if device == _abi.NO_DEVICE else f"cuda:{device}"
            entry = compile(text, target, policy, verify=verify, name=f"frit.ops.{name}")[name]
            _entries[key] = entry
        return entry


def explain():
    """A list with a `Choice` for each op that was compiled so far."""
    return [choice for entry in list(_entries.values()) for choice in entry.program.explain()]
