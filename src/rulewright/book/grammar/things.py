"""Tokens -> things: roles, coordinates, groups, and everything that words and calls name.

In:  tokens.
Out: Thing_ of the tree, of the kind that is wanted.
"""

from __future__ import annotations

from rulewright.book import tree as t
from rulewright.book.grammar import closed
from rulewright.book.grammar.calls import component_call
from rulewright.book.grammar.cursor import Cursor
from rulewright.book.grammar.dispatch import parse_check, parse_selector, reads, tried
from rulewright.book.grammar.scope import ONE, Mistake
from rulewright.book.grammar.selectors import noun_ahead
from rulewright.book.grammar.thing_forms import FORMS
from rulewright.book.grammar.words import (
    local_thing,
    parse_held,
    parse_quoted,
    parse_spot,
    parse_word,
    status_name,
)
from rulewright.book.index import HOLDER, ZONE
from rulewright.book.text.tokens import DICE, END, MARK, NUMBER, STRING, WORD, Token


@reads("thing")
def read_thing(p: Cursor, want: str | None = None) -> t.Thing_:
    """One thing; `want` helps to tell words apart and is checked."""
    token = p.now
    found = thing_here(p, want)
    while p.now.is_("'s"):
        p.next()
    if want is not None and isinstance(found, t.TConst) and found.id == -1:
        return t.TConst(want, -1)
    if want is None or found.type == want:
        return found
    if (found.type, want) not in t.STANDS_FOR:
        raise _another_kind(token, found, want).up_to(p.tokens[p.at - 1])
    return t.STANDS_FOR[found.type, want](found)


def _another_kind(token: Token, found: t.Thing_, want: str) -> Mistake:
    """A component that says nothing gives a number to those that are read before it."""
    named = isinstance(found, t.Run) and found.component.definition.get("gives") is None
    help_ = f"if it gives {_a(want)}, say so with its name: `gives: {want}`" if named else ""
    return Mistake("type-mismatch", token, f"expected {_a(want)}, found {_a(found.type)}", help_)


def _a(kind: str) -> str:
    return f"{'an' if kind[:1] in 'AEIOU' else 'a'} {kind}"


def thing_here(p: Cursor, want: str | None) -> t.Thing_:
    token = p.now
    if token.is_("("):
        return _grouped(p, want)
    if token.is_("#"):
        return component_call(p, ("Value", "Effect", "Table"))
    if token.kind not in (WORD, NUMBER, MARK, DICE) and not (token.kind == STRING and want is not None):
        raise p.fail("type-mismatch", f"expected a thing, found '{token.text or 'the end of the line'}'")
    simple = simple_thing(p, want)
    if simple is not None:
        return simple
    if token.text in ONE or (token.is_("adjacent") and not p.ahead().is_("to")) or noun_ahead(p):
        selector = parse_selector(p, default="the")
        if token.text not in ONE and _is_anything(selector) and not closed.means_any(token):
            words = f"which {token.text} is meant? Nothing here is called so, and any one of them would do"
            raise Mistake("unknown-name", token, words, "say `it`, a name, or `the .. where ..`")
        return t.TSelect(selector, selector.type)
    raise _unknown_thing(p, want)


def _is_anything(selector: t.Selector) -> bool:
    """Whether a selector is a noun and nothing more."""
    said = selector.tests or selector.prefs or selector.orelse or selector.out_of_play or selector.anywhere
    return not said and selector.domain == "all"


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
    zone = p.peek_name(ZONE)
    if zone is None:
        return None
    name = p.symbols.zones[zone].name
    help_ = f"ask for its cards: `no card in {name}`, `[number of cards in {name}]`"
    return p.fail("wrong-kind", f"'{name}' is a zone, and a thing is needed here", help=help_)


def _grouped(p: Cursor, want: str | None) -> t.Thing_:
    spot = coordinates(p, want) if want in (None, t.PLACE, t.SPACE) else None
    if spot is not None:
        return spot
    p.expect("(")
    found = _alternatives(p, want)
    p.expect(")")
    return found


def _alternatives(p: Cursor, want: str | None) -> t.Thing_:
    """`A`, `A if CHECK else B`, `A if CHECK else B if CHECK else C`"""
    yes = read_thing(p, want)
    if not p.take("if"):
        return yes
    test = parse_check(p)
    p.expect("else")
    return t.TIf(test, yes, _alternatives(p, want), yes.type)


@tried
def coordinates(p: Cursor, want: str | None) -> t.Thing_ | None:
    """`(2,1)`: a named space, or a position on a map whose spaces are laid during play."""
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
            return None
        place = t.TConst(t.PLACE, (x + 64) * 128 + y + 64)
        return place if want == t.PLACE else t.SpaceAt(place)
    return None


@tried
def simple_thing(p: Cursor, want: str | None) -> t.Thing_ | None:
    """A thing that needs no selector: a form of the language, a local, or what the book has a name for."""
    token = p.now
    quoted = parse_quoted(p, want) if want is not None else None
    if quoted is not None:
        return quoted
    spot = parse_spot(p) if p.symbols.closes and want in (None, t.SPACE) else None
    if spot is not None:
        return spot
    if token.kind == WORD and token.text in p.scope.things:
        p.next()
        return p.scope.things[token.text]
    form = FORMS.get(token.text) if token.kind == WORD else None
    found = form(p, want) if form is not None else None
    return found or local_thing(p) or parse_held(p) or parse_word(p, want)


@reads("status")
def read_status(p: Cursor) -> str | t.Thing_:
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
    held = p.peek_name(HOLDER)
    if held is not None:
        resource = p.resources[held]
        words = f"'{resource.name}' is no status, but a resource that holds a {resource.holds}"
        raise p.fail("wrong-kind", words, help=f"write `set {resource.name} to ..`, `{resource.name} is ..`")
    raise p.unknown("status", [s.name for s in p.symbols.statuses.values()])
