"""What the rules of a book say of each other, found out before the first function is made.

In:  Symbols, Layout, examples.
Out: Facts: hooks by moment, modifications by resource, deadlines, first values and maximums. Nothing of it
     changes while code is made, so it does not matter in which order that is done.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from rulewright.book import tree as t
from rulewright.book.examples import ExampleCode
from rulewright.book.symbols import Symbols, bodies, norm
from rulewright.book.walk import nodes
from rulewright.lower.layout import Layout

Key = tuple[Any, ...]
"""A moment at which rules fire, in a form that can be compared."""


@dataclass(frozen=True, slots=True)
class Facts:
    """What was found out of the whole book."""

    hooks: Mapping[Key, list[tuple[t.Rules, t.Hook]]]
    modifiers: Mapping[str, list[tuple[t.Rules, t.Modify]]]
    value_modifiers: Mapping[int, list[tuple[t.Rules, t.Modify]]]
    """By id() of the Value."""
    table_modifiers: Mapping[str, list[t.Component]]
    modified: frozenset[str]
    """Keys of resources that a rule or a table modifies."""
    deadlines: Mapping[Key, int]
    """Moments at which timed changes end."""
    timed: tuple[str, ...]
    """Keys of resources that are changed for a time."""
    lasting: frozenset[type]
    """Statements that give something for a time: of GainFeature, GiveStatus."""
    together: bool
    """Is there a decision for which several actors choose together?"""
    firsts: Mapping[str, tuple[Any, ...]]
    """What the number of each owner starts with: its sheet, else the book, else None."""
    sheets: tuple[Mapping[str, t.Num_], ...]
    """Maximums on the sheets of the actors."""
    caps: Mapping[str, list[tuple[t.Rules, t.Cap]]]
    limited: frozenset[str]
    """Keys of resources with a maximum that may differ by actor."""
    lazy: frozenset[str]
    """Keys of resources whose first value is only worked out when it is needed."""
    starts_at: Mapping[str, int]
    """Slots that remember with what a number started."""
    dependents: Mapping[str, list[tuple[str, bool]]]
    """Resources whose maximum may fall when another number changes: (key, only the same owner's)."""
    kept_secrets: frozenset[tuple[int, str]] = frozenset()
    """Kept values that somewhere get a secret: id() of what keeps them, and their names."""
    aim: int = 0
    """Slot: at whom or what the running action is aimed."""
    natural: int = 0
    """Two slots: the first face of the test, and the sides of that die."""
    changes: int = 0
    """Slot: how much has changed, for strategies that ask whether anything has."""


@dataclass(slots=True)
class _Seen:
    """What the statements of the book speak of."""

    deadlines: dict[Key, int] = field(default_factory=dict[Key, int])
    timed: set[str] = field(default_factory=set[str])
    lasting: set[type] = field(default_factory=set[type])
    starting: set[str] = field(default_factory=set[str])
    together: bool = False
    kept_secrets: set[tuple[int, str]] = field(default_factory=set[tuple[int, str]])


def find(s: Symbols, at: Layout, examples: tuple[ExampleCode, ...]) -> Facts:
    """Everything, in one walk over the book."""
    seen = _look(s, at, examples)
    hooks: dict[Key, list[tuple[t.Rules, t.Hook]]] = {}
    modifiers: dict[str, list[tuple[t.Rules, t.Modify]]] = {}
    value_modifiers: dict[int, list[tuple[t.Rules, t.Modify]]] = {}
    caps: dict[str, list[tuple[t.Rules, t.Cap]]] = {}
    for rules in s.rules:
        for hook in rules.hooks:
            hooks.setdefault(moment_key(at, hook.moment), []).append((rules, hook))
        for modify in rules.modify:
            if modify.resource is not None:
                modifiers.setdefault(at.key(modify.resource), []).append((rules, modify))
            elif modify.value is not None:
                value_modifiers.setdefault(id(modify.value), []).append((rules, modify))
        for cap in rules.caps:
            caps.setdefault(at.key(cap.resource), []).append((rules, cap))
    table_modifiers: dict[str, list[t.Component]] = {}
    for component in s.components.values():
        for key in component.table.modifies if component.table is not None else ():
            table_modifiers.setdefault(key, []).append(component)
    asked = {type(node) for node in nodes(list(speech(s, examples)))}
    aim = at.slots(1, -1) if t.Aim in asked else 0
    natural = at.slots(2) if t.NaturalFace in asked else 0
    changes = at.slots(1) if t.Behaviors in asked else 0
    for action in s.offers:
        at.current[id(action)] = at.slots(1)
        at.serial[id(action)] = at.slots(1)
    firsts, sheets = _firsts(s, at), tuple(s.maxima_of(a.template) for a in s.actors)
    limited = _limited(s, sheets, caps)
    lazy = {key for key in _numbers(s) if when_needed(s) and _waits(s.resources[key], key, limited, firsts)}
    dependents = _dependents(s, at, limited, sheets, caps)
    return Facts(
        hooks, modifiers, value_modifiers, table_modifiers, frozenset(modifiers) | frozenset(table_modifiers),
        seen.deadlines, tuple(sorted(seen.timed)), frozenset(seen.lasting), seen.together, firsts, sheets,
        caps, frozenset(limited), frozenset(lazy), _starts_at(s, at, seen.starting, caps), dependents,
        frozenset(seen.kept_secrets), aim, natural, changes,
    )  # fmt: skip


def _numbers(s: Symbols) -> set[str]:
    """Numbers that an actor or the match has, and that the book speaks of."""
    return {
        key
        for key, r in s.resources.items()
        if not (r.builtin or r.holds or r.private) and r.of in ((), (t.ACTOR,))
    }


def _limited(
    s: Symbols, sheets: tuple[Mapping[str, t.Num_], ...], caps: Mapping[str, list[tuple[t.Rules, t.Cap]]]
) -> set[str]:
    if not when_needed(s):
        return set()
    return {
        key
        for key in _numbers(s)
        if s.resources[key].maximum is not None
        or s.resources[key].own_maximum
        or key in caps
        or any(key in sheet for sheet in sheets)
    }


def _waits(r: t.Resource, key: str, limited: set[str], firsts: Mapping[str, tuple[Any, ...]]) -> bool:
    """Does the first value need more than looking at it?"""
    bounded = key in limited and not r.own_maximum
    return any(e is not None and (bounded or not is_plain(e)) for e in firsts[key])


def _starts_at(
    s: Symbols, at: Layout, asked: set[str], caps: Mapping[str, list[tuple[t.Rules, t.Cap]]]
) -> dict[str, int]:
    if not when_needed(s):
        return {}
    numbers = _numbers(s)
    return {
        key: at.slots(owner_count(at, r))
        for key, r in s.resources.items()
        if key in numbers
        and (r.own_maximum or key in asked or any(c.limit is None for _, c in caps.get(key, ())))
    }


def _look(s: Symbols, at: Layout, examples: tuple[ExampleCode, ...]) -> _Seen:
    seen = _Seen()
    found = [list(nodes(tree)) for tree in trees(s, examples)]
    seen.kept_secrets = _kept_secrets(found)
    for tree in found:
        for node in tree:
            match node:
                case t.Expire(moment=until):
                    seen.deadlines.setdefault(moment_key(at, until), len(seen.deadlines))
                case t.SetNumber() | t.GainFeature() | t.GiveStatus() | t.TakeControl():
                    if node.until is None:
                        continue
                    seen.deadlines.setdefault(moment_key(at, node.until), len(seen.deadlines))
                    seen.lasting.add(type(node))
                    if isinstance(node, t.SetNumber) and isinstance(node.target, t.ReadRes):
                        seen.timed.add(at.key(node.target.resource))
                case t.Starting(resource=resource):
                    seen.starting.add(at.key(resource))
                case t.Act(by=by) if by is not None:
                    seen.together = True
                case _:
                    pass
    for component in s.components.values():
        for node in nodes([component.value, component.check]):
            if isinstance(node, t.Starting):
                seen.starting.add(at.key(node.resource))
    return seen


_Held = tuple[int, str]
"""A local of a tree, or a kept value of what keeps it."""


def _kept_secrets(trees: list[list[object]]) -> set[_Held]:
    """Kept values that may hold a secret, or something made of one: it goes from what is said to be secret
    through locals and kept values, in whatever order they are written."""
    secret: set[_Held] = set()
    flows: list[tuple[_Held, set[_Held]]] = []
    for number, tree in enumerate(trees, 1):
        for node in tree:
            match node:
                case t.Secretly(statement=t.SetNumber(target=target) | t.SetThing(target=target)):
                    secret.update(_held(number, target))
                case t.Secretly(statement=t.LetChoose(local=name)):
                    secret.add((-number, norm(name)))
                case t.SetNumber(target=target, value=value) | t.SetThing(target=target, value=value):
                    read = {held for part in nodes([value]) for held in _held(number, part)}
                    flows += [(held, read) for held in _held(number, target)]
                case _:
                    pass
    grown = bool(secret)
    while grown:
        made = {target for target, read in flows if target not in secret and not read.isdisjoint(secret)}
        secret |= made
        grown = bool(made)
    return {held for held in secret if held[0] >= 0}


def _held(tree: int, node: object) -> list[_Held]:
    match node:
        case t.ReadLocal(name=name) | t.TLocal(name=name):
            return [(-tree, norm(name))]
        case t.ReadKept(sequence=keeper, name=name) | t.TKept(sequence=keeper, name=name):
            return [(id(keeper), norm(name))]
        case _:
            return []


def owner_count(at: Layout, r: t.Resource) -> int:
    """How many owners a number has."""
    return at.actors if r.of else 1


def _firsts(s: Symbols, at: Layout) -> dict[str, tuple[Any, ...]]:
    printed = [s.values_of(a.template) for a in s.actors]
    groups = [bool(s.roles.group) and at.is_a(a.template, s.roles.group) for a in s.actors]

    def first(key: str, r: t.Resource, i: int) -> Any:
        if r.of and i < len(printed) and key in printed[i]:
            return printed[i][key]
        return None if r.of and i < len(groups) and groups[i] else r.starts

    return {
        key: tuple(first(key, r, i) for i in range(owner_count(at, r)))
        for key, r in s.resources.items()
        if r.of in ((), (t.ACTOR,))
    }


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


def _dependents(
    s: Symbols,
    at: Layout,
    limited: set[str],
    sheets: tuple[Mapping[str, t.Num_], ...],
    caps: Mapping[str, list[tuple[t.Rules, t.Cap]]],
) -> dict[str, list[tuple[str, bool]]]:
    found: dict[str, list[tuple[str, bool]]] = {}
    for key, r in s.resources.items():
        if key not in limited:
            continue
        for e in (r.maximum, *[x.get(key) for x in sheets], *[c.limit for _, c in caps.get(key, ())]):
            for x in nodes(e):
                if isinstance(x, t.ReadRes):
                    own = bool(x.owners) and x.owners[0] == t.TLocal("self", t.ACTOR)
                    row = found.setdefault(at.key(x.resource), [])
                    if (key, own) not in row:
                        row.append((key, own))
    return found


def trees(s: Symbols, examples: tuple[ExampleCode, ...]) -> Iterator[Any]:
    """Every block of statements of the book, and of its examples."""
    yield from (body for _, _, body in bodies(s))
    yield from (strategy.body for strategy in s.strategies.values())
    yield from (code.stages for code in examples)


def speech(s: Symbols, examples: tuple[ExampleCode, ...]) -> Iterator[Any]:
    """Everything that the book says: statements, numbers, checks."""
    yield from trees(s, examples)
    for group in (
        s.components.values(), [x.component for x in s.sentences], s.actions.values(),
        s.face_actions.values(), s.offers, s.rules, s.resources.values(), s.strategies.values(),
        s.statuses.values(), s.walks.values(),
    ):  # fmt: skip
        for said in group:
            yield [getattr(said, field.name) for field in fields(said)]
    for template in s.templates:
        yield [*s.values_of(template).values(), *s.maxima_of(template).values()]
    for example in examples:
        yield [condition for _, condition in example.checks]


def moment_key(at: Layout, m: t.Moment) -> Key:
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
            return ("before reduced" if m.kind.startswith("before") else "reduced", at.key(m.resource))
        case "before change" | "when change" | "after change":
            assert m.resource is not None
            return ("before change" if m.kind.startswith("before") else "change", at.key(m.resource))
        case "becomes" | "loses":
            return (m.kind, m.status)
        case _:
            return (m.kind,)


def all_actions(s: Symbols) -> list[t.ActionSym]:
    """Actions, and what features offer."""
    return [*s.actions.values(), *s.offers]


def has_strategies(s: Symbols) -> bool:
    """Does anybody act by itself? With a role `strategy`, also who has none: it does nothing."""
    return bool(s.strategies or s.roles.strategy) or any(x.strategy for x in s.templates.values())


def when_needed(s: Symbols) -> bool:
    """Are first values worked out when they are first looked at, and do sheets have maximums of their own?"""
    return s.front.get("values") == "when needed"
