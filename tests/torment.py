"""Torment the public API with seeded nonsense, in a process of its own.

    python tests/torment.py BOOK FIRST COUNT          BOOK: a name, a path, or `random N` of tests/engines

Every case makes calls that are wrong in some way on both engines. It fails unless each ends in an error of
the class that is documented, with the same words on both; a match that refused is as it was; and it goes on
as before. One line a case goes to standard output before it begins, so that after a crash or a hang
the last line names it. The exit code is 1 when there were findings.
"""

from __future__ import annotations

import contextlib
import json
import random
import sys
import traceback
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

import wild
from rulewright import (
    ChoiceError,
    Event,
    Keepsake,
    Match,
    MatchError,
    MatchFault,
    Option,
    Program,
    Replay,
    ShelfError,
    load,
)
from rulewright.ir.program import HEADER, STATUS
from rulewright.native import NativeEngine, Runner, play_batch
from rulewright.play import snapshot
from rulewright.play.arguments import told
from rulewright.play.engine import Engine
from rulewright.play.faults import Fault
from rulewright.play.reference import ReferenceEngine
from rulewright.players import bots

ENGINES = ("reference", "native")
ENGINE_ERRORS = (Fault, ValueError, IndexError)
Outcome = tuple[str, Any]


class Finding(AssertionError):
    """Something that must not be."""


def outcome(
    allowed: tuple[type[Exception], ...], call: Callable[..., Any], *args: Any, **more: Any
) -> Outcome:
    """What came of a call: its value, or the class and words of its error."""
    try:
        return "value", call(*args, **more)
    except RecursionError as error:
        raise Finding(f"{type(error).__name__}: {error}") from error
    except allowed as error:
        words = str(error)
        if not words or "\n" in words:
            raise Finding(f"{type(error).__name__} without one clear sentence: {words!r}") from error
        return type(error).__name__, words


def same(left: Outcome, right: Outcome, about: str) -> Outcome:
    if isinstance(left[1], bytes) and isinstance(right[1], bytes):
        a, b = memoryview(left[1]).cast("i"), memoryview(right[1]).cast("i")
        odd = [(i, x, y) for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y]
        if odd or len(a) != len(b):
            raise Finding(f"{about}: {len(a)} and {len(b)} slots, {len(odd)} differ: {odd[:12]}")
    if left != right:
        raise Finding(f"{about}: {str(left)[:400]} on one engine, {str(right)[:400]} on the other")
    return left


@cache
def book(name: str) -> Program:
    if name.startswith("random "):
        from engines.generate import program

        return program(int(name.split()[1]))
    return load(name)


class Torment:
    """The cases of one book. Each is a method; `chance` is new for each."""

    def __init__(self, program: Program, chance: random.Random) -> None:
        self.program = program
        self.chance = chance

    def wild(self) -> Any:
        return wild.value(self.chance)

    # ------------------------------------------------------------ helpers
    def begin(self, moves: int = 30, seats: int | None = None, seed: int | None = None) -> list[Match]:
        """The same match on both engines, some choices on."""
        chance, program = self.chance, self.program
        wanted: dict[str, Any] = {
            "seats": chance.randint(*program.seats) if seats is None else seats,
            "seed": chance.randrange(10**6) if seed is None else seed,
            "options": {o.name: chance.choice(o.words) for o in program.sheet.options},
        }
        matches = [Match(program, engine=engine, **wanted) for engine in ENGINES]
        self.play(matches, chance.randrange(moves))
        return matches

    def play(self, matches: list[Match], moves: int) -> None:
        """Choose at random on all of them, compared choice by choice."""
        for _ in range(moves):
            offered = len(matches[0].engine.options())
            if not offered:
                return
            pick = self.chance.randrange(offered)
            made = [outcome((MatchFault,), match.choose, pick) for match in matches]
            same(*made, "a choice")
            same(*[("hash", match.hash) for match in matches], "the state after a choice")

    @contextlib.contextmanager
    def unchanged(self, *matches: Match) -> Iterator[None]:
        before = [self.print(match) for match in matches]
        yield
        if before != [self.print(match) for match in matches]:
            raise Finding("a refused call changed the match")

    def print(self, match: Match) -> Any:
        decision = match.decision
        return (
            match.snapshot(),
            decision,
            len(match.events),
            match.can_undo,
            match.logged(None),
            match.view(None),
        )

    def look(self, match: Match) -> Any:
        """Everything a table shows of a match."""
        seen = [match.view(seat) for seat in (None, *range(len(match.players)))]
        logs = [match.describe(event) for event in match.log(None)]
        return json.dumps([seen, logs, str(match.decision), str(match.result), match.replay.to_json()])

    # ------------------------------------------------------------ cases
    def case_start(self) -> None:
        """A match is asked for with nonsense."""
        chance = self.chance
        given: dict[str, Any] = {}
        for name in ("seats", "seed", "options", "scenario", "carried"):
            if chance.random() < 0.4:
                given[name] = self.wild()
        if chance.random() < 0.3:
            names = [o.name for o in self.program.sheet.options] or ["x"]
            given["options"] = {chance.choice((chance.choice(names), self.wild_key())): self.wild()}
        if chance.random() < 0.3:
            given["seats"] = [self.wild() for _ in range(self.program.seats[0])]
        program = self.program if chance.random() < 0.9 else self.wild()
        made = [outcome((MatchError,), Match, program, engine=e, **given) for e in ENGINES]
        if isinstance(made[0][1], Match) and isinstance(made[1][1], Match):
            same(*[("look", self.look(match)) for _, match in made], "a new match")
            return
        same(made[0], made[1], f"a match with {sorted(given)}")
        outcome((MatchError,), Match, self.program, engine=wild.number(chance))

    def wild_key(self) -> Any:
        key = self.wild()
        try:
            hash(key)
        except TypeError:
            return 3.5
        return key

    def case_choose(self) -> None:
        """Options that are not on offer."""
        matches = self.begin()
        decision = matches[0].decision
        some = Option(0, 0, (), "x") if decision is None else self.chance.choice(decision.options)
        odd = replace(some, index=self.wild()) if self.chance.random() < 0.5 else some
        choice = self.chance.choice((self.wild(), odd, replace(odd, text=self.wild()), len(some.text)))
        if decision is not None and isinstance(choice, Option) and choice in decision.options:
            return
        if decision is not None and isinstance(choice, int) and not isinstance(choice, bool):
            choice = choice if not 0 <= choice < len(decision.options) else -1 - choice
        with self.unchanged(*matches):
            made = [outcome((ChoiceError,), m.choose, choice) for m in matches]
        if same(*made, f"choosing {type(choice)!s}")[0] == "value":
            raise Finding(f"a wrong choice was taken: {told(choice)}")
        self.play(matches, 3)

    def case_look(self) -> None:
        """Seats and events that are none."""
        matches = self.begin(8)
        seat, event = self.wild(), Event(*(wild.number(self.chance) for _ in range(6)))
        if self.chance.random() < 0.7:
            event = event._replace(kind=self.chance.randrange(24), a=self.chance.randrange(12))
        for ask in (
            lambda m: m.view(seat),
            lambda m: m.log(seat),
            lambda m: m.logged(seat),
            lambda m: m.describe(event),
            lambda m: m.undo(),
            lambda m: m.keepsake.to_json(),
            lambda m: bots.think(m, seat),
            lambda m: self.chance.seed(1) or bots.think(m, self.chance.choice(bots.names(self.program))),
        ):
            same(*[outcome((MatchError,), ask, m) for m in matches], "looking")

    def case_bytes(self) -> None:
        """A snapshot with damage to its bytes, or no snapshot at all."""
        good = self.begin()[0].snapshot()
        bad = wild.data(self.chance, good) if self.chance.random() < 0.8 else self.wild()
        if bad == good:
            return
        made = [outcome((MatchError,), Match.restore, self.program, bad, e) for e in ENGINES]
        if same(*made, "restoring")[0] == "value":
            raise Finding("a damaged snapshot was taken")

    def case_forged(self) -> None:
        """A snapshot whose bytes are whole, but whose state or header no match has."""
        chance = self.chance
        match = self.begin()[0]
        replay, state = match.replay, match.engine.state()
        if chance.random() < 0.8:
            state = wild.state(chance, self.program, state)
        else:
            replay = self.wild_replay(replay)
        packed = outcome((ValueError, TypeError, AttributeError), snapshot.pack, replay, state)
        if packed[0] != "value":
            return
        made = [outcome((MatchError,), Match.restore, self.program, packed[1], e) for e in ENGINES]
        if not isinstance(made[0][1], Match) or not isinstance(made[1][1], Match):
            same(made[0], made[1], "restoring what was forged")
            return
        matches = [match for _, match in made]
        same(*[("look", self.look(match)) for match in matches], "a forged match")
        for _ in range(6):
            self.play(matches, 1)
            same(*[("look", self.look(match)) for match in matches], "a forged match")
        for bot in bots.names(self.program):
            if matches[0].decision is not None:
                same(*[outcome((MatchError,), bots.think, m, bot) for m in matches], "a bot")

    def wild_replay(self, good: Replay) -> Replay:
        name = self.chance.choice(("program", "seed", "players", "options", "choices", "hash", "carried"))
        made: Any = self.wild()
        if self.chance.random() < 0.5:
            made = {
                "choices": (*good.choices[:-1], wild.number(self.chance)),
                "players": (*good.players, "x"),
                "seed": good.seed + 1,
            }.get(name, made)
        return replace(good, **{name: made})

    def case_replay(self) -> None:
        """Replays that were damaged, or made up."""
        good = self.begin()[0].replay
        if self.chance.random() < 0.3:
            read: Outcome = "value", self.wild_replay(good)
        elif self.chance.random() < 0.1:
            bad = self.wild()
            read = outcome((MatchError,), Replay.from_json, bad)
        else:
            text = wild.text(self.chance, good.to_json())
            read = outcome((MatchError,), Replay.from_json, text)
        if isinstance(read[1], Replay):
            replay = read[1]
            same(
                *[outcome((MatchError,), replay.verify, self.program, e) for e in ENGINES],
                "verify",
            )

    def case_keepsake(self) -> None:
        """Keepsakes that were damaged, with or without a checksum that fits, and of other matches."""
        from rulewright.play.keepsake import _checksum  # type: ignore[attr-defined]

        match = self.begin(400)[1]
        kept = outcome((MatchError,), getattr, match, "keepsake")
        good = kept[1] if kept[0] == "value" else Keepsake(self.program.title)
        table = wild.table(self.chance, json.loads(good.to_json()))
        if isinstance(table, dict) and self.chance.random() < 0.8:
            table.pop("check", None)
            with contextlib.suppress(RecursionError):
                table["check"] = _checksum(table)
        text = self.chance.choice((json.dumps(table), wild.text(self.chance, good.to_json()), self.wild()))
        read = outcome((MatchError,), Keepsake.from_json, text)
        carried = read[1] if isinstance(read[1], Keepsake) else replace(good, actors=self.wild())
        made = [outcome((MatchError,), Match, self.program, engine=e, carried=carried) for e in ENGINES]
        if isinstance(made[0][1], Match) and isinstance(made[1][1], Match):
            self.play([match for _, match in made], 10)
            return
        same(made[0], made[1], "a match with a keepsake")

    def case_engines(self) -> None:
        """Any order of calls, right and wrong, on the engines themselves."""
        engines = self.engines()
        for _ in range(12):
            offered = same(*[outcome(ENGINE_ERRORS, e.options) for e in engines], "options")[1]
            name, args = self.engine_call(offered)
            made = [outcome(ENGINE_ERRORS, getattr(e, name), *args) for e in engines]
            same(*made, f"{name}{told(args)}")
            same(*[outcome(ENGINE_ERRORS, e.state) for e in engines], f"the state after {name}{told(args)}")

    def case_corrupt(self) -> None:
        """States that no rules could have made. What they lead to is nobody's business, but it ends in
        documented errors, and the engine plays on as soon as it stands on firm ground again."""
        chance, program = self.chance, self.program
        for engine in self.engines():
            good = engine.state()
            for _ in range(20):
                loaded = outcome((ValueError,), engine.load, wild.state(chance, program, good))
                for _ in range(5 if loaded[0] == "value" else 0):
                    offered = outcome(ENGINE_ERRORS, engine.options)[1]
                    name, args = self.engine_call(offered)
                    if chance.random() < 0.2:
                        name, args = "poke", (chance.randrange(program.size), wild.number(chance))
                    outcome(ENGINE_ERRORS, getattr(engine, name), *args)
                    outcome(ENGINE_ERRORS, engine.hash)
            engine.load(good)
            same(("state", engine.state()), ("state", good), "a good state after bad ones")

    def engines(self) -> list[Engine]:
        """Both engines, at the same state of a match."""
        state = self.begin()[0].engine.state()
        engines: list[Engine] = [ReferenceEngine(self.program), NativeEngine(self.program)]
        for engine in engines:
            engine.load(state)
        return engines

    def engine_call(self, offered: Any) -> tuple[str, tuple[Any, ...]]:
        chance, program = self.chance, self.program
        right = chance.randrange(len(offered)) if isinstance(offered, list) and offered else 0
        return chance.choice(
            (
                *[("choose", (right,)), ("advance", ())] * 6,
                *[("options", ()), ("hash", ()), ("events", ())],
                ("choose", (self.wild(),)),
                ("peek", (self.wild(),)),
                ("poke", (chance.choice((-1, program.size, None, "a", 2**70)), self.wild())),
                ("poke", (HEADER, chance.choice((None, 0.5, 2**31, -(2**31) - 1, True)))),
                ("script", (self.wild(),)),
                ("script", (None,)),
                ("policy", (self.wild(),)),
                ("policy", (0,)),
                ("load", (self.wild(),)),
                ("start", (self.wild(), self.wild(), {self.wild_key(): self.wild()})),
            )
        )

    def case_playout(self) -> None:
        """Playouts and batches from any state, with any numbers."""
        chance, program = self.chance, self.program
        match = self.begin()[1]
        state = match.engine.state()
        bad: Any = wild.state(chance, program, state) if chance.random() < 0.8 else self.wild()
        engine = NativeEngine(program)
        engine.record(chance.random() < 0.5)
        if outcome((ValueError,), engine.load, bad)[0] != "value":
            engine.load(state)
        for _ in range(3):
            seed, policies = self.wild(), self.wild()
            if chance.random() < 0.7:
                seed, policies = (
                    chance.randrange(99),
                    [chance.randrange(2) for _ in range(chance.randrange(5))],
                )
            outcome(ENGINE_ERRORS, engine.copy().playout, seed, policies)
        given: dict[str, Any] = {
            name: self.wild() for name in ("policies", "params", "workers") if chance.random() < 0.2
        }
        columns: Any = {"a": STATUS, "b": self.wild()} if chance.random() < 0.3 else {"a": STATUS}
        made = outcome((ValueError,), Runner, program, columns, **given)
        if isinstance(made[1], Runner):
            runner, count = made[1], self.wild() if chance.random() < 0.5 else 20
            enough = self.enough
            outcome((ValueError, Enough), runner.run, bad, count, self.wild(), None, enough)
            outcome((ValueError, Enough), runner.run, bad, 20, 1, lambda _, rows: list(rows), enough)

    @staticmethod
    def enough(done: int, total: int) -> None:
        if done >= 64:
            raise Enough("enough")

    def case_batch(self) -> None:
        """Whole batches asked for with nonsense."""
        given: dict[str, Any] = {}
        for name in ("seed", "seats", "options", "policies", "params", "workers"):
            if self.chance.random() < 0.3:
                given[name] = self.wild()
        count = self.wild() if self.chance.random() < 0.5 else 20
        errors = (ValueError, MatchError, Enough)
        outcome(errors, play_batch, self.program, count, progress=self.enough, **given)
        wrong, makers = self.wild(), (ReferenceEngine, NativeEngine)
        same(
            *[outcome((ValueError,), lambda e=e: e(self.program, wrong) and 0) for e in makers],
            "parameters",
        )

    def case_load(self) -> None:
        """Books that are none."""
        name = self.wild()
        outcome((ShelfError,), load, name)


class Enough(Exception):
    """A batch has gone on for long enough."""


CASES = [name for name in dir(Torment) if name.startswith("case_")]
RULES_ONLY = ["case_start", "case_batch", "case_load"]
"""Cases that need no match that goes on."""


def run(name: str, first: int, count: int) -> int:
    """Run so many cases; how many found something."""
    program, found = book(name), 0
    cases = RULES_ONLY if program.rules_only else CASES
    for number in range(first, first + count):
        chance = random.Random(f"{program.name} {number}")
        case = cases[number % len(cases)]
        print(f"{name} {number} {case}", flush=True)
        try:
            getattr(Torment(program, chance), case)()
        except Exception as error:
            found += 1
            where = traceback.extract_tb(error.__traceback__)[-1]
            words = told(error) if isinstance(error, KeyError) else str(error)[:1000]
            print(f"FOUND {name} {number} {case}: {type(error).__name__}: {words} ({where})", flush=True)
            if "-v" in sys.argv:
                traceback.print_exc()
    return found


if __name__ == "__main__":
    sys.exit(1 if run(sys.argv[1], int(sys.argv[2]), int(sys.argv[3])) else 0)
