"""Players play for what the book says: ranks, its own numbers, or wins."""

from __future__ import annotations

from pathlib import Path

import pytest

from players.test_search import Twin
from rulewright import Program, load
from rulewright.ir.program import ENDED, STATUS
from rulewright.native.engine import NativeEngine
from rulewright.native.outer import map as at
from rulewright.players.bots import position_of
from rulewright.players.ground import plant, prepare
from rulewright.players.search import Budget, think
from rulewright.players.stakes import Stakes, payoff, stakes
from rulewright.players.values import Values

GAME = """---
title: Double or Nothing
seats: 1
bound: 4
---
# Double or nothing

Take one chip and go, or risk it for ten.

```rules
Chips (Resource)
Player (Template) box: 1; seat: each
Home (Ending)

Match (Sequence)
1. Deal  put every Player out of play in play
2. Play  #Play on the Player

Play (Effect)
do: choose "chips": "safe": [Chips] += 1, end the match with Home won by self{scores}
                    "bold": #Bold

Bold (Effect)
do: let [N] = roll 1d10
    if [N] > 6: [Chips] += 10, end the match with Home won by self{scores}
    else: [Chips] -= 1, end the match with Home lost by everyone{scores}
```
"""


def game(folder: Path, scores: str) -> Program:
    path = folder / f"game{len(scores)}.md"
    path.write_text(GAME.replace("{scores}", scores), "utf-8")
    return load(path)


def taken(program: Program) -> str:
    engine = NativeEngine(program)
    engine.start(1, 5, {})
    engine.advance()
    now = position_of(engine, 5)
    option = think(now, Budget(400, whole=True)).option
    return ("safe", "bold")[option]


def test_numbers_count_where_the_book_gives_some(tmp_path: Path) -> None:
    """A sure win of one chip, or four in ten for ten of them: who plays to win is content with one."""
    assert taken(game(tmp_path, "")) == "safe"
    assert taken(game(tmp_path, ", scores [Chips]")) == "bold"


def test_they_lie_between_the_least_and_the_greatest(tmp_path: Path) -> None:
    program = game(tmp_path, ", scores [Chips]")
    engine = NativeEngine(program)
    engine.start(1, 5, {})
    engine.advance()
    start = memoryview(engine.state()).cast("i")
    given = stakes(program, start)
    assert (given.low, given.high) == (-1, 10)
    assert stakes(game(tmp_path, ""), start) == Stakes()
    engine.choose(0)
    engine.advance()
    assert engine.peek(STATUS) == ENDED
    assert payoff(program, memoryview(engine.state()).cast("i"), 0) == pytest.approx(2 / 11)


def test_native_code_reckons_the_same(tmp_path: Path) -> None:
    program = game(tmp_path, ", scores [Chips]")
    engine = NativeEngine(program)
    engine.start(1, 5, {})
    engine.advance()
    now, tree = position_of(engine, 5), plant(program)
    prepare(tree, now, Values(), 400, 11)
    twin = Twin(tree, now, 11)
    tree.outer.call("search", 50)
    twin.space["search"](50)
    first, last = tree.outer.memory[at.NODES_AT], tree.outer.memory[at.NODES]
    nodes = tree.outer.read(first, at.NODE * last)
    assert list(nodes) == twin.memory[first : first + len(nodes)]
    sums = {nodes[at.NODE * k + at.SUM] // nodes[at.NODE * k + at.VISITS] for k in range(1, last)}
    assert any(0 < worth < at.ONE // 4 for worth in sums), "one chip of eleven is seen as such"
