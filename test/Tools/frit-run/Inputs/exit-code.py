# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""exit-code.py N COMMAND...: runs the command and succeeds if it returns N."""

import subprocess
import sys

code = subprocess.run(sys.argv[2:]).returncode
if code != int(sys.argv[1]):
    print(f"exit code {code}, expected {sys.argv[1]}", file=sys.stderr)
    sys.exit(1)
