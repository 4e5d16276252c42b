"""Actions, reactions and strategies of the campaign notation.

In:  bare-name blocks with Range, Target, if, do, else, then; Strategy blocks with behaviors.
Out: ActionSym and Behaviors trees.

What an action is aimed at comes from its `Target:` line, or else from its own words: an action that
speaks of its target has one.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from rulewright.book import tree as t
from rulewright.book.bodies import actions as m_action_bodies
from rulewright.book.bodies import fields as m_fields
from rulewright.book.bodies.features import TokenLines, match, shown
from rulewright.book.grammar.scope import Scope
from rulewright.book.phrases import match as phrases
from rulewright.book.phrases.match import expand
from rulewright.book.symbols import StrategySym, norm
from rulewright.book.text.source import Definition, FieldText, Line
from rulewright.book.text.tokens import NEWLINE, tokenize
from rulewright.diagnostics import Diagnostic, Span, nearest

if TYPE_CHECKING:
    from rulewright.book.bodies.state import Bodies

SPACES = r"(?:spaces?|tiles?)"
RANGE = re.compile(
    rf"(?P<near>Adjacent|Melee(?:\s*\([^()]*\))?)|(?P<self>Self)|(?P<far>Unlimited)"
    rf"|(?:Ranged\s+)?(?P<reach>\d+)(?:\s+{SPACES})?(?:\s*,\s*(?P<radius>\d+)-{SPACES}\s+radius)?"
)
TARGET = re.compile(
    rf"(?P<single>Single (?:actor|ally|enemy))|(?P<self>Self)|(?P<none>None)|(?P<tile>Tile)"
    rf"|All (?P<all>allies|enemies|actors)(?:\s+within\s+(?P<within>.+?)\s+{SPACES})?"
)
ONE = {"actor": "actor", "ally": "ally", "enemy": "enemy"}
MANY = {"allies": "ally", "enemies": "enemy", "actors": "actor"}


class Deeds:
    """Reads actions and strategies."""

    def __init__(self, bodies: Bodies) -> None:
        self.bodies = bodies
        self.symbols = bodies.symbols
        self.problems = bodies.problems
        self.definitions = {
            norm(c.definition.title): c.definition for c in self.symbols.own_components.values()
        }

    def own(self, d: Definition) -> bool:
        """Is it a block of a book that uses a framework?"""
        return bool(self.symbols.frameworks) and d.line.file not in self.symbols.frameworks

    def problem(self, code: str, line: Line, message: str, help: str = "") -> None:
        """Report a mistake."""
        span = Span(line.file, line.number, line.column + 1, max(1, len(line.text)))
        self.problems.append(Diagnostic(code, span, message, help))

    # ------------------------------------------------------------ targets
    def form(self, d: Definition) -> str:
        """single, self, none, tile, all or radius."""
        reach = d.get("range")
        if reach is not None and re.search(r"-(?:space|tile)s? radius", reach.text):
            return "radius"
        target = d.get("target")
        if target is not None:
            found = TARGET.fullmatch(target.text.strip())
            if found is None:
                return "none"
            return "all" if found["all"] else next(k for k in ("single", "self", "none", "tile") if found[k])
        text = self.text(d, set())
        if re.search(r"\btarget (?:tile|space)\b", text, re.I):
            return "tile"
        return "single" if re.search(r"\btarget\b", text, re.I) else "none"

    def text(self, d: Definition, seen: set[str]) -> str:
        """What a block says, the components it refers to included."""
        made = " \n ".join(
            x.text for f in d.fields if f.key.lower() in ("if", "do", "else", "then", "body") for x in f.lines
        )
        made = re.sub(r'"[^"]*"', "", made)
        squeezed = norm(made)
        for key, inner in self.definitions.items():
            if key not in seen and "#" + key in squeezed:
                made += " \n " + self.text(inner, seen | {key})
        return made

    def names(self, action: t.ActionSym, d: Definition) -> None:
        """What the action declares, before any body is parsed."""
        if action.kind == "Reaction":
            return
        match self.form(d):
            case "single":
                action.params.append(t.Param("target", t.ACTOR))
            case "tile" | "radius":
                action.params.append(t.Param("tile", t.SPACE))
            case _:
                pass

    def _reach(self, d: Definition) -> re.Match[str] | None:
        field = d.get("range")
        if field is None or not field.lines:
            return None
        found = RANGE.fullmatch(field.text.strip())
        if found is None:
            self.problem(
                "unexecutable",
                field.lines[0],
                f"'{field.text}' is no range: write `Adjacent`, `3 spaces`, `Self` or `Unlimited`",
            )
        return found

    def _target(self, action: t.ActionSym, d: Definition, scope: Scope) -> str:
        """The declared target, or everybody an area takes in."""
        field = d.get("target")
        form = self.form(d)
        if field is not None and field.lines and TARGET.fullmatch(field.text.strip()) is None:
            forms = [
                "Single actor",
                "Single ally",
                "Single enemy",
                "Self",
                "None",
                "Tile",
                "All allies",
                "All enemies",
                "All actors",
            ]
            close = nearest(field.text, forms)
            self.problem(
                "unexecutable",
                field.lines[0],
                f"'{field.text}' is no target",
                f"did you mean '{close}'?" if close else "",
            )
            scope.locals["target"] = t.ACTOR
            return "none"
        reach = self._reach(d)
        me = t.TLocal("self", t.ACTOR)
        match form:
            case "single":
                it = scope.new_it(t.ACTOR)
                noun = "actor" if field is None else ONE[field.text.split()[1]]
                made = t.Selector("a", noun, t.ACTOR, it.name, line=d.line.number)
                made.tests += self._within(reach, me, it)
                action.declares.append(t.Declared("target", t.ACTOR, made))
                scope.locals["target"] = t.ACTOR
            case "self":
                scope.locals["target"] = t.ACTOR
                action.lets.append(t.SetThing(t.TLocal("target", t.ACTOR), me, d.line.number))
            case "tile" | "radius":
                it = scope.new_it(t.SPACE)
                made = t.Selector("a", "space", t.SPACE, it.name, line=d.line.number)
                made.tests += self._within(reach, me, it)
                action.declares.append(t.Declared("tile", t.SPACE, made))
                scope.locals["tile"] = t.SPACE
                if form == "radius" and reach is not None:
                    self._area(
                        action, "actor", t.Num(int(reach["radius"])), t.TLocal("tile", t.SPACE), scope, d
                    )
            case "all":
                found = TARGET.fullmatch(field.text.strip()) if field else None
                assert found is not None
                assert field is not None
                amount: t.Num_ | None = None
                if found["within"]:
                    line = field.lines[0]
                    piece = Line(
                        line.file,
                        line.number,
                        line.column + field.text.index(found["within"]),
                        found["within"],
                    )
                    amount = t.Final(m_fields.field_number(self.bodies, [piece], scope))
                elif reach is not None and reach["reach"]:
                    amount = t.Num(int(reach["reach"]))
                elif reach is not None and reach["near"]:
                    amount = t.Num(1)
                self._area(action, MANY[found["all"]], amount, me, scope, d)
            case _:
                pass
        return form

    def _within(self, reach: re.Match[str] | None, me: t.Thing_, it: t.TLocal) -> list[t.Cond_]:
        if reach is None or reach["far"]:
            return []
        if reach["self"]:
            return [
                t.Same(
                    it if it.type == t.ACTOR else t.TBuiltin("space", t.SPACE, [me]),
                    me if it.type == t.ACTOR else it,
                )
            ]
        if reach["near"]:
            beside = t.Compare("==", t.Geometry("adjacent", [it, me]), t.Num(1, "-"))
            return [t.Never(t.Same(it, me)), beside] if it.type == t.ACTOR else [beside]
        return [t.Compare("<=", t.Geometry("distance", [it, me]), t.Num(int(reach["reach"])))]

    def _area(
        self,
        action: t.ActionSym,
        noun: str,
        amount: t.Num_ | None,
        centre: t.Thing_,
        scope: Scope,
        d: Definition,
    ) -> None:
        it = scope.new_it(t.ACTOR)
        made = t.Selector("every", noun, t.ACTOR, it.name, line=d.line.number)
        if amount is not None:
            made.tests.append(t.Compare("<=", t.Geometry("distance", [it, centre]), amount))
        action.every = made
        scope.locals["target"] = t.ACTOR

    # ------------------------------------------------------------ actions
    def action(self, action: t.ActionSym, d: Definition) -> None:
        """One Action or Reaction."""
        scope = Scope(self=t.ACTOR)
        scope.things = {"action": t.TConst("Action", action.index)}
        form = "self"
        if action.kind == "Reaction":
            self._trigger(action, d, scope)
        else:
            form = self._target(action, d, scope)
        tests: list[t.Cond_] = []
        for f in d.fields:
            if f.key.lower() in ("limit", "line of sight"):
                self._header(action, f, scope, tests)
            elif f.key.lower() == "requires":
                found = m_fields.field_check(self.bodies, f.lines, scope)
                tests += [found] if found is not None else []
        test = d.get("if")
        if test is not None:
            action.test = m_fields.field_check(self.bodies, test.lines, scope)
        for key, attribute in (("cost", "cost"), ("do", "do"), ("else", "orelse"), ("then", "then")):
            field = d.get(key)
            if field is None:
                continue
            if key == "then" and action.every is not None:
                scope.locals.pop("target", None)
            setattr(action, attribute, m_fields.effects(self.bodies, field.lines, scope))
        for tokens in scope.demands:
            found = m_fields.field_check(self.bodies, TokenLines(tokens), scope)
            tests += [found] if found is not None else []
        action.requires = None if not tests else tests[0] if len(tests) == 1 else t.Both(tests)
        doing = d.get("do")
        if doing is None or not doing.text:
            self.problem("missing-part", d.line, f"'{action.name}' has no `do:`")
        if d.get("else") is not None and test is None:
            field = d.get("else")
            assert field is not None
            at = field.lines[0] if field.lines else d.line
            self.problems.append(
                Diagnostic(
                    "unreachable-row",
                    Span(at.file, at.number, 1, 4),
                    f"without `if:` the `else:` of '{action.name}' never happens",
                    None,
                    "warning",
                )
            )
        del form

    def _header(self, action: t.ActionSym, f: FieldText, scope: Scope, tests: list[t.Cond_]) -> None:
        """`Limit:` and other lines that a framework gives a meaning."""
        at = f.at or (f.lines[0] if f.lines else action.definition.line)
        lines = [Line(at.file, at.number, 0, f"{f.key}: {f.text}")]
        tokens = [x for x in tokenize(lines, self.problems) if x.kind not in ("indent", "dedent", NEWLINE)]
        hit = match(self.symbols.phrases, phrases.HEADER, tokens)
        if hit is None:
            titles = [
                p.title for p in self.symbols.phrases.phrases.get(phrases.HEADER, ()) if "{" not in p.title
            ]
            close = nearest(shown(tokens), titles)
            value = f.lines[0] if f.lines else at
            self.problem(
                "unexecutable",
                value,
                f"'{f.key}: {f.text}' says nothing that this book knows",
                f"did you mean '{close}'?" if close else "",
            )
            return
        for key, value in hit[0].fields:
            inner = TokenLines(expand(value, hit[1], tokens[0]))
            if key[0].text == "requires":
                found = m_fields.field_check(self.bodies, inner, scope)
                tests += [found] if found is not None else []
            else:
                action.cost += m_fields.field_block(self.bodies, inner, scope)

    def _trigger(self, action: t.ActionSym, d: Definition, scope: Scope) -> None:
        """The window a reaction waits for; whoever opened it is its target and attacker."""
        field = d.get("trigger")
        if field is None or not field.lines:
            self.problem("missing-part", d.line, f"'{action.name}' has no `Trigger:`")
            return
        tokens = [
            x for x in tokenize(field.lines, self.problems) if x.kind not in ("indent", "dedent", NEWLINE)
        ]
        if len(tokens) > 1 and tokens[-2].is_("."):
            del tokens[-2]
        hit = match(self.symbols.phrases, phrases.TRIGGER, tokens)
        scope.locals |= {"target": t.ACTOR, "attacker": t.ACTOR}
        if hit is None:
            from rulewright.book.bodies.features import unknown

            unknown(self.problems, tokens, "trigger of a reaction", self.symbols, phrases.TRIGGER)
            return
        for key, value in hit[0].fields:
            inner = TokenLines(expand(value, hit[1], tokens[0]))
            name = key[0].text.lower()
            if name == "trigger":
                m_action_bodies.trigger_of(self.bodies, action, FieldText("trigger", inner), scope)
            elif name == "let":
                action.lets += m_fields.field_block(self.bodies, inner, scope)

    # ------------------------------------------------------------ strategies
    def strategy(self, strategy: StrategySym, d: Definition) -> None:
        """Behaviors, by priority and then as listed."""
        groups: list[Definition] = []
        for f in d.fields:
            if f.key.lower() == "behavior":
                at = f.at or d.line
                groups.append(
                    Definition(f.text, "Behavior", Line(at.file, at.number, 0, f"Behavior: {f.text}"))
                )
            elif f.key.lower() == "note":
                continue
            elif not groups:
                self.problem(
                    "unexecutable",
                    f.lines[0] if f.lines else d.line,
                    f"'{f.key}:' belongs to no behavior: write `Behavior: NAME` first",
                )
            else:
                groups[-1].fields.append(f)
        seen: dict[str, Definition] = {}
        for g in groups:
            if norm(g.title) in seen:
                self.problem(
                    "duplicate-name",
                    g.line,
                    f"the behavior '{g.title}' is declared twice",
                    f"first declared on line {seen[norm(g.title)].line.number}",
                )
            seen[norm(g.title)] = g
        before = len(self.problems)
        ranked = sorted(groups, key=self._priority)
        ordered = len(self.problems) == before  # else nobody can tell which is the last
        rows = [self._behavior(g, g is ranked[-1] or not ordered) for g in ranked]
        strategy.body = [t.Behaviors(rows, d.line.number)]

    def _priority(self, d: Definition) -> int:
        field = d.get("priority")
        if field is None or not field.lines:
            return 10**6
        if not field.text.isdigit():
            self.problem("type-mismatch", field.lines[0], f"'{field.text}' is no number")
            return 10**6
        return int(field.text)

    def _behavior(self, d: Definition, last: bool) -> t.Behavior:
        scope = Scope(self=t.ACTOR, target=t.ACTOR)
        scope.behavior = True
        when = d.get("when")
        if when is None and not last:
            self.problem(
                "missing-part", d.line, f"'{d.title}' needs `when:`; only the last behavior can do without"
            )
        if d.get("do") is None:
            self.problem("missing-part", d.line, f"'{d.title}' has no `do:`")
        parts: dict[str, t.Block_] = {}
        for key in ("do", "else", "then"):
            field = d.get(key)
            parts[key] = m_fields.effects(self.bodies, field.lines, scope) if field is not None else []
        test = d.get("if")
        made = t.Behavior(
            d.title, m_fields.field_check(self.bodies, when.lines, scope) if when else None,
            m_fields.field_check(self.bodies, test.lines, scope) if test else None,
            parts["do"], parts["else"], parts["then"], line=d.line.number,
        )  # fmt: skip
        usual = self.symbols.components.get(norm("Usual Target"))
        if usual is not None:
            made.target = t.Run(usual, None, [], d.line.number)
        return made
