"""Fields of a definition -> trees: the parsing that every sort of body shares.

In:  lines of a field, a Scope.
Out: a block, a check or a number; a mistake becomes a diagnostic and the rest goes on.
"""

from __future__ import annotations

import re

from rulewright.book import tree as t
from rulewright.book.bodies.state import Bodies
from rulewright.book.bodies.trees import Gap
from rulewright.book.grammar.cursor import Cursor, at_end
from rulewright.book.grammar.dispatch import parse_check, parse_number
from rulewright.book.grammar.scope import Mistake, Scope, tell
from rulewright.book.grammar.statements import parse_body
from rulewright.book.phrases import match as phrases
from rulewright.book.phrases.whole import TokenLines, whole
from rulewright.book.symbols import norm
from rulewright.book.text.source import Definition, FieldText, Line
from rulewright.book.text.tokens import DEDENT, INDENT, NEWLINE, Token, tokenize
from rulewright.diagnostics import Diagnostic, Span


def report_gap(bodies: Bodies, gap: Gap) -> None:
    """A framework that lacks something its notation needs."""
    file = min(bodies.symbols.bases, default="")
    message = f"a framework for campaigns needs {gap}"
    bodies.problems.append(Diagnostic("missing-part", Span(file, 1, 1), message))


# ------------------------------------------------------------ parsing fields
def parser_over(bodies: Bodies, lines: list[Line], scope: Scope) -> Cursor:
    """A parser over some lines. What a framework says is core notation, never one of its own phrases."""
    return Cursor(_tokens(bodies, lines), bodies.symbols, scope, bodies.problems)


def _tokens(bodies: Bodies, lines: list[Line]) -> list[Token]:
    if isinstance(lines, TokenLines):
        return list(lines.tokens)
    closed = bool(lines) and bodies.symbols.is_closed(lines[0].file)
    return tokenize(lines, bodies.problems, closed)


def effects(bodies: Bodies, lines: list[Line], scope: Scope) -> t.Block_:
    """Effects of the campaign notation: one more line is one more effect, however deep it stands."""
    flat = [
        Line(x.file, x.number, lines[0].column if n else x.column, x.text)
        for n, x in enumerate(lines)
        if x.text.strip()
    ]
    return parse_body(parser_over(bodies, flat, scope)) if flat else []


def outcome(bodies: Bodies, tokens: list[Token]) -> t.Cond_:
    """A condition of nobody, in the words for outcomes or as any check."""
    hit = whole(bodies.symbols.phrases, phrases.OUTCOME, tokens) if len(tokens) > 1 else None
    found = phrases.expand(hit[0].fields[0][1], hit[1], tokens[0]) if hit else tokens
    return field_check(bodies, TokenLines(found), Scope()) or t.Always(True)


def field_block(bodies: Bodies, lines: list[Line], scope: Scope) -> t.Block_:
    """Statements."""
    if isinstance(lines, TokenLines):
        return parse_body(parser_over(bodies, lines, scope))
    shown = [x for x in lines if x.text.strip() and not re.fullmatch(r"\(.*\)", x.text.strip())]
    return parse_body(parser_over(bodies, shown, scope)) if shown else []


def field_check(bodies: Bodies, lines: list[Line], scope: Scope) -> t.Cond_ | None:
    """A check; lines are joined."""
    parser = joined(bodies, lines, scope)
    if parser is None:
        return None
    try:
        found = parse_check(parser)
        end(parser)
        return found
    except Mistake as mistake:
        tell(bodies.problems, mistake)
        return t.Always(True)


def said_check(bodies: Bodies, d: Definition, key: str, scope: Scope) -> t.Cond_ | None:
    """The check in a field of a definition; None if it has no such field."""
    field = d.get(key)
    return field_check(bodies, field.lines, scope) if field is not None else None


def field_number(bodies: Bodies, lines: list[Line], scope: Scope) -> t.Num_:
    """A number."""
    parser = joined(bodies, lines, scope)
    try:
        if parser is None:
            return t.Num(0)
        found = parse_number(parser)
        end(parser)
        return found
    except Mistake as mistake:
        tell(bodies.problems, mistake)
        return t.Num(0)


def joined(bodies: Bodies, lines: list[Line], scope: Scope) -> Cursor | None:
    if not any(x.text.strip() for x in lines):
        return None
    tokens = _tokens(bodies, lines)
    flat = [x for x in tokens if x.kind not in (INDENT, DEDENT, NEWLINE)] or tokens[-1:]
    return Cursor(flat, bodies.symbols, scope, bodies.problems)


def reader(bodies: Bodies, field: FieldText, d: Definition, scope: Scope) -> Cursor | None:
    """A parser over a field that must say something; None, and a problem, if it does not."""
    parser = joined(bodies, field.lines, scope)
    if parser is None:
        bodies.problem("missing-part", field.at or d.line, f"nothing stands after '{field.key}:'")
    return parser


def end(parser: Cursor) -> None:
    if parser.now.is_("."):
        parser.next()
    at_end(parser)


def scope_of(params: list[t.Param], **more: str) -> Scope:
    """A scope with self and parameters."""
    made = Scope(**{"self": t.ACTOR, **more})
    for p in params:
        made.locals[norm(p.name).lower()] = p.type
        if p.type == t.NUMBER:
            made.numbers.add(p.name)
            made.locals[norm(p.name).lower()] = t.NUMBER
    return made
