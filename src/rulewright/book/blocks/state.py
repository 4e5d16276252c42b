"""What is known of the blocks of a book while they are translated.

In:  a Source.
Out: Blocks: those as read, the definitions made of them so far, and how mistakes are reported.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from rulewright.book import tree as t
from rulewright.book.blocks.forms import Kind, read_kinds
from rulewright.book.blocks.parts import Actor, Cast, Encounter, Map, Scene
from rulewright.book.bodies.state import Bodies
from rulewright.book.grammar.scope import Scope
from rulewright.book.phrases.match import Book
from rulewright.book.phrases.read import alike
from rulewright.book.symbols import norm
from rulewright.book.text.front import as_names
from rulewright.book.text.lists import Entry, well_formed
from rulewright.book.text.source import Definition, FieldText, Line, Reports, Source
from rulewright.diagnostics import suggest

PHASE = "Phase"
"""The list of scenes, endings, and blocks of kinds that say `in: Phase`."""


class Blocks(Reports):
    """Everything that the blocks of one book say."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.problems = source.diagnostics
        self.bases = source.bases
        self.alone = source.bases >= set(source.texts)
        """The book is the framework itself, and has no blocks of its own."""
        self.made: list[Definition] = []
        self.blocks: dict[str, list[Definition]] = {}
        self.seen: dict[tuple[str, str], Definition] = {}
        self.resources: dict[str, Definition] = {}
        self.flags: dict[str, str] = {}
        self.outcomes: dict[str, str] = {}
        self.phases: dict[tuple[str, str], str] = {}
        """Words of the list of phases by kind and name."""
        self.global_features: list[Entry] = []
        self.common: list[Entry] = []
        self.settings: Definition | None = None
        self.rejected: set[str] = set()
        """Kinds of which some declaration was no good."""
        self.meant: set[tuple[int, str]] = set()
        """(line of a block, key) where a key was misspelt and that one was probably meant."""
        # actors and casts (roster.py)
        self.actors: dict[str, Actor] = {}
        self.templates: dict[str, Actor] = {}
        self.casts: dict[str, Cast] = {}
        self.chairs: list[str] = []
        """Names of the seats."""
        self.references: list[tuple[str, Entry]] = []
        """Names that must be declared somewhere: (kind, entry)."""
        # maps (places.py)
        self.maps: dict[str, Map] = {}
        self.standard: dict[str, list[Entry]] = {}
        """Features of glyphs that need no legend."""
        self.kept: dict[str, list[Entry]] = {}
        """Features that a glyph keeps whatever a book's own legend says."""
        # features and who has them (links.py)
        self.phrases = Book()
        self.features: dict[str, Definition] = {}
        self.tiles: dict[str, list[str]] = {}
        """Features of each terrain, by the terrain's name."""
        self.reported: set[tuple[str, int, int]] = set()
        """References to features that nothing declares, by place."""
        self.kinds = read_kinds(source)
        """The kinds of blocks that the book and its framework declare."""
        self.sheet = self.kinds.get("Actor") or Kind(Definition("Actor", "Block", Line("", 0, 0, "")))
        """What it adds to the lines of actors and templates."""
        self.groups = {kind.name for kind in self.kinds.values() if kind.within == t.ACTOR}
        """Those whose blocks stand for several actors."""
        self.good: dict[str, list[Definition]] = {}
        """Blocks of these kinds whose names can be used."""
        self.encounters: list[Encounter] = []
        self.scenes: list[Scene] = []

    def unknown(self, what: str, name: str, line: Line, names: Iterable[str]) -> None:
        """A name that nothing declares. Where a declaration of that kind was rejected, it may be meant."""
        if what in self.rejected:
            return
        self.problem("unknown-name", line, f"no {what} is called '{name}'", suggest(name, names))

    def misspelt(self, d: Definition, key: str) -> bool:
        """Was a key reported that is probably this one? Then that it is missing is not another mistake."""
        return (d.line.number, key) in self.meant

    def named(self, d: Definition, kind: str, line: Line | None = None) -> bool:
        """Is the name well formed, and the first of its kind?"""
        at = line or d.line
        if not well_formed(d.title):
            self.problem("unexecutable", at, f"'{d.title}' cannot be a name")
            self.rejected.add(kind)
            return False
        key = (kind, norm(d.title))
        if key in self.seen:
            self.twice(at, f"'{d.title}'", self.seen[key].line)
            self.rejected.add(kind)
            return False
        self.seen[key] = d
        return True

    def usable(self, within: str) -> Iterator[tuple[Kind, Definition]]:
        """The blocks of the kinds that are words of a list, but for those whose names are no good."""
        for kind in self.kinds.values():
            for d in self.blocks.get(kind.name, []) if kind.within == within else ():
                if self.named(d, kind.name.lower()):
                    self.good.setdefault(d.kind, []).append(d)
                    yield kind, d

    def alike(self) -> dict[str, str]:
        """Words that count as the same."""
        return alike(self.source.front.get("alike"))

    def defaults(self, d: Definition) -> Definition:
        """Fields that the framework gives every definition of a kind (front matter `defaults:`)."""
        for key, text in as_names(as_names(self.source.front.get("defaults")).get(d.kind)).items():
            if d.get(key) is None:
                d.add(key, str(text))
        return d

    def resource_names(self) -> list[str]:
        """Every resource a book may name, its framework's open ones included."""
        return [
            d.title
            for d in self.made
            if d.kind == "Resource" and d.get("private") is None and d.get("optional") is None
        ]

    def listed(self, kind: str, entry: Entry) -> list[Entry]:
        """Whom an entry of an encounter means: the members of a cast, or one actor."""
        cast = self.casts.get(norm(entry.name)) if kind in self.groups else None
        return [entry] if cast is None else cast.members

    def texts(self) -> list[str]:
        """What the book's own rules say, line by line: actions, components, features, scenes, events."""
        blocks = [d for d in self.made if d.line.file not in self.bases and d.kind != "Resource"]
        once = [kind.name for kind in self.kinds.values() if kind.once]
        blocks += [d for kind in ("Scene", "Map", *once) for d in self.blocks.get(kind, [])]
        found = [x.text for d in blocks for f in d.fields for x in f.lines]
        for kind in self.kinds.values():
            coded = {f.name.lower() for f in kind.fields.values() if f.coded} | {"effect"}
            for d in (
                self.blocks.get(kind.name, []) if not kind.own and kind.within not in ("", t.ACTOR) else ()
            ):
                found += [x.text for f in d.fields if f.key.lower() in coded for x in f.lines]
        return found

    def component(
        self,
        title: str,
        build: Callable[[Bodies, Scope], t.Block_],
        d: Definition | None = None,
        kind: str = "Effect",
        with_: str = "",
        at: Line | None = None,
    ) -> Definition:
        """A component whose body is built when names are bound. `at`: where it is said what it is given."""
        line = Line("", 0, 0, "") if d is None else Line("", d.line.number, 0, "")
        made = Definition(title, kind, line, build=build)
        if with_:
            made.fields.append(FieldText("with", [(at or Line("", 0, 0, "")).slice(0, text=with_)]))
        made.cites = d.cites if d is not None else ()
        self.made.append(made)
        return made

    def words(self, title: str, names: list[str]) -> None:
        """A list that the book fills, behind the words that its framework puts there."""
        made = next((d for d in self.made if d.kind == "List" and d.title == title), None)
        if made is None:
            made = Definition(title, "List", Line("", 0, 0, ""))
            self.made.append(made)
        said = made.get("words")
        words = {norm(x): x for x in [*(said.text.split(", ") if said else ()), *names]}
        made.fields = [FieldText("words", [Line("", 0, 0, ", ".join(words.values()) or "none")])]

    def goto(self, line: Line, report: bool = True) -> tuple[str, str] | None:
        """`Scene "X"`, `Ending "X"`, a declared kind or `End` -> the phase; a mistake is reported."""
        before = len(self.problems)
        found = self._goto(line)
        if not report:
            del self.problems[before:]
        return found

    def _goto(self, line: Line) -> tuple[str, str] | None:
        text = re.sub(r"^(?:Transition to|Transition:|Skip to)\s+", "", line.text.strip())
        if re.fullmatch(r"End\.?", text):
            return "Ending", norm(self.complete)
        kinds = ["Scene", *(kind.name for kind in self.kinds.values() if kind.within == PHASE), "Ending"]
        match = re.fullmatch(rf'({"|".join(kinds)})\s+"([^"]*)"\.?', text)
        if text.count('"') % 2:
            self.problem("unbalanced", line, "a quotation mark without its partner")
            return None
        if match is None:
            words = ", ".join(f'`{kind} "NAME"`' for kind in kinds)
            self.problem("unexecutable", line, f"'{line.text}' leads nowhere: write {words} or `End`")
            return None
        return self.phase(match.group(1), match.group(2), line)

    def phase(self, kind: str, name: str, line: Line) -> tuple[str, str] | None:
        """A phase by name, which may stand anywhere in the book."""
        titles = [d.title for d in self.blocks.get(kind, [])]
        if kind == "Ending":
            titles += [d.title for d in self.made if d.kind == "Ending"]
        if norm(name) not in {norm(x) for x in titles}:
            self.unknown(kind.lower(), name, line, titles)
            return None
        return kind, norm(name)

    @property
    def complete(self) -> str:
        """The ending of a story that just stops."""
        return str(as_names(self.source.front.get("roles")).get("ending", "Complete"))

    def flag(self, name: str) -> str:
        """The word of a flag."""
        return self.flags.setdefault(norm(name), name)
