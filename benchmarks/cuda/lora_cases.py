# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# See https://llvm.org/LICENSE.txt for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""LoRA problems on the device: random operands between guards, and float64 references."""

import math

import torch

from lora_problem import Problem  # noqa: F401

TYPES = {"f32": torch.float32, "f16": torch.float16, "bf16": torch.bfloat16}
ROUNDOFF = {"f32": 2.0**-24, "f16": 2.0**-11, "bf16": 2.0**-8}
SUBNORMAL = {"f32": 2.0**-149, "f16": 2.0**-24, "bf16": 2.0**-133}
GUARD = 128  # elements


class Guarded:
    """A tensor inside a larger one filled with NaN (-7 for integers)."""

    def __init__(self, rows, columns, dtype, shift=0, stride=None):
        """`shift` elements move the base off its alignment."""
        self.rows, self.columns = rows, columns
        self.stride = columns if stride is None else stride
        size = GUARD * 2 + shift + max(rows * self.stride, 1)
        fill = float("nan") if dtype.is_floating_point else -7
        self.all = torch.full((size,), fill, dtype=dtype, device="cuda")
        self.view = self.all[GUARD + shift:].as_strided(
            (rows, columns), (self.stride, 1), GUARD + shift)
        self.before = None

    def set(self, values):
        self.view.copy_(values.reshape(self.rows, self.columns))
        return self

    def address(self):
        return self.view.data_ptr()

    def remember(self):
        self.before = self.bits().clone()

    def bits(self):
        return self.all.view({2: torch.int16, 4: torch.int32}[self.all.element_size()])

    def outside_kept(self):
        """Whether everything but the view is as it was."""
        now, then = self.bits().clone(), self.before.clone()
        at = self.view.storage_offset()
        for t in (now, then):
            t.as_strided((self.rows, self.columns), (self.stride, 1), at).zero_()
        return torch.equal(now, then)


class Case:
    """A problem's operands."""

    def __init__(self, p, ids=None):
        self.p = p
        g = torch.Generator(device="cuda")
        g.manual_seed(p.seed)

        def normal(*shape):
            return torch.randn(shape, generator=g, device="cuda")

        e, w = TYPES[p.dtype], TYPES[p.weights]
        if ids is None:
            ids = torch.randint(-1, p.adapters + 1, (p.tokens,), generator=g,
                                device="cuda", dtype=torch.int32)
        self.ids = Guarded(1, p.tokens, torch.int32).set(ids)
        self.x = Guarded(p.tokens, p.k, e, p.shift, p.k + p.x_pad).set(
            normal(p.tokens, p.k))
        slices, layers = len(p.n), p.adapters
        self.ranks = None
        true = torch.full((slices, layers), p.rank, device="cuda", dtype=torch.int32)
        if p.ranks:
            rows = slices if p.ranks == "sliced" else 1
            drawn = torch.randint(0, p.rank + 1, (rows, layers), generator=g,
                                  device="cuda", dtype=torch.int32)
            self.ranks = Guarded(rows, layers, torch.int32).set(drawn)
            true = drawn.expand(slices, layers)
        self.true = true.cpu()
        self.scales = None
        if p.scales:
            self.scales = Guarded(1, layers, torch.float32).set(normal(layers))
        self.a, self.b = [], []
        beyond = torch.arange(p.rank, device="cuda")
        for s, n in enumerate(p.n):
            off = beyond[None, :] >= true[s][:, None]  # [L, R]: never read
            a = normal(layers, p.rank, p.k) / math.sqrt(p.k)
            a[off] = float("nan")
            b = normal(layers, n, p.rank) / math.sqrt(p.rank)
            b.masked_fill_(off[:, None, :], float("nan"))
            self.a.append(Guarded(layers * p.rank, p.k, w, p.shift).set(a))
            self.b.append(Guarded(layers * n, p.rank, w, p.shift).set(b))
        width = p.offset + sum(p.n)
        self.y = Guarded(p.tokens, width, e, p.shift, width + p.y_pad).set(
            normal(p.tokens, width))
        h = TYPES[p.weights] if p.element or p.rounding == "stepwise" else torch.float32
        self.h = Guarded(slices * p.tokens, p.rank, h)
        if p.op == "expand":
            values = normal(slices, p.tokens, p.rank)
            self.h.set(values)
        self.order = self.starts = self.active = None
        self.largest_error = 0.0
        if p.grouping:
            self.make_grouping()

    def make_grouping(self):
        p = self.p
        ids = self.ids.view[0]
        key = torch.where((ids < 0) | (ids >= p.adapters), p.adapters, ids).long()
        counts = torch.bincount(key, minlength=p.adapters + 1)[:p.adapters]
        ends = torch.cat([torch.zeros(1, dtype=torch.long, device="cuda"), counts.cumsum(0)])
        order = Guarded(1, p.tokens, torch.int32).set(torch.argsort(key, stable=True).int())
        starts = Guarded(1, p.adapters + 1, torch.int32).set(ends.int())
        self.order, self.starts = order, starts
        self.groups = p.adapters
        if p.grouping == "engine":
            # The groups backwards, an empty one and one without adapter between.
            o, s = order.view[0].tolist(), starts.view[0].tolist()
            rows, bounds, active = [], [0], []
            for l in reversed(range(p.adapters)):
                rows += o[s[l]:s[l + 1]]
                bounds.append(len(rows))
                active.append(l)
                if l == 1:
                    bounds += [len(rows)] * 2
                    active += [-1, 0]
            rows += o[s[p.adapters]:]
            bounds.append(len(rows))
            active.append(-1)
            self.groups = len(active)
            self.order.set(torch.tensor(rows, dtype=torch.int32))
            self.starts = Guarded(1, len(bounds), torch.int32).set(
                torch.tensor(bounds, dtype=torch.int32))
            self.active = Guarded(1, len(active), torch.int32).set(
                torch.tensor(active, dtype=torch.int32))

    def check(self, run):
        """Calls `run`, which executes the op; the worst error over its bound and what is wrong, if anything."""
        p = self.p
        out = self.h if p.op == "shrink" else self.y
        out.remember()
        old = out.view.clone()
        everything = [self.x, self.ids, self.y, self.h, *self.a, *self.b]
        for t in everything:
            t.remember()
        run()
        torch.cuda.synchronize()
        faults = [] if out.outside_kept() else ["wrote outside the rows"]
        for t in everything:
            if t is not out and not torch.equal(t.bits(), t.before):
                faults.append("wrote an operand")
        worst, more = (self.check_hidden(old) if p.op == "shrink" else self.check_rows(old))
        return worst, faults + more

    def constant(self, l):
        c = torch.tensor(self.p.scale, dtype=torch.float32)
        if self.scales is not None:
            c = c * self.scales.view[0, l].cpu()
        return float(c)

    def tokens_of(self):
        ids = self.ids.view[0].tolist()
        rows = {}
        for t, l in enumerate(ids):
            if 0 <= l < self.p.adapters:
                rows.setdefault(l, []).append(t)
        return {l: torch.tensor(t, device="cuda") for l, t in rows.items()}

    def worst(self, result, reference, bound):
        """The largest error over its bound."""
        error = (result.double() - reference).abs()
        self.largest_error = max(self.largest_error, nan_max(error))
        return nan_max(error / bound)

    def check_hidden(self, old):
        p = self.p
        now = self.h.view.reshape(len(p.n), p.tokens, p.rank)
        before = old.reshape(len(p.n), p.tokens, p.rank)
        kept = torch.ones_like(now, dtype=torch.bool)
        worst, faults = 0.0, []
        name = {torch.float32: "f32", torch.float16: "f16", torch.bfloat16: "bf16"}[now.dtype]
        gamma = 2.0**-24 * (8 + 2 * math.sqrt(p.k))
        for l, rows in self.tokens_of().items():
            x = self.x.view[rows].double()
            for s in range(len(p.n)):
                r = int(self.true[s, l])
                a = self.a[s].view.reshape(p.adapters, p.rank, p.k)[l, :r].double()
                c = self.constant(l)
                ref = c * (x @ a.T)
                bound = (ROUNDOFF[name] * ref.abs() + SUBNORMAL[name]
                         + 2 * gamma * abs(c) * (x.abs() @ a.abs().T))
                worst = max(worst, self.worst(now[s, rows, :r], ref, bound))
                kept[s, rows, :r] = False
        if not same_bits(now[kept], before[kept]):
            faults.append("wrote a rank vector that is not there")
        return worst, faults

    def check_rows(self, old):
        p = self.p
        y, kept = self.y.view, torch.ones_like(self.y.view, dtype=torch.bool)
        worst, faults = 0.0, []
        gamma = 2.0**-24 * (8 + 2 * math.sqrt(p.k + p.rank))
        u_y, u_b = ROUNDOFF[p.dtype], ROUNDOFF[p.weights]
        half = p.weights == "f16" and (p.element or p.rounding == "stepwise")
        for l, rows in self.tokens_of().items():
            x, c = self.x.view[rows].double(), self.constant(l)
            column = p.offset
            for s, n in enumerate(p.n):
                r = int(self.true[s, l])
                b = self.b[s].view.reshape(p.adapters, n, p.rank)[l, :, :r].double()
                if p.op == "expand":
                    h = self.h.view.reshape(len(p.n), p.tokens, p.rank)[s, rows, :r].double()
                    total = h.abs()
                else:
                    a = self.a[s].view.reshape(p.adapters, p.rank, p.k)[l, :r].double()
                    h = x @ a.T
                    total = x.abs() @ a.abs().T
                before = old[rows, column:column + n].double()
                ref = c * (h @ b.T)
                big = abs(c) * (total @ b.abs().T)
                mid = abs(c) * (h.abs() @ b.abs().T)
                if p.accumulate:
                    ref, big = ref + before, big + before.abs()
                bound = u_y * ref.abs() + 2 * gamma * big + SUBNORMAL[p.dtype]
                if p.element and p.op == "matmul":
                    bound = bound + u_b * mid
                if p.rounding == "sum":
                    bound = bound + u_y * mid
                if p.rounding == "stepwise":
                    bound = bound + 3 * u_b * mid
                if half or (p.rounding == "sum" and p.dtype == "f16"):
                    bound = bound + 2.0**-25 * (1 + abs(c)) * (1 + b.abs().sum(1))
                worst = max(worst, self.worst(y[rows, column:column + n], ref, bound))
                kept[rows, column:column + n] = False
                column += n
        if not same_bits(y[kept], old[kept]):
            faults.append("wrote a row or column that is not there")
        return worst, faults


def nan_max(t):
    """The largest element, infinite where one is NaN; 0 of none."""
    if t.numel() == 0:
        return 0.0
    return float(torch.nan_to_num(t, nan=math.inf).max())


def same_bits(a, b):
    kind = {2: torch.int16, 4: torch.int32}[a.element_size()]
    return torch.equal(a.contiguous().view(kind), b.contiguous().view(kind))


def stream():
    return torch.cuda.current_stream().cuda_stream
