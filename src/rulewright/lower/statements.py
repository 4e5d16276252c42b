"""Statements -> IR statements.

In:  checked blocks.
Out: code in a Writer. Whatever may end a sequence is followed by a mark (see unwind.py).
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import replace
from functools import cache
from typing import Any

from rulewright.book import tree as t
from rulewright.ir import events as ev
from rulewright.ir import nodes as n
from rulewright.ir.events import MOST_SEATS
from rulewright.ir.program import FAULT_BOUND, UNWIND
from rulewright.lower import actions as m_actions
from rulewright.lower import behaviors as m_behaviors
from rulewright.lower import cards as m_cards
from rulewright.lower import changes as m_changes
from rulewright.lower import checks as m_checks
from rulewright.lower import choices as m_choices
from rulewright.lower import deeds as m_deeds
from rulewright.lower import framework as m_framework
from rulewright.lower import lasting as m_lasting
from rulewright.lower import lazy as m_lazy
from rulewright.lower import orders as m_orders
from rulewright.lower import secrets as m_secrets
from rulewright.lower import selectors as m_selectors
from rulewright.lower import statuses as m_statuses
from rulewright.lower import terms as m_terms
from rulewright.lower import things as m_things
from rulewright.lower.builder import Builder
from rulewright.lower.writer import Writer, add, both, const, consts, equal, local, state

SEVERAL = ("every", "each", "all", "")
"""Quantifiers that mean all who fit."""
CIRCLES = 100_000
"""How often one `repeat while` may go round before it counts as endless."""


def block(b: Builder, w: Writer, body: t.Block_) -> None:
    """A block, statement by statement."""
    for i, s in enumerate(body):
        before = w.site
        line = getattr(s, "line", 0)
        if line:
            w.site = b.site(line)
        statement(b, w, s, m_secrets.straight_into(s, body[i + 1 :]))
        w.site = before


def statement(b: Builder, w: Writer, s: t.Stmt_, into: m_secrets.Hidden | None = None) -> None:
    """One statement; what comes out of it may go straight into something hidden."""
    match s:
        case t.SetNumber() if into is not None:
            with m_secrets.told_to(w, m_secrets.audience(b, w, into)):
                m_changes.set_number(b, w, s)
        case t.SetNumber():
            m_changes.set_number(b, w, s)
        case t.SetThing():
            m_changes.set_thing(b, w, s)
        case t.LetTally():
            m_changes.let_tally(b, w, s)
        case t.Give(value=value):
            made = (
                m_things.thing(b, w, value)
                if getattr(value, "type", t.NUMBER) != t.NUMBER
                else m_framework.number(b, w, value)
            )
            w.emit(n.Return(made, w.site))
        case t.RunStmt(run=run, each=every):
            if every is not None:
                each(b, w, every, lambda: _run(b, w, run))
            else:
                _run(b, w, run)
        case t.Perform():
            m_behaviors.perform(b, w, s)
        case t.IfStmt():
            _if(b, w, s)
        case t.Repeat():
            _repeat(b, w, s)
        case t.ForEach(selector=selector, body=body):
            each(b, w, selector, lambda: block(b, w, body))
        case t.Stop():
            w.emit(n.Break(w.site))
        case t.Choose():
            m_choices.choose(b, w, s, into)
        case t.ChooseMany():
            m_choices.choose_many(b, w, s, into)
        case t.LetChoose():
            m_choices.let_choose(b, w, s, into)
        case t.Window():
            m_actions.window(b, w, s)
        case t.Act():
            m_actions.act(b, w, s)
        case t.Simple():
            _simple()[s.what](b, w, s)
        case t.SortOrder():
            m_orders.sort(b, w, s)
        case t.EndSeq():
            _end(b, w, s)
        case t.Say():
            args = [_said(b, w, a) for a in s.args[:3]]
            w.event(ev.SAY, b.text(_say_text(s)), *args)
        case t.FirstPossible():
            _first_possible(b, w, s)
        case t.Inline(body=body):
            block(b, w, body)
        case t.EndMatch():
            _end_match(b, w, s)
        case _:
            m_framework.more_statement(b, w, s)


def plain_more_statement(w: Writer, s: Any) -> None:
    """Statements of frameworks; made in lower/framework.py."""
    raise AssertionError(f"no statement: {s}")


def _say_text(s: t.Say) -> str:
    kinds = [getattr(a, "type", t.NUMBER) if not isinstance(a, t.Run) else a.component.gives for a in s.args]
    text = s.text
    for i, kind in enumerate(kinds):
        text = text.replace(f"{{{i}}}", f"{{{i}:{kind}}}")
    return text


def _said(b: Builder, w: Writer, a: Any) -> n.Expr:
    return (
        m_things.thing(b, w, a) if getattr(a, "type", t.NUMBER) != t.NUMBER else m_framework.number(b, w, a)
    )


def _run(b: Builder, w: Writer, run: t.Run) -> None:
    args = m_terms.arguments(b, w, run.component, run.self_, run.args)
    if run.start:
        w.store(b.layout.start, run.start)
    w.call(b.name_of(run.component), *args)
    w.check()


# ------------------------------------------------------------ control
def _if(b: Builder, w: Writer, s: t.IfStmt) -> None:
    test = m_checks.check(b, w, s.test)
    with w.nested() as then:
        block(b, w, s.then)
    with w.nested() as orelse:
        block(b, w, s.orelse)
    w.emit(n.If(test, tuple(then), tuple(orelse), w.site))
    w.check()


def _repeat(b: Builder, w: Writer, s: t.Repeat) -> None:
    if s.times is not None:
        left = w.temp(m_framework.number(b, w, s.times), "left")
        with w.while_(n.Binary(">", local(left), const(0))):
            w.assign(left, n.Binary("-", local(left), const(1)))
            block(b, w, s.body)
    else:
        # Rules that run in a circle without a decision would never come back: nothing else counts here.
        turns = w.temp(const(0), "turns")
        with w.while_(const(1)):
            test = m_checks.check(b, w, s.while_)
            w.emit(n.If(n.Not(test), (n.Break(w.site),), (), w.site))
            w.assign(turns, add(local(turns), 1))
            with w.if_(n.Binary(">", local(turns), const(CIRCLES))):
                w.call("fault", FAULT_BOUND)
            block(b, w, s.body)
    w.check()


def each(b: Builder, w: Writer, s: t.Selector, body: Callable[[], None]) -> None:
    """Every candidate once: in written order, or by the preference."""
    if s.domain == "order" and s.quantifier == "each" and not s.prefs:
        _live(b, w, s, body)
        return
    if not s.prefs:
        m_selectors.loop(b, w, s, body)
        w.check()
        return
    # One bit a candidate, thirty to a number: a local that outlives a decision has 32 bits.
    count = (b.layout.count_of(s.type) + 29) // 30
    masks = [w.temp(const(0), "done") for _ in range(count)]
    it = m_terms.var(s.it)
    with w.while_(const(1)):
        found = _next_best(b, w, s, masks)
        w.assign(it, found)
        w.emit(n.If(n.Binary("<", local(it), const(0)), (n.Break(w.site),), (), w.site))
        for k, mask in enumerate(masks):
            bit = consts(add(const(b.layout.tables["powers"] - 30 * k), local(it)))
            with w.if_(equal(n.Binary("//", local(it), const(30)), k)) if count > 1 else nullcontext():
                w.assign(mask, add(local(mask), bit))
        body()
    w.check()


def _next_best(b: Builder, w: Writer, s: t.Selector, masks: list[str]) -> n.Expr:
    it = local(m_terms.var(s.it))
    test: n.Expr = const(1)
    for k, mask in reversed(list(enumerate(masks))):
        bit = consts(add(const(b.layout.tables["powers"] - 30 * k), it))
        free = equal(n.Binary("%", n.Binary("//", local(mask), bit), const(2)), 0)
        test = free if len(masks) == 1 else n.Pick(equal(n.Binary("//", it, const(30)), k), free, test)

    def build(c: Writer) -> None:
        c.site = w.site
        m_selectors.best(b, c, s, test)

    return b.closure("s_next", build, w.site)


def _live(b: Builder, w: Writer, s: t.Selector, body: Callable[[], None]) -> None:
    """Walk through an order by its cursor, which joining and leaving keep right."""
    base = b.layout.order_base[s.domain_args[0]]
    it = m_terms.var(s.it)
    saved = w.temp(state(base + 1), "cursor")
    w.store(base + 1, -1)
    with w.while_(n.Binary("<", add(state(base + 1), 1), state(base))):
        w.store(base + 1, add(state(base + 1), 1))
        w.assign(it, state(add(const(base + 2), state(base + 1))))
        tests = [m_checks.check(b, w, x) for x in s.tests]
        if tests:
            with w.if_(both(tests)):
                body()
        else:
            body()
    w.store(base + 1, local(saved))
    w.check()


def _first_possible(b: Builder, w: Writer, s: t.FirstPossible) -> None:
    with w.while_(const(1)):
        for test, body in s.lines:
            legal = m_checks.check(b, w, test) if test is not None else m_behaviors.possible(b, w, body)
            with w.if_(legal):
                block(b, w, body)
                w.emit(n.Break(w.site))
        w.emit(n.Break(w.site))
    w.check()


def plain_possible(b: Builder, w: Writer, body: t.Block_) -> n.Expr:
    """Can every `perform` in these statements be done now?"""
    tests = [m_behaviors.can(b, w, s) for s in body if isinstance(s, t.Perform)]
    return both(tests) if tests else const(1)


def _end(b: Builder, w: Writer, s: t.EndSeq) -> None:
    frame = state(b.layout.current[id(s.sequence)])
    with w.if_(frame):
        w.store(b.layout.skip, -1 if s.step is None else s.step)
        w.store(UNWIND, frame)
    w.check()


def _end_match(b: Builder, w: Writer, s: t.EndMatch) -> None:
    w.store(b.layout.result["ending"], s.ending + 1)
    score = b.layout.result["score"]
    w.event(ev.END, s.ending, -1)
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
        _credit(b, w, m_things.thing(b, w, winner), winner.type, score)
        return
    chosen = winner.selector
    every = replace(chosen, prefs=[])
    it = m_terms.var(chosen.it)
    keys: list[str] = []
    if chosen.prefs:  # those who are as good as the best share the win
        w.assign(it, m_selectors.plain_select(b, w, chosen, "the"))
        keys = [w.temp(m_framework.number(b, w, pref.value), "best") for pref in chosen.prefs]

    def each_winner() -> None:
        same = [
            equal(m_framework.number(b, w, pref.value), local(key))
            for pref, key in zip(chosen.prefs, keys, strict=True)
        ]
        with w.if_(both(same)):
            _credit(b, w, local(it), chosen.type, score)

    m_selectors.loop(b, w, every, each_winner)


def _credit(b: Builder, w: Writer, winner: n.Expr, kind: str, score: int) -> None:
    side = w.temp(
        winner if kind == t.SIDE else n.Call("cell", (const(b.layout.base["!side"]), winner, const(-1))),
        "side",
    )
    for i in range(len(b.symbols.actors)):
        seat = state(b.layout.base["!controller"] + i)
        mine = n.Binary("==", state(b.layout.base["!side"] + i), local(side))
        ok = both([n.Binary(">=", seat, const(0)), n.Binary("<", seat, const(MOST_SEATS)), mine])
        with w.if_(ok):
            w.store(add(const(score), seat), 1)


@cache
def _simple() -> dict[str, Callable[[Builder, Writer, t.Simple], None]]:
    """Statements that are one deed, by their word."""
    return {
        "append": m_orders.x_append,
        "bottom": m_cards.x_bottom,
        "build": m_cards.x_build,
        "card": m_cards.x_card,
        "cleanse": m_statuses.x_cleanse,
        "clear": m_orders.x_clear,
        "control": m_deeds.x_control,
        "create": m_cards.x_create,
        "destroy": m_cards.x_destroy,
        "expire": m_lasting.x_expire,
        "forget": m_lasting.x_forget,
        "gain": m_lasting.x_gain,
        "insert": m_orders.x_insert,
        "join": m_orders.x_join,
        "lay": m_orders.x_lay,
        "lay plan": m_orders.x_lay_plan,
        "leave": m_orders.x_leave,
        "lose": m_lasting.x_lose,
        "map": m_deeds.x_map,
        "natural": m_framework.x_natural,
        "nothing": m_deeds.x_nothing,
        "place": m_deeds.x_place,
        "put": m_deeds.x_put,
        "restart": m_deeds.x_restart,
        "reveal": m_cards.x_reveal,
        "set facing": m_deeds.x_set_facing,
        "set side": m_deeds.x_set_side,
        "set terrain": m_deeds.x_set_terrain,
        "settle": m_lazy.x_settle,
        "shuffle": m_cards.x_shuffle,
        "status": m_lasting.x_status,
        "swap": m_deeds.x_swap,
        "take": m_deeds.x_take,
        "terrain": m_deeds.x_terrain,
        "undo": m_lasting.x_undo,
        "unlay": m_orders.x_unlay,
        "unstatus": m_statuses.x_unstatus,
        "walk": m_deeds.x_walk,
    }
