"""An example on an engine: set up, run from stop to stop, with its dice.

In:  a Program compiled with its examples, a WorkedExample, an engine.
Out: a match at the stop before the next line of the example; Stopped where it cannot go on.

An example stops before each of its `do` lines, and once before the match if it has none: there the runner
pokes what is given. Chance comes from one script; a random pick by name is found by trying: the state
before is loaded again until the engine picks the one that is named.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from rulewright.ir import events as kinds
from rulewright.ir.events import Event
from rulewright.ir.kernels_cards import RIG, RIGS
from rulewright.ir.program import DECISION, FAULT_SCRIPT, PROMPT, STATUS, Program
from rulewright.play.describe import describe
from rulewright.play.engine import Engine, OptionRow
from rulewright.play.faults import Fault, MatchError
from rulewright.play.setup import option_slots, resolve_options, with_scenario
from rulewright.play.words import name_of
from rulewright.testing.examples import SCENARIO, Die, WorkedExample
from rulewright.testing.items import Pile
from rulewright.testing.names import norm
from rulewright.testing.position import Position
from rulewright.testing.telling import Told

EXAMPLE = "example"
"""The prompt of the stop before a `do` line."""


@dataclass(frozen=True, slots=True)
class Failure:
    """What went wrong, and on which line of the example."""

    file: str
    line: int
    message: str
    column: int = 1

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}: {self.message}"


class Stopped(Exception):
    """The example cannot go on."""

    def __init__(self, message: str, line: int | None = None, about: str = "") -> None:
        self.line = line
        self.about = about
        super().__init__(message)


@dataclass
class Stage:
    """One example on one engine."""

    program: Program
    example: WorkedExample
    number: int
    engine: Engine
    known: Sequence[int] | None = None
    failures: list[Failure] = field(default_factory=list[Failure])
    trace: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])
    script: list[int] = field(default_factory=list[int])
    line: int = 0
    used: int = 0
    """Results of the script that were consumed."""
    begun: bool = False
    released: int = 0
    """Stages that the `do` lines so far allow to run; without any, the whole match is one."""
    forced: list[OptionRow] = field(default_factory=list[OptionRow])
    """Options that were taken because they were the only ones, since the choice before the last."""
    recent: list[OptionRow] = field(default_factory=list[OptionRow])
    told: list[Told] = field(default_factory=list[Told])
    """What has happened so far, for the logs of single seats."""

    def __post_init__(self) -> None:
        self.position = Position(self.engine, whole=self.example.stages == 0)
        self.line = self.example.line

    def fail(self, message: str, line: int | None = None, about: str = "") -> None:
        number, column = self.example.place(self.line if line is None else line, about)
        self.failures.append(Failure(self.example.file, number, message, column))

    # ------------------------------------------------------------ running
    def start(self) -> None:
        """Go to the first stop, where the position is set up."""
        example, program = self.example, self.program
        slot = program.sheet.result.get("example")
        if slot is None:
            raise Stopped("the program was compiled without its examples")
        seats = program.seats[0] if example.seats is None else example.seats
        low, high = program.seats
        if not low <= seats <= high:
            raise Stopped(f"{program.title} is for {low} to {high} seats, not {seats}", example.seats_line)
        words: dict[str, str] = {}
        for name, word, line in example.options:
            try:
                chosen = with_scenario(program, words, word) if name == SCENARIO else {**words, name: word}
                words = resolve_options(program, chosen)
            except MatchError as problem:
                raise Stopped(str(problem), line, name) from None
        self.engine.start(seats, example.seed, option_slots(program, resolve_options(program, words)))
        self.engine.poke(slot, self.number)
        self.script = (
            [self.die_number(die) for die in example.dice] if self.known is None else list(self.known)
        )
        self.engine.advance()
        self.engine.events()
        if not self.at_example:
            raise Stopped("the match does not stop for the example")
        self.rig()

    def rig(self) -> None:
        """Write down how shuffles fall: zone + 1, how many faces, the faces, in the Program's own slots."""
        base = self.program.sheet.result.get("shuffles")
        if len(self.example.shuffles) > RIGS:
            raise Stopped(f"an example can script {RIGS} shuffles", self.example.shuffles[RIGS].line)
        for number, step in enumerate(self.example.shuffles):
            self.line = step.line
            found = [item for _, items in self.position.read(step.text) for item in items]
            pile = found[0] if len(found) == 1 else None
            if base is None or not isinstance(pile, Pile) or pile.how not in ("is", "top"):
                raise Stopped("write `shuffle WHO: ZONE top CARD, CARD`", step.line)
            if len(pile.faces) > RIG - 2:
                raise Stopped(f"a shuffle can be scripted for {RIG - 2} cards", step.line)
            slots = [self.position.cards.number(pile.zone, pile.owner) + 1, len(pile.faces), *pile.faces]
            for offset, value in enumerate(slots):
                self.engine.poke(base + number * RIG + offset, value)

    @property
    def at_example(self) -> bool:
        """Whether the engine waits before a `do` line, or before the match."""
        engine, prompts = self.engine, self.program.sheet.prompts
        if engine.peek(STATUS) != DECISION:
            return False
        prompt = engine.peek(PROMPT)
        return 0 <= prompt < len(prompts) and prompts[prompt] == EXAMPLE

    def begin(self) -> None:
        """The position is set up: run what the `do` lines so far allow."""
        if not self.begun:
            self.begun = True
            self.engine.script(self.script)
        while self.at_example and self.released > 0:
            self.released -= 1
            self.position.cards.placed.clear()
            self.engine.choose(0)
            self.engine.events()
            self.advance()

    def advance(self) -> None:
        """Run to the next stop: check the dice, file the events."""
        before = self.engine.state()
        self.try_advance()
        events = [Event(*row) for row in self.engine.events()]
        events = self.resolve_picks(before, events)
        self.check_dice(events)
        slots = self.position.slots()
        self.position.log += [describe(self.program, event, slots) for event in events]
        self.told += [Told(event, slots) for event in events]
        taken = [(e.a, e.b, e.c, e.d) for e in events if e.kind == kinds.FORCED]
        self.forced, self.recent = [*self.recent, *taken], taken
        self.trace.append((self.line, self.engine.hash()))
        if self.fault is not None:
            raise self.fault

    fault: Fault | None = None

    def try_advance(self) -> None:
        self.fault = None
        try:
            self.engine.advance()
        except Fault as fault:
            self.fault = fault

    def resolve_picks(self, before: bytes, events: list[Event]) -> list[Event]:
        """Try until each random pick in these events is the one that the example names."""
        if self.known is not None:
            return events
        first = self.used
        done = 0
        while True:
            consumed = [e for e in events if _chance(e)]
            at = next(
                (i for i in range(done, len(consumed)) if self.names_pick(first + i, consumed[i])), None
            )
            if at is None:
                return events
            event, die = consumed[at], self.example.dice[first + at]
            offered: list[str] = []
            for which in range(event.c):
                self.script[first + at] = which
                self.engine.load(before)
                self.engine.events()
                self.engine.script(self.script[first:])
                self.try_advance()
                events = [Event(*row) for row in self.engine.events()]
                consumed = [e for e in events if _chance(e)]
                name = self.picked(consumed[at])
                offered.append(name)
                if norm(name) == norm(die.value):
                    break
            else:
                raise Stopped(f"{die}: it is picked from {', '.join(offered)}", die.line, die.value)
            done = at + 1

    def names_pick(self, index: int, event: Event) -> bool:
        dice = self.example.dice
        return index < len(dice) and dice[index].kind == "random" and event.kind == kinds.PICK

    def picked(self, event: Event) -> str:
        """The name of what a PICK event picked."""
        text = self.program.sheet.texts[event.a]
        kind = text.partition("{0:")[2].partition("}")[0]
        return name_of(self.program, kind, event.b, self.position.slots())

    def check_dice(self, events: Sequence[Event]) -> None:
        """Each result that was consumed must have been meant for what consumed it."""
        for event in events:
            if not _chance(event):
                continue
            if self.used < len(self.example.dice):
                self.check_die(self.example.dice[self.used], event)
            self.used += 1

    def check_die(self, die: Die, event: Event) -> None:
        place = self.place(event.site)
        if event.kind == kinds.PICK:
            if die.kind not in ("random", ""):
                raise Stopped(f"{die}: here {self.picked(event)} is picked at random{place}", die.line)
            return
        if die.kind == "random":
            raise Stopped(f"{die}: here a d{event.a} is rolled{place}", die.line)
        if die.kind and die.kind != f"d{event.a}" and len(self.faces(die.kind) or ()) != event.a:
            raise Stopped(f"{die}: here a d{event.a} is rolled{place}", die.line)

    def faces(self, name: str) -> tuple[str, ...] | None:
        things = self.program.sheet.things
        return next((words for kind, words in things.items() if norm(kind) == norm(name)), None)

    def die_number(self, die: Die) -> int:
        """The 0-based result, as engines count; 0 for a pick that is not resolved yet."""
        if die.kind == "random":
            return 0
        if die.kind == "" or (die.kind[0] == "d" and die.kind[1:].isdigit()):
            if int(die.value) < 1 or (die.kind and int(die.value) > int(die.kind[1:])):
                raise Stopped(f"{die}: there is no such face", die.line)
            return int(die.value) - 1
        words = self.faces(die.kind)
        if words is None:
            raise Stopped(f"{die}: no die is called '{die.kind}'", die.line)
        found = next((i for i, word in enumerate(words) if norm(word) == norm(die.value)), None)
        if found is None:
            raise Stopped(f"{die}: a {die.kind} has no face '{die.value}', but {', '.join(words)}", die.line)
        return found

    def place(self, site: int) -> str:
        sites = self.program.sheet.sites
        return f" ({sites[site].file}:{sites[site].line})" if 0 < site < len(sites) else ""

    def explain(self, fault: Fault) -> str:
        """A fault in the words of examples."""
        if fault.code == FAULT_SCRIPT and not fault.detail:
            return f"a shuffle is scripted with a card that is not in the pile{self.place(fault.site)}"
        if fault.code == FAULT_SCRIPT and self.used >= len(self.example.dice):
            sides = int(fault.detail.split(" to ")[-1].split()[0]) + 1 if " to " in fault.detail else 0
            what = f"a d{sides} is rolled, or one of {sides} picked" if sides else "something is rolled"
            return f"a roll is missing: {what}{self.place(fault.site)}, and no die is left"
        if fault.code == FAULT_SCRIPT:
            die, place = self.example.dice[self.used], self.place(fault.site)
            return f"{die} does not fit the roll{place}: {_faces(fault.detail)}"
        return f"the rules fail: {fault.where(self.program.sheet.sites)}"

    def finish(self) -> None:
        """Whatever was scripted must have been used."""
        if not any(step.word in ("expect", "refuse") for step in self.example.steps):
            self.fail("the example expects nothing, so it tests nothing", self.example.line)
        for die in self.example.dice[self.used :]:
            self.fail(f"{die} was never rolled", die.line)
        base = self.program.sheet.result.get("shuffles", 0)
        for number, step in enumerate(self.example.shuffles):
            if self.engine.peek(base + number * RIG):
                self.fail(f"{step.text}: it was never shuffled", step.line)


def _chance(event: Event) -> bool:
    """Whether the event consumed a result of the script."""
    return (event.kind == kinds.ROLL and event.a > 1) or event.kind == kinds.PICK


def _faces(detail: str) -> str:
    """`7 is not from 0 to 5` counted as people count faces."""
    words = [str(int(word) + 1) if word.lstrip("-").isdigit() else word for word in detail.split()]
    return " ".join(words)
