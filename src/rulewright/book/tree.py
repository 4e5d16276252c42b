"""The checked tree of a book: what the parser makes and lowering reads.

In:  parser.
Out: lowering. Every name is already bound to what it declares and every node has its type, because
     a name with spaces cannot be parsed without knowing what is declared.

One long file, because it is one table: numbers, things, checks and statements hold each other, and whoever
adds a node looks here for its neighbours. There is no code in it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, TypeAlias

from rulewright.book.text.source import Definition

NUMBER = "number"
ACTOR, CARD, SPACE, FACE, SIDE, LINE, PATH, DIRECTION, PLACE = (
    "Actor", "Card", "Space", "Face", "Side", "Line", "Path", "Direction", "Place",
)  # fmt: skip
STATUS = "Status"
TALLY = "tally:"
"""Type of a local that holds a tally of a die: "tally:" and the die's name."""


# ---------------------------------------------------------------- declarations
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


# ---------------------------------------------------------------- numbers
@dataclass(slots=True)
class Num:
    value: int
    name: str = ""


@dataclass(slots=True)
class Dice:
    count: Num_
    sides: Num_
    line: int = 0


@dataclass(slots=True)
class Arith:
    op: str
    left: Num_
    right: Num_


@dataclass(slots=True)
class Fn:
    name: str
    args: list[Num_]


@dataclass(slots=True)
class IfNum:
    test: Cond_
    yes: Num_
    no: Num_


@dataclass(slots=True)
class ReadRes:
    resource: Resource
    owners: list[Thing_]
    stored: bool = False
    maximum: bool = False


@dataclass(slots=True)
class ReadLocal:
    name: str


@dataclass(slots=True)
class ReadKept:
    sequence: Component | ActionSym
    name: str


@dataclass(slots=True)
class ReadColumn:
    list: str
    column: str
    thing: Thing_


@dataclass(slots=True)
class ReadTable:
    table: Component
    column: str


@dataclass(slots=True)
class Count:
    selector: Selector


@dataclass(slots=True)
class Aggregate:
    how: str
    value: Num_
    selector: Selector


@dataclass(slots=True)
class Geometry:
    """distance, side, steps, walk, x, y"""

    what: str
    args: list[Thing_]
    name: str = ""


@dataclass(slots=True)
class StatusNum:
    what: str
    status: Any
    """The name of a status, or a thing that is one."""
    owner: Thing_


@dataclass(slots=True)
class TallyNum:
    local: str
    die: str
    faces: list[int]
    column: str = ""
    highest: Num_ | None = None


@dataclass(slots=True)
class Truth:
    """A check used as a number: 1 or 0."""

    check: Cond_


@dataclass(slots=True)
class Starting:
    """The value with which a number of the owner started."""

    resource: Resource
    owners: list[Thing_]


@dataclass(slots=True)
class Final:
    """A whole number of a book whose numbers are never below 0."""

    value: Num_


@dataclass(slots=True)
class Run:
    """A component run for what it gives; also a thing."""

    component: Component
    self_: Thing_ | None
    args: list[Any]
    line: int = 0
    start: int = 0
    """A sequence may begin at a later step: `#Turn on X from Action`."""

    @property
    def type(self) -> str:
        """What running it gives."""
        return self.component.gives


Num_: TypeAlias = (
    Num | Dice | Arith | Fn | IfNum | ReadRes | ReadLocal | ReadKept | ReadColumn | ReadTable | Count
    | Aggregate | Geometry | StatusNum | TallyNum | Truth | Run
    | Starting | Final
)  # fmt: skip


# ---------------------------------------------------------------- things
@dataclass(slots=True)
class TLocal:
    name: str
    type: str


@dataclass(slots=True)
class TConst:
    type: str
    id: int


@dataclass(slots=True)
class TBuiltin:
    """active, or another thing the engine knows: `what` with arguments."""

    what: str
    type: str
    args: list[Any] = field(default_factory=list[Any])


@dataclass(slots=True)
class THold:
    resource: Resource
    owners: list[Thing_]
    type: str


@dataclass(slots=True)
class TKept:
    sequence: Component | ActionSym
    name: str
    type: str


@dataclass(slots=True)
class TColumn:
    list: str
    column: str
    thing: Thing_
    type: str


@dataclass(slots=True)
class TSelect:
    selector: Selector
    type: str


@dataclass(slots=True)
class TIf:
    test: Cond_
    yes: Thing_
    no: Thing_
    type: str


Thing_: TypeAlias = TLocal | TConst | TBuiltin | THold | TKept | TColumn | TSelect | TIf | Run


@dataclass(slots=True)
class Pref:
    """One ordering: the lowest or highest number first, or things that pass a check first."""

    low: bool
    value: Num_
    per: Num_ | None = None
    """Ratios are compared exactly: value per per (above 0)."""


@dataclass(slots=True)
class Selector:
    """quantifier noun relations where preference or else"""

    quantifier: str
    noun: str
    type: str
    it: str
    """Name of the local that holds the candidate."""
    amount: Num_ | None = None
    domain: str = "all"
    """all, zone, order, line, path, place"""
    domain_args: list[Any] = field(default_factory=list[Any])
    tests: list[Cond_] = field(default_factory=list["Cond_"])
    prefs: list[Pref] = field(default_factory=list[Pref])
    out_of_play: bool = False
    anywhere: bool = False
    """In play or not."""
    lots: bool = False
    """Who is still equal after the preferences draws lots with one die."""
    lots_for: Cond_ | None = None
    """Only those who pass this take part in it."""
    lots_order: list[Pref] = field(default_factory=list["Pref"])
    """In which order they are counted off."""
    orelse: Thing_ | None = None
    line: int = 0


# ---------------------------------------------------------------- checks
@dataclass(slots=True)
class Compare:
    op: str
    left: Num_
    right: Num_


@dataclass(slots=True)
class Both:
    parts: list[Cond_]


@dataclass(slots=True)
class Either:
    parts: list[Cond_]


@dataclass(slots=True)
class Never:
    """not"""

    part: Cond_


@dataclass(slots=True)
class Same:
    left: Thing_
    right: Thing_


@dataclass(slots=True)
class Has:
    """status, template, terrain, in play, side, feature: a property of a thing"""

    what: str
    thing: Thing_
    value: int = 0


@dataclass(slots=True)
class Related:
    """ally, same side, bears, area: what a thing is to another"""

    what: str
    thing: Thing_
    other: Thing_


@dataclass(slots=True)
class Within:
    """Is it in this zone of a map?"""

    thing: Thing_
    map: str
    zone: str


@dataclass(slots=True)
class IsWord:
    """An adjective whose noun is still to come; none is left when the book is parsed."""

    thing: TLocal
    list: str
    word: int


@dataclass(slots=True)
class Exists:
    selector: Selector


@dataclass(slots=True)
class RunCheck:
    component: Component
    self_: Thing_ | None
    args: list[Any]


@dataclass(slots=True)
class CanPerform:
    actor: Thing_
    action: ActionSym
    target: Thing_ | None


@dataclass(slots=True)
class CanBecome:
    """Is nothing in the way of this status? `status` is a name, or a thing that is a status."""

    actor: Thing_
    status: Any


@dataclass(slots=True)
class Runs:
    """Does an action, when it is done, run this component or lower this number of its target?"""

    action: Thing_
    component: Component | None
    lowers: Resource | None


@dataclass(slots=True)
class CanPay:
    """Are the sure costs in an action's `then` covered?"""

    actor: Thing_
    action: Thing_


@dataclass(slots=True)
class HasStart:
    """Does anything say with which value this number of the actor starts?"""

    resource: Resource
    actor: Thing_


@dataclass(slots=True)
class InZone:
    card: Thing_
    zone: str
    owner: Thing_ | None


@dataclass(slots=True)
class OptionIs:
    option: str
    word: int


@dataclass(slots=True)
class Always:
    value: bool


@dataclass(slots=True)
class Sees:
    """A straight line on squares that passes no space failing the check; corners by the map."""

    start: Thing_
    goal: Thing_
    it: str
    past: Cond_


Cond_: TypeAlias = (
    Compare | Both | Either | Never | Same | Has | Related | Within | IsWord | Exists | RunCheck | CanPerform
    | CanBecome | InZone | OptionIs | Always | Sees | Runs | CanPay | HasStart
)  # fmt: skip


# ---------------------------------------------------------------- statements
@dataclass(slots=True)
class SetNumber:
    """target is ReadRes, ReadLocal or ReadKept; op one of = += -= *= /="""

    target: Any
    op: str
    value: Num_
    until: Moment | None = None
    count: Num_ | None = None
    line: int = 0


@dataclass(slots=True)
class SetThing:
    target: Any
    value: Thing_
    line: int = 0


@dataclass(slots=True)
class LetTally:
    local: str
    die: str
    count: Num_
    sides: Num_ | None = None
    line: int = 0


@dataclass(slots=True)
class Give:
    value: Any
    line: int = 0


@dataclass(slots=True)
class RunStmt:
    run: Run
    each: Selector | None = None
    line: int = 0


@dataclass(slots=True)
class Perform:
    action: ActionSym | None
    card: Thing_ | None
    on: Thing_ | None
    actor: Thing_ | None = None
    line: int = 0


@dataclass(slots=True)
class IfStmt:
    test: Cond_
    then: Block_
    orelse: Block_
    line: int = 0


@dataclass(slots=True)
class Repeat:
    times: Num_ | None
    while_: Cond_ | None
    body: Block_
    line: int = 0


@dataclass(slots=True)
class ForEach:
    selector: Selector
    body: Block_
    line: int = 0


@dataclass(slots=True)
class Stop:
    line: int = 0


@dataclass(slots=True)
class ChoiceOption:
    """A line of a choose: a label, or one option a thing."""

    label: str
    if_: Cond_ | None
    selector: Selector | None
    body: Block_
    line: int = 0


@dataclass(slots=True)
class Choose:
    options: list[ChoiceOption]
    by: Thing_ | None
    prompt: str
    line: int = 0


@dataclass(slots=True)
class ChooseMany:
    selector: Selector
    most: Num_
    least: Num_ | None
    body: Block_
    by: Thing_ | None
    label: str = ""
    line: int = 0


@dataclass(slots=True)
class LetChoose:
    local: str
    type: str
    selector: Selector | None
    orelse: str
    low: Num_ | None
    high: Num_ | None
    by: Thing_ | None
    line: int = 0


@dataclass(slots=True)
class Window:
    name: str
    who: list[Any]
    line: int = 0


@dataclass(slots=True)
class Act:
    how: str
    times: Num_ | None
    by: Selector | None
    only: ActionSym | None
    where: Cond_ | None
    pass_: bool = True
    line: int = 0
    while_: Cond_ | None = None
    """Only as long as this holds is anything offered."""


@dataclass(slots=True)
class Simple:
    """A statement that is one kernel call: `what` and its arguments, all trees."""

    what: str
    args: list[Any]
    line: int = 0


@dataclass(slots=True)
class SortOrder:
    order: str
    prefs: list[Pref]
    it: str
    ties: Num_ | None
    keeping: Resource | None
    line: int = 0


@dataclass(slots=True)
class EndSeq:
    sequence: Component | ActionSym
    step: int | None
    """None ends it; otherwise goes on at that step."""
    line: int = 0


@dataclass(slots=True)
class Say:
    text: str
    args: list[Any]
    line: int = 0


@dataclass(slots=True)
class AsSelf:
    """For these statements somebody else is self."""

    who: Thing_
    body: Block_
    line: int = 0


@dataclass(slots=True)
class LetWay:
    """A way over the map, chosen step by step; a step is offered only if the way can still end well."""

    local: str
    walk: str
    budget: Num_
    least: int
    by: Thing_ | None
    line: int = 0


@dataclass(slots=True)
class Behaviors:
    """Ranked behaviors: the first one that changes something starts the list again."""

    rows: list[Behavior]
    line: int = 0


@dataclass(slots=True)
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


@dataclass(slots=True)
class Inline:
    """Statements that a phrase stands for."""

    body: Block_
    line: int = 0


@dataclass(slots=True)
class FirstPossible:
    lines: list[tuple[Cond_ | None, Block_]]
    line: int = 0


@dataclass(slots=True)
class EndMatch:
    ending: int
    winner: Thing_ | None
    everyone: str = ""
    line: int = 0


@dataclass(slots=True)
class With:
    """Values that hold while the block runs, and are put back however it is left."""

    sets: list[SetNumber | SetThing]
    body: Block_
    line: int = 0


Stmt_: TypeAlias = (
    SetNumber | SetThing | LetTally | Give | RunStmt | Perform | IfStmt | Repeat | ForEach | Stop | Choose
    | ChooseMany | LetChoose | Window | Act | Simple | SortOrder | EndSeq | Say | FirstPossible | EndMatch
    | Inline | AsSelf | LetWay | Behaviors | With
)  # fmt: skip
Block_: TypeAlias = list[Stmt_]
