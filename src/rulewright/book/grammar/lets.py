"""Tokens -> names for the rest of a body: `let [N] = ..`, `let x = ..`.

In:  tokens after `let`.
Out: the statement that gives the name its value; the scope knows the name from here on.
"""

from __future__ import annotations

from rulewright.book import tree as t
from rulewright.book.grammar.choosing import decider, let_choose, let_tally
from rulewright.book.grammar.cursor import Cursor
from rulewright.book.grammar.dispatch import begins, parse_number, parse_thing
from rulewright.book.grammar.paths import let_path, walk_ahead
from rulewright.book.grammar.scope import Mistake
from rulewright.book.grammar.secretly import bracketed_name, secret
from rulewright.book.symbols import norm


@begins("let")
def s_let(p: Cursor, line: int) -> t.Stmt_:
    """`let [N] = ..`, `let x = ..`, each perhaps with `secretly` after the equals sign."""
    token = p.now
    name = bracketed_name(p) if token.is_("[") else p.next().text
    p.expect("=")
    kept = p.take("secretly")
    try:
        made = _let_number(p, name, line) if token.is_("[") else _let_thing(p, name, line)
    except Mistake:
        p.scope.lost.add(norm(name).lower())
        raise
    return secret(p, made, token) if kept else made


def _let_number(p: Cursor, written: str, line: int) -> t.Stmt_:
    name = norm(written).lower()
    who = None
    if p.take("choose") or (who := decider(p)) is not None:
        made = let_choose(p, name, line, who)
        p.scope.numbers.add(written)
        return made
    value = parse_number(p)
    p.scope.locals[name] = t.NUMBER
    p.scope.numbers.add(written)
    return t.SetNumber(t.ReadLocal(name), "=", value, None, None, line=line)


def _let_thing(p: Cursor, name: str, line: int) -> t.Stmt_:
    low = name.lower()
    if p.now.is_("roll"):
        return let_tally(p, low, line)
    if p.now.is_("choose") and walk_ahead(p, 2):
        p.next()
        return let_path(p, low, None, line)
    if p.take("choose"):
        return let_choose(p, low, line, None)
    who = decider(p)
    if who is not None:
        return let_path(p, low, who, line) if walk_ahead(p, 1) else let_choose(p, low, line, who)
    value = parse_thing(p)
    type_ = value.component.gives if isinstance(value, t.Run) else value.type
    p.scope.locals[low] = type_
    return t.SetThing(t.TLocal(low, type_), value, line=line)
