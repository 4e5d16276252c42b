"""What an action is aimed at: `Range:` and `Target:` lines, or else, in closed text, its own words.

In:  the header lines of an action.
Out: what the action declares, or everybody an area takes in. In open text `Target:` may be any selector.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from rulewright.book import tree as t
from rulewright.book.bodies.fields import end, field_number, parser_over
from rulewright.book.bodies.state import Bodies
from rulewright.book.grammar.dispatch import parse_selector
from rulewright.book.grammar.scope import Scope, reported
from rulewright.book.symbols import norm
from rulewright.book.text.source import Definition, FieldText
from rulewright.diagnostics import suggest

SPACES = r"(?:spaces?|tiles?)"


RANGE = re.compile(
    rf"(?P<near>Adjacent|Melee(?:\s*\([^()]*\))?)|(?P<self>Self)|(?P<far>Unlimited)"
    rf"|(?:Ranged\s+)?(?P<reach>\d+|\[[^\]]+\])(?:\s+{SPACES})?(?:\s*,\s*(?P<radius>\d+)-{SPACES}\s+radius)?"
)
TARGET = re.compile(
    rf"(?P<single>Single (?:actor|ally|enemy))|(?P<self>Self)|(?P<none>None)|(?P<tile>Tile)"
    rf"|All (?P<all>allies|enemies|actors)(?:\s+within\s+(?P<within>.+?)\s+{SPACES})?"
)
ONE = {"actor": "actor", "ally": "ally", "enemy": "enemy"}
FORMS = [*(f"Single {x}" for x in ONE), "Self", "None", "Tile", "All allies", "All enemies", "All actors"]
MANY = {"allies": "ally", "enemies": "enemy", "actors": "actor"}


def target_form(bodies: Bodies, d: Definition) -> str:
    """single, self, none, tile, all or radius."""
    reach = d.get("range")
    if reach is not None and re.search(r"-(?:space|tile)s? radius", reach.text):
        return "radius"
    target = d.get("target")
    if target is not None:
        found = TARGET.fullmatch(target.text)
        if found is None:
            return "none" if bodies.is_own(d) or not target.text else "free"
        return "all" if found["all"] else next(k for k in ("single", "self", "none", "tile") if found[k])
    text = whole_text(bodies, d, set()) if bodies.is_own(d) else ""
    if re.search(r"\btarget (?:tile|space)\b", text, re.I):
        return "tile"
    return "single" if re.search(r"\btarget\b", text, re.I) else "none"


def whole_text(bodies: Bodies, d: Definition, seen: set[str]) -> str:
    """What a block says, the components it refers to included."""
    made = " \n ".join(x.text for x in d.lines_of("if", "do", "else", "then", "body"))
    made = re.sub(r'"[^"]*"', "", made)
    squeezed = norm(made)
    for key, inner in bodies.own_blocks.items():
        if key not in seen and "#" + key in squeezed:
            made += " \n " + whole_text(bodies, inner, seen | {key})
    return made


def target_names(bodies: Bodies, action: t.ActionSym, d: Definition) -> None:
    """What the action declares, before any body is parsed."""
    if action.kind == "Reaction" and bodies.is_own(d):
        return
    match target_form(bodies, d):
        case "single" | "free":
            action.params.append(t.Param("target", t.ACTOR))
        case "tile" | "radius":
            action.params.append(t.Param("tile", t.SPACE))
        case _:
            pass


def _reach(bodies: Bodies, d: Definition) -> re.Match[str] | None:
    field = d.get("range")
    if field is None or not field.lines:
        return None
    found = RANGE.fullmatch(field.text.strip())
    if found is None:
        bodies.problem(
            "unexecutable",
            field.first,
            f"'{field.text}' is no range: write `Adjacent`, `3 spaces`, `Self` or `Unlimited`",
        )
    return found


def aim(bodies: Bodies, action: t.ActionSym, d: Definition, scope: Scope) -> None:
    """The declared target, or everybody an area takes in."""
    field, form = d.get("target"), target_form(bodies, d)
    if form == "none" and field is not None and field.lines and TARGET.fullmatch(field.text) is None:
        help_ = suggest(field.text, FORMS)
        bodies.problem("unexecutable", field.first, f"'{field.text}' is no target", help_)
        scope.locals["target"] = t.ACTOR
        return
    if form == "none" and not bodies.is_own(d):
        return  # what it calls its range is its own affair
    reach = _reach(bodies, d)
    near = _Near(reach, _distance(bodies, d, reach, scope))
    me = t.TLocal("self", t.ACTOR)
    match form:
        case "single":
            noun = "actor" if field is None else ONE[field.text.split()[1]]
            _declare(action, "target", noun, t.ACTOR, near, scope, d)
        case "free":
            assert field is not None
            _chosen(bodies, action, field, near, scope)
        case "self":
            scope.locals["target"] = t.ACTOR
            action.lets.append(t.SetThing(t.TLocal("target", t.ACTOR), me, line=d.line.number))
        case "tile" | "radius":
            _declare(action, "tile", "space", t.SPACE, near, scope, d)
            if form == "radius" and reach is not None:
                radius = t.Num(int(reach["radius"]))
                _area(action, "actor", radius, t.TLocal("tile", t.SPACE), scope, d)
        case "all":
            assert field is not None
            found = TARGET.fullmatch(field.text)
            assert found is not None
            amount = _extent(bodies, field, found, near, scope)
            _area(action, MANY[found["all"]], amount, me, scope, d)
        case _:
            pass


@dataclass(frozen=True, slots=True)
class _Near:
    """What `Range:` says, and the distance that it states."""

    said: re.Match[str] | None
    most: t.Num_ | None


def _distance(bodies: Bodies, d: Definition, reach: re.Match[str] | None, scope: Scope) -> t.Num_ | None:
    field = d.get("range")
    if field is None or reach is None or not reach["reach"]:
        return None
    return field_number(bodies, [field.first.slice(*reach.span("reach"))], scope)


def _chosen(bodies: Bodies, action: t.ActionSym, field: FieldText, near: _Near, scope: Scope) -> None:
    """Any selector: one that is declared, or everybody it finds."""
    parser = parser_over(bodies, [field.first], scope)
    with reported(bodies.problems):
        _ = parser.take("One") or parser.take("one")
        found = parse_selector(parser, default="a")
        end(parser)
        within = _within(near, t.TLocal("self", t.ACTOR), t.TLocal(found.it, found.type))
        found = replace(found, tests=[*found.tests, *within])
        if found.quantifier == "every":
            action.every = found
        else:
            action.declares.append(t.Declared("target", found.type, found))
        scope.locals["target"] = found.type


def _declare(
    action: t.ActionSym,
    name: str,
    noun: str,
    type_: str,
    near: _Near,
    scope: Scope,
    d: Definition,
) -> None:
    """One thing within reach, which whoever acts declares."""
    it = scope.new_it(type_)
    tests = _within(near, t.TLocal("self", t.ACTOR), it)
    made = t.Selector("a", noun, type_, it.name, tests=tests, line=d.line.number)
    action.declares.append(t.Declared(name, type_, made))
    scope.locals[name] = type_


def _extent(
    bodies: Bodies, field: FieldText, found: re.Match[str], near: _Near, scope: Scope
) -> t.Num_ | None:
    """How far an area reaches: what its own line says, else the range."""
    if found["within"]:
        start = field.text.index(found["within"])
        piece = field.first.slice(start, text=found["within"])
        return t.Final(field_number(bodies, [piece], scope))
    return t.Num(1) if near.said is not None and near.said["near"] else near.most


def _within(near: _Near, me: t.Thing_, it: t.TLocal) -> list[t.Cond_]:
    reach = near.said
    if reach is None or reach["far"]:
        return []
    if reach["self"]:
        return [t.Same(it if it.type == t.ACTOR else t.SpaceOf(me), me if it.type == t.ACTOR else it)]
    if near.most is not None:
        return [t.Compare("<=", t.Distance(it, me), near.most)]
    beside = t.Compare("==", t.Adjacent(it, me), t.Num(1, "-"))
    return [t.Never(t.Same(it, me)), beside] if it.type == t.ACTOR else [beside]


def _area(
    action: t.ActionSym, noun: str, amount: t.Num_ | None, centre: t.Thing_, scope: Scope, d: Definition
) -> None:
    it = scope.new_it(t.ACTOR)
    tests: list[t.Cond_] = []
    if amount is not None:
        tests.append(t.Compare("<=", t.Distance(it, centre), amount))
    action.every = t.Selector("every", noun, t.ACTOR, it.name, tests=tests, line=d.line.number)
    scope.locals["target"] = t.ACTOR
