"""What every pass over the definitions shares: problems, names that are taken, rows as definitions.

In:  Source.
Out: Symbols, to be filled, and the definitions whose bodies are to be parsed.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from rulewright.book.phrases.read import alike
from rulewright.book.symbols import Symbols, norm
from rulewright.book.text.keywords import BLANK, MOST, STATED
from rulewright.book.text.source import Definition, FieldText, Line, Reports, Row, Source

Report = Callable[..., None]


def how_many(text: str, usual: int, line: Line, report: Report) -> int:
    """The number in a text, or the usual one where there is none. Too many are a mistake."""
    found = re.search(r"\d+", text)
    if found is None:
        return usual
    if len(found.group()) > len(str(MOST)) or int(found.group()) > MOST:
        report("unexecutable", line, f"at most {MOST} will do here, not {found.group()[:20]}")
        return usual
    return int(found.group())


# ------------------------------------------------------------ helpers
class Declaring(Reports):
    """Symbols under construction."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.symbols = Symbols(front=dict(source.front))
        self.problems = source.diagnostics
        self.bodies: list[tuple[str, object, Definition]] = []
        """What still has a body: sort, symbol, definition."""
        self.seen: dict[tuple[str, str], Definition] = {}
        self.list_titles: dict[str, str] = {}
        self.filled: set[str] = set()
        """Lists that tables add rows to."""
        self.card_text: dict[str, Definition] = {}
        """Rules of cards that a table lists, by name."""
        self.replaced: dict[str, int] = {}
        """Numbers of features that a book took over from its framework."""
        self.symbols.bases = set(source.bases)
        self.symbols.phrases.alike = alike(source.front.get("alike"))


def once(decl: Declaring, definition: Definition, space: str) -> bool:
    key = (space, norm(definition.title))
    if key in decl.seen:
        decl.twice(definition.line, f"'{definition.title}'", decl.seen[key].line)
        return False
    decl.seen[key] = definition
    return True


def prints_numbers(d: Definition, heading: str) -> bool:
    """A column that is called like a field (`Cost`), but only holds numbers: it is printed, not done."""
    if heading.lower() not in STATED:
        return False
    cells = [cell.text for row in d.rows for head, cell in row.cells if head == heading]
    told = [text for text in cells if text not in BLANK]
    return bool(told) and all(re.fullmatch(r"[+-]?\d+", text) for text in told)


CITED = re.compile(r"[A-Z][A-Z0-9]{1,4}-[A-Z0-9]{2,6}-\d{1,3}[a-z]?(,.*)?")


def titles_of(row: Row) -> list[str]:
    """What a row of a table defines: `A / B` are two."""
    return [title.strip() for title in row.cells[0][1].text.split(" / ")] if row.cells else []


def expand(definition: Definition) -> list[Definition]:
    """One definition a row, with the caption's fields and the row's."""
    made: list[Definition] = []
    printed = {heading for heading in definition.columns if prints_numbers(definition, heading)}
    for row in definition.rows:
        for title in titles_of(row):
            item = Definition(title, definition.kind, row.line, definition.extra, definition.cites)
            item.part = definition.part
            item.fields = [f for f in definition.fields if f.key != "caption"]
            for heading, cell in row.cells[1:]:
                text = cell.text
                if "-" in text and CITED.fullmatch(text):
                    item.cites += (text.split(",")[0],)
                if text in BLANK or heading in printed:
                    continue
                item.fields.append(FieldText(heading, [cell]))
            made.append(item)
    return made


# ------------------------------------------------------------ bases
def of_framework(decl: Declaring, space: str, d: Definition) -> Definition | None:
    """What a framework already declares under the name that another book now gives."""
    first = decl.seen.get((space, norm(d.title)))
    bases = decl.symbols.bases
    return first if first is not None and first.line.file in bases and d.line.file not in bases else None
