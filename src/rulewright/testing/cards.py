"""Put cards where an example says they are.

In:  an engine at a stop, a zone, faces.
Out: changed slots: piles, and of each card its face, zone, owner and who knows it.

A named card is taken from its owner's other zones if it is there; a card that had to make room takes
its place, so that decks keep their size. Otherwise it comes from the box. Cards that neighbouring `given`
lines put somewhere stay there; once the rules have run again, every card may be taken.
"""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.ir.sheet import ALL, OWNER, Zone
from rulewright.play.engine import Engine
from rulewright.play.knowledge import find_field, zone_bases
from rulewright.testing.names import NameProblem


class Cards:
    """The cards of one match."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.program = engine.program
        self.placed: set[int] = set()
        """Cards that the example has put somewhere: they stay there."""

    def slot(self, name: str, card: int) -> int:
        """The slot of a card's field."""
        field = find_field(self.program, "Card", name)
        if field is None:
            raise NameProblem("this book has no cards")
        return field.base + card

    def pile(self, zone: Zone, owner: int) -> list[int]:
        """The cards of a zone, the top one last."""
        base = self.base(zone, owner)
        return [self.engine.peek(base + 1 + i) for i in range(self.engine.peek(base))]

    def face(self, card: int) -> int:
        """What is printed on a card."""
        return self.engine.peek(self.slot("face", card))

    def base(self, zone: Zone, owner: int) -> int:
        """The slot of the pile's count."""
        return zone.base + owner * zone.stride if zone.of is not None else zone.base

    def number(self, zone: Zone, owner: int) -> int:
        """The zone's number among the piles of all owners."""
        first = 0
        for other in self.program.sheet.zones:
            if other is zone:
                return first + max(owner, 0)
            first += len(zone_bases(self.program, other))
        raise AssertionError(zone)

    def write(self, zone: Zone, owner: int, cards: Sequence[int]) -> None:
        """Make a pile be exactly these cards."""
        if len(cards) > zone.capacity:
            raise NameProblem(f"{zone.name} holds at most {zone.capacity} cards, not {len(cards)}")
        base, before = self.base(zone, owner), len(self.pile(zone, owner))
        self.engine.poke(base, len(cards))
        for i in range(max(before, len(cards))):
            self.engine.poke(base + 1 + i, cards[i] if i < len(cards) else 0)
        controllers = find_field(self.program, "Actor", "controller")
        for card in cards:
            self.engine.poke(self.slot("zone", card), self.number(zone, owner) + 1)
            if zone.seen == ALL:
                self.engine.poke(self.slot("known", card), 255)
            elif zone.seen == OWNER and owner >= 0 and controllers is not None:
                seat = self.engine.peek(controllers.base + owner)
                known = self.engine.peek(self.slot("known", card))
                self.engine.poke(self.slot("known", card), known | (1 << seat if 0 <= seat < 8 else 0))

    def give(self, zone: Zone, owner: int, how: str, faces: Sequence[int]) -> None:
        """`how`: is (exactly these, the first on top), top or bottom (added there)."""
        now = self.pile(zone, owner)
        spare = [card for card in now if card not in self.placed] if how == "is" else []
        kept = [] if how == "is" else now
        chosen: list[int] = []
        for face in faces:
            there = spare if how == "is" else kept
            card = next((c for c in reversed(there) if self.face(c) == face and c not in self.placed), None)
            if card is not None:
                there.remove(card)
            else:
                card = self.take(zone, owner, face, spare)
            self.placed.add(card)
            chosen.append(card)
        for card in spare:
            self.box(card)
        upward = chosen[::-1]
        self.write(zone, owner, [*upward, *kept] if how == "bottom" else [*kept, *upward])

    def take(self, zone: Zone, owner: int, face: int, spare: list[int]) -> int:
        """A card with this face from the owner's other zones, or else from the box."""
        for other in self.program.sheet.zones:
            if (other is zone and owner >= 0) or (other.of is None) != (zone.of is None):
                continue
            pile = self.pile(other, owner)
            for i in reversed(range(len(pile))):
                if pile[i] not in self.placed and self.face(pile[i]) == face and other is not zone:
                    card = pile[i]
                    pile[i : i + 1] = [spare.pop()] if spare else []
                    self.write(other, owner, pile)
                    return card
        count = len(self.program.sheet.things.get("Card", ()))
        for card in range(count):
            if self.face(card) < 0:
                self.engine.poke(self.slot("face", card), face)
                self.engine.poke(self.slot("owner", card), owner)
                return card
        raise NameProblem(
            f"the box is empty: all {count} cards are in use (see `cards:` in the front matter)"
        )

    def box(self, card: int) -> None:
        """Put a card back into the box."""
        for name, value in (("face", -1), ("zone", 0), ("known", 0), ("owner", -1)):
            self.engine.poke(self.slot(name, card), value)
