# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""cuBLASLt's matmuls, asked for as the runtime does: out = x w^T, summed in f32, with any of the algorithms that its heuristics name."""

import ctypes
import functools
import itertools

COMPUTE_32F, R_32F, R_16BF = 68, 0, 14
TRANSPOSE_A = 3  # cublasLtMatmulDescAttributes_t
MAX_WORKSPACE, REDUCTIONS, FIRST_ALIGNMENT = 1, 3, 5  # cublasLtMatmulPreferenceAttributes_t
SUMS_IN_COMPUTE_TYPE = 2
TENSOR_MAPS, STAGES_64 = 66, 35  # The id of kernels with tensor maps, and the only stages that they have.
TILE_IDS, OPTIONS = 6, 8  # cublasLtMatmulAlgoCapAttributes_t; custom options of kernels with tensor maps.
CLUSTERS = tuple(range(2, 13))  # cublasLtClusterShape_t, 1x1 to 1x8.
WORKSPACE = 32 << 20
# cublasLtMatmulAlgoConfigAttributes_t
CONFIG = {"id": 0, "tile": 1, "splits": 2, "reduction": 3, "swizzle": 4, "custom": 5, "stages": 6, "inner": 7, "cluster": 8}
SHORT = ("inner", "cluster")


class Algorithm(ctypes.Structure):
    _fields_ = [("data", ctypes.c_uint64 * 8)]


class Found(ctypes.Structure):
    _fields_ = [("algorithm", Algorithm), ("workspace", ctypes.c_size_t), ("state", ctypes.c_int), ("waves", ctypes.c_float),
                ("reserved", ctypes.c_int * 4)]


@functools.cache
def library():
    for name in ("libcublasLt.so.13", "/usr/local/cuda/lib64/libcublasLt.so.13", "libcublasLt.so.12"):
        try:
            return ctypes.CDLL(name)
        except OSError:
            continue
    raise RuntimeError("cuBLASLt cannot be opened")


def call(name, *arguments):
    if code := getattr(library(), name)(*arguments):
        raise RuntimeError(f"{name}: status {code}")


@functools.cache
def handle():
    value = ctypes.c_void_p()
    call("cublasLtCreate", ctypes.byref(value))
    return value


def new_algorithm():
    algorithm = Algorithm()
    call("cublasLtMatmulAlgoInit", handle(), COMPUTE_32F, R_32F, R_16BF, R_16BF, R_16BF, R_16BF, TENSOR_MAPS, ctypes.byref(algorithm))
    return algorithm


def forms(splits):
    """All that `Matmul.make` may be asked for; most sizes take a part of it."""
    tiles, written = (ctypes.c_uint32 * 1024)(), ctypes.c_size_t()
    call("cublasLtMatmulAlgoCapGetAttribute", ctypes.byref(new_algorithm()), TILE_IDS, tiles, ctypes.sizeof(tiles), ctypes.byref(written))
    return list(itertools.product(tiles[:written.value // 4], splits, CLUSTERS, range(OPTIONS)))


def form(tile, splits, cluster, option):
    """What an algorithm with tensor maps is made of."""
    return {"tile": tile, "splits": splits, "reduction": SUMS_IN_COMPUTE_TYPE if splits > 1 else 0, "custom": option, "stages": STAGES_64,
            "cluster": cluster}


def layout(rows, columns, stride):
    value = ctypes.c_void_p()
    call("cublasLtMatrixLayoutCreate", ctypes.byref(value), R_16BF, ctypes.c_uint64(rows), ctypes.c_uint64(columns), ctypes.c_int64(stride))
    return value


def field(name):
    return ctypes.c_uint16 if name in SHORT else ctypes.c_uint32


def config(algorithm):
    """What an algorithm is made of."""
    values = {}
    for name, attribute in CONFIG.items():
        value, written = field(name)(), ctypes.c_size_t()
        call("cublasLtMatmulAlgoConfigGetAttribute", ctypes.byref(algorithm), attribute, ctypes.byref(value), ctypes.sizeof(value),
             ctypes.byref(written))
        values[name] = value.value
    return values


class Matmul:
    """Matmuls of one size: m tokens, n rows of weights, k."""

    def __init__(self, m, n, k, requested=16):
        self.desc = ctypes.c_void_p()
        call("cublasLtMatmulDescCreate", ctypes.byref(self.desc), COMPUTE_32F, R_32F)
        one = ctypes.c_int32(1)
        call("cublasLtMatmulDescSetAttribute", self.desc, TRANSPOSE_A, ctypes.byref(one), 4)
        # Column-major: out^T = w x^T.
        self.w, self.x, self.out = layout(k, n, k), layout(k, m, k), layout(n, m, n)
        preference = ctypes.c_void_p()
        call("cublasLtMatmulPreferenceCreate", ctypes.byref(preference))

        def prefer(attribute, value):
            call("cublasLtMatmulPreferenceSetAttribute", preference, attribute, ctypes.byref(value), ctypes.sizeof(value))

        prefer(MAX_WORKSPACE, ctypes.c_uint64(WORKSPACE))
        prefer(REDUCTIONS, ctypes.c_uint32(SUMS_IN_COMPUTE_TYPE))
        for i in range(4):
            prefer(FIRST_ALIGNMENT + i, ctypes.c_uint32(256))
        found, count = (Found * requested)(), ctypes.c_int()
        call("cublasLtMatmulAlgoGetHeuristic", handle(), self.desc, self.w, self.x, self.out, self.out, preference, requested, found,
             ctypes.byref(count))
        call("cublasLtMatmulPreferenceDestroy", preference)
        self.found = [f for f in found[:count.value] if f.state == 0]

    def make(self, tile, splits, cluster, option):
        """The index of an algorithm with tensor maps that the heuristics need not name."""
        made, algorithm = Found(), new_algorithm()
        for name, number in form(tile, splits, cluster, option).items():
            value = field(name)(number)
            call("cublasLtMatmulAlgoConfigSetAttribute", ctypes.byref(algorithm), CONFIG[name], ctypes.byref(value), ctypes.sizeof(value))
        call("cublasLtMatmulAlgoCheck", handle(), self.desc, self.w, self.x, self.out, self.out, ctypes.byref(algorithm), ctypes.byref(made))
        if made.workspace > WORKSPACE:
            raise RuntimeError(f"it needs {made.workspace} bytes of workspace")
        made.algorithm = algorithm
        self.found.append(made)
        return len(self.found) - 1

    def __call__(self, stream, x, w, out, workspace, index=0):
        """Tensors, of rows behind each other; `workspace` has WORKSPACE bytes."""
        found, alpha, beta = self.found[index], ctypes.c_float(1), ctypes.c_float(0)
        pointer = lambda t: ctypes.c_void_p(t.data_ptr())
        call("cublasLtMatmul", handle(), self.desc, ctypes.byref(alpha), pointer(w), self.w, pointer(x), self.x, ctypes.byref(beta),
             pointer(out), self.out, pointer(out), self.out, ctypes.byref(found.algorithm), pointer(workspace),
             ctypes.c_size_t(found.workspace), ctypes.c_void_p(stream))
