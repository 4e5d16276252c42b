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


CITED = re.compile(r"\([A-Z][A-Z0-9]*-[A-Z0-9]+-\d+[^)]*\)")


@pytest.mark.parametrize("folder", sorted(x for x in BOOKS.iterdir() if x.is_dir()), ids=lambda x: x.name)
def test_a_paragraph_has_one_cluster_of_citations(folder: Path) -> None:
    crowded: list[str] = []
    for path in sorted(folder.glob("*.md")):
        lines = "\n".join(line for _, line in prose(path) if not line.startswith(">"))
        for paragraph in re.split(r"\n\s*\n|\n(?=\s*(?:[-*]|\d+\.) )", lines):
            if len(CITED.findall(paragraph)) > 1:
                crowded.append(f"{path.name}: {' '.join(paragraph.split())[:80]}")
    assert not crowded


@pytest.mark.parametrize("folder", sorted(x for x in BOOKS.iterdir() if x.is_dir()), ids=lambda x: x.name)
def test_numbers_of_sections_run_on(folder: Path) -> None:
    """Through all the pages of a book, in the order in which its front matter names them."""
    pages = {path.name: path for path in folder.glob("*.md")}
    first = pages[f"{folder.name}.md"].read_text(encoding="utf-8")
    parts = re.search(r"^parts:((?:\n  - .+)+| \[.*?\])", first, re.M | re.S)
    names = re.findall(r"[\w-]+\.md", parts[1]) if parts else []
    numbers = [
        int(found[1])
        for name in (f"{folder.name}.md", *names)
        for _, line in prose(pages[name])
        if (found := re.match(r"## (\d+)\.", line))
    ]
    assert numbers == list(range(1, len(numbers) + 1))


def sections(path: Path) -> list[tuple[str, str]]:
    """Headings with what stands below them for people: text and tables, no code and no rulings."""
    page = re.sub(r"\A---.*?\n---\n", "", path.read_text(encoding="utf-8"), flags=re.S)
    cut = re.split(r"^(#+ .*)$", re.sub(r"```.*?```", "", page, flags=re.S), flags=re.M)
    return [
        (head, re.sub(r"^>.*$", "", body, flags=re.M).strip())
        for head, body in zip(cut[1::2], cut[2::2], strict=True)
    ]


@pytest.mark.parametrize("folder", sorted(x for x in BOOKS.iterdir() if x.is_dir()), ids=lambda x: x.name)
def test_no_section_is_empty_with_its_code_hidden(folder: Path) -> None:
    empty: list[str] = []
    for path in sorted(folder.glob("*.md")):
        if path.stem not in ("examples", "cases", "edges"):
            found = sections(path)
            heads = [head for head, _ in found] + [""]
            empty += [
                f"{path.name}: {head}"
                for (head, body), after in zip(found, heads[1:], strict=True)
                if not body and not after.startswith(head.split()[0] + "#")
            ]
    assert not empty


NUMBER = re.compile(r"^([A-Z][\w' -]*?) \((?:Resource|Order|Zone)\)(.*)\n(.*)$", re.M)


@pytest.mark.parametrize("name", ["p52", "penance-1", "penance-2", "vigil"])
def test_what_is_kept_on_a_sheet_is_told_of(name: str) -> None:
    """Every number, order and pile that players are shown has a note, or its name stands in the prose."""
    pages = [p for p in sorted((BOOKS / name).glob("*.md")) if p.stem not in ("examples", "cases", "edges")]
    text = "\n".join(p.read_text(encoding="utf-8") for p in pages)
    told = re.sub(r"```.*?```", "", text, flags=re.S)
    untold = [
        kept
        for kept, fields, after in NUMBER.findall(text)
        if "shown: no" not in fields
        and not after.lower().startswith("note")
        and not re.search(rf"\b{re.escape(kept)}\b", told, re.I)
    ]
    assert not untold
