"""How the shipped books read: lines of prose that fit a page, formulas with names."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

BOOKS = Path(__file__).parent.parent / "books"
LONGEST = 160


def prose(path: Path) -> list[tuple[int, str]]:
    """The lines of a file that are for people alone: no fences, no tables, no front matter."""
    lines = path.read_text(encoding="utf-8").splitlines()
    start = lines.index("---", 1) + 1 if lines and lines[0] == "---" else 0
    found: list[tuple[int, str]] = []
    fenced = False
    for number, line in enumerate(lines[start:], start + 1):
        if line.startswith("```"):
            fenced = not fenced
        elif not fenced and not line.startswith("|"):
            found.append((number, line))
    return found


@pytest.mark.parametrize("folder", sorted(x for x in BOOKS.iterdir() if x.is_dir()), ids=lambda x: x.name)
def test_lines_of_prose_fit_a_page(folder: Path) -> None:
    files = sorted(folder.glob("*.md"))
    assert files
    long = [
        f"{path.name}:{number}: {len(line)} characters"
        for path in files
        for number, line in prose(path)
        if len(line) > LONGEST
    ]
    assert not long


NAMED = ("Check", "Value", "Law", "Phrase")
"""Kinds that give a formula its name; a gap of a Phrase cannot be passed on, in a table neither."""


TITLE = re.compile(r"(?!AND |OR )[A-Z\"][^:\[\]#]*? \(([A-Z]\w*)\)")


def formulas(path: Path) -> list[tuple[int, str]]:
    """Formulas of rules and of tables, outside named ones, that join more than two conditions."""
    found: list[tuple[int, str]] = []
    for number, kind, line in joined(path):
        for formula in line.split("|") if kind == "row" else [line]:
            joints = re.findall(r"\b(?:AND|OR)\b", re.sub(r'"[^"]*"', "", formula))
            if kind not in NAMED and len(joints) > 1:
                found.append((number, formula.strip()))
    return found


def joined(path: Path) -> list[tuple[int, str, str]]:
    """The lines of rules with the kind of their definition; AND or OR at the start goes on with the last."""
    found: list[tuple[int, str, str]] = []
    kind, fenced, blank = "", False, True
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if line.startswith("```"):
            fenced, kind, blank = not fenced and line == "```rules", "", True
        elif fenced and re.match(r"\s*(?:AND|OR)\b", line):
            start, of, before = found.pop()
            found.append((start, of, f"{before} {line.strip()}"))
        elif fenced:
            title = TITLE.match(line) if blank else None
            kind = title[1] if title else ("" if blank else kind)
            blank = not line.strip()
            found.append((number, kind, line))
        elif line.startswith("|"):
            found.append((number, "Phrase" if re.search(r"`[^`]*\{\w+\}", line) else "row", line))
    return found


@pytest.mark.parametrize("folder", sorted(x for x in BOOKS.iterdir() if x.is_dir()), ids=lambda x: x.name)
def test_a_formula_of_more_than_two_conditions_has_a_name(folder: Path) -> None:
    long = [
        f"{path.name}:{number}: {line}"
        for path in sorted(folder.glob("*.md"))
        for number, line in formulas(path)
    ]
    assert not long
