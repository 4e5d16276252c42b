"""Statements about cards -> kernel calls: moving, creating, shuffling, building decks, revealing.

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
from rulewright.lower.writer import Writer, absent, call, const, equal, local, param


def card_tables(b: Builder) -> tuple[int, int, int, int]:
    """Arguments that the card kernels share: zone table, zones, faces, cards."""
    count = len(b.layout.consts[b.layout.tables["zone base"] : b.layout.tables["zone cap"]])
    return (b.layout.tables["zone base"], count, b.layout.base["!face"], b.layout.cards)


def _move(b: Builder, w: Writer, card: n.Expr, zone: n.Expr, bottom: int = 0) -> None:
    w.call("card_move", card, zone, bottom, *card_tables(b), b.layout.base["!controller"], w.site)


def _create(b: Builder, w: Writer, face: n.Expr | int, owner: n.Expr) -> n.Expr:
    """A new card in a local."""
    card = local(w.temp(call("card_create", face, owner, *card_tables(b)[2:]), "card"))
    w.call("new_card", card)
    return card


@lowers(STATEMENTS, t.MoveCard)
def move_card(b: Builder, w: Writer, s: t.MoveCard) -> None:
    many(b, w, s.card, lambda card: _move(b, w, card, zone_number(b, w, s.zone, s.owner), int(s.bottom)))


@lowers(STATEMENTS, t.CreateCard)
def create_card(b: Builder, w: Writer, s: t.CreateCard) -> None:
    owner = thing(b, w, s.owner) if s.owner is not None else const(-1)
    card = _create(b, w, thing(b, w, s.face), owner)
    _move(b, w, card, zone_number(b, w, s.zone, s.owner))


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
    deck = s.deck
    owner = thing(b, w, s.owner) if s.owner is not None else const(-1)
    who = w.temp(owner, "owner")
    zone = w.temp(zone_number(b, w, s.zone, s.owner), "zone")
    if isinstance(deck, str):
        _deck(b, w, b.symbols.decks[deck], who, zone)
        return
    word = w.temp(thing(b, w, deck), "deck")
    table = b.symbols.list_of(deck.type)
    for i, name in enumerate(table.words if table else ()):
        for form in (norm(name), norm(name + " Deck")):
            if form in b.symbols.decks:
                with w.if_(equal(local(word), i)):
                    _deck(b, w, b.symbols.decks[form], who, zone)
                break


def _deck(b: Builder, w: Writer, deck: list[tuple[int, int]], who: str, zone: str) -> None:
    for printed, copies in deck:
        count = b.layout.number(copies, f"copies of {b.symbols.faces.words[printed]}")
        left = w.temp(param(count), "copies")
        with w.while_(local(left) > 0):
            _move(b, w, _create(b, w, printed, local(who)), local(zone))
            w.assign(left, local(left) - 1)


@lowers(STATEMENTS, t.RevealCard)
def reveal_card(b: Builder, w: Writer, s: t.RevealCard) -> None:
    _, _, face, cards = card_tables(b)
    seat = const(-1) if s.to is None else decider_of(b, w, s.to).seat
    many(b, w, s.card, lambda card: w.call("card_reveal", card, seat, face, cards, w.site))
