"""Event kinds: what an engine can say happened. One table for logs, statistics and tests.

In:  numbers that the code emits.
Out: names for them, and what the four arguments mean.
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

# What a, b, c and d are:
#   FORCED   the only option was taken: verb, then its things
#   CHANGE   field, owner, old value, new value
#   ROLL     sides, face (0-based), die kind + 1 or 0, 0
#   CARD     card, zone it left + 1, zone it reached + 1, owner of the latter
#   PLACE    actor, space it left, space it reached
#   STATUS   status, actor, stacks now, turns now
#   RULE     a component or action ran: its actor, its target or -1
#   SAY      text, then things for its slots
#   STEP     a step of a sequence was reached: its actor
#   CHOSEN   verb, then its things
#   SHUFFLE  zone, owner
#   PLAY     actor, 1 entered or 0 left play
#   ORDER    a turn order changed: order
#   END      ending, winning seat or -1
#   REVEAL   card, seat that may now see it or -1 for all
#   FACE     actor, direction
#   PICK     something was picked at random: text, the thing, of how many, which (0-based)
#   LAY      a space was laid, or with -1 all were taken up: space
