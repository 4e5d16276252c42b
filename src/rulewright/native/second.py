"""A second, better compilation of a book, made beside the match that runs.

In:  a Program whose code was compiled quickly.
Out: `improve`: the same Library, faster after a few seconds; the code is kept in the cache for next time.

The first code of a large book must be there within two seconds, so only its hottest part is compiled with
care. Three times as much, and with more copied into its callers, runs a fifth faster and takes LLVM three
times as long: worth it for whoever plays on, so it is done by another process, at the lowest priority, and
the entry points are exchanged when it is done. A call that is under way ends in the code it began in.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import threading

from rulewright.ir.program import Program
from rulewright.native.library import Library, better_objects, library, take_over
from rulewright.native.module import Shape

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
    command = [sys.executable, "-c", "from rulewright.native.second import main; main()"]
    task = pickle.dumps((program, shape))
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        made, _ = child.communicate(task)
    if child.returncode == 0:
        take_over(program, code, made)


def main() -> None:
    """The other process: a Program on standard input, object code on standard output."""
    if hasattr(os, "nice"):
        os.nice(15)
    program, shape = pickle.load(sys.stdin.buffer)  # from the process that started this one
    sys.stdout.buffer.write(better_objects(program, shape))
