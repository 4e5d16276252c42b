"""What every part of the tree stands on: the sorts of nodes.

A node is a frozen value. Its sort says where it can stand and which table of lower/dispatch.py knows it.
Where it is written is no part of that value: its reader notes its first and its last token (`placed` in
grammar/dispatch.py), and nodes that are made of others, or out of nothing, have no place of their own.
"""

from __future__ import annotations

from dataclasses import MISSING, FrozenInstanceError, dataclass, field, fields
from operator import attrgetter
from typing import Any, ClassVar, TypeAlias, TypeVar, dataclass_transform

from rulewright.book.text.tokens import Token, across
from rulewright.diagnostics import Span

TALLY = "tally:"
"""Type of a local that holds a tally of a die: "tally:" and the die's name."""


def _span(node: object) -> Span | None:
    """Where a node is written: all of it, or its first word if it goes on in another line."""
    first, last = getattr(node, "written", (None, None))
    if first is None or last is None or not first.line:
        return None
    return across(first, last)


def _opening(node: object) -> Span | None:
    """Its first word."""
    first, _ = getattr(node, "written", (None, None))
    return first.span if first is not None and first.line else None


def _end(node: object) -> tuple[int, int] | None:
    """The line of its last word, and the column behind it."""
    _, last = getattr(node, "written", (None, None))
    return (last.line, last.column + len(last.text) + 1) if last is not None and last.line else None


def _state(node: object) -> dict[str, Any]:
    """What makes two nodes equal, and is kept of one: not where it is written."""
    return {name: value for name, value in vars(node).items() if name != "written"}


def _restored(node: object, state: dict[str, Any]) -> None:
    vars(node).update(state)


def _node(kind: Any) -> None:
    """Make a class of nodes a value of its fields, as `dataclass(frozen=True)` would. That compiles six
    functions for each class, and there are 160 of them: a sixth of the time in which a small book is checked.
    All but one are the same for every class, and stand below."""
    dataclass(init=False, repr=False, eq=False)(kind)
    kind.__init__ = _maker(kind)
    kind.content = attrgetter("__class__", *(f.name for f in fields(kind)))


def _maker(kind: Any) -> Any:
    """The function that fills a node: its fields as parameters, put where nothing else can put them."""
    known: dict[str, Any] = {}
    given, named, body = ["self"], ["*"], ["put = self.__dict__"]
    for f in fields(kind):
        value = f.name
        params = named if f.kw_only else given
        if f.default_factory is not MISSING:
            known[f"make_{f.name}"] = f.default_factory
            params.append(f"{f.name}=None")
            value = f"make_{f.name}() if {f.name} is None else {f.name}"
        elif f.default is not MISSING:
            known[f"usual_{f.name}"] = f.default
            params.append(f"{f.name}=usual_{f.name}")
        else:
            params.append(f.name)
        body.append(f"put['{f.name}'] = {value}")
    given += named[1:] and named
    exec(f"def __init__({', '.join(given)}):\n " + "\n ".join(body), known)
    return known["__init__"]


def _equal(node: Any, other: object) -> bool:
    if node is other:
        return True
    content = node.__class__.content
    return content(node) == content(other) if other.__class__ is node.__class__ else NotImplemented


def _hash(node: Any) -> int:
    return hash(node.__class__.content(node))


def _shown(node: Any) -> str:
    said = ", ".join(f"{f.name}={getattr(node, f.name)!r}" for f in fields(node))
    return f"{node.__class__.__qualname__}({said})"


def _kept(node: Any, name: str, value: object = None) -> None:
    """Nobody changes a node after it was made."""
    raise FrozenInstanceError(f"cannot change '{name}' of a {node.__class__.__qualname__}")


T = TypeVar("T", bound=type)


def _sort(kind: T) -> T:
    """Every class of a sort is a frozen value of its fields."""
    made: Any = kind
    made.__init_subclass__ = classmethod(_node)
    made.__getstate__, made.__setstate__ = _state, _restored
    made.__eq__, made.__hash__, made.__repr__ = _equal, _hash, _shown
    made.__setattr__ = made.__delattr__ = _kept
    return kind


@_sort
@dataclass_transform(frozen_default=True)
class Num_:
    """A number."""

    written: tuple[Token, Token]
    span, opening, end = property(_span), property(_opening), property(_end)


@_sort
@dataclass_transform(frozen_default=True)
class Thing_:
    """An actor, a card, a space, a word: something of a type."""

    type: str
    written: tuple[Token, Token]
    span, opening, end = property(_span), property(_opening), property(_end)


@_sort
@dataclass_transform(frozen_default=True)
class Cond_:
    """A check: it holds or it does not."""

    written: tuple[Token, Token]
    span, opening, end = property(_span), property(_opening), property(_end)


@_sort
@dataclass_transform(frozen_default=True, field_specifiers=(field,))
@dataclass(init=False, repr=False, eq=False)
class Stmt_:
    """A statement, with the line it is written on."""

    line: int = field(default=0, kw_only=True)
    written: ClassVar[tuple[Token, Token]]  # of each, but no field of it
    span, opening, end = property(_span), property(_opening), property(_end)


@_sort
@dataclass_transform(frozen_default=True)
class Part_:
    """What a selector is made of, and selectors themselves."""

    written: tuple[Token, Token]
    span, opening, end = property(_span), property(_opening), property(_end)


Node: TypeAlias = Num_ | Thing_ | Cond_ | Stmt_ | Part_
SORTS = (Num_, Thing_, Cond_, Stmt_, Part_)
"""The same, for questions asked tens of thousands of times."""
Block_: TypeAlias = list[Stmt_]
