"""Run worked examples on an engine.

In:  a Program compiled with its examples, WorkedExamples, the name of an engine or `both`.
Out: ExampleResults; each Failure names the line of the example and both values.

An example stops before each of its `do` lines, and once before the match if it has none: there the runner
pokes what is given. Chance comes from one script; a random pick by name is found by trying: the state
before is loaded again until the engine picks the one that is named. With `both`, the reference goes
first, and the native engine must go through the same states.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from rulewright.diagnostics import Diagnostic, nearest
from rulewright.ir import events as kinds
from rulewright.ir.events import Event
from rulewright.ir.kernels_cards import RIG, RIGS
from rulewright.ir.program import DECISION, ENDED, FAULT_SCRIPT, PROMPT, RUNNING, SEAT, STATUS, Program
from rulewright.play.describe import describe
from rulewright.play.engine import Engine, OptionRow
from rulewright.play.faults import Fault, MatchError
from rulewright.play.knowledge import find_field
from rulewright.play.setup import make_engine, option_slots, resolve_options, with_scenario
from rulewright.play.words import name_of
from rulewright.testing.examples import SCENARIO, Die, Step, WorkedExample
from rulewright.testing.items import Pile
from rulewright.testing.names import NameProblem, norm, pieces
from rulewright.testing.options import exists, option_text, pick
from rulewright.testing.position import Position

ENGINES = ("reference", "native", "both")
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


@dataclass(frozen=True, slots=True)
class ExampleResult:
    """How an example went on one engine."""

    example: WorkedExample
    engine: str
    failures: tuple[Failure, ...]
    trace: tuple[tuple[int, int], ...] = ()
    """Line and state hash after every stop, to compare engines."""
    results: tuple[int, ...] = ()
    """The script of chance with every named pick as a number."""

    @property
    def passed(self) -> bool:
        """Whether everything held."""
        return not self.failures


def run_examples(
    program: Program,
    examples: Sequence[WorkedExample],
    engine: str = "reference",
    problems: Sequence[Sequence[Diagnostic]] = (),
) -> list[ExampleResult]:
    """Run every example; the k-th one is number k + 1 of the Program.

    `problems` are what the compiler found wrong with the statements of each; such an example fails.
    With `both`, an example passes if it does so on both engines, through the same states.
    """
    found: list[ExampleResult] = []
    for index, example in enumerate(examples):
        wrong = [*example.problems, *(problems[index] if index < len(problems) else ())]
        if wrong:
            failures = [
                Failure(
                    d.span.file, d.span.line, f"{d.message}; {d.help}" if d.help else d.message, d.span.column
                )
                for d in wrong
            ]
            found.append(ExampleResult(example, engine, tuple(failures)))
            continue
        if engine != "both":
            found.append(run_example(program, example, index + 1, engine))
            continue
        first = run_example(program, example, index + 1, "reference")
        if first.passed:
            first = _compared(first, run_example(program, example, index + 1, "native", first.results))
        found.append(first)
    return found


def run_example(
    program: Program,
    example: WorkedExample,
    number: int,
    engine: str = "reference",
    results: Sequence[int] | None = None,
) -> ExampleResult:
    """Run one example. `results` are the script's numbers from a run on another engine."""
    run = _Run(program, example, number, make_engine(program, engine), results)
    try:
        run.start()
        for step in example.steps:
            run.line = step.line
            run.step(step)
        run.finish()
    except _Stopped as stopped:
        run.fail(str(stopped), stopped.line, stopped.about)
    except Fault as fault:
        run.fail(run.explain(fault))
    except NameProblem as problem:
        run.fail(str(problem), about=problem.about)
    except MatchError as problem:
        run.fail(str(problem))
    return ExampleResult(example, engine, tuple(run.failures), tuple(run.trace), tuple(run.script))


def _compared(left: ExampleResult, right: ExampleResult) -> ExampleResult:
    failures = list(right.failures)
    for (line, a), (_, b) in zip(left.trace, right.trace, strict=False):
        if a != b:
            message = f"the engines differ after this line: state {a:016x} on reference, {b:016x} on native"
            failures.insert(0, Failure(left.example.file, line, message, left.example.place(line)[1]))
            break
    return ExampleResult(left.example, "both", tuple(failures), left.trace, left.results)


class _Stopped(Exception):
    """The example cannot go on."""

    def __init__(self, message: str, line: int | None = None, about: str = "") -> None:
        self.line = line
        self.about = about
        super().__init__(message)


@dataclass
class _Run:
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
            raise _Stopped("the program was compiled without its examples")
        seats = program.seats[0] if example.seats is None else example.seats
        low, high = program.seats
        if not low <= seats <= high:
            raise _Stopped(f"{program.title} is for {low} to {high} seats, not {seats}", example.seats_line)
        words: dict[str, str] = {}
        for name, word, line in example.options:
            try:
                chosen = with_scenario(program, words, word) if name == SCENARIO else {**words, name: word}
                words = resolve_options(program, chosen)
            except MatchError as problem:
                raise _Stopped(str(problem), line, name) from None
        self.engine.start(seats, example.seed, option_slots(program, resolve_options(program, words)))
        self.engine.poke(slot, self.number)
        self.script = (
            [self.die_number(die) for die in example.dice] if self.known is None else list(self.known)
        )
        self.engine.advance()
        self.engine.events()
        if not self.at_example:
            raise _Stopped("the match does not stop for the example")
        self.rig()

    def rig(self) -> None:
        """Write down how shuffles fall: zone + 1, how many faces, the faces, in the Program's own slots."""
        base = self.program.sheet.result.get("shuffles")
        if len(self.example.shuffles) > RIGS:
            raise _Stopped(f"an example can script {RIGS} shuffles", self.example.shuffles[RIGS].line)
        for number, step in enumerate(self.example.shuffles):
            self.line = step.line
            found = [item for _, items in self.position.read(step.text) for item in items]
            pile = found[0] if len(found) == 1 else None
            if base is None or not isinstance(pile, Pile) or pile.how not in ("is", "top"):
                raise _Stopped("write `shuffle WHO: ZONE top CARD, CARD`", step.line)
            if len(pile.faces) > RIG - 2:
                raise _Stopped(f"a shuffle can be scripted for {RIG - 2} cards", step.line)
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
                raise _Stopped(f"{die}: it is picked from {', '.join(offered)}", die.line, die.value)
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
                raise _Stopped(f"{die}: here {self.picked(event)} is picked at random{place}", die.line)
            return
        if die.kind == "random":
            raise _Stopped(f"{die}: here a d{event.a} is rolled{place}", die.line)
        if die.kind and die.kind != f"d{event.a}" and len(self.faces(die.kind) or ()) != event.a:
            raise _Stopped(f"{die}: here a d{event.a} is rolled{place}", die.line)

    def faces(self, name: str) -> tuple[str, ...] | None:
        things = self.program.sheet.things
        return next((words for kind, words in things.items() if norm(kind) == norm(name)), None)

    def die_number(self, die: Die) -> int:
        """The 0-based result, as engines count; 0 for a pick that is not resolved yet."""
        if die.kind == "random":
            return 0
        if die.kind == "" or (die.kind[0] == "d" and die.kind[1:].isdigit()):
            if int(die.value) < 1 or (die.kind and int(die.value) > int(die.kind[1:])):
                raise _Stopped(f"{die}: there is no such face", die.line)
            return int(die.value) - 1
        words = self.faces(die.kind)
        if words is None:
            raise _Stopped(f"{die}: no die is called '{die.kind}'", die.line)
        found = next((i for i, word in enumerate(words) if norm(word) == norm(die.value)), None)
        if found is None:
            raise _Stopped(f"{die}: a {die.kind} has no face '{die.value}', but {', '.join(words)}", die.line)
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

    # ------------------------------------------------------------ steps
    def release(self) -> None:
        self.released += 1
        self.begin()

    def step(self, step: Step) -> None:
        match step.word:
            case "given":
                self.given(step.text)
            case "do":
                self.release()
            case "choose":
                self.need_match()
                self.choose(step.text)
            case "refuse":
                self.need_match()
                self.refuse(step.text)
            case _:
                self.need_match()
                self.expect(step.text)

    def need_match(self) -> None:
        """Without a `do` line the match itself begins at the first line that needs it."""
        if not self.begun and self.example.stages == 0:
            self.release()

    def given(self, text: str) -> None:
        self.position.give(text, enter=self.example.stages > 0 and not self.begun)
        if self.engine.peek(STATUS) == DECISION:
            # What is on offer may have changed: list it again.
            self.engine.poke(STATUS, RUNNING)
            self.advance()

    def split(self, text: str) -> tuple[int, int, str]:
        """`NAME: rest` as the seat, the actor (-1: the line names a seat, or nobody) and the rest."""
        head, colon, rest = text.partition(":")
        names = self.position.names
        if colon and norm(head).startswith("seat") and norm(head)[4:].isdigit():
            return int(norm(head)[4:]) - 1, -1, rest.strip()
        actor = names.find("Actor", head) if colon else None
        if actor is None:
            if colon and not exists(names, text):
                raise names.unknown("actor", head.strip(), names.words("Actor"))
            return self.engine.peek(SEAT) if self.engine.peek(STATUS) == DECISION else -1, -1, text
        return self.seat_of(actor), actor, rest.strip()

    def seat_of(self, actor: int) -> int:
        control = find_field(self.program, "Actor", "controller")
        return -1 if control is None else self.engine.peek(control.base + actor)

    def who(self, seat: int) -> str:
        """The actors of a seat by name."""
        actors = range(len(self.program.sheet.things.get("Actor", ())))
        mine = [name_of(self.program, "Actor", a) for a in actors if self.seat_of(a) == seat]
        return f"seat {seat + 1} ({', '.join(mine[:4])})" if mine else f"seat {seat + 1}"

    def offered(self) -> list[OptionRow]:
        return self.engine.options() if self.engine.peek(STATUS) == DECISION and not self.at_example else []

    def texts(self, rows: Sequence[OptionRow]) -> str:
        slots = self.position.slots()
        return "; ".join(dict.fromkeys(option_text(self.program, row, slots) for row in rows))

    def state_words(self) -> str:
        """What the match waits for now."""
        if self.at_example:
            return "the statements before are done and nobody decides anything"
        if self.engine.peek(STATUS) == ENDED:
            return (
                "the match has ended"
                if self.position.ended
                else "the statements are done and nobody decides anything"
            )
        return f"{self.who(self.engine.peek(SEAT))} decides between: {self.texts(self.offered())}"

    def choose(self, text: str) -> None:
        seat, actor, rest = self.split(text)
        for wanted in pieces(rest, ";"):
            self.choose_one(seat, actor, wanted)

    def choose_one(self, seat: int, actor: int, wanted: str) -> None:
        rows = self.offered()
        mine = rows and (seat < 0 or seat == self.engine.peek(SEAT))
        slots = self.position.slots()
        found = pick(self.program, rows, slots, wanted, actor) if mine else None
        if found is not None:
            self.take(found)
            return
        was = pick(self.program, self.forced, slots, wanted, actor)
        if was is not None:
            del self.forced[: was + 1]
            return
        for mark in (" at ", " on "):
            head, found_mark, tail = wanted.rpartition(mark)
            if mine and found_mark and pick(self.program, rows, slots, head, actor) is not None:
                self.choose_one(seat, actor, head)
                self.choose_one(seat, actor, tail)
                return
        if rows and not mine:
            whom = (
                f"{self.who(seat)}"
                if seat >= 0
                else f"'{name_of(self.program, 'Actor', actor)}', which no seat controls"
            )
            raise _Stopped(f"'{wanted}' is chosen for {whom}, but {self.state_words()}", about=wanted)
        close = nearest(wanted, [option_text(self.program, row, slots) for row in rows])
        guess = f" (did you mean '{close}'?)" if close else ""
        raise _Stopped(f"'{wanted}' is not on offer{guess}: {self.state_words()}", about=wanted)

    def take(self, index: int) -> None:
        self.position.cards.placed.clear()
        self.engine.choose(index)
        self.advance()
        self.begin()

    def refuse(self, text: str) -> None:
        seat, actor, rest = self.split(text)
        for wanted in pieces(rest, ";"):
            if not exists(self.position.names, wanted):
                self.fail(
                    f"no option of this book reads '{wanted}', so refusing it says nothing", about=wanted
                )
                continue
            rows, slots = self.offered(), self.position.slots()
            mine = bool(rows) and (seat < 0 or seat == self.engine.peek(SEAT))
            if mine and pick(self.program, rows, slots, wanted, actor) is not None:
                self.fail(f"'{wanted}' must not be on offer, but it is: {self.texts(rows)}", about=wanted)
            elif not mine and pick(self.program, self.recent, slots, wanted, actor) is not None:
                message = f"'{wanted}' must not be on offer, but it was taken, as the only option"
                self.fail(message, about=wanted)
            elif not mine and not self.recent:
                self.fail(f"'{wanted}' is refused, but {self.state_words()}", about=wanted)

    def expect(self, text: str) -> None:
        low = " ".join(text.split())
        word, _, rest = low.partition(" ")
        if low.startswith("that "):
            if not self.position.call(f"example_{self.number}_that_{self.line}", -1):
                self.fail(f"it does not hold that {low[5:]}")
        elif word == "offered":
            self.expect_offered(rest)
        elif word == "decision":
            self.expect_decision(rest)
        elif low == "no decision":
            if self.offered():
                self.fail(f"expected no decision, but {self.state_words()}")
        else:
            for problem in self.position.expect(text):
                self.fail(problem)

    def expect_offered(self, text: str) -> None:
        only = text.startswith("only ")
        seat, actor, rest = self.split(text.removeprefix("only "))
        rows, slots = self.offered(), self.position.slots()
        if not rows or (seat >= 0 and seat != self.engine.peek(SEAT)):
            self.fail(f"expected an offer of '{rest}', but {self.state_words()}")
            return
        found = {wanted: pick(self.program, rows, slots, wanted, actor) for wanted in pieces(rest, ";")}
        for wanted, index in found.items():
            if index is None:
                self.fail(f"expected an offer of '{wanted}', but {self.state_words()}", about=wanted)
        if only:
            named = {option_text(self.program, rows[i], slots) for i in found.values() if i is not None}
            more = [row for row in rows if option_text(self.program, row, slots) not in named]
            if more:
                self.fail(f"expected no other offer, but there is also: {self.texts(more)}")

    def expect_decision(self, text: str) -> None:
        seat, _, prompt = self.split(text if ":" in text else f"{text}:")
        if not self.offered() or self.engine.peek(SEAT) != seat:
            self.fail(f"expected a decision of {self.who(seat)}, but {self.state_words()}")
            return
        now = self.program.sheet.prompts[self.engine.peek(PROMPT)]
        if prompt and norm(prompt) != norm(now):
            self.fail(f"expected the decision '{prompt}', is '{now}'")


def _chance(event: Event) -> bool:
    """Whether the event consumed a result of the script."""
    return (event.kind == kinds.ROLL and event.a > 1) or event.kind == kinds.PICK


def _faces(detail: str) -> str:
    """`7 is not from 0 to 5` counted as people count faces."""
    words = [str(int(word) + 1) if word.lstrip("-").isdigit() else word for word in detail.split()]
    return " ".join(words)
