"""Kinds of blocks that a text declares, seen before it is cut: names of kinds, names of fields.

In:  the text of a file.
Out: names of kinds, and names of fields in small letters.
"""

from __future__ import annotations

import re

BLOCK = re.compile(r"^(?P<name>[A-Z][A-Za-z]*) \(Block\)[^\n]*\n(?P<lines>(?:[^\n`]+\n)*)", re.M)
FIELD = re.compile(r"^([A-Z][\w -]*):\s", re.M)


def declared_kinds(text: str) -> tuple[frozenset[str], frozenset[str]]:
    """The kinds and the fields that `NAME (Block)` definitions of the text declare."""
    found = list(BLOCK.finditer(text)) if "(Block)" in text else []
    fields = (name.lower() for block in found for name in FIELD.findall(block["lines"]))
    return frozenset(block["name"] for block in found), frozenset(fields)
