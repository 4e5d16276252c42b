"""How matches end: ties that nobody settles, endings that nothing reaches, matches that run out.

In:  Symbols with their bodies.
Out: warnings. A framework's books end as the framework says, and are not looked at.
"""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.book import tree as t
from rulewright.book.forest import Forest, where
from rulewright.book.grammar.scope import ONE
from rulewright.book.symbols import Symbols
from rulewright.book.text.source import Definition, Source
from rulewright.book.walk import nodes
from rulewright.diagnostics import Diagnostic, Span, has_errors, warning


def review_endings(symbols: Symbols, source: Source, forest: Forest, problems: list[Diagnostic]) -> None:
    """All three; of a book with mistakes only those are told."""
    if has_errors(problems):
        return
    ended: set[int] = set()
    for tree in forest.bodies:
        if t.EndMatch in tree.kinds:
            ended |= {node.ending for node in tree.of(t.EndMatch)}
            for block in tree.blocks:
                _ties(block, tree.definition, problems)
    match = symbols.components.get("Match")
    if match is None:
        return
    _unreached(symbols, source, ended, problems)
    if match.steps and not (ended and any(_ends(body, set()) for _, body, _ in match.steps)):
        d = match.definition
        at = d.spot(match.step_lines[-1]) if match.step_lines else d.line.span
        words = "the match can run out after its last step, and then nobody has won or lost"
        help_ = "end the last step with `end the match with ENDING ..`"
        problems.append(warning("no-ending", at, words, help_))


# ------------------------------------------------------------ ties
def _ties(block: Sequence[object], d: Definition, problems: list[Diagnostic]) -> None:
    """One is picked by a single preference, and has won: among equals, whoever is written first."""
    picked: dict[str, t.Selector] = {}
    for statement in block:
        match statement:
            case t.SetThing(target=t.TLocal(name=name), value=t.TSelect(selector=chosen)):
                picked[name] = chosen
            case t.EndMatch(winner=t.TSelect(selector=chosen)) if chosen.quantifier in ONE:
                _tie(chosen, chosen.span or where(d, statement), problems)
            case t.EndMatch(winner=t.TLocal(name=name)) if name in picked:
                _tie(picked[name], where(d, statement), problems)
            case t.IfStmt() if any(isinstance(x, t.EndMatch) for x in nodes(statement)):
                picked.clear()  # a tie may just have been settled
            case _:
                pass


def _tie(chosen: t.Selector, at: Span, problems: list[Diagnostic]) -> None:
    """A second key may tie like the first; only a place in an order is nobody else's."""
    if not chosen.prefs or chosen.lots or isinstance(chosen.prefs[-1].value, t.Truth | t.Rank):
        return
    words = "among equals whoever is listed first wins, in silence"
    help_ = "say `every` (equals share), `, then ..`, or `, by lot`"
    if len(chosen.prefs) > 1:
        words = "among those who are equal in all of it, whoever is listed first wins, in silence"
        help_ = "say `every` (equals share), or `, by lot`"
    problems.append(warning("silent-tie", at, words, help_))


# ------------------------------------------------------------ endings
def _unreached(symbols: Symbols, source: Source, ended: set[int], problems: list[Diagnostic]) -> None:
    for d in source.definitions:
        if d.kind != "Ending" or d.is_table:
            continue
        index = next((i for i, name in enumerate(symbols.endings) if name == d.title), -1)
        if index >= 0 and index not in ended:
            problems.append(warning("unreachable", d.heading, f"nothing ends the match with '{d.title}'"))


def _ends(block: Sequence[object], seen: set[int]) -> bool:
    """Whether the match surely ends in a block, or goes round in it until something ends it."""
    return any(_ends_here(statement, seen) for statement in block)


def _ends_here(s: object, seen: set[int]) -> bool:
    match s:
        case t.EndMatch() | t.Repeat(times=None):
            return True
        case t.IfStmt(then=then, orelse=orelse):
            return _ends(then, seen) and _ends(orelse, seen)
        case t.Inline(body=body) | t.With(body=body):
            return _ends(body, seen)
        case t.RunStmt(run=run, each=None):
            return _ends_in(run.component, seen)
        case t.Choose(options=options):
            return bool(options) and all(_ends(option.body, seen) for option in options)
        case _:
            return False


def _ends_in(c: t.Component, seen: set[int]) -> bool:
    if id(c) in seen:
        return False
    seen.add(id(c))
    return _ends(c.body, seen) or any(_ends(body, seen) for _, body, _ in c.steps)
