"""A book as a server shows it: its Program, its pages, its guided first match.

In:  a book that was compiled.
Out: an Edition, kept in the cache for as long as no file changes that it was made of.
"""

from __future__ import annotations

import functools
import hashlib
import pickle
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from rulewright.book.text.files import read_source
from rulewright.book.text.told import filled
from rulewright.compiler import find_book
from rulewright.ir import cache
from rulewright.ir.program import Program
from rulewright.kept import key_of, manifest, unchanged
from rulewright.players.guide import Guide, read_guide

KIND = "edition"


@dataclass(frozen=True, slots=True)
class Edition:
    """What a server needs of a book."""

    program: Program
    html: str
    guide: Guide | None
    wrong: tuple[str, ...]
    """What is wrong with its guided match."""
    looked: Mapping[Path, str]
    """Every file it was made of or looked for, and the hash of what it held."""


def make_edition(path: Path, program: Program) -> Edition:
    """Render a book, and keep what was made."""
    from rulewright.cli.pages import render

    source = read_source(path, find_book)
    texts = filled(source.texts, program.sheet.told)
    guide, wrong = read_guide(texts)
    html = render(texts, source.trials)
    made = Edition(program, html, None if wrong else guide, tuple(map(str, wrong)), dict(source.looked))
    cache.keep(KIND, _key(path), manifest(source.looked) + b"\n" + pickle.dumps(made, protocol=5))
    return made


def kept_edition(path: Path) -> Edition | None:
    """The one that was made before, if every file is as it was then."""
    content = unchanged(cache.fetch(KIND, _key(path)))
    with suppress(Exception):  # whatever cannot be read is made again
        found = pickle.loads(content) if content is not None else None
        if isinstance(found, Edition):
            return found
    return None


def _key(path: Path) -> str:
    """What pages depend on besides what a Program does."""
    return hashlib.sha256(key_of(path).encode() + _renderer_text()).hexdigest()


@functools.cache
def _renderer_text() -> bytes:
    package = Path(__file__).parent.parent
    files = sorted([*(package / "cli").glob("*.py"), package / "players" / "guide.py"])
    return metadata.version("markdown-it-py").encode() + b"".join(file.read_bytes() for file in files)
