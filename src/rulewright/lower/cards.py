"""Deeds with cards -> kernel calls: moving, creating, shuffling, building decks, revealing.

In:  statements about cards and zones.
Out: calls of the kernels for cards, and new_card, which takes a card that is out of the match.
"""

from __future__ import annotations

from rulewright.book import tree as t
from rulewright.book.symbols import norm
from rulewright.ir import nodes as n
from rulewright.lower.builder import Builder
from rulewright.lower.choices import decider_of
from rulewright.lower.dispatch import STATEMENTS, lowers, thing
from rulewright.lower.loops import many
from rulewright.lower.terms import start_again, zone_number
from rulewright.lower.writer import Writer, absent, call, const, equal, local


def card_tables(b: Builder) -> tuple[int, ...]:
    """Arguments that the card kernels share: zone table, zones, faces, cards."""
    count = len(b.layout.consts[b.layout.tables["zone base"] : b.layout.tables["zone cap"]])
    return (b.layout.tables["zone base"], count, b.layout.base["!face"], b.layout.cards)


@lowers(STATEMENTS, t.MoveCard)
def move_card(b: Builder, w: Writer, s: t.MoveCard) -> None:
    zones, count, face, cards = card_tables(b)
    bottom, controller = int(s.bottom), b.layout.base["!controller"]

    def run(card: n.Expr) -> None:
        zone = zone_number(b, w, s.zone, s.owner)
        w.call("card_move", card, zone, bottom, zones, count, face, cards, controller, w.site)

    many(b, w, s.card, run)


@lowers(STATEMENTS, t.CreateCard)
def create_card(b: Builder, w: Writer, s: t.CreateCard) -> None:
    zones, count, face, cards = card_tables(b)
    owner = thing(b, w, s.owner) if s.owner is not None else const(-1)
    card = w.temp(call("card_create", thing(b, w, s.face), owner, face, cards), "card")
    w.call("new_card", local(card))
    zone = zone_number(b, w, s.zone, s.owner)
    w.call("card_move", local(card), zone, 0, zones, count, face, cards, b.layout.base["!controller"], w.site)


def new_card_function(b: Builder) -> None:
    """new_card(card): its numbers start again, whatever the card was before it went back into the box."""
    with b.function("new_card", ("self",)) as w:
        w.give_if(absent(local("self")))
        start_again(b, w, t.CARD)


@lowers(STATEMENTS, t.DestroyCard)
def destroy_card(b: Builder, w: Writer, s: t.DestroyCard) -> None:
    zones, _, face, cards = card_tables(b)
    many(b, w, s.card, lambda card: w.call("card_destroy", card, zones, face, cards, w.site))


@lowers(STATEMENTS, t.ShuffleZone)
def shuffle_zone(b: Builder, w: Writer, s: t.ShuffleZone) -> None:
    zones, count, face, cards = card_tables(b)
    zone = w.temp(zone_number(b, w, s.zone, s.owner), "zone")
    w.call("zone_mix", local(zone), zones, count, face, cards, w.site)
    if "shuffles" in b.layout.result:
        w.call("zone_rig", local(zone), b.layout.result["shuffles"], zones, face)


@lowers(STATEMENTS, t.BuildDeck)
def build_deck(b: Builder, w: Writer, s: t.BuildDeck) -> None:
    """Create every card of a deck. Copies are tunable numbers."""
    zones, count, face, cards = card_tables(b)
    deck = s.deck
    owner = thing(b, w, s.owner) if s.owner is not None else const(-1)
    who = w.temp(owner, "owner")
    zone = w.temp(zone_number(b, w, s.zone, s.owner), "zone")
    if isinstance(deck, str):
        _deck(b, w, b.symbols.decks[deck], who, zone, (zones, count, face, cards))
        return
    word = w.temp(thing(b, w, deck), "deck")
    table = b.symbols.list_of(deck.type)
    for i, name in enumerate(table.words if table else ()):
        for form in (norm(name), norm(name + " Deck")):
            if form in b.symbols.decks:
                with w.if_(equal(local(word), i)):
                    _deck(b, w, b.symbols.decks[form], who, zone, (zones, count, face, cards))
                break


def _deck(
    b: Builder, w: Writer, deck: list[tuple[int, int]], who: str, zone: str, tables: tuple[int, ...]
) -> None:
    zones, count, face, cards = tables
    for printed, copies in deck:
        left = w.temp(
            n.Load("P", const(b.layout.number(copies, f"copies of {b.symbols.faces.words[printed]}"))),
            "copies",
        )
        with w.while_(local(left) > 0):
            card = w.temp(call("card_create", printed, local(who), face, cards), "card")
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
                b.layout.base["!controller"],
                w.site,
            )
            w.assign(left, local(left) - 1)


@lowers(STATEMENTS, t.RevealCard)
def reveal_card(b: Builder, w: Writer, s: t.RevealCard) -> None:
    _, _, face, cards = card_tables(b)
    seat = const(-1) if s.to is None else decider_of(b, w, s.to).seat
    many(b, w, s.card, lambda card: w.call("card_reveal", card, seat, face, cards, w.site))
