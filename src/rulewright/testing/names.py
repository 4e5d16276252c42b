"""Names in examples -> numbers of the Program.

In:  a Program's sheet, words as an author writes them.
Out: ids of actors, spaces, cards; fields, zones, statuses, orders. NameProblem says what is not there,
     and what may have been meant.

Names are equal without spaces and case. Where a name is followed by more words, the longest one wins.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from rulewright.diagnostics import nearest
from rulewright.ir.program import Program
from rulewright.ir.sheet import Field, OrderSheet, StatusSheet, Zone
from rulewright.play.knowledge import zone_bases
from rulewright.play.words import name_of

T = TypeVar("T")


class NameProblem(Exception):
    """Something that an example names is not in the book. The message is one sentence."""

    def __init__(self, message: str, about: str = "") -> None:
        """`about`: the words of the example that the message is about."""
        self.about = about
        super().__init__(message)


def norm(name: str) -> str:
    """A name without spaces and case."""
    return "".join(name.split()).casefold().replace("’", "'")


def pieces(text: str, mark: str) -> list[str]:
    """Split at a mark, but not inside brackets: `(3,4)` may be a space."""
    found, depth, start = list[str](), 0, 0
    for i, char in enumerate(text):
        depth += (char in "([") - (char in ")]")
        if char == mark and depth <= 0:
            found.append(text[start:i])
            start = i + 1
    return [piece.strip() for piece in (*found, text[start:]) if piece.strip()]


class Names:
    """Looks names up in one Program."""

    def __init__(self, program: Program, slots: Callable[[], Sequence[int]] = tuple) -> None:
        """`slots` gives the state now: where spaces were laid, which cards there are."""
        self.program = program
        self.sheet = program.sheet
        self.slots = slots

    # ------------------------------------------------------------ things
    def words(self, kind: str) -> tuple[str, ...]:
        """The names of a kind of thing."""
        if kind == "Card":
            return self.sheet.things.get("Face", ())
        return self.sheet.things.get(kind, ())

    def find(self, kind: str, name: str) -> int | None:
        """The id of a thing, or None."""
        wanted = norm(name)
        if kind == "Space" and self.field("Space", "x") is not None:
            slots = self.slots()
            laid = (name_of(self.program, "Space", i, slots) for i in range(len(self.words(kind))))
            return next((i for i, word in enumerate(laid) if norm(word) == wanted), None)
        found = [i for i, word in enumerate(self.words(kind)) if norm(word) == wanted]
        if kind == "Space" and len(found) > 1 and "map" in self.sheet.result:
            now = self.sheet.maps[self.slots()[self.sheet.result["map"]]]
            found.sort(key=lambda i: not now.first <= i < now.first + now.count)
        return found[0] if found else None

    def card(self, text: str) -> int:
        """A card by its face, perhaps `in ZONE`, perhaps `of ACTOR`; the one nearest to the top."""
        shape = re.fullmatch(r"(?P<face>.+?)(?: in (?P<zone>.+?))?(?: of (?P<owner>.+))?", text)
        assert shape is not None
        face = self.thing("Card", text if self.find("Card", text) is not None else shape["face"])
        exact = self.find("Card", text) is not None
        slots, faces = self.slots(), self.field("Card", "face")
        for zone in self.sheet.zones:
            if not exact and shape["zone"] and norm(shape["zone"]) != norm(zone.name):
                continue
            for owner, base in zone_bases(self.program, zone):
                if not exact and shape["owner"] and owner != self.thing("Actor", shape["owner"]):
                    continue
                for card in reversed(slots[base + 1 : base + 1 + slots[base]]):
                    if faces is not None and slots[faces.base + card] == face:
                        return card
        raise NameProblem(f"there is no card {text}", text)

    def thing(self, kind: str, name: str) -> int:
        """The id of a thing; `none` is -1."""
        if norm(name) in ("none", "nothing", "nobody", "nowhere"):
            return -1
        if kind == "Seat":
            digits = "".join(filter(str.isdigit, name))
            if not digits:
                raise NameProblem(f"'{name}' is no seat; write a number from 1, or none", name)
            return int(digits) - 1
        found = self.find(kind, name)
        if found is None:
            raise self.unknown(kind.lower(), name, self.words(kind))
        return found

    def unknown(self, what: str, name: str, names: Iterable[str]) -> NameProblem:
        """Nothing has this name."""
        close = nearest(name, names)
        guess = f"; did you mean '{close}'?" if close else ""
        return NameProblem(f"no {what} is called '{name}'{guess}", name)

    # ------------------------------------------------------------ names with more words behind them
    def leading(self, text: str, named: Sequence[tuple[str, T]]) -> tuple[T, str] | None:
        """The longest name that the text begins with, and the rest of the text."""
        best: tuple[int, T, str] | None = None
        for name, value in named:
            rest = after(text, name)
            if rest is not None and (best is None or len(norm(name)) > best[0]):
                best = (len(norm(name)), value, rest)
        return (best[1], best[2]) if best else None

    def statuses(self) -> list[tuple[str, StatusSheet]]:
        """Every status by name."""
        return [(status.name, status) for status in self.sheet.statuses]

    def zones(self, kind: str | None) -> list[tuple[str, Zone]]:
        """The zones that things of a kind have; None: the match's."""
        return [(zone.name, zone) for zone in self.sheet.zones if zone.of == kind]

    def fields(self, kind: str | None) -> list[tuple[str, Field]]:
        """The fields of a kind of thing; None: the match's. Those with two owners go by the first."""
        return [(f.name, f) for f in self.sheet.fields if (f.of[0] if f.of else None) == kind]

    def orders(self) -> list[tuple[str, OrderSheet]]:
        """Every order by name."""
        return [(order.name, order) for order in self.sheet.orders]

    def field(self, kind: str, name: str) -> Field | None:
        """A field that the language itself gives things: place, facing, in play, controller, face."""
        return next((f for f in self.sheet.fields if f.of == (kind,) and f.name == name), None)


def after(text: str, name: str) -> str | None:
    """What follows the name at the start of the text, or None when it does not stand there as a word."""
    wanted = norm(name)
    if not wanted:
        return None
    seen = 0
    for i, char in enumerate(text):
        if char.isspace():
            continue
        small = char.casefold().replace("’", "'")
        if not wanted.startswith(small, seen):
            return None
        seen += len(small)
        if seen == len(wanted):
            rest = text[i + 1 :]
            return rest.strip() if not rest[:1].isalnum() else None
    return None
