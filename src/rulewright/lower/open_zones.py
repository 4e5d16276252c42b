"""Zones that are open while something holds: looked at before anybody decides, and at every step.

In:  zones with a check (`seen by: all while ..`).
Out: the function `look_around`, and calls of it.

An open pile is seen as it lies. Each card in it is shown to all, and stays known when the pile closes again:
as a card, for where it lies in a pile that nobody sees any more, nobody is told.
"""

from __future__ import annotations

from rulewright.book import tree as t
from rulewright.book.symbols import ZoneSym
from rulewright.ir import nodes as n
from rulewright.ir.events import EVERYBODY
from rulewright.lower.builder import Builder, cell_of
from rulewright.lower.dispatch import check
from rulewright.lower.writer import Writer, const, differ, local, mul, state

LOOK = "look_around"


def look(b: Builder, w: Writer) -> None:
    """Open and close what is to be open now."""
    if any(zone.opens is not None for zone in b.symbols.zones.values()):
        w.call(LOOK)


def look_function(b: Builder) -> None:
    """The function, where a book has such zones."""
    w = b.writer(LOOK)
    for key, zone in b.symbols.zones.items():
        if zone.opens is not None:
            w.site = b.site(zone.definition.line.number, zone.definition)
            _zone(b, w, key, zone, zone.opens)
    if w.blocks[0]:
        b.add(w.function())


def _zone(b: Builder, w: Writer, key: str, zone: ZoneSym, opens: t.Cond_) -> None:
    sheet = b.layout.zones[list(b.symbols.zones).index(key)]
    owner = w.temp(0, "owner")
    with w.counting(owner, const(b.layout.actors if zone.of else 1)):
        w.assign("self", local(owner) if zone.of else const(-1))
        now = w.temp(n.Pick(check(b, w, opens), const(1), const(0)), "open")
        w.store(sheet.open + local(owner), local(now))
        with w.if_(local(now)):
            _show(b, w, sheet.base + mul(local(owner), sheet.stride))


def _show(b: Builder, w: Writer, pile: n.Expr) -> None:
    face, cards = b.layout.base["!face"], b.layout.cards
    at, i = w.temp(pile, "pile"), w.temp(0, "i")
    with w.while_(local(i) < state(local(at))):
        w.assign(i, local(i) + 1)
        card = w.temp(state(local(at) + local(i)), "card")
        known = cell_of(b, "!known", local(card))
        with w.if_(differ(known, EVERYBODY)):
            w.call("card_reveal", local(card), -1, face, cards, w.site)
