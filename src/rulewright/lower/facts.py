"""What the rules of a book say of each other, found out before the first function is made.

In:  Symbols and Layout.
Out: hooks by moment, modifications by resource, deadlines, first values and maximums, in the Builder.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rulewright.book import tree as t
from rulewright.book.walk import nodes
from rulewright.lower.builder import Builder, Key


def prepare_rules(b: Builder) -> None:
    """Sort hooks by moment and modifications by resource, before any code is made."""
    b.hooks = {}
    b.modifiers = {}
    b.value_modifiers = {}
    b.deadlines = {}
    b.hook_slots = {}
    for rules in b.symbols.rules:
        for hook in rules.hooks:
            b.hooks.setdefault(moment_key(b, hook.moment), []).append((rules, hook))
        for modify in rules.modify:
            if modify.resource is not None:
                b.modifiers.setdefault(b.layout.key(modify.resource), []).append((rules, modify))
            elif modify.value is not None:
                b.value_modifiers.setdefault(id(modify.value), []).append((rules, modify))
    modified = set(b.modifiers)
    b.table_modifiers = {}
    for component in b.symbols.components.values():
        if component.table is not None:
            for key in component.table.modifies:
                modified.add(key)
                b.table_modifiers.setdefault(key, []).append(component)
    b.modified = frozenset(modified)
    for tree in trees(b):
        for node in nodes(tree):
            match node:
                case t.Expire(moment=moment):
                    deadline(b, moment)
                case t.SetNumber() | t.GainFeature() | t.GiveStatus() | t.TakeControl():
                    if node.until is not None:
                        deadline(b, node.until)
                case _:
                    pass


def prepare_framework(b: Builder) -> None:
    """Slots and analyses; does nothing for a book without a framework."""
    b.limited, b.starts_at, b.caps = set(), {}, {}
    b.dependents = {}
    if not b.symbols.frameworks:
        return
    b.aim = b.layout.slots(1, -1)
    b.natural = b.layout.slots(2)
    b.changes = b.layout.slots(1)
    for action in b.symbols.offers:
        b.layout.current[id(action)] = b.layout.slots(1)
        b.layout.serial[id(action)] = b.layout.slots(1)
    prepare_lazy(b)


def prepare_lazy(b: Builder) -> None:
    """Which resources are lazy, limited, or remember how they started."""
    s = b.symbols
    b.printed = [s.values_of(a.template) for a in s.actors]
    b.sheets = [s.maxima_of(a.template) for a in s.actors]
    b.caps = {}
    for rules in s.rules:
        for cap in rules.caps:
            b.caps.setdefault(b.layout.key(cap.resource), []).append((rules, cap))
    b.limited = set()
    lazy: set[str] = set()
    b.starts_at = {}
    asked = {b.layout.key(x.resource) for tree in trees(b) for x in nodes(tree) if isinstance(x, t.Starting)}
    for component in s.components.values():
        asked |= {
            b.layout.key(x.resource)
            for x in nodes([component.value, component.check])
            if isinstance(x, t.Starting)
        }
    for key, r in s.resources.items():
        if r.builtin or r.holds or r.private or r.of not in ((), (t.ACTOR,)):
            continue
        limited = r.maximum is not None or r.own_maximum or key in b.caps or any(key in x for x in b.sheets)
        if limited:
            b.limited.add(key)
        firsts = [first(b, key, r, i) for i in range(count(b, r))]
        if any(e is not None and (not is_plain(e) or (limited and not r.own_maximum)) for e in firsts):
            lazy.add(key)
        if r.own_maximum or key in asked or any(c.limit is None for _, c in b.caps.get(key, ())):
            b.starts_at[key] = b.layout.slots(count(b, r))
    b.lazy = frozenset(lazy)
    b.dependents = _dependents(b)


def count(b: Builder, r: t.Resource) -> int:
    """How many owners a number has."""
    return b.layout.actors if r.of else 1


def first(b: Builder, key: str, r: t.Resource, i: int) -> Any:
    """What an owner's number starts with: its sheet, else the book, else nothing."""
    if r.of and i < len(b.printed) and key in b.printed[i]:
        return b.printed[i][key]
    if r.of and i < len(b.symbols.actors) and b.layout.is_a(b.symbols.actors[i].template, "Cast"):
        return None
    return r.starts


def is_plain(e: Any) -> bool:
    """A plain number, known when the book is compiled."""
    match e:
        case t.Num():
            return True
        case t.Final(value=value):
            return is_plain(value)
        case t.Arith(left=a, right=b):
            return is_plain(a) and is_plain(b)
        case _:
            return False


def _dependents(b: Builder) -> dict[str, list[tuple[str, bool]]]:
    """Resources whose maximum may fall when another number changes: (key, only the same owner's)."""
    found: dict[str, list[tuple[str, bool]]] = {}
    for key, r in b.symbols.resources.items():
        if key not in b.limited:
            continue
        sources = [
            r.maximum,
            *[x.get(key) for x in b.sheets],
            *[c.limit for _, c in b.caps.get(key, ())],
        ]
        for e in sources:
            for x in nodes(e):
                if isinstance(x, t.ReadRes):
                    own = bool(x.owners) and x.owners[0] == t.TLocal("self", t.ACTOR)
                    row = found.setdefault(b.layout.key(x.resource), [])
                    if (key, own) not in row:
                        row.append((key, own))
    return found


def trees(b: Builder) -> Iterator[Any]:
    """Every body of the book, and of its examples."""
    components = [*b.symbols.components.values(), *[x.component for x in b.symbols.sentences]]
    for c in components:
        yield c.body
        yield [body for _, body, _ in c.steps]
        if c.table is not None:
            yield [row.effect for row in c.table.rows]
    for a in (*b.symbols.actions.values(), *b.symbols.face_actions.values()):
        yield [a.cost, a.do, a.orelse, a.then, a.lets]
    for r in b.symbols.rules:
        yield [h.body for h in r.hooks]
    for strategy in b.symbols.strategies.values():
        yield strategy.body
    for code in b.examples:
        yield code.stages


def moment_key(b: Builder, m: t.Moment) -> Key:
    """What makes two moments the same."""
    match m.kind:
        case "start" | "end":
            return (m.kind, id(m.sequence))
        case "step" | "after step":
            return (m.kind, id(m.sequence), m.step)
        case "before" | "after" | "instead" | "when":
            return ("after" if m.kind == "when" else m.kind, id(m.component))
        case "before reduced" | "when reduced" | "after reduced":
            assert m.resource is not None
            return (
                "before reduced" if m.kind.startswith("before") else "reduced",
                b.layout.key(m.resource),
            )
        case "before change" | "when change" | "after change":
            assert m.resource is not None
            return ("before change" if m.kind.startswith("before") else "change", b.layout.key(m.resource))
        case "becomes" | "loses":
            return (m.kind, m.status)
        case _:
            return (m.kind,)


def deadline(b: Builder, m: t.Moment) -> int:
    """The number of a moment at which timed changes end."""
    key = moment_key(b, m)
    if key not in b.deadlines:
        b.deadlines[key] = len(b.deadlines)
    return b.deadlines[key]


def all_actions(b: Builder) -> list[t.ActionSym]:
    """Actions, and what features offer."""
    return [*b.symbols.actions.values(), *b.symbols.offers]
