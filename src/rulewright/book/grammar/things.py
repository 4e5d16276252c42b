"""Tokens -> things: roles, coordinates, groups, and everything that words and calls name.

In:  tokens.
Out: Thing_ of the tree, of the kind that is wanted.
"""

from __future__ import annotations

from rulewright.book import tree as t
from rulewright.book.grammar.calls import component_call
from rulewright.book.grammar.cursor import Cursor
from rulewright.book.grammar.dispatch import parse_check, parse_factor, parse_number, parse_selector, reads
from rulewright.book.grammar.owners import bearer, me
from rulewright.book.grammar.scope import ONE, Mistake
from rulewright.book.grammar.selectors import noun_ahead
from rulewright.book.grammar.ways import walk_ahead, way
from rulewright.book.grammar.words import (
    local_thing,
    parse_held,
    parse_quoted,
    parse_spot,
    parse_word,
    parse_zone,
    status_name,
)
from rulewright.book.symbols import norm
from rulewright.book.text.tokens import DICE, END, MARK, NUMBER, STRING, WORD


@reads("thing")
def read_thing(p: Cursor, want: str | None = None) -> t.Thing_:
    """One thing; `want` helps to tell words apart and is checked."""
    token = p.now
    found = thing_here(p, want)
    while p.now.is_("'s"):
        p.next()
    if want is not None and isinstance(found, t.TConst) and found.id == -1:
        return t.TConst(want, -1)
    if want is not None and found.type != want and not _fits(found, want):
        raise Mistake("type-mismatch", token, f"expected a {want}, found a {found.type}")
    if want == t.SPACE and found.type == t.ACTOR:
        return t.SpaceOf(found)
    if want == t.FACE and found.type == t.CARD:
        return t.FaceOf(found)
    return found


def _fits(found: t.Thing_, want: str) -> bool:
    return (want == t.SPACE and found.type == t.ACTOR) or (want == t.FACE and found.type == t.CARD)


def thing_here(p: Cursor, want: str | None) -> t.Thing_:
    token = p.now
    if token.is_("("):
        return _grouped(p, want)
    if token.is_("#"):
        run = component_call(p, ("Value", "Effect", "Table"))
        return run
    if token.kind not in (WORD, NUMBER, MARK, DICE) and not (token.kind == STRING and want is not None):
        raise p.fail("type-mismatch", f"expected a thing, found '{token.text or 'the end of the line'}'")
    simple = simple_thing(p, want)
    if simple is not None:
        return simple
    if token.text in ONE or (token.is_("adjacent") and not p.ahead().is_("to")) or noun_ahead(p):
        selector = parse_selector(p, default="the")
        return t.TSelect(selector, selector.type)
    raise _unknown_thing(p, want)


def _unknown_thing(p: Cursor, want: str | None) -> Mistake:
    other = _something_else(p)
    if other is not None:
        return other
    names: list[str] = []
    table = p.symbols.list_of(want) if want else None
    if table is not None:
        names = table.words
    elif want in (None, t.ACTOR):
        names = [a.name for a in p.symbols.actors] + list(p.scope.locals)
    if want is None:
        for table in (*p.symbols.lists.values(), p.symbols.faces):
            names = names + table.words
    return p.unknown(want.lower() if want else "thing", names)


def _something_else(p: Cursor) -> Mistake | None:
    """What stands here is known, but it is not one thing: a number, several things, a zone."""
    token = p.now
    if token.kind in (DICE, NUMBER):
        help_ = f"numbers go by names in brackets, as in `let [X] = {token.text}`"
        return p.fail("type-mismatch", f"'{token.text}' is a number, and a thing is needed here", help=help_)
    if token.is_("each", "every"):
        help_ = f"`for {token.text} ..:` goes through them one by one".replace("every", "each")
        return p.fail("type-mismatch", f"'{token.text}' means several, and one is needed here", help=help_)
    zone = p.peek_name(p.symbols.zones)
    if zone is None:
        return None
    name = p.symbols.zones[zone].name
    help_ = f"ask for its cards: `no card in {name}`, `[number of cards in {name}]`"
    return p.fail("wrong-kind", f"'{name}' is a zone, and a thing is needed here", help=help_)


def _grouped(p: Cursor, want: str | None) -> t.Thing_:
    at = p.at
    if want in (None, t.PLACE, t.SPACE):
        spot = coordinates(p, want)
        if spot is not None:
            return spot
    p.at = at
    p.expect("(")
    yes = read_thing(p, want)
    if p.take("if"):
        test = parse_check(p)
        p.expect("else")
        no = read_thing(p, want)
        p.expect(")")
        return t.TIf(test, yes, no, yes.type)
    p.expect(")")
    return yes


def coordinates(p: Cursor, want: str | None) -> t.Thing_ | None:
    """`(2,1)`: a named space, or a position on a map whose spaces are laid during play."""
    at = p.at
    text = ""
    while p.now.kind != END and len(text) < 12:
        text += p.next().text
        if text.endswith(")"):
            break
    if text in p.symbols.space_names:
        return t.TConst(t.SPACE, p.symbols.space_names[text])
    inner = text.strip("()").split(",")
    if any(m.grid == "spots" for m in p.symbols.maps.values()) and len(inner) == 2:
        try:
            x, y = int(inner[0]), int(inner[1])
        except ValueError:
            p.at = at
            return None
        place = t.TConst(t.PLACE, (x + 64) * 128 + y + 64)
        return place if want == t.PLACE else t.SpaceAt(place)
    p.at = at
    return None


def simple_thing(p: Cursor, want: str | None) -> t.Thing_ | None:
    token = p.now
    at = p.at
    quoted = parse_quoted(p, want) if want is not None else None
    if quoted is not None:
        return quoted
    spot = parse_spot(p) if p.symbols.frameworks and want in (None, t.SPACE) else None
    if spot is not None:
        return spot
    if token.kind == WORD and token.text in p.scope.things:
        p.next()
        return p.scope.things[token.text]
    if token.is_("aim") and p.symbols.frameworks:
        p.next()
        return t.Aim()
    if p.symbols.walks and token.is_("the") and walk_ahead(p, 1):
        return way(p)
    if token.is_("none"):
        p.next()
        return t.TConst(want or "none", -1)
    if token.is_("self"):
        p.next()
        return me(p)
    if token.is_("it"):
        p.next()
        if p.scope.it:
            return t.TLocal(p.scope.it[-1].name, p.scope.it[-1].type)
        found = p.scope.local("it")
        if found is not None:
            return t.TLocal(*found)
        raise p.fail("unknown-name", "there is nothing here that 'it' could be", token)
    if token.is_("active"):
        p.next()
        return t.Active()
    if token.is_("seat") and (p.ahead().is_("[") or p.ahead().kind == NUMBER):
        p.next()
        return t.SeatOf(parse_factor(p))
    if p.take("last", "space"):
        return t.LastSpace()
    if p.take("space", "at"):
        return t.SpaceAt(read_thing(p, t.PLACE))
    if token.is_("space") and p.ahead().is_("of"):
        p.next()
        p.next()
        return t.SpaceOf(read_thing(p))
    if token.is_("space") and norm(p.ahead().text) in p.symbols.directions.numbers and p.ahead(2).is_("of"):
        p.next()
        direction = read_thing(p, t.DIRECTION)
        p.expect("of")
        return t.Neighbour(direction, read_thing(p, t.SPACE))
    if token.is_("space") and p.ahead().is_("toward"):
        p.next()
        p.next()
        direction = read_thing(p, t.DIRECTION)
        p.expect("of")
        return t.Neighbour(direction, read_thing(p, t.SPACE))
    if p.take("direction", "from"):
        a = read_thing(p, t.SPACE)
        p.expect("to")
        return t.DirectionTo(a, read_thing(p, t.SPACE))
    if p.now.is_("end") and p.ahead().is_("of") and (p.scope.local(p.ahead(2).text) or ("", ""))[1] == t.PATH:
        p.at += 2
        return t.PathEnd(read_thing(p, t.PATH), me(p))
    if p.take("facing", "of"):
        return t.FacingOf(read_thing(p, t.ACTOR))
    if p.take("terrain", "of"):
        return t.TerrainOf(read_thing(p, t.SPACE))
    if p.take("owner", "of"):
        return t.OwnerOf(read_thing(p, t.CARD))
    if p.take("side", "of"):
        return t.SideOf(read_thing(p, t.ACTOR))
    if p.take("face", "of") or p.take("Face", "of"):
        return t.FaceOf(read_thing(p, t.CARD))
    if p.take("source", "of"):
        status = parse_status(p)
        owner = read_thing(p, t.ACTOR) if p.take("of") else bearer(p)
        return t.SourceOf(status, owner)
    if p.now.is_("next", "previous", "opposite") and not p.scope.local(p.now.text):
        word = p.next().text
        thing = read_thing(p)
        if word == "opposite":
            return t.Opposite(thing, thing.type)
        return t.NextWord(thing, thing.type, back=word == "previous")
    if p.now.is_("turned") and want in (None, t.DIRECTION):
        p.next()
        inner = read_thing(p, t.DIRECTION)
        p.expect("by")
        return t.Turned(inner, parse_number(p))
    if (p.now.is_("the") and p.ahead().is_("top", "bottom") and p.ahead(2).is_("card")) or (
        p.now.is_("top", "bottom") and p.ahead().is_("card")
    ):
        p.take("the")
        what = p.next().text
        p.next()
        p.expect("of")
        zone, owner = parse_zone(p)
        made: t.Thing_ = t.EndOfZone(zone, owner, bottom=what == "bottom")
        if p.take(",", "or", "else") or p.take("or", "else"):
            other = read_thing(p, t.CARD)
            made = t.OrElse(made, other, t.CARD)
        return made
    local = local_thing(p)
    if local is not None:
        return local
    held = parse_held(p, want)
    if held is not None:
        return held
    word = parse_word(p, want)
    if word is not None:
        return word
    p.at = at
    return None


def parse_status(p: Cursor) -> str | t.Thing_:
    """A status by name, or a thing that is one: `it`, a parameter."""
    name = status_name(p)
    if name is not None:
        return name
    at = p.at
    if p.now.kind == WORD and p.now.text.islower():
        found = simple_thing(p, t.STATUS)
        if found is not None and found.type == t.STATUS:
            return found
    p.at = at
    held = p.peek_name({key for key, r in p.resources.items() if r.holds is not None})
    if held is not None:
        resource = p.resources[held]
        words = f"'{resource.name}' is no status, but a resource that holds a {resource.holds}"
        raise p.fail("wrong-kind", words, help=f"write `set {resource.name} to ..`, `{resource.name} is ..`")
    raise p.unknown("status", [s.name for s in p.symbols.statuses.values()])
