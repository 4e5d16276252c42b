"""What standing rules say: while, modify, forbids, and hooks at moments.

In:  Rules with the definition of their Feature, Status, Card or Terrain.
Out: the same Rules with their trees.
"""

from __future__ import annotations

from rulewright.book import tree as t
from rulewright.book.component_bodies import ComponentBodies
from rulewright.book.keywords import HOOK
from rulewright.book.parser import Mistake, Scope
from rulewright.book.source import Definition, FieldText, Line
from rulewright.book.symbols import norm
from rulewright.book.tokens import END


class RuleBodies(ComponentBodies):
    """Parses standing rules."""

    def _rules(self, rules: t.Rules, d: Definition) -> None:
        scope = Scope(self=t.ACTOR)
        if rules.bearer == "face":
            scope.locals["card"] = t.CARD
        if rules.bearer == "status":
            scope.status = rules.index
        for_ = d.get("for")
        if for_ is not None:
            key = norm(for_.text)
            found = next((k for k in self.symbols.templates if k == key or k.lower() == key.lower()), None)
            if found is None:
                self.declarer.problem("unknown-name", for_.lines[0], f"no template is called '{for_.text}'")
            rules.template = found
        works = d.get("works in")
        rules.zone = norm(works.text) if works else ""
        if rules.zone and rules.zone not in self.symbols.zones and rules.zone != "anywhere":
            assert works is not None
            self.declarer.problem("unknown-name", works.lines[0], f"no zone is called '{works.text}'")
            rules.zone = ""
        while_ = d.get("while")
        if while_ is not None:
            rules.while_ = self.check(while_.lines, scope)
        for field in d.fields:
            low = field.key.lower()
            if low == "modify":
                self.modify(rules, field, scope)
            elif low == "forbids":
                self.forbids(rules, field)
            elif HOOK.match(field.key) and low not in ("at",):
                self._hook(rules, field, d)
            elif field.key.startswith("[") and rules.bearer in ("status", "terrain"):
                self._modify_column(rules, field)
            elif low == "attached":
                rules.attached = True
        if d.kind == "Feature" and rules.bearer == "feature" and (d.get("scope") or d.extra):
            said = d.get("scope")
            scope_text = said.text if said is not None else d.extra
            if "Global" not in scope_text:
                rules.attached = True

    def modify(self, rules: t.Rules, field: FieldText, scope: Scope) -> None:
        parser = self._joined(field.lines, scope)
        if parser is None:
            return
        try:
            while parser.now.kind != END:
                parser.take(",")
                parser.expect("[")
                values = {k for k, c in self.symbols.components.items() if c.kind == "Value"}
                longer = parser.peek_name(values) or ""
                name = (
                    None
                    if len(longer) > len(parser.peek_name(parser.resources) or "")
                    else parser.name(parser.resources)
                )
                value = None
                if name is None:
                    value = parser.name(values)
                    if value is None:
                        raise parser.unknown("resource", [r.name for r in parser.resources.values()])
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
                amount = parser.number()
                resource = parser.resource_named(name) if name else None
                component = self.symbols.components[value] if value else None
                rules.modify.append(t.Modify(resource, how, amount, component))
                parser.take(";")
        except Mistake as mistake:
            self.problems.append(mistake.diagnostic)

    def _modify_column(self, rules: t.Rules, field: FieldText) -> None:
        name = norm(field.key[1:-1])
        resource = self.symbols.resources.get(name)
        component = self.symbols.components.get(name)
        if resource is None and (component is None or component.kind != "Value"):
            self.declarer.problem(
                "unknown-name", field.lines[0], f"no resource is called '{field.key[1:-1]}'"
            )
            return
        scope = Scope(self=t.ACTOR)
        if rules.bearer == "status":
            scope.status = rules.index
        line = field.lines[0]
        text = line.text.lstrip("+")
        amount = self.number([Line(line.file, line.number, line.column, text)], scope)
        rules.modify.append(t.Modify(resource, "+", amount, None if resource else component))

    def forbids(self, rules: t.Rules, field: FieldText) -> None:
        scope = Scope(self=t.ACTOR)
        if self.symbols.frameworks:
            scope.locals["action"] = "Action"
        parser = self._joined(field.lines, scope)
        if parser is None:
            return
        try:
            while True:
                if parser.take("everything") or parser.take("all", "actions"):
                    name = "*"
                else:
                    found = parser.name(self.symbols.actions)
                    if found is None:
                        raise parser.unknown("action", [a.name for a in self.symbols.actions.values()])
                    name = found
                where = None
                if parser.take("where"):
                    if name != "*":
                        for p in self.symbols.actions[name].params:
                            scope.locals[norm(p.name).lower()] = p.type
                    where = parser.check()
                rules.forbids.append(t.Forbid(name, where))
                if not (parser.take(",") or parser.take(";")):
                    break
            self._end(parser)
        except Mistake as mistake:
            self.problems.append(mistake.diagnostic)

    def _hook(self, rules: t.Rules, field: FieldText, d: Definition) -> None:
        scope = Scope(self=t.ACTOR)
        if rules.bearer == "face":
            scope.locals["card"] = t.CARD
        if rules.bearer == "status":
            scope.status = rules.index
        at = field.lines[0] if field.lines else d.line
        parser = self.parser([Line(at.file, at.number, 0, field.key)], scope)
        try:
            moment = parser.hook_moment()
            if parser.now.kind != END:
                raise parser.fail("unexecutable", f"'{parser.now.text}' does not fit here")
        except Mistake as mistake:
            self.problems.append(mistake.diagnostic)
            return
        for param in moment.params:
            scope.locals.setdefault(norm(param.name).lower(), param.type)
            if param.type == t.NUMBER:
                scope.numbers.add(param.name)
        if "change" in moment.kind or "reduced" in moment.kind:
            scope.numbers |= {"Change", "Asked"}
            scope.locals["change"] = scope.locals["asked"] = t.NUMBER
        if moment.kind == "enters":
            scope.locals["it"] = scope.locals["from"] = t.SPACE
        if moment.kind.endswith(" any"):
            scope.locals |= {"action": "Action", "target": t.ACTOR}
        body = self.block(field.lines, scope)
        rules.hooks.append(t.Hook(moment, body, at.number, d.cites))
