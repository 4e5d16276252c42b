"""Kinds of blocks that a book declares: their lines, what each holds, and what is made of it.

In:  `NAME (Block)` definitions, of a book for itself or of a base for the books that use it.
Out: Kinds. Below a line stand its forms, a wording with gaps and what it means in the core notation; a line
     without wordings has one form, whose gap is what it holds. A line without forms may be code itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from rulewright.book.phrases import match as phrases
from rulewright.book.text.source import Definition, FieldText, Line, Source
from rulewright.book.text.tokens import Token, tokenize
from rulewright.diagnostics import Diagnostic, suggest

FORM = re.compile(r'"(?P<title>[^"]*)"(?:, (?P<case>[^:"]+))?:\s*(?P<means>.*)$')
HEAD = re.compile(r"(?P<head>[A-Z][\w ]*): ")
WHILE = re.compile(r"while\s+")
GAPS = {"number": "N"}
"""How the gap of a line is called that holds something else than its name says."""
SETTINGS = ("in", "once", "makes")
WITHIN = ("Phase", "Actor")
CODE = {"effects": "Effect", "check": "Check", "number": "Value"}
"""What a line may be by itself, and the component it becomes. A kind of thing is a Value, too."""
SHAPES = (*CODE, "rows")
STORY = ("people", "features", "events", "controller", "start", "actions", "coordinate", "Map", "Direction")
"""What a line may hold in a base besides; also new resources and statuses, fields of resources."""
THINGS = ("Actor", "Card", "Space", "Side", "Status", "Terrain", "Direction")
ADDS = re.compile(
    r"new (?:Resource(?: (?:of|range|starts|maximum|holds|seen by|shown): .+)?|Status)"
    r"|(?:starts|maximum) of Resource"
)
PIECE = re.compile(r"[^;\s][^;]*")
GAP = re.compile(r"\{(\w+)\}")
OWN_GAPS = ("this", "place")
"""Gaps of every meaning: the block itself, and ten times the number of the row."""
FORMS = "Forms"
MORE = "more "


@dataclass(slots=True)
class Field:
    """A line that blocks of a kind have."""

    name: str
    shape: str
    optional: bool
    component: str
    """The component that its forms are code of."""
    line: Line
    given: str = ""
    """What that component is given besides the block."""
    forms: phrases.Book = field(default_factory=phrases.Book)
    cases: dict[str, Line] = field(default_factory=dict[str, Line])
    """Of forms that count only if this is what the component is given: which word that is, by title."""
    broken: set[str] = field(default_factory=set[str])
    """Titles of forms whose meaning speaks of a gap that is not there."""
    heads: tuple[str, ...] = ()
    """Words with a colon that forms begin with: they may stand alone, above what they are for."""
    holds: list[Token] = field(default_factory=list[Token])
    """While what the features and events of the line hold."""

    closed: bool = True
    """Is what stands in it closed text?"""
    code: str = ""
    """The sort of component that each block's own text in it is."""

    added: list[Line] = field(default_factory=list[Line])
    """What `more` adds to the definitions of those who are named, as it is written."""

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

    d: Definition
    own: bool = False
    """Does the book declare it for itself?"""
    within: str = ""
    """The list whose words the blocks are."""
    once: bool = False
    makes: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    """Fields of the definition that each block becomes."""
    made: list[Line] = field(default_factory=list[Line])
    """The same as they are written."""
    fields: dict[str, Field] = field(default_factory=dict[str, Field])
    """By their names in small letters."""

    @property
    def name(self) -> str:
        """Its name, which is the first word of each block."""
        return self.d.title

    @property
    def line(self) -> Line:
        """Where it is declared."""
        return self.d.line

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


def read_kinds(source: Source) -> dict[str, Kind]:
    """The declarations by name; what is wrong with one is reported where it stands."""
    blocks = {d.title: d for d in source.definitions if d.kind == "Block"}
    lists = [d.title for d in source.definitions if d.kind in ("List", "Template")] if blocks else []
    things = (*THINGS, *dict.fromkeys(filter(None, (*lists, *blocks))))
    made: dict[str, Kind] = {}
    for name, d in blocks.items():
        if d.line.file in source.bases:
            made[name] = _kind(d, things, source.diagnostics)
        else:
            shapes = (*CODE, *things) if source.bases else (*SHAPES, *things)
            made[name] = _own_kind(d, shapes, source.diagnostics)
    return made


def _own_kind(d: Definition, shapes: tuple[str, ...], problems: list[Diagnostic]) -> Kind:
    """A kind whose blocks are words of a list of its own."""
    made = Kind(d, own=True, within=d.title)
    for f in d.fields:
        if f.key.lower() not in ("note", "body") and f.lines:
            found = _field(d, f, shapes, problems)
            if found.means and "rows" not in shapes:
                problems.append(f.lines[1].problem("unexecutable", "only a framework says what a line means"))
            elif found.shape in shapes:
                made.fields[f.key.lower()] = found
                found.closed, found.code = False, "" if found.means else CODE.get(found.shape, "Value")
    if not made.fields:
        problems.append(d.line.problem("missing-part", f"'{d.title}' has no field: write `NAME: effects`"))
    return made


def _kind(d: Definition, things: tuple[str, ...], problems: list[Diagnostic]) -> Kind:
    shapes = (*SHAPES, *STORY, *things)
    within, once, makes = (d.get(key) for key in SETTINGS)
    made = Kind(d, within=within.text if within else "", once=once is not None)
    if within is not None and within.text not in WITHIN:
        wrong = f"blocks are words of {' or '.join(WITHIN)}, not of '{within.text}'"
        problems.append(within.first.problem("unexecutable", wrong))
        made.within = WITHIN[0]
    if once is not None and once.text != "yes":
        problems.append(once.first.problem("unexecutable", f"write `once: yes`, not '{once.text}'"))
    for line in makes.lines if makes else ():
        made.made += _pieces(line)
    pieces = (piece.text.partition(": ") for piece in made.made)
    made.makes = [(key, value) for key, _, value in pieces]
    for f in d.fields:
        if f.key == "body":
            problems += [x.problem("unexecutable", f"'{x.text}' is no line of a Block") for x in f.lines]
        elif f.key not in (*SETTINGS, "note") and f.lines:
            made.fields[f.key.lower()] = _field(d, f, shapes, problems)
        elif not f.lines:
            problems.append(f.first.problem("missing-part", f"say what `{f.key}:` holds"))
    return made


def _field(d: Definition, f: FieldText, shapes: tuple[str, ...], problems: list[Diagnostic]) -> Field:
    first, *rest = f.lines
    shape, *more = first.text.split(", ")
    shape, _, component = shape.partition(" for ")
    given = next((x.removeprefix("with ") for x in more if x.startswith("with ")), "")
    made = Field(f.key, shape, "optional" in more, f"{d.title} {component or f.key}", first, given)
    if shape not in shapes and not ADDS.fullmatch(shape):
        wrong = (
            f"a line holds {', '.join(x for x in shapes if x[0].islower())} or a kind of thing, not '{shape}'"
        )
        problems.append(first.problem("unexecutable", wrong, suggest(shape, shapes)))
    for word in more:
        if word != "optional" and not re.fullmatch(r"with \w+ \(\w+\)", word):
            wrong = f"after the comma stands `optional` or `with x (Kind)`, not '{word}'"
            problems.append(first.problem("unexecutable", wrong))
            made.optional = True  # perhaps that was meant: one mistake is enough
    _forms(d, made, rest, problems)
    if shape == "events" and not made.holds:
        problems.append(first.problem("missing-part", f"say while what the events of `{f.key}:` happen"))
        made.shape = "rows"
    return made


def _forms(d: Definition, made: Field, lines: list[Line], problems: list[Diagnostic]) -> None:
    """What stands below a line: while what it holds, or its wordings with what each means."""
    found: list[tuple[str, list[Line]]] = []
    for line in lines:
        form, holds = FORM.match(line.text), WHILE.match(line.text)
        if holds and not found:
            made.holds = tokenize([line.slice(holds.end())], problems)
        elif form is not None:
            found.append((form["title"], [line.slice(*form.span("means"))] if form["means"] else []))
            made.cases |= {form["title"]: line.slice(*form.span("case"))} if form["case"] else {}
        elif found:
            found[-1][1].append(line)
        else:
            found.append(("{" + GAPS.get(made.shape, made.shape) + "}", [line]))
    for title, means in found:
        form = phrases.read(d, FORMS, title, [FieldText("means", means)], problems)
        made.forms.add(form)
        made.broken.update([title] if form.broken else ())
        known = {*GAP.findall(title), *OWN_GAPS}
        for line in means:
            if line.text.startswith(MORE):
                made.added += _pieces(line.slice(len(MORE)))
            for gap in GAP.finditer(line.text):
                if gap.group(1) not in known:
                    wrong = f"no gap is called '{gap.group(1)}' in \"{title}\""
                    help_ = suggest(gap.group(1), known)
                    problems.append(line.slice(*gap.span()).problem("unknown-name", wrong, help_))
                    made.broken.add(title)
    heads = (HEAD.match(title) for title, _ in found)
    made.heads = tuple(dict.fromkeys(head["head"] for head in heads if head))


def _pieces(line: Line) -> list[Line]:
    return [line.slice(*piece.span()) for piece in PIECE.finditer(line.text)]


def article(kind: str) -> str:
    """The name of a kind with its article."""
    return ("an " if kind[:1] in "AEIOU" else "a ") + kind
