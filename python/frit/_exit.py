# Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Keeps the end of the process away from threads that compile.

Daemon threads run on while the process ends, and a compilation must not be at work when the libraries that it uses are torn
down. So the exit waits for the compilations that are running, and begins no others.
"""

import atexit
import os
import threading
from contextlib import contextmanager

from .errors import FritError


class Gate:
    """Counts the threads that use the compiler, until it closes."""

    def __init__(self):
        # A garbage collection may destroy a program while this thread holds the lock: it is a reentrant one.
        self._changed = threading.Condition()
        self._inside = set()
        self._is_closed = False

    @contextmanager
    def inside(self):
        """The scope in which a thread uses the compiler. Raises FritError once the gate is closed."""
        thread = threading.get_ident()
        # Without the lock first: the interpreter stops daemon threads wherever they are, so that the lock may stay with one
        # of them while the last programs are destroyed.
        self._check_open()
        with self._changed:
            self._check_open()
            is_outermost = thread not in self._inside
            self._inside.add(thread)
        try:
            yield
        finally:
            if is_outermost:
                with self._changed:
                    self._inside.discard(thread)
                    self._changed.notify_all()

    def _check_open(self):
        if self._is_closed:
            raise FritError("the interpreter is exiting, expected no more compilations")

    def close(self):
        """Lets no thread in any more, and waits for those that are inside."""
        with self._changed:
            self._is_closed = True
            # An interrupt may have kept this thread from leaving.
            self._inside.discard(threading.get_ident())
            self._changed.wait_for(lambda: not self._inside)


gate = Gate()
atexit.register(gate.close)
# The threads of the parent are not in the child.
os.register_at_fork(after_in_child=gate.__init__)
