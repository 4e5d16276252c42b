"""Tokens -> numbers that are told by a word: faces of a tally, distances and counts, locals, kept values.

In:  tokens inside brackets.
Out: tree nodes; what is none of these is looked for among resources, columns and Values (readings.py).
"""

from __future__ import annotations

from typing import TypeGuard

from rulewright.book import tree as t
from rulewright.book.grammar import closed
from rulewright.book.grammar.cursor import Cursor
from rulewright.book.grammar.dispatch import parse_status, parse_thing, tried
from rulewright.book.grammar.owners import bearer, innermost, me
from rulewright.book.grammar.readings import number_names, resource
from rulewright.book.grammar.references import of_thing
from rulewright.book.grammar.scope import Mistake
from rulewright.book.grammar.words import kept_by, sequence_name
from rulewright.book.index import COLUMN_OF, RESOURCE
from rulewright.book.symbols import norm
from rulewright.book.text.tokens import END, NEWLINE, NUMBER, WORD, Token, nests


def _inside(p: Cursor) -> list[tuple[int, Token]]:
    """What is left in the brackets around the cursor: each word, and how deep it lies in others."""
    depth, found = 0, list[tuple[int, Token]]()
    for token in p.tokens[p.at :]:
        if token.kind in (END, NEWLINE) or (depth == 0 and token.is_("]")):
            break
        depth += nests(token.text)
        found.append((depth, token))
    return found


def tally_highest_here(p: Cursor) -> bool:
    left = _inside(p)
    of = next((n for n, (depth, token) in enumerate(left[:-1]) if depth == 0 and token.is_("of")), None)
    return of is not None and _is_tally(p.scope.local(left[of + 1][1].text))


def _is_tally(local: tuple[str, str] | None) -> TypeGuard[tuple[str, str]]:
    return local is not None and local[1].startswith(t.TALLY)


def tally(p: Cursor, highest: t.Num_) -> t.Num_:
    p.expect("of")
    found = p.scope.local(p.next().text)
    assert found is not None
    return t.TallyNum(found[0], found[1][len(t.TALLY) :], [], "", highest)


def named(p: Cursor, opening: Token, stored: bool) -> t.Num_:
    found = _tally_faces(p) or _prefixed(p, stored) or _local_number(p)
    return found or _kept_number(p) or _status_number(p, opening) or resource(p, opening, stored)


@tried
def _status_number(p: Cursor, opening: Token) -> t.Num_ | None:
    """`[Stacks of Poisoned of X]`. A resource or a column of a book may be called Power, too."""
    prop = p.now.text
    if prop not in ("Stacks", "Turns", "Power") or not p.ahead().is_("of", "]"):
        return None
    own = p.peek_name(RESOURCE) is not None or p.peek_name(COLUMN_OF) is not None
    p.next()
    if p.now.is_("]"):
        if p.scope.status >= 0:
            name = next(s.name for s in p.symbols.statuses.values() if s.index == p.scope.status)
            return t.StatusNum(prop, norm(name), bearer(p))
        if own:
            return None
        raise p.fail("unknown-name", f"[{prop}] needs a status: [{prop} of NAME]", opening)
    p.next()
    try:
        status = parse_status(p)
    except Mistake:
        if not own:
            raise
        return None
    owner = parse_thing(p) if p.take("of") else bearer(p)
    return t.StatusNum(prop, status, owner)


@tried
def _tally_faces(p: Cursor) -> t.Num_ | None:
    if not any(kind.startswith(t.TALLY) for kind in p.scope.locals.values()):
        return None
    words = [token for _, token in _inside(p)]
    found = p.scope.local(words[-1].text) if len(words) > 2 and words[-2].is_("of") else None
    if not _is_tally(found):
        return None
    die = found[1][len(t.TALLY) :]
    faces: list[int] = []
    column = ""
    if die.startswith("d"):
        low = int(p.next().text) if p.now.kind == NUMBER else None
        if low is None:
            return None
        high = low
        if p.take("to"):
            if p.now.kind != NUMBER:
                raise p.fail("type-mismatch", "a face is a number: `[5 to 6 of dice]`")
            high = int(p.next().text)
        faces = list(range(low - 1, high))
    else:
        table = p.symbols.dice[die]
        word = p.word(table)
        if word is not None:
            faces = [i for i, w in enumerate(table.words) if norm(w) == word]
        else:
            column = p.column(table, lambda c: c.type in (t.NUMBER, "mark")) or ""
            if not column:
                raise p.unknown(f"face or column of {table.name}", [*table.words, *table.columns])
    p.expect("of")
    p.next()
    return t.TallyNum(found[0], die, faces, column)


def _prefixed(p: Cursor, stored: bool) -> t.Num_ | None:
    """`[Target Speed]`: a role or thing-local, then one of its numbers."""
    token = p.now
    if token.kind != WORD:
        return None
    at = p.at
    found = p.scope.local(token.text)
    if found is None and token.text in ("Self", "Target", "Attacker", "Active", "It"):
        if token.text == "It" and p.scope.it:
            it = innermost(p, token)
            found = (it.name, it.type)
        elif token.text == "Active":
            found = ("active", t.ACTOR)
        elif p.scope.open and token.text in ("Target", "Attacker"):
            p.scope.wanted[token.text.lower()] = t.ACTOR
            p.scope.locals[token.text.lower()] = t.ACTOR
            found = (token.text.lower(), t.ACTOR)
    small = token.text in ("target", "attacker") and p.ahead().kind == WORD and not p.ahead().is_("of")
    if found is None and small and p.peek_name(RESOURCE) is None:
        words = f"'{token.text}' before a number is written with a capital letter"
        raise p.fail("unknown-name", words, help=f"write `[{token.text.capitalize()} {p.ahead().text}]`")
    if found is None:
        closed.no_role(p, token)
    if found is None or found[1] == t.NUMBER or found[1].startswith(t.TALLY) or p.ahead().is_("]", "of"):
        return None
    if p.peek_name(RESOURCE) and norm(token.text) not in ("Self", "Target", "Attacker"):
        full = p.peek_name(RESOURCE)
        if full is not None and full != token.text and full.startswith(token.text):
            return None
    p.next()
    thing: t.Thing_ = (
        t.Active() if found[0] == "active" and "active" not in p.scope.locals else t.TLocal(*found)
    )
    if p.now.is_("Distance") and p.ahead().is_("]"):
        p.next()
        return t.Distance(me(p), thing)
    try:
        return of_thing(p, thing, stored)
    except Mistake:
        if norm(token.text) in ("Target", "Self", "Attacker"):
            raise
        p.at = at
        return None


@tried
def _local_number(p: Cursor) -> t.Num_ | None:
    names = number_names(p)
    key = p.among(names)
    return t.ReadLocal(names[key]) if key is not None and p.now.is_("]") else None


@tried
def _kept_number(p: Cursor) -> t.Num_ | None:
    """`[T of Attack]`"""
    start, behind, tokens = p.at, p.at, p.tokens
    while tokens[behind].kind in (WORD, NUMBER) and tokens[behind].text != "of":
        behind += 1
    words = "".join(token.text for token in tokens[start:behind])
    if words and tokens[behind].text == "of":
        p.at = behind + 1
        sequence = sequence_name(p)
        if sequence is not None and p.now.is_("]"):
            for param in kept_by(sequence):
                if norm(param.name).lower() == words.lower() and param.type == t.NUMBER:
                    return t.ReadKept(sequence, param.name)
    return None
