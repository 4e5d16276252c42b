"""What numbers, things and checks have in common: names, slots, owners, arguments, spaces.

In:  parts of checked trees.
Out: IR expressions. Whatever needs a loop becomes a function of its own (see selectors.py), so that an
     expression can stand anywhere; only components that change something are run beforehand.

Numbers, things and checks need each other, so each is declared here and made in a module of its own.
"""

from __future__ import annotations

from typing import Any

from rulewright.book import tree as t
from rulewright.book.symbols import norm
from rulewright.ir import nodes as n
from rulewright.ir.hiding import companions
from rulewright.ir.program import FRAME
from rulewright.lower.builder import Builder, field_of, var
from rulewright.lower.dispatch import number, thing
from rulewright.lower.wide import UPPER, halves, is_wide, joined, with_upper
from rulewright.lower.writer import Writer, absent, call, const, local, mul, param, state

STEP = "step"
"""The local of a sequence that says where it is."""


def owner_index(b: Builder, w: Writer, r: t.Resource, owners: list[Any]) -> n.Expr:
    """The number of the owner within the field."""
    if not r.of:
        return const(0)
    first = thing(b, w, owners[0])
    if len(r.of) == 1:
        return first
    width, second = b.layout.count_of(r.of[1]), thing(b, w, owners[1])
    if isinstance(second, n.Const) and second.value >= 0:
        return mul(first, width) + second
    return call("pair_index", first, width, second)


def first_owner(b: Builder, r: t.Resource, index: n.Expr) -> n.Expr:
    """The first of the two owners whose number lies there, or the only one."""
    return index if len(r.of) < 2 else index // b.layout.count_of(r.of[1])


def bounds(r: t.Resource) -> tuple[int, int]:
    """The range of a number."""
    return -(10**9) if r.low is None else r.low, 10**9 if r.high is None else r.high


def guarded(b: Builder, index: n.Expr, r: t.Resource) -> n.Expr:
    """A number of nobody is 0."""
    slot = const(b.layout.base[b.layout.key(r)]) + index
    if not r.of or isinstance(index, n.Const) or (isinstance(index, n.Local) and index.name in ("self",)):
        return state(slot)
    if isinstance(index, n.Local):
        return n.Pick(absent(index), const(-1 if r.holds else 0), state(slot))
    return call("cell", b.layout.base[b.layout.key(r)], index, (-1 if r.holds else 0))


def kept(b: Builder, sequence: Any, name: str, without: int = 0) -> n.Expr:
    """A value of the innermost running sequence or action; `without` if none runs. To the checks of an
    example, what it was when the last one was over."""
    frame = state(b.layout.current[id(sequence)])
    over = state(b.layout.last[id(sequence)][name]) if b.afterwards else const(without)
    places = [state(frame + offset) for offset in kept_offsets(b, sequence, name)]
    return n.Pick(frame, joined(*places) if len(places) > 1 else places[0], over)


def keep_in(b: Builder, w: Writer, frame: n.Expr, sequence: Any, name: str, value: n.Expr) -> None:
    """Give a kept value another, which can be worked out twice."""
    offsets = kept_offsets(b, sequence, name)
    for offset, part in zip(offsets, halves(value) if len(offsets) > 1 else (value,), strict=True):
        w.store(frame + offset, part)


def kept_offset(b: Builder, sequence: Any, name: str) -> int:
    """Where a kept value lies in its frame, or its low half."""
    return kept_offsets(b, sequence, name)[0]


def kept_offsets(b: Builder, sequence: Any, name: str) -> tuple[int, ...]:
    """The one or two places of a kept value in its frame."""
    keeps = sequence.keeps if isinstance(sequence, t.Component) else ()
    names = frame_names(b, sequence)
    found = next(var(p.name, p.type) for p in (*sequence.params, *keeps) if norm(p.name) == norm(name))
    return tuple(FRAME + names.index(x) for x in (found, found + UPPER) if x in names)


def frame_names(b: Builder, sequence: t.Component | t.ActionSym) -> tuple[str, ...]:
    """What lies in a frame, from its first local on."""
    first = with_upper(("self", *(var(p.name, p.type) for p in sequence.params)))
    return (*first, *with_upper(kept_names(b, sequence)))


def kept_names(b: Builder, sequence: t.Component | t.ActionSym) -> tuple[str, ...]:
    """What is kept; behind it the step, where durations look it up, and what is known of secrets."""
    keeps = sequence.keeps if isinstance(sequence, t.Component) else ()
    secret = [var(p.name, p.type) for p in keeps if (id(sequence), norm(p.name)) in b.facts.kept_secrets]
    said = [part for name in secret if not is_wide(name) for part in companions(name)]
    return (*(var(p.name, p.type) for p in keeps), STEP, *said)


def kept_companions(b: Builder, sequence: t.Component | t.ActionSym, name: str) -> tuple[int, ...]:
    """Where in the frame it is said of a kept value who may know it; nothing if it never is a secret."""
    names = frame_names(b, sequence)
    return tuple(FRAME + names.index(part) for part in companions(var(name)) if part in names)


def step_now(b: Builder, sequence: t.Component) -> n.Expr:
    """The step at which the innermost running one is."""
    place = FRAME + frame_names(b, sequence).index(STEP)
    return state(state(b.layout.current[id(sequence)]) + place)


def column_of(b: Builder, w: Writer, kind: str, column: str, whose: Any) -> n.Expr:
    """An attribute of a word, printed card or terrain."""
    at = b.layout.columns.get((kind, norm(column)))
    if at is None:
        return const(0)
    value = printed(b, whose.type, thing(b, w, whose), kind)
    table = b.symbols.list_of(kind)
    blank = 0
    if (
        table is not None
        and norm(column) in table.columns
        and table.columns[norm(column)].type not in (t.NUMBER, "mark")
    ):
        blank = -1
    if isinstance(value, n.Const):
        return param(at + value.value) if value.value >= 0 else const(blank)
    return call("entry", at, value, blank)


def printed(b: Builder, kind: str, value: n.Expr, wanted: str) -> n.Expr:
    """What a thing of a kind is like, where that is wanted: the face of a card, the terrain of a space."""
    if wanted != t.kind_of(kind).nature:
        return value
    return field_of(b, t.kind_of(kind).printed, value)


def face_of(b: Builder, card: n.Expr) -> n.Expr:
    """The face of a card."""
    return printed(b, t.CARD, card, t.FACE)


def start_again(b: Builder, w: Writer, kind: str) -> None:
    """Numbers of one thing (local self) that is as new."""
    for key, r in b.symbols.resources.items():
        if r.of == (kind,):
            start: n.Expr = const(-1 if r.holds else 0)
            if r.starts is not None:
                start = thing(b, w, r.starts) if r.holds else number(b, w, r.starts)
            w.store(b.layout.base[key] + local("self"), start)


# ------------------------------------------------------------ components
def arguments(b: Builder, w: Writer, c: t.Component, self_: Any, args: list[Any]) -> list[n.Expr]:
    """Self, then the parameters; an abbreviation takes its caller's roles."""
    made = [thing(b, w, self_) if self_ is not None else local("self")]
    for i, p in enumerate(c.params):
        if i < len(args):
            made.append(number(b, w, args[i]) if p.type == t.NUMBER else thing(b, w, args[i]))
        elif c.implicit:
            made.append(local(var(p.name, p.type)))
        else:
            made.append(const(-1))
    return made


def zone_slot(b: Builder, w: Writer, key: str, owner: Any) -> n.Expr:
    """The slot of a zone's count."""
    base = const(b.layout.zone_base[key])
    if owner is None:
        return base
    return base + mul(thing(b, w, owner), b.layout.zones[b.symbols.zones[key].index].stride)


def zone_number(b: Builder, w: Writer, key: str, owner: Any) -> n.Expr:
    """The number of a zone among all zones."""
    first = const(b.layout.zone_first[key])
    return first if owner is None else first + thing(b, w, owner)


def status_slot(b: Builder, w: Writer, status: Any, owner: Any) -> n.Expr:
    """The first of the four slots of a status."""
    if not isinstance(status, str):
        first = b.layout.status_base + mul(thing(b, w, status), b.layout.actors * 4)
        return first + mul(thing(b, w, owner), 4)
    base = b.layout.status_base + b.symbols.statuses[status].index * b.layout.actors * 4
    return base + mul(thing(b, w, owner), 4)


# ------------------------------------------------------------ space
def neighbour(space: n.Expr, direction: n.Expr) -> n.Expr:
    """The next space in a direction, or -1."""
    return call("space_near", space, direction)


def place_x(place: n.Expr) -> n.Expr:
    """The column of a place, which is coded (x + 64) * 128 + y + 64."""
    return place // 128 - 64


def place_y(place: n.Expr) -> n.Expr:
    """The row of a place."""
    return place % 128 - 64


def as_space(b: Builder, w: Writer, e: Any) -> n.Expr:
    """A space, or the space an actor stands on."""
    value = thing(b, w, e)
    if e.type == t.ACTOR:
        return field_of(b, "!place", value)
    return value


def active(b: Builder) -> n.Expr:
    """Whom the role `active` holds, or whose turn it is; -1 for nobody."""
    r, turn = b.symbols.roles.active, b.symbols.roles.turn
    if r is not None:
        return state(b.layout.base[b.layout.key(r)])
    if turn is None or id(turn) not in b.layout.current:
        return const(-1)
    frame = state(b.layout.current[id(turn)])
    return n.Pick(frame, state(frame + 2), const(-1))


def here(b: Builder) -> n.Expr:
    """Where self stands."""
    return field_of(b, "!place", local("self"))


def template_table(b: Builder, index: int) -> int:
    """For each actor: does it descend from this template?"""
    template = next(k for k, v in b.symbols.templates.items() if v.index == index)
    values = [1 if b.layout.is_a(a.template, template) else 0 for a in b.symbols.actors]
    return b.layout.table(f"is {template}", values)


def changed(b: Builder, w: Writer) -> None:
    """Count a change that a strategy may be satisfied by."""
    if b.facts.changes:
        w.store(b.facts.changes, (state(b.facts.changes) + 1) % (1 << 30))


STATUS_PARTS = {"Turns": 0, "Stacks": 1, "Power": 2}
"""Where the parts of a status lie in its four slots; the last is its source."""


def signature(c: t.Component) -> tuple[str, ...]:
    """The parameters of a component."""
    return ("self", *(var(p.name, p.type) for p in c.params))
