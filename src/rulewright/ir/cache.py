"""Work that need not be done twice on one machine, kept on disk.

In:  a kind (`native`, `program`, `python`), a key (hex), bytes.
Out: the bytes that were stored under the key before, or None.

An entry is a checksum and the bytes. Entries are written beside and renamed into place, so readers see
a whole entry or none; whatever is damaged, foreign or unreadable counts as absent and is written
anew. The cache never fails a caller: without a usable directory everything is simply done again.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
from pathlib import Path

MAGIC = b"rulewright cache 1\n"


def directory() -> Path:
    """$RULEWRIGHT_CACHE, or the user's cache directory."""
    chosen = os.environ.get("RULEWRIGHT_CACHE")
    if chosen:
        return Path(chosen)
    base = os.environ.get("LOCALAPPDATA") if os.name == "nt" else os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "rulewright"


def fetch(kind: str, key: str) -> bytes | None:
    """What is stored under the key, if it is whole."""
    try:
        data = _path(kind, key).read_bytes()
    except OSError:
        return None
    head = len(MAGIC) + 32
    content = data[head:]
    if data[:head] != MAGIC + hashlib.sha256(content).digest():
        return None
    return content


def keep(kind: str, key: str, content: bytes) -> None:
    """Store it, if that can be done."""
    path = _path(kind, key)
    with contextlib.suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=".new-")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(MAGIC + hashlib.sha256(content).digest() + content)
            os.replace(name, path)
        except OSError:
            with contextlib.suppress(OSError):
                os.unlink(name)


def _path(kind: str, key: str) -> Path:
    return directory() / kind / key
