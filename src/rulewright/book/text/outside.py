"""What stands outside of the places that the machine reads, but was surely meant for them.

In:  fences and paragraphs of a Markdown file.
Out: diagnostics: a fence whose word is a slip, one that is never closed, one of definitions without a word, a
     definition in no fence, a table that Markdown does not take for one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from rulewright.book.text.keywords import Words
from rulewright.diagnostics import Diagnostic, Span, is_slip, warning

FENCES = ("rules", "map", "example", "guide")
TITLE = re.compile(r"^[A-Z][^()|*_`.:]*\((?P<kind>[A-Z][A-Za-z]*)\)\s*(?P<rest>.*)$")
BLOCK = re.compile(r"^(?P<kind>[A-Z][A-Za-z]*):\s+[A-Z]")
FIELD = re.compile(r"^(?P<key>[A-Za-z][A-Za-z -]*?):(?:\s|$)")


def odd_fence(
    word: str, lines: Sequence[str], span: Sequence[int], words: Words, file: str
) -> Iterator[Diagnostic]:
    """A fence that nothing reads, or that goes on to the end of the file."""
    first, last = span[0], span[1] - 1
    opened = lines[first].strip()
    here = Span(file, first + 1, lines[first].index(opened) + 1, len(opened))
    ticks = re.match(r"`+|~+", opened)
    closed = ticks is not None and last > first and lines[last].strip().startswith(ticks.group())
    if not closed and word in ("", *FENCES):
        yield Diagnostic("unbalanced", here, "this fence is never closed")
    meant = next((known for known in FENCES if word not in FENCES and word and is_slip(word, known)), None)
    if meant is not None:
        named = Span(file, first + 1, lines[first].index(word) + 1, len(word))
        said = f"nothing reads a fence called '{word}'"
        yield Diagnostic("unknown-name", named, said, f"did you mean '{meant}'?")
    elif not word and _opens(lines[first + 1] if first + 1 < last else "", words.headers):
        said = "nothing reads a fence without a word, and a definition stands in this one"
        yield warning("unexecutable", here, said, "write ```rules, or ```text if it is for people")


def odd_paragraph(
    lines: Sequence[str], span: Sequence[int], captioned: bool, words: Words, file: str
) -> Iterator[Diagnostic]:
    """A paragraph that is a definition, or a table that has gone wrong."""
    first = next((n for n in range(span[0], span[1]) if lines[n].lstrip().startswith("|")), None)
    if first is not None and first + 1 < span[1] and re.fullmatch(r"[\s|:-]+", lines[first + 1]):
        above, below = (_cells(lines[n]) for n in (first, first + 1))
        if above != below and (captioned or first > span[0]):
            said = f"this row has {above} cells and the line under it {below}, so that it is no table"
            row = lines[first].strip()
            here = Span(file, first + 1, lines[first].index(row) + 1, len(row))
            yield Diagnostic("unbalanced", here, said)
        return
    if _is_definition(lines[span[0]], words.headers, words.keys):
        said = "this definition stands in no `rules` fence, and nothing reads it"
        here = Span(file, span[0] + 1, 1, len(lines[span[0]]))
        yield warning("unexecutable", here, said, "put ```rules above it and ``` below")


def names_in(lines: Iterable[str]) -> set[str]:
    """Titles and glyphs of definitions in text that nothing reads: to miss them is no second mistake."""
    found: set[str] = set()
    for line in lines:
        title = TITLE.match(line.replace("*", "").strip())
        if title is not None:
            found.add(line.replace("*", "").partition("(")[0].strip())
        found.update(re.findall(r"glyph:\s*`?([^\s;`])", line))
    return found


def _cells(line: str) -> int:
    return len(re.split(r"(?<!\\)\|", line.strip().strip("|")))


def _opens(line: str, headers: frozenset[str]) -> bool:
    """A definition or a block, `Kind: Title`."""
    block = BLOCK.match(line)
    return (block is not None and block["kind"] in headers) or _is_definition(line, headers, frozenset())


def _is_definition(line: str, headers: frozenset[str], keys: frozenset[str]) -> bool:
    """`Title (Kind)` by itself, or with fields after it."""
    found = TITLE.match(line)
    if found is None or found["kind"] not in headers:
        return False
    field = FIELD.match(found["rest"])
    return not found["rest"] or not keys or (field is not None and field["key"].lower() in keys)
