"""Actions and reactions as blocks with header lines.

In:  bare-name blocks with Range, Target, Limit, Line of sight, Trigger, if, do, else, then.
Out: ActionSym with its trees.
"""

from __future__ import annotations

from rulewright.book import tree as t
from rulewright.book.bodies.actions import trigger_of
from rulewright.book.bodies.fields import effects, field_block, field_check
from rulewright.book.bodies.state import Bodies
from rulewright.book.bodies.targets import aim
from rulewright.book.grammar.scope import Scope
from rulewright.book.phrases import match as phrases
from rulewright.book.phrases.match import expand
from rulewright.book.phrases.whole import TokenLines, flat, plain_titles, shown, whole, worded
from rulewright.book.text.source import Definition, FieldText, Line
from rulewright.diagnostics import suggest, warning


def headed_action(bodies: Bodies, action: t.ActionSym, d: Definition) -> None:
    """One Action or Reaction."""
    scope = Scope(self=t.ACTOR)
    scope.things = {"action": t.TConst("Action", action.index)}
    if action.kind == "Reaction":
        _trigger(bodies, action, d, scope)
    else:
        aim(bodies, action, d, scope)
    tests: list[t.Cond_] = []
    for f in d.fields:
        if f.key.lower() in ("limit", "line of sight"):
            _header(bodies, action, f, scope, tests)
        elif f.key.lower() == "requires":
            found = field_check(bodies, f.lines, scope)
            tests += [found] if found is not None else []
    test = d.get("if")
    if test is not None:
        action.test = field_check(bodies, test.lines, scope)
    for key, attribute in (("cost", "cost"), ("do", "do"), ("else", "orelse"), ("then", "then")):
        field = d.get(key)
        if field is None:
            continue
        if key == "then" and action.every is not None:
            scope.locals.pop("target", None)
        setattr(action, attribute, effects(bodies, field.lines, scope))
    for tokens in scope.demands:
        found = field_check(bodies, TokenLines(tokens), scope)
        tests += [found] if found is not None else []
    action.requires = t.joined(t.Both, tests) if tests else None
    doing = d.get("do")
    if doing is None or not doing.text:
        bodies.problem("missing-part", d.line, f"'{action.name}' has no `do:`")
    if d.get("else") is not None and test is None:
        field = d.get("else")
        assert field is not None
        words = f"without `if:` the `else:` of '{action.name}' never happens"
        bodies.problems.append(warning("unreachable-row", (field.at or field.first).span, words))


def _header(bodies: Bodies, action: t.ActionSym, f: FieldText, scope: Scope, tests: list[t.Cond_]) -> None:
    """`Limit:` and other lines that a framework gives a meaning."""
    at = action.definition.start_of(f)
    tokens = flat([Line(at.file, at.number, 0, f"{f.key}: {f.text}")], bodies.problems)
    hit = whole(bodies.symbols.phrases, phrases.HEADER, tokens)
    if hit is None:
        help_ = suggest(shown(tokens), plain_titles(bodies.symbols, phrases.HEADER))
        words = f"'{f.key}: {f.text}' says nothing that this book knows"
        bodies.problem("unexecutable", f.lines[0] if f.lines else at, words, help_)
        return
    for key, value in hit[0].fields:
        inner = TokenLines(expand(value, hit[1], tokens[0]))
        if key[0].text == "requires":
            found = field_check(bodies, inner, scope)
            tests += [found] if found is not None else []
        else:
            action.cost += field_block(bodies, inner, scope)


def _trigger(bodies: Bodies, action: t.ActionSym, d: Definition, scope: Scope) -> None:
    """The window a reaction waits for; whoever opened it is its target and attacker."""
    field = d.get("trigger")
    if field is None or not field.lines:
        bodies.problem("missing-part", d.line, f"'{action.name}' has no `Trigger:`")
        return
    tokens = flat(field.lines, bodies.problems)
    hit = worded(bodies.symbols, phrases.TRIGGER, tokens, "trigger of a reaction", bodies.problems)
    scope.locals |= {"target": t.ACTOR, "attacker": t.ACTOR}
    if hit is None:
        return
    for key, value in hit[0].fields:
        inner = TokenLines(expand(value, hit[1], tokens[0]))
        name = key[0].text.lower()
        if name == "trigger":
            trigger_of(bodies, action, FieldText("trigger", inner), scope)
        elif name == "let":
            action.lets += field_block(bodies, inner, scope)
