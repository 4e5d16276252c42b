"""How a book wants to look: what its front matter says of that.

In:  front matter, all of it texts.
Out: the few names that the page knows, checked; what is not fit to be drawn is left out.

`icons` is a list of `NAME icon`, parted by commas: `Deep Water waves, Wall brick-wall`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

COLOUR = re.compile(r"#[0-9a-fA-F]{3}(?:[0-9a-fA-F]{3})?")
ICON = re.compile(r"[a-z]+(?:-[a-z]+)*")
WORDS = ("life", "turn")
YES = ("yes", "true")


def looks_of(front: Mapping[str, str]) -> dict[str, Any]:
    """What the page may use."""
    found: dict[str, Any] = {key: front[key] for key in WORDS if front.get(key)}
    if front.get("first", "").lower() in YES:
        found["first"] = "yes"
    if COLOUR.fullmatch(front.get("accent", "")):
        found["accent"] = front["accent"]
    icons = dict[str, str]()
    for part in front.get("icons", "").split(","):
        name, _, icon = part.strip().rpartition(" ")
        if name and ICON.fullmatch(icon):
            icons[name.strip()] = icon
    if icons:
        found["icons"] = icons
    return found
