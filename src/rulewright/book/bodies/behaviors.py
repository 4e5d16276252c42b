"""Strategies as lists of behaviors, by priority and then as listed.

In:  Strategy blocks with `Behavior:` lines.
Out: Behaviors trees.
"""

from __future__ import annotations

from rulewright.book import tree as t
from rulewright.book.bodies.fields import effects, field_check
from rulewright.book.bodies.state import Bodies
from rulewright.book.grammar.scope import Scope
from rulewright.book.symbols import StrategySym, norm
from rulewright.book.text.source import Definition, Line


def behaviors(bodies: Bodies, strategy: StrategySym, d: Definition) -> None:
    """Behaviors, by priority and then as listed."""
    groups: list[Definition] = []
    for f in d.fields:
        if f.key.lower() == "behavior":
            at = f.at or d.line
            groups.append(Definition(f.text, "Behavior", Line(at.file, at.number, 0, f"Behavior: {f.text}")))
        elif f.key.lower() == "note":
            continue
        elif not groups:
            bodies.problem(
                "unexecutable",
                f.lines[0] if f.lines else d.line,
                f"'{f.key}:' belongs to no behavior: write `Behavior: NAME` first",
            )
        else:
            groups[-1].fields.append(f)
    seen: dict[str, Definition] = {}
    for g in groups:
        if norm(g.title) in seen:
            bodies.twice(g.line, f"the behavior '{g.title}'", seen[norm(g.title)].line)
        seen[norm(g.title)] = g
    before = len(bodies.problems)
    ranked = sorted(groups, key=lambda g: _priority(bodies, g))
    ordered = len(bodies.problems) == before  # else nobody can tell which is the last
    rows = [_behavior(bodies, g, g is ranked[-1] or not ordered) for g in ranked]
    strategy.body = [t.Behaviors(rows, line=d.line.number)]


def _priority(bodies: Bodies, d: Definition) -> int:
    field = d.get("priority")
    if field is None or not field.lines:
        return 10**6
    if not field.text.isdigit():
        bodies.problem("type-mismatch", field.first, f"'{field.text}' is no number")
        return 10**6
    return int(field.text)


def _behavior(bodies: Bodies, d: Definition, last: bool) -> t.Behavior:
    scope = Scope(self=t.ACTOR, target=t.ACTOR)
    scope.behavior = True
    when = d.get("when")
    if when is None and not last:
        bodies.problem(
            "missing-part",
            d.line,
            f"'{d.title}' needs `when:`; only the last behavior can do without",
        )
    stray = d.get("body")
    for line in stray.lines if stray else ():
        bodies.problem("unknown-field", line, f"'{line.text}' is no line of a behavior")
    if d.get("do") is None and stray is None:  # else that is probably the misspelt one
        bodies.problem("missing-part", d.line, f"'{d.title}' has no `do:`")
    parts: dict[str, t.Block_] = {}
    for key in ("do", "else", "then"):
        field = d.get(key)
        parts[key] = effects(bodies, field.lines, scope) if field is not None else []
    test = d.get("if")
    usual = bodies.symbols.roles.target
    return t.Behavior(
        d.title, field_check(bodies, when.lines, scope) if when else None,
        field_check(bodies, test.lines, scope) if test else None,
        parts["do"], parts["else"], parts["then"],
        target=t.Run(usual, None, [], d.line.number) if usual is not None else None, line=d.line.number,
    )  # fmt: skip
