"""Every name of a book in one place: which names may stand at a place, of whichever kind, the longest first.

In:  Symbols, once everything is declared.
Out: Index: for a run of words the kinds of things it names; the titles that a message may suggest.

Names are compared without spaces, so a name is found by the letters it begins with: as long as some name
goes on that way, one more word is looked at. A text is closed or open: what a base book keeps to itself
is no name in the texts of the books that use it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from rulewright.book import tree as t
from rulewright.book.symbols import ListSym, Symbols, norm, one_of

RESOURCE, COMPONENT, SEQUENCE, ACTION, FEATURE = "resource", "component", "sequence", "action", "feature"
STATUS, ZONE, ORDER, PREFERENCE, OPTION = "status", "zone", "order", "preference", "option"
WALK, MAP, DECK, PLAN, ENDING, ACTOR, SPACE = "walk", "map", "deck", "plan", "ending", "actor", "space"
DIE, TERRAIN, AREA, TEMPLATE = "die", "terrain", "area", "template"
HOLDER, HOLDER_SMALL = "resource that holds a thing", "resource that holds a thing, in small letters"
TEMPLATE_NOUN, LIST_NOUN = "sort of actor", "sort of thing"
WORD_OF, COLUMN_OF, HELD_OF, HELD_OF_SMALL = "word", "column", "column of things", "column of things, small"


@dataclass(frozen=True, slots=True)
class Entry:
    """A name: what kind of thing it names, and the key of that thing in its table."""

    kind: str
    key: str
    symbol: Any = None
    table: ListSym | None = None
    """The list that a word or column belongs to."""

    @property
    def owner(self) -> str:
        """The kind of thing whose words or columns are in that list."""
        return self.table.name if self.table is not None else ""


Names = dict[str, list[Entry]]


class Index:
    """The names of a book, as an open text knows them and as a closed one does."""

    def __init__(self, symbols: Symbols) -> None:
        self.symbols = symbols
        shared: Names = {}
        _things(symbols, shared)
        _lists(symbols, shared)
        self.met: dict[t.Component, None] = {}
        """The components whose names stood where a text was read lately, whether they were meant or not."""
        self.open = _View(symbols, shared, False)
        self.closed = _View(symbols, shared, True) if symbols.closes else self.open

    def view(self, closed: bool) -> _View:
        """What closed text knows, or open text."""
        return self.closed if closed else self.open


class _View:
    """Names of both sorts of text together, and the beginnings of all of them."""

    def __init__(self, symbols: Symbols, shared: Names, closed: bool) -> None:
        own: Names = {}
        resources = symbols.resources_for(closed)
        holding = {k: r for k, r in resources.items() if r.holds is not None}
        _file(own, RESOURCE, resources)
        _file(own, HOLDER, holding)
        for form, key in {key.lower(): key for key in holding}.items():
            own.setdefault(form, []).append(Entry(HOLDER_SMALL, key, holding[key]))
        components = symbols.components_for(closed)
        _file(own, COMPONENT, components)
        sequences: dict[str, str] = {}
        for key, component in components.items():
            if component.kind == "Sequence":
                sequences |= dict.fromkeys(_forms(key), key)
        for form, key in sequences.items():
            own.setdefault(form, []).append(Entry(SEQUENCE, key, components[key]))
        self.names: Names = dict(shared)
        for form, found in own.items():
            self.names[form] = [*found, *shared.get(form, ())]
        self.starts = {name[:n] for name in self.names for n in range(1, len(name) + 1)}
        self.titles: dict[str, Callable[[], Iterable[str]]] = {
            **_titles(symbols),
            RESOURCE: lambda: [r.name for r in resources.values()],
            COMPONENT: lambda: [c.name for c in components.values()],
            SEQUENCE: lambda: [c.name for c in components.values() if c.kind == "Sequence"],
        }
        """The names of a kind as they are written: what a message can suggest."""


def index_of(symbols: Symbols) -> Index:
    """The index of a book, made when the first name is asked for."""
    if not isinstance(symbols.index, Index):
        symbols.index = Index(symbols)
    return symbols.index


def _file(names: Names, kind: str, table: Mapping[str, object]) -> None:
    for key, symbol in table.items():
        names.setdefault(key, []).append(Entry(kind, key, symbol))


def _forms(key: str) -> tuple[str, str, str, str]:
    """A name, its plural, and both in small letters."""
    return key, key + "s", key.lower(), key.lower() + "s"


def _things(s: Symbols, names: Names) -> None:
    """What every text may name: one table for each kind."""
    for kind, (table, _) in _tables(s).items():
        _file(names, kind, table)
    for ending in s.endings:
        names.setdefault(norm(ending), []).append(Entry(ENDING, norm(ending), ending))
    for map_ in s.maps.values():
        for zone in map_.zones:
            names.setdefault(norm(zone), []).append(Entry(AREA, zone, map_))
    nouns: dict[str, str] = {}
    for key in s.templates:
        nouns |= dict.fromkeys(_forms(key), key)
    for form, key in nouns.items():
        names.setdefault(form, []).append(Entry(TEMPLATE_NOUN, key))
    singular = {form: template for template in s.templates for form in (template, template.lower())}
    for form, key in singular.items():
        names.setdefault(form, []).append(Entry(TEMPLATE, key))


def _lists(s: Symbols, names: Names) -> None:
    """Lists as nouns, their words and columns; dice."""
    nouns: dict[str, str] = {}
    for table in (*s.lists.values(), s.sides, s.terrains):
        for form in _forms(table.name):
            nouns.setdefault(norm(form), table.name)
    for table in s.lists.values():
        one = norm(one_of(table.name))
        for form in (one, one.lower()):
            nouns.setdefault(form, table.name)
    for form, name in nouns.items():
        names.setdefault(form, []).append(Entry(LIST_NOUN, name))
    dice: dict[str, str] = {}
    for key, die in s.dice.items():
        dice[key] = key
        if die.name.endswith("Die"):
            dice[norm(die.name[:-3] + "Dice")] = key
        dice[key + "s"] = key
    for form, key in dice.items():
        names.setdefault(form, []).append(Entry(DIE, key))
    for table in (*s.lists.values(), *s.tables.values(), *s.dice.values()):
        for key, number in table.numbers.items():
            names.setdefault(key, []).append(Entry(WORD_OF, key, number, table))
        for key, column in table.columns.items():
            names.setdefault(key, []).append(Entry(COLUMN_OF, key, column, table))
            if column.type not in ("number", "text"):
                held = norm(column.name)
                names.setdefault(held, []).append(Entry(HELD_OF, held, column, table))
                names.setdefault(held.lower(), []).append(Entry(HELD_OF_SMALL, held, column, table))


def _tables(s: Symbols) -> dict[str, tuple[Mapping[str, object], str]]:
    """One table for each kind of things that every text may name, and what holds their names as written."""
    return {
        ACTION: (s.actions, "name"), FEATURE: (s.features, "name"), STATUS: (s.statuses, "name"),
        ZONE: (s.zones, "name"), ORDER: (s.orders, "title"), PREFERENCE: (s.preferences, "title"),
        OPTION: (s.options, "name"), WALK: (s.walks, "name"), MAP: (s.maps, "name"), DECK: (s.decks, ""),
        PLAN: (s.plans, ""), ACTOR: (s.actor_names, ""), SPACE: (s.space_names, ""),
        TERRAIN: (s.terrains.numbers, ""),
    }  # fmt: skip


def _titles(s: Symbols) -> dict[str, Callable[[], Iterable[str]]]:
    def titles(table: Mapping[str, object], name: str) -> Iterable[str]:
        return [getattr(symbol, name) for symbol in table.values()] if name else table

    return {
        **{kind: partial(titles, *said) for kind, said in _tables(s).items()},
        ENDING: lambda: s.endings,
        DIE: lambda: [d.name for d in s.dice.values()],
        TERRAIN: lambda: s.terrains.words,
    }
