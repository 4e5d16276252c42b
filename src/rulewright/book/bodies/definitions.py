"""Parse what the definitions do: the third pass.

In:  Symbols with names and types, the definitions that have bodies.
Out: the same Symbols, with checked trees in their components, actions and rules.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

from rulewright.book import tree as t
from rulewright.book.bodies.actions import action_body, declares_names, strategy
from rulewright.book.bodies.behaviors import behaviors
from rulewright.book.bodies.components import component_body, table_head
from rulewright.book.bodies.fields import end, field_check, field_number, reader, said_check
from rulewright.book.bodies.headers import headed_action
from rulewright.book.bodies.rules import rules
from rulewright.book.bodies.state import Bodies, First, told
from rulewright.book.bodies.targets import target_names
from rulewright.book.declare.declaring import Declaring
from rulewright.book.grammar.dispatch import parse_thing
from rulewright.book.grammar.scope import Scope, reported
from rulewright.book.index import index_of
from rulewright.book.symbols import LawSym, StatusSym, StrategySym, TemplateSym, WalkSym, ZoneSym, norm
from rulewright.book.text.keywords import OPENS
from rulewright.book.text.source import Definition, FieldText
from rulewright.diagnostics import Diagnostic


@dataclass(frozen=True, slots=True)
class Piece:
    """One reading of a definition into what it declares."""

    symbol: object
    d: Definition
    read: Callable[[Bodies], None]
    silent: bool = False
    """It is read once more, and what is wrong is said then."""


def read_bodies(declarer: Declaring) -> Bodies:
    """Everything that the definitions say."""
    bodies = Bodies(declarer)
    for piece in pieces(declarer):
        bodies.problems += read_piece(bodies, piece)
    return bodies


def read_piece(bodies: Bodies, piece: Piece) -> list[Diagnostic]:
    """Read it, and give what is wrong with it."""
    kept, bodies.problems = bodies.problems, []
    bodies.declarer.problems = bodies.problems
    piece.read(bodies)
    found, bodies.problems = bodies.problems, kept
    bodies.declarer.problems = kept
    return [] if piece.silent else found


def pieces(declarer: Declaring) -> list[Piece]:
    """In the order of reading. Abbreviations first: what roles they need decides how they are called."""
    work, s = declarer.bodies, declarer.symbols
    made = [Piece(x, d, partial(_status, status=x, d=d)) for _, x, d in work if isinstance(x, StatusSym)]
    made += [Piece(x, x.definition, partial(_status, status=x, d=x.definition)) for x in s.statuses.values()]
    for _, x, d in work:
        if isinstance(x, t.ActionSym):
            made.append(Piece(x, d, partial(_names, action=x, d=d)))
    made += [Piece(x, x.definition, partial(_rest, face=x)) for x in s.face_actions.values()]
    components = [(x, d) for _, x, d in work if isinstance(x, t.Component)]
    made += [Piece(x, d, lambda _, x=x, d=d: table_head(x, d)) for x, d in components if x.kind == "Table"]
    short = [(x, d) for x, d in components if x.implicit]
    # Once for the roles they need, which others may need through them; again if they were told too little.
    made += [Piece(x, d, partial(_first, component=x, d=d), silent=True) for x, d in short]
    ordered = [*short, *((x, d) for x, d in components if not x.implicit)]
    # Tables that give a thing come first: what they give decides what may be done with it.
    ordered.sort(key=lambda p: not (p[0].kind == "Table" and any(h.lower() == "gives" for h in p[1].columns)))
    made += [Piece(x, d, partial(_component, component=x, d=d)) for x, d in ordered]
    for _, x, d in work:
        if not isinstance(x, t.Component):
            made.append(Piece(x, d, partial(_body, symbol=x, d=d)))
    made += [Piece(x, x.definition, partial(_zone, zone=x)) for x in s.zones.values()]
    return made


def _names(bodies: Bodies, action: t.ActionSym, d: Definition) -> None:
    headed = bodies.is_own(d) and d.get("declare") is None
    (target_names if headed else declares_names)(bodies, action, d)


def _rest(bodies: Bodies, face: t.ActionSym) -> None:
    """Whoever declares what a card declares has all that any card declares."""
    for action in bodies.symbols.actions.values():
        if any(x.rest for x in action.declares):
            known = {p.name for p in action.params}
            action.params += [t.Param(p.name, p.type) for p in face.params if p.name not in known]


def _first(bodies: Bodies, component: t.Component, d: Definition) -> None:
    """Read it before its turn. Where that told nobody anything new, it may do."""
    met, before = index_of(bodies.symbols).met, told(component)
    met.clear()
    component_body(bodies, component, d)
    if d.build is None and told(component) == before:
        asked = (*met, *(phrase.component for phrase in bodies.symbols.sentences))
        bodies.first[id(component)] = First([(c, told(c)) for c in asked], bodies.problems)


def _component(bodies: Bodies, component: t.Component, d: Definition) -> None:
    first = bodies.first.pop(id(component), None)
    if first is not None and first.holds:
        bodies.problems += first.problems
        return
    if component.table is not None:
        component.table.rows.clear()
    component_body(bodies, component, d)


# ------------------------------------------------------------ kinds
def _body(bodies: Bodies, symbol: object, d: Definition) -> None:
    """What one definition says; components are read before, because others ask what they give."""
    match symbol:
        case t.Resource():
            _resource(bodies, symbol, d)
        case TemplateSym():
            _template(bodies, symbol, d)
        case WalkSym():
            _walk(bodies, symbol, d)
        case LawSym():
            _law(bodies, symbol, d)
        case t.Rules():
            rules(bodies, symbol, d)
        case t.ActionSym():
            headed = bodies.is_own(d) and d.get("declare") is None
            (headed_action if headed else action_body)(bodies, symbol, d)
        case StrategySym():
            symbol.seat = d.get("plays") is not None
            behaves = d.get("behavior") is not None or (bodies.is_own(d) and not symbol.seat)
            (behaviors if behaves else strategy)(bodies, symbol, d)
        case _:
            pass


def _zone(bodies: Bodies, zone: ZoneSym) -> None:
    seen = zone.definition.get("seen by")
    if seen is None or not seen.lines or not OPENS.match(seen.text.strip()):
        return
    first, *rest = seen.lines
    text = first.text.partition("while")[2]
    check = replace(first, column=first.column + len(first.text) - len(text), text=text)
    zone.opens = field_check(bodies, [check, *rest], Scope(**({"self": zone.of} if zone.of else {})))
    if zone.opens is None:
        words = "say while what holds: `seen by: all while [Lamp] > 0`"
        bodies.problem("missing-part", first, words)


def _resource(bodies: Bodies, r: t.Resource, d: Definition) -> None:
    scope = Scope(**({"self": r.of[0]} if r.of else {}))
    starts = d.get("starts")
    if starts is not None:
        r.starts = _value(bodies, r, starts, d, scope)
    maximum = d.get("maximum")
    if maximum is not None and maximum.text == "starting value":
        r.own_maximum = r.settles = True
    elif maximum is not None:
        r.maximum = field_number(bodies, maximum.lines, scope)


def _value(
    bodies: Bodies, r: t.Resource, f: FieldText, d: Definition, scope: Scope
) -> t.Num_ | t.Thing_ | None:
    """What a resource is to hold at first: a number, or a thing."""
    if r.holds is None:
        return field_number(bodies, f.lines, scope)
    parser = reader(bodies, f, d, scope)
    with reported(bodies.problems):
        if parser is not None:
            found = parse_thing(parser, r.holds)
            end(parser)
            return found
    return None


def _template(bodies: Bodies, template: TemplateSym, d: Definition) -> None:
    resources = {norm(r.name): r for r in bodies.symbols.resources.values() if not r.builtin}
    for f in d.fields:
        if bodies.symbols.closes and f.key[:1] not in "=^":
            continue
        resource = resources.get(norm(f.key.lstrip("=^")))
        if resource is None or resource.of != (t.ACTOR,):
            continue
        scope = Scope(self=t.ACTOR)
        if f.key[:1] == "^":
            template.maxima[key(resource)] = t.Final(field_number(bodies, f.lines, scope))
            continue
        value = _value(bodies, resource, f, d, scope)
        if value is not None:
            template.values[key(resource)] = value


def key(resource: t.Resource) -> str:
    """The key of a resource in the tables."""
    return resource.key or norm(resource.name)


def _walk(bodies: Bodies, walk: WalkSym, d: Definition) -> None:
    scope = Scope(self=t.ACTOR)
    it = scope.new_it(t.SPACE)
    scope.locals["from"] = t.SPACE
    scope.owner = it
    scope.it.append(it)
    walk.it = it.name
    walk.through = said_check(bodies, d, "through", scope)
    walk.ends = said_check(bodies, d, "ends", scope)
    costs = d.get("costs")
    walk.cost = field_number(bodies, costs.lines, scope) if costs else t.Num(1)


def _status(bodies: Bodies, status: StatusSym, d: Definition) -> None:
    again = d.get("again")
    if again is not None:
        status.again = again.text.strip()
        if status.again not in ("add", "refresh", "stronger", "refuse", "replace"):
            bodies.problem(
                "unexecutable",
                again.first,
                "again: add, refresh, stronger, refuse or replace",
            )
            status.again = "refresh"
    number = re.search(r"\d+", d.said("stacks"))
    status.stacks = int(number.group()) if number else (99 if status.again == "add" else 1)
    found = [field_check(bodies, f.lines, Scope(self=t.ACTOR)) for f in d.fields if f.key.lower() == "immune"]
    checks = [c for c in found if c is not None]
    status.immune = t.joined(t.Either, checks) if checks else None


def _law(bodies: Bodies, law: LawSym, d: Definition) -> None:
    """A check that holds for nobody in particular; before `while:` holds, it says nothing."""
    lines = d.lines_of("body", "do")
    law.check = field_check(bodies, lines, Scope()) if lines else None
    if not lines:
        bodies.problem("missing-part", d.line, f"'{law.name}' does not say what must hold")
    when = said_check(bodies, d, "while", Scope())
    if when is not None and law.check is not None:
        law.check = t.Either([t.Never(when), law.check])
