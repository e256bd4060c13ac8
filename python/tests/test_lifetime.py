# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How long programs live, and what ends around them: copies, interrupts, forks, the process."""

import copy
import gc
import os
import pickle
import signal
import subprocess
import sys
import textwrap

import frit
import frit.ops
import numpy
import pytest

TEXT = """
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = arith.addf %x, %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
"""
X = numpy.ones(4, numpy.float32)


def run_python(text, timeout=300):
    """Runs a program in a process of its own."""
    return subprocess.run([sys.executable, "-c", textwrap.dedent(text)], capture_output=True, text=True, timeout=timeout,
                          check=False, env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)})


def test_copies_are_the_program():
    """In a process of its own, since two owners of one program would end it."""
    result = run_python(f"""
        import copy, gc, frit, numpy
        for make in (copy.copy, copy.deepcopy):
            program = frit.compile({TEXT!r}, "cpu")
            other, entry = make(program), make(program["main"])
            assert other is program and entry is program["main"]
            del program
            gc.collect()
            assert other(numpy.ones(4, numpy.float32))[0] == 2 and entry(numpy.ones(4, numpy.float32))[0] == 2
            del other, entry
            gc.collect()
        print("done")
    """)
    assert (result.returncode, result.stdout) == (0, "done\n"), result.stderr


def test_entries_keep_their_program():
    entry = frit.compile(TEXT, "cpu")["main"]
    gc.collect()
    numpy.testing.assert_array_equal(copy.copy(entry)(X), 2)


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_nothing_is_pickled(protocol):
    program = frit.compile(TEXT, "cpu")
    for value, name in ((program, "Program"), (program["main"], "Entry")):
        with pytest.raises(frit.UnsupportedTypeError, match=f"a {name} cannot be pickled.* pickle the source"):
            pickle.dumps(value, protocol)


def test_the_process_ends_while_threads_compile():
    result = run_python(f"""
        import threading, time
        import frit
        from frit import _exit

        def work():
            try:
                while True:
                    frit.compile({TEXT!r}, "cpu")
            except frit.FritError as error:
                refusals.append(str(error))

        refusals = []
        frit.compile({TEXT!r}, "cpu")
        for _ in range(4):
            threading.Thread(target=work, daemon=True).start()
        time.sleep(0.2)
        _exit.gate.close()
        time.sleep(0.2)
        assert refusals == ["the interpreter is exiting, expected no more compilations"] * 4, refusals
        print("exit")
    """)
    assert (result.returncode, result.stdout) == (0, "exit\n"), result.stderr


def test_the_process_waits_for_compilations():
    result = run_python("""
        import threading, time
        from frit import _exit

        def work():
            with _exit.gate.inside():
                inside.set()
                time.sleep(0.3)
                print("left", flush=True)

        inside = threading.Event()
        threading.Thread(target=work, daemon=True).start()
        inside.wait()
    """)
    assert (result.returncode, result.stdout) == (0, "left\n"), result.stderr


def test_the_last_programs_wait_for_nobody():
    """The interpreter stops daemon threads where they are, also with a lock."""
    result = run_python(f"""
        import gc, os, threading, time
        import frit
        from frit import _exit

        def work():
            with _exit.gate._changed:
                inside.set()
                time.sleep(100)

        program = frit.compile({TEXT!r}, "cpu")
        _exit.gate.close()
        inside = threading.Event()
        threading.Thread(target=work, daemon=True).start()
        inside.wait()
        del program
        gc.collect()
        print("done", flush=True)
        os._exit(0)
    """, timeout=30)
    assert (result.returncode, result.stdout) == (0, "done\n"), result.stderr


@pytest.mark.parametrize("seconds", [0.05, 0.15, 0.25])
def test_the_process_ends_in_the_midst(seconds):
    result = run_python(f"""
        import threading, time
        import frit

        lines = "".join(f"  %{{i + 1}} = arith.addf %{{i}}, %{{i}} : tensor<4xf32>\\n" for i in range(300))
        text = "func.func @main(%0: tensor<4xf32>) -> tensor<4xf32> {{\\n" + lines + "return %300 : tensor<4xf32>\\n}}\\n"

        def work():
            while True:
                frit.compile(text, "cpu")

        threading.excepthook = lambda arguments: None
        frit.compile({TEXT!r}, "cpu")
        for _ in range(4):
            threading.Thread(target=work, daemon=True).start()
        time.sleep({seconds})
        print("exit")
    """)
    assert (result.returncode, result.stdout) == (0, "exit\n"), result.stderr


class Interrupt(BaseException):
    """What a signal raises here, as SIGINT does KeyboardInterrupt."""


def test_interrupts_are_not_lost():
    """A signal that comes while the compiler runs is handled right behind it."""
    def interrupt(*_):
        raise Interrupt

    # The error comes last, and parsing takes longer than the timer.
    lines = "".join(f"  %{i + 1} = arith.addf %{i}, %{i} : f32\n" for i in range(20000))
    text = f"func.func @main(%0: f32) {{\n{lines}  return %nothing : f32\n}}\n"
    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        for _ in range(3):
            with pytest.raises(Interrupt):
                signal.setitimer(signal.ITIMER_REAL, 0.002)
                frit.compile(text, "cpu")
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    with pytest.raises(frit.CompilationError) as caught:
        frit.compile(text, "cpu")
    assert [diagnostic.severity for diagnostic in caught.value.diagnostics] == ["error"]


def test_forked_processes_compile():
    """Even one that was forked while a thread compiled an op."""
    result = run_python("""
        import os, threading
        import frit.ops, numpy
        from frit import _exit
        from frit.ops import _cache

        inside, leave = threading.Event(), threading.Event()

        def hold():
            with _cache._lock, _exit.gate.inside():
                inside.set()
                leave.wait()

        thread = threading.Thread(target=hold)
        thread.start()
        inside.wait()
        child = os.fork()
        if child == 0:
            frit.ops.act_and_mul(numpy.ones((1, 4), numpy.float32), activation="silu")
            _exit.gate.close()
            os._exit(7)
        status = os.waitpid(child, 0)[1]
        leave.set()
        thread.join()
        print(os.waitstatus_to_exitcode(status))
    """)
    assert (result.returncode, result.stdout) == (0, "7\n"), result.stderr
