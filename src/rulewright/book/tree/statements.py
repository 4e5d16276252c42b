"""Statements that hold others, decide, run or end something."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from rulewright.book.tree.base import Block_, Cond_, Num_, Stmt_, Thing_
from rulewright.book.tree.declared import ActionSym, Component, Moment, Resource
from rulewright.book.tree.numbers import Run
from rulewright.book.tree.selectors import Pref, Selector


class SetNumber(Stmt_):
    """target is ReadRes, ReadLocal or ReadKept; op one of = += -= *= /="""

    target: Any
    op: str
    value: Num_
    until: Moment | None = None
    count: Num_ | None = None


class SetThing(Stmt_):
    target: Any
    value: Thing_


class LetTally(Stmt_):
    local: str
    die: str
    count: Num_
    sides: Num_ | None = None


class Give(Stmt_):
    value: Any


class RunStmt(Stmt_):
    run: Run
    each: Selector | None = None


class Perform(Stmt_):
    action: ActionSym | None
    card: Thing_ | None
    on: Thing_ | None
    actor: Thing_ | None = None


class IfStmt(Stmt_):
    test: Cond_
    then: Block_
    orelse: Block_


class Repeat(Stmt_):
    times: Num_ | None
    while_: Cond_ | None
    body: Block_


class ForEach(Stmt_):
    selector: Selector
    body: Block_


class Stop(Stmt_):
    """Leave the innermost loop."""


@dataclass(slots=True, frozen=True)
class ChoiceOption:
    """A line of a choose: a label, or one option a thing."""

    label: str
    if_: Cond_ | None
    selector: Selector | None
    body: Block_
    line: int = 0


class Choose(Stmt_):
    options: list[ChoiceOption]
    by: Thing_ | None
    prompt: str


class ChooseMany(Stmt_):
    selector: Selector
    most: Num_
    least: Num_ | None
    body: Block_
    by: Thing_ | None
    label: str = ""


class LetChoose(Stmt_):
    local: str
    type: str
    selector: Selector | None
    orelse: str
    low: Num_ | None
    high: Num_ | None
    by: Thing_ | None


class Secretly(Stmt_):
    """A choice or a roll that only those are told of who make it."""

    statement: Stmt_


class Together(Stmt_):
    """All of these choose at the same time; then, for each of them as self, what follows."""

    selector: Selector
    choice: Choose | LetChoose
    body: Block_
    """What follows from a number; what follows from an option is with the option."""
    kept: bool
    """Nobody else is told what was chosen, even when all have chosen."""


class Window(Stmt_):
    name: str
    who: list[Any]
    anyway: bool = False
    """Whoever can only decline is asked as well."""


class Act(Stmt_):
    how: str
    times: Num_ | None
    by: Selector | None
    only: ActionSym | None
    where: Cond_ | None
    pass_: bool = True
    while_: Cond_ | None = None
    """Only as long as this holds is anything offered."""


class SortOrder(Stmt_):
    order: str
    prefs: list[Pref]
    it: str
    ties: Num_ | None
    keeping: Resource | None


class EndSeq(Stmt_):
    sequence: Component | ActionSym
    step: int | None
    """None ends it; otherwise goes on at that step."""


class Say(Stmt_):
    text: str
    args: list[Any]


class AsSelf(Stmt_):
    """For these statements somebody else is self."""

    who: Thing_
    body: Block_


class LetPath(Stmt_):
    """A path over the map, chosen step by step; a step is offered only if the path can still end well."""

    local: str
    walk: str
    budget: Num_
    least: int
    by: Thing_ | None


class Behaviors(Stmt_):
    """Ranked behaviors: the first one that changes something starts the list again."""

    rows: list[Behavior]


@dataclass(slots=True, frozen=True)
class Behavior:
    """when, if, do, else, then"""

    name: str
    when: Cond_ | None
    test: Cond_ | None
    do: Block_
    orelse: Block_
    then: Block_
    target: Thing_ | None = None
    """Whom a bare `target` means in it."""
    line: int = 0


class Inline(Stmt_):
    """Statements that a phrase stands for."""

    body: Block_


class FirstPossible(Stmt_):
    lines: list[tuple[Cond_ | None, Block_]]


class EndMatch(Stmt_):
    ending: int
    winner: Thing_ | None
    everyone: str = ""
    it: str = ""
    """Each actor that a seat leads, in what follows."""
    ranks: list[Pref] = field(default_factory=list[Pref])
    lots: bool = False
    points: Num_ | None = None


class With(Stmt_):
    """Values that hold while the block runs, and are put back however it is left."""

    sets: list[SetNumber | SetThing]
    body: Block_
