"""What is in the box: how many things of each kind a match has, and room for its cards in its zones.

In:  Symbols, and the Forest of their bodies.
Out: the names of all things by kind; of cards, what the front matter says under `cards:` and a zone under
     `holds:`, or else what the book's decks need.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rulewright.book import tree as t
from rulewright.book.forest import Forest
from rulewright.book.symbols import Symbols, ZoneSym, norm
from rulewright.book.text.keywords import MOST
from rulewright.book.text.source import Definition

SPARE = 60
"""Cards for each `create` of a book that does not say how many there are."""


@dataclass(frozen=True, slots=True)
class Built:
    """A deck that is built into a zone: how many cards it takes once, and how many may build it."""

    zone: str
    deck: str
    size: int
    takers: int


def things_of(symbols: Symbols, forest: Forest) -> dict[str, tuple[str, ...]]:
    """The names of all things of every kind, in the order of their numbers."""
    made = {
        t.ACTOR: tuple(actor.name for actor in symbols.actors),
        t.CARD: tuple(f"card {i + 1}" for i in range(cards_of(symbols, forest))),
        t.SPACE: tuple(space.name for space in symbols.spaces),
    }
    for table in (*symbols.tables.values(), *symbols.lists.values(), *symbols.dice.values()):
        made[table.name] = tuple(table.words)
    return made


def cards_of(symbols: Symbols, forest: Forest) -> int:
    """The cards in the box."""
    said = symbols.front.get("cards")
    if isinstance(said, int):
        return said
    if not symbols.zones:
        return 0
    many = len(symbols.actors)
    built = sum(deck.size * (many if deck.takers > 1 else 1) for deck in built_decks(symbols, forest))
    return min(MOST, built + SPARE * sum(1 for _ in created(forest)))


def room_of(zone: ZoneSym, decks: Sequence[Built]) -> int:
    """The most cards a zone can hold: what it says, or what all decks of its owner have, 60 at least."""
    if zone.definition.get("holds") is not None:
        return zone.capacity
    once = zone.of is not None
    return max(zone.capacity, sum(d.size * (1 if once else d.takers) for d in decks))


def built_decks(symbols: Symbols, forest: Forest) -> list[Built]:
    """Every deck that something builds, once for each zone. A zone of an actor is every seat's."""
    _, seats = symbols.seats
    found: dict[tuple[str, str], Built] = {}
    for node in (node for tree in forest.bodies for node in tree.of(t.BuildDeck)):
        several = symbols.zones[node.zone].of is not None and not isinstance(node.owner, t.TConst)
        name, size = _deck(symbols, node.deck)
        found[node.zone, name] = Built(node.zone, name, size, seats if several else 1)
    return list(found.values())


def created(forest: Forest) -> Iterator[tuple[Definition, t.CreateCard]]:
    """Every `create`."""
    for tree in forest.bodies:
        yield from ((tree.definition, node) for node in tree.of(t.CreateCard))


def _deck(symbols: Symbols, deck: str | t.Thing_) -> tuple[str, int]:
    """Its name and how many cards it has; of one that a word names, the largest."""
    if isinstance(deck, str):
        return deck, sum(copies for _, copies in symbols.decks[deck])
    table = symbols.list_of(deck.type)
    forms = [form for word in (table.words if table else ()) for form in (norm(word), norm(word + " Deck"))]
    sizes = [sum(c for _, c in symbols.decks[form]) for form in forms if form in symbols.decks]
    return deck.type, max(sizes, default=0)
