# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the tables `| attribute | if absent | what it says |` in the descriptions of Frit's ops with the attributes and
default values that the ops are defined with.

Standard input is what `llvm-tblgen -dump-json` says of them. A default is written as the op's syntax has it; an attribute
that has none is `required`, a flag is `off`.
"""

import json
import re
import sys

HEADER = "| attribute | if absent | what it says |"


def documented(description):
    """The rows of the tables of a description: names and what their absence means."""
    lines = [line.strip() for line in description.splitlines()]
    rows = {}
    for index, line in enumerate(lines):
        if line == HEADER:
            for row in lines[index + 2:]:
                if not row.startswith("|"):
                    break
                name, absent, _ = (cell.strip() for cell in row.strip("|").split("|"))
                rows[name.strip("`")] = absent.strip("`")
    return rows


def defined(records, op):
    """The attributes of an op: names and what their absence means."""
    attributes = {}
    for argument, name in op["arguments"]["args"]:
        record = records[argument["def"]]
        if "Attr" not in record["!superclasses"]:
            continue
        default = record.get("defaultValue")
        if argument["def"] == "UnitAttr":
            attributes[name] = "off"
        elif default is None:
            attributes[name] = "required"
        else:
            # Approximate::Tanh, 1.0f, 0, true
            case = default.rpartition("::")[2]
            attributes[name] = re.sub(r"(?<=\d)f$", "", case) if case == default else case.lower()
    return attributes


def main():
    records = json.load(sys.stdin)
    wrong, count = [], 0
    for name in records["!instanceof"]["Frit_DestinationOp"]:
        op = records[name]
        says, does = documented(op["description"]), defined(records, op)
        count += len(does)
        for attribute in sorted(says.keys() | does.keys()):
            if says.get(attribute) != does.get(attribute):
                wrong.append(f"frit.{op['opName']}: {attribute}: its description has {says.get(attribute)}, its definition "
                             f"{does.get(attribute)}")
    if wrong or not count:
        sys.exit("\n".join(wrong) or "no attribute")
    print(f"{count} attributes")


if __name__ == "__main__":
    main()
