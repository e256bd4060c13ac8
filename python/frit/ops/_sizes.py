# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks before an op is compiled for the first time: of what its function has in its text, the sizes of a model and
attributes that exclude each other. Messages of the compiler would show that text, which callers never see.

Numbers of tokens, slices and adapters are checked by the function itself, at each call.
"""

from ..errors import InvalidArgumentError
from . import _text
from ._lora_text import ATTRIBUTES_OF, HALVES


def _expect(name, what, size, expected, whose):
    if size != expected:
        raise InvalidArgumentError(f"{name} has {what} {size}, expected {expected}, {whose}")


def _expect_outputs(name, size, expected, whose):
    if size != expected:
        raise InvalidArgumentError(f"{name} has {size} outputs, expected {expected}, {whose}")


def _check_roundings(intermediate, name, rounding):
    if intermediate == "element" and rounding == "stepwise":
        raise InvalidArgumentError(f"intermediate is 'element', expected 'f32' with {name} 'stepwise'")


def _halves(name, sizes):
    """The weights of the op's halves, A and B; each a list with the name, the outputs and the inputs of a slice."""
    letters = HALVES[name]
    slices = len(sizes) // (2 * len(letters))
    halves = {"a": [], "b": []}
    for index in range(slices * len(letters)):
        slice, half = divmod(index, len(letters))
        letter = letters[half]
        halves[letter].append((letter if slices == 1 else f"{letter}[{slice}]", *sizes[2 * index:2 * index + 2]))
    return halves["a"], halves["b"]


def check_lora(name, source_width, weight_sizes, out_width, attributes):
    """The operands of lora_matmul, lora_shrink or lora_expand; the arguments are those of _lora_text.make_text."""
    values = dict(zip(ATTRIBUTES_OF[name], attributes, strict=True))
    a, b = _halves(name, weight_sizes)
    for weight, _, inputs in a:
        _expect(weight, "inner size", inputs, source_width, "that of x")
    for weight, outputs, _ in a[1:]:
        _expect_outputs(weight, outputs, a[0][1], f"those of {a[0][0]}")
    for weight, _, inputs in b:
        if a:
            _expect(weight, "inner size", inputs, a[0][1], f"the outputs of {a[0][0]}")
        else:
            _expect(weight, "inner size", inputs, source_width, "that of h")
    if not b:
        _expect("out", "inner size", out_width, a[0][1], f"the outputs of {a[0][0]}")
        return
    offset, outputs = _text.index("offset", values["offset"]), sum(outputs for _, outputs, _ in b)
    if offset + outputs > out_width:
        raise InvalidArgumentError(f"out has inner size {out_width}, expected {offset + outputs} or more: offset {offset} and "
                                   f"{outputs} outputs of b")
    _check_roundings(values.get("intermediate"), "rounding", values["rounding"])


def _check_ffn_loras(d, width, operands):
    """The LoRA operands of sparse_ffn."""
    ranks = [(name, sizes[1]) for name, sizes in operands.items() if name.startswith("a_")]
    for name, sizes in operands.items():
        half, _, projection = name.partition("_")
        if half == "a":
            inputs = (d, "the outputs of gate") if projection == "down" else (width, "that of x")
            _expect(name, "inner size", sizes[2], *inputs)
            _expect_outputs(name, sizes[1], ranks[0][1], f"those of {ranks[0][0]}")
        elif half == "b":
            outputs = (width, "the inner size of x") if projection == "down" else (d, "those of gate")
            _expect_outputs(name, sizes[1], *outputs)
            _expect(name, "inner size", sizes[2], ranks[0][1], f"the outputs of {ranks[0][0]}")
        elif name != "ids" and (len(sizes) not in (1, 2) or len(sizes) == 2 and sizes[0] != 3):
            raise InvalidArgumentError(f"{name} has sizes {sizes}, expected (adapters,) or (3, adapters)")
    if "ids" not in operands and operands:
        raise InvalidArgumentError(f"{next(iter(operands))} is given without ids, expected both")
    if "ids" in operands and not ranks:
        raise InvalidArgumentError("ids is given without gate_lora, up_lora and down_lora, expected one of them or more")


def check_sparse_ffn(width, weight_sizes, operands, values):
    """The operands of sparse_ffn. `width`, `weight_sizes`: those of _ffn_text.make_text. `operands`: the sizes of those that
    are given beside x and the three matrices, by name. `values`: the attributes by name."""
    gate, up, down = weight_sizes
    _expect("gate", "inner size", gate[1], width, "that of x")
    _expect_outputs("up", up[0], gate[0], "those of gate")
    _expect("up", "inner size", up[1], width, "that of x")
    layout = _text.choice("down_layout", values["down_layout"], ("dh", "hd"))
    expected = (gate[0], width) if layout == "dh" else (width, gate[0])
    _expect("down", "sizes", down, expected, f"those of {'gate' if layout == 'dh' else 'gate, transposed'}")
    _check_ffn_loras(gate[0], width, operands)
    _check_roundings(values["intermediate"], "lora_rounding", values["lora_rounding"])
