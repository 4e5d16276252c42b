"""Files that are nothing but blocks: the notation without `rules` fences around it.

In:  the text of a file.
Out: whether it is one; its numbered lines, cut at headings and fences.

A designer's working file is often only blocks. Prose has no place in such a file, except where the
notation allows it, so that a misspelt line is an error and never a remark.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

FENCE = re.compile(r"^(?P<ticks>`{3,}|~{3,})\s*(?P<word>[\w-]*)")
HEADING = re.compile(r"^#{1,6}\s")
BLOCKS = ("Actor", "Template", "Map", "Scene", "Ending", "Strategy", "Feature")
"""Kinds that are written as blocks, `Kind: Title`, besides those that a book declares."""
BLOCK = re.compile(
    r"^(?:(?P<kind>[A-Z][A-Za-z]*):\s*\S|(?:if|do|then|else):\s*\S|[^()]*\((?:Check|Effect|Reaction)\)\s*$)"
)


def opens_block(line: str, kinds: Collection[str]) -> bool:
    """Does a block begin here? Kinds are those that the book declares."""
    found = BLOCK.match(line)
    return found is not None and (found["kind"] is None or found["kind"] in BLOCKS or found["kind"] in kinds)


def is_blocks(text: str, skipped: int, front: bool, kinds: Collection[str] = ()) -> bool:
    """A file without a `rules` fence whose text outside of fences reads as blocks."""
    inside = ""
    blocks = words = False
    for line in text.split("\n")[skipped:]:
        fence = FENCE.match(line)
        if fence and (not inside or line.startswith(inside)):
            if not inside and fence["word"] == "rules":
                return False
            inside = "" if inside else fence["ticks"]
            continue
        if inside and front:
            continue
        blocks = blocks or opens_block(line, kinds)
        words = words or (bool(line.strip()) and not HEADING.match(line))
    return blocks or (words and not front and not _prose(text, skipped))


def _prose(text: str, skipped: int) -> bool:
    """Paragraphs outside of fences, in a file that may still have other fences."""
    fences = (FENCE.match(line) for line in text.split("\n")[skipped:])
    return any(fence["word"] in ("example", "text") for fence in fences if fence)


def chunks(text: str, skipped: int) -> Iterator[tuple[str, int, list[tuple[int, str]]]]:
    """(fence word, line of the fence, lines), cut at headings and fences."""
    inside, word, first = "", "", skipped
    lines: list[tuple[int, str]] = []
    for number, raw in enumerate(text.split("\n")[skipped:], skipped + 1):
        fence = FENCE.match(raw)
        if (fence and (not inside or (raw.startswith(inside) and not fence["word"]))) or (
            not inside and HEADING.match(raw)
        ):
            yield word, first, lines
            lines, first = [], number
            if fence:
                inside, word = ("", "") if inside else (fence["ticks"], fence["word"])
            continue
        lines.append((number, raw.rstrip()))
    yield word, first, lines
