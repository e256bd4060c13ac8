# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Small launches of every LoRA kernel, for compute-sanitizer.

Every buffer is an allocation of exactly its size, so that the memory checker
sees the first byte beyond a row.

  compute-sanitizer --tool memcheck --report-api-errors no python3 lora_sanitize.py DIR

A kernel is looked for in one image after the other, and where it is not the driver says so: API errors are no findings.
"""

import sys

import numpy
from cuda.bindings import driver

import lora_kernels as lk

SIZES = {"f32": 4, "f16": 2, "bf16": 2}


def upload(array):
    address = lk.check(driver.cuMemAlloc(max(array.nbytes, 1)))
    if array.nbytes:
        lk.check(driver.cuMemcpyHtoD(address, array.ctypes.data, array.nbytes))
    return int(address)


def random_elements(rng, dtype, *shape):
    """Values near one as bits of the type; bf16 is the high half of f32."""
    values = rng.standard_normal(shape).astype(numpy.float32)
    if dtype == "f16":
        return values.astype(numpy.float16)
    if dtype == "bf16":
        return (values.view(numpy.uint32) >> 16).astype(numpy.uint16)
    return values


def main():
    lk.check(driver.cuInit(0))
    device = lk.check(driver.cuDeviceGet(0))
    context = lk.check(driver.cuDevicePrimaryCtxRetain(device))
    lk.check(driver.cuCtxSetCurrent(context))
    library = lk.Library(sys.argv[1])
    rng = numpy.random.default_rng(3)
    shapes = [  # tokens, k, n, rank
        (3, 64, [32], 16), (5, 75, [33, 17], 9), (19, 256, [70], 40), (37, 129, [64], 72)]
    launches = 0
    for name in ("bf16", "f16", "f32", "bf16_f32", "f16_f32"):
        x_type, _, w_type = name.partition("_")
        w_type = w_type or x_type
        staged = [(lk.Staged, 16, 64), (lk.Wide, 64, 64), (lk.Flow, 16, 16, 4), (lk.Flow, 32, 16, 4), (lk.Flow, 16, 64, 2)]
        staged = staged if name == "bf16" else []
        for tile in [*((1, 8, 16) if name in ("bf16", "f16") else (16,)), *staged]:
            for index, (t, k, n, rank) in enumerate(shapes):
                layers, cluster = 3, (1, 2, 4, 8)[index]
                kernel = lk.Kernel(name, tile, cluster)
                if tile == 1:
                    kernel = lk.Decode(name, 1, cluster, 64)
                elif tile in staged:
                    family, tokens, *rest = tile
                    kernel = family(name, tokens, max(cluster, 2), *rest)
                if not kernel.fits(rank):
                    continue
                ids = rng.integers(-1, layers + 1, t).astype(numpy.int32)
                call = lk.Call(
                    tokens=t, k=k, n=n, rank=rank, adapters=layers,
                    x=upload(random_elements(rng, x_type, t, k)), ids=upload(ids),
                    a=[upload(random_elements(rng, w_type, layers, rank, k)) for _ in n],
                    b=[upload(random_elements(rng, w_type, layers, w, rank)) for w in n],
                    ranks=upload(numpy.array([rank, rank // 2, 1], numpy.int32)),
                    h=upload(random_elements(rng, "f32", len(n), t, rank)),
                    y=upload(random_elements(rng, x_type, t, sum(n))), x_stride=k,
                    h_slice_stride=t * rank, h_stride=rank, y_stride=sum(n))
                if index % 2 or tile in staged:
                    call.order = upload(numpy.zeros(t, numpy.int32))
                    call.starts = upload(numpy.zeros(layers + 1, numpy.int32))
                    call.groups = layers
                    lk.launch_group(library, call.ids, call.order, call.starts, t, layers, 0)
                for mode in (0,) if tile == 1 or tile in staged else (0, lk.SHRINK_ONLY, lk.EXPAND_ONLY):
                    call.flags = lk.ACCUMULATE | mode
                    lk.launch(library, kernel, call, 0)
                    lk.check(driver.cuCtxSynchronize())
                    launches += 1
    print(launches, "launches")


if __name__ == "__main__":
    main()
