"""What a book declares: resources, components, rules, actions, and the parts these are made of.

In:  declare and bodies.
Out: lowering, and whatever a tree refers to by name.

These are filled in pass by pass, so they are the nodes that can change; they are compared by identity.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from rulewright.book.text.source import Definition
from rulewright.book.tree.base import Block_, Cond_, Num_, Stmt_, Thing_
from rulewright.book.tree.kinds import ACTOR, NUMBER
from rulewright.book.tree.selectors import Pref, Selector


@dataclass(slots=True, eq=False)
class Param:
    """A parameter or kept value: name and type."""

    name: str
    type: str


@dataclass(slots=True, eq=False)
class Resource:
    """A number (or thing) that the state stores for each owner."""

    name: str
    definition: Definition | None
    of: tuple[str, ...] = (ACTOR,)
    holds: str | None = None
    low: int | None = None
    high: int | None = None
    seen: str = "all"
    starts: Num_ | Thing_ | None = None
    maximum: Num_ | None = None
    shown: bool = True
    owners: str | None = None
    """Template to which it is restricted."""
    builtin: bool = False
    key: str = ""
    """Its key in the tables when that is not its name."""
    private: bool = False
    """Bookkeeping of a framework: no other book can name it, and it is on no sheet."""
    optional: bool = False
    """Known to a framework, but to the books that use it only if they declare it too."""
    settles: bool = False
    """Fixed by `settle`."""
    own_maximum: bool = False
    """Its maximum is the value it starts with."""


@dataclass(slots=True, eq=False)
class Column:
    """An attribute of the words of a list: numbers, or words of another list."""

    name: str
    type: str
    values: list[int] = field(default_factory=list[int])
    texts: list[str] = field(default_factory=list[str])


@dataclass(slots=True, eq=False)
class Component:
    """A Check, Value, Effect, Table or Sequence."""

    name: str
    kind: str
    definition: Definition
    params: list[Param] = field(default_factory=list[Param])
    keeps: list[Param] = field(default_factory=list[Param])
    implicit: bool = False
    """No `with:`: it sees the roles of whoever runs it."""
    gives: str = NUMBER
    body: Block_ = field(default_factory=list["Stmt_"])
    check: Cond_ | None = None
    value: Any = None
    steps: list[tuple[str, Block_, Definition | None]] = field(default_factory=list[Any])
    step_lines: list[int] = field(default_factory=list[int])
    table: TableSym | None = None
    possible: Cond_ | None = None
    """When running it would do anything; nothing said: always."""


@dataclass(slots=True, eq=False)
class TableRow:
    """One row of a random or reading table."""

    low: int
    high: int
    name: str
    line: int
    effect: Block_ = field(default_factory=list["Stmt_"])
    key: int | None = None


@dataclass(slots=True, eq=False)
class TableSym:
    """How a Table picks its row, and its columns."""

    rolls: Num_ | None = None
    reads: Num_ | None = None
    keyed: Thing_ | None = None
    keyed_type: str = ""
    rows: list[TableRow] = field(default_factory=list[TableRow])
    columns: dict[str, Column] = field(default_factory=dict[str, Column])
    modifies: dict[str, list[int]] = field(default_factory=dict[str, list[int]])


@dataclass(slots=True, eq=False)
class Hook:
    """Something that happens at a moment because a rule says so."""

    moment: Moment
    body: Block_
    line: int
    cites: tuple[str, ...] = ()


@dataclass(slots=True, eq=False)
class Moment:
    """When: kind (start, end, step, after step, before, after, instead, change...), subject, ownership."""

    kind: str
    sequence: Component | None = None
    step: int = -1
    component: Component | None = None
    resource: Resource | None = None
    status: str = ""
    terrain: str = ""
    own: bool = False
    level: Num_ | None = None
    which: str = ""
    """rises, falls, changes, reaches; or `next` for durations."""
    whose: Any = None
    """In a duration: whose moment it is; `bearer` is whoever the change is made to."""
    params: list[Param] = field(default_factory=list[Param])


@dataclass(slots=True, eq=False)
class Rules:
    """The standing rules that a Feature, Status, Card or Terrain carries."""

    bearer: str
    """feature, status, face, terrain"""
    index: int
    name: str
    definition: Definition
    template: str | None = None
    while_: Cond_ | None = None
    modify: list[Modify] = field(default_factory=list["Modify"])
    forbids: list[Forbid] = field(default_factory=list["Forbid"])
    hooks: list[Hook] = field(default_factory=list[Hook])
    zone: str = ""
    attached: bool = False
    """Only actors that were given it bear it."""
    applies: Cond_ | None = None
    """An attached rule also holds for whoever passes this."""
    everywhere: bool = False
    """An attached rule holds for everybody after all."""
    setting: bool = False
    """It says what something is, so that two of them can be in conflict."""
    caps: list[Cap] = field(default_factory=list["Cap"])
    line: int = 0
    cites: tuple[str, ...] = ()
    nobody: bool = False
    """What it does happens to nobody in particular: there is no self."""


@dataclass(slots=True, eq=False)
class Modify:
    """A change of what is read: add E, or multiply by a/b, or set."""

    resource: Resource | None
    how: str
    amount: Num_
    value: Component | None = None


@dataclass(slots=True, eq=False)
class Cap:
    """A number that a resource cannot exceed; None: the value it started with."""

    resource: Resource
    limit: Num_ | None


@dataclass(slots=True, eq=False)
class Forbid:
    """An action that is not offered, perhaps only where a check holds."""

    action: str
    where: Cond_ | None


@dataclass(slots=True, eq=False)
class Declared:
    """One thing that an action declares: from a selector, a path, or a number."""

    name: str
    type: str
    selector: Selector | None = None
    orelse: str = ""
    path: PathSpec | None = None
    low: Num_ | None = None
    high: Num_ | None = None
    rest: bool = False
    """`what card declares`: the chosen card's own declarations come here."""


PATH_STEPS = 20
"""The longest path: three bits a step, and what arithmetic holds."""


@dataclass(slots=True, eq=False)
class PathSpec:
    """A path that is declared step by step."""

    least: Num_
    most: Num_
    straight: bool
    through: Cond_ | None
    ending: Cond_ | None
    it: str
    """Name of the local that holds the space looked at."""


@dataclass(slots=True, eq=False)
class ActionSym:
    """An Action, a Reaction, or the playable part of a printed card."""

    name: str
    kind: str
    definition: Definition
    index: int = 0
    declares: list[Declared] = field(default_factory=list[Declared])
    requires: Cond_ | None = None
    limit: Component | None = None
    windows: tuple[str, ...] = ()
    trigger: Cond_ | None = None
    lets: Block_ = field(default_factory=list["Stmt_"])
    cost: Block_ = field(default_factory=list["Stmt_"])
    test: Cond_ | None = None
    do: Block_ = field(default_factory=list["Stmt_"])
    orelse: Block_ = field(default_factory=list["Stmt_"])
    then: Block_ = field(default_factory=list["Stmt_"])
    params: list[Param] = field(default_factory=list[Param])
    every: Selector | None = None
    """An area action: if/do/else run once for each of these."""
    offered: Rules | None = None
    """Not an actor's own action: legal while this rule holds."""
    allowance: Num_ | None = None
    """How far it lets its actor go."""
    features: list[str] = field(default_factory=list[str])
    """Features that hold for this action only."""


@dataclass(slots=True, eq=False)
class Prefer:
    """One line of a bot: which options it takes, if the check holds, in which order."""

    action: ActionSym | None
    label: str
    type: str
    it: str
    where: Cond_ | None = None
    prefs: list[Pref] = field(default_factory=list["Pref"])
    line: int = 0
