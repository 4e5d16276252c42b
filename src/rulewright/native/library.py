"""Compiled Programs, ready to call.

In:  a Program.
Out: `Library`: its entry points as Python callables that release the interpreter lock.

Three ways to get one, fastest first: already in this process; object code cached under the digest of
the Program's code (numbers and names may have changed since); and at last the compiler.
"""

from __future__ import annotations

import ctypes
import functools
import hashlib
import struct
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path

from rulewright.ir import cache
from rulewright.ir.program import Program
from rulewright.native import machine
from rulewright.native.layout import MAX_SEATS, Layout
from rulewright.native.module import Shape, Source, Traffic, translate
from rulewright.native.traffic import HASTY, PATIENT, QUICK, Effort, measured
from rulewright.play.arguments import checked_numbers, told

KIND = "native"
"""Our entries in the cache."""

ENTRIES = ("advance", "list_options", "playout", "batch", "choose", "step", "policy", "hash")
"""The callables of a Library."""

MERGED_PARTS = 2
"""Object files of a Program that is compiled with every care at once."""

_lock = threading.RLock()
_by_digest: dict[str, Library] = {}

_SIMPLE = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p)
_INDEXED = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p, ctypes.c_int64)
_HASH = ctypes.CFUNCTYPE(ctypes.c_uint64, ctypes.c_void_p)


@dataclass(slots=True)
class Library:
    """One compiled Program. Every callable takes the address of an arena; -1 means a fault. Better code may
    take over between two calls; see `second`."""

    layout: Layout
    policies: int
    advance: Callable[[int], int]
    list_options: Callable[[int], int]
    playout: Callable[[int], int]
    batch: Callable[[int], int]
    choose: Callable[[int, int], int]
    step: Callable[[int, int], int]
    policy: Callable[[int, int], int]
    hash: Callable[[int], int]
    code: machine.Loaded
    better: bool = False
    """Is there nothing to improve?"""
    hasty: bool = False
    """Was none of it compiled with care?"""
    older: list[machine.Loaded] = field(default_factory=list[machine.Loaded])
    """Code in which a call may still be under way."""


def library(program: Program) -> Library:
    """The compiled Program, from memory, from the cache or from the compiler."""
    with _lock:
        found = _by_digest.get(program.digest)
        if found is None:
            found = _from_cache(program)
            if program.digest:
                _by_digest[program.digest] = found
        return found


def compiled(program: Program, shape: Shape | None = None, parts: int | None = None) -> Library:
    """The Program compiled here and now, past every cache: for tests and measurements."""
    return _bound(program, machine.load_objects(compile_source(program, translate(program, shape, parts))))


def compile_source(program: Program, source: Source, effort: Effort = QUICK) -> tuple[bytes, ...]:
    """Machine code, one object file for each part. A tiered Program runs for a moment in between, unless it
    is wanted in haste."""
    if source.tiers is None:
        return machine.compile_texts((part, "utmost") for part in source.parts())
    main = next(source.tiers.better(Traffic()))
    first, *cold = machine.compile_texts((part, "none") for part in chain((main,), source.parts()))
    if effort is HASTY:
        return (*cold, first)
    tiers, played = source.tiers, (*cold, first)
    if effort.weighs:
        tiers = source.tiers.counting()
        main = next(tiers.better(Traffic()))
        played = machine.compile_texts((part, "none") for part in chain((main,), tiers.cold(len(cold))))
    loaded = machine.load_objects(played)
    traffic, tests = measured(program, tiers, loaded.addresses["rw_batch"], effort)
    better = source.tiers.weighed(tiers, tests).better(traffic)
    cares: tuple[machine.Care, ...] = (effort.care, "some")
    return (*cold, *machine.compile_texts(zip(better, cares, strict=True)))


def forget() -> None:
    """Begin as a new process would: the next Library comes from the cache on disk or the compiler."""
    with _lock:
        _by_digest.clear()


def checked_policies(code: Library, policies: Sequence[int]) -> tuple[int, ...]:
    """A policy for each seat. Raises ValueError unless the book has them."""
    found = checked_numbers(policies, None, "policies")
    if len(found) > MAX_SEATS or any(not 0 <= policy <= code.policies for policy in found):
        raise ValueError(f"policies {told(list(found))}: a seat takes 0 (random) to {code.policies}")
    return found


def efforts(program: Program, hasty: bool, shape: Shape | None = None) -> tuple[Effort, ...]:
    """What is worth making, one after the other, for a Program whose code is not the best. What will be one
    function in the end needs no step in between."""
    if hasty and _source(program, PATIENT, shape).tiers is not None:
        return QUICK, PATIENT
    return (PATIENT,)


def better_objects(program: Program, effort: Effort = PATIENT, shape: Shape | None = None) -> bytes:
    """Better code, packed and kept in the cache: see `second`."""
    packed = _packed(compile_source(program, _source(program, effort, shape), effort))
    if shape is None and _named(program):
        cache.keep(KIND, _code_key(program, effort), packed)
    return packed


def _source(program: Program, effort: Effort, shape: Shape | None = None) -> Source:
    return translate(program, shape, inline=effort.inline, largest=effort.merged)


def kept_objects(program: Program, effort: Effort) -> bytes | None:
    """Better code that another process has made."""
    return cache.fetch(KIND, _code_key(program, effort)) if _named(program) else None


def take_over(program: Program, old: Library, packed: bytes, best: bool = True) -> None:
    """Let better code run instead of the Library's own. `best`: nothing better will follow."""
    loaded = _load(packed)
    if loaded is None:
        return
    new = _bound(program, loaded)
    with _lock:
        old.older.append(old.code)
        for name in ENTRIES:
            setattr(old, name, getattr(new, name))
        old.code, old.better, old.hasty = loaded, best, False


def _from_cache(program: Program) -> Library:
    """The best code there is, else what is compiled in haste."""
    named = _named(program)
    for effort in (PATIENT, QUICK, HASTY) if named else ():
        kept = kept_objects(program, effort)
        loaded = _load(kept)
        if kept and loaded is not None:
            return _bound(program, loaded, effort, kept[0])
    objects = compile_source(program, _source(program, HASTY), HASTY)
    if named:
        cache.keep(KIND, _code_key(program, HASTY), _packed(objects))
    return _bound(program, machine.load_objects(objects), HASTY, len(objects))


def _named(program: Program) -> bool:
    """One that was changed in memory goes without the cache."""
    return bool(program.digest and program.code_digest)


def _code_key(program: Program, effort: Effort) -> str:
    return _key(version(), machine.target_name(), _shape(program), program.code_digest, effort.name)


def _load(code: bytes | None) -> machine.Loaded | None:
    if code is None:
        return None
    try:
        return machine.load_objects(_unpacked(code))
    except (RuntimeError, struct.error):  # whole, but not ours
        return None


def _packed(objects: Sequence[bytes]) -> bytes:
    """How many there are, how long each is, and then all of them."""
    return struct.pack(f"<B{len(objects)}Q", len(objects), *map(len, objects)) + b"".join(objects)


def _unpacked(code: bytes) -> list[bytes]:
    (count,) = struct.unpack_from("<B", code)
    place = 1 + 8 * count
    objects: list[bytes] = []
    for length in struct.unpack_from(f"<{count}Q", code, 1):
        objects.append(code[place : place + length])
        place += length
    return objects


def _key(*parts: str) -> str:
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


@functools.cache
def version() -> str:
    """The translator itself, as a fingerprint: a Program must not find code of an older one."""
    package = Path(__file__).parents[1]
    files = [file for folder in ("ir", "native") for file in sorted((package / folder).glob("*.py"))]
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()


def _shape(program: Program) -> str:
    """All of a Program that its machine code depends on besides its code: where everything lies."""
    lengths = (program.size, program.stack_base, len(program.params), len(program.consts), program.work)
    return " ".join(map(str, (*lengths, program.frame_size)))


def _bound(program: Program, code: machine.Loaded, effort: Effort = QUICK, parts: int = 0) -> Library:
    """`parts`: how many object files there are."""
    at = code.addresses
    merged = 0 < parts <= MERGED_PARTS
    return Library(
        layout=Layout.of(program),
        policies=len(program.policies),
        advance=_SIMPLE(at["rw_advance"]),
        list_options=_SIMPLE(at["rw_list"]),
        playout=_SIMPLE(at["rw_playout"]),
        batch=_SIMPLE(at["rw_batch"]),
        choose=_INDEXED(at["rw_choose"]),
        step=_INDEXED(at["rw_step"]),
        policy=_INDEXED(at["rw_policy"]),
        hash=_HASH(at["rw_hash"]),
        code=code,
        better=merged or effort is PATIENT,
        hasty=not merged and effort is HASTY,
    )
