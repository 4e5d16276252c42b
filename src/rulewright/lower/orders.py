"""Turn orders and laid spaces: joining, leaving, sorting with ties that roll.

In:  SortOrder, and statements about orders and spaces that are laid.
Out: code.
"""

from __future__ import annotations

from rulewright.book import tree as t
from rulewright.ir import events as ev
from rulewright.ir import nodes as n
from rulewright.lower.builder import Builder, var
from rulewright.lower.dispatch import STATEMENTS, lowers, number, row, thing
from rulewright.lower.keys import first_better
from rulewright.lower.loops import many
from rulewright.lower.template import Hole, fill
from rulewright.lower.templates import orders as templates
from rulewright.lower.terms import place_x, place_y, start_again
from rulewright.lower.writer import Writer, both, call, const, consts, equal, local, present, state


def _told(b: Builder, w: Writer, order: str) -> None:
    w.event(ev.ORDER, list(b.layout.order_base).index(order))


@lowers(STATEMENTS, t.AppendToOrder)
def append_to_order(b: Builder, w: Writer, s: t.AppendToOrder) -> None:
    base = b.layout.order_base[s.order]

    def run(who: n.Expr) -> None:
        with w.if_(both([present(who), n.Not(call("order_has", base, who))])):
            w.call("order_add", base, b.layout.actors * 2, who)

    many(b, w, s.who, run)
    _told(b, w, s.order)


@lowers(STATEMENTS, t.InsertInOrder)
def insert_in_order(b: Builder, w: Writer, s: t.InsertInOrder) -> None:
    base, size = b.layout.order_base[s.order], b.layout.actors * 2
    if isinstance(s.who, t.Selector):
        many(b, w, s.who, lambda who: w.call("order_insert", base, size, who, number(b, w, s.place)))
    else:
        w.call("order_insert", base, size, thing(b, w, s.who), number(b, w, s.place))
    _told(b, w, s.order)


@lowers(STATEMENTS, t.LeaveOrder)
def leave_order(b: Builder, w: Writer, s: t.LeaveOrder) -> None:
    base = b.layout.order_base[s.order]
    many(b, w, s.who, lambda who: w.call("order_remove", base, who))


@lowers(STATEMENTS, t.ReverseOrder)
def reverse_order(b: Builder, w: Writer, s: t.ReverseOrder) -> None:
    """The last comes first. Whoever goes through the order goes on at the same place of it."""
    call = b.closure("reverse", lambda c: fill(c, templates.reverse, slots(b, s.order)), w.site)
    w.emit(n.Do(call, w.site))
    _told(b, w, s.order)


@lowers(STATEMENTS, t.JoinOrder)
def join_order(b: Builder, w: Writer, s: t.JoinOrder) -> None:
    """Into the order behind everyone who is at least as good."""
    if isinstance(s.who, t.Selector):
        many(b, w, s.who, lambda who: _join(b, w, s, who))
    else:
        _join(b, w, s, thing(b, w, s.who))


def _join(b: Builder, w: Writer, s: t.JoinOrder, who: n.Expr) -> None:
    actor = w.temp(who, "who")
    place = b.closure("join", lambda c: fill(c, templates.join, {**_compared(b, c, s), "WHO": actor}), w.site)
    with w.if_(present(local(actor))):
        w.call("order_insert", b.layout.order_base[s.order], b.layout.actors * 2, local(actor), place)
    _told(b, w, s.order)


row(STATEMENTS, t.ClearOrder, lambda b, w, s: w.call("order_clear", b.layout.order_base[s.order]))
row(STATEMENTS, t.LaySpace, lambda b, w, s: w.call("lay_space", thing(b, w, s.place), w.site))


@lowers(STATEMENTS, t.LayPlan)
def lay_plan(b: Builder, w: Writer, s: t.LayPlan) -> None:
    """All spaces of a picture, one after the other."""
    codes = [(x + 64) * 128 + y + 64 for x, y in b.symbols.plans[s.plan]]
    at = b.layout.table(f"plan {s.plan}", codes)
    i = w.temp(0, "i")
    with w.counting(i, const(len(codes))):
        w.call("lay_space", consts(at + local(i)), w.site)


def lay_function(b: Builder) -> None:
    """lay_space(place, site): a new space there, as new: its numbers start again."""
    with b.function("lay_space", ("place", "site")) as w:
        if b.layout.laid:
            w.assign("self", state(b.layout.laid))
            fits = local("self") < len(b.symbols.spaces)
            with w.if_(both([present(local("place")), fits])):
                w.store(b.layout.base["!x"] + local("self"), place_x(local("place")))
                w.store(b.layout.base["!y"] + local("self"), place_y(local("place")))
                w.store(b.layout.base["!terrain"] + local("self"), -1)
                start_again(b, w, t.SPACE)
                w.store(b.layout.laid, local("self") + 1)
                w.tell(local("site"), ev.LAY, local("self"), 1)


@lowers(STATEMENTS, t.UnlaySpaces)
def unlay_spaces(b: Builder, w: Writer, s: t.UnlaySpaces) -> None:
    """No space is left, and nobody stands anywhere."""
    w.store(b.layout.laid, 0)
    for i in range(b.layout.actors):
        w.store(b.layout.base["!place"] + i, -1)
    w.event(ev.LAY, -1, 0)


@lowers(STATEMENTS, t.SortOrder)
def sort(b: Builder, w: Writer, s: t.SortOrder) -> None:
    """By the preferences, then those who are equal by rolls."""
    groups = {"GROUPS": b.memory(b.layout.actors * 2)}

    def sorted_by(c: Writer) -> None:
        count = len(s.prefs)
        same = [
            local("i") > 0,
            *(equal(local(f"a{i}"), local(f"b{i}")) for i in range(count)),
        ]

        def keep() -> None:
            for i in range(count):
                c.assign(f"b{i}", local(f"a{i}"))

        fill(c, templates.sort, {**_compared(b, c, s), **groups, "SAME": both(same), "KEEP": keep})

    def rolled(c: Writer) -> None:
        def keep() -> None:
            if s.keeping is not None:
                slot = b.layout.base[b.layout.key(s.keeping)] + local(var(s.it))
                with c.if_(equal(state(slot), 0)):
                    c.store(slot, local("face"))

        rolls: dict[str, Hole] = {
            "ROLLS": b.memory(b.layout.actors * 2),
            "ROLL": lambda: number(b, c, s.ties),
        }
        fill(c, templates.ties, {**slots(b, s.order), **groups, **rolls, "IT": var(s.it), "KEEP": keep})

    w.emit(n.Do(b.closure("sort", sorted_by, w.site), w.site))
    if s.ties is not None:
        w.emit(n.Do(b.closure("ties", rolled, w.site), w.site))
    _told(b, w, s.order)


def slots(b: Builder, order: str) -> dict[str, Hole]:
    """Where an order lies."""
    base = b.layout.order_base[order]
    return {"ORDER": base, "BEFORE": base + 1, "FIRST": base + 2}


def _compared(b: Builder, c: Writer, s: t.JoinOrder | t.SortOrder) -> dict[str, Hole]:
    """An order, and the values by which two of it are compared: a0, a1, .. and b0, b1, .."""

    def values(prefix: str) -> None:
        for i, pref in enumerate(s.prefs):
            c.assign(f"{prefix}{i}", number(b, c, pref.value))

    better = first_better([pref.low for pref in s.prefs], "a", "b")
    made: dict[str, Hole] = {"IT": var(s.it), "MINE": lambda: values("a"), "THEIRS": lambda: values("b")}
    return {**slots(b, s.order), **made, "BETTER": better}
