"""Event kinds: what an engine can say happened. One table for logs, pages, statistics and tests.

In:  numbers that the code emits.
Out: names for them, what the four arguments mean, who may read them.

Who may read an event is worked out by the engine when it happens, by code that `audience` adds to every
Program from this table, and goes with the event: `who` are the seats that are told of it, `knows` those of
them that are told which cards it is about. Both are sets of seats, a bit each, and one bit for the public.
A kind that is not in the table is for nobody, and nobody can take back what caused it.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, NamedTuple


class Event(NamedTuple):
    """One thing that happened, the site (rule) that caused it, and who may read it: nobody, unless said."""

    kind: int
    site: int
    a: int
    b: int
    c: int
    d: int
    by: int = -1
    """The seat that made a choice; -1 where it was nobody's choice."""
    who: int = 0
    knows: int = 0


MOST_SEATS = 30
PUBLIC = 1 << MOST_SEATS
"""The bit of those who only watch."""
EVERYBODY = 2 * PUBLIC - 1

FORCED, CHANGE, ROLL, CARD, PLACE, STATUS, RULE, SAY, STEP, CHOSEN = range(1, 11)
SHUFFLE, PLAY, ORDER, END, REVEAL, FACE, PICK, LAY, READY = range(11, 20)

OPEN, FIELD, SECRET = "all", "field", "secret"
"""Who is told: everybody; whoever may see the field; those whom the rule lets into the secret, or all."""
FREE, KNOWN, NEVER = "free", "known", "never"
"""Whether a choice can be taken back after it: yes; if its maker knew the card before; no."""


@dataclass(frozen=True, slots=True)
class Kind:
    """What is known of a kind of events before any happens."""

    kind: int
    name: str
    args: tuple[str, ...]
    """What a, b, c and d are."""
    seen: str
    cards: tuple[str, ...] = ()
    """Which of them can be a card. `things`: as the verb or the text says."""
    rest: str = "nothing"
    """What those are told who are not in the secret: `nothing`, or `blank`: that it happened."""
    undo: str = FREE


_CHOICE = ("verb", "thing", "thing", "thing")
KINDS: dict[int, Kind] = {
    made.kind: made
    for made in (
        Kind(FORCED, "FORCED", _CHOICE, SECRET, ("things",), "blank"),
        Kind(CHANGE, "CHANGE", ("field", "owner", "old", "new"), FIELD, ("c", "d")),
        Kind(ROLL, "ROLL", ("sides", "face", "die"), SECRET, undo=NEVER),
        Kind(CARD, "CARD", ("card", "left", "reached", "owner"), OPEN, ("a",), undo=KNOWN),
        Kind(PLACE, "PLACE", ("actor", "left", "reached"), OPEN),
        Kind(STATUS, "STATUS", ("status", "actor", "stacks", "turns"), OPEN),
        Kind(RULE, "RULE", ("actor", "target"), OPEN),
        Kind(SAY, "SAY", ("text", "thing", "thing", "thing"), SECRET, ("things",)),
        Kind(STEP, "STEP", ("actor", "step"), OPEN),
        Kind(CHOSEN, "CHOSEN", _CHOICE, SECRET, ("things",), "blank"),
        Kind(SHUFFLE, "SHUFFLE", ("zone", "owner"), OPEN, undo=NEVER),
        Kind(PLAY, "PLAY", ("actor", "entered"), OPEN),
        Kind(ORDER, "ORDER", ("order",), OPEN),
        Kind(END, "END", ("ending", "seat"), OPEN),
        Kind(REVEAL, "REVEAL", ("card", "seat"), OPEN, ("a",), undo=NEVER),
        Kind(FACE, "FACE", ("actor", "direction"), OPEN),
        Kind(PICK, "PICK", ("text", "thing", "of", "which"), SECRET, ("things",), undo=NEVER),
        Kind(LAY, "LAY", ("space",), OPEN),
        Kind(READY, "READY", ("seat",), OPEN),
    )
}
# More about the arguments:
#   ROLL     face counted from 0; die: kind of a named die + 1, or 0
#   CARD     zones are counted over all owners, + 1; 0 is the box. owner: of the zone it reached
#   PLACE    -1 is nowhere
#   RULE     a component or action ran; its target or -1
#   PLAY     1 entered or 0 left play
#   END      the seat that won, or -1
#   REVEAL   the seat that may now see it, or -1 for all
#   PICK     something was picked at random, of how many, and which (counted from 0)
#   LAY      a space was laid, or with -1 all were taken up
#   READY    a seat has chosen, while others choose at the same time; what, comes when all are ready


def table() -> list[dict[str, Any]]:
    """The table for pages and other programs, ready for JSON."""
    return [{**asdict(kind), "args": list(kind.args), "cards": list(kind.cards)} for kind in KINDS.values()]
