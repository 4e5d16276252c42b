"""All of a small game: every choice, every result of chance, written out as a tree.

In:  a Program, seats, options; a limit.
Out: `Tree`, or None when the game is too large for it, or a seat could forget what it knew.

Chance is scripted on the reference engine: where a script runs out, the match is played on with each result
in turn. A seat's information is its view and what it is offered. A solution has to be looked up by that
alone, so it must say all that the seat has known and done before; where it does not, there is no tree.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from rulewright.ir.program import DECISION, SEAT, STATUS, Program
from rulewright.play.engine import OptionRow
from rulewright.play.faults import Fault
from rulewright.play.reference import ReferenceEngine
from rulewright.play.results import worth
from rulewright.play.view import view

NODES = 3000

Pays = Callable[[ReferenceEngine, int], float]
"""What the end of a match is worth to a seat."""


@dataclass(slots=True)
class Node:
    """An end (`pays`), a draw of chance (`info` is "") or a choice of a seat."""

    pays: tuple[float, ...] = ()
    seat: int = -1
    info: str = ""
    children: list[Node] = field(default_factory=list["Node"])


@dataclass(slots=True)
class Tree:
    """A game written out. `infos`: what can be known when a seat decides, with the number of options;
    `samples`: a state that looks so, for players to be asked about it."""

    root: Node
    seats: int
    infos: dict[str, int]
    samples: dict[str, bytes]
    size: int


class _TooLarge(Exception):
    pass


def known(program: Program, slots: Sequence[int], seat: int, offers: Sequence[OptionRow]) -> str:
    """What a seat knows when it decides, as a short word."""
    seen = json.dumps(view(program, slots, seat), sort_keys=True, default=str)
    return hashlib.sha256(f"{seat} {seen} {list(offers)}".encode()).hexdigest()[:24]


def results(program: Program) -> Pays:
    """What the book says: ranks, its own numbers where it gives some (`scores [Chips]`), or wins."""
    table = program.sheet.result

    def pays(engine: ReferenceEngine, seat: int) -> float:
        ranked = "rank" in table and engine.peek(table["rank"] + seat) > 0
        if not ranked and "pointed" in table and engine.peek(table["pointed"]):
            return float(engine.peek(table["points"] + seat))
        return worth(program, memoryview(engine.state()).cast("i"), seat)

    return pays


def holds(program: Program, name: str) -> Pays:
    """What the seat's actors have of a resource in the end, such as chips."""
    control = next(f for f in program.sheet.fields if f.of == ("Actor",) and f.name == "controller")
    resource = next(f for f in program.sheet.fields if f.of == ("Actor",) and f.name == name)

    def pays(engine: ReferenceEngine, seat: int) -> float:
        actors = (a for a in range(control.counts[0]) if engine.peek(control.base + a) == seat)
        return float(sum(engine.peek(resource.base + actor) for actor in actors))

    return pays


def game_tree(
    program: Program,
    seats: int,
    options: Mapping[int, int] | None = None,
    pays: Pays | None = None,
    nodes: int = NODES,
) -> Tree | None:
    """Write a game out."""
    growing = _Growing(program, seats, dict(options or {}), pays or results(program), nodes)
    try:
        root = growing.chance(None, -1, [], tuple("" for _ in range(seats)))
    except (_TooLarge, Fault, ValueError):
        return None
    if any(len(pasts) > 1 for pasts in growing.pasts.values()):
        return None
    return Tree(root, seats, growing.infos, growing.samples, growing.size)


class _Growing:
    """A tree that is being written out."""

    def __init__(self, program: Program, seats: int, options: dict[int, int], pays: Pays, nodes: int) -> None:
        self.engine = ReferenceEngine(program, shuffles_scripted=True)
        self.engine.record(False)
        self.program, self.seats, self.options, self.pays, self.left = program, seats, options, pays, nodes
        self.size = 0
        self.infos: dict[str, int] = {}
        self.samples: dict[str, bytes] = {}
        self.pasts: dict[str, set[str]] = {}
        """What each seat had known and done before: one past for each information, or it is forgotten."""

    def chance(self, state: bytes | None, choice: int, script: list[int], pasts: tuple[str, ...]) -> Node:
        """Where a match stands after a choice and these results; all further results of chance."""
        engine = self.engine
        self.size += 1
        if self.size > self.left:
            raise _TooLarge
        engine.script(script)
        try:
            if state is None:
                engine.start(self.seats, 0, self.options)
            else:
                engine.load(state)
                engine.choose(choice)
            engine.advance()
        except Fault as fault:
            if not fault.sides:
                raise
            results = [[*script, result] for result in range(fault.sides)]
            return Node(children=[self.chance(state, choice, more, pasts) for more in results])
        return self.decided(pasts)

    def decided(self, pasts: tuple[str, ...]) -> Node:
        """The node of where the engine stands."""
        engine = self.engine
        if engine.peek(STATUS) != DECISION:
            return Node(pays=tuple(self.pays(engine, seat) for seat in range(self.seats)))
        state, seat, offers = engine.state(), engine.peek(SEAT), engine.options()
        info = known(self.program, memoryview(state).cast("i"), seat, offers)
        self.pasts.setdefault(info, set()).add(pasts[seat])
        self.infos[info] = len(offers)
        self.samples.setdefault(info, state)
        node = Node(seat=seat, info=info)
        for choice in range(len(offers)):
            after = tuple(
                f"{past} {info}/{choice}" if who == seat else past for who, past in enumerate(pasts)
            )
            node.children.append(self.chance(state, choice, [], after))
        return node
