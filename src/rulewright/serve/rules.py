"""Find a rule in a rendered rulebook.

In:  the HTML of a book, whose top-level elements carry data-file, data-line and data-end; a file and a line.
Out: the HTML of the element around that line.

The HTML is kept in the store with each match, so this works for editions that are no longer on the shelf.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from functools import lru_cache
from html.parser import HTMLParser

VOID = frozenset(["br", "hr", "img", "input", "col", "wbr", "meta", "link"])


@dataclass(frozen=True, slots=True)
class Block:
    """One element: the lines it covers and where its HTML is."""

    line: int
    end: int
    start: int
    stop: int


class _Cutter(HTMLParser):
    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.starts = [0]
        for text in html.splitlines(keepends=True):
            self.starts.append(self.starts[-1] + len(text))
        self.depth = 0
        self.open: tuple[str, int, int, int] | None = None
        self.blocks: dict[str, list[Block]] = {}
        self.feed(html)
        self.close()

    def place(self) -> int:
        line, column = self.getpos()
        return self.starts[line - 1] + column

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        file, line, end = (found.get(key) or "" for key in ("data-file", "data-line", "data-end"))
        if self.open is None:
            if file and line.isdecimal() and tag not in VOID:
                self.open = (file, int(line), int(end) if end.isdecimal() else int(line), self.place())
                self.depth = 1
        elif tag not in VOID:
            self.depth += 1

    def handle_endtag(self, tag: str) -> None:
        if self.open is None or tag in VOID:
            return
        self.depth -= 1
        if self.depth == 0:
            file, line, end, start = self.open
            stop = self.place() + len(tag) + 3
            self.blocks.setdefault(file, []).append(Block(line, end, start, stop))
            self.open = None


@lru_cache(maxsize=16)
def _blocks(html: str) -> dict[str, list[Block]]:
    found = _Cutter(html).blocks
    return {file: sorted(blocks, key=lambda block: block.line) for file, blocks in found.items()}


def rule_at(html: str, file: str, line: int) -> str:
    """The element around a line, or the last one before it; nothing when the file is not in the book."""
    blocks = _blocks(html).get(file, [])
    at = bisect_right([block.line for block in blocks], line) - 1
    if at < 0:
        return ""
    around = [block for block in blocks[: at + 1] if block.end >= line]
    block = around[-1] if around else blocks[at]
    return html[block.start : block.stop]
