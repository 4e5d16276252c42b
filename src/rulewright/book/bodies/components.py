"""What components do: Checks, Values, Effects, Sequences with their steps, Tables with their rows.

In:  Component with its definition.
Out: the same Component with its trees; what a Value gives is found out here.
"""

from __future__ import annotations

import itertools
import re

from rulewright.book import tree as t
from rulewright.book.bodies.fields import (
    end,
    field_block,
    field_check,
    field_number,
    joined,
    report_gap,
    scope_of,
)
from rulewright.book.bodies.state import Bodies
from rulewright.book.bodies.trees import Gap
from rulewright.book.grammar.checks import number_or_thing
from rulewright.book.grammar.dispatch import parse_number, parse_thing
from rulewright.book.grammar.scope import Mistake, Scope, reported, tell
from rulewright.book.symbols import norm
from rulewright.book.text.source import Definition, FieldText, Line
from rulewright.book.text.tokens import tokenize


def component_body(bodies: Bodies, c: t.Component, d: Definition) -> None:
    scope = scope_of(c.params)
    scope.open = c.implicit
    if d.build is not None:
        c.implicit = False
        try:
            c.body = d.build(bodies, scope)
        except Gap as gap:
            report_gap(bodies, gap)
        c.gives = _gives(c.body)
        return
    lines = d.lines_of("body", "do")
    possible = d.get("possible")
    if possible is not None:
        c.possible = field_check(bodies, possible.lines, scope)
    match c.kind:
        case "Check":
            c.check = field_check(bodies, lines, scope)
            if c.check is None:
                bodies.problem("missing-part", d.line, f"'{c.name}' says nothing to test")
                c.check = t.Always(True)
        case "Value":
            _value(bodies, c, lines, scope)
        case "Effect":
            c.body = field_block(bodies, lines, scope)
            if d.get("gives") is None:
                c.gives = _gives(c.body)
            if not lines:
                bodies.problem("missing-part", d.line, f"'{c.name}' does nothing")
        case "Sequence":
            _sequence(bodies, c, d)
        case "Table":
            _table(bodies, c, d, scope)
        case _:
            pass
    if c.implicit:
        for name, type_ in scope.wanted.items():
            if name != "self" and all(p.name != name for p in c.params):
                c.params.append(t.Param(name, type_))


def _value(bodies: Bodies, c: t.Component, lines: list[Line], scope: Scope) -> None:
    tokens = tokenize(lines, [])
    first = tokens[0].text if tokens else ""
    if first in ("let", "give", "for", "if", "repeat"):
        c.body = field_block(bodies, lines, scope)
        c.gives = _gives(c.body)
        return
    parser = joined(bodies, lines, scope)
    if parser is None:
        bodies.problem("missing-part", c.definition.line, f"'{c.name}' says no number")
        return
    at = parser.at
    try:
        c.value = parse_number(parser)
        end(parser)
    except Mistake as mistake:
        parser.at = at
        try:
            c.value = parse_thing(parser)
            end(parser)
            c.gives = c.value.component.gives if isinstance(c.value, t.Run) else c.value.type
        except Mistake as second:
            chosen = mistake if mistake.code != "type-mismatch" else second
            tell(bodies.problems, chosen)
            c.value = t.Num(0)


def _gives(block: t.Block_) -> str:
    """The type of what a block gives: the first that is no number, or else a number."""
    for statement in block:
        inner: list[t.Block_] = []
        match statement:
            case t.Give(value=t.Run(component=component)):
                return component.gives
            case t.Give(value=value):
                return getattr(value, "type", t.NUMBER)
            case t.IfStmt(then=then, orelse=orelse):
                inner = [then, orelse]
            case t.ForEach(body=body) | t.Repeat(body=body) | t.With(body=body):
                inner = [body]
            case t.Choose(options=options):
                inner = [option.body for option in options]
            case _:
                pass
        found = next((kind for kind in map(_gives, inner) if kind != t.NUMBER), t.NUMBER)
        if found != t.NUMBER:
            return found
    return t.NUMBER


def _sequence(bodies: Bodies, c: t.Component, d: Definition) -> None:
    if not d.steps:
        lines = d.lines_of("body", "do")
        c.steps = [("Body", [], None)]
        c.step_lines = [d.line.number]
        d.steps = [FieldText("1", lines)]
    scope = scope_of([*c.params, *c.keeps])
    scope.sequence = c
    made: list[tuple[str, t.Block_, Definition | None]] = []
    for (name, _, _), field in zip(c.steps, d.steps, strict=False):
        made.append((name, field_block(bodies, field.lines, scope), None))
    c.steps = made


def table_head(c: t.Component, d: Definition) -> None:
    """Columns first, so that other bodies can read them."""
    made = c.table = t.TableSym()
    offset = 1
    for n, heading in enumerate(d.columns):
        low = heading.lower()
        if n < offset or low in ("name", "effect", "roll", "gives") or not heading or heading.startswith("["):
            continue
        texts = [row.cells[n][1].text for row in d.rows if len(row.cells) > n]
        if texts and all(re.fullmatch(r"[+−-]?\d+|-|", x) for x in texts):
            values = [int(x.replace("+", "").replace("−", "-")) if x not in ("", "-") else 0 for x in texts]
            made.columns[heading] = t.Column(heading, t.NUMBER, values, texts)
    for n, heading in enumerate(d.columns):
        if heading.startswith("["):
            texts = [row.cells[n][1].text if len(row.cells) > n else "" for row in d.rows]
            made.modifies[norm(heading[1:-1])] = [
                int(x.replace("+", "").replace("−", "-")) if re.fullmatch(r"[+−-]?\d+", x) else 0
                for x in texts
            ]


def _table(bodies: Bodies, c: t.Component, d: Definition, scope: Scope) -> None:
    made = c.table
    assert made is not None
    caption = d.get("caption")
    key_column = 0
    if caption is not None:
        text = caption.lines[0].text
        line = caption.lines[0]
        for word in ("rolls", "reads"):
            match = re.search(rf"\b{word}\s+(.*?)(?=,\s*(?:rolls|reads)\b|$)", text)
            if match is None:
                continue
            piece = [line.slice(*match.span(1))]
            if word == "reads" and not match.group(1).lstrip().startswith(("[", "(")):
                parser = joined(bodies, piece, scope)
                with reported(bodies.problems):
                    assert parser is not None
                    made.keyed = parse_thing(parser)
                    made.keyed_type = made.keyed.type
                    key_column = 1
                    if parser.take(","):
                        made.reads = parse_number(parser)
                    end(parser)
                continue
            number = field_number(bodies, piece, scope)
            if word == "rolls":
                made.rolls = number
            else:
                made.reads = number
    if made.rolls is None and made.reads is None and made.keyed is None:
        bodies.problem("missing-part", d.line, f"say what '{d.title}' reads or rolls")
    _rows(bodies, c, made, d, scope, key_column)


def _rows(
    bodies: Bodies, c: t.Component, made: t.TableSym, d: Definition, scope: Scope, key_column: int
) -> None:
    number_at = key_column if (made.rolls is not None or made.reads is not None) else -1
    for row in d.rows:
        cells = [cell for _, cell in row.cells]
        under = {head.lower(): cell for head, cell in row.cells}
        low, high = -(10**6), 10**6
        if number_at >= 0 and len(cells) > number_at:
            bounds = re.fullmatch(
                r"(-?\d+)\s*(?:(?:-|–|to)\s*(\d+)|(\+| or more| and up)| or less)?", cells[number_at].text
            )
            if bounds is None:
                bodies.problem("unexecutable", cells[number_at], "a result is a number, `2-4` or `7+`")
                continue
            low = int(bounds.group(1))
            high = 10**6 if bounds.group(3) else int(bounds.group(2) or low)
            if cells[number_at].text.endswith("or less"):
                low, high = -(10**6), low
        name = under["name"].text if "name" in under else ""
        item = t.TableRow(low, high, name, row.line.number)
        if key_column:
            table = bodies.symbols.list_of(made.keyed_type)
            words = {norm(w): i for i, w in enumerate(table.words)} if table else {}
            first = cells[0] if cells else row.line  # a line may be nothing but a bar
            if norm(first.text) not in words:
                bodies.problem("unknown-name", first, f"no {made.keyed_type} is called '{first.text}'")
                continue
            item.key = words[norm(first.text)]
        if "effect" in under:
            item.effect = field_block(bodies, [under["effect"]], scope)
        elif "gives" in under:
            parser = joined(bodies, [under["gives"]], scope)
            if parser is not None:
                with reported(bodies.problems):
                    value = number_or_thing(parser)
                    end(parser)
                    item.effect = [t.Give(value, line=row.line.number)]
                    c.gives = getattr(value, "type", t.NUMBER)
        made.rows.append(item)
    _ranges(bodies, made, d)


def _ranges(bodies: Bodies, made: t.TableSym, d: Definition) -> None:
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
                bodies.problem("table-overlap", at, f"two rows claim {b.low}")
            elif b.low > a.high + 1:
                bodies.problem("table-gap", at, f"no row is for {a.high + 1}")
