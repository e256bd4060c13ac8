# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""sparse_ffn on the device: the method of gemma3n_mlp, and the dense layer of the same run beside each point."""

import functools

import mlp_suite
import pass_points
import sparse_choice
import sparse_points


@functools.lru_cache(maxsize=None)
def transposed_down(width):
    """The weights of down by columns of the activation, as a compiled function takes them that leaves zeros out."""
    return [down.T.contiguous() for _, down in mlp_suite.base_weights(width)]


class Suite(mlp_suite.Suite):
    """What run.py needs of the suite of sparse_points.py."""

    points = sparse_points

    def __init__(self, buffers):
        super().__init__(buffers)
        self.expected = {}

    def weights(self, point, function):
        if "sparse_ffn" not in function.kernel or pass_points.left_out(point.form) == "frit-transpose-weights":
            return super().weights(point, function)
        return [(gate_up, down) for (gate_up, _), down in
                zip(mlp_suite.base_weights(point["d"]), transposed_down(point["d"]))]

    def references(self, point):
        """The same for all forms of a point."""
        if point.sizes not in self.expected:
            self.expected[point.sizes] = list(super().references(point))
        return self.expected[point.sizes]

    finish = staticmethod(sparse_choice.finish)
