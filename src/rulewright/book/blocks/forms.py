"""Kinds of blocks that a base declares: their lines, what each holds, and what is made of it.

In:  `NAME (Block)` definitions of a base.
Out: Kinds. Below a line stand its forms, a wording with gaps and what it means in the core notation; a line
     without wordings has one form, whose gap is what it holds.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from rulewright.book.phrases import match as phrases
from rulewright.book.text.source import Definition, FieldText, Line
from rulewright.book.text.tokens import Token, tokenize

FORM = re.compile(r'"(?P<title>[^"]*)"(?:, (?P<case>[^:"]+))?:\s*(?P<means>.*)$')
HEAD = re.compile(r"(?P<head>[A-Z][\w ]*): ")
WHILE = re.compile(r"while\s+")
GAPS = {"number": "N"}
"""How the gap of a line is called that holds something else than its name says."""
SETTINGS = ("in", "once", "makes")
FORMS = "Forms"


@dataclass(slots=True)
class Field:
    """A line that blocks of a kind have."""

    name: str
    shape: str
    optional: bool
    component: str
    """The component that its forms are code of."""
    given: str = ""
    """What that component is given besides the block."""
    forms: phrases.Book = field(default_factory=phrases.Book)
    cases: dict[str, str] = field(default_factory=dict[str, str])
    """Of forms that count only if this is what the component is given: which word that is, by title."""
    heads: tuple[str, ...] = ()
    """Words with a colon that forms begin with: they may stand alone, above what they are for."""
    holds: list[Token] = field(default_factory=list[Token])
    """While what the features and events of the line hold."""

    def titled(self, head: str = "") -> list[phrases.Phrase]:
        """Its forms, or those that begin with a head."""
        return [p for p in self.forms.phrases.get(FORMS, ()) if p.title.startswith(head)]

    @property
    def coded(self) -> bool:
        """May what is written in it name anything of the book, as rules do?"""
        return self.shape == "events" or any("{check}" in p.title for p in self.titled())

    @property
    def means(self) -> bool:
        """Is anything made of it?"""
        return bool(self.forms)


@dataclass(slots=True)
class Kind:
    """A declared kind."""

    name: str
    line: Line
    within: str = ""
    """The list whose words the blocks are."""
    once: bool = False
    makes: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    """Fields of the definition that each block becomes."""
    fields: dict[str, Field] = field(default_factory=dict[str, Field])
    """By their names in small letters."""

    @property
    def keys(self) -> list[str]:
        """Every key that may stand in a block, in small letters."""
        more = (
            ("event", "trigger", "effect") if any(f.shape == "events" for f in self.fields.values()) else ()
        )
        heads = (head.lower() for f in self.fields.values() for head in f.heads)
        return [*self.fields, *heads, *more, "note"]

    def of_shape(self, *shapes: str) -> Iterable[Field]:
        """The lines that hold something of this sort."""
        return (f for f in self.fields.values() if f.shape in shapes)


def read_kind(d: Definition) -> Kind:
    """A declaration. (What a base declares is checked by the books that use it.)"""
    within, once, makes = (d.get(key) for key in SETTINGS)
    made = Kind(d.title, d.line, within.text if within else "", once is not None)
    for line in makes.lines if makes else ():
        for piece in line.text.split(";"):
            key, _, value = piece.strip().partition(": ")
            made.makes.append((key, value))
    for f in d.fields:
        if f.key not in (*SETTINGS, "note", "body"):
            made.fields[f.key.lower()] = _field(d, f)
    return made


def _field(d: Definition, f: FieldText) -> Field:
    first, *rest = f.lines
    shape, *more = first.text.split(", ")
    shape, _, component = shape.partition(" for ")
    given = next((x.removeprefix("with ") for x in more if x.startswith("with ")), "")
    made = Field(f.key, shape, "optional" in more, f"{d.title} {component or f.key}", given)
    titles: list[str] = []
    meanings: list[list[Line]] = []
    for line in rest:
        form = FORM.match(line.text)
        if WHILE.match(line.text) and not titles:
            made.holds = _open([line.slice(WHILE.match(line.text).end())])  # pyright: ignore[reportOptionalMemberAccess]
        elif form is not None:
            titles.append(form["title"])
            made.cases |= {form["title"]: form["case"]} if form["case"] else {}
            meanings.append([line.slice(*form.span("means"))] if form["means"] else [])
        else:
            if not titles:
                titles.append("{" + GAPS.get(shape, shape) + "}")
                meanings.append([])
            meanings[-1].append(line)
    for title, lines in zip(titles, meanings, strict=True):
        made.forms.add(phrases.read(d, FORMS, title, [FieldText("means", lines)]))
    heads = (HEAD.match(title) for title in titles)
    made.heads = tuple(dict.fromkeys(head["head"] for head in heads if head))
    return made


def _open(lines: list[Line]) -> list[Token]:
    return tokenize(lines, [])
