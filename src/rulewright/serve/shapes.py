"""What requests and answers look like.

In:  JSON of clients.
Out: checked values; the schema at /openapi.json.
"""

from __future__ import annotations

import re
from typing import Annotated, Any

from fastapi import Depends, Header, Path, Query
from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from rulewright.ir.events import MOST_SEATS
from rulewright.serve.errors import CODES

UNFIT = re.compile("[\x00-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
"""Control characters, those that turn the direction of what follows, and halves of characters."""


def _plain(text: str) -> str:
    if UNFIT.search(text):
        raise ValueError("control characters and halves of characters do not belong here")
    return text


Plain = Annotated[str, AfterValidator(_plain)]
Version = Annotated[
    int, Field(ge=0, lt=2**31, strict=True, description="the version of the table that the choice is about")
]
Secret = Annotated[str, Field(max_length=100, description="the seat's token")]

Id = Annotated[str, Path(max_length=64, pattern=r"^[A-Za-z0-9_-]+$", description="the table")]
Number = Annotated[int, Path(ge=0, lt=2**31)]
After = Annotated[int, Query(ge=0, lt=2**31, description="the number of the first line")]


def _shown(
    token: Annotated[
        str | None,
        Query(max_length=100, description="the seat's token; better sent as `Authorization: Bearer TOKEN`"),
    ] = None,
    authorization: Annotated[str | None, Header(max_length=120, include_in_schema=False)] = None,
) -> str | None:
    """The token of a request: from its head, where nobody keeps it, or from its address."""
    scheme, _, shown = (authorization or "").partition(" ")
    return shown.strip() if scheme.lower() == "bearer" and shown.strip() else token


Token = Annotated[str | None, Depends(_shown)]
"""The seat's token; without one, a spectator."""


class SeatWish(BaseModel):
    """Who is to sit somewhere."""

    model_config = ConfigDict(extra="forbid")
    kind: Annotated[Plain, Field(max_length=16)] = "you"
    """you, invite, open or bot"""
    bot: Annotated[Plain, Field(max_length=200)] | None = None
    name: Annotated[Plain, Field(max_length=60)] | None = None


class TableWish(BaseModel):
    """A table to open."""

    model_config = ConfigDict(extra="forbid")
    book: Annotated[Plain, Field(max_length=200)]
    seats: list[SeatWish] = Field(min_length=1, max_length=MOST_SEATS)
    options: dict[Plain, Plain] = Field(default_factory=dict[str, str], max_length=40)
    seed: Annotated[int, Field(ge=0, lt=2**63, strict=True)] | None = None
    """Whoever chooses the seed may know what the dice will be; the table says so to all."""
    private: bool = False
    """Not in the list of tables: only who has a link finds it."""


class Reseat(BaseModel):
    """A wish for a new token of a seat, by the holder of a token."""

    model_config = ConfigDict(extra="forbid")
    token: Secret


class Place(SeatWish):
    """Who is to have a seat from now on; `token` is that of the host, or of whoever has it."""

    token: Secret


class Placed(BaseModel):
    """Who has the seat; a token where a person is to have it."""

    seat: int
    kind: str
    name: str
    token: str | None = None
    link: str | None = None


class Take(BaseModel):
    """Somebody comes."""

    model_config = ConfigDict(extra="forbid")
    name: Annotated[Plain, Field(max_length=60)] | None = None


class Turn(BaseModel):
    """Whose turn it is, and since when."""

    version: int
    waiting: list[int]
    since: float


class Reseated(BaseModel):
    """The seat's new token; the old one opens nothing any more."""

    seat: int
    token: str
    link: str


class Dice(BaseModel):
    """Where the dice of a table come from."""

    commitment: str
    """A hash of the seed, promised at the opening; empty if the opener chose the seed."""
    chosen: bool
    """Whether whoever opened the table chose the seed, and so may know what the dice will be."""
    seed: str | None
    """The seed, in hexadecimal, once the match is over."""


class Choice(BaseModel):
    """A choice, made by the holder of a seat's token who has seen that version of the table."""

    model_config = ConfigDict(extra="forbid")
    token: Secret
    version: Version
    option: Annotated[int, Field(ge=0, lt=2**31, strict=True, description="the number of the option, from 0")]


class Undo(BaseModel):
    """A wish to take the last choice back."""

    model_config = ConfigDict(extra="forbid")
    token: Secret
    version: Version


class Known(BaseModel):
    """Tables that somebody remembers."""

    model_config = ConfigDict(extra="forbid")
    tables: list[Annotated[str, Field(max_length=64, pattern=r"^[A-Za-z0-9_-]+$")]] = Field(max_length=200)


class GoOn(BaseModel):
    """A point of a finished match to go on from."""

    model_config = ConfigDict(extra="forbid")
    at: Annotated[int, Field(ge=0, lt=2**31, strict=True, description="how many choices are kept")]


class Problem(BaseModel):
    """Every error."""

    error: str
    message: str


class Moved(BaseModel):
    """The version of the table after a choice or an undo."""

    version: int


class Health(BaseModel):
    """The server and its database are up."""

    ok: bool


class SeatMade(BaseModel):
    """A seat of a new table; a bot has no token."""

    seat: int
    kind: str
    name: str
    token: str | None = None
    link: str | None = None


class Opened(BaseModel):
    """A new table. Tokens are told here and never again."""

    table: str
    book: str
    seats: list[SeatMade]
    watch: str
    commitment: str
    """A hash of the seed: what it was can be checked when the match is over."""


class SeatSeen(BaseModel):
    """Who sits where."""

    seat: int
    kind: str
    name: str


class TableSeen(BaseModel):
    """What everybody may know of a table."""

    table: str
    book: str
    created: float
    finished: float | None
    ending: str | None
    seats: list[SeatSeen]


class OptionOffer(BaseModel):
    """An option of the match, chosen before it starts."""

    name: str
    words: list[str]
    default: str
    note: str


class BookCard(BaseModel):
    """A book on the shelf."""

    name: str
    title: str
    digest: str
    summary: str
    designer: str
    licence: str
    length: str
    seats: list[int]
    rules_only: bool
    options: list[OptionOffer]
    bots: list[str]
    maps: list[str]
    looks: dict[str, Any]
    """What its front matter says of how it looks: life, turn, first, company, accent, icons."""
    guided: bool
    """Whether it has a guided first match."""
    reading: bool = False
    """Whether the server still reads it: what it says of itself is there, what it holds comes later."""


class BookPages(BookCard):
    """A book with its rules as HTML, and the names behind the numbers of its states."""

    html: str
    actions: list[str]
    """Names of the book's actions: what "why not?" can be asked about."""
    sheet: dict[str, Any]
    guide: dict[str, Any] | None = None
    """Its guided first match: how the table is set up, and what is said and advised at each choice."""


class EventKind(BaseModel):
    """A kind of events: its name, what its arguments are, who may read it."""

    kind: int
    name: str
    args: list[str]
    seen: str
    cards: list[str]
    rest: str
    undo: str


class LogLine(BaseModel):
    """One line of a log: what happened, and the rule that made it happen."""

    n: int
    text: str
    kind: int
    args: list[int]
    by: int = -1
    """The seat whose choice it was, or -1."""
    cites: list[str]
    title: str
    file: str
    line: int


class HintStep(BaseModel):
    """A choice that is expected to follow."""

    seat: int
    text: str


class HintReason(BaseModel):
    """What an option promises its seat, from 0 to 1, with its 95 % interval, and how often it was tried."""

    option: int
    text: str
    estimate: float
    low: float
    high: float
    lines: int
    then: list[HintStep]


class Hint(BaseModel):
    """What a player would choose, what it expects for the seat, and its reasons, the most tried first."""

    version: int
    option: int
    text: str
    estimate: float
    lines: int
    plain: int
    """What the book's own strategy takes; -1 where there is none."""
    reasons: list[HintReason]


class SourceSeen(BaseModel):
    """A number, and what it is."""

    value: int
    what: str


class SumSeen(BaseModel):
    """A test or a sum in figures, under the title of its rule."""

    title: str
    text: str
    sources: list[SourceSeen]


class TallySeen(BaseModel):
    """A roll: what its dice came to, and against what."""

    dice: list[tuple[int, int]]
    """The line of each die or turned-up card, and its part: 1 counts, -1 is taken away, 0 neither."""
    text: str
    against: str


class Estimate(BaseModel):
    """Each seat's chance to win; empty where nobody can tell."""

    version: int
    seats: list[float]


class Why(BaseModel):
    """The rule behind a line, and the arithmetic of it."""

    text: str
    sums: list[SumSeen]
    tallies: list[TallySeen]
    late: bool
    cites: list[str]
    title: str
    file: str
    line: int
    rule: str


class WhyNot(BaseModel):
    """Why something is not offered."""

    reasons: list[str]
    cites: list[str]
    title: str
    file: str
    line: int
    rule: str


class ChanceSeen(BaseModel):
    """Something that comes of an option, or may, in words; whom it befalls by kind, number and name, and
    which of its numbers or statuses changes, by how much on average; the chance in words, and all of it in
    short, for a token."""

    text: str
    chance: float
    kind: str
    id: int
    who: str
    what: str
    name: str
    mean: float
    likely: str
    short: str


class OptionOdds(BaseModel):
    """What an option surely costs or brings, and what it may bring. `lines`: cases or samples looked at.
    `idle`: nothing would come of it; `spends`: nothing but that one's own have less of these; `costs`: what
    it takes once the questions that it asks first are answered, the least and the most."""

    option: int
    exact: bool
    lines: int
    sure: list[ChanceSeen]
    may: list[ChanceSeen]
    idle: bool
    spends: list[str] | None
    costs: list[tuple[str, int, int]]


class OddsSeen(BaseModel):
    """Odds as the seat that decides can know them."""

    version: int
    options: list[OptionOdds]


class DecisionSeen(BaseModel):
    """What has to be decided; options only for the seat that decides."""

    seat: int
    actor: int
    prompt: str
    mine: bool
    options: list[dict[str, Any]]


class State(BaseModel):
    """A table as one reader may see it."""

    table: str
    version: int
    decision: DecisionSeen | None
    book: str
    digest: str
    seat: int | None
    players: list[dict[str, Any]]
    waiting: list[int]
    """Seats that have to choose now."""
    together: list[int]
    """All who choose at the same time, ready or not; empty when one seat decides."""
    result: dict[str, Any] | None
    can_undo: bool
    since: int
    lines: int
    """Lines of the whole log; a state has the last of them."""
    dice: Dice
    board: dict[str, Any]
    view: dict[str, Any]
    log: list[LogLine]
    total: int | None = None
    """Choices of the whole match, where a replay is looked at."""


ERRORS: dict[int | str, dict[str, Any]] = {
    status: {
        "model": Problem,
        "description": ", ".join(sorted(code for code, (is_, _) in CODES.items() if is_ == status)),
    }
    for status in sorted({status for status, _ in CODES.values()})
}
"""Every status an error can have, for the description at /openapi.json."""
