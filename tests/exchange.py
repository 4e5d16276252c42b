"""Exchange what a reader cannot see, and compare everything that it receives.

In:  a match somewhere, a reader (None: a spectator).
Out: what the reader is given, channel by channel, in the match and in a twin whose hidden parts are others;
     the names of the channels that differ.

A step that both take is compared too, where the rules look at nothing hidden from the reader on the way: then
nothing that the reader is told of it can depend on what is hidden. And whatever the rules look at: where the
reader is told the same of the step, it is told the same reasons.
"""

from __future__ import annotations

import random
import re
import struct
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from rich.console import Console

from rulewright.cli.screen import draw, log_lines
from rulewright.ir import events as kinds
from rulewright.ir.program import STATUS, Program
from rulewright.ir.sheet import ALL
from rulewright.native.engine import NativeEngine
from rulewright.play.arithmetic import Made, reckoned
from rulewright.play.faults import MatchFault
from rulewright.play.knowledge import Knowledge, find_field
from rulewright.play.learning import PLACED, has_learned, hidden_slots
from rulewright.play.match import Match
from rulewright.play.reasons import actions, why_not
from rulewright.players.bots import decide, names, position

Reader = int | None
Channel = Callable[[Match, Reader], Any]


def exchanged(
    program: Program,
    slots: tuple[int, ...],
    reader: Reader,
    chance: random.Random,
    named: frozenset[int] = frozenset(),
) -> list[int]:
    """The state with everything changed that the reader cannot see: cards of one owner change their faces,
    hidden numbers become others of their range, hidden things others of their kind. A card that the reader's
    log has named (and that is shuffled away now) keeps its face: the log would speak of another card."""
    know, made = Knowledge(program, slots, reader), list(slots)
    face = find_field(program, "Card", "face")
    if face is not None:
        columns = [
            (field.base + part, field.counts[1] if len(field.of) > 1 else 1)
            for field in program.sheet.fields
            if field.of[:1] == ("Card",) and field.name not in PLACED
            for part in range(field.counts[1] if len(field.of) > 1 else 1)
        ]
        owner = find_field(program, "Card", "owner")
        piles: dict[int, list[int]] = {}
        for card in range(face.counts[0]):
            if slots[face.base + card] >= 0 and card not in named and not know.knows(card):
                piles.setdefault(slots[owner.base + card] if owner else -1, []).append(card)
        for hidden in piles.values():
            for card, other in zip(hidden, chance.sample(hidden, len(hidden)), strict=True):
                for base, apart in columns:
                    made[base + card * apart] = slots[base + other * apart]
    for field in program.sheet.fields:
        if field.seen == ALL or "Card" in field.of:
            continue
        many = 1
        for count in field.counts:
            many *= count
        words = len(program.sheet.things.get(field.holds or "", ()))
        low, high = (0, words - 1) if field.holds else (max(field.low, -9), min(field.high, 9))
        for index in range(many):
            if not know.sees_field(field, index) and low <= high:
                made[field.base + index] = chance.randint(low, high)
    return made


def happen(match: Match, events: Sequence[kinds.Event]) -> None:
    """Let more have happened in a match than its engine says."""
    _ = match.events  # what has really happened comes first
    match.course.record._rows.extend(tuple(event) for event in events)  # pyright: ignore


def _remember(match: Match, other: Match) -> None:
    """Let the same have happened in one match as in another."""
    match.course.record.forget(0)
    happen(match, other.events)


def twin_of(match: Match, slots: list[int]) -> Match:
    """A match that has come to the same place, but for these slots."""
    made = Match.restore(match.program, match.snapshot(), NativeEngine)
    made.engine.load(struct.pack(f"<{len(slots)}i", *slots))
    _remember(made, match)
    made.players = match.players
    return made


# ------------------------------------------------------------ channels
def _view(match: Match, reader: Reader) -> Any:
    return match.view(reader)


def _options(match: Match, reader: Reader) -> Any:
    return None if reader is None else match.decision_of(reader)


def _log(match: Match, reader: Reader) -> Any:
    return [(event, match.describe(event)) for event in match.log(reader)[-60:]]


def _terminal(match: Match, reader: Reader) -> Any:
    out = Console(width=100, height=40, color_system=None)
    return [line.plain for line in draw(out, match, reader, log_lines(match, reader)[-30:], 40, "x")]


def _why_not(match: Match, reader: Reader) -> Any:
    if reader is None or match.decision_of(reader) is None:
        return None
    known = sorted(actions(match.program))
    some = random.Random(len(match.events)).sample(known, min(4, len(known)))
    return [why_not(match, name, reader) for name in some]


def _bots(match: Match, reader: Reader) -> Any:
    if reader is None or match.decision_of(reader) is None:
        return None
    now = position(match, reader)
    return [decide(now, bot) for bot in names(match.program)]


def _replay(match: Match, reader: Reader) -> Any:
    """A match that is stepped through: back from somewhere further on, it shows what it showed here."""
    point, chance = match.checkpoint(), random.Random(7)
    try:
        for _ in range(3):
            if match.decision is None:
                break
            match.choose(chance.randrange(len(match.decision.options)))
            match.view(reader)
            match.log(reader)
    except MatchFault:
        pass
    match.back(point)
    return match.view(reader), match.logged(reader), _log(match, reader)


CHANNELS: dict[str, Channel] = {
    "view": _view,
    "options": _options,
    "log": _log,
    "terminal": _terminal,
    "why-not": _why_not,
    "bots": _bots,
    "replay": _replay,
}


def received(match: Match, reader: Reader) -> dict[str, Any]:
    """Everything that a reader is given."""
    return {name: channel(match, reader) for name, channel in CHANNELS.items()}


def leaks(match: Match, reader: Reader, chance: random.Random, found: Counter[str]) -> Iterator[str]:
    """Channels in which the reader could tell the match from a twin; counts what was compared."""
    slots = match.slots()
    other = exchanged(match.program, slots, reader, chance, _named(match, reader))
    if other == list(slots):
        return
    found["exchanges"] += 1
    twin = twin_of(match, other)
    if len(twin.engine.options()) < 2 <= len(match.engine.options()):
        # With this hand somebody else would not have been asked: the twin has never stood here.
        found["exchanges"] -= 1
        found["elsewhere"] += 1
        return
    mine, theirs = received(match, reader), received(twin, reader)
    yield from (name for name in mine if mine[name] != theirs[name])
    yield from _step_leaks(match, twin, reader, chance, found)


def _named(match: Match, reader: Reader) -> frozenset[int]:
    """Cards that the reader's log speaks of."""
    sheet, found = match.program.sheet, set[int]()
    for event in match.log(reader):
        match event.kind:
            case kinds.CARD | kinds.REVEAL:
                found.add(event.a)
            case kinds.CHOSEN | kinds.FORCED if event.a >= 0:
                cards = (k for k, kind in enumerate(sheet.verbs[event.a].args) if kind == "Card")
                found.update(event[3 + k] for k in cards)
            case kinds.SAY | kinds.PICK:
                found.update(event[3 + int(k)] for k in re.findall(r"\{(\d):Card", sheet.texts[event.a]))
            case kinds.CHANGE:
                field = sheet.fields[event.a]
                found.update((event.c, event.d) if field.holds == "Card" else ())
                found.update(
                    index
                    for index, kind in zip(
                        divmod(event.b, field.counts[1]) if len(field.of) > 1 else (event.b,),
                        field.of,
                        strict=False,
                    )
                    if kind == "Card"
                )
            case _:
                pass
    return frozenset(found)


def _step_leaks(
    match: Match, twin: Match, reader: Reader, chance: random.Random, found: Counter[str]
) -> Iterator[str]:
    """The same choice in both, by whoever decides."""
    rows = match.engine.options()
    if twin.engine.options() != rows or not rows:
        return
    option = chance.randrange(len(rows))
    learned = has_learned(match.program, match.engine.state(), rows[option], reader)
    begun, happened = match.logged(reader), len(match.events)
    one = Match.restore(match.program, match.snapshot(), NativeEngine)
    before = match.slots(), twin.slots()
    try:
        for side in (one, twin):
            _remember(side, match)
            side.choose(option)
    except MatchFault:
        return
    alike = _told(one, reader, begun) == _told(twin, reader, begun) and one.view(reader) == twin.view(reader)
    if alike:
        found["reasons"] += 1
        made = [
            Made(rows[option], *around) for around in zip(before, (one.slots(), twin.slots()), strict=True)
        ]
        reasons = [_why(side, m, reader, begun, happened) for side, m in zip((one, twin), made, strict=True)]
        if reasons[0] != reasons[1]:
            yield "why"
    knew = Knowledge(match.program, match.slots(), reader).cards
    if learned or not Knowledge(match.program, one.slots(), reader).cards <= knew:
        return  # the rules looked at something hidden, or it was shown a card
    found["steps"] += 1
    if _told(one, reader, begun) != _told(twin, reader, begun):
        yield "events"
    if one.view(reader) != twin.view(reader):
        yield "view after"
    if one.engine.peek(STATUS) != twin.engine.peek(STATUS):
        yield "whether it goes on"


def _why(match: Match, made: Made, reader: Reader, begun: int, happened: int) -> Any:
    """The arithmetic of each line that the reader was told of a choice."""
    lines = range(begun, match.logged(reader))
    events = [match.event_number(reader, line) - happened for line in lines]
    return reckoned(match.program, made, match.seed, reader, *events[:8])


def _told(match: Match, reader: Reader, begun: int) -> list[tuple[Any, str]]:
    return [(event, match.describe(event)) for event in match.log(reader)[begun:]]


def play(program: Program, matches: int, looks: int, seed: int) -> tuple[Counter[str], list[str]]:
    """Matches played at random on the native engine; at a few places in each, what a reader receives."""
    chance, found, differ = random.Random(seed), Counter[str](), list[str]()
    for number in range(matches):
        seats = chance.randint(*program.seats)
        options = {
            option.name: chance.choice(option.words) for option in program.sheet.options if option.words
        }
        match = Match(program, seats, chance.getrandbits(40), options, engine=NativeEngine)
        at = {chance.randrange(2 + 40 * k) for k in range(looks)}
        made = 0
        while match.decision is not None and made <= max(at):
            if made in at:
                reader = chance.choice((None, *range(seats), *match.decision.seats))
                where = f"match {number}, choice {made}, reader {reader}"
                differ += [f"{name}: {where}" for name in leaks(match, reader, chance, found)]
            try:
                match.choose(chance.randrange(len(match.decision.options)))
            except MatchFault:
                found["faults"] += 1
                break
            made += 1
        found["matches"] += 1
    return found, differ


def hides(program: Program) -> bool:
    """Whether there is anything to exchange in it."""
    return bool(program.sheet.things.get("Card")) or any(f.seen != ALL for f in program.sheet.fields)


__all__ = ["CHANNELS", "exchanged", "hidden_slots", "hides", "leaks", "play", "received"]
