"""What front matter may say: the names it knows, and what stands under each.

In:  the front matter of a file, and where its names and values stand.
Out: the settings that can be used; everything else becomes a diagnostic.

A name that is almost one of ours is an error, for it was surely meant to be one. Any other is somebody's own
remark and only a warning: it changes nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import date

from rulewright.book.text.keywords import MOST
from rulewright.diagnostics import Diagnostic, Span, is_slip, nearest

MOST_SEATS = 30
"""Who knows a card is one bit a seat, in one number."""
MOST_DECISIONS = 10**9

Place = tuple[str, str | None, Span]


def _seats(value: object) -> str:
    found = re.fullmatch(r"(\d{1,9})(?:\s*(?:-|–|to)\s*(\d{1,9}))?", str(value).strip())
    if found is None or isinstance(value, bool):
        return "is a number, or two such as `2-4`"
    low, high = int(found[1]), int(found[2] or found[1])
    if high > MOST_SEATS:
        return f"allows at most {MOST_SEATS} seats"
    if low < 1 or high < low:
        return "counts from 1, and names the smaller number first"
    return ""


def _whole(low: int, high: int) -> Callable[[object], str]:
    def test(value: object) -> str:
        right = isinstance(value, int) and not isinstance(value, bool) and low <= value <= high
        return "" if right else f"is a number from {low:,} to {high:,}"

    return test


def _text(value: object) -> str:
    return "" if isinstance(value, str | int | float | date) and str(value).strip() else "is a text"


def _texts(value: object) -> str:
    listed: list[object] = value if isinstance(value, list) else [value]  # pyright: ignore[reportUnknownVariableType]
    right = all(isinstance(item, str) and item.strip() for item in listed)
    return "" if right else "is a name, or a list of names"


def _one_of(*words: str) -> Callable[[object], str]:
    said = " or ".join(f"`{word}`" for word in words)
    return lambda value: "" if str(value).strip().lower() in words else f"is {said}"


def _colour(value: object) -> str:
    right = isinstance(value, str) and re.fullmatch(r"#[0-9a-fA-F]{3}(?:[0-9a-fA-F]{3})?", value.strip())
    return "" if right else 'is a colour such as `"#1f6b4a"`'


SETTINGS: Mapping[str, Callable[[object], str]] = {
    **dict.fromkeys(
        "title summary designer author licence license adapted length version language".split(), _text
    ),
    "seats": _seats,
    "company": _whole(1, MOST_SEATS),
    "bound": _whole(1, MOST_DECISIONS),
    "cards": _whole(0, MOST),
    "numbers": _one_of("signed", "never below 0"),
    "values": _one_of("at the start", "when needed"),
    # How the page shows it; see serve.looks.
    **dict.fromkeys("life cover icons tints textures pictures".split(), _text),
    "accent": _colour,
    "first": _one_of("yes", "no", "true", "false"),
    **dict.fromkeys(("uses", "parts", "trials", "examples"), _texts),
    # What a framework says to the books that use it.
    "text": _one_of("open", "closed"),
    "base": _one_of("true", "false"),
    "roles": lambda value: "" if isinstance(value, dict) else "is `role: name` lines",
    "marks": _texts,
    "scopes": _texts,
    "alike": _texts,
    "defaults": lambda _: "",
}
"""Every name with a test of its value: what is wrong with it in one sentence, or nothing."""


def usable(
    front: Mapping[str, object], places: list[Place], file: str, problems: list[Diagnostic]
) -> dict[str, object]:
    """The settings that can be used."""
    at: dict[str, Span] = {}
    values: dict[str, Span] = {}
    for name, text, span in places:
        if text is None and name in at:
            problems.append(Diagnostic("duplicate-name", span, f"'{name}' stands here twice"))
        (at if text is None else values).setdefault(name, span)
    made: dict[str, object] = {}
    for name, value in front.items():
        test = SETTINGS.get(name)
        here = at.get(name, Span(file, 1, 1))
        if test is None:
            problems.append(_unknown(name, here))
            continue
        said = "says nothing" if value is None else test(value)
        if said:
            shown = here if value is None else values.get(name, here)
            problems.append(Diagnostic("bad-front-matter", shown, f"`{name}:` {said}"))
        else:
            made[name] = value
    return made


def _unknown(name: str, span: Span) -> Diagnostic:
    close = nearest(name, SETTINGS)
    message = f"front matter has no name '{name[:40]}'"
    if close is not None and is_slip(name, close):
        return Diagnostic("unknown-field", span, message, f"did you mean '{close}'?")
    help_ = "nothing reads it; what is meant for people belongs into the text"
    return Diagnostic("unknown-field", span, message, help_, "warning")
