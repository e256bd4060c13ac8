# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Loads the LoRA kernels and launches them by their launch plans.

Only the driver API is used here, so that the memory checker can run a script
that imports nothing large. Buffers are device addresses.
"""

import ctypes
import dataclasses
import pathlib

from cuda.bindings import driver

ACCUMULATE, ROUND_SUM, STEPWISE, ROUND_HIDDEN = 1, 2, 4, 8
SHRINK_ONLY, EXPAND_ONLY, ELEMENT_HIDDEN = 16, 32, 64
WARPS, WINDOW, MAX_SLICES, SHARED_TOTAL = 8, 32, 8, 232448
SHARED_LIMIT = SHARED_TOTAL - 2048


def check(result):
    """The values of a driver call, which must have succeeded."""
    error, *values = result
    if error != driver.CUresult.CUDA_SUCCESS:
        raise RuntimeError(f"driver call failed: {error}")
    return values[0] if values else None


@dataclasses.dataclass(frozen=True)
class Kernel:
    """A kernel id: a function and the size of its clusters."""

    dtype: str  # "bf16", "f16", "f32", "bf16_f32", "f16_f32"
    tokens: int  # of a tile
    cluster: int

    @property
    def function(self):
        return f"frit_lora_tile{self.tokens}_{self.dtype}"

    def shared_bytes(self, rank):
        """Dynamic shared memory of a block."""
        ranks = 16 if rank <= 16 else -(-rank // 32) * 32
        at_once = 16 * (2 if self.tokens > 16 else 4)
        pitch = (2 * ranks + 95) // 128 * 64 + 16
        return (4 * WARPS * self.tokens * (min(ranks, at_once) + 4)
                + 2 * 3 * self.tokens * pitch
                + 4 * self.cluster * self.tokens * ranks)

    def fits(self, rank):
        return self.shared_bytes(rank) <= SHARED_LIMIT

    def tiles(self, tokens, adapters, groups=None):
        """Tiles that any batch may need; `groups` is None without a grouping."""
        def most(tokens, used):
            return (tokens + min(used, tokens) * (self.tokens - 1)) // self.tokens
        if groups is not None:
            return most(tokens, groups)
        if tokens <= WINDOW:
            return most(tokens, adapters)
        return -(-tokens // WINDOW) * most(WINDOW, adapters)


    def grid(self, call):
        groups = call.groups if call.order else None
        return (self.cluster * self.tiles(call.tokens, call.adapters, groups), len(call.n), self.parts_of(call))

    def parts_of(self, _):
        """Along the grid's z: clusters that divide the ranks, or blocks that divide the columns."""
        return 1


def staged_bytes(tokens, ranks, stages, hidden, weights):
    """Dynamic shared memory of kernels by way of it: stages of x and A, or rank vectors and stages of B; the inbox."""
    staged = stages * 2 * 64 * (tokens + ranks)
    weight_stages = max(3, min(4, (staged - hidden) // weights))
    return max(staged, hidden + weight_stages * weights) + 4 * ranks * (tokens + 16)


@dataclasses.dataclass(frozen=True)
class Staged(Kernel):
    """A kernel id of the kernels by way of shared memory, for ranks up to `ranks`."""

    ranks: int = 64  # 64, 128, 256

    @property
    def function(self):
        return f"frit_lora_staged{self.tokens}_{self.ranks}_{self.dtype}"

    def shared_bytes(self, _):
        return staged_bytes(self.tokens, self.ranks, 3 if self.ranks > 128 else 4,
                            2 * self.tokens * (2 * self.ranks + 16), 2 * 128 * min(self.ranks, 64))

    def fits(self, rank):
        return rank <= self.ranks


def wide_bytes(ranks, half=""):
    """Dynamic shared memory of the wide kernels, of both halves, "shrink" or "expand" (WideShape.cuh)."""
    alone = ranks > 64 and half != "shrink"
    staged = (3 if alone else 4) * (2 if alone and ranks <= 128 else 1) * 128 * (64 + ranks)
    inbox = 4 * ranks * (64 + 16)
    if half == "shrink":
        return 1024 + staged + inbox
    chunks, slot, weights = max(ranks // 64, 1), 2 * 128 * (128 if alone else 64), 3 if alone else 2
    hidden, outputs = (3 if half == "expand" and ranks <= 128 else 2) * chunks * 128 * 64, -(-weights // chunks)
    second = hidden + (weights + outputs) * slot
    if half == "expand":
        return 1024 + second
    ahead = weights - 1
    first = max(ahead - (outputs - 1) * chunks, 0)
    early = weights + -(-(ahead - first) // chunks) if first < ahead else ahead
    return 1024 + max(second, max(staged, hidden + early * slot) + inbox)


@dataclasses.dataclass(frozen=True)
class Wide(Staged):
    """A kernel id of the kernels on the wide matrix units."""

    @property
    def function(self):
        return f"frit_lora_wide{self.ranks}_{self.dtype}"

    def shared_bytes(self, _):
        return wide_bytes(self.ranks)


@dataclasses.dataclass(frozen=True)
class Flow(Staged):
    """A kernel id of the kernels whose operands flow through one ring of shared memory (FlowShape.cuh)."""

    slots: int = 4  # 2 from rank 32 on
    depth: int = 256

    @property
    def function(self):
        return f"frit_lora_flow{self.tokens}_{self.ranks}_{self.dtype}"

    def shared_bytes(self, _):
        tokens, ranks = self.tokens, self.ranks
        warps = max(8 // (min(8, ranks // 8) * min(tokens // 16, max(64 // ranks, 1))), 1)
        inbox = 16 * tokens if tokens == 16 and ranks <= 32 else tokens + 16
        return (self.slots * 2 * self.depth * (tokens + ranks) + 4 * warps * tokens * (ranks + 4) + 4 * ranks * inbox
                + 3 * tokens * (2 * ranks + 16))


@dataclasses.dataclass(frozen=True)
class Decode(Kernel):
    """A kernel id of the kernels with a cluster a token or a tile of eight: the most ranks that it takes."""

    ranks: int = 16  # 16; with one token also 64
    parts: int = 1  # clusters of a token, which divide the columns and change no bits

    @property
    def function(self):
        tile = "_tile8" if self.tokens == 8 else ""
        return f"frit_lora_decode{'' if self.ranks == 16 else self.ranks}{tile}_{self.dtype}"

    def shared_bytes(self, _):
        return 0

    def fits(self, rank):
        return rank <= self.ranks

    def tiles(self, tokens, adapters, groups=None):
        return tokens * self.parts if self.tokens == 1 else super().tiles(tokens, adapters, groups)


@dataclasses.dataclass(frozen=True)
class DecodeShrink(Decode):
    """The first half of one token or of tiles of eight, `ranks` a cluster."""

    @property
    def function(self):
        return super().function.removesuffix(self.dtype) + f"shrink_{self.dtype}"

    def fits(self, rank):
        return True

    def parts_of(self, call):
        return -(-call.rank // self.ranks)


@dataclasses.dataclass(frozen=True)
class FlowShrink(Flow):
    """The first half through the ring, `ranks` a cluster."""

    @property
    def function(self):
        return f"frit_lora_flow{self.tokens}_{self.ranks}_shrink_{self.dtype}"

    def shared_bytes(self, _):
        tokens, ranks = self.tokens, self.ranks
        warps = max(8 // (min(8, ranks // 8) * min(tokens // 16, max(64 // ranks, 1))), 1)
        return self.slots * 2 * 256 * (tokens + ranks) + 4 * warps * tokens * (ranks + 4) + 4 * ranks * (tokens + 16)

    fits, parts_of = DecodeShrink.fits, DecodeShrink.parts_of


@dataclasses.dataclass(frozen=True)
class WideShrink(Wide):
    """The first half on the wide matrix units, `ranks` a cluster."""

    @property
    def function(self):
        return f"frit_lora_wide{self.ranks}_shrink_{self.dtype}"

    def shared_bytes(self, _):
        return wide_bytes(self.ranks, "shrink")

    fits, parts_of = DecodeShrink.fits, DecodeShrink.parts_of


@dataclasses.dataclass(frozen=True)
class FlowExpand(Staged):
    """The second half through the ring: no cluster, `parts` blocks a tile divide the columns."""

    slots: int = 2
    depth: int = 256
    parts: int = 16

    @property
    def function(self):
        return f"frit_lora_flow{self.tokens}_{self.ranks}_expand_{self.dtype}"

    def shared_bytes(self, _):
        tokens, ranks = self.tokens, self.ranks
        return self.slots * 2 * self.depth * (tokens + ranks) + 4 * ranks * tokens + 3 * tokens * (2 * ranks + 16)

    def parts_of(self, _):
        return self.parts


@dataclasses.dataclass(frozen=True)
class WideExpand(Staged):
    """The second half on the wide matrix units: as FlowExpand."""

    parts: int = 16

    @property
    def function(self):
        return f"frit_lora_wide{self.ranks}_expand_{self.dtype}"

    def shared_bytes(self, _):
        return wide_bytes(self.ranks, "expand")

    parts_of = FlowExpand.parts_of


class Library:
    """The functions of the images in a folder of cubins."""

    def __init__(self, folder, dependent=True):
        """`dependent`: a kernel may start before the one before it ends."""
        self.dependent = dependent
        self.modules = []
        for path in sorted(pathlib.Path(folder).glob("*.cubin")):
            data = path.read_bytes()
            self.modules.append(check(driver.cuModuleLoadData(data)))
        self.functions = {}

    def function(self, name):
        if name not in self.functions:
            for module in self.modules:
                error, found = driver.cuModuleGetFunction(module, name.encode())
                if error == driver.CUresult.CUDA_SUCCESS:
                    break
            else:
                raise KeyError(name)
            attribute = driver.CUfunction_attribute
            static = check(driver.cuFuncGetAttribute(
                attribute.CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, found))
            check(driver.cuFuncSetAttribute(
                found, attribute.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                min(SHARED_LIMIT, SHARED_TOTAL - static)))
            check(driver.cuFuncSetAttribute(
                found,
                attribute.CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1))
            self.functions[name] = found
        return self.functions[name]

    def launch(self, name, grid, block, cluster, shared, arguments, stream):
        """Launches once; `arguments` are ctypes values."""
        if 0 in grid:
            return
        config = driver.CUlaunchConfig()
        config.gridDimX, config.gridDimY, config.gridDimZ = grid
        config.blockDimX, config.blockDimY, config.blockDimZ = block, 1, 1
        config.sharedMemBytes = shared
        config.hStream = stream
        ids = driver.CUlaunchAttributeID
        attributes = []
        if cluster > 1:
            attribute = driver.CUlaunchAttribute()
            attribute.id = ids.CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION
            attribute.value.clusterDim.x = cluster
            attribute.value.clusterDim.y = 1
            attribute.value.clusterDim.z = 1
            attributes.append(attribute)
        if self.dependent:
            attribute = driver.CUlaunchAttribute()
            attribute.id = ids.CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION
            attribute.value.programmaticStreamSerializationAllowed = 1
            attributes.append(attribute)
        config.attrs, config.numAttrs = attributes, len(attributes)
        pointers = (ctypes.c_void_p * len(arguments))(
            *(ctypes.addressof(a) for a in arguments))
        check(driver.cuLaunchKernelEx(config, self.function(name),
                                      ctypes.addressof(pointers), 0))


@dataclasses.dataclass
class Call:
    """The operands of one LoRA op. Addresses are 0 where an operand is absent."""

    tokens: int
    k: int
    n: list
    rank: int
    adapters: int
    x: int = 0
    ids: int = 0
    a: list = dataclasses.field(default_factory=list)
    b: list = dataclasses.field(default_factory=list)
    scales: int = 0
    ranks: int = 0
    rank_stride: int = 0
    order: int = 0
    starts: int = 0
    active: int = 0
    groups: int = 0
    h: int = 0
    y: int = 0
    x_stride: int = 0
    h_slice_stride: int = 0
    h_stride: int = 0
    y_stride: int = 0
    offset: int = 0
    scale: float = 1.0
    flags: int = ACCUMULATE

    def arguments(self):
        def padded(values):
            return list(values) + [0] * (MAX_SLICES - len(values))

        pointers = [self.x, self.ids, *padded(self.a), *padded(self.b),
                    self.scales, self.ranks, self.order, self.starts,
                    self.active, self.h, self.y]
        sizes = [*padded(self.n), self.tokens, self.k, self.rank, self.adapters,
                 self.groups, self.rank_stride, self.x_stride,
                 self.h_slice_stride, self.h_stride, self.y_stride, self.offset]
        return ([ctypes.c_void_p(p) for p in pointers]
                + [ctypes.c_int64(s) for s in sizes]
                + [ctypes.c_float(self.scale), ctypes.c_int32(self.flags)])


def launch(library, kernel, call, stream):
    """One launch of a LoRA op."""
    library.launch(kernel.function, kernel.grid(call), 32 * WARPS, kernel.cluster,
                   kernel.shared_bytes(call.rank), call.arguments(), stream)


def launch_group(library, ids, order, starts, tokens, groups, stream):
    """order and starts from ids."""
    cluster = 1
    while cluster < 8 and cluster * 512 < tokens:
        cluster *= 2
    padded = -(-(groups + 1) // 4) * 4
    shared = 4 * (16 * (groups + 1) + (cluster + 1) * padded)
    arguments = [ctypes.c_void_p(ids), ctypes.c_void_p(order), ctypes.c_void_p(starts),
                 ctypes.c_int64(tokens), ctypes.c_int64(groups)]
    if shared > SHARED_LIMIT:
        library.launch("frit_lora_group_many", (1, 1, 1), 512, 1, 0, arguments, stream)
    else:
        library.launch("frit_lora_group", (cluster, 1, 1), 512, cluster, shared,
                       arguments, stream)
