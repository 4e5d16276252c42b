"""Moments -> functions: what standing rules do when a book's sequences and components get there.

In:  every moment that has hooks.
Out: one function a moment that runs its hooks. A moment without hooks costs nothing: no call is made.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rulewright.book import tree as t
from rulewright.book.symbols import norm
from rulewright.book.walk import mentions
from rulewright.ir import nodes as n
from rulewright.lower.bearing import bears
from rulewright.lower.builder import Builder, identifier, var
from rulewright.lower.dispatch import block
from rulewright.lower.facts import Key
from rulewright.lower.loops import each
from rulewright.lower.terms import active, face_of, zone_slot
from rulewright.lower.wide import UPPER, halves, is_wide, joined, with_upper
from rulewright.lower.writer import Writer, absent, call, const, consts, equal, local, present, state


def fire(b: Builder, key: Key, told: tuple[str, ...] = ()) -> str:
    """The function that runs the hooks of a moment, which are `told` more than whom it is about."""

    def build(w: Writer) -> None:
        def run(rules: t.Rules, hook: t.Hook, owner: n.Expr) -> None:
            name = hook_function(b, rules, hook)
            with w.if_(call(bears(b, rules), owner)):
                w.run(name, owner, *map(local, told))

        owners(b, w, key, run)

    return b.once("fire_" + "_".join(identifier(str(k)) for k in key_name(b, key)), ("subject", *told), build)


def key_name(b: Builder, key: Key) -> tuple[str, ...]:
    """A readable name for a moment."""
    made: list[str] = []
    for part in key:
        if isinstance(part, int) and part > 10000:
            found = next((c.name for c in b.symbols.components.values() if id(c) == part), None)
            made.append(found or str(len(made)))
        else:
            made.append(str(part))
    return tuple(made)


def hook_function(b: Builder, rules: t.Rules, hook: t.Hook) -> str:
    """The body of a hook. A card's hook runs once for each copy that works."""
    key = id(hook)
    if key in b.hook_names:
        return b.hook_names[key]
    params = list(hook.moment.params)
    change = "change" in hook.moment.kind or "reduced" in hook.moment.kind
    unchanged = local("v_change") if change else const(0)
    extra = ("v_change", "v_asked") if change else (("it", "v_from") if hook.moment.kind == "enters" else ())
    if hook.moment.kind.endswith(" any"):
        extra = ("v_action", "v_target")
    name = b.fresh("h_" + identifier(norm(rules.name)))
    b.hook_names[key] = name
    names = ("self", *extra)
    with b.function(name, names) as w:
        w.site = b.site(hook.line, rules.definition)
        guarded = hook.moment.kind not in ("start", "end", "step", "after step", "instead")
        slots = param_slots(b, hook.moment.component) if params and hook.moment.component is not None else 0
        take_params(w, slots, params)
        busy, bit = _busy(b) if guarded else (const(0), const(0))
        if guarded:
            w.give_if(state(busy) // bit % 2, unchanged)
            w.store(busy, state(busy) + bit)
        # A loop, so that what ends a sequence around it still frees the hook.
        with b.within(rules.definition), w.while_(const(1)):
            if rules.bearer == "face" and mentions(hook.body, "card"):
                _each_copy(b, w, rules, hook)
            else:
                block(b, w, hook.body)
            w.emit(n.Break())
        if guarded:
            w.store(busy, state(busy) - bit)
        lay_params(w, slots, params)
        w.give(unchanged)
    return name


def _busy(b: Builder) -> tuple[n.Expr, n.Expr]:
    """The slot and the bit that say whether the hook of self runs already. Inside itself it is refused to the
    same bearer; but somebody may fall while somebody falls. `instead` leaves at once and needs none."""
    first = b.layout.slots(b.layout.actors // 30 + 1)
    number = local("self") + 1
    powers = const(b.layout.tables["powers"])
    if b.layout.actors < 30:
        return const(first), consts(powers + number)
    slot = first + number // 30
    return slot, consts(powers + number % 30)


def _each_copy(b: Builder, w: Writer, rules: t.Rules, hook: t.Hook) -> None:
    """Find the card with this face in the zone where it works."""
    zone = rules.zone or "Table"
    owner = t.TLocal("self", t.ACTOR) if b.symbols.zones[zone].of else None
    base = w.temp(zone_slot(b, w, zone, owner), "z")
    w.assign("v_card", -1)
    i = w.temp(state(local(base)), "i")
    with w.while_(local(i) > 0):
        card = state(local(base) + local(i))
        with w.if_(equal(face_of(b, card), rules.index)):
            w.assign("v_card", card)
        w.assign(i, local(i) - 1)
    block(b, w, hook.body)


def param_slots(b: Builder, component: t.Component) -> int:
    """Slots through which hooks change the parameters of what they wait for."""
    if id(component) not in b.hook_slots:
        b.hook_slots[id(component)] = b.layout.slots(max(1, len(_params(component.params))))
    return b.hook_slots[id(component)]


def _params(params: Sequence[t.Param]) -> tuple[str, ...]:
    return with_upper(tuple(var(p.name, p.type) for p in params))


def lay_params(w: Writer, slots: int, params: Sequence[t.Param]) -> None:
    """Put parameters where hooks find them."""
    names = _params(params)
    for i, p in enumerate(params):
        name = var(p.name, p.type)
        if is_wide(name):
            low, upper = halves(local(name))
            w.store(slots + i, low)
            w.store(slots + names.index(name + UPPER), upper)
        else:
            w.store(slots + i, local(name))


def take_params(w: Writer, slots: int, params: Sequence[t.Param]) -> None:
    """And take them from there."""
    names = _params(params)
    for i, p in enumerate(params):
        name = var(p.name, p.type)
        upper = state(slots + names.index(name + UPPER)) if is_wide(name) else None
        w.assign(name, state(slots + i) if upper is None else joined(state(slots + i), upper))


def owners(b: Builder, w: Writer, key: Key, run: Callable[[t.Rules, t.Hook, n.Expr], None]) -> None:
    """Nobody's hooks once and the subject's own; then those of the active actor; then the others', by the
    preference that `triggers:` of the front matter names, or by number. One owner's in book order."""
    found = b.facts.hooks[key]
    for rules, hook in found:
        if rules.bearer == "event" or hook.moment.own:
            run(rules, hook, local("subject"))
    free = [(r, h) for r, h in found if r.bearer != "event" and not h.moment.own]
    if not free:
        return
    name, prefs = b.symbols.triggers
    if not prefs:
        _by_number(b, w, free, run)
        return
    first = t.Pref(False, t.Truth(t.Same(t.TLocal(name, t.ACTOR), t.Active())))
    everybody = t.Selector("each", "actor", t.ACTOR, name, prefs=[first, *prefs])

    def one() -> None:
        for rules, hook in free:
            run(rules, hook, local(var(name)))

    each(b, w, everybody, one)


def _by_number(
    b: Builder, w: Writer, free: list[tuple[t.Rules, t.Hook]], run: Callable[[t.Rules, t.Hook, n.Expr], None]
) -> None:
    w.assign("turn", active(b))
    w.assign("n", -2)
    with w.while_(local("n") + 1 < b.layout.actors):
        w.assign("n", local("n") + 1)
        w.assign("owner", n.Pick(absent(local("n")), local("turn"), local("n")))
        skip = n.Pick(
            absent(local("owner")),
            const(1),
            present(local("n")) & equal(local("n"), local("turn")),
        )
        with w.if_(n.Not(skip)):
            for rules, hook in free:
                run(rules, hook, local("owner"))
