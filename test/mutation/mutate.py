# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The mutation test of the numerics: shows that the tests' criteria notice each
single change of the arithmetic.

For every op, form, element type and mode the IR of the native code is made (with
--code=linalg the decomposition, with --code=vector the vector code), each
mutation of it is compiled and run on inputs that expose it, and its result is
held against a reference. A mutation that no input tells from the original is
an error, unless equivalent.json lists it with the proof that it cannot be told.

Prints the counts per op, form, element type and mode. Exit codes: 0 all killed,
1 a mutation survived or the code itself is wrong, 2 a tool failed.
"""

import argparse
import collections
import concurrent.futures
import fnmatch
import json
import os
import re
import shutil
import signal
import sys
import tempfile
import time

import numpy as np

import activations
import lora
import mutations
import runner
import sparse_ffn

HERE = os.path.dirname(os.path.abspath(__file__))
# A mutation may not come to an end.
LIMIT_SECONDS = 10
TO_CODE = {"linalg": "frit-decompose", "vector": "convert-frit-to-vector"}


def key_of(config):
    return " / ".join((config["op"], config["form"], config["dtype"], config["mode"]))


def function_lines(module):
    """The lines of @f, from its header to its closing brace."""
    lines = module.splitlines()
    begin = next(i for i, line in enumerate(lines) if "func.func @f(" in line)
    indent = len(lines[begin]) - len(lines[begin].lstrip())
    end = next(i for i in range(begin + 1, len(lines)) if lines[i].startswith(" " * indent + "}"))
    return lines[begin:end + 1]


def renamed(lines, name):
    return "\n".join([lines[0].replace("@f(", f"@{name}("), *lines[1:]]) + "\n"


def judge(library, name, cases):
    """The first case that shows a difference, or None."""
    for case, inputs, out, check in cases:
        result = out.copy() if out.base is None else lora.guarded(out, 55)
        runner.call(library, name, [*inputs, result])
        problem = check(result)
        if problem:
            return f"{case}: {problem}"
    return None


def in_child(library, names, cases):
    """Judges functions in child processes: a mutation may crash. Gives a list of
    (name, verdict)."""
    verdicts = {}
    remaining = list(names)
    while remaining:
        read, write = os.pipe()
        pid = os.fork()
        if pid == 0:
            os.close(read)
            os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
            with os.fdopen(write, "w") as pipe:
                for name in remaining:
                    signal.alarm(LIMIT_SECONDS)
                    pipe.write(json.dumps([name, "start", None]) + "\n")
                    pipe.flush()
                    pipe.write(json.dumps([name, "end", judge(library, name, cases)]) + "\n")
                    pipe.flush()
            os._exit(0)
        os.close(write)
        started = None
        with os.fdopen(read) as pipe:
            for line in pipe:
                name, event, verdict = json.loads(line)
                if event == "start":
                    started = name
                else:
                    verdicts[name] = verdict
        os.waitpid(pid, 0)
        if started is not None and started not in verdicts:
            verdicts[started] = "crash"
        remaining = [name for name in remaining if name not in verdicts]
    return verdicts


def compile_all(tools, functions, directory):
    """Libraries for named functions; those that do not compile by themselves are
    dead at once."""
    text = "".join(functions.values())
    try:
        library = tools.compile(text, directory, "all")
        return {name: library for name in functions}
    except runner.ToolError:
        pass
    if len(functions) == 1:
        return {name: None for name in functions}
    names = list(functions)
    half = len(names) // 2
    result = {}
    for index, part in enumerate((names[:half], names[half:])):
        with_directory = os.path.join(directory, str(index))
        os.mkdir(with_directory)
        result.update(compile_all(tools, {n: functions[n] for n in part}, with_directory))
    return result


def run_config(arguments):
    tools, config, code, seed = arguments
    module = tools.opt(config["ir"][code], TO_CODE[code], debug_info=True)
    lines = function_lines(module)
    mutants = mutations.mutate(lines, integers=code == "linalg")
    functions = {"f": renamed(lines, "f")}
    for index, mutant in enumerate(mutants):
        functions[f"m{index}"] = renamed(mutant.lines, f"m{index}")
    cases = list(config["cases"](np.random.default_rng(seed), code))
    with tempfile.TemporaryDirectory() as directory:
        libraries = compile_all(tools, functions, directory)
        if libraries["f"] is None:
            tools.compile(functions["f"], directory, "original")
        verdicts = {}
        by_library = collections.defaultdict(list)
        for name, library in libraries.items():
            if library is None:
                verdicts[name] = "does not compile"
            else:
                by_library[id(library)].append(name)
        for names in by_library.values():
            verdicts.update(in_child(libraries[names[0]], names, cases))
    if verdicts["f"]:
        return {"key": key_of(config), "broken": verdicts["f"]}
    return {"key": key_of(config), "op": config["op"],
            "mutants": [(m.kind, m.what, verdicts[f"m{i}"]) for i, m in enumerate(mutants)]}


def load_equivalents(code):
    with open(os.path.join(HERE, "equivalent.json"), encoding="utf-8") as file:
        return [e for e in json.load(file) if e["code"] == code]


def equivalent_entry(entries, key, what):
    for entry in entries:
        if fnmatch.fnmatchcase(key, entry["config"]) and fnmatch.fnmatchcase(what, entry["mutation"]):
            return entry
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--frit-opt", required=True)
    parser.add_argument("--llvm-bin", default=os.path.dirname(shutil.which("mlir-translate") or ""),
                        help="folder of mlir-translate and clang (default: that of the former in PATH)")
    parser.add_argument("--code", choices=sorted(TO_CODE), default="linalg")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--filter", default="", help="regular expression on op / form / type / mode")
    parser.add_argument("--sample", type=int, default=1, metavar="N", help="every Nth configuration only")
    arguments = parser.parse_args()

    tools = runner.Tools(arguments.frit_opt, arguments.llvm_bin)
    selected = [c for c in activations.configs() + lora.configs() + sparse_ffn.configs() if arguments.code in c["ir"]
                and re.search(arguments.filter, key_of(c))][::arguments.sample]
    if not selected:
        print("no configuration matches", file=sys.stderr)
        return 2
    print(f"code {arguments.code}, {len(selected)} configurations, seed {arguments.seed}")
    entries = load_equivalents(arguments.code)
    totals = collections.Counter()
    used = set()
    failed = False
    begin = time.monotonic()
    # Configurations hold functions, which do not travel to other processes: each
    # worker is a thread that waits for tools and for the children it forks.
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        for report in pool.map(run_config, [(tools, c, arguments.code, arguments.seed) for c in selected]):
            if "broken" in report:
                print(f"{report['key']}: the code itself is wrong: {report['broken']}")
                failed = True
                continue
            counts = collections.Counter()
            for kind, what, verdict in report["mutants"]:
                counts[kind] += 1
                if verdict:
                    counts["killed"] += 1
                    continue
                entry = equivalent_entry(entries, report["key"], what)
                if entry:
                    counts["equivalent"] += 1
                    used.add(entry["mutation"] + entry["config"])
                else:
                    counts["survived"] += 1
                    failed = True
                    print(f"SURVIVED {report['key']}: {kind}: {what}")
            totals.update(counts)
            kinds = ", ".join(f"{counts[k]} {k}" for k in ("rounding", "contract", "compare", "constant"))
            print(f"{report['key']}: {len(report['mutants'])} mutations ({kinds}), "
                  f"{counts['killed']} killed, {counts['equivalent']} equivalent", flush=True)
    total = sum(totals[k] for k in ("rounding", "contract", "compare", "constant"))
    print(f"total: {total} mutations, {totals['killed']} killed, {totals['equivalent']} equivalent, "
          f"{totals['survived']} survived, {time.monotonic() - begin:.0f} s")
    return 1 if failed else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (runner.ToolError, OSError) as error:
        print(error, file=sys.stderr)
        sys.exit(2)
