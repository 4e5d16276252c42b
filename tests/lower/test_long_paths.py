"""Paths of up to twenty steps: declared, chosen and found, handed on and kept; and what is too long."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from random import Random

import pytest

from rulewright.compiler import check, compile_book
from rulewright.ir.kernels_space import path_before, path_length, path_step
from rulewright.ir.program import FAULT_RANGE, FAULTS, Program
from rulewright.lower import program as lowering
from rulewright.native import NativeEngine
from rulewright.play.faults import MatchFault
from rulewright.play.knowledge import find_field
from rulewright.play.match import Match
from rulewright.play.reference import ReferenceEngine

Engine = type[ReferenceEngine] | type[NativeEngine]
ENGINES = pytest.mark.parametrize("engine", [ReferenceEngine, NativeEngine])

BOOK = """---
title: Long
seats: 1
bound: 500
---
```map
Lane (Map)
grid: square
names: (x,y)
adjacent: edges
distance: rows and columns
picture:
PICTURE
legend: . = Floor, # = Wall
```

```rules
Floor (Terrain)
Wall (Terrain)
Over (Ending) "Over"
Runner (Template) box: 1; seat: eachFEATURE
Speed (Resource) starts: 20
Steps (Resource)
Noted (Resource)
Kept (Resource)
Handed (Resource)

Match (Sequence)
1. Line up   put Runner 1 in play at (0,0)
2. Run       for each Runner: #Turn on it
3. End       end the match with Over

Turn (Sequence)
1. Run       act once

RULES
```
"""
NUMBERS = ("Steps", "Noted", "Kept", "Handed")
LANE = "  " + " ".join("." * 25)
OPEN = "\n".join(["  " + " ".join("." * 10)] * 10)

HANDED = """
Run (Action)
declare: path = a path of [Speed] to [Speed] steps through [x of it] > [x of from]
do: #March with path, [Steps] = [steps of path]

March (Sequence) with: path (Path)
keeps: again (Path)
1. Note   set again of March to path
2. Stop   choose: "Now": [Speed] += 0; "Later": [Speed] += 0
3. Tell   #Tell with again of March
4. Go     walk path of March
5. Look   [Kept] = [steps of again of March]

Tell (Effect) with: way (Path)
do: choose: "Now": [Speed] += 0; "Later": [Speed] += 0
    [Handed] = [steps of way]

Watcher (Feature)
before #Tell: [Noted] = [steps of way]
"""


def book(tmp_path: Path, rules: str, picture: str = LANE, speed: int = 20) -> Path:
    path = tmp_path / "book.md"
    text = BOOK.replace("PICTURE", picture).replace("RULES", rules)
    text = text.replace("FEATURE", "; features: Watcher" if "Watcher" in rules else "")
    path.write_text(text.replace("starts: 20", f"starts: {speed}"))
    return path


def played(program: Program, engine: Engine, choose: int = 0) -> dict[str, int | str]:
    match = Match(program, engine=engine)
    for _ in range(100):
        if match.decision is None:
            break
        match.choose(min(choose, len(match.decision.options) - 1))
    fields = {name: find_field(program, "Actor", name) for name in (*NUMBERS, "place")}
    found = {name: match.slots()[field.base] for name, field in fields.items() if field is not None}
    return found | {"place": program.sheet.things["Space"][found["place"]]}


@ENGINES
@pytest.mark.parametrize("steps", [1, 10, 11, 12, 20])
def test_a_path_is_declared_handed_on_and_kept(tmp_path: Path, engine: Engine, steps: int) -> None:
    found = played(compile_book(book(tmp_path, HANDED, speed=steps)), engine)
    assert found == {"Steps": steps, "Kept": steps, "Handed": steps, "Noted": steps, "place": f"({steps},0)"}


@ENGINES
def test_a_path_in_one_slot_would_be_a_fault(
    tmp_path: Path, engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lowering, "widened", dict)
    program = compile_book(book(tmp_path, HANDED.replace("again of March", "path of March")))
    with pytest.raises(MatchFault, match=FAULTS[FAULT_RANGE]):
        played(program, engine)


FAR = """
Run (Action)
declare: path = a path of 1 to [Speed] steps through it is Floor, ending where it is (9,9)
do: walk path, [Steps] = [steps of path]
"""


@ENGINES
@pytest.mark.parametrize(("speed", "there"), [(17, "(0,0)"), (18, "(9,9)"), (20, "(9,9)")])
def test_a_step_is_offered_only_if_the_path_can_end(
    tmp_path: Path, engine: Engine, speed: int, there: str
) -> None:
    """On an open board there are millions of paths of eighteen steps; they are not tried one by one."""
    found = played(compile_book(book(tmp_path, FAR, OPEN, speed)), engine)
    assert found["place"] == there
    assert bool(found["Steps"]) == (there == "(9,9)")


@ENGINES
def test_a_path_that_is_asked_about_is_tried_itself(tmp_path: Path, engine: Engine) -> None:
    """`requires:` may want one path of many."""
    rules = FAR.replace("do:", "requires: [steps of path] = 4\ndo:").replace("(9,9)", "(2,0)")
    found = played(compile_book(book(tmp_path, rules, OPEN, 5)), engine)
    assert (found["place"], found["Steps"]) == ("(2,0)", 4)


WALKS = """
Trot (Walk)
through: it is Floor
ends: [x of it] = 18

Run (Action)
do: let way = WAY
    [Steps] = [steps of way], [Kept] = [Trot of way]
    walk way
"""


@ENGINES
@pytest.mark.parametrize(
    "way",
    [
        "the Trot to a space where [x of it] = 18, up to [Speed]",
        "the Trot within [Speed] to a space with highest [x of it]",
        "the Trot toward E up to [Speed]",
        "choose a Trot up to [Speed]",
    ],
)
@pytest.mark.parametrize(("speed", "there"), [(17, 0), (18, 18)])
def test_ways_go_on(tmp_path: Path, engine: Engine, way: str, speed: int, there: int) -> None:
    found = played(compile_book(book(tmp_path, WALKS.replace("WAY", way), speed=speed)), engine)
    assert (found["place"], found["Steps"], found["Kept"]) == (f"({there},0)", there, there)


@ENGINES
def test_a_way_with_a_choice_of_steps_is_seen_to_its_end(tmp_path: Path, engine: Engine) -> None:
    """Steps cost one or two, and the only place to stop is far away on an open board."""
    rules = WALKS.replace("WAY", "choose a Trot up to [Speed]").replace("[x of it] = 18", "it is (9,9)")
    cheap = played(compile_book(book(tmp_path, rules, OPEN, 18)), engine)
    assert (cheap["place"], cheap["Steps"]) == ("(9,9)", 18)
    dear = rules.replace("ends:", "costs: (2 if [y of it] = 9 else 1)\nends:")
    assert played(compile_book(book(tmp_path, dear, OPEN, 18)), engine)["place"] == "(0,0)"
    assert played(compile_book(book(tmp_path, dear, OPEN, 19)), engine)["place"] == "(9,9)"


@pytest.mark.parametrize(
    "way",
    [
        "the Trot to a space where [x of it] = 18, up to 21",
        "the Trot toward E up to 21",
        "choose a Trot up to 21",
    ],
)
def test_what_is_too_long_is_said(tmp_path: Path, way: str) -> None:
    problems = check(book(tmp_path, WALKS.replace("WAY", way))).errors
    assert [p.code for p in problems] == ["too-large"]
    assert "20 steps" in problems[0].message
    dear = WALKS.replace("WAY", way).replace("ends:", "costs: 5\nends:")
    assert not check(book(tmp_path, dear)).errors


def test_paths_are_ordered_step_by_step() -> None:
    def code(steps: tuple[int, ...]) -> int:
        made = 1
        for step in steps:
            made = made * 8 + step
        return made

    random = Random(1)
    short = [steps for length in range(4) for steps in product((0, 1, 7), repeat=length)]
    long = [tuple(random.choices((0, 7), k=random.randint(15, 20))) for _ in range(40)]
    for one in short + long:
        assert path_length(code(one)) == len(one)
        assert tuple(path_step(code(one), i) for i in range(len(one))) == one
        for other in short + long:
            assert path_before(code(one), code(other)) == (one < other)
