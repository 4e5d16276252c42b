"""Tokens -> selectors: quantifier, adjectives, noun, relations, where, preference, or else.

In:  the grammar of numbers and things.
Out: t.Selector.
"""

from __future__ import annotations

from rulewright.book import tree as t
from rulewright.book.grammar.cursor import Cursor
from rulewright.book.grammar.dispatch import parse_check, parse_number, parse_thing, reads
from rulewright.book.grammar.draft import Draft
from rulewright.book.grammar.nouns import (
    adjective,
    adjective_wins,
    described,
    parse_noun,
    parse_quantifier,
)
from rulewright.book.grammar.owners import me
from rulewright.book.grammar.preferences import preference_list, preference_named, preferences
from rulewright.book.grammar.scope import ONE, Mistake
from rulewright.book.grammar.words import parse_zone
from rulewright.book.symbols import norm
from rulewright.book.text.tokens import WORD


def noun_ahead(p: Cursor) -> bool:
    at = p.at
    try:
        n = 0
        while n < 4 and adjective(p, t.TLocal("probe", "?"), probe=True):
            n += 1
        return parse_noun(p) is not None
    except Mistake:
        return False
    finally:
        p.at = at


@reads("selector")
def read_selector(p: Cursor, default: str = "each") -> t.Selector:
    """The whole phrase."""
    token = p.now
    quantifier, amount = parse_quantifier(p, default)
    it = p.scope.new_it("?")
    made = Draft(quantifier, it.name, amount, token.line)
    adjectives: list[t.Cond_] = []
    nearest_first = False
    other = beside = False
    while True:
        if p.now.is_("adjacent") and not p.ahead().is_("to"):
            p.next()
            beside = True
            continue
        if p.take("nearest"):
            nearest_first = True
            continue
        if p.now.is_("other") and not p.ahead().is_("than"):
            p.next()
            other = True
            continue
        at = p.at
        if parse_noun(p) is not None and not adjective_wins(p, at):
            p.at = at
            break
        p.at = at
        found = adjective(p, it)
        if found is None:
            break
        if not isinstance(found, bool):
            adjectives.append(found)
    noun = parse_noun(p)
    if noun is None:
        raise p.unknown(
            "sort of thing",
            [
                "actor",
                "ally",
                "enemy",
                "card",
                "space",
                *[x.name for x in p.symbols.lists.values()],
                *p.symbols.templates,
            ],
        )
    made.noun, made.type = noun
    it = t.TLocal(it.name, made.type)
    p.scope.locals[it.name] = made.type
    made.tests += described(p, adjectives, it, token)
    before = (p.scope.owner, len(p.scope.it))
    _relations(p, made, it)
    if other:
        made.tests.append(t.Never(t.Same(it, me(p))))
    if beside:
        made.tests.append(_adjacent(it, me(p)))
    p.scope.owner = it
    p.scope.it.append(it)
    try:
        if p.take("where"):
            made.tests.append(parse_check(p))
        if nearest_first:
            made.prefs.append(t.Pref(True, t.Distance(me(p), it)))
        preferences(p, made, it)
    finally:
        p.scope.owner = before[0]
        p.scope.it.pop()
    _relations(p, made, it)
    _late(p, made, it)
    if p.now.is_("or") and p.ahead().is_("else") and quantifier in ONE:
        p.next()
        p.next()
        made.orelse = parse_thing(p, made.type)
    elif p.now.is_(",") and p.ahead().is_("or") and p.ahead(2).is_("else") and quantifier in ONE:
        p.at += 3
        made.orelse = parse_thing(p, made.type)
    return made.done()


def _late(p: Cursor, made: Draft, it: t.TLocal) -> None:
    """More preferences after the last relation, and lots for whoever is still equal."""
    if (
        p.now.is_(",")
        and p.ahead().is_("then")
        and p.ahead(2).is_("lowest", "highest", "nearest", "by", "those")
    ):
        p.at += 2
        made.prefs += preference_list(p, it)
    comma = p.now.is_(",") and p.ahead().is_("by") and p.ahead(2).is_("lot")
    if comma or (p.now.is_("by") and p.ahead().is_("lot")):
        p.at += 3 if comma else 2
        made.lots = True
        order = norm(str(p.symbols.front.get("triggers", "")))
        if made.type == t.ACTOR and order in p.symbols.preferences:
            made.lots_order = preference_named(p, order, it)
        if p.take("among", "those", "where"):
            before = p.scope.owner
            p.scope.owner = it
            p.scope.it.append(it)
            try:
                made.lots_for = parse_check(p)
            finally:
                p.scope.owner = before
                p.scope.it.pop()


def _relations(p: Cursor, made: Draft, it: t.TLocal) -> None:
    while True:
        if p.now.is_("in") and zone_ahead(p):
            p.next()
            zone, owner = parse_zone(p)
            made.domain, made.domain_args = "zone", [zone, owner]
        elif p.now.is_("in") and order_ahead(p):
            p.next()
            order = p.name(p.symbols.orders)
            made.domain, made.domain_args = "order", [order]
        elif p.take("at"):
            made.tests.append(t.Same(t.SpaceOf(it), parse_thing(p, t.SPACE)))
        elif p.now.is_("on") and made.type in (t.SPACE, t.ACTOR):
            p.next()
            where = parse_thing(p)
            if where.type == t.LINE:
                if made.type == t.SPACE:
                    made.domain, made.domain_args = "line", [where]
                else:
                    inner = p.scope.new_it(t.SPACE)
                    there = [t.Same(inner, t.SpaceOf(it))]
                    probe = t.Selector(
                        "some", "space", t.SPACE, inner.name, None, "line", [where], list[t.Cond_](there)
                    )
                    made.tests.append(t.Exists(probe))
            elif where.type == t.PATH:
                made.domain, made.domain_args = "path", [where, me(p)]
                p.scope.locals["from"] = t.SPACE
            else:
                space = it if made.type == t.SPACE else t.SpaceOf(it)
                made.tests.append(t.Same(space, where if where.type == t.SPACE else t.SpaceOf(where)))
        elif p.take("from"):
            a = parse_thing(p, t.SPACE)
            p.expect("to")
            made.domain, made.domain_args = "lines", [a, parse_thing(p, t.SPACE)]
        elif p.take("adjacent", "to"):
            other = parse_thing(p)
            if made.type == t.SPACE and made.domain == "all":
                made.domain, made.domain_args = "adjacent", [other]
            else:
                made.tests.append(_adjacent(it, other))
        elif p.take("within"):
            amount = parse_number(p)
            for word in ("space", "spaces", "tile", "tiles"):
                p.take(word)
            where = parse_thing(p) if p.take("of") else me(p)
            made.tests.append(t.Compare("<=", t.Distance(it, where), amount))
        elif p.take("other", "than"):
            made.tests.append(t.Never(t.Same(it, parse_thing(p, made.type))))
        elif p.take("out", "of", "play"):
            made.out_of_play = True
        elif p.take("anywhere"):
            made.anywhere = True
        elif p.now.is_("of") and made.type == t.CARD:
            p.next()
            made.tests.append(t.Same(t.OwnerOf(it), parse_thing(p, t.ACTOR)))
        elif p.now.is_("of") and made.type == t.SPACE and p.ahead().kind == WORD:
            at = p.at
            p.next()
            zone = map_zone(p)
            if zone is None:
                p.at = at
                return
            made.domain, made.domain_args = "zone of map", [zone]
        elif p.now.is_("of") and made.type == t.STATUS:
            p.next()
            made.tests.append(t.BearsStatus(parse_thing(p, t.ACTOR), it))
        elif p.now.is_("of") and made.type == t.ACTOR and made.noun in ("ally", "enemy"):
            p.next()
            made.domain_args = ["of", parse_thing(p, t.ACTOR)]
        else:
            return


def _adjacent(it: t.TLocal, other: t.Thing_) -> t.Cond_:
    made: t.Cond_ = t.Compare("==", t.Adjacent(it, other), t.Num(1, "-"))
    if it.type == other.type == t.ACTOR:
        return t.Both([t.Never(t.Same(it, other)), made])
    return made


def map_zone(p: Cursor) -> tuple[str, str] | None:
    """The map and the zone of it that is named here."""
    for map_ in p.symbols.maps.values():
        key = p.name({norm(z) for z in map_.zones})
        if key is not None:
            return map_.name, next(z for z in map_.zones if norm(z) == key)
    return None


def zone_ahead(p: Cursor) -> bool:
    p.at += 1
    found = p.peek_name(p.symbols.zones)
    p.at -= 1
    return found is not None


def order_ahead(p: Cursor) -> bool:
    p.at += 1
    found = p.peek_name(p.symbols.orders)
    p.at -= 1
    return found is not None
