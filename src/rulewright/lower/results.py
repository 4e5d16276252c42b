"""How a match ends -> who has won, ranks and numbers in their slots.

In:  EndMatch.
Out: code that fills the slots of the result: `score` (1 won, 0 lost, 2 drawn), `rank` (from 1) and `points`,
     one a seat. The last two exist only in books that say `ranked by` or `scores`.

A seat is ranked by the best of the actors it leads, in play or not, and has the points of all of them.
Whoever is ranked first has won unless the book names winners; equals share a rank.
"""

from __future__ import annotations

from dataclasses import replace

from rulewright.book import tree as t
from rulewright.ir import events as ev
from rulewright.ir import nodes as n
from rulewright.ir.events import MOST_SEATS
from rulewright.ir.program import SEATS, UNWIND
from rulewright.lower.builder import Builder, cell_of, field_of, var
from rulewright.lower.dispatch import STATEMENTS, lowers, number, thing
from rulewright.lower.selectors import loop, plain_select
from rulewright.lower.writer import Writer, absent, both, call, const, equal, local, mul, present, state

SEVERAL = ("every", "each", "all", "")
"""Quantifiers that mean all who fit."""
LOTS = 1 << 20
"""What is drawn by whoever is equal."""


@lowers(STATEMENTS, t.EndMatch)
def end_match(b: Builder, w: Writer, s: t.EndMatch) -> None:
    w.store(b.layout.result["ending"], s.ending + 1)
    score = b.layout.result["score"]
    w.event(ev.END, s.ending, -1)
    if s.points is not None:
        _points(b, w, s, s.points)
    if s.ranks:
        _ranks(b, w, s, s.winner is None and not s.everyone)
    if s.everyone:
        value = {"win": 1, "draw": 2, "loss": 0}[s.everyone]
        for seat in range(MOST_SEATS):
            w.store(score + seat, value)
    elif s.winner is not None:
        _scores(b, w, s.winner, score)
    w.store(UNWIND, -1)
    w.check()


def _scores(b: Builder, w: Writer, winner: t.Thing_, score: int) -> None:
    """The seats of the winner (an actor's side, or a side) win; of several winners, those of each."""
    if not isinstance(winner, t.TSelect) or winner.selector.quantifier not in SEVERAL:
        _credit(b, w, thing(b, w, winner), winner.type, score)
        return
    chosen = winner.selector
    every = replace(chosen, prefs=[])
    it = var(chosen.it)
    keys: list[str] = []
    if chosen.prefs:  # those who are as good as the best share the win
        w.assign(it, plain_select(b, w, chosen, "the"))
        keys = [w.temp(number(b, w, pref.value), "best") for pref in chosen.prefs]

    def each_winner() -> None:
        same = [
            equal(number(b, w, pref.value), local(key)) for pref, key in zip(chosen.prefs, keys, strict=True)
        ]
        with w.if_(both(same)):
            _credit(b, w, local(it), chosen.type, score)

    loop(b, w, every, each_winner)


def _credit(b: Builder, w: Writer, winner: n.Expr, kind: str, score: int) -> None:
    side = w.temp(winner if kind == t.SIDE else field_of(b, "!side", winner), "side")
    for i in range(len(b.symbols.actors)):
        seat = state(b.layout.base["!controller"] + i)
        mine = equal(state(b.layout.base["!side"] + i), local(side))
        with w.if_(both([_seated(seat), mine])):
            w.store(const(score) + seat, 1)


def _seated(seat: n.Expr) -> n.Expr:
    return both([present(seat), seat < state(SEATS)])


def _slots(b: Builder, name: str, count: int = MOST_SEATS) -> int:
    """The slots of a part of the result that not every book has."""
    if name not in b.layout.result:
        b.layout.result[name] = b.layout.slots(count)
    return b.layout.result[name]


def _led(b: Builder, w: Writer) -> tuple[n.Local, n.Expr]:
    """An actor in a local of its own, from 0, and the seat that leads it."""
    actor = w.temp(0, "actor")
    return local(actor), cell_of(b, "!controller", local(actor))


def _points(b: Builder, w: Writer, s: t.EndMatch, value: t.Num_) -> None:
    at = _slots(b, "points")
    w.store(_slots(b, "pointed", 1), 1)
    actor, seat = _led(b, w)
    with w.while_(actor < len(b.symbols.actors)):
        with w.if_(_seated(seat)):
            w.assign(var(s.it), actor)
            place = const(at) + seat
            w.store(place, state(place) + number(b, w, value))
        w.assign(actor.name, actor + 1)


def _ranks(b: Builder, w: Writer, s: t.EndMatch, wins: bool) -> None:
    """Keys of every actor, the best actor of every seat, and how many seats are better than each."""
    width, actors = len(s.ranks) + 1, len(b.symbols.actors)
    keys, bests = b.memory(width * actors), b.memory(MOST_SEATS)
    rank, score = _slots(b, "rank"), b.layout.result["score"]
    for seat in range(MOST_SEATS):
        w.work(bests + seat, -1)
    actor, seat = _led(b, w)
    with w.while_(actor < actors):
        with w.if_(_seated(seat)):
            w.assign(var(s.it), actor)
            row = keys + mul(actor, width)
            for k, pref in enumerate(s.ranks):
                value = number(b, w, pref.value)
                key = const(0) - value if pref.low else value
                w.work(row + k, key)
            lot = call("rnd", LOTS) if s.lots else const(0)
            w.work(row + (width - 1), lot)
            best = n.Load("W", const(bests) + seat)
            first = n.Pick(absent(best), const(1), _better(keys, width, actor, best))
            with w.if_(first):
                w.work(const(bests) + seat, actor)
        w.assign(actor.name, actor + 1)
    mine, other = w.temp(0, "seat"), w.temp(None, "other")
    place = w.temp(None, "place")
    with w.counting(mine, state(SEATS)):
        w.assign(place, 1)
        w.assign(other, 0)
        with w.counting(other, state(SEATS)):
            a, c = (n.Load("W", bests + local(x)) for x in (other, mine))
            behind = n.Pick(absent(c), const(1), _better(keys, width, a, c))
            with w.if_(both([present(a), behind])):
                w.assign(place, local(place) + 1)
        w.store(rank + local(mine), local(place))
        if wins:
            w.store(score + local(mine), equal(local(place), 1))


def _better(keys: int, width: int, a: n.Expr, c: n.Expr) -> n.Expr:
    """Whether the first actor comes before the second by the first key in which they differ."""
    made: n.Expr = const(0)
    for k in reversed(range(width)):
        left, right = (n.Load("W", keys + mul(x, width) + k) for x in (a, c))
        made = n.Pick(equal(left, right), made, left > right)
    return made
