"""Compiled code on disk, so that a book is compiled once on each machine.

In:  keys (hex) and object code, in one or more parts.
Out: object code that was stored under the key before, or None.

An entry is a checksum, the length of each part, and the parts. Entries are written beside and renamed
into place, so readers see a whole entry or none; whatever is damaged, foreign or unreadable counts as
absent and is written anew. The cache never fails a caller: without a usable directory everything is
simply compiled.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import struct
import tempfile
from collections.abc import Sequence
from pathlib import Path

MAGIC = b"rulewright native 1\n"


def directory() -> Path:
    """$RULEWRIGHT_CACHE, or the user's cache directory."""
    chosen = os.environ.get("RULEWRIGHT_CACHE")
    if chosen:
        return Path(chosen)
    base = os.environ.get("LOCALAPPDATA") if os.name == "nt" else os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "rulewright"


def fetch(key: str) -> tuple[bytes, ...] | None:
    """What is stored under the key, if it is whole."""
    try:
        data = _path(key).read_bytes()
    except OSError:
        return None
    head = len(MAGIC) + 32
    body = data[head:]
    if data[:head] != MAGIC + hashlib.sha256(body).digest():
        return None
    count, at = body[0], 1
    lengths = struct.unpack_from(f"<{count}Q", body, at)
    at += 8 * count
    parts: list[bytes] = []
    for length in lengths:
        parts.append(body[at : at + length])
        at += length
    return tuple(parts)


def keep(key: str, parts: Sequence[bytes]) -> None:
    """Store it, if that can be done."""
    path = _path(key)
    lengths = struct.pack(f"<B{len(parts)}Q", len(parts), *map(len, parts))
    body = lengths + b"".join(parts)
    with contextlib.suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=".new-")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(MAGIC + hashlib.sha256(body).digest() + body)
            os.replace(name, path)
        except OSError:
            with contextlib.suppress(OSError):
                os.unlink(name)


def _path(key: str) -> Path:
    return directory() / "native" / f"{key}.o"
