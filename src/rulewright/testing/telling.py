"""What an example says about logs and about who sees what.

In:  the text of an `expect` line, what has happened so far, the position.
Out: sentences about what is otherwise; None for a line that is about something else.

    log: words                      anywhere in what has happened so far; `no log: words`: nowhere
    log of Brand: words             in the log as Brand's seat, or `seat 2`, or `spectators` read it
    log in order: a; b; c           each in a line of its own, in this order
    log 2 times: words              in so many lines
    Brand can see Cup of Ash        a resource, or every card of a zone; `cannot see`: none of it
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from rulewright.ir.events import Event
from rulewright.ir.program import Program
from rulewright.play.describe import describe
from rulewright.play.knowledge import Knowledge, as_read, find_field
from rulewright.testing.items import subjects
from rulewright.testing.names import NameProblem, Names, norm, pieces
from rulewright.testing.position import Position

LOG = re.compile(
    r"(?P<no>no )?log(?: of (?P<who>[^:]+?))?(?: (?P<order>in order)| (?P<times>\d+) times?| (?P<once>once))?"
    r"\s*:\s*(?P<text>.+)",
    re.I | re.S,
)
LOG_AHEAD = re.compile(r"(no )?log\b[^:;]*:")
"""A line that speaks of a log, in whatever words."""
SIGHT = re.compile(r"(?P<who>.+?) (?P<can>can|cannot|can not) see (?P<what>.+)", re.I)
TAIL = 8
"""So many lines of the log are shown with a failure."""


@dataclass(frozen=True, slots=True)
class Told:
    """One thing that happened, and the state it is put into words with."""

    event: Event
    slots: Sequence[int]


def expect_told(position: Position, told: Sequence[Told], text: str) -> list[str] | None:
    """What a line about logs or sight finds otherwise. Raises NameProblem."""
    said = LOG.fullmatch(text.strip())
    if said is not None and not (said["no"] and (said["order"] or said["times"] or said["once"])):
        return _log(position, told, said)
    if LOG_AHEAD.match(text.strip()) and position.names.find("Actor", text.partition(":")[0]) is None:
        forms = "`log: words`, `no log: words`, `log of WHO: words`, `log [of WHO] in order: a; b`"
        raise NameProblem(f"write {forms}, `log [of WHO] 2 times: words` or `log once: words`")
    sight = SIGHT.fullmatch(" ".join(text.split()))
    return _sight(position, sight) if sight is not None else None


def without_logs(text: str) -> tuple[str, list[str]]:
    """The items of a line that are about the position, and those about the log: `Health 3; log: words`."""
    items = pieces(text, ";")
    logs = [item for item in items if LOG.fullmatch(item)]
    return ("; ".join(item for item in items if item not in logs) if logs else text), logs


def lines(program: Program, told: Sequence[Told], seat: int | None) -> list[str]:
    """The log as a seat may read it."""
    read = ((as_read(program, one.event, seat), one.slots) for one in told)
    return [describe(program, event, slots) for event, slots in read if event is not None]


def _log(position: Position, told: Sequence[Told], said: re.Match[str]) -> list[str]:
    log = position.log if said["who"] is None else lines(position.program, told, _seat(position, said["who"]))
    plain = [" ".join(line.casefold().split()) for line in log]

    def found(words: str, start: int = 0) -> int:
        wanted = " ".join(words.casefold().split())
        return next((i for i in range(start, len(plain)) if wanted in plain[i]), -1)

    text = said["text"].strip()
    if said["order"]:
        at = -1
        for words in pieces(text, ";"):
            after = found(words, at + 1)
            if after < 0:
                late = found(words) >= 0
                where = "is there, but earlier" if late else "is not there"
                return [f"the log in this order: '{words}' {where}{_shown(log)}"]
            at = after
        return []
    if said["times"] or said["once"]:
        wanted, count = int(said["times"] or 1), sum(" ".join(text.casefold().split()) in x for x in plain)
        return [] if count == wanted else [f"expected '{text}' {wanted} times, {count} times{_shown(log)}"]
    at = found(text)
    if said["no"]:
        return [] if at < 0 else [f"the log says '{log[at]}'"]
    return [] if at >= 0 else [f"the log does not say '{text}'{_shown(log)}"]


def _shown(log: Sequence[str]) -> str:
    """The end of a log, for a failure."""
    if not log:
        return "; the log is empty"
    more = f"{len(log) - TAIL} lines, then " if len(log) > TAIL else ""
    return "; it says: " + more + " | ".join(log[-TAIL:])


def _seat(position: Position, who: str) -> int | None:
    """The seat of an actor or a number; None is everybody who only watches."""
    name = norm(who)
    if name in ("spectator", "spectators", "everybody"):
        return None
    if name.startswith("seat") and name[4:].isdigit():
        return int(name[4:]) - 1
    names = position.names
    actor = names.find("Actor", who)
    if actor is None:
        raise names.unknown("actor or seat", who.strip(), names.words("Actor"))
    control = find_field(position.program, "Actor", "controller")
    seat = -1 if control is None else position.engine.peek(control.base + actor)
    if seat < 0:
        raise NameProblem(f"no seat leads {who.strip()}, so nobody looks through those eyes", who)
    return seat


def _sight(position: Position, sight: re.Match[str]) -> list[str]:
    seat, can = _seat(position, sight["who"]), sight["can"].lower() == "can"
    knows = Knowledge(position.program, position.slots(), seat)
    seen = _seen(position, knows, sight["what"])
    if can and not all(seen):
        return [f"{sight['who']} cannot see {sight['what']}"]
    if not can and any(seen):
        part = "" if all(seen) else "some of "
        return [f"{sight['who']} can see {part}{sight['what']}"]
    return []


def _seen(position: Position, knows: Knowledge, what: str) -> list[bool]:
    """Whether the seat sees a resource, or each card of a zone. An empty pile is seen if its place is."""
    names = position.names
    name, of, owner = what.rpartition(" of ")
    subject = subjects(names, owner)[0] if of and _is_owner(names, owner) else None
    kind, number = (subject.kind, subject.id) if subject is not None else (None, 0)
    thing = norm(name if subject is not None else what).strip("[]")
    for title, zone in names.zones(kind):
        if norm(title) == thing:
            cards = position.cards.pile(zone, number if kind is not None else -1)
            return [knows.knows(card) for card in cards] or [knows.sees_zone(zone, number)]
    for title, field in names.fields(kind):
        if norm(title) == thing:
            return [knows.sees_field(field, number)]
    known = [title for title, _ in (*names.zones(kind), *names.fields(kind))]
    raise names.unknown("resource or zone", what, known)


def _is_owner(names: Names, text: str) -> bool:
    try:
        return bool(subjects(names, text))
    except NameProblem:
        return False
