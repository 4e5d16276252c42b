"""Front matter: the `name: value` lines at the head of a file.

In:  the text of a file.
Out: what it says under each name, and where; a mistake becomes a diagnostic.

It is read as YAML without aliases: a few lines of them can stand for gigabytes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from copy import deepcopy
from functools import lru_cache
from typing import Any, cast

import yaml

from rulewright.diagnostics import Diagnostic, Span

DEPTH, PIECES = 10, 5000
"""How deep values may lie in each other, and how many there may be."""


def front_matter(text: str, file: str, problems: list[Diagnostic]) -> tuple[dict[str, object], int]:
    """The YAML between the first two `---` lines, and how many lines it takes."""
    lines = text.split("\n")
    if not lines or lines[0].strip() != "---":
        return {}, 0
    last = next((index for index in range(1, len(lines)) if lines[index].strip() == "---"), None)
    if last is None:
        words = "the front matter has no closing `---`"
        problems.append(Diagnostic("bad-front-matter", Span(file, 1, 1), words))
        return {}, len(lines)
    loaded, problem = _loaded("\n".join(lines[1:last]), file)
    if problem is not None:
        problems.append(problem)
    return deepcopy(loaded), last + 1


@lru_cache(maxsize=128)
def _loaded(inside: str, file: str) -> tuple[dict[str, object], Diagnostic | None]:
    """What the lines say, or what is wrong with them. YAML takes longer than cutting up the file beneath it,
    and a book is read over and over while its rules are edited."""
    try:
        refused = _refused(inside, file)
        if refused is not None:
            return {}, refused
        loaded: Any = yaml.safe_load(inside) or {}
    except (yaml.YAMLError, ValueError, RecursionError, AttributeError) as error:  # ValueError: no such date
        mark, last = getattr(error, "problem_mark", None), inside.count("\n") + 2
        at = last if mark is None else min(mark.line + 2, last)
        return {}, Diagnostic("bad-front-matter", Span(file, at, 1), "the front matter is not YAML")
    if not isinstance(loaded, dict):
        words = "front matter is `name: value` lines"
        return {}, Diagnostic("bad-front-matter", Span(file, 1, 1), words)
    return as_names(cast("object", loaded)), None


def _refused(inside: str, file: str) -> Diagnostic | None:
    """What makes YAML larger than it looks."""
    depth = 0
    events = cast("Iterable[Any]", yaml.parse(inside, Loader=yaml.SafeLoader))  # pyright: ignore[reportUnknownMemberType]
    for count, event in enumerate(events):
        mark = event.start_mark
        span = Span(file, mark.line + 2, mark.column + 1)
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None) is not None:
            return Diagnostic("bad-front-matter", span, "front matter has no aliases: write the value out")
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if depth > DEPTH or count > PIECES:
            return Diagnostic("too-large", span, f"front matter has at most {PIECES} values, {DEPTH} deep")
    return None


def places(text: str, file: str) -> list[tuple[str, str | None, Span]]:
    """Each name with the texts under it and where they stand; the name itself comes without a text."""
    lines = text.split("\n")
    last = next((index for index in range(1, len(lines)) if lines[index].strip() == "---"), 0)
    return list(_placed("\n".join(lines[1:last]), file)) if lines[0].strip() == "---" and last else []


@lru_cache(maxsize=128)
def _placed(inside: str, file: str) -> tuple[tuple[str, str | None, Span], ...]:
    try:
        node = cast("Any", yaml.compose(inside, Loader=yaml.SafeLoader))  # pyright: ignore[reportUnknownMemberType]
    except (yaml.YAMLError, RecursionError):
        return ()
    found: list[tuple[str, str | None, Span]] = []
    for key, value in _pairs(node):
        name = str(key.value)
        found.append((name, None, _span(key, file)))
        parts = cast("list[Any]", value.value) if isinstance(value, yaml.SequenceNode) else [value]
        found += [(name, str(p.value), _span(p, file)) for p in parts if isinstance(p, yaml.ScalarNode)]
        for inner, given in _pairs(value):
            found.append((f"{name}: {inner.value}", None, _span(inner, file)))
            found.append((f"{name}: {inner.value}", str(given.value), _span(given, file)))
    return tuple(found)


def _pairs(node: Any) -> list[tuple[Any, Any]]:
    """The names of a mapping with what stands under each."""
    return cast("list[tuple[Any, Any]]", node.value) if isinstance(node, yaml.MappingNode) else []


def role_places(named: list[tuple[str, str | None, Span]]) -> dict[str, tuple[Span, Span]]:
    """Where each role stands, and the name that plays it."""
    keys = {name: span for name, text, span in named if text is None}
    return {
        name.removeprefix("roles: "): (keys[name], span)
        for name, text, span in named
        if text is not None and name.startswith("roles: ")
    }


def _span(node: Any, file: str) -> Span:
    mark = node.start_mark
    return Span(file, mark.line + 2, mark.column + 1, max(1, len(str(node.value))))


def as_list(value: object) -> list[str]:
    """What front matter says under a name, as texts: one, several, or none."""
    if value is None:
        return []
    return [str(v) for v in cast("list[object]", value)] if isinstance(value, list) else [str(value)]


def as_names(value: object) -> dict[str, object]:
    """What front matter says under a name, where that is names with values; else nothing."""
    found = cast("dict[object, object]", value) if isinstance(value, dict) else {}
    return {str(k): v for k, v in found.items()}


def closes(front: Mapping[str, object]) -> bool:
    """Does a book close the text of those that use it?"""
    return str(front.get("text", "")).strip().lower() == "closed"
