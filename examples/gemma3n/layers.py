#!/usr/bin/env python3
# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the MLPs of several Gemma3n layers as one graph.

  gate, up = x W_gate^T, x W_up^T;  h = gelu_and_mul_sparse(gate, up);  x += h W_down^T

Each layer has its own weights, stored as PyTorch does ([outputs, inputs]; gate and up behind each other), and with --rank
its own stack of LoRA adapters on gate, up and down, each token's by its id. Linear layers are written as exporters write
them: a matmul into f32, then one rounding; only what no exporter has is an op of Frit. With --apart the layers are not behind each
other: each reads x, adds nothing to it and has a result of its own. With --sparse a layer is one frit.sparse_ffn, which leaves the
zeros out; W_down is stored [inputs, outputs] then, and layers must be --apart. README.md runs the result."""

import argparse

HIDDEN, WIDTH, STD_MULTIPLIER = 2048, 16384, 1.6448535919  # of E2B and E4B; 95 % zeros

MAPS = """#rows = affine_map<(t, n, k) -> (t, k)>
#weight = affine_map<(t, n, k) -> (n, k)>
#out = affine_map<(t, n, k) -> (t, n)>
#element = affine_map<(t, n) -> (t, n)>
"""


class Graph:
    """The text of a function, line by line. `tokens` is a number, or None where calls decide."""

    def __init__(self, tokens, element):
        self.tokens, self.element = tokens, element
        self.lines, self.arguments, self.count = [], [], 0

    def type(self, *shape, element=None):
        return f"tensor<{'x'.join(map(str, shape))}x{element or self.element}>"

    def rows(self, width, element=None):
        """The type of a row of `width` elements for each token."""
        return self.type("?" if self.tokens is None else self.tokens, width, element=element)

    def argument(self, name, type, dims=None):
        attributes = f' {{frit.dims = ["{dims}"]}}' if dims and self.tokens is None else ""
        self.arguments.append(f"%{name}: {type}{attributes}")
        return f"%{name}", type

    def op(self, text):
        self.count += 1
        self.lines.append(f"  %v{self.count} = {text}")
        return f"%v{self.count}"

    def empty(self, width, element=None):
        size = "" if self.tokens is not None else "%tokens"
        return self.op(f"tensor.empty({size}) : {self.rows(width, element)}")

    def linear(self, x, inputs, weight, outputs, old=None):
        """x weight^T, and `old` beside it; summed in f32 and rounded once."""
        sums, result = self.rows(outputs, "f32"), self.rows(outputs)
        zero = self.op(f"linalg.fill ins(%zero : f32) outs({self.empty(outputs, 'f32')} : {sums}) -> {sums}")
        total = self.op(f"linalg.matmul indexing_maps = [#rows, #weight, #out] ins({x}, {weight[0]} : "
                        f"{self.rows(inputs)}, {weight[1]}) outs({zero} : {sums}) -> {sums}")
        values, types = [total] + ([old] if old else []), [sums] + ([result] if old else [])
        arguments = "%sum: f32, " + (f"%old: {self.element}, " if old else "")
        out = self.empty(outputs)
        maps = ", ".join(["#element"] * (len(values) + 1))
        body = [f"  ^bb0({arguments}%out: {self.element}):"]
        if old:
            body += [f"    %wide = arith.extf %old : {self.element} to f32", "    %both = arith.addf %wide, %sum : f32"]
        body += [f"    %rounded = arith.truncf {'%both' if old else '%sum'} : f32 to {self.element}",
                 f"    linalg.yield %rounded : {self.element}", f"  }} -> {result}"]
        y = self.op(f'linalg.generic {{indexing_maps = [{maps}], iterator_types = ["parallel", "parallel"]}} '
                    f"ins({', '.join(values)} : {', '.join(types)}) outs({out} : {result}) {{")
        self.lines += body
        return y

    def lora(self, x, inputs, adapters, y, outputs):
        """The adapters of each token, added to y."""
        names, types = zip(*adapters)
        ids = self.type("?" if self.tokens is None else self.tokens, element="i32")
        return self.op(f"frit.lora_matmul ins({x}, %ids : {self.rows(inputs)}, {ids}) weights({', '.join(names)} : "
                       f"{', '.join(types)}) outs({y} : {self.rows(outputs)}) -> {self.rows(outputs)}")


    def sparse_ffn(self, x, hidden, gate_up, down, width, pairs):
        """The layer as one op. `pairs` are the adapters by projection, or none."""
        def half(offset):
            return self.op(f"tensor.extract_slice {gate_up[0]}[{offset}, 0] [{width}, {hidden}] [1, 1] : {gate_up[1]} to {half_type}")

        half_type, rows = self.type(width, hidden), self.rows(hidden)
        ids = self.type("?" if self.tokens is None else self.tokens, element="i32")
        inputs = f"{x}, %ids : {rows}, {ids}" if pairs else f"{x} : {rows}"
        weights = f"{half(0)}, {half(width)}, {down[0]} : {half_type}, {half_type}, {down[1]}"
        adapters = " ".join(f"{name}_lora({', '.join(n for n, _ in pair)} : {', '.join(t for _, t in pair)})"
                            for name, pair in pairs.items())
        return self.op(f"frit.sparse_ffn ins({inputs}) weights({weights}) {adapters} outs({self.empty(hidden)} : {rows}) "
                       f"std_multiplier = {STD_MULTIPLIER} down_layout = dh -> {rows}")


def layers(count, width=WIDTH, hidden=HIDDEN, tokens=None, rank=0, adapters=4, name="main", element="bf16", apart=False, sparse=False):
    """The text of a module with one function: x, ids where there are adapters, and the weights of each layer in turn."""
    graph = Graph(tokens, element)
    x, _ = graph.argument("x", graph.rows(hidden), 'tokens", "hidden')
    results = []
    if rank:
        graph.argument("ids", graph.type("?" if tokens is None else tokens, element="i32"), "tokens")
    for layer in range(count):
        gate_up = graph.argument(f"w_gate_up_{layer}", graph.type(2 * width, hidden))
        down = graph.argument(f"w_down_{layer}", graph.type(width, hidden) if sparse else graph.type(hidden, width))
        pairs = {}
        for projection, inputs, outputs in (("gate", hidden, width), ("up", hidden, width), ("down", width, hidden)):
            if rank:
                pairs[projection] = [graph.argument(f"a_{projection}_{layer}", graph.type(adapters, rank, inputs)),
                                     graph.argument(f"b_{projection}_{layer}", graph.type(adapters, outputs, rank))]
        if sparse:
            results.append(graph.sparse_ffn(x, hidden, gate_up, down, width, pairs))
            continue
        y = graph.linear(x, hidden, gate_up, 2 * width)
        if rank:
            y = graph.lora(x, hidden, pairs["gate"] + pairs["up"], y, 2 * width)
        h = graph.op(f"frit.gelu_and_mul_sparse ins({y} : {graph.rows(2 * width)}) outs({graph.empty(width)} : "
                     f"{graph.rows(width)}) std_multiplier = {STD_MULTIPLIER} -> {graph.rows(width)}")
        y = graph.linear(h, width, down, hidden, old=None if apart else x)
        if rank:
            y = graph.lora(h, width, pairs["down"], y, hidden)
        if apart:
            results.append(y)
        else:
            x = y
    start = ["  %zero = arith.constant 0.0 : f32"]
    if tokens is None:
        start += ["  %c0 = arith.constant 0 : index", f"  %tokens = tensor.dim %x, %c0 : {graph.rows(hidden)}"]
    arguments = ",\n    ".join(graph.arguments)
    body = "\n".join(start + graph.lines)
    results = results or [x]
    types = ", ".join([graph.rows(hidden)] * len(results))
    return (f"{MAPS}\nfunc.func @{name}(\n    {arguments}) -> ({types}) {{\n{body}\n"
            f"  return {', '.join(results)} : {types}\n}}\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--layers", type=int, default=10, help="(default: %(default)s)")
    parser.add_argument("--width", type=int, default=WIDTH, help="of the MLP: 8192 for E2B, 16384 for E4B (default: %(default)s)")
    parser.add_argument("--hidden", type=int, default=HIDDEN, help="of the model (default: %(default)s)")
    parser.add_argument("--tokens", type=int, help="static number of tokens (default: each call's own)")
    parser.add_argument("--rank", type=int, default=0, help="of the LoRA adapters (default: none)")
    parser.add_argument("--adapters", type=int, default=4, help="a layer (default: %(default)s)")
    parser.add_argument("--apart", action="store_true", help="layers side by side, without the residual")
    parser.add_argument("--sparse", action="store_true", help="a layer is one op that leaves the zeros out")
    parser.add_argument("--element", default="bf16", choices=["bf16", "f16"], help="(default: %(default)s)")
    args = parser.parse_args()
    if args.sparse and not args.apart:
        parser.error("--sparse needs --apart: the op rounds what down gives before it is added to x, the layers here do not")
    print(layers(args.layers, args.width, args.hidden, args.tokens, args.rank, args.adapters, element=args.element,
                 apart=args.apart, sparse=args.sparse), end="")


if __name__ == "__main__":
    main()
