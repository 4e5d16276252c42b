"""The search: the same lines as the reference engine gives, fair, and better than what it is built from."""

from __future__ import annotations

import ast
import inspect
import random
import struct
from collections.abc import Sequence
from dataclasses import replace
from math import isqrt
from pathlib import Path
from types import CodeType
from typing import Any

import pytest

from rulewright import Program, load
from rulewright.ir.program import DECISION, RNG_HI, RNG_LO, STATUS
from rulewright.lab import simulate
from rulewright.native.engine import NativeEngine
from rulewright.native.entries import PLAYER_SALT
from rulewright.native.outer import map as at
from rulewright.native.outer import sample as sample_module
from rulewright.native.outer import search as search_module
from rulewright.native.outer import worth as worth_module
from rulewright.play.chance import MASK, draw_from, finalize, seed_halves, signed
from rulewright.play.reference import ReferenceEngine
from rulewright.play.view import view
from rulewright.players.bots import Position, decide, position_of
from rulewright.players.fair import filled
from rulewright.players.ground import Tree, plant, prepare
from rulewright.players.guess import guess
from rulewright.players.levels import medium
from rulewright.players.search import Budget, think
from rulewright.players.values import Values, values_of
from rulewright.shelf import shelf

DUEL = Path(__file__).parents[2] / "bench" / "duel.md"
CLASSICS = Path(__file__).parents[1] / "classics"
BOOKS = sorted(entry.name for entry in shelf())


@pytest.fixture(scope="module")
def duel() -> Program:
    return load(DUEL)


def at_decision(program: Program, seed: int, steps: int, seats: int | None = None) -> NativeEngine | None:
    """An engine after some choices at random, or None when the match was over before."""
    engine, chance = NativeEngine(program), random.Random(seed)
    engine.record(False)
    engine.start(seats or program.seats[0], seed, {})
    engine.advance()
    for _ in range(steps):
        if engine.peek(STATUS) != DECISION:
            return None
        engine.choose(chance.randrange(len(engine.options())))
        engine.advance()
    return engine if engine.peek(STATUS) == DECISION else None


class Twin:
    """The outer library as plain Python, on the reference engine."""

    def __init__(self, tree: Tree, now: Position, seed: int) -> None:
        self.memory = list(tree.outer.memory)
        self.engine = ReferenceEngine(now.program)
        self.ready = struct.pack(f"<{len(now.slots)}i", *now.slots)
        low, high = seed_halves(seed)
        self.chance = (high & 0xFFFFFFFF) << 32 | low & 0xFFFFFFFF
        self.player = 0
        names = [name for name in dir(self) if not name.startswith("_")]
        modules = (sample_module, search_module, worth_module)
        self.space: dict[str, Any] = {"W": self.memory}
        for module in modules:
            self.space = {**vars(module), **self.space}
        self.space |= {name: getattr(self, name) for name in names}
        for module in modules:
            exec(functions_of(inspect.getsource(module)), self.space)

    def rnd(self, n: int) -> int:
        if n <= 1:
            return 0
        found, self.chance = draw_from(self.chance, n)
        return found

    def restart(self) -> int:
        self.engine.load(self.ready)
        return 0

    def reseed(self) -> int:
        dice = self.rnd(1 << 32) << 32 | self.rnd(1 << 32)
        self.poke(RNG_LO, signed(dice & 0xFFFFFFFF))
        self.poke(RNG_HI, signed(dice >> 32))
        self.player = finalize((dice ^ PLAYER_SALT) & MASK)
        return 0

    def peek(self, slot: int) -> int:
        return self.engine.peek(slot)

    def poke(self, slot: int, value: int) -> int:
        self.engine.poke(slot, value)
        return 0

    def relist(self) -> int:
        return len(self.engine.options())

    def offers(self) -> int:
        return len(self.engine.options())

    def offer(self, index: int, part: int) -> int:
        return self.engine.options()[index][part]

    def choose(self, index: int) -> int:
        self.engine.choose(index)
        return 0

    def advance(self) -> int:
        self.engine.advance()
        return self.engine.peek(STATUS)

    def answering(self, on: int) -> int:
        return 0

    def playout(self) -> int:
        while self.engine.peek(STATUS) == DECISION:
            pick, self.player = draw_from(self.player, self.offers())
            self.choose(pick)
            self.advance()
        return self.engine.peek(STATUS)

    def policy(self, which: int) -> int:
        """It draws from the player's stream, not from the dice."""
        if which <= len(self.engine.program.policies):  # to list them would say again who is asked
            self.engine.options()
        slots = self.engine._slots  # `poke` would forget the options
        dice = slots[RNG_LO], slots[RNG_HI]
        slots[RNG_LO], slots[RNG_HI] = signed(self.player & 0xFFFFFFFF), signed(self.player >> 32)
        told = self.engine.functions[self.engine.program.asked[which - 1]]()
        self.player = (slots[RNG_HI] & 0xFFFFFFFF) << 32 | slots[RNG_LO] & 0xFFFFFFFF
        slots[RNG_LO], slots[RNG_HI] = dice
        return told

    def root(self, value: int) -> int:
        return isqrt(value)


def functions_of(text: str) -> CodeType:
    tree = ast.parse(text)
    tree.body = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    return compile(tree, "<twin>", "exec", flags=0x1000000)  # annotations are not evaluated


@pytest.mark.parametrize("cut", [0, 6])
def test_native_lines_are_those_of_the_reference(duel: Program, cut: int) -> None:
    engine = at_decision(duel, 5, 7)
    assert engine is not None
    now = position_of(engine, 5)
    tree = plant(duel)
    values = Values({("field", "Health", "own"): 0.2, ("field", "Health", "other"): -0.2}, 0.1, 1.0, cut=6)
    prepare(tree, now, values if cut else Values(), 400, 11)
    twin = Twin(tree, now, 11)
    tree.outer.call("search", 120)
    twin.space["search"](120)
    first, last = tree.outer.memory[at.NODES_AT], tree.outer.memory[at.NODES]
    assert last > 60
    nodes = tree.outer.read(first, at.NODE * last)
    assert list(nodes) == twin.memory[first : first + len(nodes)]
    assert tree.outer.memory[at.ITERATIONS] == 120 == twin.memory[at.ITERATIONS]


def test_search_beats_chance(duel: Program) -> None:
    run = simulate(duel, 20, [f"{__name__}:Short", "random"])
    assert run.points[0] >= 14


class Short:
    """A search of few lines."""

    name = "short"

    def decide(self, now: Position) -> int:
        return think(now, Budget(150)).option


def test_two_cores_grow_two_trees(duel: Program) -> None:
    engine = at_decision(duel, 5, 7)
    assert engine is not None
    now = position_of(engine, 5)
    one, both = (think(now, Budget(400, cores=count, whole=True)) for count in (1, 2))
    assert one.lines == both.lines == 400
    assert sum(worth.lines for worth in both.worths) == 400
    assert both == replace(think(now, Budget(400, cores=2, whole=True)), seconds=both.seconds), (
        "the same again"
    )


@pytest.mark.parametrize("name", BOOKS)
def test_samples_look_the_same_to_the_seat(name: str) -> None:
    program = load(name)
    if program.rules_only:
        pytest.skip("a framework has no matches of its own")
    looked = 0
    for seed, steps in ((1, 4), (2, 25), (3, 60), (4, 16)):
        engine = at_decision(program, seed, steps)
        if engine is None:
            continue
        now = position_of(engine, seed)
        tree = plant(program)
        prepare(tree, now, Values(), 1, seed)
        seen = view(program, now.slots, now.seat)
        for _ in range(8):
            assert tree.outer.call("sample") == 1
            cells = list(tree.outer.guest.cells[: len(now.slots)])
            assert view(program, cells, now.seat) == seen
            looked += 1
        assert tree.outer.memory[at.REJECTED] <= 8
    assert looked >= 8


@pytest.mark.parametrize("name", BOOKS)
def test_no_player_is_moved_by_what_it_cannot_see(name: str) -> None:
    """What a seat cannot see is exchanged, and so are the dice to come: every choice stays the same."""
    program = load(name)
    if program.rules_only:
        pytest.skip("a framework has no matches of its own")
    peeked = 0
    for seed, steps in ((1, 6), (4, 16), (4, 30), (6, 44)):
        engine = at_decision(program, seed, steps)
        if engine is None:
            continue
        now = position_of(engine, seed)
        open_ = guess(program, now.slots, now.seat, native=True)
        other = replace(now, slots=tuple(filled(open_, now.slots, random.Random(seed))))
        for player in ("random", *program.sheet.strategies, "easy"):
            assert decide(now, player) == decide(other, player), player
        assert think(now, Budget(40)).worths == think(other, Budget(40)).worths
        peeked += hash(now.slots) % now.options != hash(other.slots) % now.options
    assert peeked, "a player that looks at the true state is told apart"


def test_a_hasty_player_leaves_choices_to_the_strategy() -> None:
    assert medium(load("vigil")).hasty == values_of(load("vigil")).hasty > 0
    program = load("penance-1")
    hurried, apart = replace(medium(program), hasty=1.0), 0
    for seed in range(8):
        engine = at_decision(program, seed, 20)
        if engine is None:
            continue
        now = position_of(engine, seed)
        plain = decide(now, values_of(program).playout)
        assert hurried.decide(now) == plain
        apart += replace(hurried, hasty=0.0).decide(now) != plain
    assert apart, "the search never took anything else: nothing was shown"


def at_marks(marks: Sequence[int]) -> Position:
    """Tic-tac-toe after these spaces were marked in turn."""
    engine = NativeEngine(load(CLASSICS / "tic-tac-toe.md"))
    engine.start(2, 1, {})
    engine.advance()
    for space in marks:
        engine.choose([row[1] for row in engine.options()].index(space))
        engine.advance()
    return position_of(engine, 1)


def test_what_is_certain_is_known_to_be() -> None:
    """Both engines decide the same nodes; a position that is gone through to its end takes few lines."""
    now = at_marks((5, 0))
    tree = plant(now.program)
    prepare(tree, now, Values(), 400, 11)
    twin = Twin(tree, now, 11)
    assert tree.outer.call("search", 700) == twin.space["search"](700)
    first, last = tree.outer.memory[at.NODES_AT], tree.outer.memory[at.NODES]
    nodes = tree.outer.read(first, at.NODE * last)
    assert list(nodes) == twin.memory[first : first + len(nodes)]
    assert sum(decided > 0 for decided in nodes[at.DECIDED :: at.NODE]) > 30
    thought = think(now, Budget(50_000, whole=True))
    assert thought.lines < 5_000
    assert now.offers[thought.option][1] == 2, "the one space that wins"
    (worth,) = (worth for worth in thought.worths if worth.option == thought.option)
    assert worth.error == 0
    assert 0.99 < worth.mean < 1


def test_dice_and_secrets_leave_nothing_certain(duel: Program) -> None:
    for program, sure in ((duel, 1), (load(CLASSICS / "kuhn-poker.md"), 0)):
        engine = at_decision(program, 5, 1)
        assert engine is not None
        tree = plant(program)
        prepare(tree, position_of(engine, 5), Values(), 400, 11)
        assert tree.outer.memory[at.SURE] == sure
        tree.outer.call("search", 400)
        first, last = tree.outer.memory[at.NODES_AT], tree.outer.memory[at.NODES]
        assert not any(tree.outer.read(first, at.NODE * last)[at.DECIDED :: at.NODE])
