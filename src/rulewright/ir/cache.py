"""Work that need not be done twice on one machine, kept on disk.

In:  a kind (`native`, `program`, `python`), a key (hex), bytes.
Out: the bytes that were stored under the key before, or None.

An entry is a checksum of its kind, key and bytes, and the bytes. Entries are written beside and renamed into
place, so readers see a whole entry or none; whatever is damaged, misplaced or unreadable counts as absent
and is written anew. What is read here is run as code, so an entry counts only if this user wrote it and
nobody else could: its owner and its folder's owner are this user, and others may write neither. The cache
never fails a caller: without a usable directory everything is simply done again. What was not used for
longest makes room when all of it together grows too large.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import stat
import tempfile
import time
from collections.abc import Callable, Generator
from pathlib import Path

try:
    import fcntl
except ImportError:  # where there are no such locks nobody waits
    fcntl = None

MAGIC = b"rulewright cache 2\n"
MEGABYTES = 1000
"""How large all entries together may grow, unless RULEWRIGHT_CACHE_SIZE says otherwise."""
DAY = 86_400
LINKS, BINARY = getattr(os, "O_NOFOLLOW", 0), getattr(os, "O_BINARY", 0)  # not everywhere
HEAD = len(MAGIC) + 32


def directory() -> Path | None:
    """$RULEWRIGHT_CACHE, or the user's cache directory; None where nobody is at home."""
    chosen = os.environ.get("RULEWRIGHT_CACHE")
    if chosen:
        return Path(chosen)
    base = os.environ.get("LOCALAPPDATA") if os.name == "nt" else os.environ.get("XDG_CACHE_HOME")
    try:
        return (Path(base) if base else Path.home() / ".cache") / "rulewright"
    except RuntimeError:  # neither HOME nor an entry for this user
        return None


def fetch(kind: str, key: str) -> bytes | None:
    """What is stored under the key, if it is whole and this user's own."""
    folder = _folder(kind)
    if folder is None:
        return None
    try:
        handle = os.open(folder / key, os.O_RDONLY | LINKS | BINARY)
        with os.fdopen(handle, "rb") as file:
            state = os.fstat(handle)
            if not stat.S_ISREG(state.st_mode) or not _own(state):
                return None
            data = file.read()
    except OSError:
        return None
    content = data[HEAD:]
    if data[:HEAD] != _head(kind, key, content):
        return None
    if state.st_mtime < time.time() - DAY:
        with contextlib.suppress(OSError):  # it is still of use
            os.utime(folder / key)
    return content


def keep(kind: str, key: str, content: bytes) -> None:
    """Store it, if that can be done."""
    top = directory()
    if top is None:
        return
    with contextlib.suppress(OSError):
        top.mkdir(mode=0o700, parents=True, exist_ok=True)
        (top / kind).mkdir(mode=0o700, exist_ok=True)
        folder = _folder(kind)
        if folder is None:
            return
        handle, name = tempfile.mkstemp(dir=folder, prefix=".new-")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(_head(kind, key, content) + content)
            os.replace(name, folder / key)
        except OSError:
            with contextlib.suppress(OSError):
                os.unlink(name)
        _make_room(top)


@contextlib.contextmanager
def turn(kind: str, still_wanted: Callable[[], bool]) -> Generator[bool]:
    """Wait until no other process of this user does work of this kind; False if it is wanted no more by then.

    For work that takes whole cores and that nobody waits for: a dozen commands that begin at once would
    otherwise have each other's background work to compete with.
    """
    folder = _folder(kind)
    if fcntl is None or folder is None:
        yield True
        return
    try:
        handle = os.open(folder / ".turn", os.O_RDWR | os.O_CREAT | LINKS, 0o600)
    except OSError:
        yield True
        return
    try:
        while still_wanted():
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                time.sleep(0.1)
            else:
                yield True
                return
        yield False
    finally:
        os.close(handle)


def _head(kind: str, key: str, content: bytes) -> bytes:
    made = hashlib.sha256(f"{kind}\0{key}\0".encode())
    made.update(content)
    return MAGIC + made.digest()


def _folder(kind: str) -> Path | None:
    """The folder of a kind, if it is this user's own, like the one it lies in."""
    top = directory()
    if top is None:
        return None
    try:
        for folder in (top, top / kind):
            state = os.stat(folder)
            if not stat.S_ISDIR(state.st_mode) or not _own(state):
                return None
    except (OSError, ValueError):
        return None
    return top / kind


def _own(state: os.stat_result) -> bool:
    """Whether this user, and nobody else, may have written it. (Windows keeps that elsewhere.)"""
    if not hasattr(os, "geteuid"):
        return True
    return state.st_uid == os.geteuid() and not state.st_mode & (stat.S_IWOTH | stat.S_IWGRP)


def _make_room(top: Path) -> None:
    try:
        most = max(1.0, float(os.environ.get("RULEWRIGHT_CACHE_SIZE", MEGABYTES))) * 2**20
    except ValueError:
        most = MEGABYTES * 2**20
    found: list[tuple[float, int, str]] = []
    for folder in os.scandir(top):
        if folder.is_dir(follow_symlinks=False):
            for entry in os.scandir(folder):
                state = entry.stat(follow_symlinks=False)
                old = entry.name.startswith(".new-") and state.st_mtime < time.time() - DAY
                found.append((0.0 if old else state.st_mtime, state.st_size, entry.path))
    total = sum(size for _, size, _ in found)
    for used, size, path in sorted(found):
        if used > 0 and total <= most:
            break
        with contextlib.suppress(OSError):
            os.unlink(path)
        total -= size
