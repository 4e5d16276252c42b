"""The words that a book's definitions are cut by: kinds, headings of blocks, fields, columns that are rules.

A line `word: ..` begins a field only if the word is one of these, so that text may hold colons. Kinds of
blocks that a text declares, with their fields, are seen before it is cut (`declared_kinds`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass

KINDS = frozenset(
    "Resource List Die Zone Card Deck Status Terrain Map Side Actor Template Check Value Effect Table"
    " Sequence Action Reaction Feature Order Preference Strategy Option Ending Walk Keepsake Law Note"
    " Phrase Block".split()
)
HEADERS = KINDS | {"Scene"}
KEYS = frozenset(
    "of range starts maximum holds seen by words faces works in again stacks immune glyph box side seat"
    " is actions features strategy with keeps gives do requires let limit cost if else then declare target"
    " trigger for while modify forbids default ties note plays prefer when behavior priority through costs"
    " copies line of sight scope resources"
    " dimensions origin picture"
    " legend regions events event effect lead"
    " condition narrative options text check success failure transition".split()
) | frozenset(
    (
        "seen by", "works in", "line of sight", "deployment zones", "range", "template", "once", "makes",
        "critical success (natural 20)", "critical failure (natural 1)", "map", "shown",
        "private", "optional", "settles", "means", "applies", "cap", "hide",
        "marks", "setting", "allowance", "possible", "corners", "ends",
    )
)  # fmt: skip
KIND_KEYS: dict[str, frozenset[str]] = {"Strategy": frozenset(("value",))}
"""Fields of one kind alone: elsewhere the word may be the name of a number or of a column."""
RULE_COLUMNS = frozenset(
    "do declare requires cost trigger while modify forbids limit again stacks immune if else then".split()
) | {"works in"}
STATED = RULE_COLUMNS - {"limit", "again", "stacks", "works in", "immune", "forbids"}
"""Those that hold statements or checks: a bare number is none."""
HOOK = re.compile(r"^(before|after|instead of|at|when|start of|end of)\b", re.I)
BLANK = ("", "-", "—", "none")
"""What the cell of a table holds when it holds nothing."""

MOST = 10_000
"""Things of one sort, and places in a zone. What asks for more is a slip of the finger, and has no end."""

OPENS = re.compile(r"(?:(owner|nobody), )?all while\b")
"""A zone that everybody sees while something holds; before it, who sees it otherwise."""


def keys_of(kind: str) -> frozenset[str]:
    """The fields that a definition of a kind can have."""
    return KEYS | KIND_KEYS.get(kind, frozenset())


# ------------------------------------------------------------ kinds that a book declares
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
