# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The Python blocks of the guides, run in order. Those with PyTorch are left out where it is not installed."""

import importlib.util
import re

import pytest
from conftest import ROOT

HAS_TORCH = importlib.util.find_spec("torch") is not None


@pytest.mark.parametrize("page", ["docs/Python.md", "docs/Serving.md", "python/README.md"])
def test_page(page, monkeypatch):
    monkeypatch.chdir(ROOT)  # paths are those of a checkout
    blocks = re.findall(r"^```python\n(.*?)^```$", (ROOT / page).read_text(), flags=re.DOTALL | re.MULTILINE)
    assert blocks
    scope = {}
    for block in blocks:
        if HAS_TORCH or "torch" not in block:
            exec(compile(block, page, "exec"), scope)


@pytest.mark.parametrize("example", sorted((ROOT / "examples" / "python").glob("*.py")), ids=lambda path: path.stem)
def test_example(example, capsys):
    source = example.read_text()
    if "import torch" in source and not HAS_TORCH:
        pytest.skip("needs PyTorch")
    exec(compile(source, str(example), "exec"), {"__name__": "__main__", "__file__": str(example)})
    assert capsys.readouterr().out
