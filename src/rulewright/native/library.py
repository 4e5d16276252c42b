"""Compiled Programs, ready to call.

In:  a Program.
Out: `Library`: its entry points as Python callables that release the interpreter lock.

Three ways to get one, fastest first: already in this process; object code cached under the
Program's digest; object code cached under the fingerprint of its LLVM text (the digest is new, but
only numbers and names changed); and at last the compiler.
"""

from __future__ import annotations

import ctypes
import functools
import hashlib
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from rulewright.ir.program import Program
from rulewright.native import cache, machine
from rulewright.native.layout import MAX_SEATS, Layout
from rulewright.native.module import Shape, policies, translate

_lock = threading.RLock()
_by_digest: dict[str, Library] = {}

_SIMPLE = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p)
_INDEXED = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p, ctypes.c_int64)
_HASH = ctypes.CFUNCTYPE(ctypes.c_uint64, ctypes.c_void_p)


@dataclass(frozen=True, slots=True)
class Library:
    """One compiled Program. Every callable takes the address of an arena; -1 means a fault."""

    layout: Layout
    policies: int
    advance: Callable[[int], int]
    list_options: Callable[[int], int]
    playout: Callable[[int], int]
    batch: Callable[[int], int]
    choose: Callable[[int, int], int]
    policy: Callable[[int, int], int]
    hash: Callable[[int], int]
    code: machine.Loaded


def library(program: Program) -> Library:
    """The compiled Program, from memory, from the cache or from the compiler."""
    with _lock:
        found = _by_digest.get(program.digest)
        if found is None:
            found = _bound(program, _from_cache(program))
            if program.digest:
                _by_digest[program.digest] = found
        return found


def compiled(program: Program, shape: Shape | None = None, parts: int | None = None) -> Library:
    """The Program compiled here and now, past every cache: for tests and measurements."""
    return _bound(program, machine.load_objects(machine.compile_source(translate(program, shape, parts))))


def forget() -> None:
    """Begin as a new process would: the next Library comes from the cache on disk or the compiler."""
    with _lock:
        _by_digest.clear()


def check_policies(code: Library, policies: Sequence[int]) -> None:
    """Raises ValueError unless there is such a policy for every seat."""
    if len(policies) > MAX_SEATS or any(not 0 <= policy <= code.policies for policy in policies):
        raise ValueError(f"policies {list(policies)}: a seat takes 0 (random) to {code.policies}")


def _from_cache(program: Program) -> machine.Loaded:
    target = f"{_version()} {machine.target_name()}"
    by_digest = _key(target, _shape(program), program.digest) if program.digest else ""
    loaded = _load(cache.fetch(by_digest)) if by_digest else None
    if loaded is not None:
        return loaded
    source = translate(program)
    by_text = _key(target, source.shape, source.fingerprint)
    code = cache.fetch(by_text)
    loaded = _load(code)
    if code is None or loaded is None:
        code = machine.compile_source(source)
        cache.keep(by_text, code)
        loaded = machine.load_objects(code)
    if by_digest:
        cache.keep(by_digest, code)
    return loaded


def _load(code: tuple[bytes, ...] | None) -> machine.Loaded | None:
    if code is None:
        return None
    try:
        return machine.load_objects(code)
    except RuntimeError:  # whole, but not ours
        return None


def _key(*parts: str) -> str:
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


@functools.cache
def _version() -> str:
    """The translator itself, as a fingerprint: a Program must not find code of an older one."""
    files = sorted(Path(__file__).parent.glob("*.py"))
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()


def _shape(program: Program) -> str:
    """Array lengths: a Program with other tables under an old digest must not find old code."""
    return f"{program.size} {program.stack_base} {len(program.params)} {len(program.consts)} {program.work}"


def _bound(program: Program, code: machine.Loaded) -> Library:
    at = code.addresses
    return Library(
        layout=Layout.of(program),
        policies=policies(program),
        advance=_SIMPLE(at["rw_advance"]),
        list_options=_SIMPLE(at["rw_list"]),
        playout=_SIMPLE(at["rw_playout"]),
        batch=_SIMPLE(at["rw_batch"]),
        choose=_INDEXED(at["rw_choose"]),
        policy=_INDEXED(at["rw_policy"]),
        hash=_HASH(at["rw_hash"]),
        code=code,
    )
