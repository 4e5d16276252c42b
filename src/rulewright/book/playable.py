"""Whether a match can begin and somebody can play it.

In:  Symbols with their bodies, and the Source.
Out: more diagnostics: no sequence called Match, seats that lead nobody.
"""

from __future__ import annotations

import re

from rulewright.book.source import Definition, Source
from rulewright.book.symbols import Symbols, norm
from rulewright.diagnostics import Diagnostic, Span, is_slip


def review_match(symbols: Symbols, source: Source, problems: list[Diagnostic]) -> None:
    """A book that has anything to play says how a match goes. A framework brings its own."""
    if symbols.frameworks:
        return
    sequences = [c for c in symbols.components.values() if c.kind == "Sequence"]
    meant = next((c for c in sequences if is_slip(c.name, "Match")), None)
    # Pages of rules that only their worked examples run need no match.
    if "Match" not in symbols.components and sequences and (meant is not None or not source.examples):
        span = _at(meant.definition) if meant is not None else Span(source.main, 1, 1)
        help_ = "did you mean 'Match'?" if meant is not None else "write `Match (Sequence)` with its steps"
        words = "no sequence is called 'Match', and with that one every match begins"
        problems.append(Diagnostic("missing-part", span, words, help_))
    _turn(symbols, source, problems)


def _turn(symbols: Symbols, source: Source, problems: list[Diagnostic]) -> None:
    """`turn:` names a sequence."""
    name = symbols.front.get("turn")
    if name is None or norm(str(name)) in symbols.components:
        return
    text = source.texts.get(source.main, "")
    line = next((n for n, x in enumerate(text.split("\n"), 1) if re.match(r"turn\s*:", x)), 1)
    close = next((c.name for c in symbols.components.values() if is_slip(c.name, str(name))), None)
    words = f"no sequence is called '{name}'"
    help_ = f"did you mean '{close}'?" if close else None
    problems.append(Diagnostic("unknown-name", Span(source.main, line, 1, 4), words, help_))


def _at(d: Definition) -> Span:
    return Span(d.line.file, d.line.number, d.line.column + 1, max(1, len(d.title)))
