"""Compile one book, as the first thing a process does, and say how long it took.

In:  the path of a book; the cache as RULEWRIGHT_CACHE names it, full or empty.
Out: two numbers, processor time in seconds: from text to Program, and from there to machine code to call.

A process of its own, since one that has compiled before has LLVM, the kernels and many names at hand.
Starting Python and importing are not counted.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parent.parent / "src")]

from rulewright.compiler import compile_book  # noqa: E402
from rulewright.native import NativeEngine  # noqa: E402

began = time.process_time()
program = compile_book(Path(sys.argv[1]))
read = time.process_time()
NativeEngine(program)
print(read - began, time.process_time() - read)
