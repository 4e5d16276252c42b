"""A state told as what is different from the one that was told before.

In:  a state, cut into pieces: its parts, and the elements of its lists.
Out: JSON with the pieces that are new, and the hashes to compare the next state with.

A move changes little of a state of some forty kilobytes, so a line is told only what changed. What a client
knows is remembered as hashes, not as texts: a table that many watch costs a few numbers for each of them.

    {"~": {...}}    an object or list that was known: these of its parts are new
    "#"             how long the list is now
    "-"             names that are gone
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from pydantic_core import to_json

from rulewright.play.view import Rows

Piece = str | list[str]
Pieces = dict[str, Piece]
Known = dict[str, int | list[int]]

VIEW = "view."


def pieces_of(view: Mapping[str, Any]) -> Pieces:
    """The parts of a view, each as JSON; lists by element."""
    found: Pieces = {}
    for key, value in view.items():
        if isinstance(value, Rows):
            if value.told is None:
                value.told = [to_json(row).decode() for row in value]
            found[VIEW + key] = value.told
        elif isinstance(value, list):
            found[VIEW + key] = [to_json(element).decode() for element in cast("list[object]", value)]
        else:
            found[VIEW + key] = to_json(value).decode()
    return found


def known_of(pieces: Pieces) -> Known:
    """What is remembered of pieces that were told."""
    return {key: hash(p) if isinstance(p, str) else [hash(e) for e in p] for key, p in pieces.items()}


def difference(known: Known, now: Pieces, log: str) -> tuple[str, Known]:
    """What is new, as JSON, and what is known then. The log has only new lines anyway."""
    after = known_of(now)
    top, view = [f'"log":{log}'], list[str]()
    for key, piece in now.items():
        before = known.get(key)
        if before == after[key]:
            continue
        told = piece if isinstance(piece, str) else _elements(before, after[key], piece)
        if key.startswith(VIEW):
            view.append(f'"{key.removeprefix(VIEW)}":{told}')
        else:
            top.append(f'"{key}":{told}')
    if view:
        top.append(f'"view":{{"~":{{{",".join(view)}}}}}')
    return f'{{"~":{{{",".join(top)}}}}}', after


def _elements(before: int | list[int] | None, after: int | list[int], now: list[str]) -> str:
    """The elements of a list that are new, or all of them where no list was known."""
    if not isinstance(before, list) or not isinstance(after, list):
        return f"[{','.join(now)}]"
    new = [f'"{at}":{text}' for at, text in enumerate(now) if at >= len(before) or before[at] != after[at]]
    length = f',"#":{len(now)}' if len(now) != len(before) else ""
    return f'{{"~":{{{",".join(new)}}}{length}}}'
