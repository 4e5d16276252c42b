"""Play matches under the laws of a book, and find what breaks one.

In:  a Program, how many matches.
Out: `Watched`: how many matches kept the laws, and the first `Breach`: which law, the rule and the event that
     broke it, and the shortest replay that was found.

    found = watch(load("mygame.md"), matches=1000)
    if found.breach is not None:
        print(found.breach.text)
        Path("breach.json").write_text(found.breach.replay.to_json())

Seats, options and who decides vary from group to group: everybody at random, the book's strategies, and both
together; some with the usual options, some with others. Rules that fail are found the same way. All of it
is native code; the Program that is watched has some policies more, the laws and a random choice, and is in
all else the one that is played, so that states and replays are the same.
"""

from __future__ import annotations

import random
import struct
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from rulewright.ir.nodes import Call, Const, Function, If, Not, Return
from rulewright.ir.program import Program
from rulewright.ir.sheet import LawSheet, Site
from rulewright.ir.text import seal
from rulewright.lab.culprit import Culprit, culprit
from rulewright.lab.shrink import Trial, shrunk
from rulewright.native.engine import NativeEngine
from rulewright.native.outer import Outer
from rulewright.native.outer import map as at
from rulewright.play.arguments import is_index, told
from rulewright.play.engine import opening
from rulewright.play.replay import Replay
from rulewright.play.setup import option_slots, require_playable, resolve_options, resolve_seed

GROUPS = 48
"""Settings in which a run of many matches plays; each has about as many matches as the others."""
MAX_MATCHES = 10**9
LOOKED = 1 << 17
"""Decisions of a match that are looked at: more than any book's bound allows in play."""
SHORTER = 400
"""Matches that are tried again, cut off, when one with a breach was found: another may break it sooner."""

Progress = Callable[[int, int], None]
"""Called with matches done and matches in all."""


@dataclass(frozen=True, slots=True)
class Table:
    """What is played: options, and for each seat 0 (random) or the number of a strategy, from 1."""

    options: dict[str, str]
    policies: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Breach:
    """A law that was broken, or rules that failed."""

    law: str
    """Its name; empty when the rules failed."""
    place: Site
    """Where the law is written."""
    cause: Culprit
    """What broke it."""
    replay: Replay
    """The shortest match that was found in which it happens; it ends there."""
    first_found: int
    """Choices of the match in which it was found first."""

    @property
    def text(self) -> str:
        """In words, for people."""
        what = (
            f"{self.place.file}:{self.place.line}: '{self.law}' does not hold"
            if self.law
            else "the rules fail"
        )
        return f"{what} after {len(self.replay.choices)} choices: {self.cause.text}"


@dataclass(frozen=True, slots=True)
class Watched:
    """What came of a run."""

    matches: int
    """Matches that were played whole under all laws."""
    laws: tuple[str, ...]
    breach: Breach | None
    seconds: float


def watched(program: Program) -> Program:
    """The same Program with three policies more: the first broken law (0 if none), the same among those that
    hold when a match has ended, and any option."""
    numbered = list(enumerate(program.sheet.laws, start=1))
    lasting = [(number, law) for number, law in numbered if not law.timed]
    more = [
        _first_broken("first_broken_law", numbered),
        _first_broken("first_broken_at_the_end", lasting),
        Function("any_option", (), (Return(Call("mix", (Call("nopt"),))),)),
    ]
    sheet = replace(program.sheet, policies=(*program.policies, *(f.name for f in more)))
    functions = {**program.functions, **{f.name: f for f in more}}
    return seal(replace(program, functions=functions, sheet=sheet))


def _first_broken(name: str, laws: Sequence[tuple[int, LawSheet]]) -> Function:
    looks = [If(Not(Call(law.holds)), (Return(Const(number)),)) for number, law in laws]
    return Function(name, (), (*looks, Return(Const(0))))


def watch(
    program: Program,
    matches: int = 300,
    seed: int = 0,
    options: Mapping[str, str | int] | None = None,
    progress: Progress | None = None,
) -> Watched:
    """Play so many matches, or up to the first breach. `options` are the same in all of them.

    Raises MatchError for what the book does not offer, and ValueError for numbers that cannot be used.
    """
    require_playable(program)
    if not is_index(matches, MAX_MATCHES) or matches == 0:
        raise ValueError(f"a run has from 1 to {MAX_MATCHES} matches, not {told(matches)}")
    began, seed = time.perf_counter(), resolve_seed(seed)
    runner = _Runner(program)
    names = tuple(law.name for law in program.sheet.laws)
    done = 0
    groups = min(GROUPS, matches)
    for group in range(groups):
        table = _table(program, group, options or {})
        until = matches * (group + 1) // groups
        played, broken = runner.play(table, done, until - done, seed)
        done += played
        if broken:
            found = _breach(program, runner, table, seed + done, broken)
            return Watched(done, names, found, time.perf_counter() - began)
        if progress is not None:
            progress(done, matches)
    return Watched(done, names, None, time.perf_counter() - began)


def _table(program: Program, group: int, given: Mapping[str, str | int]) -> Table:
    """The setting of a group: the first has the usual options, and everybody decides at random."""
    chance = random.Random(group)
    low, high = program.seats
    seats = low + group % (high - low + 1)
    words = dict(given)
    for option in program.sheet.options if group else ():
        if option.name not in words and chance.random() < 0.5:
            words[option.name] = chance.choice(option.words)
    own = len(program.sheet.strategies)
    style = group % 3 if own else 0
    same = chance.randint(1, own) if own else 0
    policies = ((0,) * seats, (same,) * seats, tuple(chance.randint(0, own) for _ in range(seats)))[style]
    return Table(resolve_options(program, words), policies)


class _Runner:
    """Native memory for the matches of one run."""

    def __init__(self, program: Program) -> None:
        self.program = watched(program)
        self.engine = NativeEngine(self.program)
        self.engine.record(False)
        self.outer = Outer(self.program, self.engine.arena)

    def play(self, table: Table, first: int, count: int, seed: int, looked: int = LOOKED) -> tuple[int, int]:
        """How many of these matches were well, and what was wrong with the next: see `watch_matches`."""
        memory, own = self.outer.memory, len(self.program.policies) - 3
        memory[at.SEATS], memory[at.ROTATIONS] = len(table.policies), 1
        memory[at.LAW_POLICY], memory[at.LAST_POLICY], memory[at.TOSS_POLICY] = own + 1, own + 2, own + 3
        memory[at.MADE_AT], memory[at.LONGEST_LOOK] = at.TABLES, looked
        memory[at.BROKEN] = 0
        for name, policy in enumerate(table.policies):
            memory[at.POLICY_OF + name] = policy
        state = opening(self.program, len(table.policies), 0, option_slots(self.program, table.options))
        self.outer.prepare(struct.pack(f"<{len(state)}i", *state))
        played = self.outer.call("watch_matches", first, count, seed)
        return played, memory[at.BROKEN]

    def choices(self) -> tuple[int, ...]:
        """The choices of the match that was played last."""
        return self.outer.read(at.TABLES, self.outer.memory[at.MADE])


def _breach(program: Program, runner: _Runner, table: Table, seed: int, broken: int) -> Breach:
    """What was found, as short as can be."""
    choices = runner.choices()
    trial = Trial(runner.engine, len(program.policies), broken, len(table.policies), seed, table.options)
    best, first_found = shrunk(trial, choices), len(choices)
    for other, again in _sooner(runner, table, seed, broken, len(best.choices)):
        tried = Trial(trial.engine, trial.law_policy, broken, trial.seats, other, table.options)
        short = shrunk(tried, again)
        if len(short.choices) < len(best.choices):
            trial, best = tried, short
    law = program.sheet.laws[broken - 1] if broken > 0 else None
    words = ("random", *program.sheet.strategies)
    replay = Replay(
        program=program.digest,
        seed=trial.seed,
        players=tuple(f"{words[policy]} {seat + 1}" for seat, policy in enumerate(table.policies)),
        options=dict(table.options),
        choices=best.choices if broken > 0 else best.choices[:-1],
        hash=best.hash,
        title=program.title,
    )
    cause = culprit(program, replay, broken, best.choices)
    place = program.sheet.sites[law.site] if law is not None else Site("", 0)
    return Breach(law.name if law is not None else "", place, cause, replay, first_found)


def _sooner(
    runner: _Runner, table: Table, seed: int, broken: int, length: int
) -> Iterator[tuple[int, Sequence[int]]]:
    """Matches with other seeds in which the same happens before so many choices are made."""
    first = 1
    while first < SHORTER and length > 1:
        played, found = runner.play(table, first, SHORTER - first, seed, length - 1)
        first += played
        if not found:
            return
        if found == broken:
            made = runner.choices()
            length = min(length, len(made))
            yield seed + first, made
        first += 1
