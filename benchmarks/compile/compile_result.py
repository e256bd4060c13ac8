# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The result file benchmarks/results/<machine>/compile.json: `points` of layers.py, and `cold` of cold.py."""

import datetime
import json
import os
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

import result_file  # noqa: E402


def read(path):
    """What is there; no points where nothing is."""
    return json.loads(path.read_text()) if path.exists() else {"points": []}


def write(path, parts):
    """Writes what was there with new parts, and says where and when."""
    name = re.search(r"model name\s*: (.*)", pathlib.Path("/proc/cpuinfo").read_text())
    header = {"machine": path.parent.name, "processor": name.group(1) if name else path.parent.name,
              "threads": os.cpu_count(), "driver": None, "commit": result_file.commit(),
              "date": datetime.date.today().isoformat()}
    kept = {key: value for key, value in read(path).items() if key in ("points", "cold")}
    path.write_text(json.dumps(header | kept | parts, indent=1) + "\n")
