"""What standing rules say: while, modify, forbids, and hooks at moments.

In:  Rules with the definition of their Feature, Status, Card or Terrain.
Out: the same Rules with their trees.
"""

from __future__ import annotations

from dataclasses import replace

from rulewright.book import tree as t
from rulewright.book.bodies.fields import (
    end,
    field_block,
    field_number,
    joined,
    parser_over,
    said_check,
)
from rulewright.book.bodies.state import Bodies
from rulewright.book.grammar.cursor import at_end
from rulewright.book.grammar.dispatch import parse_check, parse_number
from rulewright.book.grammar.moments import hook_moment
from rulewright.book.grammar.scope import Mistake, Scope, reported, tell
from rulewright.book.index import ACTION, RESOURCE
from rulewright.book.symbols import norm
from rulewright.book.text.keywords import HOOK
from rulewright.book.text.source import Definition, FieldText
from rulewright.book.text.tokens import END


def _scope(rules: t.Rules) -> Scope:
    """What whoever bears the rules is called in them."""
    scope = Scope(self=t.ACTOR, **t.locals_of(rules.bearer))
    scope.status = rules.index if rules.bearer == "status" else -1
    return scope


def rules(bodies: Bodies, rules: t.Rules, d: Definition) -> None:
    scope = _scope(rules)
    for_ = d.get("for")
    if for_ is not None:
        key = norm(for_.text)
        found = next((k for k in bodies.symbols.templates if k == key or k.lower() == key.lower()), None)
        if found is None:
            bodies.problem("unknown-name", for_.first, f"no template is called '{for_.text}'")
        rules.template = found
    works = d.get("works in")
    rules.zone = norm(d.said("works in"))
    if rules.zone and rules.zone not in bodies.symbols.zones and rules.zone != "anywhere":
        assert works is not None
        bodies.problem("unknown-name", works.first, f"no zone is called '{works.text}'")
        rules.zone = ""
    rules.while_ = said_check(bodies, d, "while", scope)
    for field in d.fields:
        low = field.key.lower()
        if low == "modify":
            modify(bodies, rules, field, scope)
        elif low == "forbids":
            forbids(bodies, rules, field)
        elif HOOK.match(field.key) and low not in ("at",):
            _hook(bodies, rules, field, d)
        elif field.key.startswith("[") and rules.bearer in ("status", "terrain"):
            _modify_column(bodies, rules, field)
        elif low == "attached":
            rules.attached = True
    scoped = d.kind == "Feature" and rules.bearer == "feature" and (d.get("scope") or d.extra)
    if scoped and "Global" not in d.said("scope", d.extra):
        rules.attached = True


def modify(bodies: Bodies, rules: t.Rules, field: FieldText, scope: Scope) -> None:
    parser = joined(bodies, field.lines, scope)
    if parser is None:
        return
    with reported(bodies.problems):
        while parser.now.kind != END:
            parser.take(",")
            parser.expect("[")
            values = {k for k, c in bodies.symbols.components.items() if c.kind == "Value"}
            at = parser.at
            value = parser.among(values)
            after, parser.at = parser.at, at
            name = parser.peek_name(RESOURCE)
            if len(value or "") > len(name or ""):
                name, parser.at = None, after
            else:
                name, value = parser.need(RESOURCE), None
            parser.expect("]")
            how = "+"
            if parser.take("x"):
                how = "x"
            elif parser.take("="):
                how = "="
            elif parser.now.is_("-"):
                how = "+"
            else:
                parser.expect("+")
            amount = parse_number(parser)
            resource = parser.resource_named(name) if name else None
            component = bodies.symbols.components[value] if value else None
            rules.modify.append(t.Modify(resource, how, amount, component))
            parser.take(";")


def _modify_column(bodies: Bodies, rules: t.Rules, field: FieldText) -> None:
    name = norm(field.key[1:-1])
    resource = bodies.symbols.resources.get(name)
    component = bodies.symbols.components.get(name)
    if resource is None and (component is None or component.kind != "Value"):
        bodies.problem("unknown-name", field.first, f"no resource is called '{field.key[1:-1]}'")
        return
    scope = Scope(self=t.ACTOR)
    if rules.bearer == "status":
        scope.status = rules.index
    line = field.first
    text = line.text.lstrip("+")
    amount = field_number(bodies, [replace(line, text=text)], scope)
    rules.modify.append(t.Modify(resource, "+", amount, None if resource else component))


def forbids(bodies: Bodies, rules: t.Rules, field: FieldText) -> None:
    scope = Scope(self=t.ACTOR)
    if bodies.symbols.closes:
        scope.locals["action"] = "Action"
    parser = joined(bodies, field.lines, scope)
    if parser is None:
        return
    with reported(bodies.problems):
        while True:
            if parser.take("everything") or parser.take("all", "actions"):
                name = "*"
            else:
                found = parser.need(ACTION)
                name = found
            where = None
            if parser.take("where"):
                if name != "*":
                    for p in bodies.symbols.actions[name].params:
                        scope.locals[norm(p.name).lower()] = p.type
                where = parse_check(parser)
            rules.forbids.append(t.Forbid(name, where))
            if not (parser.take(",") or parser.take(";")):
                break
        end(parser)


def _hook(bodies: Bodies, rules: t.Rules, field: FieldText, d: Definition) -> None:
    scope = _scope(rules)
    at = field.lines[0] if field.lines else d.line
    parser = parser_over(bodies, [d.key_of(field)], scope)
    try:
        moment = hook_moment(parser)
        at_end(parser)
    except Mistake as mistake:
        tell(bodies.problems, mistake)
        return
    body = field_block(bodies, field.lines, at_moment(scope, moment))
    rules.hooks.append(t.Hook(moment, body, at.number, d.cites))


def at_moment(scope: Scope, moment: t.Moment) -> Scope:
    """The scope of what happens then: it may speak of what the moment is about."""
    for param in moment.params:
        scope.locals.setdefault(norm(param.name).lower(), param.type)
        if param.type == t.NUMBER:
            scope.numbers.add(param.name)
    if "change" in moment.kind or "reduced" in moment.kind:
        scope.numbers |= {"Change", "Asked"}
        scope.locals |= {"change": t.NUMBER, "asked": t.NUMBER}
    if moment.kind == "enters":
        scope.locals |= {"it": t.SPACE, "from": t.SPACE}
    if moment.kind.endswith(" any"):
        scope.locals |= {"action": "Action", "target": t.ACTOR}
    return scope
