"""Run worked examples on an engine.

In:  a Program compiled with its examples, WorkedExamples, the name of an engine or `both`.
Out: ExampleResults; each Failure names the line of the example and both values.

How an example is set up and runs from stop to stop is in stage.py; here is what its lines mean. With
`both`, the reference goes first, and the native engine must go through the same states.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace

from rulewright.diagnostics import Diagnostic, nearest
from rulewright.ir import events as kinds
from rulewright.ir.program import DECISION, ENDED, PROMPT, RUNNING, SEAT, STATUS, TOGETHER, Program
from rulewright.play.engine import OptionRow
from rulewright.play.faults import Fault, MatchError
from rulewright.play.knowledge import find_field
from rulewright.play.setup import make_engine
from rulewright.play.together import focus, waiting
from rulewright.play.words import name_of
from rulewright.testing.examples import Step, WorkedExample
from rulewright.testing.items import Item, Value
from rulewright.testing.names import NameProblem, norm, pieces
from rulewright.testing.options import exists, matching, option_text, pick
from rulewright.testing.stage import Failure, Stage, Stopped
from rulewright.testing.telling import expect_told, without_logs


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
    chosen: Collection[int] | None = None,
) -> list[ExampleResult]:
    """Run every example; the k-th one is number k + 1 of the Program.

    `problems` are what the compiler found wrong with the statements of each; such an example fails.
    `chosen` are the indexes of those to run, if not all.
    With `both`, an example passes if it does so on both engines, through the same states.
    """
    found: list[ExampleResult] = []
    for index, example in enumerate(examples):
        if chosen is not None and index not in chosen:
            continue
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
    return [_hinted(result) for result in found]


def _hinted(result: ExampleResult) -> ExampleResult:
    """A first line that begins like an entry, fails, and may have been meant as the title."""
    example = result.example
    number, text = next(((n, text) for n, text in example.lines if text.strip()), (0, ""))
    if example.titled or re.match(r"\s*\w+ \S", text) is None:
        return result
    hint = "if this line is the title, write it after the word `title`"
    failures = [
        replace(f, message=f"{f.message}; {hint}") if f.line == number else f for f in result.failures
    ]
    return replace(result, failures=tuple(failures))


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
    except Stopped as stopped:
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


@dataclass
class _Run(Stage):
    """The lines of one example, one after the other."""

    before: list[tuple[int, str]] = field(default_factory=list[tuple[int, str]])
    """What was given before a whole match, with its line."""

    def release(self) -> None:
        self.released += 1
        self.begin()
        changed = {(one.event.a, one.event.b) for one in self.told if one.event.kind == kinds.CHANGE}
        for line, text in self.before:
            for item in (item for _, items in self.position.read(text) for item in items):
                problem = self.position.test(item) if isinstance(item, Value) else None
                if problem is not None and not self.is_told(item, changed):
                    self.fail(f"the match has set itself up and did not keep this: {problem}", line)
        self.before.clear()

    def is_told(self, item: Item, changed: Collection[tuple[int, int]]) -> bool:
        """Whether the log says that the rules have changed it since."""
        fields = self.program.sheet.fields
        return isinstance(item, Value) and (fields.index(item.field), item.index) in changed

    def step(self, step: Step) -> None:
        match step.word:
            case "given":
                self.given(step.text)
            case "do":
                if self.begun and self.offered():
                    raise Stopped(f"nothing can be done while somebody decides: {self.state_words()}")
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
        if not self.begun and self.example.stages == 0:
            self.before.append((self.line, text))
        if self.engine.peek(STATUS) == DECISION:
            # What is on offer may have changed: list it again.
            self.engine.poke(STATUS, RUNNING)
            self.advance()

    def split(self, text: str) -> tuple[int, int, str]:
        """`NAME: rest` as the seat, the actor (-1: the line names a seat, or nobody) and the rest."""
        head, colon, rest = text.partition(":")
        names = self.position.names
        if colon and norm(head).startswith("seat") and norm(head)[4:].isdigit():
            self.ask(int(norm(head)[4:]) - 1)
            return int(norm(head)[4:]) - 1, -1, rest.strip()
        actor = names.find("Actor", head) if colon else None
        if actor is None:
            if colon and not exists(names, text):
                raise names.unknown("actor", head.strip(), names.words("Actor"))
            return self.engine.peek(SEAT) if self.engine.peek(STATUS) == DECISION else -1, -1, text
        self.ask(self.seat_of(actor))
        return self.seat_of(actor), actor, rest.strip()

    def ask(self, seat: int) -> None:
        """Of those who choose at the same time, ask this one: examples name them in any order."""
        if self.engine.peek(TOGETHER) and seat in waiting(self.program, self.position.slots()):
            focus(self.engine, seat)

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

    def asks(self, seat: int, actor: int) -> bool:
        """Whether it is this seat that decides, or nobody in particular was named."""
        return seat == self.engine.peek(SEAT) or (seat < 0 and actor < 0)

    def seatless(self, seat: int, actor: int) -> str:
        """What to say of somebody who is never asked, because no seat leads it in this example."""
        if actor < 0 or seat >= 0:
            return ""
        low, high = self.program.seats
        more = "; `seats N` says how many there are" if low < high else ""
        return f"no seat leads {name_of(self.program, 'Actor', actor)} here{more}"

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
            if self.names_another(actor, wanted):
                seat, actor, wanted = self.split(wanted)
            self.choose_one(seat, actor, wanted)

    def names_another(self, actor: int, wanted: str) -> bool:
        """`Ada: 5; Bo: 3`: whether a piece begins with somebody's name, and is no option as it stands."""
        head, colon, _ = wanted.partition(":")
        if not colon or self.position.names.find("Actor", head) is None:
            return False
        slots = self.position.slots()
        return all(
            pick(self.program, rows, slots, wanted, actor) is None for rows in (self.offered(), self.forced)
        )

    def choose_one(self, seat: int, actor: int, wanted: str) -> None:
        rows = self.offered()
        mine = rows and self.asks(seat, actor)
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
            why = self.seatless(seat, actor) or self.state_words()
            whom = self.who(seat) if seat >= 0 else name_of(self.program, "Actor", actor)
            raise Stopped(f"'{wanted}' is chosen for {whom}, but {why}", about=wanted)
        close = nearest(wanted, [option_text(self.program, row, slots) for row in rows])
        guess = f" (did you mean '{close}'?)" if close else ""
        unasked = self.seatless(seat, actor)
        if unasked:
            raise Stopped(f"'{wanted}' is not on offer: {unasked}", about=wanted)
        raise Stopped(f"'{wanted}' is not on offer{guess}: {self.state_words()}", about=wanted)

    def take(self, index: int) -> None:
        self.position.cards.placed.clear()
        self.engine.choose(index)
        self.advance()
        self.begin()

    def refuse(self, text: str) -> None:
        seat, actor, rest = self.split(text)
        for wanted in pieces(rest, ";"):
            if norm(wanted) == "everything":
                self.refuse_all(seat)
                continue
            unasked = self.seatless(seat, actor)
            if unasked:
                self.fail(f"'{wanted}' is refused, but {unasked}", about=wanted)
                continue
            if not exists(self.position.names, wanted):
                self.fail(
                    f"no option of this book reads '{wanted}', so refusing it says nothing", about=wanted
                )
                continue
            rows, slots = self.offered(), self.position.slots()
            mine = bool(rows) and self.asks(seat, actor)
            if mine and matching(self.program, rows, slots, wanted, actor):
                self.fail(f"'{wanted}' must not be on offer, but it is: {self.texts(rows)}", about=wanted)
            elif not mine and pick(self.program, self.recent, slots, wanted, actor) is not None:
                message = f"'{wanted}' must not be on offer, but it was taken, as the only option"
                self.fail(message, about=wanted)
            elif not mine and not self.recent:
                self.fail(f"'{wanted}' is refused, but {self.state_words()}", about=wanted)

    def refuse_all(self, seat: int) -> None:
        """It is not this seat's turn to decide."""
        if seat < 0:
            self.fail("say who is offered nothing: `refuse NAME: everything`")
        elif self.offered() and seat == self.engine.peek(SEAT):
            self.fail(f"nothing must be on offer, but {self.state_words()}")

    def expect(self, text: str) -> None:
        low = " ".join(text.split())
        word, _, rest = low.partition(" ")
        if low.startswith("that "):
            claim = (self.number, self.line)
            holds = next(c.holds for c in self.program.sheet.example_checks if (c.example, c.line) == claim)
            if not self.position.call(holds, -1):
                self.fail(f"it does not hold that {low[5:]}")
        elif word == "offered":
            self.expect_offered(rest)
        elif word == "decision":
            self.expect_decision(rest)
        elif low.startswith("the only option is "):
            self.expect_single(low.removeprefix("the only option is "))
        elif low == "no decision":
            if self.offered():
                self.fail(f"expected no decision, but {self.state_words()}")
        else:
            found = expect_told(self.position, self.told, text)
            items, logs = (text, []) if found is not None else without_logs(text)
            for problem in found if found is not None else self.position.expect(items) if items else ():
                self.fail(problem)
            for log in logs:
                self.expect(log)

    def expect_offered(self, text: str) -> None:
        only = text.startswith("only ")
        seat, actor, rest = self.split(text.removeprefix("only "))
        rows, slots = self.offered(), self.position.slots()
        if not rows or not self.asks(seat, actor):
            why = self.seatless(seat, actor) or self.state_words()
            self.fail(f"expected an offer of '{rest}', but {why}")
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

    def expect_single(self, text: str) -> None:
        """Nothing else could be chosen: it was taken by itself, or stands there alone in several forms."""
        _, actor, wanted = self.split(text)
        rows, slots = self.offered(), self.position.slots()
        if rows and len(matching(self.program, rows, slots, wanted, actor)) == len(rows):
            return
        if pick(self.program, self.recent, slots, wanted, actor) is None:
            self.fail(f"'{wanted}' is not the only option: {self.state_words()}", about=wanted)

    def expect_decision(self, text: str) -> None:
        seat, _, prompt = self.split(text if ":" in text else f"{text}:")
        if not self.offered() or self.engine.peek(SEAT) != seat:
            self.fail(f"expected a decision of {self.who(seat)}, but {self.state_words()}")
            return
        now = self.program.sheet.prompts[self.engine.peek(PROMPT)]
        if prompt and norm(prompt) != norm(now):
            self.fail(f"expected the decision '{prompt}', is '{now}'")
