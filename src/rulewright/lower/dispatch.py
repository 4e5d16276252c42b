"""Trees -> code: the only place where lowering is recursive.

In:  a node of a checked tree.
Out: what the one function that is filed for its type makes of it: an expression, or statements in a Writer.

A module that lowers a node files its function in a table here (`lowers`; a `row` for what is one line), and
whoever meets a node asks here. So numbers, things, checks and statements can hold each other, while their
modules import each other only downwards. There is no logic in this module. program.py imports all modules:
then the tables are full.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from rulewright.book import tree as t
from rulewright.ir import nodes as n
from rulewright.lower.builder import Builder
from rulewright.lower.writer import Writer

Making = Callable[[Builder, Writer, Any], n.Expr]
Writing = Callable[[Builder, Writer, Any], None]
F = TypeVar("F", bound=Callable[..., Any])
Node = TypeVar("Node")
Made = TypeVar("Made")

NUMBERS: dict[type, Making] = {}
THINGS: dict[type, Making] = {}
CHECKS: dict[type, Making] = {}
STATEMENTS: dict[type, Writing] = {}
AHEAD: dict[type, Callable[[Builder, Writer, Any], int]] = {}
"""Numbers that are worked out for everything before a loop: where in work memory they then stand."""


def lowers(table: dict[Any, Any], *kinds: Any) -> Callable[[F], F]:
    """File a function for these kinds of nodes; nobody else has."""

    def file(function: F) -> F:
        for kind in kinds:
            assert kind not in table, f"{kind} is lowered twice"
            table[kind] = function
        return function

    return file


def row(
    table: dict[type, Callable[[Builder, Writer, Any], Made]],
    kind: type[Node],
    made: Callable[[Builder, Writer, Node], Made],
) -> None:
    """File what is one expression, or one statement, for a kind of nodes."""
    lowers(table, kind)(made)


def number(b: Builder, w: Writer, e: Any) -> n.Expr:
    """A number."""
    return NUMBERS[type(e)](b, w, e)


def thing(b: Builder, w: Writer, e: Any) -> n.Expr:
    """A thing as its number; -1 is none."""
    return THINGS[type(e)](b, w, e)


def check(b: Builder, w: Writer, e: Any) -> n.Expr:
    """A check: not 0 when it holds."""
    return CHECKS[type(e)](b, w, e)


def ahead(b: Builder, w: Writer, e: Any) -> int:
    """A number for each thing, before a loop over them."""
    return AHEAD[type(e)](b, w, e)


def value(b: Builder, w: Writer, e: Any) -> n.Expr:
    """A number or a thing, whichever it is."""
    return thing(b, w, e) if getattr(e, "type", t.NUMBER) != t.NUMBER else number(b, w, e)


def block(b: Builder, w: Writer, body: t.Block_) -> None:
    """Statements one after the other, each at its own line."""
    for i, s in enumerate(body):
        before = w.site, w.after
        if s.line:
            w.site = b.site(s.line)
        w.after = body[i + 1 :]
        STATEMENTS[type(s)](b, w, s)
        w.site, w.after = before
