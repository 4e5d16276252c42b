"""Tokens -> selectors: quantifier, adjectives, noun, relations, where, preference, or else.

In:  the grammar of numbers and things.
Out: t.Selector.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from rulewright.book import tree as t
from rulewright.book.grammar.cursor import Cursor
from rulewright.book.grammar.dispatch import parse_check, parse_thing, reads
from rulewright.book.grammar.draft import Draft
from rulewright.book.grammar.nouns import adjective, adjective_wins, described, parse_noun, parse_quantifier
from rulewright.book.grammar.owners import me
from rulewright.book.grammar.preferences import preference_list, preference_named, preferences
from rulewright.book.grammar.relations import adjacent, relations
from rulewright.book.grammar.scope import ONE, Mistake
from rulewright.book.text.tokens import WORD


def noun_ahead(p: Cursor) -> bool:
    at = p.at
    try:
        n = 0
        while n < 4 and adjective(p, t.TLocal("probe", "?")):
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
    # Whether there is anybody has no order; what is preferred belongs to the selector around this one:
    # `the door where no actor at it with lowest [Toll]`.
    whether = default == "some" and quantifier in ("some", "no", "any")
    it = p.scope.new_it("?")
    made = Draft(quantifier, it.name, amount, token.line)
    before_noun = _before_noun(p, it)
    noun = parse_noun(p)
    if noun is None:
        if before_noun.adjectives and p.now.kind != WORD:
            before = p.tokens[p.at - 1]
            help_ = "a noun follows: `.. space`, `.. actor`, `.. card`"
            raise p.fail("missing-part", f"what '{before.text}' describes is not said", before, help_)
        lists = [x.name for x in p.symbols.lists.values()]
        nouns = ["actor", "ally", "enemy", "card", "space", *lists, *p.symbols.templates]
        number = "`let [N] = choose a number from A to B`, `together .. chooses a number [N] from A to B: ..`"
        raise p.unknown("sort of thing", nouns, otherwise=number if p.now.is_("number") else "")
    made.noun, made.type = noun
    it = t.TLocal(it.name, made.type)
    p.scope.locals[it.name] = made.type
    made.tests += described(p, before_noun.adjectives, it, token)
    relations(p, made, it)
    if before_noun.other:
        made.tests.append(t.Never(t.Same(it, me(p))))
    if before_noun.beside:
        made.tests.append(adjacent(it, me(p)))
    with p.scope.about(it):
        if p.take("where"):
            made.tests.append(parse_check(p))
        if before_noun.nearest:
            made.prefs.append(t.Pref(True, t.Distance(me(p), it)))
        if not whether:
            preferences(p, made, it)
    relations(p, made, it)
    if not whether:
        _late(p, made, it)
    if quantifier in ONE and (p.take("or", "else") or p.take(",", "or", "else")):
        made.orelse = parse_thing(p, made.type)
    return made.done()


@dataclass(slots=True)
class _BeforeNoun:
    """What stands before the noun, besides the quantifier."""

    adjectives: list[t.Cond_] = field(default_factory=list[t.Cond_])
    nearest: bool = False
    other: bool = False
    beside: bool = False


def _before_noun(p: Cursor, it: t.TLocal) -> _BeforeNoun:
    found = _BeforeNoun()
    while True:
        if p.now.is_("adjacent") and not p.ahead().is_("to"):
            p.next()
            found.beside = True
            continue
        if p.take("nearest"):
            found.nearest = True
            continue
        if p.now.is_("other") and not p.ahead().is_("than"):
            p.next()
            found.other = True
            continue
        at = p.at
        noun = parse_noun(p) is not None and not adjective_wins(p)
        p.at = at
        one = None if noun else adjective(p, it)
        if one is None:
            return found
        if not isinstance(one, bool):
            found.adjectives.append(one)


def _late(p: Cursor, made: Draft, it: t.TLocal) -> None:
    """More preferences after the last relation, and lots for whoever is still equal."""
    if (
        p.now.is_(",")
        and p.ahead().is_("then")
        and p.ahead(2).is_("lowest", "highest", "nearest", "by", "those")
    ):
        p.at += 2
        made.prefs += preference_list(p, it)
    if p.take(",", "by", "lot") or p.take("by", "lot"):
        made.lots = True
        order = p.symbols.roles.triggers
        if made.type == t.ACTOR and order:
            made.lots_order = preference_named(p, order, it)
        if p.take("among", "those", "where"):
            with p.scope.about(it):
                made.lots_for = parse_check(p)
