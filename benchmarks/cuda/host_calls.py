# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Host time of a call of a compiled function, beside the launch of the same kernels with nothing around it."""

import ctypes
import statistics
import time

import torch

import driver
import graph_nodes

BATCHES, CALLS = 30, 100


def host_us(call):
    """Median over batches that are short enough to wait for nothing."""
    samples = []
    for _ in range(BATCHES):
        torch.cuda.synchronize()
        start = time.perf_counter()
        for _ in range(CALLS):
            call()
        samples.append((time.perf_counter() - start) / CALLS * 1e6)
    torch.cuda.synchronize()
    return statistics.median(samples)


def raw_launches(kernels, stream):
    """A function that launches kernels of a captured graph again; the graph must live as long."""
    launches = []
    for kernel in kernels:
        attributes = (driver.Attribute * 1)(driver.Attribute(driver.CLUSTER, b"", (ctypes.c_uint * 16)(kernel.cluster, 1, 1)))
        p = kernel.parameters
        config = driver.Config(p.grid, p.block, p.shared, stream, attributes, 1 if kernel.cluster > 1 else 0)
        launches.append((ctypes.byref(config), kernel.function, ctypes.c_void_p(p.arguments), config))
    launch = driver.driver.cuLaunchKernelEx

    def call():
        for config, function, arguments, _ in launches:
            launch(config, function, arguments, None)

    return call


def measure(function, arguments, graph, calls, stream):
    """{call_us, raw_us}; `graph` holds `calls` calls of the function."""
    kernels = graph_nodes.nodes(graph)[1]
    raw = raw_launches(kernels[:len(kernels) // calls], stream.cuda_stream)
    entry, context, address = function.entry, function.runtime.context, arguments.address
    return {"call_us": host_us(lambda: entry(context, address)), "raw_us": host_us(raw)}
