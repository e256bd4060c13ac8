#!/usr/bin/env python3
# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Packs a static build into one archive for GPU machines that have a driver, python3 and the CUDA tools, but no LLVM.

The archive unpacks to `frit-bundle/`: the tools, the runtime, the tests that need a device, the benchmarks and the examples, with
`run-tests` and `run-benchmarks`. It is written whole or not at all, and refused where it is larger than the limit.
"""

import argparse
import lzma
import os
import pathlib
import shutil
import subprocess
import sys
import tarfile
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
NAME = "frit-bundle"
TOOLS = ("frit-compile", "frit-opt", "frit-run")
# Of the tree, with what the tests and benchmarks read.
FOLDERS = ("test/Integration", "test/data", "benchmarks", "examples")
# The tools are code for the most part: the filter makes call targets absolute, which repeat.
FILTERS = [{"id": lzma.FILTER_X86}, {"id": lzma.FILTER_LZMA2, "preset": 6}]


def tracked(folder):
    """The files of the tree below a folder, those that are not committed yet included, ignored ones not."""
    listed = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard", "--", folder], cwd=ROOT, check=True,
                            capture_output=True, text=True).stdout.splitlines()
    return [name for name in listed if (ROOT / name).is_file()]


def strip(strip_tool, source, target):
    target.parent.mkdir(parents=True, exist_ok=True)
    subprocess.run([strip_tool, "--strip-all", "-o", target, source], check=True)
    target.chmod(0o755)


def needed_library(binary, stem):
    """The file that the dynamic linker takes for a library of `binary`; none where it needs no such one."""
    listed = subprocess.run(["ldd", binary], check=True, capture_output=True, text=True).stdout
    for line in listed.splitlines():
        words = line.split()
        if words and words[0].startswith(stem) and "=>" in words:
            return words[0], pathlib.Path(words[2])
    return None


def assemble(build, strip_tool, lit_folder, stage):
    strip(strip_tool, build / "bin" / "frit", stage / "bin" / "frit")
    for tool in TOOLS:
        (stage / "bin" / tool).symlink_to("frit")
    for test in sorted((build / "test" / "unit").glob("*DeviceTests")):
        strip(strip_tool, test, stage / "bin" / test.name)
    (stage / "lib").mkdir()
    runtime = next((build / "lib").glob("libFritRuntime.so.*.*"))
    name, _ = needed_library(build / "bin" / "frit", "libFritRuntime.so")
    strip(strip_tool, runtime, stage / "lib" / name)
    (stage / "lib" / "libFritRuntime.so").symlink_to(name)
    openmp = needed_library(runtime, "libgomp") or needed_library(runtime, "libomp")
    if openmp:
        shutil.copy(openmp[1], stage / "lib" / openmp[0])
    shutil.copytree(lit_folder, stage / "python" / "lit", ignore=shutil.ignore_patterns("__pycache__", "tests"))
    # LLVM's FileCheck would bring LLVM; this one is a package of Python alone.
    subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps", "--no-compile",
                    "--target", stage / "python", "filecheck"], check=True)
    shutil.copy(ROOT / "scripts" / "bundle" / "FileCheck", stage / "bin" / "FileCheck")
    for folder in FOLDERS:
        for name in tracked(folder):
            (stage / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, stage / name)
    for name in ("test/lit.cfg.py", "LICENSE"):
        shutil.copy(ROOT / name, stage / name)
    for name in ("run-tests", "run-benchmarks"):
        shutil.copy(ROOT / "scripts" / "bundle" / name, stage / name)
    # Beside the configuration that it completes, where lit looks for it.
    shutil.copy(ROOT / "scripts" / "bundle" / "lit.site.cfg.py", stage / "test")


def pack(stage, output):
    part = output.with_name(output.name + ".part")
    try:
        with lzma.open(part, "wb", format=lzma.FORMAT_XZ, filters=FILTERS) as stream, tarfile.open(fileobj=stream, mode="w|") as archive:
            archive.add(stage, arcname=NAME)
        os.replace(part, output)
    finally:
        part.unlink(missing_ok=True)


def find_lit():
    """The package of the lit that the tests here run with."""
    import importlib.util
    found = importlib.util.find_spec("lit")
    if found:
        return pathlib.Path(found.origin).parent
    packaged = pathlib.Path("/usr/lib/llvm-22/utils/lit/lit")
    if packaged.is_dir():
        return packaged
    sys.exit("make-bundle.py: error: the Python package 'lit' was not found; name its folder with --lit")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build" / "static", help="a build with the preset static")
    parser.add_argument("--output", type=pathlib.Path, default=None, help="default: frit-bundle.tar.xz in the build")
    parser.add_argument("--strip", default="llvm-strip-22", help="the strip tool")
    parser.add_argument("--lit", type=pathlib.Path, default=None, help="folder of the Python package lit")
    parser.add_argument("--limit-mb", type=float, default=45, help="most megabytes of the archive")
    args = parser.parse_args()
    if not (args.build / "bin" / "frit").exists():
        sys.exit(f"make-bundle.py: error: {args.build / 'bin' / 'frit'} is missing: build the preset static first")
    output = args.output or args.build / f"{NAME}.tar.xz"
    with tempfile.TemporaryDirectory() as folder:
        stage = pathlib.Path(folder) / NAME
        stage.mkdir()
        assemble(args.build, args.strip, args.lit or find_lit(), stage)
        pack(stage, output)
    size = output.stat().st_size / 1e6
    if size > args.limit_mb:
        output.unlink()
        sys.exit(f"make-bundle.py: error: the bundle has {size:.1f} MB, the limit is {args.limit_mb:g} MB")
    print(f"{output}: {size:.1f} MB")


if __name__ == "__main__":
    main()
