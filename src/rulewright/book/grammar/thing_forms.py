"""Tokens -> things that begin with a word of the language: `self`, `space of X`, `the top card of ZONE`.

In:  the cursor at that word.
Out: Thing_ of the tree; None, and the cursor where it was, if the word means something else here.

A new form is a row of the table at the end: its wording and node, or a function.
"""

from __future__ import annotations

from collections.abc import Callable

from rulewright.book import tree as t
from rulewright.book.grammar.cursor import Cursor
from rulewright.book.grammar.dispatch import parse_factor, parse_number, parse_thing
from rulewright.book.grammar.forms import form, forms
from rulewright.book.grammar.owners import innermost, me
from rulewright.book.grammar.paths import path, walk_ahead
from rulewright.book.grammar.words import parse_zone
from rulewright.book.symbols import norm
from rulewright.book.text.tokens import NUMBER

Form = Callable[[Cursor, str | None], t.Thing_ | None]


def said(wording: str, node: Callable[..., t.Thing_]) -> Form:
    """A wording of one certain kind of thing, whatever is wanted."""
    read = form(wording, node)
    return lambda p, want: read(p)


def _aim(p: Cursor, want: str | None) -> t.Thing_ | None:
    if not p.symbols.closes:
        return None
    p.next()
    return t.Aim()


def _none(p: Cursor, want: str | None) -> t.Thing_:
    p.next()
    return t.TConst(want or "none", -1)


def _self(p: Cursor, want: str | None) -> t.Thing_:
    p.next()
    return me(p)


def _it(p: Cursor, want: str | None) -> t.Thing_:
    token = p.next()
    if p.scope.it:
        return innermost(p, token)
    found = p.scope.local("it")
    if found is not None:
        return t.TLocal(*found)
    raise p.fail("unknown-name", "there is nothing here that 'it' could be", token)


def _seat(p: Cursor, want: str | None) -> t.Thing_ | None:
    """`seat 2`, `seat [N]`; `seat of X`, which leads X"""
    if p.take("seat", "of"):
        return t.THold(p.symbols.resources["!controller"], [parse_thing(p, t.ACTOR)], t.SEAT)
    if not (p.ahead().is_("[") or p.ahead().kind == NUMBER):
        return None
    p.next()
    return t.SeatOf(parse_factor(p))


def _next_space(p: Cursor, want: str | None) -> t.Thing_ | None:
    """`space N of X`: the next one in a direction"""
    if norm(p.ahead().text) not in p.symbols.directions.numbers or not p.ahead(2).is_("of"):
        return None
    p.next()
    direction = parse_thing(p, t.DIRECTION)
    p.expect("of")
    return t.Neighbour(direction, parse_thing(p, t.SPACE))


def _end(p: Cursor, want: str | None) -> t.Thing_ | None:
    """`end of PATH`"""
    if not p.ahead().is_("of") or (p.scope.local(p.ahead(2).text) or ("", ""))[1] != t.PATH:
        return None
    p.at += 2
    return t.PathEnd(parse_thing(p, t.PATH), me(p))


def _neighbour(p: Cursor, want: str | None) -> t.Thing_ | None:
    """`next X`, `previous X`, `opposite X`: of the words of a list."""
    if p.scope.local(p.now.text):
        return None
    word = p.next().text
    thing = parse_thing(p)
    if word == "opposite":
        return t.Opposite(thing, thing.type)
    return t.NextWord(thing, thing.type, back=word == "previous")


def _turned(p: Cursor, want: str | None) -> t.Thing_ | None:
    if want not in (None, t.DIRECTION):
        return None
    p.next()
    inner = parse_thing(p, t.DIRECTION)
    p.expect("by")
    return t.Turned(inner, parse_number(p))


def _the(p: Cursor, want: str | None) -> t.Thing_ | None:
    """`the WALK to ..`, `the top card of ..`"""
    if p.symbols.walks and walk_ahead(p, 1):
        return path(p)
    if not (p.ahead().is_("top", "bottom") and p.ahead(2).is_("card")):
        return None
    p.next()
    return _top(p, want)


def _top(p: Cursor, want: str | None) -> t.Thing_ | None:
    """`top card of ZONE`, perhaps with what to take if there is none"""
    if not p.ahead().is_("card"):
        return None
    bottom = p.next().text == "bottom"
    p.next()
    p.expect("of")
    zone, owner = parse_zone(p)
    made = t.EndOfZone(zone, owner, bottom=bottom)
    if p.take(",", "or", "else") or p.take("or", "else"):
        return t.OrElse(made, parse_thing(p, t.CARD), t.CARD)
    return made


FORMS: dict[str, Form] = {
    "aim": _aim,
    "none": _none,
    "self": _self,
    "it": _it,
    "active": said("active", t.Active),
    "seat": _seat,
    "last": said("last space", t.LastSpace),
    "space": forms(
        said("space at {place}", t.SpaceAt),
        said("space of {standing}", t.SpaceOf),
        said("space toward {direction} of {space}", t.Neighbour),
        _next_space,
    ),
    "direction": said("direction from {space} to {space}", t.DirectionTo),
    "end": _end,
    "facing": said("facing of {actor}", t.FacingOf),
    "terrain": said("terrain of {space}", t.TerrainOf),
    "owner": said("owner of {card}", t.OwnerOf),
    "side": said("side of {actor}", t.SideOf),
    "face": said("face of {card}", t.FaceOf),
    "Face": said("Face of {card}", t.FaceOf),
    "source": said("source of {status} {of {actor}|{bearer}}", t.SourceOf),
    "next": _neighbour,
    "previous": _neighbour,
    "opposite": _neighbour,
    "turned": _turned,
    "the": _the,
    "top": _top,
    "bottom": _top,
}
"""By the word that a form begins with."""
