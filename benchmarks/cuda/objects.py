# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles points to shared objects with frit-run and the machine's C compiler. Needs no GPU, and Python alone.

A folder of objects holds a shared object a function and manifest.json: for each point its function, the kernel that
the compiler chose, and the other kernels that the op admits."""

import concurrent.futures
import dataclasses
import json
import os
import pathlib
import re
import subprocess

from points import Point

MANIFEST = "manifest.json"
PICKED = re.compile(r"^(?:.* )?(\S+) +picked  ", re.MULTILINE)
ADMISSIBLE = re.compile(r"^(?:.* )?(\S+) +admissible  ", re.MULTILINE)


def rows_of(table, op):
    """The rows of an explanation that are about an op of this name: its first line names it, the others are indented."""
    rows, inside = [], False
    for line in table.splitlines():
        if not line.startswith(" "):
            inside = line.startswith(f"frit.{op} ")
        if inside:
            rows.append(line)
    return "\n".join(rows)


@dataclasses.dataclass
class Compiled:
    """A point with what the compiler made of it. `error` is why there is no object, or ""."""

    point: Point
    kernel: str = ""
    candidates: list = dataclasses.field(default_factory=list)
    error: str = ""

    def record(self):
        return {"op": self.point.op, "dtype": self.point.dtype, "sizes": self.point.sizes, "form": self.point.form,
                "pinned": self.point.kernel, "kernel": self.kernel, "candidates": self.candidates, "error": self.error}

    @staticmethod
    def of(record):
        sizes = tuple((k, tuple(v) if isinstance(v, list) else v) for k, v in record["sizes"])
        point = Point(record["op"], record["dtype"], sizes, record["form"], record["pinned"])
        return Compiled(point, record["kernel"], record["candidates"], record["error"])


class Compiler:
    """frit-run and cc. `tools` is the folder of Frit's tools, `target` what --target of frit-run takes."""

    def __init__(self, tools, target, folder):
        self.tool, self.target = pathlib.Path(tools) / "frit-run", target
        self.folder = pathlib.Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)

    def command(self, command):
        """The output; a failure is a RuntimeError with what the command said first."""
        result = subprocess.run(command, capture_output=True, text=True, check=False)
        if result.returncode != 0:
            said = (result.stderr or result.stdout).strip().splitlines()
            # Results keep the text, but not where it was compiled.
            text = said[0].replace(f"{self.folder}/", "") if said else result.returncode
            raise RuntimeError(f"{pathlib.Path(command[0]).name}: {text}")
        return result.stdout

    def compile(self, point, text, options):
        stem = self.folder / point.function
        source, object_file, library = (f"{stem}{suffix}" for suffix in (".mlir", ".o", ".so"))
        compiled = Compiled(point)
        pathlib.Path(source).write_text(text, encoding="utf-8")
        try:
            table = self.command([str(self.tool), source, f"--entry={point.function}", f"--target={self.target}",
                                  "--explain", "--dump=obj", f"--dump-output={object_file}", *options])
            rows = rows_of(table, point.op)
            # A graph of several ops has a kernel for each.
            compiled.kernel = "+".join(dict.fromkeys(PICKED.findall(rows or table)))
            compiled.candidates = ADMISSIBLE.findall(rows)
            self.command(["cc", "-shared", "-o", library, object_file, "-lm"])
            os.remove(object_file)
        except RuntimeError as error:
            compiled.error = str(error)
        return compiled

    def all(self, points, mlir, has_candidates, jobs, options=lambda _: []):
        """Compiles all points, and where `has_candidates` says so for each of the kernels that are not chosen. `options` gives
        more options of frit-run for a point."""
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            chosen = list(pool.map(lambda p: self.compile(p, mlir(p), options(p)), points))
            pinned = [c.point.pinned(k) for c in chosen if has_candidates(c.point) for k in c.candidates]
            return chosen + list(pool.map(lambda p: self.compile(p, mlir(p), options(p)), pinned))


def save(folder, target, commit, compiled):
    manifest = {"target": target, "commit": commit, "functions": [c.record() for c in compiled]}
    (pathlib.Path(folder) / MANIFEST).write_text(json.dumps(manifest, indent=0) + "\n", encoding="utf-8")


def load(folder):
    """(the commit of the compiler, all functions)."""
    manifest = json.loads((pathlib.Path(folder) / MANIFEST).read_text(encoding="utf-8"))
    return manifest["commit"], [Compiled.of(r) for r in manifest["functions"]]
