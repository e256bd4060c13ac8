# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a suite measures: points, and the graph of one op that each of them is. Needs Python alone."""

import dataclasses

SIZES = {"bf16": 2, "f16": 2, "f32": 4}


@dataclasses.dataclass(frozen=True)
class Point:
    """One op at static sizes.

    `form` is "" for the default form. `kernel` is a kernel id that the op names, or "" for the compiler's choice."""

    op: str
    dtype: str
    sizes: tuple  # of (name, value), in the order of the result file
    form: str = ""
    kernel: str = ""

    @property
    def shape(self):
        return {name: list(value) if isinstance(value, tuple) else value for name, value in self.sizes}

    def __getitem__(self, name):
        return dict(self.sizes)[name]

    @property
    def function(self):
        """A name for the function, unlike that of any other point."""
        values = "_".join("x".join(map(str, v)) if isinstance(v, tuple) else str(v) for _, v in self.sizes)
        parts = [self.op, self.dtype, values, self.form, self.kernel.replace(".", "_")]
        return "_".join(p for p in parts if p)

    def pinned(self, kernel):
        return dataclasses.replace(self, kernel=kernel)

    def kernel_attribute(self):
        """The attributes of the op in the graph: its kernel, where one is named."""
        return f' {{frit.kernel = #frit.kernel<"{self.kernel}">}}' if self.kernel else ""
