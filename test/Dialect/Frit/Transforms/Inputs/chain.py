# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Prints a graph in which each of many steps uses the last one twice:
# chain.py reduction|activation|scalar|constant STEPS

import sys

kind, steps = sys.argv[1], int(sys.argv[2])


def chain(op, indent):
    """%v0 to %vN, each computed from the one before."""
    return "\n".join(f"{indent}%v{i + 1} = {op} %v{i}, %v{i} : f32" for i in range(steps))


HEAD = """
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i, 0)>
func.func @main(%x: tensor<5x96xf32>, %u: tensor<5x96xf32>, %s: f32) -> tensor<5x96xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<5x96xf32>
"""
TAIL = """
  return %r : tensor<5x96xf32>
}
"""


def generic(inputs, body):
    names, types = ", ".join(inputs), ", ".join(["tensor<5x96xf32>"] * len(inputs))
    maps, arguments = ", ".join(["#id"] * (len(inputs) + 1)), ", ".join(f"%a{i}: f32" for i in range(len(inputs)))
    return f"""
  %r = linalg.generic {{indexing_maps = [{maps}], iterator_types = ["parallel", "parallel"]}}
      ins({names} : {types}) outs(%e : tensor<5x96xf32>) {{
  ^bb0({arguments}, %o: f32):
{body}
    linalg.yield %t : f32
  }} -> tensor<5x96xf32>"""


if kind == "reduction":
    print(HEAD, f"""
  %e1 = tensor.empty() : tensor<5x1xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e1 : tensor<5x1xf32>) -> tensor<5x1xf32>
  %sum = linalg.generic {{indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}}
      ins(%x : tensor<5x96xf32>) outs(%f : tensor<5x1xf32>) {{
  ^bb0(%v0: f32, %o: f32):
{chain("arith.mulf", "    ")}
    %t = arith.addf %o, %v{steps} : f32
    linalg.yield %t : f32
  }} -> tensor<5x1xf32>
  %r = linalg.generic {{indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}}
      ins(%u, %sum : tensor<5x96xf32>, tensor<5x1xf32>) outs(%e : tensor<5x96xf32>) {{
  ^bb0(%a: f32, %b: f32, %o: f32):
    %t = arith.mulf %a, %b : f32
    linalg.yield %t : f32
  }} -> tensor<5x96xf32>""", TAIL)
elif kind == "activation":
    print(
        HEAD,
        generic(["%x", "%u"],
                "    %v0 = arith.addf %a0, %a0 : f32\n" + chain("arith.addf", "    ") + f"\n    %h = math.tanh %v{steps} : f32\n"
                "    %t = arith.mulf %h, %a1 : f32"), TAIL)
elif kind == "scalar":
    print(HEAD, "  %v0 = arith.addf %s, %zero : f32\n" + chain("arith.addf", "  "),
          generic(["%u"], f"    %t = arith.mulf %a0, %v{steps} : f32"), TAIL)
else:
    tensors = "  %c0 = linalg.fill ins(%zero : f32) outs(%e : tensor<5x96xf32>) -> tensor<5x96xf32>\n" + "\n".join(
        f"  %c{i + 1} = linalg.add ins(%c{i}, %c{i} : tensor<5x96xf32>, tensor<5x96xf32>)"
        " outs(%e : tensor<5x96xf32>) -> tensor<5x96xf32>" for i in range(steps))
    print(HEAD, tensors, generic([f"%c{steps}", "%u"], "    %t = arith.mulf %a0, %a1 : f32"), TAIL)
