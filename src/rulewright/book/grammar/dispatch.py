"""Where the grammar is recursive: numbers hold things, things hold checks, checks hold numbers.

In:  a cursor.
Out: what stands there, read by whoever filed itself for it (`@reads`).

Everything else inside the grammar is a plain import, and those go one way.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

from rulewright.book import tree as t
from rulewright.book.grammar.cursor import Cursor
from rulewright.book.grammar.scope import Mistake
from rulewright.book.text.tokens import DEDENT, INDENT, NEWLINE, Token

Reader = TypeVar("Reader", bound=Callable[..., Any])
Node = TypeVar("Node", bound=t.Node)

READERS: dict[str, Callable[..., Any]] = {}
"""One reader for each sort of thing that can stand inside another."""


def reads(sort: str) -> Callable[[Reader], Reader]:
    """File a function as the reader of a sort."""

    def file(reader: Reader) -> Reader:
        assert sort not in READERS, f"two readers for {sort}"
        READERS[sort] = made = placed(reader)
        return made

    return file


def placed(reader: Reader) -> Reader:
    """What a reader gives knows where it is written: from where the cursor stood to the last word taken."""

    @wraps(reader)
    def read(p: Cursor, *more: Any, **named: Any) -> Any:
        start = p.at
        made = reader(p, *more, **named)
        return place(p, start, made) if isinstance(made, t.SORTS) else made

    return read  # type: ignore[return-value]


def place(p: Cursor, start: int, made: Node) -> Node:
    """A node that is written from this token on, up to where the cursor stands."""
    tokens, end = p.tokens, p.at - 1
    while end > start and tokens[end].kind in BLANK:
        end -= 1
    made.__dict__["written"] = tokens[start], tokens[end if end > start else start]
    return made


def tried(reader: Reader) -> Reader:
    """A reader that finds nothing takes nothing."""

    @wraps(reader)
    def read(p: Cursor, *more: Any) -> Any:
        at = p.at
        made = reader(p, *more)
        if made is None:
            p.at = at
        return made

    return read  # type: ignore[return-value]


BLANK = (NEWLINE, INDENT, DEDENT)
"""Tokens without text."""


Beginning = Callable[[Cursor, int], t.Stmt_]
BEGINNINGS: dict[str, Beginning] = {}
"""Statements by the word with which they begin."""


def begins(word: str) -> Callable[[Beginning], Beginning]:
    """File a function as the reader of the statement that begins with a word, which it need not look at."""

    def file(reader: Beginning) -> Beginning:
        assert word not in BEGINNINGS, f"two statements begin with '{word}'"
        BEGINNINGS[word] = reader
        return reader

    return file


def parse_number(p: Cursor) -> t.Num_:
    """A number, with its sums and products."""
    return READERS["number"](p)


def parse_factor(p: Cursor) -> t.Num_:
    """A number that needs no parentheses around it."""
    return READERS["factor"](p)


def parse_bracket(p: Cursor) -> t.Num_:
    """A number in brackets."""
    return READERS["bracket"](p)


def parse_thing(p: Cursor, want: str | None = None) -> t.Thing_:
    """One thing; `want` helps to tell words apart and is checked."""
    return READERS["thing"](p, want)


def parse_standing(p: Cursor) -> t.Thing_:
    """One thing that stands somewhere, or a space."""
    token = p.now
    return standing(token, parse_thing(p))


def standing(token: Token, thing: t.Thing_) -> t.Thing_:
    """The same thing, and a mistake if such things stand nowhere."""
    if thing.type in (t.ACTOR, t.SPACE, t.PLACE) or (isinstance(thing, t.TConst) and thing.id == -1):
        return thing
    words = f"'{token.text}' is a {thing.type}, and only actors and spaces are somewhere on the map"
    raise Mistake("type-mismatch", token, words)


def parse_check(p: Cursor) -> t.Cond_:
    """Whether something holds."""
    return READERS["check"](p)


def parse_selector(p: Cursor, default: str = "each") -> t.Selector:
    """Which things of a kind are meant."""
    return READERS["selector"](p, default)


def parse_block(p: Cursor) -> t.Block_:
    """Statements, after a colon."""
    return READERS["block"](p)


def parse_status(p: Cursor) -> str | t.Thing_:
    """A status by name, or a thing that is one."""
    return READERS["status"](p)
