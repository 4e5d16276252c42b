"""Lines of a block -> rows: which form of its kind each of them has, and what stands in the gaps.

In:  a block, a line that its base declares.
Out: Rows, with the form or without one; what a form looks like, for messages.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from rulewright.book.blocks.forms import FORMS, Field
from rulewright.book.blocks.state import Blocks
from rulewright.book.phrases.match import Captured, Phrase
from rulewright.book.phrases.whole import flat, whole
from rulewright.book.text.lists import Entry, entries
from rulewright.book.text.source import Definition, FieldText, Line
from rulewright.book.text.tokens import END, Token, tokenize
from rulewright.diagnostics import is_exchange

LISTS = ("people", "new Resource")
"""Shapes of lines that hold several things, set off by commas or one below the other."""


@dataclass(frozen=True, slots=True)
class Row:
    """A piece of a line, the form it has, and what stands in the gaps."""

    line: Line
    place: int
    """Its place among the rows of its block, counted from 1."""
    tokens: list[Token]
    phrase: Phrase | None = None
    captured: Captured | None = None
    entry: Entry | None = None
    head: str = ""

    def gap(self, name: str) -> Line | None:
        """What stands in a gap, as it is written."""
        text = (self.captured or {}).get(name)
        if not text:
            return None
        start, last = text[0].column - self.line.column, text[-1]
        return self.line.slice(start, last.column - self.line.column + len(last.text))


def _pieces(f: Field, d: Definition) -> Iterator[tuple[str, Entry | list[Line]]]:
    """What a block has in a line, each piece with the head under which it stands."""
    heads = {head.lower(): head for head in f.heads}
    own = d.get(f.name)
    head = ""
    joined: list[Line] = []
    for part in d.fields:
        if part.key.lower() not in heads and part is not own:
            continue
        if part is not own:
            head = heads[part.key.lower()]
        for line in part.lines:
            begun = re.match(r"-?\s*([^:]+?):\s*", line.text) if heads else None
            if begun and begun.group(1).lower() in heads:
                head, line = heads[begun.group(1).lower()], line.slice(begun.end())
            if f.shape in LISTS:
                yield from ((head, entry) for entry in entries(FieldText("", [line])))
            elif f.shape == "rows":
                dash = re.match(r"-\s+", line.text)
                yield head, [line.slice(dash.end()) if dash else line]
            else:
                joined.append(line)
    if joined:
        yield head, joined


def all_rows(f: Field, d: Definition) -> Iterator[Row]:
    """The rows of a block; one that has no form is found with looser gaps, or stays without."""
    for place, (head, piece) in enumerate(_pieces(f, d), 1):
        first = piece.line if isinstance(piece, Entry) else piece[0]
        made = Row(first, place, [], head=head, entry=piece if isinstance(piece, Entry) else None)
        for loose in (False, True):
            f.forms.loose = loose
            for text in _texts(piece):
                tokens = flat(text, [], f.closed)
                before = tokenize([replace(text[0], text=f"{head}:")], [], f.closed)[:-1] if head else []
                hit = whole(f.forms, FORMS, [*before, *tokens]) if tokens[0].kind != END else None
                made = replace(made, tokens=tokens)
                if hit is not None and made.phrase is None:
                    made = replace(made, phrase=hit[0], captured=hit[1])
            if made.phrase is not None:
                break
        yield made


def rows(f: Field, d: Definition) -> Iterator[Row]:
    """The rows of a block that have a form. (What has none was reported when the block was read.)"""
    return (row for row in all_rows(f, d) if row.phrase is not None)


def unread(c: Blocks, f: Field, d: Definition) -> None:
    """Report the rows that have none."""
    for row in all_rows(f, d):
        if row.phrase is None:
            what = f"'{row.line.text}' is no line of `{f.name}:`: write {_shown(f)}"
            c.problem("unexecutable", row.line, what)
    slips_of_remarks(c, f, [row.entry for row in all_rows(f, d) if row.entry is not None])


def slips_of_remarks(c: Blocks, f: Field, said: Iterable[Entry]) -> None:
    """A remark in brackets may be for readers, but a slip of one that means something was meant to be it."""
    told = [word for phrase in f.titled() for word in re.findall(r"\((\w+)\)", phrase.title)]
    for entry in said:
        meant = next((word for word in told if is_exchange(entry.remark, word)), None)
        if meant is not None:
            what = f"nothing reads the remark '({entry.remark})'"
            c.problem("unexecutable", entry.line, what, f"did you mean '({meant})'?")


def _texts(piece: Entry | list[Line]) -> list[list[Line]]:
    """How a row is written: a remark in brackets may be part of it, or only tell more."""
    if isinstance(piece, list):
        return [piece]
    name = piece.name + (f" x{piece.copies}" if piece.copies is not None else "")
    texts = [f"{name} ({piece.remark})", name] if piece.remark else [name]
    return [[replace(piece.line, text=text)] for text in texts]


def _shown(f: Field) -> str:
    """The forms of a line as they would be written, the shortest two."""
    titles = sorted((p.title for p in f.titled()), key=len)
    plain = [re.sub(r"\{(\w+)\}", lambda gap: gap.group(1).upper(), title) for title in titles[:2]]
    return " or ".join(f"`{title}`" for title in plain)
