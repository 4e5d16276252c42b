"""Phrase definitions and `alike:` lists -> what phrases.py looks for.

In:  Phrase tables and blocks; front matter.
Out: phrases, and words that count as the same.
"""

from __future__ import annotations

from rulewright.book.phrases import match as phrases
from rulewright.book.text.front import as_list
from rulewright.book.text.source import Definition, FieldText, Line
from rulewright.diagnostics import Diagnostic


def read_phrases(d: Definition, problems: list[Diagnostic]) -> list[phrases.Phrase]:
    """A table of wordings and their meanings, or one wording with several fields."""
    where = d.said("for", phrases.EFFECT)
    if not d.is_table:
        means = [f for f in d.fields if f.key.lower() not in ("for", "note", "example")]
        return [phrases.read(d, where, d.title.strip('`"'), means, problems)]
    made: list[phrases.Phrase] = []
    for row in d.rows:
        title, *cells = row.cells or [("", row.line)]
        said = [FieldText(head, [cell]) for head, cell in cells if cell.text]
        means = [f for f in (*d.fields, *said) if f.key.lower() in ("means", "requires")]
        means = [FieldText(f.key.lower(), [_unquoted(f.lines[0])]) for f in means]
        one = Definition(title[1].text, d.kind, row.line, d.extra, d.cites)
        made += [phrases.read(one, where, one.title.strip('`"'), means, problems)] if row.cells else []
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
