# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a LoRA op computes, as numbers and words. Needs Python alone."""

import dataclasses


@dataclasses.dataclass
class Problem:
    """What a case is about; see NUMERICS for the words."""

    dtype: str = "bf16"
    weights: str = "bf16"
    tokens: int = 1
    k: int = 64
    n: tuple = (64,)
    rank: int = 16
    adapters: int = 4
    rounding: str = "final"
    element: bool = False
    scale: float = 1.0
    scales: bool = False
    ranks: str = ""  # "", "shared", "sliced"
    accumulate: bool = True
    offset: int = 0
    x_pad: int = 0
    y_pad: int = 0
    shift: int = 0
    grouping: str = ""  # "", "group", "engine"
    op: str = "matmul"  # "shrink", "expand"
    seed: int = 0

    def name(self):
        return self.dtype if self.weights == self.dtype else f"{self.dtype}_{self.weights}"
