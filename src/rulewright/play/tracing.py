"""Run rules once more, slowly, and keep what their numbers are made of.

In:  a Program, a state at a decision, the option that was taken, the seed of the dice.
Out: a Trace: the events again, each with the terms of its numbers, and every test that was made.

It walks over the instructions instead of running printed code, on a state of its own; a match is not touched.
The dice are those of the match, so the same things happen; `testing` compares both event by event.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import prod
from operator import itemgetter
from typing import TypeGuard, cast

from rulewright.ir import nodes as n
from rulewright.ir.program import CHOSEN, DECISIONS, PC, RESUME, RUNNING, STATUS, Program
from rulewright.ir.sheet import ALL
from rulewright.play.arguments import checked_params
from rulewright.play.chance import draw, draw_keyed, key_of
from rulewright.play.engine import OptionRow
from rulewright.play.faults import Fault
from rulewright.play.frames import words
from rulewright.play.knowledge import face_of
from rulewright.play.seeking import filler, seekers
from rulewright.play.terms import (
    BOUNDED,
    CARD,
    DIE,
    FIELD,
    KEPT,
    NAMED,
    SUM,
    TALLY,
    TRUTH,
    Term,
    Test,
    by_chance,
    term,
    truth,
)
from rulewright.play.words import name_of

FACES = re.compile(r"_f(\d+)$")
"""Locals that count how often each face of a handful of dice came up."""
BOUND = 20_000_000
"""Nodes that are walked over at most."""
CHOOSING = ("maximum", "minimum")
"""Functions that give one of their arguments."""
INNER = ("place", "in play", "facing", "side", "controller", "zone", "known", "owner")
"""Fields that are no numbers of anybody."""


@dataclass(slots=True)
class Trace:
    """What happened: events as rows, what the parts of each were made of, and all tests, in order."""

    events: list[tuple[int, ...]] = field(default_factory=list[tuple[int, ...]])
    tests: list[Test] = field(default_factory=list[Test])
    rolled: dict[int, Term] = field(default_factory=dict[int, Term])
    """The die behind each event that tells of one."""
    handfuls: list[list[Term]] = field(default_factory=list[list[Term]])
    """Dice that were rolled together to be counted by their faces."""
    dropped: list[Term] = field(default_factory=list[Term])
    """What came by chance and was left out for something higher or lower."""


class Left(Exception):
    """A function is left with a value."""

    def __init__(self, value: int) -> None:
        self.value = value


class _Broken(Exception):
    """A loop is left."""


class _Again(Exception):
    """A loop goes on."""


@dataclass(slots=True)
class Frame:
    locals: dict[str, int]
    site: int
    """Of the function, for statements that have none of their own."""
    rolled: bool = False
    because: int = 0
    """The test of the branch that is being run."""


class Tracer:
    """A state, and rules that can be run on it."""

    def __init__(
        self, program: Program, slots: Sequence[int], seed: int = 0, memory: list[int] | None = None
    ) -> None:
        self.program = program
        self.slots = [*slots, *[0] * (program.size - len(slots))] if memory is None else memory
        self.memory: dict[str, Sequence[int]] = {
            "S": self.slots,
            "P": checked_params(program, None),
            "K": program.consts,
            "W": [0] * program.work,
        }
        self.key = key_of(seed)
        self.trace = Trace()
        self.options: list[OptionRow] = []
        self.written: dict[int, int] = {}
        """What was last put into a slot, with its history."""
        self.secrets = {slot: word.who for word in words(program, self.slots) for slot in word.slots}
        """Who may know what rules still hold on the stack."""
        self.last: int = 0
        """The die that was thrown last, until an event tells of it."""
        self.steps = 0
        self.doing: dict[str, Callable[[list[int]], int]] = {
            "rnd": self._rnd, "mix": self._mix, "opt": self._opt, "nopt": lambda _: len(self.options),
            "clear_options": lambda _: self.options.clear() or 0,
            "emit": self._tell, "tell": self._tell, "fault": self._fault,
            "option": lambda args: self.options[args[0]][args[1]],
        }  # fmt: skip
        many = {**seekers(self.slots), "fill": filler(cast("list[int]", self.memory["W"]))}
        for name, work in many.items():
            self.doing[name] = lambda args, work=work: work(*map(int, args))

    # ------------------------------------------------------------ running
    def take(self, payload: OptionRow) -> Trace:
        """Take an option of the decision and run on to the next."""
        slots = self.slots
        slots[CHOSEN : CHOSEN + 4] = payload
        slots[DECISIONS] += 1
        slots[PC] = slots[RESUME]
        slots[STATUS] = RUNNING
        pc = slots[PC]
        while pc >= 0:
            pc = self.run(self.program.segments[pc], ())
        return self.trace

    def call(self, name: str, *args: int) -> int:
        """Run a function of the Program."""
        return self.run(self.program.functions[name], args)

    def run(self, function: n.Function, args: Sequence[int]) -> int:
        """Run a function; what it gives, with its history."""
        frame = Frame(dict(zip(function.params, args, strict=True)), function.site)
        try:
            self.body(function, frame)
        except Left as left:
            return left.value
        return 0

    def body(self, function: n.Function, frame: Frame) -> None:
        """Run what a function does."""
        self._block(function.body, frame)

    def _block(self, block: n.Block, frame: Frame) -> None:
        for statement in block:
            self.statement(statement, frame)

    def statement(self, statement: n.Stmt, frame: Frame) -> None:
        """Run one statement of a function."""
        site = statement.site or frame.site
        match statement:
            case n.Assign(local, value):
                frame.locals[local] = self._named(local, self.value(value, frame, site), frame, site)
            case n.Store(array, index, value):
                self._store(array, self.value(index, frame, site), self.value(value, frame, site))
            case n.If(test, then, orelse):
                met = self.value(test, frame, site)
                before, frame.because = frame.because, met
                self._block(then if met else orelse, frame)
                frame.because = before
            case n.While():
                self._loop(statement, frame)
            case n.Return(value):
                raise Left(truth(self.value(value, frame, site), frame.because))
            case n.Do(called):
                self.value(called, frame, site)
            case n.Break():
                raise _Broken
            case n.Continue():
                raise _Again
            case _:
                raise Fault(0, detail=f"{type(statement).__name__} in linked code")

    def _loop(self, loop: n.While, frame: Frame) -> None:
        while self.value(loop.test, frame, loop.site or frame.site):
            try:
                self._block(loop.body, frame)
            except _Again:
                continue
            except _Broken:
                return

    def _named(self, local: str, value: int, frame: Frame, site: int) -> int:
        """What a book gives a name to keeps it; names of lowering's own say nothing."""
        if face := FACES.search(local):
            return self._tallied(int(face[1]), frame.locals.get(local, 0), value, frame.because)
        if not local.startswith("v_"):
            return value
        if isinstance(value, Term) and value.kind in (DIE, CARD, FIELD):
            return value
        label = local[2:].replace("_", " ")
        return term(value, NAMED, label, left=value, site=site, chance=frame.rolled or by_chance(value))

    def _tallied(self, face: int, before: int, value: int, because: int) -> int:
        """How many dice of a handful show this face: none at first, then one more for each that does."""
        handfuls = self.trace.handfuls
        if not value:
            if not face:
                handfuls.append([])
            return term(0, TALLY, place=(len(handfuls) - 1, face), chance=True)
        die = because.test.left if isinstance(because, Term) and because.test is not None else 0
        if not isinstance(die, Term) or not isinstance(before, Term) or before.kind != TALLY:
            return value
        handfuls[before.place[0]].append(die)
        return term(value, TALLY, left=before, right=die, place=before.place, chance=True)

    def _store(self, array: str, index: int, value: int) -> None:
        memory = self.memory[array]
        if not 0 <= index < len(memory):
            raise Fault(0, detail=f"cell {index}")
        memory[index] = int(value)  # pyright: ignore[reportIndexIssue]
        if array == "S":
            self.written[int(index)] = value

    # ------------------------------------------------------------ values
    def value(self, node: n.Expr, frame: Frame, site: int) -> int:
        """What an expression gives, with its history."""
        self.steps += 1
        if self.steps > BOUND:
            raise Fault(0, detail="too much to look at")
        match node:
            case n.Const(value):
                return value
            case n.Local(name):
                return frame.locals.get(name, 0)
            case n.Load(array, index):
                return self._load(array, self.value(index, frame, site))
            case n.Binary(op, left, right):
                return self._binary(op, self.value(left, frame, site), self.value(right, frame, site), site)
            case n.Not(value):
                inner = self.value(value, frame, site)
                return truth(int(not inner), inner)
            case n.Pick(test, yes, no):
                met = self.value(test, frame, site)
                branch = yes if met else no
                return self.picked(self.value(branch, frame, site), met, isinstance(branch, n.Const))
            case n.Call(name, args):
                return self._call(name, [self.value(arg, frame, site) for arg in args], frame)

    def picked(self, found: int, met: int, sure: bool) -> int:
        """What a test picked, with its reason. `sure`: it is the same whenever the test says so."""
        return truth(found, met)

    def _call(self, name: str, args: list[int], frame: Frame) -> int:
        if name in self.doing:
            frame.rolled = frame.rolled or name == "rnd"
            return self.doing[name](args)
        given = self.run(self.program.functions[name], args)
        if name == "clamp" and isinstance(args[0], Term) and given != args[0]:
            return term(given, BOUNDED, left=args[0], chance=args[0].chance)
        if name not in CHOOSING:
            return given
        self.trace.dropped += [
            arg for arg in args if isinstance(arg, Term) and arg.chance and arg is not given
        ]
        return _chosen(given, args)

    def _load(self, array: str, index: int) -> int:
        memory = self.memory[array]
        if not 0 <= index < len(memory):
            raise Fault(0, detail=f"cell {int(index)}")
        value = memory[int(index)]
        if array == "S":
            return self._slot(int(index), value)
        if array == "K":  # what is printed on a card is its own doing
            face = next((t for t in _cards(index)), None)
            if face is not None:
                return term(value, CARD, face.label, place=face.place, chance=True)
        return value

    def _slot(self, slot: int, value: int) -> int:
        number, owner = self._owned(slot)
        if number < 0:
            found, who = self.written.get(slot, value), self.secrets.get(slot)
            return found if who is None or slot in self.written else term(value, KEPT, place=(who, 0))
        kept = self.program.sheet.fields[number]
        if kept.of == ("Card",) and kept.name == "face":
            label = name_of(self.program, "Face", value)
            return term(
                value, CARD, label, place=(owner, face_of(self.program, self.slots, owner)), chance=True
            )
        if kept.seen == ALL and (
            kept.holds is not None or (kept.name in INNER and kept.of[:1] in (("Actor",), ("Card",)))
        ):
            return value
        past = self.written.get(slot)
        if isinstance(past, Term) and past.kind != FIELD and (kept.quiet or not kept.shown):
            return term(value, NAMED, kept.name, left=past, place=(number, owner), chance=past.chance)
        return term(value, FIELD, kept.name, place=(number, owner), chance=by_chance(past or 0))

    @cached_property
    def _fields(self) -> list[tuple[int, int, int]]:
        """Where each field begins and ends, and its number, as they lie in the state."""
        fields = self.program.sheet.fields
        return sorted((one.base, one.base + prod(one.counts), number) for number, one in enumerate(fields))

    def _owned(self, slot: int) -> tuple[int, int]:
        """The field of a slot, and whose it is; -1 for a slot of none."""
        at = bisect_right(self._fields, slot, key=itemgetter(0)) - 1
        first, end, number = self._fields[at] if at >= 0 else (0, 0, -1)
        return (number, slot - first) if first <= slot < end else (-1, -1)

    def _binary(self, op: str, left: int, right: int, site: int) -> int:
        if op in n.COMPARISONS:
            return self._compared(op, left, right, site)
        value = _OPERATIONS[op](int(left), int(right))
        if op == "+" and right == 1 and _is_bare(left) and not isinstance(right, Term):
            # Dice are counted from 0, people count from 1. Any further 1 is one that somebody adds.
            return term(value, DIE, left.label, left=left, place=left.place, chance=True)
        if op in "&|":
            if op == "&":
                because = left if not left else right
            else:
                because = left if left else right
            return truth(int(value), because)
        if not isinstance(left, Term) and not isinstance(right, Term):
            return value
        if op in "+-" and not isinstance(right, Term) and not right:
            return left
        if op == "+" and not isinstance(left, Term) and not left:
            return right
        return term(value, SUM, op, left, right, site, chance=by_chance(left) or by_chance(right))

    def _compared(self, op: str, left: int, right: int, site: int) -> int:
        holds = _OPERATIONS[op](int(left), int(right))
        told = [one for one in (left, right) if isinstance(one, Term) and one.kind != TRUTH]
        if not told:
            return truth(int(holds), left if isinstance(left, Term) else right)
        test = Test(op, left, right, bool(holds), site, len(self.trace.events))
        self.trace.tests.append(test)
        return term(int(holds), TRUTH, test=test)

    # ------------------------------------------------------------ what every engine can do
    def _rnd(self, args: list[int]) -> int:
        found = self._mix(args)
        self.last = term(found, DIE, f"d{int(args[0])}", place=(-1, -1), chance=True)
        return self.last

    def _mix(self, args: list[int]) -> int:
        sides = int(args[0])
        if sides <= 1:
            return 0
        return draw(self.slots, sides) if self.key is None else draw_keyed(self.slots, self.key, sides)

    def _opt(self, args: list[int]) -> int:
        self.options.append((int(args[0]), int(args[1]), int(args[2]), int(args[3])))
        return 0

    def _tell(self, args: list[int]) -> int:
        number = len(self.trace.events)
        for part in args[2:4]:
            if isinstance(part, Term) and part.kind == DIE and part.place[0] < 0:
                part.place = (number, -1)
                self.trace.rolled[number] = part
        self.trace.events.append(tuple(args))
        return 0

    def _fault(self, args: list[int]) -> int:
        raise Fault(int(args[0]))


def _chosen(given: int, args: list[int]) -> int:
    """What is left of a number that came by chance where another took its place: the first so many dice."""
    cut = next((arg for arg in args if isinstance(arg, Term) and arg.chance and arg != given), None)
    if cut is None or by_chance(given):
        return given
    if cut.kind == TALLY and 0 <= given < cut:
        while isinstance(cut, Term) and cut > given:
            cut = cut.left
        return cut
    return term(given, BOUNDED, left=cut, chance=True)


def _cards(index: int) -> list[Term]:
    found: list[Term] = []
    waiting: list[int] = [index]
    while waiting:
        one = waiting.pop()
        if isinstance(one, Term):
            if one.kind == CARD:
                found.append(one)
            elif one.kind in (SUM, NAMED):
                waiting += [one.left, one.right]
    return found


_OPERATIONS: dict[str, Callable[[int, int], int]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "//": lambda a, b: a // b,
    "%": lambda a, b: a % b,
    "<": lambda a, b: int(a < b),
    "<=": lambda a, b: int(a <= b),
    ">": lambda a, b: int(a > b),
    ">=": lambda a, b: int(a >= b),
    "==": lambda a, b: int(a == b),
    "!=": lambda a, b: int(a != b),
    "&": lambda a, b: a & b,
    "|": lambda a, b: a | b,
}


def _is_bare(value: int) -> TypeGuard[Term]:
    """Whether it is a die as it fell, counted from 0."""
    return isinstance(value, Term) and value.kind == DIE and not isinstance(value.left, Term)
