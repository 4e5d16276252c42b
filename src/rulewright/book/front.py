"""Front matter: the `name: value` lines at the head of a file.

In:  the text of a file.
Out: what it says under each name; a mistake becomes a diagnostic.
"""

from __future__ import annotations

import re
from typing import Any, cast

import yaml

from rulewright.diagnostics import Diagnostic, Span

MOST_SEATS = 30
"""Who knows a card is one bit a seat, in one number."""


def front_matter(text: str, file: str, problems: list[Diagnostic]) -> tuple[dict[str, object], int]:
    """The YAML between the first two `---` lines, and how many lines it takes."""
    lines = text.split("\n")
    if not lines or lines[0].strip() != "---":
        return {}, 0
    for index in range(1, len(lines)):
        if lines[index].strip() == "---":
            try:
                loaded: Any = yaml.safe_load("\n".join(lines[1:index])) or {}
            except (yaml.YAMLError, ValueError, RecursionError) as error:  # ValueError: no such date
                mark = getattr(error, "problem_mark", None)
                at = index if mark is None else mark.line + 2
                problems.append(
                    Diagnostic("bad-front-matter", Span(file, at, 1), "the front matter is not YAML")
                )
                return {}, index + 1
            if not isinstance(loaded, dict):
                problems.append(
                    Diagnostic("bad-front-matter", Span(file, 1, 1), "front matter is `name: value` lines")
                )
                return {}, index + 1
            found = as_names(cast("object", loaded))
            if any(int(count) > MOST_SEATS for count in re.findall(r"\d+", str(found.get("seats", "")))):
                at = next((n for n, line in enumerate(lines, 1) if line.startswith("seats")), 1)
                words = f"a book has at most {MOST_SEATS} seats"
                problems.append(Diagnostic("bad-front-matter", Span(file, at, 1), words))
                del found["seats"]
            return found, index + 1
    problems.append(Diagnostic("bad-front-matter", Span(file, 1, 1), "the front matter has no closing `---`"))
    return {}, len(lines)


def as_list(value: object) -> list[str]:
    """What front matter says under a name, as texts: one, several, or none."""
    if value is None:
        return []
    return [str(v) for v in cast("list[object]", value)] if isinstance(value, list) else [str(value)]


def as_names(value: object) -> dict[str, object]:
    """What front matter says under a name, where that is names with values; else nothing."""
    found = cast("dict[object, object]", value) if isinstance(value, dict) else {}
    return {str(k): v for k, v in found.items()}
