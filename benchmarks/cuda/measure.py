# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The measuring half of run.py: checks and times compiled functions on the device and writes the result files."""

import datetime
import os
import subprocess
import tempfile
import time

import torch

import activation_suite
import assemble
import frit_cuda
import graph_nodes
import host_calls
import lora_extras
import lora_suite
import mlp_suite
import objects
import peers
import precompile
import result_file
import soak
import sparse_suite
import timing


def progress(text):
    print(f"[{time.perf_counter() - START:6.1f} s] {text}", flush=True)


START = time.perf_counter()
WRITE_SECONDS = 20  # between files of what there is
FULL = {"milliseconds": 20, "replays": 21}  # of one replay, at most
BRIEF = {"milliseconds": 4, "replays": 7}  # where there are many: kernels that are not chosen, random points
HOST_CALLS = 4  # of a graph whose kernels are launched again
# The slowest come last, where time may be up.
LAST_KERNELS = ("native.linalg",)
MODULES = {"lora_matmul": lora_suite, "lora_shrink": lora_suite, "lora_expand": lora_suite, "gemma3n_mlp": mlp_suite,
           "sparse_ffn": sparse_suite}


def query(names):
    """Of nvidia-smi, for the first GPU."""
    command = ["nvidia-smi", f"--query-gpu={names}", "--format=csv,noheader,nounits", "-i", "0"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip().split(", ")


class Session:
    """The device, its copy curve, the runtime and the functions of a folder."""

    def __init__(self, options):
        self.options = options
        self.stream = torch.cuda.Stream()
        self.runtime = frit_cuda.Runtime(options.runtime, self.stream.cuda_stream)
        self.buffers = activation_suite.Buffers()
        self.buffers.fill("bf16")
        self.functions = {}

    def copy_curve(self):
        curve = timing.copy_curve(self.buffers.inputs, self.options.copy_image)
        self.buffers.filled = None
        driver, clock = query("driver_version,clocks.sm")
        return result_file.rounded(curve), driver, int(clock)

    def function(self, folder, compiled):
        name = compiled.point.function
        if name not in self.functions:
            self.functions[name] = frit_cuda.Function(self.runtime, folder, name, compiled.kernel)
        return self.functions[name]

    def call_count(self, suite, point, function, milliseconds):
        """Calls of a graph: as many as the size asks for, fewer of a slow kernel."""
        arguments = suite.calls(point, 1, False)[0]
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        torch.cuda.synchronize()  # operands are filled on another stream: a call beside that takes longest of all
        function(arguments)  # loads the kernel
        begin.record(self.stream)
        function(arguments)
        end.record(self.stream)
        end.synchronize()
        limit = milliseconds / max(begin.elapsed_time(end), 1e-3)
        return max(2, min(timing.call_count(suite.points.moved(point)), int(limit)))

    def graph(self, suite, point, function, count, cold):
        """(a graph of `count` calls, the arguments of the first)."""
        arguments = suite.calls(point, count, cold)
        return timing.capture_graph(lambda _: [function(a) for a in arguments], self.stream), arguments[0]

    def time(self, suite, point, function, milliseconds, replays):
        """The fields of a result file that come from graphs."""
        fields, count = {}, self.call_count(suite, point, function, milliseconds)
        for cold, name in ((True, "cold"), (False, "warm")):
            graph, _ = self.graph(suite, point, function, count, cold)
            if cold:
                fields |= graph_nodes.resources(graph, count)
            fields |= timing.spread(timing.replay_times(graph, count, cold, replays), name)
        return fields


class SuiteRun:
    """One suite: `result` grows point by point, `failures` says what was left out of it."""

    def __init__(self, session, name, suite, folder, header):
        self.session, self.name, self.suite, self.folder = session, name, suite, folder
        self.commit, self.compiled = objects.load(folder)
        self.assembly = assemble.Assembly(header | {"commit": self.commit or header["commit"]})
        self.failures = [f"{c.point.function}: {c.error}" for c in self.compiled if c.error]
        self.compiled = [c for c in self.compiled if not c.error]
        self.good = []
        self.end = time.perf_counter() + session.options.seconds

    def late(self):
        return time.perf_counter() > self.end

    def fail(self, compiled, text):
        self.failures.append(f"{compiled.point.function} ({compiled.kernel}): {text}")
        print(f"FAIL {self.failures[-1]}", flush=True)

    def point(self, compiled):
        """Checks and times a function; its entry is in the result afterwards unless it is wrong."""
        point, points = compiled.point, self.suite.points
        try:
            function = self.session.function(self.folder, compiled)
            check = self.suite.check(point, function)
            if check.wrong:
                self.fail(compiled, check.wrong)
                return None
            measured = self.time(point, function) if points.timed(point) else {}
        except RuntimeError as error:
            self.fail(compiled, str(error))
            return None
        self.good.append(compiled)
        return self.assembly.add(compiled, points.moved(point), points.flops(point), check, measured)

    def time(self, point, function):
        """By the suite's own method, where it has one."""
        if hasattr(self.suite, "time"):
            return self.suite.time(self.session.stream, point, function)
        points = self.suite.points
        effort = BRIEF if point.kernel or points.is_brief(point) else FULL
        return self.session.time(self.suite, point, function, **effort)

    def with_peers(self, compiled):
        entry = self.point(compiled)
        if entry and not self.session.options.no_peers and self.suite.points.has_peers(compiled.point):
            try:
                entry["peers"] |= result_file.rounded(self.suite.peers(compiled.point))
            except Exception as error:  # whatever PyTorch's compiler raises: the point stands without it
                self.fail(compiled, f"PyTorch: {type(error).__name__}: {error}")
        if entry and "cold_us" in entry:
            beside = ", ".join(f"{k} {v['cold_us']:.2f}" for k, v in entry["peers"].items())
            progress(f"{result_file.label(entry)} {compiled.point.form or ''} {compiled.kernel}: "
                     f"{entry['cold_us']:.2f} ({beside}), warm {entry['warm_us']:.2f} us")
        elif entry and "us" in entry:
            progress(f"{result_file.label(entry)} {compiled.point.form}: {entry['us']:.2f} us a layer, {entry['nodes']} nodes")

    def run(self, path):
        chosen = [c for c in self.compiled if not c.point.kernel and not self.suite.points.is_extra(c.point)]
        written = time.perf_counter()
        for c in sorted(chosen, key=lambda c: (c.point.dtype != "bf16", c.point.form != "")):
            self.with_peers(c)
            if time.perf_counter() > written + WRITE_SECONDS:
                self.write(path)
                written = time.perf_counter()
        self.write(path)
        extras = {"gelu_and_mul_sparse": self.extras, "lora_matmul": lambda: lora_extras.run_all(self)}.get(self.name)
        if extras and not self.late():
            try:
                extras()
            except RuntimeError as error:  # of one more figure: the candidates stand without it
                self.failures.append(f"extras: {error}")
            progress("extras are done")
            self.write(path)
        left_out = 0
        for c in sorted((c for c in self.compiled if c.point.kernel), key=lambda c: c.kernel in LAST_KERNELS):
            if self.late():
                left_out += 1
            else:
                self.point(c)
        self.assembly.note("left_out", left_out)
        self.write(path)
        progress(f"{self.name}: {len(self.failures)} failures, {left_out} candidates left out")
        return not self.failures

    def extras(self):
        """Repeats, batches and the host's time."""
        default = [c for c in self.good if not c.point.form and not c.point.kernel]
        function = lambda c: self.session.function(self.folder, c)
        self.assembly.note("batches", soak.batches(default, function))
        at = {(c.point.dtype, c.point["tokens"], c.point["d"]): c for c in default}
        for shape in (("bf16", 1, 32768), ("bf16", 128, 16384), ("bf16", 512, 2048), ("f32", 32, 8192)):
            if c := at.get(shape):
                self.assembly.extend("repeats", {"dtype": shape[0], "tokens": shape[1], "d": shape[2],
                    "kernel": c.kernel, "calls": soak.REPEATS,
                    "differing": soak.repeats(c.point, function(c), self.session.stream)})
        for shape in (("bf16", 1, 2048), ("bf16", 32, 2048)):
            if c := at.get(shape):
                graph, arguments = self.session.graph(self.suite, c.point, function(c), HOST_CALLS, False)
                measured = host_calls.measure(function(c), arguments, graph, HOST_CALLS, self.session.stream)
                self.assembly.extend("host_calls", {"dtype": shape[0], "tokens": shape[1], "d": shape[2],
                                                    "kernel": c.kernel, **measured})

    def write(self, path):
        self.assembly.note("failures", self.failures)
        if hasattr(self.suite, "finish"):
            self.suite.finish(self.assembly.values)
        result_file.write(path, self.assembly.result())


def run(options, suites):
    """Measures the suites of the options; whether all points were right."""
    torch.set_grad_enabled(False)
    torch.manual_seed(0)
    compilers = None
    if not options.no_peers:
        cache = tempfile.TemporaryDirectory(prefix="frit-benchmark-torch-")
        compilers = peers.Precompiler([precompile.__file__, *options.suites], max(1, min(14, os.cpu_count() - 2)), cache.name)
    session = Session(options)
    if compilers:
        progress(f"{compilers.wait()} processes of torch.compile failed")
    curve, driver, clock = session.copy_curve()
    progress(f"copy: {curve[-1]['bytes']} bytes in {curve[-1]['cold_us']} us")
    header = {"machine": options.machine, "device": torch.cuda.get_device_name(), "driver": driver,
              "cuda": torch.version.cuda, "torch": torch.__version__, "commit": result_file.commit(),
              "date": datetime.date.today().isoformat(), "clock_mhz": clock, "copy": curve}
    good = True
    for name in options.suites:
        suite = MODULES.get(name, activation_suite).Suite(session.buffers)
        good &= SuiteRun(session, name, suite, options.objects / name, header).run(options.output / f"{name}.json")
    torch.cuda.synchronize()
    return good
