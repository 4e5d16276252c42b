"""Tokens -> things that a word names: locals, what a resource holds, words of lists, zones, statuses.

In:  tokens.
Out: Thing_ of the tree, or None where no word of the book stands.
"""

from __future__ import annotations

from rulewright.book import tree as t
from rulewright.book.grammar import closed
from rulewright.book.grammar.cursor import Cursor
from rulewright.book.grammar.dispatch import parse_thing
from rulewright.book.grammar.owners import bearer, default_owners, named_owners
from rulewright.book.grammar.scope import Mistake
from rulewright.book.index import (
    ACTION,
    ACTOR,
    COMPONENT,
    HELD_OF,
    HELD_OF_SMALL,
    HOLDER,
    HOLDER_SMALL,
    SPACE,
    STATUS,
    WORD_OF,
    ZONE,
)
from rulewright.book.phrases.match import coordinate_end
from rulewright.book.symbols import norm
from rulewright.book.text.lists import coordinate
from rulewright.book.text.tokens import STRING, WORD
from rulewright.diagnostics import suggest


def parse_quoted(p: Cursor, want: str) -> t.Thing_ | None:
    """A word of a list in quotation marks, perhaps with what it is before them: `Scene "The End"`."""
    lead = p.now.text + " " if p.now.kind == WORD and p.ahead().kind == STRING else ""
    token = p.ahead(1 if lead else 0)
    table = p.symbols.list_of(want)
    if token.kind != STRING or table is None:
        return None
    name = token.text[1:-1]
    number = table.numbers.get(norm(lead + name))
    if number is not None:
        p.at += 2 if lead else 1
        return t.TConst(table.name, number)
    names = [w[len(lead) :] for w in table.words if w.startswith(lead)]
    what = lead.strip().lower() or want.lower()
    raise Mistake("unknown-name", token, f"no {what} is called '{name}'", suggest(name, names))


def parse_spot(p: Cursor) -> t.Thing_ | None:
    """`3N 2E` on whatever map is in play."""
    end = coordinate_end(p.tokens, p.at)
    if end == p.at:
        return None
    token = p.now
    place = coordinate(" ".join(x.text for x in p.tokens[p.at : end]))
    if place is None:
        return None
    p.at = end
    if not any((right.x, right.y) == place for right in p.symbols.spaces):
        raise Mistake("unknown-name", token, f"'{token.text}' is on none of the maps")
    return t.Spot(*place)


def kept_by(sequence: t.Component | t.ActionSym) -> list[t.Param]:
    """What can be asked of a sequence or action while it runs."""
    return [*sequence.params, *(sequence.keeps if isinstance(sequence, t.Component) else ())]


def local_thing(p: Cursor) -> t.Thing_ | None:
    token = p.now
    if token.kind != WORD:
        return None
    if token.is_("this") and p.ahead().is_("card"):
        p.next()
        token = p.now
    low = token.text.lower()
    if (
        p.scope.open
        and low in ("target", "attacker")
        and p.scope.local(low) is None
        and not p.ahead().is_("of")
    ):
        p.scope.wanted[low] = t.ACTOR
        p.scope.locals[low] = t.ACTOR
    if p.ahead().is_("of") and token.text == low:
        at = p.at
        p.next()
        p.next()
        sequence = sequence_name(p)
        if sequence is not None:
            for param in kept_by(sequence):
                if param.name.lower() == low and param.type != t.NUMBER:
                    return t.TKept(sequence, param.name, param.type)
        p.at = at
    found = p.scope.local(token.text)
    if found is None or found[1] == t.NUMBER or found[1].startswith(t.TALLY) or token.text != low:
        return None
    p.next()
    return t.TLocal(*found)


def parse_held(p: Cursor) -> t.Thing_ | None:
    """A resource that holds a thing, or a column that does: `arm of card`, `Mood of self`."""
    at = p.at
    exact = p.name(HOLDER)
    name = exact or p.name(HOLDER_SMALL)
    if name is not None:
        resource = p.resource_named(name)
        assert resource.holds is not None
        if not resource.of:
            return t.THold(resource, [], resource.holds)
        mistake: Mistake | None = None
        if p.take("of"):
            try:
                return t.THold(resource, named_owners(p, resource), resource.holds)
            except Mistake as problem:  # perhaps a column of that name is meant
                mistake = problem
        elif not p.symbols.words(exact or name.lower()):
            return t.THold(resource, default_owners(p, resource, p.now), resource.holds)
        p.at = at
        column = _thing_column(p)
        if column is None and mistake is not None:
            raise mistake
        return column
    p.at = at
    return _thing_column(p)


def _thing_column(p: Cursor) -> t.Thing_ | None:
    """A column that holds a thing: `arm of card`."""
    at = p.at
    for length, entry in (*p.here(HELD_OF), *p.here(HELD_OF_SMALL)):
        p.at = at + length
        if p.take("of"):
            column, kind = entry.symbol, entry.owner
            thing = parse_thing(p)
            if kind in (thing.type, t.nature(thing.type)):
                return t.TColumn(kind, column.name, thing, column.type)
    p.at = at
    return None


def parse_word(p: Cursor, want: str | None) -> t.Thing_ | None:
    """A word of a list, an actor, a printed card, a space."""
    at = p.at
    if want is not None:
        table = p.symbols.list_of(want)
        if table is not None:
            name = p.word(table)
            if name is not None:
                return t.TConst(table.name, table.numbers[name])
            small = closed.small_word(p, table)
            if small is not None:
                return small
    words = p.here(WORD_OF) if want is None else ()
    found = [(n, entry.owner, entry.symbol) for n, entry in words if entry.owner != t.STATUS][:1]
    if want in (None, t.ACTOR, t.SPACE):
        found += [(n, t.ACTOR, p.symbols.actor_names[entry.key]) for n, entry in p.here(ACTOR)]
    if want in (None, t.SPACE):
        found += [(n, t.SPACE, p.symbols.space_names[entry.key]) for n, entry in p.here(SPACE)]
    if not found:
        return None
    length, kind, number = max(found, key=lambda one: one[0])
    p.at = at + length
    return t.TConst(kind, number)


# ------------------------------------------------------------ zones, statuses
def parse_zone(p: Cursor) -> tuple[str, t.Thing_ | None]:
    """`Hand [of X]`: the zone and its owner (None for a match-wide one)."""
    name = p.need(ZONE)
    zone = p.symbols.zones[name]
    if zone.of is None:
        return name, None
    # A bare zone is self's, or the candidate's if that is an actor.
    return name, parse_thing(p, t.ACTOR) if p.take("of") else bearer(p)


def status_name(p: Cursor) -> str | None:
    """The key of a status; their case does not matter."""
    if closed.quotes(p):
        quoted = norm(p.now.text[1:-1]).lower()
        found = next((k for k in p.symbols.statuses if k.lower() == quoted), None)
        if found is not None:
            p.next()
        return found
    name = p.name(STATUS)
    if name is not None:
        return name
    lowered = {k.lower(): k for k in p.symbols.statuses}
    joined, best, length = "", None, 0
    for n in range(4):
        token = p.ahead(n)
        if token.kind != WORD:
            break
        joined += token.text.lower()
        if joined in lowered:
            best, length = lowered[joined], n + 1
    p.at += length
    return best


def quoted_feature(p: Cursor) -> str:
    """The name of a feature in quotation marks."""
    token = p.next()
    key = norm(token.text[1:-1])
    if key in p.symbols.features:
        return key
    help_ = suggest(token.text[1:-1], [f.name for f in p.symbols.features.values()])
    raise Mistake("unknown-name", token, f"no feature is called {token.text}", help_)


def sequence_name(p: Cursor) -> t.Component | t.ActionSym | None:
    """The name of a Sequence, or of an Action (whose declared things can be read while it runs)."""
    name = p.name_of(COMPONENT, lambda c: c.kind == "Sequence")
    if name is not None:
        return p.component_named(name)
    action = p.name(ACTION)
    return p.symbols.actions[action] if action is not None else None
