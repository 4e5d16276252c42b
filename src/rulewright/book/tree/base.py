"""What every part of the tree stands on: the sorts of nodes.

A node is a frozen value. Its sort says where it can stand and which table of lower/dispatch.py knows it.
Where it is written is no part of that value: its reader notes its first and its last token (`placed` in
grammar/dispatch.py), and nodes that are made of others, or out of nothing, have no place of their own.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar, TypeAlias, TypeVar, dataclass_transform

from rulewright.book.text.tokens import Token
from rulewright.diagnostics import Span

TALLY = "tally:"
"""Type of a local that holds a tally of a die: "tally:" and the die's name."""


def _span(node: object) -> Span | None:
    """Where a node is written: all of it, or its first word if it goes on in another line."""
    first, last = getattr(node, "written", (None, None))
    if first is None or last is None or not first.line:
        return None
    if last.line != first.line or last.file != first.file:
        return first.span
    length = last.column + len(last.text) - first.column
    return Span(first.file, first.line, first.column + 1, max(1, length))


def _opening(node: object) -> Span | None:
    """Its first word."""
    first, _ = getattr(node, "written", (None, None))
    return first.span if first is not None and first.line else None


def _state(node: object) -> dict[str, Any]:
    """What makes two nodes equal, and is kept of one: not where it is written."""
    return {name: value for name, value in vars(node).items() if name != "written"}


def _node(kind: type) -> None:
    dataclass(frozen=True)(kind)


T = TypeVar("T", bound=type)


def _sort(kind: T) -> T:
    """Every class of a sort is a frozen value of its fields."""
    kind.__init_subclass__ = classmethod(_node)  # type: ignore
    kind.__getstate__ = _state  # type: ignore
    return kind


@_sort
@dataclass_transform(frozen_default=True)
class Num_:
    """A number."""

    written: tuple[Token, Token]
    span, opening = property(_span), property(_opening)


@_sort
@dataclass_transform(frozen_default=True)
class Thing_:
    """An actor, a card, a space, a word: something of a type."""

    type: str
    written: tuple[Token, Token]
    span, opening = property(_span), property(_opening)


@_sort
@dataclass_transform(frozen_default=True)
class Cond_:
    """A check: it holds or it does not."""

    written: tuple[Token, Token]
    span, opening = property(_span), property(_opening)


@_sort
@dataclass_transform(frozen_default=True, field_specifiers=(field,))
@dataclass(frozen=True)
class Stmt_:
    """A statement, with the line it is written on."""

    line: int = field(default=0, kw_only=True)
    written: ClassVar[tuple[Token, Token]]  # of each, but no field of it
    span, opening = property(_span), property(_opening)


@_sort
@dataclass_transform(frozen_default=True)
class Part_:
    """What a selector is made of, and selectors themselves."""

    written: tuple[Token, Token]
    span, opening = property(_span), property(_opening)


Node: TypeAlias = Num_ | Thing_ | Cond_ | Stmt_ | Part_
Block_: TypeAlias = list[Stmt_]
