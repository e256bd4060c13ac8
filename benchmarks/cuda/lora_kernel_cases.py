# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""LoRA problems whose kernels are launched by hand."""

import torch

import lora_kernels as lk
from lora_cases import Case, stream


class KernelCase(Case):
    """A problem's operands, and the kernels of a library."""

    def __init__(self, p, library, ids=None):
        super().__init__(p, ids)
        self.library = library

    def call(self):
        p = self.p
        flags = lk.ACCUMULATE if p.accumulate else 0
        flags |= {"final": 0, "sum": lk.ROUND_SUM, "stepwise": lk.STEPWISE}[p.rounding]
        if p.element:
            flags |= lk.ROUND_HIDDEN
        if self.h.all.dtype != torch.float32 or p.weights == "f32":
            flags |= lk.ELEMENT_HIDDEN
        if p.op == "shrink":
            flags = (flags & ~(lk.STEPWISE | lk.ROUND_HIDDEN)) | lk.SHRINK_ONLY
        if p.op == "expand":
            flags |= lk.EXPAND_ONLY

        def address(t):
            return t.address() if t is not None else 0

        return lk.Call(
            tokens=p.tokens, k=p.k, n=list(p.n), rank=p.rank, adapters=p.adapters,
            x=self.x.address(), ids=self.ids.address(),
            a=[t.address() for t in self.a], b=[t.address() for t in self.b],
            scales=address(self.scales), ranks=address(self.ranks),
            rank_stride=p.adapters if p.ranks == "sliced" else 0,
            order=address(self.order), starts=address(self.starts),
            active=address(self.active), groups=getattr(self, "groups", 0),
            h=self.h.address(), y=self.y.address(), x_stride=self.x.stride,
            h_slice_stride=p.tokens * p.rank, h_stride=p.rank,
            y_stride=self.y.stride, offset=p.offset, scale=p.scale, flags=flags)

    def check(self, kernel):
        """Of one launch of a kernel id."""
        return super().check(lambda: lk.launch(self.library, kernel, self.call(), stream()))
