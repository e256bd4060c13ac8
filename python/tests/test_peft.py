# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Adapters of PEFT's files: what is stacked, against the files themselves and what their configurations say, and what is
refused."""

import copy
import json
import math
import pickle

import frit
import frit.ops
import frit.peft
import numpy as np
import pytest
from conftest import DATA
from safetensors.numpy import save_file
from safetensors_file import read

FOLDERS = {name: DATA / "checkpoint" / "adapters" / name for name in ("first", "second")}
MODULE = "model.layers.{}.mlp.{}_proj"


@pytest.fixture(name="adapters", scope="module")
def fixture_adapters():
    return frit.peft.load(FOLDERS)


def weights(name, module):
    tensors, _ = read(FOLDERS[name] / "adapter_model.safetensors")
    return [tensors.get(f"base_model.model.{module}.lora_{side}.weight") for side in "AB"]


def factor(name, module):
    """The rank and factor of a module, by the configurations of these two."""
    if name == "first":
        return 4, 8 / 4
    rank = 3 if module.endswith("layers.0.mlp.down_proj") else 8
    return rank, (5 if module.endswith("down_proj") else 6) / math.sqrt(rank)


def test_modules(adapters):
    assert adapters.names == ("first", "second") and len(adapters) == 2
    assert adapters.modules == tuple(MODULE.format(layer, name) for layer in range(2) for name in ("down", "gate", "up"))
    assert repr(adapters) == "<frit.peft.Adapters: first, second>"


@pytest.mark.parametrize("layer", range(2))
@pytest.mark.parametrize("name", ["down", "gate", "up"])
def test_stack(adapters, layer, name):
    module = MODULE.format(layer, name)
    stack = adapters.stack(module, slots=3)
    assert [tensor.dtype.name for tensor in stack] == ["float32", "float32", "float32", "int32"]
    for slot, adapter in enumerate((*FOLDERS, None)):
        a, b = weights(adapter, module) if adapter else (None, None)
        expected_a, expected_b = np.zeros_like(stack.a[slot]), np.zeros_like(stack.b[slot])
        if a is None:
            assert stack.ranks[slot] == 0
        else:
            rank, scale = factor(adapter, module)
            assert stack.ranks[slot] == rank == len(a) and stack.scales[slot] == np.float32(scale)
            expected_a[:rank], expected_b[:, :rank] = a, b
        assert (stack.a[slot] == expected_a).all() and (stack.b[slot] == expected_b).all()
    assert stack.a.shape[:2] == (3, 8)


def test_same_as_folders_in_a_list():
    adapters = frit.peft.load(list(FOLDERS.values()))
    assert adapters.names == tuple(map(str, FOLDERS.values()))
    assert frit.peft.load([]).modules == ()


def test_lora_matmul(adapters):
    module = MODULE.format(0, "down")
    stack = adapters.stack(module)
    x = np.random.default_rng(0).standard_normal((4, 96)).astype(np.float32)
    y = frit.ops.lora_matmul(x, np.array([1, 0, -1, 1], np.int32), stack.a, stack.b, scales=stack.scales, ranks=stack.ranks)
    for token, name in enumerate(["second", "first", None, "second"]):
        a, b = weights(name, module) if name else (np.zeros((1, 96)), np.zeros((32, 1)))
        expected = (factor(name, module)[1] if name else 0) * (b @ (a @ x[token].astype(np.float64)))
        assert np.allclose(y[token], expected, rtol=1e-5, atol=1e-6)


def test_slices(adapters):
    modules = [MODULE.format(0, name) for name in ("gate", "up")]
    with pytest.raises(frit.InvalidArgumentError, match="expected one for all modules"):
        frit.peft.load(FOLDERS).stack([MODULE.format(0, name) for name in ("gate", "down")])
    stack = adapters.stack(modules, rank=16)
    assert [a.shape for a in stack.a] == [(2, 16, 32)] * 2 and [b.shape for b in stack.b] == [(2, 96, 16)] * 2
    assert stack.ranks.tolist() == [[4, 8], [4, 0]]
    x, ids = np.ones((2, 32), np.float32), np.array([0, 1], np.int32)
    y = frit.ops.lora_matmul(x, ids, stack.a, stack.b, scales=stack.scales, ranks=stack.ranks)
    single = adapters.stack(modules[0])
    assert (y[:, :96] == frit.ops.lora_matmul(x, ids, single.a, single.b, scales=single.scales, ranks=single.ranks)).all()
    assert (y[1, 96:] == 0).all()


def test_torch(adapters):
    torch = pytest.importorskip("torch")
    stack = adapters.stack(MODULE.format(0, "up"), like=torch.zeros(0))
    expected = adapters.stack(MODULE.format(0, "up"))
    for tensor, array in zip(stack, expected):
        assert isinstance(tensor, torch.Tensor) and (tensor.numpy() == array).all()


def write(folder, config, tensors):
    folder.mkdir()
    (folder / "adapter_config.json").write_text(json.dumps({"peft_type": "LORA", "r": 2, "lora_alpha": 4} | config))
    save_file({f"base_model.model.q.lora_{name}.weight": value for name, value in tensors.items()},
              folder / "adapter_model.safetensors")
    return folder


def test_refused(tmp_path, adapters):
    a, b = np.ones((2, 4), np.float32), np.ones((3, 2), np.float32)
    good = write(tmp_path / "good", {}, {"A": a, "B": b})
    refused = {
        "no such folder": (tmp_path / "none", "cannot read: No such file"),
        "dora": (write(tmp_path / "dora", {"use_dora": True}, {"A": a, "B": b}), "use_dora"),
        "half": (write(tmp_path / "half", {}, {"A": a}), "lora_B"),
        "rank": (write(tmp_path / "rank", {"r": 8}, {"A": a, "B": b}), "8"),
        "sizes": (write(tmp_path / "sizes", {}, {"A": np.ones((2, 5), np.float32), "B": b}), "A and B are"),
    }
    for name, (folder, message) in refused.items():
        with pytest.raises(frit.InvalidArgumentError, match=f"adapter '{name}': .*{message}"):
            frit.peft.load({"good": good, name: folder})
    with pytest.raises(frit.InvalidArgumentError, match="adapters is one path"):
        frit.peft.load(good)
    with pytest.raises(frit.InvalidArgumentError, match="zero character"):
        frit.peft.load({"a\0b": good})
    with pytest.raises(frit.InvalidArgumentError, match="no adapter has the module 'model'"):
        adapters.stack("model")
    with pytest.raises(frit.InvalidArgumentError, match="room for 2 adapters in dimension 0, found 1"):
        adapters.stack(MODULE.format(0, "up"), slots=1)
    with pytest.raises(frit.InvalidArgumentError, match="ranks up to 3, found 4 in 'first'"):
        adapters.stack(MODULE.format(0, "up"), rank=3)
    for slots in (-1, 2.0, True, 2**63):
        with pytest.raises(frit.InvalidArgumentError, match="slots is"):
            adapters.stack(MODULE.format(0, "up"), slots=slots)


def test_handle(adapters):
    assert copy.deepcopy(adapters) is adapters
    with pytest.raises(frit.UnsupportedTypeError):
        pickle.dumps(adapters)
