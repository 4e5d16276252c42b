"""Tokens -> how a match ends: its ending, who has won, ranks, numbers.

In:  tokens after `end the match`.
Out: EndMatch.
"""

from __future__ import annotations

from dataclasses import replace

from rulewright.book import tree as t
from rulewright.book.grammar.cursor import Cursor
from rulewright.book.grammar.dispatch import parse_number, parse_selector, parse_thing
from rulewright.book.grammar.preferences import preference_list
from rulewright.book.grammar.scope import ONE, Mistake
from rulewright.book.index import ENDING
from rulewright.book.symbols import norm
from rulewright.book.text.tokens import STRING, Token


def end_match(p: Cursor, begun: Token, line: int) -> t.Stmt_:
    """`with ENDING [won by ..] [, ranked by PREFERENCE [, by lot]] [, scores E]`"""
    if not p.take("with"):
        known = p.symbols.endings
        help_ = f"write `end the match with {known[0]}`" if known else "define one: `NAME (Ending)`"
        raise p.fail("missing-part", "a match ends with one of the book's endings", begun, help=help_)
    token = p.now
    name = p.next().text[1:-1] if token.kind == STRING else p.need(ENDING)
    index = next((i for i, e in enumerate(p.symbols.endings) if norm(e) == norm(name)), -1)
    if index < 0:
        raise Mistake("unknown-name", token, f"no ending is called '{name}'")
    winner, everyone = _who(p)
    it = p.scope.new_it(t.ACTOR)
    ranks: list[t.Pref] = []
    lots = False
    points: t.Num_ | None = None
    while True:
        if _next(p, "ranked", "by"):
            at = p.now
            ranks = preference_list(p, it)
            if any(pref.per is not None for pref in ranks):
                raise Mistake("unexecutable", at, "ranks compare numbers, not one number per another")
            lots = _next(p, "by", "lot")
        elif _next(p, "scores"):
            points = _points(p, it)
        else:
            break
    return t.EndMatch(index, winner, everyone, it.name, ranks, lots, points, line=line)


def _next(p: Cursor, *words: str) -> bool:
    """These words, perhaps after a comma."""
    return p.take(*words) or p.take(",", *words)


def _points(p: Cursor, it: t.TLocal) -> t.Num_:
    """A number in which bare numbers are those of each actor that a seat leads."""
    with p.scope.about(it):
        return parse_number(p)


def _who(p: Cursor) -> tuple[t.Thing_ | None, str]:
    if p.take("won", "by"):
        return (None, "win") if p.take("everyone") else (_winner(p), "")
    if p.take("lost", "by", "everyone"):
        return None, "loss"
    if p.take(",", "a", "draw"):
        return None, "draw"
    return None, ""


def _winner(p: Cursor) -> t.Thing_:
    """Who wins: one, or `every Player with ..`, `Players where ..`: all who fit."""
    if p.now.is_("every"):
        several = parse_selector(p)
        return t.TSelect(several, several.type)
    one = p.now.text in ONE
    winner = parse_thing(p)
    if isinstance(winner, t.TSelect) and not one:
        return replace(winner, selector=replace(winner.selector, quantifier="every"))
    return winner
