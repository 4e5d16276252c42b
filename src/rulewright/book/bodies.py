"""Parse what the definitions do: the third pass.

In:  Symbols with names and types, the definitions that have bodies.
Out: the same Symbols, with checked trees in their components, actions and rules.
"""

from __future__ import annotations

import itertools
import re
from dataclasses import replace

from rulewright.book import phrases
from rulewright.book import tree as t
from rulewright.book.campaign import Campaign
from rulewright.book.declare import HOOK, RULE_COLUMNS, Declarer
from rulewright.book.deeds import Deeds
from rulewright.book.features import Features, TokenLines, match
from rulewright.book.parser import Mistake, Parser, Scope
from rulewright.book.source import Definition, FieldText, Line
from rulewright.book.statements import Statements
from rulewright.book.symbols import StatusSym, StrategySym, TemplateSym, WalkSym, norm
from rulewright.book.tokens import END, NEWLINE, tokenize
from rulewright.book.trees import Gap
from rulewright.diagnostics import Diagnostic, Span


class Bodies:
    """Parses every body of a book."""

    def __init__(self, declarer: Declarer) -> None:
        self.declarer = declarer
        self.symbols = declarer.symbols
        self.problems: list[Diagnostic] = declarer.problems
        self.deeds = Deeds(self)
        self.features = Features(self)

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

    def gap(self, gap: Gap) -> None:
        """A framework that lacks something its notation needs."""
        file = min(self.symbols.frameworks, default="")
        message = f"a framework for campaigns needs {gap}"
        self.problems.append(Diagnostic("missing-part", Span(file, 1, 1), message))

    # ------------------------------------------------------------ parsing fields
    def parser(self, lines: list[Line], scope: Scope) -> Statements:
        """A parser over some lines. What a framework says is core notation, never one of its own phrases."""
        if isinstance(lines, TokenLines):
            return Statements(list(lines.tokens), self.symbols, scope, self.problems)
        tokens = tokenize(lines, self.problems)
        if lines and lines[0].file in self.symbols.frameworks:
            tokens = [replace(token, core=True) for token in tokens]
        return Statements(tokens, self.symbols, scope, self.problems)

    def effects(self, lines: list[Line], scope: Scope) -> t.Block_:
        """Effects of the campaign notation: one more line is one more effect, however deep it stands."""
        flat = [
            Line(x.file, x.number, lines[0].column if n else x.column, x.text)
            for n, x in enumerate(lines)
            if x.text.strip()
        ]
        return self.parser(flat, scope).body() if flat else []

    def outcome(self, lines: list[Line]) -> t.Cond_:
        """A condition of an encounter or campaign, in the words for outcomes or as any check."""
        tokens = [x for x in tokenize(lines, self.problems) if x.kind not in ("indent", "dedent", NEWLINE)]
        hit = match(self.symbols.phrases, phrases.OUTCOME, tokens) if len(tokens) > 1 else None
        found = TokenLines(phrases.expand(hit[0].fields[0][1], hit[1], tokens[0])) if hit else lines
        return self.check(found, Scope()) or t.Always(True)

    def block(self, lines: list[Line], scope: Scope) -> t.Block_:
        """Statements."""
        if isinstance(lines, TokenLines):
            return self.parser(lines, scope).body()
        shown = [x for x in lines if x.text.strip() and not re.fullmatch(r"\(.*\)", x.text.strip())]
        return self.parser(shown, scope).body() if shown else []

    def check(self, lines: list[Line], scope: Scope) -> t.Cond_ | None:
        """A check; lines are joined."""
        parser = self._joined(lines, scope)
        if parser is None:
            return None
        try:
            found = parser.check()
            self._end(parser)
            return found
        except Mistake as mistake:
            self.problems.append(mistake.diagnostic)
            return t.Always(True)

    def number(self, lines: list[Line], scope: Scope) -> t.Num_:
        """A number."""
        parser = self._joined(lines, scope)
        try:
            if parser is None:
                return t.Num(0)
            found = parser.number()
            self._end(parser)
            return found
        except Mistake as mistake:
            self.problems.append(mistake.diagnostic)
            return t.Num(0)

    def _joined(self, lines: list[Line], scope: Scope) -> Statements | None:
        if not any(x.text.strip() for x in lines):
            return None
        parser = self.parser(lines, scope)
        parser.tokens = [
            x for x in parser.tokens if x.kind not in ("indent", "dedent", NEWLINE)
        ] or parser.tokens[-1:]
        return parser

    def _reader(self, field: FieldText, d: Definition, scope: Scope) -> Statements | None:
        """A parser over a field that must say something; None, and a problem, if it does not."""
        parser = self._joined(field.lines, scope)
        if parser is None:
            self.declarer.problem("missing-part", field.at or d.line, f"nothing stands after '{field.key}:'")
        return parser

    def _end(self, parser: Parser) -> None:
        if parser.now.is_("."):
            parser.next()
        if parser.now.kind != END:
            raise parser.fail("unexecutable", f"'{parser.now.text}' does not fit here")

    def scope(self, params: list[t.Param], **more: str) -> Scope:
        """A scope with self and parameters."""
        made = Scope(**{"self": t.ACTOR, **more})
        for p in params:
            made.locals[norm(p.name).lower()] = p.type
            if p.type == t.NUMBER:
                made.numbers.add(p.name)
                made.locals[norm(p.name).lower()] = t.NUMBER
        return made

    # ------------------------------------------------------------ kinds
    def _resource(self, r: t.Resource, d: Definition) -> None:
        scope = Scope(**({"self": r.of[0]} if r.of else {}))
        starts = d.get("starts")
        if starts is not None:
            if r.holds is not None:
                parser = self._reader(starts, d, scope)
                try:
                    if parser is not None:
                        r.starts = parser.thing(r.holds)  # type: ignore[assignment]
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

    def _component(self, c: t.Component, d: Definition) -> None:
        scope = self.scope(c.params)
        scope.open = c.implicit
        if d.build is not None:
            c.implicit = False
            try:
                c.body = d.build(self, scope)
            except Gap as gap:
                self.gap(gap)
            c.gives = self._gives(c.body)
            return
        lines = [x for f in d.fields if f.key.lower() in ("body", "do") for x in f.lines]
        possible = d.get("possible")
        if possible is not None:
            c.possible = self.check(possible.lines, scope)
        match c.kind:
            case "Check":
                c.check = self.check(lines, scope)
                if c.check is None:
                    self.declarer.problem("missing-part", d.line, f"'{c.name}' says nothing to test")
                    c.check = t.Always(True)
            case "Value":
                self._value(c, lines, scope)
            case "Effect":
                c.body = self.block(lines, scope)
                if d.get("gives") is None:
                    c.gives = self._gives(c.body)
                if not lines:
                    self.declarer.problem("missing-part", d.line, f"'{c.name}' does nothing")
            case "Sequence":
                self._sequence(c, d)
            case "Table":
                self._table(c, d)
            case _:
                pass
        if c.implicit:
            for name, type_ in scope.wanted.items():
                if name != "self" and all(p.name != name for p in c.params):
                    c.params.append(t.Param(name, type_))

    def _value(self, c: t.Component, lines: list[Line], scope: Scope) -> None:
        tokens = tokenize(lines, [])
        first = tokens[0].text if tokens else ""
        if first in ("let", "give", "for", "if", "repeat"):
            c.body = self.block(lines, scope)
            c.gives = self._gives(c.body)
            return
        parser = self._joined(lines, scope)
        if parser is None:
            self.declarer.problem("missing-part", c.definition.line, f"'{c.name}' says no number")
            return
        at = parser.at
        try:
            c.value = parser.number()
            self._end(parser)
        except Mistake as mistake:
            parser.at = at
            try:
                c.value = parser.thing()
                self._end(parser)
                c.gives = c.value.component.gives if isinstance(c.value, t.Run) else c.value.type
            except Mistake as second:
                chosen = mistake if mistake.diagnostic.code != "type-mismatch" else second
                self.problems.append(chosen.diagnostic)
                c.value = t.Num(0)

    def _gives(self, block: t.Block_) -> str:
        for statement in block:
            match statement:
                case t.Give(value=value):
                    if isinstance(value, t.Run):
                        return value.component.gives
                    return getattr(value, "type", t.NUMBER)
                case t.IfStmt(then=a, orelse=b):
                    found = self._gives(a)
                    found = found if found != t.NUMBER else self._gives(b)
                    if found != t.NUMBER:
                        return found
                case t.ForEach(body=a) | t.Repeat(body=a):
                    found = self._gives(a)
                    if found != t.NUMBER:
                        return found
                case t.Choose(options=options):
                    for option in options:
                        found = self._gives(option.body)
                        if found != t.NUMBER:
                            return found
                case _:
                    pass
        return t.NUMBER

    def _sequence(self, c: t.Component, d: Definition) -> None:
        if not d.steps:
            lines = [x for f in d.fields if f.key.lower() in ("body", "do") for x in f.lines]
            c.steps = [("Body", [], None)]
            c.step_lines = [d.line.number]
            d.steps = [FieldText("1", lines)]
        scope = self.scope([*c.params, *c.keeps])
        scope.sequence = c
        made: list[tuple[str, t.Block_, Definition | None]] = []
        for (name, _, _), field in zip(c.steps, d.steps, strict=False):
            made.append((name, self.block(field.lines, scope), None))
        c.steps = made

    def _table_head(self, c: t.Component, d: Definition) -> None:
        """Columns first, so that other bodies can read them."""
        made = c.table = t.TableSym()
        offset = 1
        for n, heading in enumerate(d.columns):
            low = heading.lower()
            if (
                n < offset
                or low in ("name", "effect", "roll", "gives")
                or not heading
                or heading.startswith("[")
            ):
                continue
            texts = [row.cells[n][1].text for row in d.rows if len(row.cells) > n]
            if texts and all(re.fullmatch(r"[+−-]?\d+|-|", x) for x in texts):
                values = [
                    int(x.replace("+", "").replace("−", "-")) if x not in ("", "-") else 0 for x in texts
                ]
                made.columns[heading] = t.Column(heading, t.NUMBER, values, texts)
        for n, heading in enumerate(d.columns):
            if heading.startswith("["):
                texts = [row.cells[n][1].text if len(row.cells) > n else "" for row in d.rows]
                made.modifies[norm(heading[1:-1])] = [
                    int(x.replace("+", "").replace("−", "-")) if re.fullmatch(r"[+−-]?\d+", x) else 0
                    for x in texts
                ]

    def _table(self, c: t.Component, d: Definition) -> None:
        made = c.table
        assert made is not None
        caption = d.get("caption")
        scope = self.scope(c.params)
        scope.open = c.implicit
        key_column = 0
        if caption is not None:
            text = caption.lines[0].text
            line = caption.lines[0]
            for word in ("rolls", "reads"):
                match = re.search(rf"\b{word}\s+(.*?)(?=,\s*(?:rolls|reads)\b|$)", text)
                if match is None:
                    continue
                piece = [Line(line.file, line.number, line.column + match.start(1), match.group(1))]
                if word == "reads" and not match.group(1).lstrip().startswith(("[", "(")):
                    parser = self._joined(piece, scope)
                    try:
                        assert parser is not None
                        made.keyed = parser.thing()
                        made.keyed_type = made.keyed.type
                        key_column = 1
                        if parser.take(","):
                            made.reads = parser.number()
                    except Mistake as mistake:
                        self.problems.append(mistake.diagnostic)
                    continue
                number = self.number(piece, scope)
                if word == "rolls":
                    made.rolls = number
                else:
                    made.reads = number
        if made.rolls is None and made.reads is None and made.keyed is None:
            self.declarer.problem("missing-part", d.line, f"say what '{d.title}' reads or rolls")
        self._rows(c, made, d, scope, key_column)
        for name, type_ in scope.wanted.items():
            if name != "self" and all(p.name != name for p in c.params):
                c.params.append(t.Param(name, type_))

    def _rows(self, c: t.Component, made: t.TableSym, d: Definition, scope: Scope, key_column: int) -> None:
        lowered = [h.lower() for h in d.columns]
        number_at = key_column if (made.rolls is not None or made.reads is not None) else -1
        for row in d.rows:
            cells = [cell for _, cell in row.cells]
            low, high = -(10**6), 10**6
            if number_at >= 0 and len(cells) > number_at:
                bounds = re.fullmatch(
                    r"(-?\d+)\s*(?:(?:-|–|to)\s*(\d+)|(\+| or more| and up)| or less)?", cells[number_at].text
                )
                if bounds is None:
                    self.declarer.problem(
                        "unexecutable", cells[number_at], "a result is a number, `2-4` or `7+`"
                    )
                    continue
                low = int(bounds.group(1))
                high = 10**6 if bounds.group(3) else int(bounds.group(2) or low)
                if cells[number_at].text.endswith("or less"):
                    low, high = -(10**6), low
            name = (
                cells[lowered.index("name")].text
                if "name" in lowered and len(cells) > lowered.index("name")
                else ""
            )
            item = t.TableRow(low, high, name, row.line.number)
            if key_column:
                table = self.symbols.list_of(made.keyed_type)
                words = {norm(w): i for i, w in enumerate(table.words)} if table else {}
                if norm(cells[0].text) not in words:
                    self.declarer.problem(
                        "unknown-name", cells[0], f"no {made.keyed_type} is called '{cells[0].text}'"
                    )
                    continue
                item.key = words[norm(cells[0].text)]
            if "effect" in lowered and len(cells) > lowered.index("effect"):
                item.effect = self.block([cells[lowered.index("effect")]], scope)
            elif "gives" in lowered and len(cells) > lowered.index("gives"):
                parser = self._joined([cells[lowered.index("gives")]], scope)
                if parser is not None:
                    try:
                        value = parser.number_or_thing()
                        item.effect = [t.Give(value, row.line.number)]
                        c.gives = getattr(value, "type", t.NUMBER)
                    except Mistake as mistake:
                        self.problems.append(mistake.diagnostic)
            made.rows.append(item)
        self._ranges(made, d)

    def _ranges(self, made: t.TableSym, d: Definition) -> None:
        """Every result has exactly one row."""
        if made.rolls is None and made.reads is None:
            return
        groups: dict[int | None, list[t.TableRow]] = {}
        for row in made.rows:
            groups.setdefault(row.key, []).append(row)
        for rows in groups.values():
            ordered = sorted(rows, key=lambda r: r.low)
            for a, b in itertools.pairwise(ordered):
                at = next(r.line for r in d.rows if r.line.number == b.line)
                if b.low <= a.high:
                    self.declarer.problem("table-overlap", at, f"two rows claim {b.low}")
                elif b.low > a.high + 1:
                    self.declarer.problem("table-gap", at, f"no row is for {a.high + 1}")

    # ------------------------------------------------------------ rules
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
            scope_text = (d.get("scope").text if d.get("scope") else d.extra) or ""  # type: ignore[union-attr]
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

    # ------------------------------------------------------------ actions
    def _declares_names(self, action: t.ActionSym, d: Definition) -> None:
        """Names and types of what is declared, before anything that may read them is parsed."""
        declare = d.get("declare")
        if declare is None and self.deeds.own(d):
            self.deeds.names(action, d)
            return
        if action.kind == "Card":
            pass
        if declare is None:
            self._target_fields(action, d)
            return
        kinds = self.symbols.kinds()
        for piece in self._pieces(declare):
            text = piece.text
            if re.fullmatch(r"what \w+ declares", text.strip()):
                action.declares.append(t.Declared("", "", rest=True))
                continue
            match = re.match(r"\s*(\[[^\]]+\]|[\w'’-]+)\s*=\s*", text)
            if match is None:
                self.declarer.problem("unexecutable", piece, "a declaration is `name = a ...`")
                continue
            name = match.group(1)
            if name.startswith("["):
                declared = t.Declared(name[1:-1], t.NUMBER)
            else:
                declared = t.Declared(name.lower(), self._guess(text[match.end() :], kinds))
            action.declares.append(declared)
            action.params.append(t.Param(declared.name, declared.type))

    def _guess(self, text: str, kinds: dict[str, str]) -> str:
        """The type of a declared thing, from its noun, before names can be looked up properly."""
        scope = Scope(self=t.ACTOR, card=t.CARD)
        parser = Parser(tokenize([Line("", 0, 0, text)], []), self.symbols, scope)
        if re.match(r"\s*a (straight )?path\b", text):
            return t.PATH
        try:
            parser._quantifier("a")  # pyright: ignore[reportPrivateUsage]
            for _ in range(6):
                if parser.take("other") or parser.take("nearest"):
                    continue
                at = parser.at
                noun = parser._noun()  # pyright: ignore[reportPrivateUsage]
                if noun is not None and not parser._adjective_wins(at):  # pyright: ignore[reportPrivateUsage]
                    return noun[1]
                parser.at = at
                if parser._adjective(t.TLocal("probe", "?")) is None:  # pyright: ignore[reportPrivateUsage]
                    return noun[1] if noun is not None else t.ACTOR
        except Mistake:
            pass
        return t.ACTOR

    def _pieces(self, field: FieldText) -> list[Line]:
        """Declarations are separated by semicolons or line ends."""
        made: list[Line] = []
        for line in field.lines:
            start = 0
            depth = 0
            for i, char in enumerate(line.text + ";"):
                depth += (char in "([") - (char in ")]")
                follows = char == "," and re.match(r",\s*(?:\[[^\]]+\]|[a-z][\w'’-]*)\s*=\s", line.text[i:])
                if (char == ";" or follows) and depth <= 0:
                    piece = line.text[start:i]
                    if piece.strip():
                        lead = len(piece) - len(piece.lstrip())
                        made.append(Line(line.file, line.number, line.column + start + lead, piece.strip()))
                    start = i + 1
        return made

    def _target_fields(self, action: t.ActionSym, d: Definition) -> None:
        target = d.get("target")
        if target is not None and target.text.strip() not in ("None", "Self", ""):
            action.params.append(t.Param("target", t.ACTOR))

    def _action(self, action: t.ActionSym, d: Definition) -> None:
        if d.get("declare") is None and self.deeds.own(d):
            self.deeds.action(action, d)
            return
        scope = Scope(self=t.ACTOR)
        if action.kind == "Card":
            scope.locals["card"] = t.CARD
        declare = d.get("declare")
        if declare is not None:
            for piece, declared in zip(self._pieces(declare), action.declares, strict=False):
                if not declared.rest:
                    self._declared(action, declared, piece, scope)
                    scope.locals[norm(declared.name).lower()] = declared.type
        else:
            self._targeted(action, d, scope)
        for p in action.params:
            scope.locals.setdefault(norm(p.name).lower(), p.type)
            if p.type == t.NUMBER:
                scope.numbers.add(p.name)
        trigger = d.get("trigger")
        if trigger is not None and trigger.lines:
            self.trigger(action, trigger, scope)
        elif action.kind == "Reaction" and not self.symbols.frameworks:
            self.declarer.problem("missing-part", d.line, f"'{action.name}' has no `Trigger:`")
        let = d.get("let")
        if let is not None:
            lines = [
                Line(x.file, x.number, x.column, "let " + x.text if not x.text.startswith("let") else x.text)
                for x in let.lines
            ]
            action.lets = self.block(lines, scope)
        for key, attribute in (("requires", "requires"), ("if", "test")):
            field = d.get(key)
            if field is not None:
                setattr(action, attribute, self.check(field.lines, scope))
        limit = d.get("limit")
        if limit is not None:
            parser = self._reader(limit, d, scope)
            try:
                if parser is not None:
                    parser.next()
                    parser.expect("per")
                    action.limit = parser._sequence_word()  # pyright: ignore[reportPrivateUsage]
            except Mistake:
                self.declarer.problem("unexecutable", limit.at or d.line, "a limit is `once per SEQUENCE`")
        for key, attribute in (("cost", "cost"), ("do", "do"), ("else", "orelse"), ("then", "then")):
            field = d.get(key)
            if field is not None:
                setattr(action, attribute, self.block(field.lines, scope))
        if action.kind != "Card" and d.get("do") is None:
            self.declarer.problem("missing-part", d.line, f"'{action.name}' has no `do:`")

    def trigger(self, action: t.ActionSym, field: FieldText, scope: Scope) -> None:
        parser = self._reader(field, action.definition, scope)
        if parser is None:
            return
        names = [""]
        parser.take("window")
        while parser.now.kind == "word" and not parser.now.is_("where"):
            if parser.take("or"):
                names.append("")
                continue
            names[-1] += parser.next().text
        parser.take(",")
        action.windows = tuple(norm(x) for x in names if x)
        try:
            if parser.take("where") or parser.now.kind != END:
                action.trigger = parser.check()
            self._end(parser)
        except Mistake as mistake:
            self.problems.append(mistake.diagnostic)

    def _declared(self, action: t.ActionSym, declared: t.Declared, piece: Line, scope: Scope) -> None:
        match = re.match(r"\s*(\[[^\]]+\]|[\w'’-]+)\s*=\s*", piece.text)
        if match is None:
            return  # reported when the names were read
        parser = self.parser(
            [Line(piece.file, piece.number, piece.column + match.end(), piece.text[match.end() :])], scope
        )
        try:
            if declared.type == t.NUMBER:
                parser.take("a")
                parser.expect("number", "from")
                declared.low = parser.number()
                parser.expect("to")
                declared.high = parser.number()
            elif declared.type == t.PATH:
                declared.path = self._path(parser)
            else:
                declared.selector = parser.selector(default="a")
                if parser.take(","):
                    parser.expect("or")
                    declared.orelse = parser.next().text.strip('"')
                elif parser.take("or"):
                    declared.orelse = parser.next().text.strip('"')
                if declared.selector.type != declared.type:
                    declared.type = declared.selector.type
                    for p in action.params:
                        if p.name == declared.name:
                            p.type = declared.type
            self._end(parser)
        except Mistake as mistake:
            self.problems.append(mistake.diagnostic)

    def _path(self, parser: Statements) -> t.PathSpec:
        parser.take("a")
        straight = parser.take("straight")
        parser.expect("path", "of")
        least = parser.number()
        most = parser.number() if parser.take("to") else least
        _ = parser.take("steps") or parser.take("step")
        it = parser.scope.new_it(t.SPACE)
        made = t.PathSpec(least, most, straight, None, None, it.name)
        before = parser.scope.owner
        parser.scope.owner = it
        parser.scope.it.append(it)
        parser.scope.locals["from"] = t.SPACE
        try:
            while True:
                parser.take(",")
                if parser.take("through"):
                    made.through = parser.check()
                elif parser.take("ending", "where"):
                    made.ending = parser.check()
                else:
                    break
        finally:
            parser.scope.owner = before
            parser.scope.it.pop()
        return made

    def _targeted(self, action: t.ActionSym, d: Definition, scope: Scope) -> None:
        """`Target: Single enemy` and `Range: 3 spaces`: short for a declared target."""
        target, range_ = d.get("target"), d.get("range")
        if target is None or target.text.strip() in ("None", "Self", ""):
            return
        line = target.lines[0]
        noun = re.sub(r"^(Single|single|One|one)\s+", "a ", target.text.strip())
        text = noun
        if range_ is not None and not re.search(r"\bwithin\b", noun):
            reach = range_.text.strip()
            number = re.search(r"\d+|\[[^\]]+\]", reach)
            if reach in ("Adjacent", "Melee"):
                text += " adjacent to self"
            elif reach not in ("Unlimited", "Self") and number:
                text += f" within {number.group()} of self"
        parser = self.parser([Line(line.file, line.number, line.column, text)], scope)
        try:
            selector = parser.selector(default="a")
            if selector.quantifier == "every":
                action.every = selector
            else:
                action.declares.append(t.Declared("target", t.ACTOR, selector))
            scope.locals["target"] = selector.type
        except Mistake as mistake:
            self.problems.append(mistake.diagnostic)

    def _strategy(self, strategy: StrategySym, d: Definition) -> None:
        strategy.seat = d.get("plays") is not None
        if d.get("behavior") is not None or (self.deeds.own(d) and not strategy.seat):
            self.deeds.strategy(strategy, d)
            return
        scope = Scope(self=t.ACTOR)
        lines = [x for f in d.fields if f.key.lower() == "do" for x in f.lines]
        strategy.body = self.block(lines, scope)
        for field in d.fields:
            if field.key.lower() == "prefer":
                for line in field.lines:
                    if line.text.strip():
                        self._prefer(strategy, line)

    def _prefer(self, strategy: StrategySym, line: Line) -> None:
        """`ACTION`, `"label"`, `pass` or `any NOUN`, then `where CHECK` and a preference."""
        scope = Scope(self=t.ACTOR)
        parser = self.parser([line], scope)
        try:
            made = self._preferred(parser)
            it = scope.new_it(made.type or t.ACTOR)
            made.it = it.name
            scope.locals[it.name] = made.type or t.ACTOR
            for p in made.action.params[:1] if made.action is not None else ():
                scope.locals[norm(p.name).lower()] = p.type
            scope.owner = it
            scope.it.append(it)
            if parser.take("where"):
                made.where = parser.check()
            if parser.take("with"):
                made.prefs = parser.preference_list(it)
            self._end(parser)
            made.line = line.number
            strategy.prefers.append(made)
        except Mistake as mistake:
            self.problems.append(mistake.diagnostic)

    def _preferred(self, parser: Statements) -> t.Prefer:
        if parser.now.kind == "string":
            label = parser.next().text[1:-1]
            declared = [
                x for a in self.symbols.actions.values() for x in a.declares if norm(x.name) == norm(label)
            ]
            declared += [
                x
                for a in self.symbols.face_actions.values()
                for x in a.declares
                if norm(x.name) == norm(label)
            ]
            noun = parser._noun() if parser.take("any") else None  # pyright: ignore[reportPrivateUsage]
            return t.Prefer(None, label, noun[1] if noun else declared[0].type if declared else "", "")
        if parser.now.is_("pass", "decline"):
            return t.Prefer(None, parser.next().text, "", "")
        if parser.take("any"):
            noun = parser._noun()  # pyright: ignore[reportPrivateUsage]
            if noun is None:
                raise parser.unknown("sort of thing", ["card", "actor", "space"])
            return t.Prefer(None, "", noun[1], "")
        name = parser.name(self.symbols.actions)
        if name is None:
            raise parser.unknown("action", [a.name for a in self.symbols.actions.values()])
        action = self.symbols.actions[name]
        return t.Prefer(action, "", action.declares[0].type if action.declares else "", "")


__all__ = ["RULE_COLUMNS", "Bodies"]
