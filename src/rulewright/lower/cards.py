"""Deeds with cards -> kernel calls: moving, creating, shuffling, building decks, revealing.

In:  t.Simple about cards and zones.
Out: calls of the kernels for cards, and new_card, which takes a card that is out of the match.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulewright.book import tree as t
from rulewright.book.symbols import norm
from rulewright.ir import nodes as n
from rulewright.lower.choices import Choices
from rulewright.lower.writer import Writer, add, const, equal, local


class Cards(Choices):
    """Lowers deeds with cards."""

    def many(self, w: Writer, what: Any, run: Callable[[n.Expr], None]) -> None:
        """Do it for one thing, or for every one of a selector."""
        if isinstance(what, t.Selector):
            self.each(w, what, lambda: run(local(self.var(what.it))))
        else:
            run(local(w.temp(self.thing(w, what), "x")))

    def card_tables(self) -> tuple[int, ...]:
        """Arguments that the card kernels share: zone table, zones, faces, cards."""
        count = len(self.l.consts[self.l.tables["zone base"] : self.l.tables["zone cap"]])
        return (self.l.tables["zone base"], count, self.l.base["!face"], self.l.cards)

    def _card_to(self, w: Writer, s: t.Simple, bottom: int) -> None:
        zones, count, face, cards = self.card_tables()

        def run(card: n.Expr) -> None:
            zone = self.zone_number(w, s.args[1], s.args[2])
            w.call(
                "card_move", card, zone, bottom, zones, count, face, cards, self.l.base["!controller"], w.site
            )

        self.many(w, s.args[0], run)

    def _x_card(self, w: Writer, s: t.Simple) -> None:
        self._card_to(w, s, 0)

    def _x_bottom(self, w: Writer, s: t.Simple) -> None:
        self._card_to(w, s, 1)

    def _x_create(self, w: Writer, s: t.Simple) -> None:
        zones, count, face, cards = self.card_tables()
        owner = self.thing(w, s.args[2]) if s.args[2] is not None else const(-1)
        card = w.temp(
            n.Call("card_create", (self.thing(w, s.args[0]), owner, const(face), const(cards))), "card"
        )
        w.call("new_card", local(card))
        zone = self.zone_number(w, s.args[1], s.args[2])
        w.call(
            "card_move", local(card), zone, 0, zones, count, face, cards, self.l.base["!controller"], w.site
        )

    def new_card_function(self) -> None:
        """new_card(card): its numbers start again, whatever the card was before it went back into the box."""
        w = Writer("new_card", ("self",))
        own = {key: r for key, r in self.s.resources.items() if r.of == (t.CARD,)}
        with w.if_(n.Binary("<", local("self"), const(0))):
            w.emit(n.Return(const(0)))
        for key, r in own.items():
            start: n.Expr = const(-1 if r.holds else 0)
            if r.starts is not None:
                start = self.thing(w, r.starts) if r.holds else self.number(w, r.starts)
            w.store(add(const(self.l.base[key]), local("self")), start)
        self.c.add(w.function())

    def _x_destroy(self, w: Writer, s: t.Simple) -> None:
        zones, _, face, cards = self.card_tables()
        self.many(w, s.args[0], lambda card: w.call("card_destroy", card, zones, face, cards, w.site))

    def _x_shuffle(self, w: Writer, s: t.Simple) -> None:
        zones, count, face, cards = self.card_tables()
        zone = w.temp(self.zone_number(w, s.args[0], s.args[1]), "zone")
        w.call("zone_mix", local(zone), zones, count, face, cards, w.site)
        if "shuffles" in self.l.result:
            w.call("zone_rig", local(zone), self.l.result["shuffles"], zones, face)

    def _x_build(self, w: Writer, s: t.Simple) -> None:
        """Create every card of a deck. Copies are tunable numbers."""
        zones, count, face, cards = self.card_tables()
        deck = s.args[2]
        owner = self.thing(w, s.args[1]) if s.args[1] is not None else const(-1)
        who = w.temp(owner, "owner")
        zone = w.temp(self.zone_number(w, s.args[0], s.args[1]), "zone")
        if isinstance(deck, str):
            self._deck(w, self.s.decks[deck], who, zone, (zones, count, face, cards))
            return
        word = w.temp(self.thing(w, deck), "deck")
        table = self.s.list_of(deck.type)
        for i, name in enumerate(table.words if table else ()):
            for form in (norm(name), norm(name + " Deck")):
                if form in self.s.decks:
                    with w.if_(equal(local(word), i)):
                        self._deck(w, self.s.decks[form], who, zone, (zones, count, face, cards))
                    break

    def _deck(
        self, w: Writer, deck: list[tuple[int, int]], who: str, zone: str, tables: tuple[int, ...]
    ) -> None:
        zones, count, face, cards = tables
        for printed, copies in deck:
            left = w.temp(
                n.Load("P", const(self.l.number(copies, f"copies of {self.s.faces.words[printed]}"))),
                "copies",
            )
            with w.while_(n.Binary(">", local(left), const(0))):
                card = w.temp(
                    n.Call("card_create", (const(printed), local(who), const(face), const(cards))), "card"
                )
                w.call("new_card", local(card))
                w.call(
                    "card_move",
                    local(card),
                    local(zone),
                    0,
                    zones,
                    count,
                    face,
                    cards,
                    self.l.base["!controller"],
                    w.site,
                )
                w.assign(left, n.Binary("-", local(left), const(1)))

    def _x_reveal(self, w: Writer, s: t.Simple) -> None:
        _, _, face, cards = self.card_tables()
        seat = const(-1) if s.args[1] is None else self.decider(w, s.args[1]).seat
        self.many(w, s.args[0], lambda card: w.call("card_reveal", card, seat, face, cards, w.site))

    def each(self, w: Writer, s: t.Selector, body: Callable[[], None]) -> None:
        """Made on top of this."""
        raise NotImplementedError
