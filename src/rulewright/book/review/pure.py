"""Where nothing may be left to chance: what is legal, and what is read, is the same whenever it is looked at.

In:  Symbols, and the Forest of their bodies.
Out: a diagnostic for each field with dice that may have none, its Checks and Values included; a warning for
     each part of a condition, but the first, that rolls: all parts of a condition are looked at.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.book import tree as t
from rulewright.book.forest import Forest
from rulewright.book.symbols import Symbols
from rulewright.book.text.source import Definition
from rulewright.book.walk import nodes
from rulewright.diagnostics import Diagnostic, warning

ROLLS = (t.Dice, t.LetTally)


def review_pure(symbols: Symbols, forest: Forest, problems: list[Diagnostic]) -> None:
    """Look for dice in `requires:`, `Trigger:`, `while:`, `modify:` and `value:`."""
    may_roll = _may_roll(forest)
    for d, key, tree in _pure(symbols):
        if not any(isinstance(x, ROLLS) or id(x) in may_roll for x in nodes(tree)):
            continue
        named = chance_in(tree)
        if named is None:
            continue
        field = d.get(key)
        line = field.lines[0] if field is not None and field.lines else d.line
        words = f"dice have no place in `{key}:`, which is looked at again and again"
        help_ = f"'{named}' rolls them; " if named else ""
        problems.append(line.problem("bad-dice", words, f"{help_}roll in `if:` or `do:`"))


def _pure(symbols: Symbols) -> Iterator[tuple[Definition, str, object]]:
    for a in (*symbols.actions.values(), *symbols.face_actions.values()):
        yield a.definition, "requires", a.requires
        yield a.definition, "trigger", a.trigger
    for rules in symbols.rules:
        yield rules.definition, "while", rules.while_
        yield rules.definition, "modify", rules.modify
    for law in symbols.laws.values():
        yield law.definition, "law", law.check
    for strategy in symbols.strategies.values():
        yield strategy.definition, "value", strategy.value
    for walk in symbols.walks.values():
        yield walk.definition, "through", walk.through
        yield walk.definition, "costs", walk.cost


def _may_roll(forest: Forest) -> set[int]:
    """Components in whose trees, or in those of what they name, dice stand somewhere."""
    users: dict[int, list[int]] = {}
    for owner, used in forest.uses.items():
        for component in used:
            users.setdefault(id(component), []).append(owner)
    found = set[int]()
    waiting = [id(tree.owner) for tree in forest.trees if any(kind in tree.kinds for kind in ROLLS)]
    waiting += [id(c) for used in forest.uses.values() for c in used if c.table is not None and c.table.rolls]
    while waiting:
        owner = waiting.pop()
        if owner not in found:
            found.add(owner)
            waiting += users.get(owner, ())
    return found


def chance_in(tree: object) -> str | None:
    """The component that rolls dice, the empty name for the tree itself, or None if nothing does."""
    waiting, seen = [("", tree)], set[int]()
    while waiting:
        name, part = waiting.pop()
        for x in nodes(part):
            if isinstance(x, ROLLS):
                return name
            if isinstance(x, t.Component) and id(x) not in seen:
                seen.add(id(x))
                rolls = x.table.rolls if x.table is not None else None
                if rolls is not None:
                    return x.name
                waiting.append((x.name, [x.check, x.value, x.body]))
    return None


def review_rolled(forest: Forest, symbols: Symbols, problems: list[Diagnostic]) -> None:
    """`if A AND 1d6 > 3` rolls where A does not hold, too, and everybody is told what came out. Closed text
    has no other place for such a question."""
    pure = {d.span.line for d in problems if d.code == "bad-dice"}  # where none may be rolled at all
    may_roll = _may_roll(forest)
    for tree, node in forest.of(t.Both, t.Either):
        if id(tree.owner) not in may_roll or symbols.is_closed(tree.definition.line.file):
            continue
        word, when = ("AND", "does not hold") if isinstance(node, t.Both) else ("OR", "holds already")
        for part in node.parts[1:]:
            at = part.span or tree.definition.line.span
            if chance_in(part) is None or at.line in pure:
                continue
            words = f"these dice are rolled also where what stands before {word} {when}"
            help_ = f"ask first and roll then, in an `{'if' if word == 'AND' else 'else if'}` of its own"
            problems.append(warning("rolled-anyway", at, words, help_))
