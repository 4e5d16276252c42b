"""Numbers in prose that are read from definitions: `{[Hand Size]}`.

In:  the texts of a book.
Out: where such gaps stand; the same texts with every gap filled, line by line as they were.

What is inside fences or between backticks is left as it is: it shows how something is written.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

GAP = re.compile(r"\{\[(?P<name>[^\[\]{}]+)\]\}")
CODE = re.compile(r"`[^`]*`")
FENCE = re.compile(r"^\s{0,3}(?P<ticks>`{3,}|~{3,})")


def gaps(text: str) -> Iterator[tuple[int, int, str]]:
    """The line, the column and the name of every gap, all counted from 1."""
    for number, line in _prose(text):
        for found in GAP.finditer(CODE.sub(lambda code: "`" * len(code.group()), line)):
            yield number, found.start("name") + 1, found["name"].strip()


def filled(texts: Mapping[str, str], numbers: Mapping[str, int]) -> dict[str, str]:
    """The texts with their gaps filled. A gap whose number is not known stays as it is written."""
    return {file: _filled(text, numbers) if "{[" in text else text for file, text in texts.items()}


def _filled(text: str, numbers: Mapping[str, int]) -> str:
    lines = text.split("\n")
    for number, line in _prose(text):
        codes = [code.span() for code in CODE.finditer(line)]

        def number_for(found: re.Match[str], codes: list[tuple[int, int]] = codes) -> str:
            name = found["name"].strip()
            quoted = any(first <= found.start() < last for first, last in codes)
            return found.group() if quoted or name not in numbers else str(numbers[name])

        lines[number - 1] = GAP.sub(number_for, line)
    return "\n".join(lines)


def _prose(text: str) -> Iterator[tuple[int, str]]:
    """The lines outside of fences that hold a gap at all."""
    ticks = ""
    for number, line in enumerate(text.split("\n"), 1):
        fence = FENCE.match(line)
        if fence and not ticks:
            ticks = fence["ticks"]
        elif fence and fence["ticks"].startswith(ticks):
            ticks = ""
        elif not ticks and "{[" in line:
            yield number, line
