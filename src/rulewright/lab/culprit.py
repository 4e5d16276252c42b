"""Which rule broke a law.

In:  a Program and a replay that ends where the law does not hold.
Out: `Culprit`: the event after which it did not hold any more, and the rule behind it.

Between two decisions much happens, and a law may be broken for a moment (a card is nowhere while it moves).
So the last choice is made again by the reference engine, and after each event the law is looked at; what
counts is the first of those events after which it never held again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rulewright.ir.events import Event
from rulewright.ir.program import Program
from rulewright.ir.sheet import Site
from rulewright.play.describe import describe
from rulewright.play.faults import Fault
from rulewright.play.reference import ReferenceEngine
from rulewright.play.replay import Replay
from rulewright.play.setup import option_slots, resolve_options


@dataclass(frozen=True, slots=True)
class Culprit:
    """What broke a law."""

    text: str
    """What happened, with the rule it cites; or how the rules failed."""
    place: Site
    """Where that rule is written."""
    event: Event | None = None


def culprit(program: Program, replay: Replay, broken: int, choices: Sequence[int]) -> Culprit:
    """The event that broke law number `broken`, from 1; -1: how the rules fail at the last of the choices."""
    engine = ReferenceEngine(program)
    holds: list[bool] = []
    twin = ReferenceEngine(program)
    seen: list[int] = [0] * program.size

    def listen(slots: Sequence[int]) -> None:
        for slot in (i for i, value in enumerate(slots) if value != seen[i]):
            seen[slot] = slots[slot]
            twin.poke(slot, slots[slot])
        holds.append(bool(twin.functions[program.sheet.laws[broken - 1].holds]()))

    try:
        start = option_slots(program, resolve_options(program, replay.options))
        engine.start(replay.seats, replay.seed, start)
        engine.around.listener = listen if broken > 0 and not choices else None
        engine.advance()
        for number, choice in enumerate(choices, start=1):
            if number == len(choices):
                engine.events()
                engine.around.listener = listen if broken > 0 else None
            engine.choose(choice)
            engine.advance()
    except Fault as fault:
        sites = program.sheet.sites
        return Culprit(fault.where(sites), sites[fault.site] if 0 <= fault.site < len(sites) else Site("", 0))
    events = [Event(*row) for row in engine.events()]
    if not events:
        return Culprit("nothing that is told", Site("", 0))
    at = len(holds) - 1
    while at > 0 and not holds[at - 1]:
        at -= 1
    told = at if not holds[at] else len(events) - 1  # broken after the last event, in silence
    event = events[told]
    return Culprit(describe(program, event, seen), program.sheet.sites[event.site], event)
