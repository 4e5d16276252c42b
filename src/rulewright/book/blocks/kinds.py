"""Kinds of blocks that a book declares itself: `Quest (Block)` -> a List and components.

In:  a Source: declarations `NAME (Block)` with fields and their shapes, and the blocks of these kinds.
Out: the same Source with both replaced. The blocks are words of a List called like their kind; what stands in
     a field FIELD is a component `KIND FIELD` that is given the word: an Effect, a Check or a Value.

Every field of a block becomes a component of its own, with the lines and citations of the block, so that a
mistake is shown where it was made; `KIND FIELD` only says whose is meant.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from rulewright.book.blocks.forms import article
from rulewright.book.text.source import Definition, FieldText, Line, Source
from rulewright.diagnostics import nearest

SHAPES = {"effects": "Effect", "check": "Check", "number": "Value"}
"""What a field may hold, and what it becomes. Any other shape is a kind of thing: a Value, too."""
THINGS = ("Actor", "Card", "Space", "Side", "Status", "Terrain", "Direction")
PLAIN = ("note", "body")
KEY = re.compile(r"([^\W\d_][\w -]*):(?:\s|$)")


@dataclass(frozen=True, slots=True)
class Field:
    """A field that blocks of a kind have."""

    name: str
    shape: str
    optional: bool
    line: Line

    @property
    def component(self) -> str:
        """What it becomes."""
        return SHAPES.get(self.shape, "Value")


@dataclass(slots=True)
class Kind:
    """A declared kind, and its blocks."""

    d: Definition
    fields: dict[str, Field] = field(default_factory=dict[str, Field])
    blocks: list[Definition] = field(default_factory=list[Definition])

    @property
    def name(self) -> str:
        """Its name, which is also that of the List."""
        return self.d.title


def make_blocks(source: Source) -> None:
    """Replace declarations and blocks by what they mean."""
    kinds = {
        d.title: Kind(d) for d in source.definitions if d.kind == "Block" and d.line.file not in source.bases
    }
    if not kinds:
        return
    words = _lists(source)
    named = {
        *words,
        *(d.title for d in source.definitions if d.kind in ("List", "Template")),
        *kinds,
        *THINGS,
    }
    for kind in kinds.values():
        _declared(source, kind, named)
    made: list[Definition] = []
    for d in source.definitions:
        if d.kind in kinds and not d.is_table:
            kinds[d.kind].blocks.append(d)
        elif d.kind != "Block" or d.line.file in source.bases:
            made.append(d)
    for kind in kinds.values():
        made += _meaning(source, kind, words.get(kind.name))
    source.definitions = made


def _lists(source: Source) -> dict[str, list[str]]:
    """The words of each List that the book writes down by itself."""
    found: dict[str, list[str]] = {}
    for d in source.definitions:
        if d.kind == "List":
            said = d.get("words", "body")
            cells = [row.cells[0][1].text for row in d.rows if row.cells]
            found.setdefault(d.title, []).extend(
                cells or [x.strip() for x in said.text.split(",")] if said else cells
            )
    return found


def _problem(source: Source, code: str, line: Line, message: str, close: str | None = None) -> None:
    source.diagnostics.append(line.problem(code, message, f"did you mean '{close}'?" if close else ""))


def _declared(source: Source, kind: Kind, named: set[str]) -> None:
    for f in kind.d.fields:
        if f.key.lower() in PLAIN:
            continue
        shape, _, rest = f.text.partition(",")
        at = f.first
        if shape not in SHAPES and shape not in named:
            message = f"a field holds {', '.join(SHAPES)} or a kind of thing, not '{shape}'"
            _problem(source, "unexecutable", at, message, nearest(shape, [*SHAPES, *sorted(named)]))
        elif rest.strip() not in ("", "optional"):
            _problem(source, "unexecutable", at, f"after the comma stands `optional`, not '{rest.strip()}'")
        else:
            kind.fields[f.key.lower()] = Field(f.key, shape, bool(rest), f.at or kind.d.line)
    if not kind.fields:
        _problem(source, "missing-part", kind.d.line, f"'{kind.name}' has no field: write `NAME: effects`")


# ------------------------------------------------------------ blocks
def _checked(source: Source, kind: Kind, words: list[str] | None) -> list[Definition]:
    """The blocks that can be used; what is wrong with the others, and with their lines, is reported."""
    seen: dict[str, Definition] = {}
    for d in kind.blocks:
        first = seen.get(d.title)
        if first is not None:
            where = f"first declared on line {first.line.number}"
            problem = d.line.problem("duplicate-name", f"'{d.title}' is declared twice", where)
            source.diagnostics.append(problem)
        elif words is not None and d.title not in words:
            _problem(
                source,
                "unknown-name",
                d.line,
                f"no {kind.name} is called '{d.title}'",
                nearest(d.title, words),
            )
        else:
            seen[d.title] = d
            _lines(source, kind, d)
    return list(seen.values())


def _lines(source: Source, kind: Kind, d: Definition) -> None:
    """Lines that the kind does not have, that stand twice, that are missing."""
    names = [f.name for f in kind.fields.values()]
    seen: set[str] = set()
    meant: set[str] = set()
    for f in d.fields:
        low = f.key.lower()
        at = f.at or f.first
        if low == "body":
            for line in f.lines:
                key = KEY.match(line.text)
                close = nearest(key.group(1), names) if key else None
                meant.add((close or "").lower())
                code = "unknown-field" if key else "unexecutable"
                _problem(source, code, line, f"'{line.text}' is no line of {article(kind.name)}", close)
        elif low not in kind.fields and low != "note":
            close = nearest(f.key, names)
            meant.add((close or "").lower())
            _problem(source, "unknown-field", at, f"{article(kind.name)} has no line '{f.key}:'", close)
        elif low in seen and low != "note":
            _problem(source, "duplicate-name", at, f"'{f.key}:' stands twice in '{d.title}'")
        seen.add(low)
    for low, wanted in kind.fields.items():
        if low not in seen | meant and not wanted.optional:
            _problem(source, "missing-part", d.line, f"'{d.title}' needs `{wanted.name}:`")


# ------------------------------------------------------------ what they mean
def _meaning(source: Source, kind: Kind, words: list[str] | None) -> list[Definition]:
    at = kind.d.line
    blocks = _checked(source, kind, words)
    made: list[Definition] = []
    if words is None:
        text = ", ".join(d.title for d in blocks) or "none"
        made.append(Definition(kind.name, "List", at, fields=[_field("words", at, [text])]))
    for low, f in kind.fields.items():
        having = [(d, found) for d in blocks if (found := d.get(low)) is not None and found.lines]
        made += [_own(kind, f, d, found) for d, found in having]
        made.append(_whose(kind, f, [d.title for d, _ in having]))
    return made


def _field(key: str, at: Line, texts: list[str]) -> FieldText:
    return FieldText(key, [Line(at.file, at.number, 0, text) for text in texts])


def _head(kind: Kind, f: Field) -> list[FieldText]:
    """Both sorts of components are given the word; what a thing is, is said."""
    word = "".join(kind.name.split()).lower()
    made = [_field("with", f.line, [f"{word} ({kind.name})"])]
    if f.component == "Value" and f.shape not in SHAPES:
        made.append(_field("gives", f.line, [f.shape]))
    return made


def _own(kind: Kind, f: Field, d: Definition, found: FieldText) -> Definition:
    """What one block says in a field."""
    made = Definition(
        f"{f.name} of {d.title}", f.component, d.line, cites=d.cites, part=d.part, lines=d.lines
    )
    made.fields = [*_head(kind, f), FieldText("body", found.lines)]
    return made


def _whose(kind: Kind, f: Field, titles: list[str]) -> Definition:
    """What the block says that is meant; nothing, where it says nothing."""
    word = "".join(kind.name.split()).lower()
    parts = [(f"{word} is {title}", f"#{f.name} of {title} with {word}") for title in titles]
    match f.component:
        case "Check":
            texts = [" OR ".join(f"({test} AND {run})" for test, run in parts) or "1 = 0"]
        case "Value":
            texts = [f"if {test}: give {run}" for test, run in parts]
            texts.append("give 0" if f.shape in SHAPES else "give none")
        case _:
            texts = [f"if {test}: {run}" for test, run in parts] or ["give 0"]
    made = Definition(f"{kind.name} {f.name}", f.component, kind.d.line, cites=kind.d.cites, part=kind.d.part)
    made.fields = [*_head(kind, f), _field("body", f.line, texts)]
    return made
