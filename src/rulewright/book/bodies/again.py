"""A book that is read again and again, as it is edited: what did not change is not read another time.

In:  the declarations of a book, each time.
Out: Bodies, as if all of it had been read; `read` says how many definitions were.

A definition is read against all names that the book declares. As long as these are the same (their digest
is), the trees that were made of them still hold, and only definitions with another text are read into what
they declare, in the order and with the knowledge of the first time: a component that was read later then does
not say yet what it gives. One that only stands further down or up is moved, and not read. Where a new text
changes what others were told (which roles a component wants, what it gives, what an action declares), and for
kinds whose readers look at each other, all is read.

The Symbols are taken over from the time before: who holds an earlier answer sees it change. What a framework
makes of its blocks is made anew each time, and what it goes on with when all is read (whom features hold for)
begins where it began the first time.

Most of what a designer types into a book is neither a name nor a rule. Where only prose or worked examples
changed and no line moved, nothing is declared and no body is read another time (`Read`, `same`).
"""

from __future__ import annotations

import hashlib
import io
import pickle
from copy import copy
from dataclasses import dataclass, field, fields
from typing import Any

from rulewright.book import tree as t
from rulewright.book.bodies.definitions import Piece, pieces, read_piece
from rulewright.book.bodies.moved import extent, move, moved_by
from rulewright.book.bodies.state import Bodies
from rulewright.book.declare.declaring import Declaring
from rulewright.book.forest import Forest
from rulewright.book.symbols import LawSym, StrategySym, Symbols, WalkSym
from rulewright.book.text.source import Definition, Line, Source
from rulewright.diagnostics import Diagnostic

ALONE = (t.Component, t.ActionSym, t.Rules, LawSym, StrategySym, WalkSym)
"""What can be read by itself; others are asked for more than their names while definitions are read."""

LINED: dict[type, str] = {t.Component: "step_lines", t.Rules: "line"}
"""What says where it stands before it is read."""

State = dict[str, Any]


# ------------------------------------------------------------ nothing that is read changed
NOW = ("texts", "examples", "diagnostics", "looked", "unsaved")
"""What of a Source says nothing to those who declare and read bodies."""


@dataclass(frozen=True, slots=True)
class Read:
    """A book that was read: as it was cut, as it was then, and what was found wrong in between."""

    cut: Source
    source: Source
    symbols: Symbols
    problems: tuple[Diagnostic, ...]
    forest: Forest


def as_cut(source: Source) -> Source:
    """What later stages do not change: they add to the lists and fields of what they are given."""
    kept = copy(source)
    kept.front, kept.own_front, kept.roles = dict(source.front), dict(source.own_front), dict(source.roles)
    kept.bases, kept.lost, kept.kinds = set(source.bases), set(source.lost), dict(source.kinds)
    kept.texts, kept.diagnostics = dict.fromkeys(source.texts, ""), list(source.diagnostics)
    kept.definitions = [d.copied() for d in source.definitions]
    kept.maps = [d.copied() for d in source.maps]
    return kept


def same(read: Read, source: Source) -> bool:
    """Whether all that is declared and read stands where it stood. Names of files count, texts do not."""
    parts = (name for name in Source.__slots__ if name not in NOW)
    return list(read.cut.texts) == list(source.texts) and all(
        getattr(read.cut, name) == getattr(source, name) for name in parts
    )


def take_up(read: Read, source: Source) -> None:
    """Let the Source be as it was when all had been read, but for what is written now."""
    for name in Source.__slots__:
        if name not in NOW:
            setattr(source, name, getattr(read.source, name))
    source.diagnostics += read.problems


# ------------------------------------------------------------ some definitions changed
@dataclass(slots=True)
class _Kept:
    """How a piece was read: what was known of its symbol before, what was wrong, which windows it opened."""

    piece: Piece
    before: State
    problems: list[Diagnostic] = field(default_factory=list[Diagnostic])
    windows: tuple[str, ...] = ()
    freed: frozenset[tuple[int, str]] = frozenset()
    """Uses of actions that it gives away."""
    after: State = field(default_factory=dict[str, Any])


class Again:
    """Reads one book as often as asked."""

    def __init__(self) -> None:
        self.digest, self.loose = b"", b""
        self.definitions: list[Definition] = []
        """All that the names of the last time refer to, in the order in which they were met."""
        self.bodies: Bodies | None = None
        self.kept: list[_Kept] = []
        self.unfinished: list[tuple[object, State]] = []
        """What was known when all definitions had been read, of what a framework then goes on with."""
        self.last: Read | None = None
        """The whole book of the last time, for one that says the same in its rules."""
        self.read: list[str] = []
        """Titles of the definitions that were read the last time."""

    def read_bodies(self, declarer: Declaring) -> Bodies:
        """Everything that the definitions say."""
        todo = pieces(declarer)
        names = _Names.of(declarer.symbols, todo)
        bodies = self._changed(declarer, todo, names) if names.digest == self.digest else None
        if bodies is None:
            bodies = self._all(declarer, todo)
            self.definitions = names.definitions
        self.digest, self.loose = names.digest, names.loose
        for kept in self.kept:
            bodies.problems += kept.problems
        self.unfinished = _unfinished(bodies.symbols)
        return bodies

    def _all(self, declarer: Declaring, todo: list[Piece]) -> Bodies:
        bodies = self.bodies = Bodies(declarer)
        self.kept = [_Kept(piece, {}) for piece in todo]
        for kept in self.kept:
            kept.before = _state(kept.piece.symbol)
            _read(bodies, kept)
        self.read = _titles(todo)
        return bodies

    def _changed(self, declarer: Declaring, todo: list[Piece], names: _Names) -> Bodies | None:
        """Read what changed, into the symbols of the time before. None: all is to be read."""
        bodies = self.bodies
        if bodies is None or len(todo) != len(self.kept) or len(names.definitions) != len(self.definitions):
            return None
        # By how many lines each was moved; None is to be read again, and so is what something was wrong with.
        by = {
            n: moved_by(kept.piece.d, now.d) if not kept.problems else None
            for n, (kept, now) in enumerate(zip(self.kept, todo, strict=True))
            if kept.piece.d != now.d
        }
        shifted = {todo[n].d.line.file for n, lines in by.items() if lines}
        if shifted and (names.loose != self.loose or self._worded(shifted)):
            return None  # something besides definitions knows its line
        new = [n for n, lines in by.items() if lines is None]
        if any(not self._by_itself(self.kept[n].piece) for n in new):
            return None
        for symbol, state in self.unfinished:
            _restore(symbol, state)
        was = {n: extent(self.kept[n].piece.d) for n, lines in by.items() if lines}
        bodies.declarer.source, bodies.declarer.problems = declarer.source, declarer.problems
        bodies.problems = declarer.problems
        for old, now in zip(self.definitions, names.definitions, strict=True):
            _take_over(old, now)
        for kept, now in zip(self.kept, todo, strict=True):
            if type(now.symbol) in LINED:
                name = LINED[type(now.symbol)]
                kept.before[name] = getattr(now.symbol, name)
        moved: set[int] = set()
        for n, lines in by.items():
            symbol = self.kept[n].piece.symbol
            _take_over(self.kept[n].piece.d, todo[n].d)
            if lines and id(symbol) not in moved:
                moved.add(id(symbol))
                move(symbol, lines, was[n])
        done: set[int] = set()
        for n in new:
            kept = self.kept[n]
            if id(kept.piece.symbol) not in done:
                _restore(kept.piece.symbol, kept.before)
                done.add(id(kept.piece.symbol))
            kept.before = _state(kept.piece.symbol)
            told = _told(kept.after), kept.windows, kept.freed
            later = self._knowing(n)
            _read(bodies, kept)
            for symbol, state in later:
                _restore(symbol, state)
            if (_told(kept.after), kept.windows, kept.freed) != told:
                return None
        self.read = _titles([self.kept[n].piece for n in new])
        return bodies

    def _worded(self, files: set[str]) -> bool:
        """Whether phrases stand in one of these files."""
        assert self.bodies is not None
        phrases = self.bodies.symbols.phrases.phrases.values()
        return any(phrase.definition.line.file in files for found in phrases for phrase in found)

    def _by_itself(self, piece: Piece) -> bool:
        match piece.symbol:
            case t.Component(kind=kind):
                return kind != "Table"
            case t.ActionSym(kind=kind, declares=declares):
                return kind != "Card" and not any(x.rest for x in declares)
            case t.Rules(bearer=bearer):
                return bearer != "status"
            case _:
                return isinstance(piece.symbol, ALONE)

    def _knowing(self, at: int) -> list[tuple[object, State]]:
        """Forget of components what was found out after this piece was read; what is to be put back."""
        was: dict[int, tuple[object, State]] = {}
        for kept in self.kept[at + 1 :]:
            symbol = kept.piece.symbol
            other = isinstance(symbol, t.Component) and symbol is not self.kept[at].piece.symbol
            if other and id(symbol) not in was:
                was[id(symbol)] = symbol, {key: getattr(symbol, key) for key in TOLD}
                _restore(symbol, {key: kept.before[key] for key in TOLD})
        return list(was.values())


TOLD = ("gives", "params", "implicit")
"""What others ask a component while they are read."""


def _told(state: State) -> object:
    """What a symbol says to others: they were read with this."""
    params = [(p.name, p.type) for p in state.get("params", ())]
    declares = [(x.name, x.type, x.rest) for x in state.get("declares", ())]
    return state.get("gives"), state.get("implicit"), params, declares, state.get("windows")


def _read(bodies: Bodies, kept: _Kept) -> None:
    opened, freed = bodies.symbols.opened, bodies.symbols.freed
    opened.clear()
    bodies.symbols.freed = set()
    kept.problems = read_piece(bodies, kept.piece)
    kept.windows, kept.after = tuple(opened), _state(kept.piece.symbol)
    kept.freed = frozenset(bodies.symbols.freed)
    bodies.symbols.freed |= freed


def _unfinished(s: Symbols) -> list[tuple[object, State]]:
    """What a framework changes once all is read: whom features hold for and what they become, prices."""
    found: list[tuple[object, State]] = []
    if s.bases:
        found.append((s, {name: copy(getattr(s, name)) for name in ("rules", "offers", "triggers")}))
        found += [(x, _state(x)) for x in (*s.rules, *s.actions.values(), *s.resources.values())]
    return found


def _state(symbol: Any) -> State:
    """What is known of a symbol: lists and tables as they are now."""
    made: State = {}
    for key in symbol.__slots__:
        value = getattr(symbol, key)
        made[key] = value.copy() if isinstance(value, list | dict) else value
    return made


def _restore(symbol: object, state: State) -> None:
    for key, value in state.items():
        setattr(symbol, key, value.copy() if isinstance(value, list | dict) else value)


def _take_over(old: Definition, new: Definition) -> None:
    """Whoever refers to the definition now finds its new text."""
    for part in fields(Definition):
        setattr(old, part.name, getattr(new, part.name))


def _titles(read: list[Piece]) -> list[str]:
    return [d.title for d in {id(piece.d): piece.d for piece in read}.values()]


class _Names(pickle.Pickler):
    """All that is declared, but for the texts that are read later and the lines on which they stand."""

    def __init__(self, to: io.BytesIO, todo: list[Piece]) -> None:
        super().__init__(to, protocol=5)
        self.texts, self.digest, self.loose = {id(piece.d) for piece in todo}, b"", b""
        self.read = {id(piece.symbol) for piece in todo}
        self.definitions: list[Definition] = []
        self.lines: list[Line] = []
        self.dispatch_table = {Definition: self._definition, Line: self._line}
        self.dispatch_table |= dict.fromkeys(LINED, self._symbol)
        self.fast = True  # by what things say, and not by which of them are the same

    @classmethod
    def of(cls, symbols: Symbols, todo: list[Piece]) -> _Names:
        """A digest of all names with what is said of them, the definitions they refer to, and a digest of
        what else knows its line."""
        made = io.BytesIO()
        names = cls(made, todo)
        names.dump(symbols)
        names.digest = hashlib.sha256(made.getbuffer()).digest()
        shared = [d.line for d in symbols.preferences.values()]  # these are read where they are named
        names.loose = hashlib.sha256(repr((names.lines, shared)).encode()).digest()
        return names

    def persistent_id(self, obj: object) -> str | None:
        """A text stands for itself by its title."""
        if isinstance(obj, Definition) and id(obj) in self.texts:
            self.definitions.append(obj)
            return obj.title
        return None

    def _definition(self, d: Definition) -> tuple[Any, ...]:
        self.definitions.append(d)
        return Definition, _said(d)

    def _symbol(self, symbol: t.Component | t.Rules) -> tuple[Any, ...]:
        lined = LINED[type(symbol)] if id(symbol) in self.read else ""
        said: tuple[Any, ...] = tuple(getattr(symbol, x) for x in symbol.__slots__ if x != lined)
        return type(symbol), said

    def _line(self, line: Line) -> tuple[Any, ...]:
        self.lines.append(line)
        return Line, (line.file, 0, line.column, line.text)


def _said(d: Definition) -> tuple[Any, ...]:
    """What a definition says that is not read later, wherever it stands."""
    rest = [(f.key, [(x.column, x.text) for x in f.lines]) for f in (*d.fields, *d.steps)]
    rows = [[(head, cell.column, cell.text) for head, cell in row.cells] for row in d.rows]
    cites = [cited for n, cited in d.lines.items() if d.line.number <= n] if not d.is_table else []
    return d.title, d.kind, (d.line.file, d.line.text), d.extra, d.cites, rest, d.columns, rows, cites, d.part
