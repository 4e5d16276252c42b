"""Turn orders and laid spaces: joining, leaving, sorting with ties that roll.

In:  SortOrder, and statements about orders and spaces that are laid.
Out: code.
"""

from __future__ import annotations

from rulewright.book import tree as t
from rulewright.ir import events as ev
from rulewright.ir import nodes as n
from rulewright.lower.builder import Builder, var
from rulewright.lower.dispatch import STATEMENTS, lowers, number, thing
from rulewright.lower.loops import many
from rulewright.lower.terms import place_x, place_y, start_again
from rulewright.lower.writer import Writer, add, both, const, consts, equal, local, present, state


@lowers(STATEMENTS, t.AppendToOrder)
def append_to_order(b: Builder, w: Writer, s: t.AppendToOrder) -> None:
    base = b.layout.order_base[s.order]

    def run(who: n.Expr) -> None:
        with w.if_(both([present(who), n.Not(n.Call("order_has", (const(base), who)))])):
            w.call("order_add", base, b.layout.actors * 2, who)

    many(b, w, s.who, run)
    w.event(ev.ORDER, list(b.layout.order_base).index(s.order))


@lowers(STATEMENTS, t.InsertInOrder)
def insert_in_order(b: Builder, w: Writer, s: t.InsertInOrder) -> None:
    base, size = b.layout.order_base[s.order], b.layout.actors * 2
    if isinstance(s.who, t.Selector):
        many(b, w, s.who, lambda who: w.call("order_insert", base, size, who, number(b, w, s.place)))
    else:
        w.call("order_insert", base, size, thing(b, w, s.who), number(b, w, s.place))
    w.event(ev.ORDER, list(b.layout.order_base).index(s.order))


@lowers(STATEMENTS, t.LeaveOrder)
def leave_order(b: Builder, w: Writer, s: t.LeaveOrder) -> None:
    base = b.layout.order_base[s.order]
    many(b, w, s.who, lambda who: w.call("order_remove", base, who))


@lowers(STATEMENTS, t.ClearOrder)
def clear_order(b: Builder, w: Writer, s: t.ClearOrder) -> None:
    w.call("order_clear", b.layout.order_base[s.order])


@lowers(STATEMENTS, t.ReverseOrder)
def reverse_order(b: Builder, w: Writer, s: t.ReverseOrder) -> None:
    """The last comes first. Whoever goes through the order goes on at the same place of it."""
    base = b.layout.order_base[s.order]
    low = w.temp(const(base + 2), "low")
    high = w.temp(add(state(base), base + 1), "high")
    with w.while_(n.Binary("<", local(low), local(high))):
        held = w.temp(state(local(low)), "held")
        w.store(local(low), state(local(high)))
        w.store(local(high), local(held))
        w.assign(low, add(local(low), 1))
        w.assign(high, n.Binary("-", local(high), const(1)))
    w.event(ev.ORDER, list(b.layout.order_base).index(s.order))


@lowers(STATEMENTS, t.JoinOrder)
def join_order(b: Builder, w: Writer, s: t.JoinOrder) -> None:
    """Into the order behind everyone who is at least as good."""
    if isinstance(s.who, t.Selector):
        many(b, w, s.who, lambda who: _join(b, w, s, who))
    else:
        _join(b, w, s, thing(b, w, s.who))


def _join(b: Builder, w: Writer, s: t.JoinOrder, who: n.Expr) -> None:
    order, prefs = s.order, s.prefs
    base = b.layout.order_base[order]
    actor = w.temp(who, "who")
    it_name = var(s.it)

    def build(c: Writer) -> None:
        c.assign(it_name, local(actor))
        for i, pref in enumerate(prefs):
            c.assign(f"mine{i}", number(b, c, pref.value))
        c.assign("at", const(0))
        with c.counting("at", state(base)):
            c.assign(it_name, state(add(const(base + 2), local("at"))))
            worse: n.Expr = const(0)
            for i, pref in reversed(list(enumerate(prefs))):
                value = number(b, c, pref.value)
                lost = n.Binary(">" if pref.low else "<", value, local(f"mine{i}"))
                worse = n.Pick(lost, const(1), n.Pick(equal(value, local(f"mine{i}")), worse, const(0)))
            c.give_if(worse, local("at"))
        c.emit(n.Return(local("at")))

    place = b.closure("join", build, w.site)
    with w.if_(present(local(actor))):
        w.call("order_insert", base, b.layout.actors * 2, local(actor), place)
    w.event(ev.ORDER, list(b.layout.order_base).index(order))


@lowers(STATEMENTS, t.LaySpace)
def lay_one(b: Builder, w: Writer, s: t.LaySpace) -> None:
    """A new space at a place; it is the last one laid."""
    w.call("lay_space", thing(b, w, s.place), w.site)


@lowers(STATEMENTS, t.LayPlan)
def lay_plan(b: Builder, w: Writer, s: t.LayPlan) -> None:
    """All spaces of a picture, one after the other."""
    codes = [(x + 64) * 128 + y + 64 for x, y in b.symbols.plans[s.plan]]
    at = b.layout.table(f"plan {s.plan}", codes)
    i = w.temp(const(0), "i")
    with w.counting(i, const(len(codes))):
        w.call("lay_space", consts(add(const(at), local(i))), w.site)


def lay_function(b: Builder) -> None:
    """lay_space(place, site): a new space there, as new: its numbers start again."""
    w = b.writer("lay_space", ("place", "site"))
    if b.layout.laid:
        w.assign("self", state(b.layout.laid))
        fits = n.Binary("<", local("self"), const(len(b.symbols.spaces)))
        with w.if_(both([present(local("place")), fits])):
            w.store(add(const(b.layout.base["!x"]), local("self")), place_x(local("place")))
            w.store(add(const(b.layout.base["!y"]), local("self")), place_y(local("place")))
            w.store(add(const(b.layout.base["!terrain"]), local("self")), -1)
            start_again(b, w, t.SPACE)
            w.store(b.layout.laid, add(local("self"), 1))
            w.tell(local("site"), ev.LAY, local("self"), 1)
    b.add(w.function())


@lowers(STATEMENTS, t.UnlaySpaces)
def unlay_spaces(b: Builder, w: Writer, s: t.UnlaySpaces) -> None:
    """No space is left, and nobody stands anywhere."""
    w.store(b.layout.laid, 0)
    for i in range(b.layout.actors):
        w.store(b.layout.base["!place"] + i, -1)
    w.event(ev.LAY, -1, 0)


@lowers(STATEMENTS, t.SortOrder)
def sort(b: Builder, w: Writer, s: t.SortOrder) -> None:
    """Insertion sort by the preferences, then separate ties by rolling."""
    base = b.layout.order_base[s.order]
    it = var(s.it)
    size = b.layout.actors * 2
    groups = b.memory(size)
    call = b.closure("sort", lambda c: _sort_body(b, c, s, base, it, groups), w.site)
    w.emit(n.Do(call, w.site))
    if s.ties is not None:
        ties = b.closure("ties", lambda c: _ties(b, c, s, base, it, groups), w.site)
        w.emit(n.Do(ties, w.site))
    w.event(ev.ORDER, list(b.layout.order_base).index(s.order))


def _keys(b: Builder, c: Writer, s: t.SortOrder, prefix: str) -> None:
    for i, pref in enumerate(s.prefs):
        c.assign(f"{prefix}{i}", number(b, c, pref.value))


def _sort_body(b: Builder, c: Writer, s: t.SortOrder, base: int, it: str, groups: int) -> None:
    first = base + 2
    c.assign("i", const(1))
    with c.counting("i", state(base)):
        c.assign("moving", state(add(const(first), local("i"))))
        c.assign(it, local("moving"))
        _keys(b, c, s, "a")
        c.assign("j", local("i"))
        with c.while_(n.Binary(">", local("j"), const(0))):
            c.assign(it, state(add(const(first - 1), local("j"))))
            _keys(b, c, s, "b")
            better: n.Expr = const(0)
            for i, pref in reversed(list(enumerate(s.prefs))):
                wins = n.Binary("<" if pref.low else ">", local(f"a{i}"), local(f"b{i}"))
                better = n.Pick(
                    wins, const(1), n.Pick(equal(local(f"a{i}"), local(f"b{i}")), better, const(0))
                )
            c.emit(n.If(n.Not(better), (n.Break(),)))
            c.store(add(const(first), local("j")), state(add(const(first - 1), local("j"))))
            c.assign("j", n.Binary("-", local("j"), const(1)))
        c.store(add(const(first), local("j")), local("moving"))
    # Number the groups of equals, so that ties can be told apart from neighbours.
    c.assign("i", const(0))
    c.assign("group", const(0))
    with c.counting("i", state(base)):
        c.assign(it, state(add(const(first), local("i"))))
        _keys(b, c, s, "a")
        same: n.Expr = n.Binary(">", local("i"), const(0))
        for i in range(len(s.prefs)):
            same = n.Pick(same, equal(local(f"a{i}"), local(f"b{i}")), const(0))
        with c.if_(n.Not(same)):
            c.assign("group", add(local("group"), 1))
        for i in range(len(s.prefs)):
            c.assign(f"b{i}", local(f"a{i}"))
        c.emit(n.Store("W", add(const(groups), local("i")), n.Binary("*", local("group"), const(1000000))))


def _ties(b: Builder, c: Writer, s: t.SortOrder, base: int, it: str, groups: int) -> None:
    """The first group of equals rolls and is sorted; again, until nobody is equal."""
    first = base + 2
    rolls = b.memory(b.layout.actors * 2)
    c.assign("i", const(0))
    with c.while_(n.Binary("<", add(local("i"), 1), state(base))):
        c.assign("j", local("i"))
        mark = n.Load("W", add(const(groups), local("i")))
        with c.while_(n.Binary("<", add(local("j"), 1), state(base))):
            c.emit(n.If(n.Binary("!=", n.Load("W", add(const(groups + 1), local("j"))), mark), (n.Break(),)))
            c.assign("j", add(local("j"), 1))
        with c.if_(equal(local("i"), local("j"))):
            c.assign("i", add(local("i"), 1))
            c.emit(n.Continue())
        _roll_group(b, c, s, it, first, rolls)
        _sort_group(c, first, rolls, groups)


def _roll_group(b: Builder, c: Writer, s: t.SortOrder, it: str, first: int, rolls: int) -> None:
    c.assign("k", local("i"))
    with c.while_(n.Binary("<=", local("k"), local("j"))):
        c.assign(it, state(add(const(first), local("k"))))
        c.assign("face", number(b, c, s.ties))
        c.emit(n.Store("W", add(const(rolls), local("k")), local("face")))
        if s.keeping is not None:
            slot = add(const(b.layout.base[b.layout.key(s.keeping)]), local(it))
            with c.if_(equal(state(slot), 0)):
                c.store(slot, local("face"))
        c.assign("k", add(local("k"), 1))


def _sort_group(c: Writer, first: int, rolls: int, groups: int) -> None:
    """Stable, highest roll first; new group marks tell different rolls apart."""

    def roll(e: n.Expr) -> n.Expr:
        return n.Load("W", add(const(rolls), e))

    c.assign("k", add(local("i"), 1))
    with c.while_(n.Binary("<=", local("k"), local("j"))):
        c.assign("m", local("k"))
        with c.while_(n.Binary(">", local("m"), local("i"))):
            before = n.Binary("-", local("m"), const(1))
            c.emit(n.If(n.Binary(">=", roll(before), roll(local("m"))), (n.Break(),)))
            c.assign("x", roll(local("m")))
            c.emit(n.Store("W", add(const(rolls), local("m")), roll(before)))
            c.emit(n.Store("W", add(const(rolls), before), local("x")))
            c.assign("x", state(add(const(first), local("m"))))
            c.store(add(const(first), local("m")), state(add(const(first), before)))
            c.store(add(const(first), before), local("x"))
            c.assign("m", before)
        c.assign("k", add(local("k"), 1))
    # Places behind the group move up by as many marks as it was split into.
    c.assign("k", local("i"))
    c.assign("mark", n.Load("W", add(const(groups), local("i"))))
    c.assign("last", roll(local("i")))
    with c.while_(n.Binary("<=", local("k"), local("j"))):
        with c.if_(n.Binary("!=", roll(local("k")), local("last"))):
            c.assign("mark", add(local("mark"), 1))
            c.assign("last", roll(local("k")))
        c.emit(n.Store("W", add(const(groups), local("k")), local("mark")))
        c.assign("k", add(local("k"), 1))
    c.assign("mark", n.Binary("-", local("mark"), n.Load("W", add(const(groups), local("i")))))
    with c.counting("k", state(first - 2)):
        place = add(const(groups), local("k"))
        c.emit(n.Store("W", place, add(n.Load("W", place), local("mark"))))
