"""Parse what the definitions do: the third pass.

In:  Symbols with names and types, the definitions that have bodies.
Out: the same Symbols, with checked trees in their components, actions and rules.
"""

from __future__ import annotations

import re

from rulewright.book import tree as t
from rulewright.book.action_bodies import ActionBodies
from rulewright.book.campaign import Campaign
from rulewright.book.declare import Declarer
from rulewright.book.deeds import Deeds
from rulewright.book.features import Features
from rulewright.book.parser import Mistake, Scope
from rulewright.book.source import Definition
from rulewright.book.symbols import StatusSym, StrategySym, TemplateSym, WalkSym, norm
from rulewright.book.trees import Gap


class Bodies(ActionBodies):
    """Parses every body of a book."""

    def __init__(self, declarer: Declarer) -> None:
        super().__init__(declarer)
        self.deeds, self.features = Deeds(self), Features(self)

    def run(self) -> None:
        """Abbreviations first: what roles they need decides how they are called."""
        work = self.declarer.bodies
        for _, symbol, d in work:
            if isinstance(symbol, StatusSym):
                self._status(symbol, d)
        for status in self.symbols.statuses.values():
            self._status(status, status.definition)
        for sort, symbol, d in work:
            if sort == "action" and isinstance(symbol, t.ActionSym):
                self._declares_names(symbol, d)
        for face in self.symbols.face_actions.values():
            for action in self.symbols.actions.values():
                if any(x.rest for x in action.declares):
                    for param in face.params:
                        if all(p.name != param.name for p in action.params):
                            action.params.append(t.Param(param.name, param.type))
        pending = [(s, d) for sort, s, d in work if sort == "component" and isinstance(s, t.Component)]
        for component, d in pending:
            if component.kind == "Table":
                self._table_head(component, d)
        abbreviations = [p for p in pending if p[0].implicit]
        kept = self.problems
        self.problems = self.declarer.problems = []
        for component, d in abbreviations:
            self._component(component, d)  # once for the roles they need, which others may need through them
        self.problems = self.declarer.problems = kept
        ordered = abbreviations + [p for p in pending if not p[0].implicit]
        # Tables that give a thing come first: what they give decides what may be done with it.
        ordered.sort(
            key=lambda p: not (p[0].kind == "Table" and any(h.lower() == "gives" for h in p[1].columns))
        )
        for component, d in ordered:
            if component.table is not None:
                component.table.rows.clear()
            self._component(component, d)
        for _, symbol, d in work:
            match symbol:
                case t.Resource():
                    self._resource(symbol, d)
                case TemplateSym():
                    self._template(symbol, d)
                case WalkSym():
                    self._walk(symbol, d)
                case t.Rules():
                    self._rules(symbol, d)
                case t.ActionSym():
                    self._action(symbol, d)
                case StrategySym():
                    self._strategy(symbol, d)
                case _:
                    pass
        if isinstance(self.symbols.campaign, Campaign):
            try:
                self.symbols.campaign.finish(self)
            except Gap as gap:
                self.gap(gap)

    # ------------------------------------------------------------ kinds
    def _resource(self, r: t.Resource, d: Definition) -> None:
        scope = Scope(**({"self": r.of[0]} if r.of else {}))
        starts = d.get("starts")
        if starts is not None:
            if r.holds is not None:
                parser = self._reader(starts, d, scope)
                try:
                    if parser is not None:
                        r.starts = parser.thing(r.holds)
                except Mistake as mistake:
                    self.problems.append(mistake.diagnostic)
            else:
                r.starts = self.number(starts.lines, scope)
        maximum = d.get("maximum")
        if maximum is not None and maximum.text == "starting value":
            r.own_maximum = r.settles = True
        elif maximum is not None:
            r.maximum = self.number(maximum.lines, scope)

    def _template(self, template: TemplateSym, d: Definition) -> None:
        resources = {norm(r.name): r for r in self.symbols.resources.values() if not r.builtin}
        for f in d.fields:
            if self.symbols.frameworks and f.key[:1] not in "=^":
                continue
            resource = resources.get(norm(f.key.lstrip("=^")))
            if resource is None or resource.of != (t.ACTOR,):
                continue
            scope = Scope(self=t.ACTOR)
            if f.key[:1] == "^":
                template.maxima[self.key(resource)] = t.Final(self.number(f.lines, scope))
                continue
            if resource.holds is not None:
                parser = self._reader(f, d, scope)
                try:
                    if parser is not None:
                        template.values[self.key(resource)] = parser.thing(resource.holds)
                except Mistake as mistake:
                    self.problems.append(mistake.diagnostic)
            else:
                template.values[self.key(resource)] = self.number(f.lines, scope)

    def key(self, resource: t.Resource) -> str:
        """The key of a resource in the tables."""
        return resource.key or norm(resource.name)

    def _walk(self, walk: WalkSym, d: Definition) -> None:
        scope = Scope(self=t.ACTOR)
        it = scope.new_it(t.SPACE)
        scope.locals["from"] = t.SPACE
        scope.owner = it
        scope.it.append(it)
        walk.it = it.name
        through = d.get("through")
        walk.through = self.check(through.lines, scope) if through else None
        ends = d.get("ends")
        walk.ends = self.check(ends.lines, scope) if ends else None
        costs = d.get("costs")
        walk.cost = self.number(costs.lines, scope) if costs else t.Num(1)

    def _status(self, status: StatusSym, d: Definition) -> None:
        again = d.get("again")
        if again is not None:
            status.again = again.text.strip()
            if status.again not in ("add", "refresh", "stronger", "refuse", "replace"):
                self.declarer.problem(
                    "unexecutable", again.lines[0], "again: add, refresh, stronger, refuse or replace"
                )
                status.again = "refresh"
        stacks = d.get("stacks")
        number = re.search(r"\d+", stacks.text) if stacks else None
        status.stacks = int(number.group()) if number else (99 if status.again == "add" else 1)
        found = [self.check(f.lines, Scope(self=t.ACTOR)) for f in d.fields if f.key.lower() == "immune"]
        checks = [c for c in found if c is not None]
        status.immune = (checks[0] if len(checks) == 1 else t.Either(checks)) if checks else None
