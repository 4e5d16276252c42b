"""How a book wants to look: what its front matter says of that.

In:  front matter, all of it texts.
Out: the few names that the page knows, checked; what is not fit to be drawn is left out.

`icons`, `tints` and `textures` are lists of `NAME word`, parted by commas: `Deep Water waves, Wall bricks`.
An icon is a name of the open set that is shipped, one of the book's own `pictures`, or a glyph (`♥`).
`pictures` are `name PATH`, parted by semicolons: SVG path data on 24 by 24, drawn as lines. Nothing else of
SVG is taken over, so that a book can draw whatever it likes and do nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

COLOUR = re.compile(r"#[0-9a-fA-F]{3}(?:[0-9a-fA-F]{3})?")
WORD = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
GLYPH = re.compile(r"[A-Za-z0-9]?[^\x00-\x7f]{1,3}")
PATH = re.compile(r"[Mm][MmLlHhVvCcSsQqTtAaZz0-9eE .,+-]{1,4000}")
WORDS = ("life", "turn")
YES = ("yes", "true")


def looks_of(front: Mapping[str, str]) -> dict[str, Any]:
    """What the page may use."""
    found: dict[str, Any] = {key: front[key] for key in WORDS if front.get(key)}
    if front.get("first", "").lower() in YES:
        found["first"] = "yes"
    if front.get("company", "").isdecimal():
        found["company"] = int(front["company"])
    if COLOUR.fullmatch(front.get("accent", "")):
        found["accent"] = front["accent"]
    lists: dict[str, Any] = {
        "icons": _named(front.get("icons", ""), glyphs=True),
        "tints": _named(front.get("tints", "")),
        "textures": _named(front.get("textures", "")),
        "cover": [icon for icon in front.get("cover", "").split() if _fits(icon, glyphs=True)],
        "pictures": _pictures(front.get("pictures", "")),
    }
    return found | {key: said for key, said in lists.items() if said}


def _fits(word: str, glyphs: bool = False) -> bool:
    return bool(WORD.fullmatch(word) or (glyphs and GLYPH.fullmatch(word)))


def _named(text: str, glyphs: bool = False) -> dict[str, str]:
    """`NAME word, NAME word` as names with words."""
    parts = (part.strip().rpartition(" ") for part in text.split(","))
    return {name.strip(): word for name, _, word in parts if name and _fits(word, glyphs)}


def _pictures(text: str) -> dict[str, str]:
    parts = (part.strip().partition(" ") for part in text.split(";"))
    return {name: path.strip() for name, _, path in parts if _fits(name) and PATH.fullmatch(path.strip())}
