"""What a Program tells people about its numbers: names, owners, visibility, maps, words.

In:  built by lowering from the checked book.
Out: read by views, logs, the terminal and the browser. Running code never needs it to play.
"""

from __future__ import annotations

from dataclasses import dataclass, field

ALL, OWNER, NOBODY = "all", "owner", "nobody"
UNKNOWN = -(1 << 30)
"""In the slot of a number that nobody has looked at yet: it is worked out when it is first needed."""

WORTH = 1000
"""What a position is worth to a seat that is sure to win, where the book says so itself."""


@dataclass(frozen=True, slots=True)
class Field:
    """A resource. Slot of owner (i, j): base + i * counts[1] + j; with one owner base + i."""

    name: str
    of: tuple[str, ...]
    base: int
    counts: tuple[int, ...] = ()
    holds: str | None = None
    seen: str = ALL
    low: int = -(10**9)
    high: int = 10**9
    shown: bool = True
    """Drawn among the numbers of its owner. Whether it is a secret is said by `seen` alone."""
    owners: tuple[int, ...] | None = None
    """Owner ids (of the first kind) that really have it, when not every one does."""
    maximum: str | None = None
    """The field that bounds this one from above, for bars."""
    quiet: bool = False
    """`shown: no`: a book keeps it for itself. Not drawn and not in logs, but no secret."""
    price: int = 0
    """-1: taken as the price of some action; 1: it counts what was spent. To pay it for nothing is waste."""


@dataclass(frozen=True, slots=True)
class Zone:
    """An ordered pile: count at the owner's base, then card numbers, the last one on top."""

    name: str
    of: str | None
    base: int
    stride: int
    capacity: int
    seen: str = ALL
    shown: bool = True
    open: int = -1
    """The slot that is 1 while everybody sees the pile of the first owner; -1 if it is never opened."""


@dataclass(frozen=True, slots=True)
class StatusSheet:
    """Four slots an actor: turns, stacks, power, source + 1. Present while stacks > 0."""

    name: str
    base: int
    stacked: bool = False
    timed: bool = False


@dataclass(frozen=True, slots=True)
class MapSheet:
    """Spaces first .. first + count - 1, with coordinates for drawing."""

    name: str
    grid: str
    """square, hex (flat-topped, columns), spots (laid in play) or sectors"""
    first: int
    count: int
    coords: tuple[tuple[int, int], ...]
    terrain: tuple[str, ...] = ()
    glyphs: tuple[str, ...] = ()
    upward: bool = True
    """y grows upwards on the page."""
    zones: dict[str, tuple[int, ...]] = field(default_factory=dict[str, tuple[int, ...]])
    """Parts of the map that have a name, and their spaces."""


@dataclass(frozen=True, slots=True)
class Verb:
    """What an option says: `{0}` to `{2}` stand for its payload, whose kinds are `args`."""

    text: str
    args: tuple[str, ...] = ()
    site: int = 0


@dataclass(frozen=True, slots=True)
class Site:
    """A place in the book: what fired, and which rules it cites."""

    file: str
    line: int
    title: str = ""
    cites: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class OrderSheet:
    """A turn order: S[base] members, S[base + 1] the cursor, then actor numbers."""

    name: str
    base: int
    capacity: int
    shown: bool = True
    """A list that a book keeps for itself (`seen by: nobody`) is not drawn."""


@dataclass(frozen=True, slots=True)
class OptionSheet:
    """A setting of the match, chosen before it starts. Stored as the index of the word."""

    name: str
    slot: int
    words: tuple[str, ...]
    default: int = 0
    note: str = ""


@dataclass(frozen=True, slots=True)
class LawSheet:
    """What must hold whenever somebody decides."""

    name: str
    holds: str
    """A function that gives 1 while it does. Nothing in a match calls it."""
    site: int = 0
    timed: bool = False
    """Whether it speaks of what is running: the end of a match cuts that off, and the law is not asked."""


@dataclass(frozen=True, slots=True)
class Keeps:
    """What can be carried over into a later match: numbers of `fields` and `zones`, and whose they are."""

    fields: tuple[int, ...]
    zones: tuple[int, ...]
    actors: tuple[int, ...]
    """Who can bring something along: the actors that seats lead."""
    seats: tuple[int, ...]
    """The seat of each of them."""
    brought: int
    """Slots, one an actor and then one for the match: 1 where something was brought along."""


@dataclass(frozen=True, slots=True)
class FieldCode:
    """Functions of one number, by name: what the rules read of an owner, and the most it can be. "": none."""

    get: str = ""
    maximum: str = ""


@dataclass(frozen=True, slots=True)
class ActionCode:
    """Functions of one action: may the actor think of it, and can it be done once so much is declared?"""

    name: str
    legal: str
    steps: tuple[str, ...] = ()
    """One for nothing declared, one for one thing declared; "": there is no such function."""


@dataclass(frozen=True, slots=True)
class Condition:
    """One thing that must hold, as it is said where it does not."""

    text: str = ""
    """With a gap and a kind for each name, as in `{0:Actor}`; "": the book has no words for it."""
    names: tuple[str, ...] = ()
    """The locals that fill the gaps."""
    number: bool = False
    """A comparison of numbers, which say it best themselves."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What a function asks that says yes or no: for each statement that may say no, what must hold."""

    tests: tuple[tuple[Condition, ...], ...] = ()
    action: bool = False
    """Of an action itself; otherwise of a check that others ask, too."""


@dataclass(frozen=True, slots=True)
class ExampleCheck:
    """`expect that ..` of a worked example: the function that is 1 when it holds."""

    example: int
    """Counted from 1."""
    line: int
    holds: str


@dataclass(frozen=True, slots=True)
class SecretLocal:
    """A value on the stack that may be a secret: where it lies in the frames of a function."""

    function: str
    place: int
    about: int
    """Four places: who may know it (a set of seats as in `events`, + 1; 0: everybody), and that it is the sum
    of so many draws, each from low to high (-1: that cannot be said)."""


@dataclass(frozen=True, slots=True)
class SecretCopy:
    """A secret that one function handed to another: `place` in the frame of `function`, if that goes back to
    the segment `back`, is what lies at `of` in the frame below it."""

    back: int
    function: str
    place: int
    of: int


@dataclass(frozen=True, slots=True)
class Sheet:
    """Every table of names; see the classes above."""

    things: dict[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    fields: tuple[Field, ...] = ()
    field_code: tuple[FieldCode, ...] = ()
    """Parallel to `fields`."""
    actions: tuple[ActionCode, ...] = ()
    asked: dict[str, Asked] = field(default_factory=dict[str, Asked])
    """By functions that say yes or no, what they ask."""
    zones: tuple[Zone, ...] = ()
    faces: tuple[int, ...] = ()
    known_base: int = -1
    columns: dict[str, dict[str, tuple[int | str, ...]]] = field(
        default_factory=dict[str, dict[str, tuple[int | str, ...]]]
    )
    statuses: tuple[StatusSheet, ...] = ()
    templates: tuple[str, ...] = ()
    """The template of each actor."""
    sides: tuple[int, ...] = ()
    maps: tuple[MapSheet, ...] = ()
    orders: tuple[OrderSheet, ...] = ()
    options: tuple[OptionSheet, ...] = ()
    verbs: tuple[Verb, ...] = ()
    prices: dict[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    """What each action takes, by its name: names of fields that people see."""
    amounts: dict[str, dict[str, int]] = field(default_factory=dict[str, dict[str, int]])
    """How much of it, where the rules say that outright."""
    prompts: tuple[str, ...] = ()
    sites: tuple[Site, ...] = ()
    texts: tuple[str, ...] = ()
    endings: tuple[str, ...] = ()
    dice: tuple[str, ...] = ()
    """Names of the dice with words for faces, as ROLL events count them; the faces are in `things`."""
    strategies: tuple[str, ...] = ()
    """Names of the book's bots for seats."""
    policies: tuple[str, ...] = ()
    """Functions that pick an option for a seat; first those of `strategies`, in their order."""
    value: str = ""
    """A function that gives what a position is worth to the seat that is asked, from 0 to WORTH; "": the book
    does not say. Play never asks."""
    example_checks: tuple[ExampleCheck, ...] = ()
    laws: tuple[LawSheet, ...] = ()
    """What must hold whenever somebody decides. Play never asks."""
    front: dict[str, str] = field(default_factory=dict[str, str])
    """Title, summary, length, designer, licence: what the shelf shows."""
    told: dict[str, int] = field(default_factory=dict[str, int])
    """Numbers that the prose of the book reads from its definitions."""
    keeps: Keeps | None = None
    secrets: tuple[SecretLocal, ...] = ()
    secret_copies: tuple[SecretCopy, ...] = ()
    result: dict[str, int] = field(default_factory=dict[str, int])
    """Slots of the result: `ending` (index + 1), `score` (base, one a seat; 1 win, 0 loss, 2 draw), and where
    a book ranks or scores `rank` and `points` (bases) and `pointed`; see `play.results`. And of
    `asked`: the actor that the present decision is made for, or -1."""
