"""The statements and checks of worked examples.

In:  the lines of an `example` fence.
Out: ExampleCode: what its `do` lines run, one stage a line, and what its `expect that` lines test.

Everything else in an example is data for the runner (rulewright.testing), not code.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from rulewright.book import tree as t
from rulewright.book.grammar.cursor import Cursor, at_end
from rulewright.book.grammar.dispatch import parse_check
from rulewright.book.grammar.scope import Scope, reported
from rulewright.book.grammar.statements import parse_body
from rulewright.book.symbols import Symbols
from rulewright.book.text.source import Definition, Example, Line
from rulewright.book.text.tokens import DEDENT, INDENT, NEWLINE, tokenize
from rulewright.diagnostics import Diagnostic


@dataclass(slots=True)
class ExampleCode:
    """The code of one example. Without stages the whole match runs."""

    definition: Definition
    stages: list[t.Block_] = field(default_factory=list[t.Block_])
    checks: list[tuple[int, t.Cond_]] = field(default_factory=list[tuple[int, "t.Cond_"]])
    """`expect that CHECK`: the line, and the check."""
    problems: list[Diagnostic] = field(default_factory=list[Diagnostic])


def example_code(example: Example, symbols: Symbols) -> ExampleCode:
    """Parse the `do` and `expect that` lines; indented lines continue the one above."""
    first = next(
        (line for line in example.lines if line.text.strip()), Line(example.file, example.line, 0, "")
    )
    code = ExampleCode(Definition(first.text.strip(), "Example", first))
    scope = Scope()
    for words, lines in entries(example):
        if not lines[0].text.strip() and len(lines) == 1:
            continue
        if words == "do":
            tokens = tokenize(lines, code.problems)
            code.stages.append(parse_body(Cursor(tokens, symbols, scope, code.problems)))
        elif words == "expect that":
            _check(lines, symbols, code)
    return code


def entries(example: Example) -> list[tuple[str, list[Line]]]:
    """Each entry's leading words (`do`, `expect that`, or another first word) and its lines without them."""
    found: list[tuple[str, list[Line]]] = []
    margin = min((line.column for line in example.lines if line.text.strip()), default=0)
    for line in example.lines:
        text = line.text.strip()
        if not text:
            continue
        if line.column > margin and found:
            found[-1][1].append(replace(line, text=text))
            continue
        word, _, rest = text.partition(" ")
        if word == "expect" and rest.split()[:1] == ["that"]:
            word, rest = "expect that", rest.lstrip()[4:]
        start = len(line.text) - len(rest.lstrip())
        found.append((word, [Line(line.file, line.number, start, rest.strip())]))
    return found


def _check(lines: list[Line], symbols: Symbols, code: ExampleCode) -> None:
    tokens = tokenize(lines, code.problems)
    joined = [x for x in tokens if x.kind not in (INDENT, DEDENT, NEWLINE)]
    parser = Cursor(joined, symbols, Scope(), code.problems)
    with reported(code.problems):
        check = parse_check(parser)
        at_end(parser)
        code.checks.append((lines[0].number, check))
