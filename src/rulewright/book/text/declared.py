"""Kinds of blocks that a text declares, seen before it is cut: names of kinds, names of fields.

In:  the text of a file.
Out: for each kind the names of its fields as they are written; the Words that a text is cut by.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from rulewright.book.text.keywords import HEADERS, KEYS

BLOCK = re.compile(r"^(?P<name>[A-Z][A-Za-z]*) \(Block\)[^\n]*\n(?P<lines>(?:[^\n`]+\n)*)", re.M)
FIELD = re.compile(r"^(?:\s+\")?([A-Z][\w -]*):\s+(\w*)", re.M)
"""A line of a declaration, or the head of one of its forms."""
EVENTS = ("Event", "Trigger", "Effect")
"""Lines of a block that holds events, which may also stand by themselves."""

Kinds = dict[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Words:
    """Keys of fields and names of kinds: those of the language, and those that a book declares."""

    keys: frozenset[str] = KEYS
    headers: frozenset[str] = HEADERS
    kinds: tuple[tuple[str, tuple[str, ...]], ...] = ()

    def fields_of(self, kind: str) -> tuple[str, ...]:
        """The fields of a declared kind."""
        return dict(self.kinds).get(kind, ())


LANGUAGE = Words()


def words_with(kinds: Kinds) -> Words:
    """The words of the language and of these kinds of blocks."""
    fields = (name.lower() for names in kinds.values() for name in names)
    return Words(KEYS.union(fields), HEADERS.union(kinds), tuple(kinds.items()))


def declared_kinds(text: str) -> Kinds:
    """The kinds and the fields that `NAME (Block)` definitions of the text declare."""
    made: Kinds = {}
    for block in BLOCK.finditer(text) if "(Block)" in text else ():
        fields: list[str] = []
        for name, shape in FIELD.findall(block["lines"]):
            fields += [name, *EVENTS] if shape == "events" else [name]
        made[block["name"]] = tuple(dict.fromkeys(fields))
    return made
