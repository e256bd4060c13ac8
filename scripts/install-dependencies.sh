#!/usr/bin/env bash
# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Installs what Frit needs on Debian 12, as root: LLVM/MLIR 22, the build tools
# and libraries, and a Python environment for the tests in build/venv.
# Does nothing where everything is there.
set -euo pipefail
cd "$(dirname "$0")/.."

packages=(
  # LLVM and MLIR, and the tools that the tests use.
  libmlir-22-dev mlir-22-tools llvm-22-dev llvm-22-tools
  clang-22 lld-22 clang-tidy-22 clang-format-22 libclang-rt-22-dev libomp-22-dev
  # What LLVM's package files ask for.
  libzstd-dev libcurl4-openssl-dev libedit-dev libz3-dev libxml2-dev zlib1g-dev
  # Build tools.
  cmake ninja-build g++ ccache git
  # Libraries.
  nlohmann-json3-dev libgtest-dev libgmock-dev
  # Nothing needs it: tests of matmuls by oneDNN run where it is.
  libdnnl-dev
  # The tests' Python.
  python3 python3-venv
)
missing=()
for package in "${packages[@]}"; do
  dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' ||
    missing+=("$package")
done
if ((${#missing[@]})); then
  echo "installing: ${missing[*]}"
  export DEBIAN_FRONTEND=noninteractive
  apt-get update -qq
  apt-get install -qq -y --no-install-recommends "${missing[@]}" >/dev/null
fi

venv=build/venv
if ! "$venv/bin/python3" -c 'import numpy, ml_dtypes, pytest, safetensors' 2>/dev/null; then
  echo "making the tests' Python environment in $venv"
  python3 -m venv --clear "$venv"
  "$venv/bin/python3" -m pip install --quiet --disable-pip-version-check \
    numpy ml_dtypes pytest safetensors
fi
