"""Phrase definitions and `alike:` lists -> what phrases.py looks for.

In:  Phrase tables and blocks; front matter.
Out: phrases, and words that count as the same.
"""

from __future__ import annotations

from rulewright.book.phrases import match as phrases
from rulewright.book.text.front import as_list
from rulewright.book.text.source import Definition, FieldText, Line
from rulewright.diagnostics import Diagnostic


def expand(definition: Definition) -> list[Definition]:
    """One definition a row of a table, with the caption's fields and the row's."""
    made: list[Definition] = []
    for row in definition.rows:
        if not row.cells:
            continue
        item = Definition(row.cells[0][1].text, definition.kind, row.line, definition.extra, definition.cites)
        item.fields = [f for f in definition.fields if f.key != "caption"]
        item.fields += [FieldText(heading, [cell]) for heading, cell in row.cells[1:] if cell.text]
        made.append(item)
    return made


def read_phrases(d: Definition, problems: list[Diagnostic]) -> list[phrases.Phrase]:
    """A table of wordings and their meanings, or one wording with several fields."""
    place = d.get("for")
    where = place.text.strip() if place else phrases.EFFECT
    made: list[phrases.Phrase] = []
    for one in expand(d) if d.is_table else [d]:
        means = [f for f in one.fields if f.key.lower() not in ("for", "note", "example")]
        if d.is_table:
            means = [
                FieldText(
                    "means" if f.key.lower() == "means" else f.key.lower(),
                    [_unquoted(f.lines[0])],
                )
                for f in means
                if f.key.lower() in ("means", "requires")
            ]
        made.append(phrases.read(one, where, one.title.strip('`"'), means, problems))
    return made


def _unquoted(line: Line) -> Line:
    text = line.text.lstrip("`")
    return line.slice(len(line.text) - len(text), text=text.rstrip("`"))


def alike(rows: object) -> dict[str, str]:
    """Front matter `alike:` lists of words that count as the same -> the first of each list."""
    found: dict[str, str] = {}
    for row in as_list(rows):
        words = [w.strip().lower() for w in row.split(",")]
        found.update(dict.fromkeys(words, words[0]))
    return found
