# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The functions of LoRA problems: their text, their compilation, and the arguments of a case."""

import re
import shutil
import subprocess

import abi

PICKED = re.compile(r"\b(cuda\.lora_\w+) +(?:picked|guarded) ")


def tensor(dtype, *sizes):
    return f"tensor<{'x'.join(map(str, [*sizes, dtype]))}>"


def attributes(p):
    """As the op prints them."""
    words = f" scale = {p.scale:e}"
    if p.op != "shrink":
        words += f" offset = {p.offset}" if p.offset else ""
    if p.op == "matmul":
        words += " intermediate = element" if p.element else ""
    if p.op != "shrink":
        words += f" rounding = {p.rounding}"
        words += "" if p.accumulate else " accumulate = false"
    return words


def hidden_type(p):
    return p.weights if p.element or p.rounding == "stepwise" else "f32"


def mlir(p, name, tokens="?", dynamic=False, kernel=""):
    """The function of a form, which updates its last argument. `dynamic`: K, N, L and R are known at run time only. `kernel`:
    the attributes of the op that name its kernel."""
    def known(size):
        return "?" if dynamic else size

    slices, rank, adapters, groups = len(p.n), known(p.rank), known(p.adapters), known(p.adapters)
    arguments, operands = [], {}

    def add(key, type_):
        operands.setdefault(key, []).append((f"%v{len(arguments)}", type_))
        arguments.append(f"%v{len(arguments)}: {type_}")

    def listed(*keys):
        found = [operand for key in keys for operand in operands.get(key, [])]
        return f"{', '.join(v for v, _ in found)} : {', '.join(t for _, t in found)}"

    hidden = (hidden_type(p), slices, tokens, rank)
    add("ins", tensor(*hidden) if p.op == "expand" else tensor(p.dtype, tokens, known(p.k)))
    add("ins", tensor("i32", tokens))
    for n in p.n:
        if p.op != "expand":
            add("weights", tensor(p.weights, adapters, rank, known(p.k)))
        if p.op != "shrink":
            add("weights", tensor(p.weights, adapters, known(n), rank))
    if p.scales:
        add("scales", tensor("f32", adapters))
    if p.ranks:
        add("ranks", tensor("i32", *([slices] if p.ranks == "sliced" else []), adapters))
    if p.grouping:
        groups = "?" if p.grouping == "engine" or dynamic else p.adapters
        add("grouping", tensor("i32", tokens))
        add("grouping", tensor("i32", groups if groups == "?" else groups + 1))
        if p.grouping == "engine":
            add("grouping", tensor("i32", groups))
    sizes = [slices, tokens, rank] if p.op == "shrink" else [tokens, known(p.offset + sum(p.n))]
    out = tensor(hidden_type(p) if p.op == "shrink" else p.dtype, *sizes)
    layout = f"strided<[{', '.join(['?'] * (len(sizes) - 1) + ['1'])}], offset: ?>"
    memref = out.replace("tensor<", "memref<")[:-1] + f", {layout}>"
    optional = " ".join(f"{key}({listed(key)})" for key in ("scales", "ranks", "grouping") if key in operands)
    return f"""func.func @{name}({', '.join(arguments)}, %out: {memref}) {{
  %old = bufferization.to_tensor %out restrict writable : {memref} to {out}
  %new = frit.lora_{p.op} ins({listed('ins')}) weights({listed('weights')}) {optional}
      outs(%old : {out}){attributes(p)}{kernel} -> {out}
  bufferization.materialize_in_destination %new in restrict writable %out : ({out}, {memref}) -> ()
  return
}}
"""


def compile_function(folder, name, text, target="cuda"):
    """Leaves NAME.so in the folder; the names of the fused kernels that may run."""
    folder.mkdir(parents=True, exist_ok=True)
    stem = folder / name
    stem.with_suffix(".mlir").write_text(text, encoding="utf-8")
    result = subprocess.run([shutil.which("frit-run"), f"{stem}.mlir", f"--entry={name}", f"--target={target}", "--explain", "--dump=obj",
                             f"--dump-output={stem}.o"], capture_output=True, text=True, check=False)
    if result.returncode != 0:
        raise RuntimeError(f"{text}\n{result.stderr}")
    subprocess.run(["cc", "-shared", "-o", f"{stem}.so", f"{stem}.o", "-lm"], check=True)
    return PICKED.findall(result.stdout)


def call_arguments(case):
    """The operands of a case in the order of the function."""
    p = case.p
    hidden = case.h.view.view(len(p.n), p.tokens, p.rank)
    tensors = [hidden if p.op == "expand" else case.x.view, case.ids.view[0]]
    for a, b in zip(case.a, case.b):
        shapes = [(a, (p.adapters, p.rank, p.k))] if p.op != "expand" else []
        shapes += [(b, (p.adapters, b.rows // p.adapters, p.rank))] if p.op != "shrink" else []
        tensors += [t.view.as_strided(shape, (shape[1] * t.stride, t.stride, 1)) for t, shape in shapes]
    if case.scales:
        tensors.append(case.scales.view[0])
    if case.ranks:
        tensors.append(case.ranks.view if p.ranks == "sliced" else case.ranks.view[0])
    tensors += [t.view[0] for t in (case.order, case.starts, case.active) if t]
    return abi.Arguments([*tensors, hidden if p.op == "shrink" else case.y.view])
