# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""LoRA adapters as the PEFT package writes them, stacked to the weights that Frit's ops take.

The files are read by the code that frit-run has. An adapter's id is its place in the list.
"""

import ctypes
import os
from collections.abc import Mapping
from typing import NamedTuple

from . import _abi, _allocation, errors
from ._exit import gate
from ._handles import AdaptersAddress, AdapterTensorAddress, Handle
from ._library import compiler


class Stack(NamedTuple):
    """The weights of a module, of L slots: a [L, R, K], b [L, N, R], scales [L] f32, ranks [L] i32. Of several modules: a
    and b are lists, and ranks is [S, L]."""

    a: object
    b: object
    scales: object
    ranks: object


def _check(status):
    if status:
        raise errors.from_status(status, compiler.fritCompilerErrorMessage().decode(errors="replace"))


def _encode(text, what):
    encoded = os.fsencode(text)
    if b"\0" in encoded:
        raise errors.InvalidArgumentError(f"the {what} {text!r} has a zero character, expected none")
    return encoded


def _size(value, what):
    """FRIT_ANY for None."""
    if value is None:
        return _abi.ANY
    if isinstance(value, bool) or not hasattr(value, "__index__") or not 0 <= value.__index__() < 2**63:
        raise errors.InvalidArgumentError(f"{what} is {value!r}, expected a number from 0 on, or None")
    return value.__index__()


def _copy(view, like):
    """A new tensor with the elements of a FritTensor of the host."""
    tensor = _allocation.empty(like, view.sizes[:view.rank], view.type, _abi.NO_DEVICE)
    address = tensor.data_ptr() if hasattr(tensor, "data_ptr") else tensor.ctypes.data
    size = tensor.element_size() * tensor.numel() if hasattr(tensor, "data_ptr") else tensor.nbytes
    if size:
        ctypes.memmove(address, view.data, size)
    return tensor.to(like.device) if hasattr(tensor, "data_ptr") else tensor


class Adapters(Handle):
    """A list of adapters; see `load`. names: of the adapters. modules: the names, in the base model, of what any of them
    changes."""

    def __init__(self, names, address):
        self.names = tuple(names)
        self._address = address
        self.modules = tuple(
            compiler.fritAdaptersModule(address, index).decode()
            for index in range(compiler.fritAdaptersNumModules(address)))

    def __len__(self):
        return len(self.names)

    def __repr__(self):
        return f"<frit.peft.Adapters: {', '.join(self.names)}>"

    def _make(self, operand, sizes, like):
        tensor = AdapterTensorAddress()
        sizes = (ctypes.c_int64 * len(sizes))(*sizes)
        with gate.inside():
            _check(
                compiler.fritAdaptersMake(self._address, _encode(operand, "module"), sizes, len(sizes),
                                          ctypes.byref(tensor)))
        return _copy(compiler.fritAdapterTensorView(tensor).contents, like)

    def stack(self, modules, *, slots=None, rank=None, like=None):
        """The `Stack` of a module, or of a list of modules that share an input (q, k, v), as new tensors.

        slots: L; None: the number of adapters. Slots beyond it are zeros of rank 0, for adapters that come later.
        rank: R; None: the largest rank of any module. An adapter with a smaller one has zeros beyond it.
        like: a tensor of PyTorch, on whose device the weights are then; None: they are arrays of NumPy.

        Adapters without the module have rank 0. One factor stands for all modules of a list: it is an error if an adapter
        has several there.
        """
        names = [modules] if isinstance(modules, str) else list(modules)
        slots, rank = _size(slots, "slots"), _size(rank, "rank")
        a = [self._make(f"{name}.lora_A", (slots, rank, _abi.ANY), like) for name in names]
        b = [self._make(f"{name}.lora_B", (slots, _abi.ANY, rank), like) for name in names]
        joined = ",".join(names)
        scales = self._make(f"{joined}.lora_scales", (slots,), like)
        if isinstance(modules, str):
            return Stack(a[0], b[0], scales, self._make(f"{joined}.lora_ranks", (slots,), like))
        return Stack(a, b, scales, self._make(f"{joined}.lora_ranks", (_abi.ANY, slots), like))


def load(adapters):
    """Reads adapters and returns `Adapters`.

    adapters: their folders, each with adapter_config.json and adapter_model.safetensors: a mapping from names to folders, or
    a list of folders, which are then the names too. What Frit cannot do as PEFT does it is refused, with the reason.
    """
    if isinstance(adapters, (str, os.PathLike)):
        raise errors.InvalidArgumentError(f"adapters is one path, {os.fspath(adapters)!r}, expected a list of folders, or a "
                                          "mapping from names to folders")
    pairs = adapters.items() if isinstance(adapters, Mapping) else [(os.fspath(folder), folder) for folder in adapters]
    names = [name for name, _ in pairs]
    encoded = [(_encode(name, "name"), _encode(folder, "folder")) for name, folder in pairs]
    sources = (_abi.AdapterSource * len(names))(*encoded)
    address = AdaptersAddress()
    with gate.inside():
        _check(compiler.fritAdaptersLoad(sources, len(names), ctypes.byref(address)))
    return Adapters(names, address)
