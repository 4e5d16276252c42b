"""Better compilations of a book, made beside the match that runs.

In:  a Program whose code was compiled in haste.
Out: `improve`: the same Library, faster after some seconds and again after some more; the code is kept in the
     cache for next time.

The first code of a large book must be there within two seconds, so it is compiled as quickly as LLVM can.
Measuring what is hot and compiling that with care makes it run several times as fast and takes two seconds;
three times as much, with more copied into its callers, runs a fifth faster and takes three times as long.
Both are worth it for whoever plays on, so they are done by another process, at the lowest priority, and the
entry points are exchanged whenever one is done. A call that is under way ends in the code it began in. Only
one such process works at a time, whoever began it.
"""

from __future__ import annotations

import os
import pickle
import struct
import subprocess
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress

from rulewright.ir import cache
from rulewright.ir.program import Program
from rulewright.native.library import (
    KIND,
    Library,
    better_objects,
    efforts,
    kept_objects,
    library,
    take_over,
)
from rulewright.native.module import Shape
from rulewright.native.traffic import PATIENT, Effort

PATIENCE, IMPATIENCE = 1.0, 0.2
"""Seconds of running after which better code is worth making; the second where code was compiled in haste."""
HEAD = struct.Struct("<Q?")
"""Before each piece of code: how long it is, and whether nothing better follows."""

_lock = threading.Lock()
_started: dict[str, threading.Thread] = {}


def forget() -> None:
    """Begin as a new process would."""
    with _lock:
        _started.clear()


def improve(program: Program, shape: Shape | None = None) -> threading.Thread | None:
    """Begin, unless that was done before; the thread ends when the better code runs or there will be none."""
    code = library(program)
    if not program.digest or (code.better and shape is None):
        return None
    with _lock:
        if program.digest not in _started:
            thread = threading.Thread(target=_improve, args=(program, shape, code), daemon=True)
            _started[program.digest] = thread
            thread.start()
        return _started[program.digest]


def _improve(program: Program, shape: Shape | None, code: Library) -> None:
    made = kept_objects(program, PATIENT) if shape is None else None
    if made is not None:  # another process was first
        take_over(program, code, made)
        return
    command = [sys.executable, "-c", "from rulewright.native.second import main; main()"]
    task = pickle.dumps((program, shape, code.hasty))
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        assert child.stdin is not None
        assert child.stdout is not None
        with suppress(BrokenPipeError):
            child.stdin.write(task)
        with suppress(BrokenPipeError):
            child.stdin.close()
        while True:
            head = child.stdout.read(HEAD.size)
            if len(head) < HEAD.size:
                return
            length, best = HEAD.unpack(head)
            made = child.stdout.read(length)
            if len(made) == length:
                take_over(program, code, made, best)


def main() -> None:
    """The other process: a Program on standard input, object code on standard output, each piece after its
    length and whether it is the last."""
    if hasattr(os, "nice"):
        os.nice(15)
    try:
        program, shape, hasty = pickle.load(sys.stdin.buffer)  # from the process that started this one
    except (EOFError, pickle.UnpicklingError):  # which has ended in the midst of it
        return
    starter = os.getppid()
    with cache.turn(KIND, lambda: os.getppid() == starter) as ours:
        if ours:
            _send_better(program, shape, efforts(program, hasty, shape))


def _send_better(program: Program, shape: Shape | None, steps: Sequence[Effort]) -> None:
    """Compile with more and more care, and hand each result over as soon as it is there."""
    for effort in steps:
        made = better_objects(program, effort, shape)
        try:
            sys.stdout.buffer.write(HEAD.pack(len(made), effort is steps[-1]) + made)
            sys.stdout.buffer.flush()
        except BrokenPipeError:  # whoever wanted it has ended
            os._exit(0)
