# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Descriptors of a call's tensors in one piece of memory.

The memory holds, for n values, n pointers to descriptors, then for each value a descriptor of frit-c/Tensor.h followed by
its sizes and strides, or by the scalar. A call fills in everything with one Struct.pack_into, which is several times faster
than assigning to fields of ctypes structures, and fastest for native types ("@"). The function that does so is generated
for the ranks: it unpacks all views in one statement, which a loop over them takes twice the time for.
"""

import ctypes
import struct

from . import _abi

_WORD = 8
_DESCRIPTOR_WORDS = ctypes.sizeof(_abi.Tensor) // _WORD


def _names(prefix, index, rank):
    return [f"{prefix}{index}_{d}" for d in range(rank)]


def _make_fill(memory, begin, slots):
    """The function that writes views (see _views) to `memory`. It raises ValueError if their number or a rank is another.

    `slots` has for each value its rank, the addresses of its sizes and strides, and whether it is a scalar."""
    targets, words, scope = [], [], {"no_pointers": bytes(16), "memory": memory}
    for index, (rank, at_sizes, at_strides, is_scalar) in enumerate(slots):
        sizes, strides = _names("size", index, rank), _names("stride", index, rank)
        targets.append(f"(address{index}, code{index}, device{index}, [{', '.join(sizes)}], [{', '.join(strides)}]), ")
        if is_scalar:
            # The address of a scalar's view stands for its bits.
            words += [at_sizes, "no_pointers", 0, f"code{index}", f"device{index}", f"address{index}"]
        else:
            # As bytes, what never changes is copied, and not converted.
            scope[f"pointers{index}"] = struct.pack("@2Q", at_sizes, at_strides)
            words += [f"address{index}", f"pointers{index}", rank, f"code{index}", f"device{index}"]
            words += [*sizes, *strides] if rank else [0]
    # Scalars and tensors of rank 0 have a word behind them.
    layout = struct.Struct("@" + "".join(f"Q16s2iQ{max(2 * slot[0], 1)}q" for slot in slots))
    source = f"def fill(views):\n [{''.join(targets)}] = views\n pack(memory, {begin}, {', '.join(map(str, words))})\n"
    scope["pack"] = layout.pack_into
    exec(source, scope)
    return scope["fill"]


class Frame:
    """Memory for the descriptors of one call at a time.

    `ranks` are those of the values, `scalars` says which values are scalars. `fill` writes views of all values, and
    `values` is the address of the pointers to their descriptors."""

    def __init__(self, ranks, scalars):
        count = len(ranks)
        words = [_DESCRIPTOR_WORDS + max(2 * rank, 1) for rank in ranks]
        memory = ctypes.create_string_buffer(max(1, count + sum(words)) * _WORD)
        base = ctypes.addressof(memory)
        offset = count
        slots = []
        for index, (rank, is_scalar) in enumerate(zip(ranks, scalars)):
            address = base + offset * _WORD
            struct.pack_into("@Q", memory, index * _WORD, address)
            sizes = address + _DESCRIPTOR_WORDS * _WORD
            slots.append((rank, sizes, sizes + rank * _WORD, is_scalar))
            offset += words[index]
        self.fill = _make_fill(memory, count * _WORD, slots)
        self.values = ctypes.c_void_p(base)
        self.count = count


def for_views(views, scalars):
    """A frame that is filled with views of any ranks."""
    frame = Frame([len(view[3]) for view in views], scalars)
    frame.fill(views)
    return frame
