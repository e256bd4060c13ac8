# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Generates mutations of a function from its IR.

The IR is text with one op a line and local locations, so that the origin of an
op stands on its line. One mutation each for

* a rounding: a truncf/extf pair is dropped; a truncf before a store drops bits
  where it should round to nearest;
* a product and a sum that are separate roundings: contracted into math.fma,
  where the origin is strict (elsewhere the contract allows it);
* a compare: each other predicate that differs from it by one relation or in
  what it says of NaN (of the sign, for integers);
* a constant: a float is changed in its 7th bit, a zero becomes +-1/16, an integer
  is increased.
"""

import re
from dataclasses import dataclass

import dtypes

OP = re.compile(r"^(\s*)(%\w+)(?::\d+)? = ([\w.]+) (.*)$")
# An op without results.
EFFECT = re.compile(r"^\s*([a-z][\w.]*) ")

FLOAT_PREDICATES = {
    "olt": ["ole", "ult", "ogt"], "ole": ["olt", "ule", "oge"],
    "ogt": ["oge", "ugt", "olt"], "oge": ["ogt", "uge", "ole"],
    "ugt": ["uge", "ogt", "ult"], "uge": ["ugt", "oge", "ule"],
    "ult": ["ule", "olt", "ugt"], "ule": ["ult", "ole", "uge"],
    "uno": ["ord", "une"], "ord": ["uno"], "oeq": ["one", "ueq"],
    "one": ["oeq", "une"], "une": ["ueq", "one"], "ueq": ["une", "oeq"],
}
INTEGER_PREDICATES = {
    "ult": ["ule", "slt", "ugt"], "ule": ["ult", "sle", "uge"],
    "ugt": ["uge", "sgt", "ult"], "uge": ["ugt", "sge", "ule"],
    "slt": ["sle", "ult", "sgt"], "sle": ["slt", "ule", "sge"],
    "sgt": ["sge", "ugt", "slt"], "sge": ["sgt", "uge", "sle"],
    "eq": ["ne"], "ne": ["eq"],
}


@dataclass
class Mutation:
    kind: str  # rounding, contract, compare, constant
    # What was changed, without value names: the key of the list of equivalents.
    what: str
    lines: list


def mask_for(element, type_text):
    """An i32 constant that drops the bits an element type does not have."""
    mask = -(1 << dtypes.DROPPED_BITS[element])
    integer = type_text.replace("f32", "i32")
    value = f"dense<{mask}>" if "vector" in integer else str(mask)
    return f"{value} : {integer}", integer


def origin_of(line):
    """(op, mode) that the location of a line carries."""
    match = re.search(r'#frit\.origin<"frit\.(\w+)", (strict|fma)>', line)
    return match.groups() if match else ("-", None)


def rename(lines, old, new):
    pattern = re.compile(re.escape(old) + r"(?!\w)")
    return [pattern.sub(new, line) for line in lines]


def users(lines, value):
    pattern = re.compile(re.escape(value) + r"(?!\w)")
    return [i for i, line in enumerate(lines) if len(pattern.findall(line)) > (
        1 if line.lstrip().startswith(value + " ") else 0)]


def scope_of(lines, index):
    """The lines in which a value that line `index` defines can be used: to the
    end of the block, by indentation."""
    depth = len(lines[index]) - len(lines[index].lstrip())
    end = index + 1
    while end < len(lines):
        text = lines[end]
        indent = len(text) - len(text.lstrip())
        if text.strip() and indent < depth:
            break
        end += 1
    return index + 1, end


def context_of(lines, index):
    """The op that uses a value, one with a result if there is one: names a place in
    a way that survives renumbering. None if nothing uses it."""
    match = OP.match(lines[index])
    begin, end = scope_of(lines, index)
    used = [lines[begin + i] for i in users(lines[begin:end], match.group(2))]
    names = [m.group(3) for m in map(OP.match, used) if m] or [
        m.group(1) for m in map(EFFECT.match, used) if m]
    return names[0] if names else None


def definition(lines, value, before):
    for i in range(before - 1, -1, -1):
        match = OP.match(lines[i])
        if match and match.group(2) == value:
            return i, match
    return None, None


def mutate(lines, integers=True):
    """All mutations of one function. `integers`: also integer constants and
    compares of index code."""
    result = []
    for i, line in enumerate(lines):
        match = OP.match(line)
        if not match:
            continue
        indent, name, op, rest = match.groups()
        begin, end = scope_of(lines, i)
        before = len(result)

        if op == "arith.truncf":
            result += mutate_rounding(lines, i, match, begin, end)
        elif op in ("arith.addf", "arith.subf") and origin_of(line)[1] == "strict":
            result += mutate_contraction(lines, i, match)
        elif op == "arith.cmpf":
            predicate, operands = rest.split(", ", 1)
            for other in FLOAT_PREDICATES[predicate]:
                new = f"{indent}{name} = arith.cmpf {other}, {operands}"
                result.append(Mutation("compare", f"cmpf {predicate} -> {other}",
                                       lines[:i] + [new] + lines[i + 1:]))
        elif op == "arith.cmpi" and integers:
            predicate, operands = rest.split(", ", 1)
            for other in INTEGER_PREDICATES[predicate]:
                new = f"{indent}{name} = arith.cmpi {other}, {operands}"
                result.append(Mutation("compare", f"cmpi {predicate} -> {other}",
                                       lines[:i] + [new] + lines[i + 1:]))
        elif op == "arith.constant":
            result += mutate_constant(lines, i, match, integers)
        for mutation in result[before:]:
            mutation.what += f" in {origin_of(line)[0]}"
    return result


def mutate_rounding(lines, i, match, begin, end):
    _, name, _, rest = match.groups()
    operand = rest.split(" ", 1)[0]
    types = re.search(r": (\S.*?) to (\S.*?)(?: loc\(|$)", rest)
    source, target = types.group(1), types.group(2)
    element = re.search(r"bf16|f16|f32", target).group(0)
    if element == "f32":
        return []  # f64 accumulators do not belong to the contract.
    user_lines = [begin + k for k in users(lines[begin:end], name)]
    extensions = [k for k in user_lines if " = arith.extf " in lines[k]]
    if extensions:
        new = list(lines)
        for k in extensions:
            extended = OP.match(lines[k]).group(2)
            low, high = scope_of(lines, k)
            new[low:high] = rename(new[low:high], extended, operand)
            new[k] = ""
        producer = definition(lines, operand, i)[1]
        source_op = producer.group(3) if producer else "argument"
        return [Mutation("rounding", f"drop rounding of {source_op}", new)]
    mask, integer = mask_for(element, source)
    indent = match.group(1)
    new = lines[:i] + [
        f"{indent}%bits_{name[1:]} = arith.bitcast {operand} : {source} to {integer}",
        f"{indent}%mask_{name[1:]} = arith.constant {mask}",
        f"{indent}%kept_{name[1:]} = arith.andi %bits_{name[1:]}, %mask_{name[1:]} : {integer}",
        f"{indent}%cut_{name[1:]} = arith.bitcast %kept_{name[1:]} : {integer} to {source}",
        f"{indent}{name} = arith.truncf %cut_{name[1:]} : {source} to {target}",
    ] + lines[i + 1:]
    producer = definition(lines, operand, i)[1]
    source_op = producer.group(3) if producer else "argument"
    return [Mutation("rounding", f"truncate result of {source_op}", new)]


def mutate_contraction(lines, i, match):
    indent, name, op, rest = match.groups()
    operands = re.match(r"(%\w+(?:#\d+)?), (%\w+(?:#\d+)?) : (.*?)(?: loc\(|$)", rest)
    left, right, type_text = operands.groups()
    result = []
    for product, other in ((left, right), (right, left)):
        index, producer = definition(lines, product, i)
        if index is None or producer.group(3) != "arith.mulf":
            continue
        factors = re.match(r"(%\w+(?:#\d+)?), (%\w+(?:#\d+)?) :", producer.group(4)).groups()
        if op == "arith.subf":
            continue  # no formula subtracts a product
        new = list(lines)
        new[i] = f"{indent}{name} = math.fma {factors[0]}, {factors[1]}, {other} : {type_text}"
        result.append(Mutation("contract", "mulf, addf -> fma", new))
    return result


def zero_for(lines, index):
    """What a zero becomes. Whether something is zero is asked of values that lie on one
    side of it: what is on the other side shows the zeros alone."""
    begin, end = scope_of(lines, index)
    name = OP.match(lines[index]).group(2)
    asks = any("arith.cmpf une" in lines[begin + k] for k in users(lines[begin:end], name))
    return -0.0625 if asks else 0.0625


def mutate_constant(lines, i, match, integers):
    indent, name, _, rest = match.groups()
    body = re.sub(r" loc\(.*$", "", rest)
    use = context_of(lines, i)
    if use is None or use.endswith(".dim"):
        return []  # neither takes part in any arithmetic
    parsed = re.match(r"(dense<)?(-?[\d.e+-]+|0x[0-9A-Fa-f]+|true|false)(>)? : (.*)$", body)
    if not parsed:
        return []
    prefix, value, suffix, type_text = parsed.groups()
    is_float = re.search(r"(^|x)(bf16|f16|f32|f64)", type_text)
    if is_float:
        number = float(value)
        changed = zero_for(lines, i) if number == 0 else number * (1 + 2.0**-7)
        text = f"{changed:.9e}"
    elif integers and value not in ("true", "false"):
        text = str(int(value, 0) + 1)
    else:
        return []
    new = f"{indent}{name} = arith.constant {prefix or ''}{text}{suffix or ''} : {type_text}"
    return [Mutation("constant", f"constant {value} of {use}",
                     lines[:i] + [new] + lines[i + 1:])]
