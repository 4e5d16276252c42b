"""Tokens -> statements that are one thing done: cards, actors, statuses, features, orders, spaces.

In:  the expression grammar.
Out: one node for each.
"""

from __future__ import annotations

import re
from dataclasses import replace

from rulewright.book import tree as t
from rulewright.book.grammar.cursor import Cursor
from rulewright.book.grammar.dispatch import (
    begins,
    parse_check,
    parse_number,
    parse_status,
    parse_thing,
)
from rulewright.book.grammar.forms import parse_cards, statement
from rulewright.book.grammar.moments import parse_until
from rulewright.book.grammar.owners import me
from rulewright.book.grammar.preferences import preference_list
from rulewright.book.grammar.scope import Mistake
from rulewright.book.grammar.things import simple_thing
from rulewright.book.grammar.words import parse_zone, quoted_feature, status_name
from rulewright.book.index import ACTION, FEATURE, ORDER, PLAN, RESOURCE, STATUS, TERRAIN
from rulewright.book.phrases.match import DURATION, expand
from rulewright.book.text.source import Line
from rulewright.book.text.tokens import END, NUMBER, STRING, WORD, tokenize


def becomes(p: Cursor, who: t.Thing_, line: int) -> t.Stmt_:
    status = status_name(p)
    if status is None and who.type != t.SPACE:
        status = parse_status(p)
    if status is None:
        terrain = p.name(TERRAIN)
        if terrain is not None and who.type == t.SPACE:
            number = p.symbols.terrains.numbers[terrain]
            return t.SetTerrain(who, t.TConst("Terrain", number), line=line)
        raise p.unknown("status", [s.name for s in p.symbols.statuses.values()])
    stacks: t.Num_ = t.Num(1, "stacks")
    turns: t.Num_ = t.Num(0, "turns")
    power: t.Num_ = t.Num(0, "power")
    by: t.Thing_ | None = None
    until: t.Moment | None = None
    count: t.Num_ | None = None
    if p.now.kind == NUMBER or p.now.is_("["):
        stacks = parse_number(p)
    while True:
        if p.now.is_("for") and _turns_follow(p):
            p.next()
            turns = parse_number(p)
            p.next()
        elif p.take("with", "power"):
            power = parse_number(p)
        elif p.take("by"):
            by = parse_thing(p, t.ACTOR)
        elif p.now.is_("until", "for"):
            until, count = parse_until(p)
            if until is None:
                break
        else:
            break
    return t.GiveStatus(who, status, stacks, turns, power, by, until, count, line=line)


def _turns_follow(p: Cursor) -> bool:
    at = p.at
    p.next()
    try:
        parse_number(p)
        ok = p.now.is_("turn", "turns")
    except Mistake:
        ok = False
    p.at = at
    return ok


def gain(p: Cursor, who: t.Thing_, line: int) -> t.Stmt_:
    key = _feature(p, "gains", "becomes {}")
    if isinstance(key, str):
        p.symbols.features[key].attached = True
    until, count = parse_until(p)
    if until is None and isinstance(key, str):
        until, count = _usual_time(p, key)
    return t.GainFeature(who, key, until, count, line=line)


def _feature(p: Cursor, verb: str, of_status: str) -> str | t.Thing_:
    """The name of a feature, perhaps in quotation marks; or a thing that is one. What is said instead of a
    status is for those who tried it with this verb."""
    p.take("feature")
    if p.now.kind == STRING:
        return quoted_feature(p)
    found = p.name(FEATURE)
    if found is not None:
        return found
    if "Feature" in p.symbols.lists and p.now.kind == WORD and p.now.text.islower():
        return parse_thing(p, "Feature")
    token, status = p.now, p.name(STATUS)
    if status is not None:
        name = p.symbols.statuses[status].name
        words = f"'{name}' is a status, and `{verb}` is for features"
        raise Mistake("wrong-kind", token, words, f"write `{of_status.format(name)}`")
    raise p.unknown("feature", [f.name for f in p.symbols.features.values()])


def _usual_time(p: Cursor, key: str) -> tuple[t.Moment | None, t.Num_ | None]:
    """How long a feature lasts by its own title: `(Actor, 3 Turns)`."""
    found = re.search(r"(\d+) (Turns?|Rounds?)", p.symbols.features[key].definition.extra)
    if found is None or not p.symbols.phrases:
        return None, None
    tokens = tokenize([Line("", p.now.line, 0, f"for {found.group(1)} {found.group(2).lower()}")], [], True)
    hit = p.symbols.phrases.find(DURATION, tokens, 0, lambda token: token.kind == END)
    if hit is None:
        return None, None
    inner = Cursor(
        [*expand(hit.phrase.fields[0][1], hit.captured, tokens[0]), tokens[-1]], p.symbols, p.scope, []
    )
    return parse_until(inner)


def lose(p: Cursor, who: t.Thing_, line: int) -> t.Stmt_:
    return t.LoseFeature(who, _feature(p, "loses", "remove {} from .."), line=line)


@begins("move")
def s_move(p: Cursor, line: int) -> t.Stmt_:
    what = parse_cards(p)
    p.take(",")
    p.expect("to")
    if t.kind_of(what.type).piled:
        bottom = p.take("bottom", "of") or p.take("the", "bottom", "of")
        _ = p.take("top", "of") or p.take("the", "top", "of")
        zone, owner = parse_zone(p)
        return t.MoveCard(what, zone, owner, bool(bottom), line=line)
    return t.MoveActor(what, parse_thing(p, t.SPACE), line=line)


@begins("walk")
def s_walk(p: Cursor, line: int) -> t.Stmt_:
    path = parse_thing(p, t.PATH)
    if not p.take("while"):
        return t.Walk(path, "", None, line=line)
    it = p.scope.new_it(t.SPACE)
    with p.scope.about(it):
        return t.Walk(path, it.name, parse_check(p), line=line)


@begins("take")
def s_take(p: Cursor, line: int) -> t.Stmt_:
    who = parse_cards(p, t.ACTOR)
    if isinstance(who, t.Selector) and who.out_of_play:
        who = replace(who, out_of_play=False)  # the words belong to `take`, not to the selector
    else:
        p.expect("out", "of", "play")
    return t.TakeFromPlay(who, line=line)


@begins("remove")
def s_remove(p: Cursor, line: int) -> t.Stmt_:
    if p.take("every", "Status", "from") or p.take("every", "status", "from"):
        return t.Cleanse(parse_thing(p, t.ACTOR), line=line)
    if p.take("every", "space"):
        return t.UnlaySpaces(line=line)
    status = status_name(p)
    if status is not None:
        p.take("status")
        who = parse_thing(p, t.ACTOR) if p.take("from") else me(p)
        return t.LoseStatus(who, status, line=line)
    if p.now.kind == WORD and p.now.text.islower():
        at = p.at
        thing = simple_thing(p, t.STATUS)
        if thing is not None and thing.type == t.STATUS:
            return t.LoseStatus(parse_thing(p, t.ACTOR) if p.take("from") else me(p), thing, line=line)
        p.at = at
    who = parse_thing(p, t.ACTOR)
    p.expect("from")
    order = p.need(ORDER)
    return t.LeaveOrder(who, order, line=line)


@begins("add")
def s_add(p: Cursor, line: int) -> t.Stmt_:
    who = parse_cards(p, t.ACTOR)
    p.expect("to")
    order = p.need(ORDER)
    if p.take("after", "equals", "by"):
        it = p.scope.new_it(t.ACTOR)
        prefs = preference_list(p, it)
        return t.JoinOrder(who, order, it.name, prefs, line=line)
    if p.take("at"):
        return t.InsertInOrder(who, order, parse_number(p), line=line)
    return t.AppendToOrder(who, order, line=line)


@begins("sort")
def s_sort(p: Cursor, line: int) -> t.Stmt_:
    order = p.need(ORDER)
    p.expect("by")
    it = p.scope.new_it(t.ACTOR)
    prefs = preference_list(p, it)
    ties = keeping = None
    if p.take(",", "ties"):
        p.expect("roll")
        with p.scope.about(it):
            ties = parse_number(p)
        if p.take("keeping", "["):
            name = p.need(RESOURCE)
            keeping = p.resource_named(name)
            p.expect("]")
    return t.SortOrder(order, prefs, it.name, ties, keeping, line=line)


@begins("lay")
def s_lay(p: Cursor, line: int) -> t.Stmt_:
    plan = p.name(PLAN)
    if plan is not None:
        return t.LayPlan(plan, line=line)
    p.take("a")
    if not p.take("space", "at"):
        raise p.unknown("plan", list(p.symbols.plans))
    return t.LaySpace(parse_thing(p, t.PLACE), line=line)


@begins("free")
def s_free(p: Cursor, line: int) -> t.Stmt_:
    """`free ACTION of [R] N times`: the next uses of the action take nothing of R (see reach.py)."""
    action = p.need(ACTION)
    p.expect("of", "[")
    key = p.need(RESOURCE)
    p.expect("]")
    times = parse_number(p)
    p.expect("times")
    uses = p.symbols.roles.free_uses
    if uses is None:
        raise p.fail("unexecutable", "no resource has the role `free uses`")
    found = p.symbols.actions[action]
    p.symbols.freed.add((found.index, p.resource_named(key).name))
    owners: list[t.Thing_] = [t.TLocal("self", t.ACTOR), t.TConst("Action", found.index)]
    return t.SetNumber(t.ReadRes(uses, owners), "=", t.Final(times), None, None, line=line)


statement("create {a|an|} {face} in {zone}", t.CreateCard)
statement("build {zone} from {deck}", t.BuildDeck)
statement("reveal {cards} to {all|{actor}}", t.RevealCard)
statement("destroy {cards}", t.DestroyCard)
statement("shuffle {zone}", t.ShuffleZone)
statement("put {actors} in play {at {space}|}", t.PutInPlay)
statement("swap {actor} and {actor}", t.Swap)
statement("turn {actor} to {direction}", t.SetFacing)
statement("clear {order}", t.ClearOrder)
statement("reverse {order}", t.ReverseOrder)
statement("settle {actor}", t.Settle)
statement("forget {actor}", t.Forget)
statement("expire {moment} on {actor}", t.Expire)
statement("undo every timed change", t.UndoAll)
