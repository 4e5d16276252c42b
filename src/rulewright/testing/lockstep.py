"""Two engines, stop by stop.

In:  a Program, seeds, a policy, two makers of engines.
Out: `Report`: how far they went together, and the first Divergence, if there is one.

After every stop the fault, the events, the status, the decision, every slot of the state and the
options are compared, in this order: what comes first is nearest to the cause. States that are equal
have equal hashes unless a hash function is wrong, which a look at every HASHED-th stop finds as well.
With `handover`, the two exchange their states at some decisions, so a match goes on in the other
engine's memory.

When rules run away, both engines stop with the same fault, but each counts in its own way, so only
then the states are not compared.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from random import Random

from rulewright.ir.program import DECISION, DECISIONS, FAULT_BOUND, PC, PROMPT, SEAT, STATUS, Program
from rulewright.native.engine import NativeEngine
from rulewright.play.engine import Engine, EventRow, OptionRow
from rulewright.play.faults import Fault
from rulewright.play.reference import ReferenceEngine
from rulewright.testing.slots import place_of, slot_name

EngineMaker = Callable[[Program], Engine]
Policy = Callable[[Random, list[OptionRow]], int]

HASHED = 40
"""One stop in so many; the reference needs milliseconds to hash a large state."""


@dataclass(frozen=True, slots=True)
class Divergence:
    """Where two engines parted: which match, after how many decisions, in which code, over what."""

    program: str
    seed: int
    decision: int
    what: str
    code: str
    """The segment that ran, and the event or slot that differs."""
    place: str
    """The line of the book, if one is known."""
    left: object
    right: object

    def __str__(self) -> str:
        where = f" at {self.place}" if self.place else ""
        return (
            f"{self.program}, seed {self.seed}, after {self.decision} decisions{where}: "
            f"{self.what} differs in {self.code}: {self.left!r} against {self.right!r}"
        )


@dataclass(frozen=True, slots=True)
class Report:
    """How far the engines went together."""

    matches: int
    decisions: int
    faults: int
    divergence: Divergence | None


@dataclass(slots=True)
class _Stop:
    """What one engine shows after a stop."""

    fault: int | None
    status: int
    decision: tuple[int, int] | None
    options: list[OptionRow]
    events: list[EventRow]
    state: bytes
    hash: int


def random_policy(random: Random, options: list[OptionRow]) -> int:
    """Any option, all equally likely."""
    return random.randrange(len(options))


def lockstep(
    program: Program,
    seeds: Iterable[int],
    left: EngineMaker = ReferenceEngine,
    right: EngineMaker = NativeEngine,
    policy: Policy = random_policy,
    seats: int | None = None,
    options: Mapping[int, int] | None = None,
    handover: int = 0,
    decisions: int | None = None,
) -> Report:
    """Play the seeds on both engines; stop at the first divergence, or after so many decisions.

    `options` maps slots of match options to values. `handover`: exchange states at one in so many
    decisions.
    """
    engines = left(program), right(program)
    matches = made = faults = 0
    for seed in seeds:
        random = Random(seed)
        for engine in engines:
            engine.start(program.seats[1] if seats is None else seats, seed, options or {})
        count, segment = 0, program.entry
        fault: int | None = None
        while True:
            stops = [_advance(engine, fault, made % HASHED == 0) for engine in engines]
            found = _compare(program, seed, count, segment, stops[0], stops[1])
            if found is not None:
                return Report(matches, made, faults, found)
            stop = stops[0]
            if stop.status != DECISION or stop.fault is not None:
                faults += stop.fault is not None
                break
            if decisions is not None and made >= decisions:
                return Report(matches, made, faults, None)
            if handover and random.randrange(handover) == 0:
                for engine, state in zip(engines, (stops[1].state, stops[0].state), strict=True):
                    engine.load(state)
            pick = policy(random, stop.options)
            segment = engines[0].peek(PC)
            faulted = [_choose(engine, pick) for engine in engines]
            if faulted[0] != faulted[1]:
                found = _divergence(program, seed, count, segment, "fault", "choose", faulted[0], faulted[1])
                return Report(matches, made, faults, found)
            fault = faulted[0]
            count += 1
            made += 1
        matches += 1
    return Report(matches, made, faults, None)


def _choose(engine: Engine, pick: int) -> int | None:
    try:
        engine.choose(pick)
    except Fault as fault:
        return fault.code
    return None


def _advance(engine: Engine, fault: int | None, hashed: bool) -> _Stop:
    if fault is None:
        try:
            engine.advance()
        except Fault as stopped:
            fault = stopped.code
    status = engine.peek(STATUS)
    asked = status == DECISION
    return _Stop(
        fault=fault,
        status=status,
        decision=(engine.peek(SEAT), engine.peek(PROMPT)) if asked else None,
        options=engine.options() if asked else [],
        events=engine.events(),
        state=engine.state(),
        hash=engine.hash() if hashed else 0,
    )


def _compare(
    program: Program, seed: int, count: int, segment: int, left: _Stop, right: _Stop
) -> Divergence | None:
    def differ(what: str, detail: str, a: object, b: object, site: int = 0) -> Divergence:
        return _divergence(program, seed, count, segment, what, detail, a, b, site)

    site = left.events[-1][1] if left.events else 0
    if left.fault != right.fault:
        return differ("fault", "", left.fault, right.fault, site)
    if _ran_away(program, left):
        return None
    for index in range(max(len(left.events), len(right.events))):
        a = left.events[index] if index < len(left.events) else None
        b = right.events[index] if index < len(right.events) else None
        if a != b:
            return differ("event", f"event {index}", a, b, (a or b or (0, 0))[1])
    if left.status != right.status:
        return differ("status", "", left.status, right.status, site)
    if left.decision != right.decision:
        return differ("decision", "seat and prompt", left.decision, right.decision, site)
    if left.state != right.state:
        a, b = memoryview(left.state).cast("i"), memoryview(right.state).cast("i")
        for slot in range(min(len(a), len(b))):
            if a[slot] != b[slot]:
                return differ("state", slot_name(program, slot), a[slot], b[slot], site)
        return differ("state", "size", len(a), len(b), site)
    if left.options != right.options:
        return differ("options", "", left.options, right.options, site)
    if left.hash != right.hash:
        return differ("hash", "", left.hash, right.hash, site)
    return None


def _ran_away(program: Program, stop: _Stop) -> bool:
    made = int.from_bytes(stop.state[4 * DECISIONS : 4 * DECISIONS + 4], "little", signed=True)
    return stop.fault == FAULT_BOUND and made <= program.bound


def _divergence(
    program: Program,
    seed: int,
    count: int,
    segment: int,
    what: str,
    detail: str,
    left: object,
    right: object,
    site: int = 0,
) -> Divergence:
    code = program.segments[segment] if 0 <= segment < len(program.segments) else None
    name = f"segment {code.name if code else segment}"
    if detail:
        name = f"{name}, {detail}"
    place = place_of(program, site or (code.site if code else 0))
    return Divergence(program.name, seed, count, what, name, place, left, right)
