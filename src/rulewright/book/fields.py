"""Fields of a definition -> trees: the parsing that every sort of body shares.

In:  lines of a field, a Scope.
Out: a block, a check or a number; a mistake becomes a diagnostic and the rest goes on.
"""

from __future__ import annotations

import re

from rulewright.book import phrases
from rulewright.book import tree as t
from rulewright.book.declare import Declarer
from rulewright.book.deeds import Deeds
from rulewright.book.features import Features, TokenLines, match
from rulewright.book.parser import Mistake, Parser, Scope
from rulewright.book.source import Definition, FieldText, Line
from rulewright.book.statements import Statements
from rulewright.book.symbols import norm
from rulewright.book.tokens import DEDENT, END, INDENT, NEWLINE, Token, tokenize
from rulewright.book.trees import Gap
from rulewright.diagnostics import Diagnostic, Span


class Fields:
    """Parses fields."""

    deeds: Deeds
    features: Features
    """Readers of a framework's notation. They call back to all that is parsed, so Bodies makes them."""

    def __init__(self, declarer: Declarer) -> None:
        self.declarer = declarer
        self.symbols = declarer.symbols
        self.problems: list[Diagnostic] = declarer.problems

    def gap(self, gap: Gap) -> None:
        """A framework that lacks something its notation needs."""
        file = min(self.symbols.frameworks, default="")
        message = f"a framework for campaigns needs {gap}"
        self.problems.append(Diagnostic("missing-part", Span(file, 1, 1), message))

    # ------------------------------------------------------------ parsing fields
    def parser(self, lines: list[Line], scope: Scope) -> Statements:
        """A parser over some lines. What a framework says is core notation, never one of its own phrases."""
        return Statements(self._tokens(lines), self.symbols, scope, self.problems)

    def _tokens(self, lines: list[Line]) -> list[Token]:
        if isinstance(lines, TokenLines):
            return list(lines.tokens)
        tokens = tokenize(lines, self.problems)
        if lines and lines[0].file in self.symbols.frameworks:
            tokens = [token._replace(core=True) for token in tokens]
        return tokens

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
        tokens = self._tokens(lines)
        flat = [x for x in tokens if x.kind not in (INDENT, DEDENT, NEWLINE)] or tokens[-1:]
        return Statements(flat, self.symbols, scope, self.problems)

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
