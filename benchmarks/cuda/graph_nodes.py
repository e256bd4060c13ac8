# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a captured graph holds: its nodes, and registers and local memory of the kernels in it."""

import ctypes

from driver import call, driver

KERNEL_NODE = 0
LOCAL_BYTES, REGISTERS = 3, 4  # CUfunction_attribute
CLUSTER_DIMENSION = 4  # CUlaunchAttributeID


class KernelParameters(ctypes.Structure):
    """CUDA_KERNEL_NODE_PARAMS."""

    _fields_ = [("function", ctypes.c_void_p), ("grid", ctypes.c_uint * 3), ("block", ctypes.c_uint * 3),
                ("shared", ctypes.c_uint), ("arguments", ctypes.c_void_p), ("extra", ctypes.c_void_p),
                ("kernel", ctypes.c_void_p), ("context", ctypes.c_void_p)]


class Kernel:
    """A kernel node. Its `arguments` are the graph's, and live as long as it does."""

    def __init__(self, node):
        self.parameters = KernelParameters()
        call("cuGraphKernelNodeGetParams_v2", node, ctypes.byref(self.parameters))
        self.function = ctypes.c_void_p(self.parameters.function)
        if not self.function:
            call("cuKernelGetFunction", ctypes.byref(self.function), ctypes.c_void_p(self.parameters.kernel))
        value = (ctypes.c_uint * 16)()
        call("cuGraphKernelNodeGetAttribute", node, CLUSTER_DIMENSION, value)
        self.cluster = max(1, value[0])

    @property
    def name(self):
        text = ctypes.c_char_p()
        call("cuFuncGetName", ctypes.byref(text), self.function)
        return text.value.decode()

    def attribute(self, which):
        value = ctypes.c_int()
        call("cuFuncGetAttribute", ctypes.byref(value), which, self.function)
        return value.value


def nodes(graph):
    """(number of nodes, kernels) of a torch.cuda.CUDAGraph that keeps its graph."""
    handle, count = ctypes.c_void_p(graph.raw_cuda_graph()), ctypes.c_size_t()
    call("cuGraphGetNodes", handle, None, ctypes.byref(count))
    found = (ctypes.c_void_p * count.value)()
    call("cuGraphGetNodes", handle, found, ctypes.byref(count))
    kernels = []
    for node in map(ctypes.c_void_p, found):
        kind = ctypes.c_int()
        call("cuGraphNodeGetType", node, ctypes.byref(kind))
        if kind.value == KERNEL_NODE:
            kernels.append(Kernel(node))
    return count.value, kernels


def resources(graph, calls):
    """The fields of a result file for a graph of so many equal calls. All local memory counts as spilled."""
    count, kernels = nodes(graph)
    kernels = kernels[:max(1, len(kernels) // calls)]
    if count % calls:
        raise RuntimeError(f"{count} nodes in a graph of {calls} calls")
    return {"nodes": count // calls, "registers": max((k.attribute(REGISTERS) for k in kernels), default=0),
            "spill_bytes": max((k.attribute(LOCAL_BYTES) for k in kernels), default=0),
            "functions": sorted({k.name for k in kernels})}
