"""The ground that searches stand on: memory of native code, laid out for a position.

In:  a position, what is known about the book.
Out: `Tree`s with everything in them that `native.outer.search` needs; the key by which it knows an option.
"""

from __future__ import annotations

import math
import struct
import threading
from dataclasses import dataclass

from rulewright.ir.program import SEATS, Program
from rulewright.ir.sheet import WORTH
from rulewright.native.outer import Outer
from rulewright.native.outer import map as at
from rulewright.play.knowledge import face_of, find_field
from rulewright.players.bots import Position
from rulewright.players.guess import guess, has_secrets
from rulewright.players.stakes import stakes
from rulewright.players.values import CUT, Values, squash_cells, value_cells, values_of

EXPLORE, BIAS, LENGTHEN, STRAY = 0.45, 0.25, 2000, 0
DOUBT = 500
"""Of a thousand choices of others in the tree, those that must not know what the seat has in hand."""
TRIES, WIDE, DEEP = 40, 512, 400
KEPT = 4

_kept = threading.local()


@dataclass(slots=True)
class Tree:
    """One thread's tree: an Outer and where its tables begin."""

    outer: Outer
    free: int


def plant(program: Program) -> Tree:
    """Memory for a tree, with the tables that never change."""
    outer = Outer(program)
    memory = outer.memory
    memory[at.LOGS_AT] = at.TABLES
    logs = [0, *(round(at.ONE * math.log(n)) for n in range(1, at.LOGS))]
    place = memory[at.SQUASH_AT] = outer.fill(at.TABLES, logs)
    place = memory[at.VERB_AT] = outer.fill(place, squash_cells())
    verbs = program.sheet.verbs
    memory[at.VERBS] = len(verbs)
    masks = [sum(1 << k for k, kind in enumerate(verb.args[:3]) if kind == "Card") for verb in verbs]
    place = memory[at.PATH_AT] = outer.fill(place, masks)
    memory[at.FOUND_AT] = place + 2 * DEEP
    memory[at.WIDE] = WIDE
    face = find_field(program, "Card", "face")
    memory[at.FACE_AT] = -1 if face is None else face.base
    outer.listen(False)
    return Tree(outer, memory[at.FOUND_AT] + 2 * WIDE)


def trees_for(program: Program, count: int) -> list[Tree]:
    """Trees of this thread's own."""
    kept: dict[str, list[Tree]] = _kept.__dict__.setdefault("trees", {})
    found = kept.pop(program.digest, [])
    while len(found) < count:
        found.append(plant(program))
    kept[program.digest] = found
    while len(kept) > KEPT:
        del kept[next(iter(kept))]
    return found[:count]


def prepare(tree: Tree, now: Position, values: Values, deep: int, seed: int) -> None:
    """Lay out everything that a search from this position needs."""
    outer, program = tree.outer, now.program
    memory = outer.memory
    outer.prepare(struct.pack(f"<{len(now.slots)}i", *now.slots))
    outer.seed(seed)
    open_ = guess(program, now.slots, now.seat, native=True)
    memory[at.SEATS] = now.slots[SEATS]
    memory[at.SCORE] = program.sheet.result.get("score", 0)
    memory[at.RANK] = program.sheet.result.get("rank", -1)
    given = stakes(program, now.slots)
    memory[at.POINTS], memory[at.POINTED] = given.points, given.pointed
    memory[at.LEAST], memory[at.WIDTH] = given.low, given.high - given.low
    memory[at.SURE] = int(open_.sure and now.slots[SEATS] <= 2)
    memory[at.TRIES] = TRIES
    memory[at.CLASSES], memory[at.SECRETS] = len(open_.classes), len(open_.secrets)
    memory[at.SAMPLED] = memory[at.REJECTED] = memory[at.ITERATIONS] = memory[at.FAULTY] = 0
    memory[at.DEPTHS] = memory[at.DEEPEST] = 0
    memory[at.ROOT_COUNT] = len(now.offers)
    place = memory[at.ROOT_OFFERS] = tree.free
    place = memory[at.SAMPLE] = outer.fill(place, [part for offer in now.offers for part in offer])
    place = outer.fill(place, open_.cells())
    memory[at.DECLARED] = declared(program)
    memory[at.WHOLE] = WORTH
    memory[at.CUT] = cut(program, values)
    asked = values.holds and memory[at.CUT] > 0
    memory[at.VALUE_AT] = place if asked else 0
    if asked:
        place = outer.fill(place, value_cells(program, now.slots, values))
    which = playout(program, values)
    for seat in range(32):
        memory[at.SEAT_POLICY + seat] = which
        outer.guest.policies[seat] = which
    memory[at.EXPLORE], memory[at.BIAS] = round(EXPLORE * at.ONE), round(BIAS * at.ONE)
    memory[at.STRAY], memory[at.LENGTHEN] = STRAY, LENGTHEN
    # Where the book has a strategy, what is measured in docs/players.md was played without doubt.
    doubt = has_secrets(program) and which == 0
    memory[at.DOUBT], memory[at.ROOT_SEAT] = DOUBT if doubt else 0, now.seat
    memory[at.FAST] = int(which == 0)
    memory[at.PATH_ROOM] = deep
    memory[at.NODES_AT] = place
    memory[at.NODES] = 1
    memory[at.NODE_ROOM] = (at.ROOM - place) // at.NODE
    outer.clear(place, at.NODE)


def declared(program: Program) -> int:
    """The number of the book's own value among the functions that are asked; 0 where it has none."""
    return len(program.asked) if program.sheet.value else 0


def cut(program: Program, values: Values) -> int:
    """Decisions to play on before it is asked what the position is worth; 0: to the end."""
    if program.sheet.value:
        return values.cut or CUT
    return values.cut if values.holds else 0


def playout(program: Program, values: Values | None = None) -> int:
    """Which strategy of the book plays on, counted from 1; 0 where there is none."""
    known, values = program.sheet.strategies, values_of(program) if values is None else values
    if not known:
        return 0
    return 1 + (known.index(values.playout) if values.playout in known else 0)


def option_key(now: Position, index: int) -> int:
    """As `native.outer.search.option_key` has it."""
    verb, *things = now.offers[index]
    verbs = now.program.sheet.verbs
    kinds = verbs[verb].args if 0 <= verb < len(verbs) else ()
    key, place = verb & 4095, 4096
    for number, thing in enumerate(things):
        if number < len(kinds) and kinds[number] == "Card" and thing >= 0:
            thing = 32768 + face_of(now.program, now.slots, thing)
        key += (thing & 65535) * place
        place *= 65536
    return key
