"""Tokens -> relations of a selector: where its candidates are, and to what they stand in relation.

In:  the cursor after the noun.
Out: tests and the domain of a draft.

A new relation is a row of `TESTS`, if it is a test; or else a function in the table at the end.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulewright.book import tree as t
from rulewright.book.grammar.cursor import Cursor
from rulewright.book.grammar.dispatch import parse_standing, parse_thing, standing, tried
from rulewright.book.grammar.draft import Draft
from rulewright.book.grammar.forms import form
from rulewright.book.grammar.owners import me
from rulewright.book.grammar.words import parse_zone
from rulewright.book.index import AREA, ORDER, ZONE
from rulewright.book.text.tokens import WORD


def relations(p: Cursor, made: Draft, it: t.TLocal) -> None:
    """As many as stand here."""
    while p.now.kind == WORD:
        read = RELATIONS.get(p.now.text)
        if read is None or not read(p, made, it):
            return


@tried
def inside(p: Cursor) -> tuple[str, list[Any]] | None:
    """`in ZONE`, `in ORDER`: which of both, and its arguments"""
    p.next()
    if p.peek_name(ZONE) is not None:
        return "zone", [*parse_zone(p)]
    order = p.name(ORDER)
    return ("order", [order]) if order is not None else None


def _in(p: Cursor, made: Draft, it: t.TLocal) -> bool:
    found = inside(p)
    if found is not None:
        made.domain, made.domain_args = found
    return found is not None


def _tested(p: Cursor, made: Draft, it: t.TLocal) -> bool:
    """What can also be asked of one thing."""
    found = TESTS[p.now.text](p, it)
    if found is not None:
        made.tests.append(found)
    return found is not None


def _on(p: Cursor, made: Draft, it: t.TLocal) -> bool:
    """`on LINE`, `on PATH`, `on SPACE`, `on SIDE`"""
    if made.type not in (t.SPACE, t.ACTOR):
        return False
    p.next()
    token = p.now
    where = parse_thing(p)
    if where.type == t.SIDE and made.type == t.ACTOR:
        made.tests.append(on_side(it, where))
        return True
    if where.type not in (t.PATH, t.LINE):
        standing(token, where)
    space: t.Thing_ = it if made.type == t.SPACE else t.SpaceOf(it)
    if where.type == t.PATH:
        made.domain, made.domain_args = "path", [where, me(p)]
        p.scope.locals["from"] = t.SPACE
    elif where.type != t.LINE:
        made.tests.append(t.Same(space, where if where.type == t.SPACE else t.SpaceOf(where)))
    elif made.type == t.SPACE:
        made.domain, made.domain_args = "line", [where]
    else:
        inner = p.scope.new_it(t.SPACE)
        there: list[t.Cond_] = [t.Same(inner, space)]
        made.tests.append(
            t.Exists(t.Selector("some", "space", t.SPACE, inner.name, None, "line", [where], there))
        )
    return True


def _from(p: Cursor, made: Draft, it: t.TLocal) -> bool:
    """`from SPACE to SPACE`"""
    p.next()
    start = parse_thing(p, t.SPACE)
    p.expect("to")
    made.domain, made.domain_args = "lines", [start, parse_thing(p, t.SPACE)]
    return True


def _adjacent_to(p: Cursor, made: Draft, it: t.TLocal) -> bool:
    if made.type != t.SPACE or made.domain != "all":
        return _tested(p, made, it)
    if not p.take("adjacent", "to"):
        return False
    made.domain, made.domain_args = "adjacent", [parse_standing(p)]
    return True


def _other(p: Cursor, made: Draft, it: t.TLocal) -> bool:
    if not p.take("other", "than"):
        return False
    made.tests.append(t.Never(t.Same(it, parse_thing(p, made.type))))
    return True


def _out(p: Cursor, made: Draft, it: t.TLocal) -> bool:
    if not p.take("out", "of", "play"):
        return False
    made.out_of_play = True
    return True


def _anywhere(p: Cursor, made: Draft, it: t.TLocal) -> bool:
    p.next()
    made.anywhere = True
    return True


def _of(p: Cursor, made: Draft, it: t.TLocal) -> bool:
    """`card of X`, `space of ZONE`, `status of X`, `ally of X`"""
    at = p.at
    p.next()
    if t.kind_of(made.type).owned:
        made.tests.append(t.Same(t.OwnerOf(it), parse_thing(p, t.ACTOR)))
        return True
    if made.type == t.STATUS:
        made.tests.append(t.BearsStatus(parse_thing(p, t.ACTOR), it))
        return True
    if made.type == t.ACTOR and made.noun in ("ally", "enemy"):
        made.domain_args = ["of", parse_thing(p, t.ACTOR)]
        return True
    zone = map_zone(p) if made.type == t.SPACE and p.now.kind == WORD else None
    if zone is None:
        p.at = at
        return False
    made.domain, made.domain_args = "zone of map", [zone]
    return True


def on_side(thing: t.Thing_, side: t.Thing_) -> t.Cond_:
    """Whether an actor is on a side: one of the book's, or that of another."""
    if isinstance(side, t.TConst):
        return t.OnSide(thing, side.id)
    return t.Same(t.SideOf(thing), side)


def adjacent(it: t.Thing_, other: t.Thing_) -> t.Cond_:
    made: t.Cond_ = t.Compare("==", t.Adjacent(it, other), t.Num(1, "-"))
    if it.type == other.type == t.ACTOR:
        return t.Both([t.Never(t.Same(it, other)), made])
    return made


def map_zone(p: Cursor) -> tuple[str, str] | None:
    """The map and the zone of it that is named here."""
    for map_ in p.symbols.maps.values() if p.here(AREA) else ():
        zone = p.name_of(AREA, lambda owner, map_=map_: owner is map_)
        if zone is not None:
            return map_.name, zone
    return None


def _apart(op: str) -> Callable[[t.Thing_, t.Num_, t.Thing_], t.Cond_]:
    return lambda it, amount, where: t.Compare(op, t.Distance(it, where), amount)


SPACES = "{space|spaces|tile|tiles|}"
TESTS: dict[str, Callable[[Cursor, t.Thing_], t.Cond_ | None]] = {
    "at": form("at {space}", lambda it, space: t.Same(t.SpaceOf(it), space)),
    "on": form("on {side}", on_side),
    "adjacent": form("adjacent to {standing}", adjacent),
    "within": form(f"within {{number}} {SPACES} {{of {{standing}}|{{self}}}}", _apart("<=")),
    "beyond": form(f"beyond {{number}} {SPACES} {{of {{standing}}|{{self}}}}", _apart(">")),
}
"""Relations that are tests of one thing: they stand after the noun of a selector, and after `is`."""
RELATIONS: dict[str, Callable[[Cursor, Draft, t.TLocal], bool]] = {
    **dict.fromkeys(TESTS, _tested),
    "in": _in,
    "on": _on,
    "from": _from,
    "adjacent": _adjacent_to,
    "other": _other,
    "out": _out,
    "anywhere": _anywhere,
    "of": _of,
}
"""By the word that a relation begins with."""
