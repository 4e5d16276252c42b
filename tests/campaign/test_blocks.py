"""Blocks alone: a designer's file with no front matter and no fences is a book, as far as it goes.

Actions, components and features are checked without anything around them, and run when the same file also
says who meets where. What is written here has the shapes of the first examples of the notation.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from rulewright import Match, MatchError
from rulewright.compiler import check, compile_book, compile_tests
from rulewright.testing import parse_example, run_examples

DECLARED = """Campaign: Scraps
Resources: Health, Action Points, Aim, Guard, Bolts, Coins, Pace, Steps
Statuses: soaked
"""
WRITTEN_OUT = """Punch
Range: Adjacent
Target: Single actor

if: [Action Points] >= 1
do: [Target Health] -= 1d6
then: [ActionPoints] -= 1

Long Shot
if: 1d20 + [Aim] > [Target Guard]
do: [Target Health] -= 2d6
else: [Target Health] -= 1d6
then: [ActionPoints] -= 1

Cover Up
if: [ActionPoints] >= 1
do: [Guard] += 2
then: [ActionPoints] -= 1

Lend
if: [Coins] >= 5
do: [Coins] -= 5, [Target Coins] += 5

Step
if: [Steps] >= 1
do: Move 1 space in chosen direction
then: [Steps] -= 1

Near Shot
if: [Target Distance] <= [Aim]
do: [Target Health] -= 2d6
else: [Target Health] -= 1d6
then: [Bolts] -= 1, [ActionPoints] -= 1
"""
COMPONENTS = """Can Pay (Check)
[ActionPoints] >= 1

Pay Point (Effect)
[ActionPoints] -= 1

Punch
if: #Can Pay AND Adjacent to target
do: [Target Health] -= 1d6
then: #Pay Point

Cover Up
if: #Can Pay
do: [Guard] += 2
then: #Pay Point
"""
INITIATIVE = """Who Begins
When an actor or cast is first deployed to a map, roll 1d100. Turn order is in
decending order. Ties are resolved by the two tied actors or casts rolling
1d100 placing the higher rolling actor or cast in the turn before the lower
rolling actor or cast.
"""
WALKS = {
    "far": "Long Walk\nMove up to 6 spaces per turn\n",
    "own": "Own Walk\nMove up to [Pace] spaces per turn\n",
    "paid": "Paid Walk\nSpend 1 ActionPoint per space moved\n",
}
MEETING = """
Actor: Ada
Type: Player
Resources: Health: 9, Pace: 4
Actions: Punch, Cover Up

Actor: Bo
Type: Player
Resources: Health: 9
Actions: Punch

Map: Yard

Encounter: Meeting
Map: Yard
Actors:
  Player Actors: Ada
  Enemy Actors: Bo
Deployment:
  Ada at 0N 0E
  Bo at 1N 0E
Completion:
  Won: All enemies defeated
  Lost: All players defeated
"""
EXAMPLE = """
```example
One turn
dice    1d100=90, 10  1d6=4
choose  Ada: Punch: Bo; Cover Up
expect  Bo: Health 5
expect  Ada: Guard 2, Action Points 1
```
"""


def plain(*blocks: str) -> str:
    return "\n".join(blocks)


def titled(*blocks: str) -> str:
    return "# My scraps\n\n" + plain(*blocks)


def headed(*blocks: str) -> str:
    return "# My scraps\n\n" + "\n".join(f"## Part {n}\n\n{text}" for n, text in enumerate(blocks))


def fenced(*blocks: str) -> str:
    return "# My scraps\n\n" + "\n".join(f"```\n{text}```\n" for text in blocks)


def ruled(*blocks: str) -> str:
    return "# My scraps\n\n" + "\n".join(f"```rules\n{text}```\n" for text in blocks)


Layout = Callable[..., str]
LAYOUTS = [plain, titled, headed, fenced, ruled]
BLOCKS = {
    "written out": (DECLARED, WRITTEN_OUT),
    "components": (DECLARED, COMPONENTS),
    "features": (DECLARED, INITIATIVE, *WALKS.values()),
    "all": (DECLARED, WRITTEN_OUT, INITIATIVE, *WALKS.values()),
}


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("name", BLOCKS)
def test_blocks_are_a_book_of_rules(layout: Layout, name: str, tmp_path: Path) -> None:
    path = tmp_path / "scraps.md"
    path.write_text(layout(*BLOCKS[name]))
    assert check(path).diagnostics == ()


def test_rules_alone_do_not_start(tmp_path: Path) -> None:
    path = tmp_path / "scraps.md"
    path.write_text(plain(DECLARED, WRITTEN_OUT))
    with pytest.raises(MatchError, match="Scraps is rules only"):
        Match(compile_book(path))


def test_what_is_not_declared_is_found(tmp_path: Path) -> None:
    path = tmp_path / "scraps.md"
    path.write_text(plain(COMPONENTS))
    (problem,) = check(path).diagnostics
    assert (problem.code, problem.span.line, problem.message) == (
        "unknown-name",
        14,
        "no resource is called 'Guard'",
    )


@pytest.mark.parametrize("actions", [WRITTEN_OUT, COMPONENTS], ids=["written out", "components"])
@pytest.mark.parametrize("walk", WALKS)
def test_they_run(actions: str, walk: str, tmp_path: Path) -> None:
    path = tmp_path / "scraps.md"
    path.write_text(titled(DECLARED, actions, INITIATIVE, WALKS[walk], MEETING, EXAMPLE))
    tests = compile_tests(path)
    examples = [parse_example(e.file, e.line, e.lines) for e in tests.examples]
    (result,) = run_examples(tests.program, examples, "reference", tests.problems)
    assert [str(failure) for failure in result.failures] == []
    offered = {option.text for option in next_decision(path)}
    assert "Punch: Bo" in offered
    assert any(text.startswith(WALKS[walk].split("\n")[0]) for text in offered)


def next_decision(path: Path):
    match = Match(compile_book(path), seed=1)
    while match.decision is not None and match.decision.seat != 0:
        match.choose(match.decision.options[0])
    assert match.decision is not None
    return match.decision.options
