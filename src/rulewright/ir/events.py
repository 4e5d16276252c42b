"""Event kinds: what an engine can say happened. One table for logs, statistics and tests.

In:  numbers that the code emits.
Out: names and the meaning of the four arguments.
"""

from __future__ import annotations

from typing import NamedTuple


class Event(NamedTuple):
    """One thing that happened, and the site (rule) that caused it."""

    kind: int
    site: int
    a: int
    b: int
    c: int
    d: int


FORCED, CHANGE, ROLL, CARD, PLACE, STATUS, RULE, SAY, STEP, CHOSEN = range(1, 11)
SHUFFLE, PLAY, ORDER, END, REVEAL, FACE, PICK, LAY = range(11, 19)

MEANING: dict[int, tuple[str, str]] = {
    FORCED: ("forced", "the only option was taken: verb, then its things"),
    CHANGE: ("change", "field, owner, old value, new value"),
    ROLL: ("roll", "sides, face (0-based), die kind + 1 or 0, 0"),
    CARD: ("card", "card, zone it left + 1, zone it reached + 1, owner of the latter"),
    PLACE: ("place", "actor, space it left, space it reached"),
    STATUS: ("status", "status, actor, stacks now, turns now"),
    RULE: ("rule", "a component or action ran: its actor, its target or -1"),
    SAY: ("say", "text, then things for its slots"),
    STEP: ("step", "a step of a sequence was reached: its actor"),
    CHOSEN: ("chosen", "verb, then its things"),
    SHUFFLE: ("shuffle", "zone, owner"),
    PLAY: ("play", "actor, 1 entered or 0 left play"),
    ORDER: ("order", "a turn order changed: order"),
    END: ("end", "ending, winning seat or -1"),
    REVEAL: ("reveal", "card, seat that may now see it or -1 for all"),
    FACE: ("face", "actor, direction"),
    LAY: ("lay", "a space was laid, or with -1 all were taken up: space"),
    PICK: ("pick", "something was picked at random: text, the thing, of how many, which (0-based)"),
}
