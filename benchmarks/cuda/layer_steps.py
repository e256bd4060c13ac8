# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The steps of a layer of Gemma3n's MLP, launched without the compiler, each in any of its forms."""

import ctypes
import dataclasses
import functools
import math
import pathlib

import torch

import activation_plans
import cublaslt
import lora_kernels as lk
from driver import Image, Launch
from kernel_lab import MULTIPLIER, arguments as activation_arguments
from lora_activation import HIDDEN_LATE, FusedCall
from sparse_kernels import Gemv, GemvCall

BESIDE_KERNEL = 128  # kernels/Lora/Arguments.cuh
HIDDEN, LAYERS, ADAPTERS, RANK = 2048, 10, 4, 16


def random_weight(*shape):
    return (torch.randn(shape, device="cuda") / math.sqrt(shape[-1])).to(torch.bfloat16)


class Lab:
    def __init__(self, directory):
        self.directory = pathlib.Path(directory)
        torch.zeros(1, device="cuda")
        self.workspace = torch.empty(cublaslt.WORKSPACE, dtype=torch.uint8, device="cuda")
        self.side = torch.cuda.Stream()

    @functools.cache
    def image(self, name):
        return Image(next(p for p in self.directory.iterdir() if p.stem == name and p.suffix in (".fatbin", ".cubin")))

    @functools.cache
    def weights(self, width):
        adapters = lambda k, n: (random_weight(ADAPTERS, RANK, k), 0.125 * random_weight(ADAPTERS, n, RANK))
        return [{"gate_up": random_weight(2 * width, HIDDEN), "down": random_weight(HIDDEN, width),
                 "lora_gate_up": (adapters(HIDDEN, width), adapters(HIDDEN, width)), "lora_down": (adapters(width, HIDDEN),)}
                for _ in range(LAYERS)]


def table_lora(tokens, slices):
    """What the kernel table chooses for rank 16."""
    groups = ADAPTERS if tokens > lk.WINDOW else None
    decode = [(1, c, 128) for c in (8, 16, 4)] if tokens <= 8 else []
    decode += [(8, c, most) for c, most in ((16, 112), (8, 240), (4, 272))] if tokens <= 128 else []
    ids = [(lk.Decode("bf16", m, c, 16), most) for m, c, most in decode]
    ids += [(lk.Flow("bf16", m, c, 16), most)
            for m, c, most in ((16, 8, 256), (16, 6, 240), (32, 6, 240), (16, 3, 240), (32, 4, 256), (16, 2, 272), (32, 2, 272))]
    if tokens * slices >= 3072:
        ids += [(lk.Wide("bf16", 64, c, 32), 264) for c in (8, 5, 4, 3, 2)]
    ids.append((lk.Kernel("bf16", 16, 1), 10**9))
    return next(k for k, most in ids if k.cluster * k.tiles(tokens, ADAPTERS, groups) * slices <= most)


# Of lib/Runtime/Cuda/CublasLt/Preferred.cpp: least and most tokens, widths, and tile, splits, cluster and option.
PREFERRED = {"gate_up": [(1, 8, (16384,), (393, 1, 3, 1)), (9, 16, (16384,), (394, 1, 3, 1)), (17, 32, (16384,), (16, 1, 3, 1)),
                         (33, 64, (16384,), (18, 1, 3, 1)), (129, 256, (8192,), (23, 1, 3, 7)), (768, 4096, (8192, 16384), (197, 1, 5, 2))],
             "down": [(129, 256, (8192,), (134, 1, 9, 0)), (129, 256, (16384,), (20, 4, 3, 1)), (1536, 4096, (8192,), (21, 1, 5, 3)),
                      (1536, 4096, (16384,), (23, 1, 5, 7))]}


def table_product(product, name, tokens, width):
    """The choice among cuBLASLt's algorithms that the runtime makes."""
    for least, most, widths, form in PREFERRED[name]:
        if least <= tokens <= most and width in widths:
            return "lt", product.make(*form)
    return "lt", 0


def lora_candidates(tokens, slices):
    grouped = tokens > lk.WINDOW
    ids = [lk.Kernel("bf16", m, c) for m in (8, 16) for c in (1, 2, 4, 8, 16)]
    ids += [lk.Decode("bf16", m, c, 16) for m in (1, 8) for c in (4, 8, 16)]
    if grouped:
        ids += [lk.Wide("bf16", 64, c, 32) for c in (1, 2, 3, 4, 5, 6, 7, 8, 16)]
    blocks = lambda k: k.cluster * k.tiles(tokens, ADAPTERS, ADAPTERS if grouped else None) * slices
    return [k for k in ids if 16 <= blocks(k) <= 1600]


def shrink_candidates(tokens):
    """Kernels of the rank vectors of gate and up, the likeliest first."""
    ids = [lk.Kernel("bf16", m, c) for m in (16, 8) for c in (1, 2, 4, 8, 16)]
    blocks = lambda k: 2 * k.cluster * k.tiles(tokens, ADAPTERS, ADAPTERS)
    return [k for k in ids if 64 <= blocks(k) <= 600]


def lora_name(kernel):
    return f"{kernel.function.removeprefix('frit_lora_').removesuffix('_bf16')}x{kernel.cluster}"


@dataclasses.dataclass(frozen=True)
class Exact(Gemv):
    """A plan of a product with so many clusters, or as many as Gemv has."""

    count: int = 0

    @property
    def clusters(self):
        return self.count or super().clusters


class Layer:
    """Operands of ten layers of one width for so many tokens, and the steps on them. A choice is a dictionary: `gate_up` and `down` are
    ("lt", index) or ("gemv", early, blocks of a cluster, clusters); `lora_*` a kernel of lora_kernels, (kernel, "beside") for one that
    waits late, or (shrink, expand, dependent) for a branch beside the matmul."""

    def __init__(self, lab, tokens, width, lora):
        self.lab, self.tokens, self.width, self.lora = lab, tokens, width, lora
        self.weights = lab.weights(width)
        torch.manual_seed(tokens)
        self.x = torch.randn(tokens, HIDDEN, device="cuda").to(torch.bfloat16)
        self.y = torch.empty(tokens, 2 * width, dtype=torch.bfloat16, device="cuda")
        self.h = torch.empty(tokens, width, dtype=torch.bfloat16, device="cuda")
        self.outs = [torch.empty_like(self.x) for _ in range(LAYERS)]
        self.ids = torch.randint(0, ADAPTERS, (tokens,), device="cuda", dtype=torch.int32)
        self.order = torch.empty_like(self.ids)
        self.starts = torch.empty(ADAPTERS + 1, dtype=torch.int32, device="cuda")
        self.ranks = {n: torch.empty(n, tokens, RANK, device="cuda") for n in (1, 2)}
        self.products = {"gate_up": cublaslt.Matmul(tokens, 2 * width, HIDDEN, 64), "down": cublaslt.Matmul(tokens, HIDDEN, width, 64)}
        plan = activation_plans.recommended(tokens, width, "bf16")
        self.activation = Launch(lab.image("gelu_and_mul_sparse_bf16"), f"frit_gelu_and_mul_sparse_{plan.family}_bf16_stepwise_tanh",
                                 plan.grid, plan.threads, plan.shared, plan.cluster)
        self.activation_name = plan.label
        self.launches = {}

    def default(self):
        return {**{name: table_product(product, name, self.tokens, self.width) for name, product in self.products.items()},
                "lora_gate_up": table_lora(self.tokens, 2), "lora_down": table_lora(self.tokens, 1)}

    def matmul(self, stream, name, choice, layer):
        x, out = (self.x, self.y) if name == "gate_up" else (self.h, self.outs[layer])
        w = self.weights[layer][name]
        if choice[0] == "lt":
            self.products[name](stream, x, w, out, self.lab.workspace, choice[1])
            return
        key = name, choice, layer
        if key not in self.launches:
            plan = Exact.of("bf16", self.tokens, len(w), x.shape[1], choice[1], cluster=choice[2])
            if choice[3]:
                plan = dataclasses.replace(plan, share=activation_plans.ceil_to(-(-len(w) // 16), choice[3]) // choice[3], count=choice[3])
            self.launches[key] = GemvCall(self.lab.image("matmul_gemv"), plan, x, w, out)
        self.launches[key](stream)

    def add_lora(self, stream, name, kernel, layer, mode=0, dependent=True):
        x, y = (self.x, self.y) if name == "lora_gate_up" else (self.h, self.outs[layer])
        key = name, kernel, layer, mode, dependent
        if key not in self.launches:
            pairs = self.weights[layer][name]
            n = [len(b[0]) for _, b in pairs]
            call = lk.Call(self.tokens, x.shape[1], n, RANK, ADAPTERS, x=x.data_ptr(), ids=self.ids.data_ptr(),
                           a=[a.data_ptr() for a, _ in pairs], b=[b.data_ptr() for _, b in pairs], y=y.data_ptr(),
                           x_stride=x.shape[1], y_stride=y.shape[1], flags=lk.ACCUMULATE | mode)
            hidden = self.ranks[len(n)]
            call.h, call.h_slice_stride, call.h_stride = hidden.data_ptr(), self.tokens * RANK, RANK
            if self.tokens > lk.WINDOW:
                call.order, call.starts, call.groups = self.order.data_ptr(), self.starts.data_ptr(), ADAPTERS
            image = {lk.Wide: "lora_wide_bf16", lk.Staged: "lora_staged_bf16", lk.Flow: "lora_flow_bf16"}.get(type(kernel), "lora_bf16")
            grid = (kernel.cluster * kernel.tiles(self.tokens, ADAPTERS, call.groups or None), len(n))
            launch = Launch(self.lab.image(image), kernel.function, grid, 32 * lk.WARPS, kernel.shared_bytes(RANK), kernel.cluster,
                            dependent)
            self.launches[key] = launch, call.arguments()
        launch, arguments = self.launches[key]
        launch(stream, arguments)

    def add_fused(self, stream, kernel, layer, late):
        """The LoRAs' expansion and the activation. `late`: the kernel ahead writes the rank vectors, and nothing else that is read."""
        key = "fused", kernel, layer, late
        if key not in self.launches:
            gate, up = self.y[:, :self.width], self.y[:, self.width:]
            self.launches[key] = FusedCall(self.lab.image("lora_activation_bf16"), kernel, gate, up, self.h,
                                           [b for _, b in self.weights[layer]["lora_gate_up"]], self.ranks[2], self.order, self.starts,
                                           MULTIPLIER, flags=HIDDEN_LATE if late else 0)
        self.launches[key](stream)

    def activate(self, stream):
        y, d = self.y.data_ptr(), self.width
        self.activation(stream, activation_arguments("gelu_and_mul_sparse", y, y + 2 * d, self.h.data_ptr(), self.tokens, d, (2 * d, 2 * d, d)))

    def gate_up_fused(self, stream, choice, layer):
        """From x to the activation: `choice["fused"]` is (the kernel of the rank vectors, that of the rest, whether the first of them follows
        the matmul or goes before it)."""
        shrink, fused, follows = choice["fused"]
        if not follows:
            self.add_lora(stream, "lora_gate_up", shrink, layer, lk.SHRINK_ONLY)
        self.matmul(stream, "gate_up", choice["gate_up"], layer)
        if follows:
            self.add_lora(stream, "lora_gate_up", shrink, layer, lk.SHRINK_ONLY)
        self.add_fused(stream, fused, layer, follows)

    def group(self, stream):
        cluster = 1
        while cluster < 8 and cluster * 512 < self.tokens:
            cluster *= 2
        shared = 4 * (16 * (ADAPTERS + 1) + (cluster + 1) * 8)
        launch = Launch(self.lab.image("lora_group"), "frit_lora_group", (cluster,), 512, shared, cluster)
        launch(stream, [ctypes.c_void_p(t.data_ptr()) for t in (self.ids, self.order, self.starts)]
               + [ctypes.c_int64(self.tokens), ctypes.c_int64(ADAPTERS)])

    def linear(self, stream, name, choice, layer):
        """A matmul and its LoRA, in one line or with the shrinking half on a branch."""
        lora = choice["lora_" + name] if self.lora else None
        beside = isinstance(lora, tuple) and lora[1] == "beside"
        branch = isinstance(lora, tuple) and not beside
        main = torch.cuda.current_stream()
        if branch:
            self.lab.side.wait_stream(main)
            self.add_lora(self.lab.side.cuda_stream, "lora_" + name, lora[0], layer, lk.SHRINK_ONLY, False)
        self.matmul(stream, name, choice[name], layer)
        if branch:
            main.wait_stream(self.lab.side)
            self.add_lora(stream, "lora_" + name, lora[1], layer, lk.EXPAND_ONLY, lora[2])
        elif beside:
            self.add_lora(stream, "lora_" + name, lora[0], layer, BESIDE_KERNEL)
        elif lora:
            self.add_lora(stream, "lora_" + name, lora, layer)

    def run(self, stream, choice):
        if self.lora and (self.tokens > lk.WINDOW or choice.get("fused")):
            self.group(stream)
        for layer in range(LAYERS):
            if choice.get("fused"):
                self.gate_up_fused(stream, choice, layer)
            else:
                self.linear(stream, "gate_up", choice, layer)
                self.activate(stream)
            self.linear(stream, "down", choice, layer)
