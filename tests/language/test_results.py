"""Ranks, numbers and several winners, with up to thirty seats, on both engines."""

from __future__ import annotations

import pytest

from rulewright.compiler import compile_book
from rulewright.ir.program import Program
from rulewright.native.engine import NativeEngine
from rulewright.play.match import Match
from rulewright.play.results import standing, worth
from rulewright.play.setup import EngineMaker
from rulewright.testing.lockstep import lockstep

BOOK = """---
title: Rank
seats: 1-30
---
```rules
VP (Resource) range: 0 to 99
Gold (Resource) range: 0 to 99
Red (Side)
Blue (Side)
Player (Template) box: 30; seat: each
Close (Ending)
Even (Ending)
Sides (Ending)
Named (Ending)

Take (Effect)
choose: "none": [Gold] += 1
        "one": [VP] += 1
        "two": [VP] += 2
        "even": end the match with Even, a draw, scores [VP]
        "sides": #Split, end the match with Sides won by Blue
        "named": end the match with Named won by every Player with lowest [VP], ranked by highest [VP]
        "where": end the match with Named won by Players where [VP] >= 1

Split (Effect)
for each Player: set side of it to (Red if [VP of it] = 0 else Blue)

Match (Sequence)
1. Begin  put every Player out of play where it has a seat in play
2. Play   for each Player: #Take on it
3. End    end the match with Close ranked by highest [VP], then lowest [Gold], scores 10 * [VP] - [Gold]
```
"""


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Program:
    path = tmp_path_factory.mktemp("results") / "rank.md"
    path.write_text(BOOK)
    return compile_book(path)


def played(program: Program, engine: str | EngineMaker, seats: int, *choices: str) -> Match:
    match = Match(program, seats, engine=engine)
    for choice in choices:
        match.choose(choice)
    assert match.decision is None
    return match


@pytest.mark.parametrize("engine", ["reference", NativeEngine])
@pytest.mark.parametrize(
    ("choices", "scores", "ranks", "points"),
    [
        (("one", "two", "none", "two"), (0, 1, 0, 1), (3, 1, 4, 1), (10, 20, -1, 20)),
        (("none", "none"), (1, 1), (1, 1), (-1, -1)),
        (("one", "two", "even"), (2, 2, 2), (1, 1, 1), (1, 2, 0)),
        (("one", "none", "sides"), (1, 0, 0), (1, 2, 2), None),
        (("one", "two", "none", "named"), (0, 0, 1, 1), (2, 1, 3, 3), None),
        (("one", "two", "where"), (1, 1, 0), (1, 1, 3), None),
    ],
)
def test_results(
    program: Program,
    engine: str | EngineMaker,
    choices: tuple[str, ...],
    scores: tuple[int, ...],
    ranks: tuple[int, ...],
    points: tuple[int, ...] | None,
) -> None:
    match = played(program, engine, len(scores), *choices)
    result = match.result
    assert result is not None
    assert (result.scores, result.ranks, result.points) == (scores, ranks, points)
    told = match.view(None)["result"]
    assert (told["ranks"], told.get("points")) == (list(ranks), None if points is None else list(points))


@pytest.mark.parametrize("engine", ["reference", NativeEngine])
def test_thirty_seats(program: Program, engine: str | EngineMaker) -> None:
    match = played(program, engine, 30, *(("none", "one", "two")[seat % 3] for seat in range(30)))
    result = match.result
    assert result is not None
    assert result.ranks == tuple((21, 11, 1)[seat % 3] for seat in range(30))
    assert result.points == tuple((-1, 10, 20)[seat % 3] for seat in range(30))
    assert sum(result.scores) == 10


def test_what_it_is_worth(program: Program) -> None:
    match = played(program, "reference", 4, "one", "two", "none", "two")
    slots = match.slots()
    assert [worth(program, slots, seat) for seat in range(4)] == [1 / 3, 2.5 / 3, 0.0, 2.5 / 3]
    result = match.result
    assert result is not None
    assert standing(result, 2) == " (rank 4, -1)"
    drawn = played(program, "reference", 3, "one", "two", "even")
    assert [worth(program, drawn.slots(), seat) for seat in range(3)] == [0.5, 0.5, 0.5]


def test_both_engines_agree(program: Program) -> None:
    for seats in (1, 2, 9, 30):
        report = lockstep(program, seeds=range(5), seats=seats)
        assert report.divergence is None, str(report.divergence)
