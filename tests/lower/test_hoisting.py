"""Walks to a goal that stays the same are worked out once before the loop that asks for them."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.book import tree as t
from rulewright.compiler import check, compile_checked
from rulewright.ir.nodes import While
from rulewright.ir.program import Program
from rulewright.ir.walk import calls, statements
from rulewright.lower import selectors
from rulewright.native import play_batch
from rulewright.play.match import Match
from rulewright.play.reference import ReferenceEngine

BOOK = Path(__file__).parents[2] / "bench" / "walks.md"
COLUMNS = ("decisions", "ending", "status")


def compiled() -> Program:
    return compile_checked(check(BOOK))


def lister(program: Program) -> tuple[list[str], list[str]]:
    """Fields that the listing of the action has made before its loops, and in them."""
    function = next(f for f in program.functions.values() if f.name.startswith("list_a_Run"))
    inside = [c.name for s in statements(function.body) if isinstance(s, While) for c in calls(s.body)]
    everywhere = [c.name for c in calls(function.body)]
    made = [name for name in everywhere if name.startswith(("field_", "walk_")) and name != "field_at"]
    return [name for name in made if name not in inside], [name for name in made if name in inside]


def offered(program: Program) -> list[str]:
    """The options of the first moments of a match, on the reference engine."""
    match = Match(program, seed=3, engine=ReferenceEngine)
    found: list[str] = []
    for _ in range(4):
        if match.decision is None:
            break
        found += [option.text for option in match.decision.options]
        match.choose(len(match.decision.options) // 2)
    return found


def test_one_field_for_two_walks_to_one_goal() -> None:
    before, inside = lister(compiled())
    assert (len(before), inside) == (1, [])


def _none(e: object) -> list[t.WalkCost]:
    return []


def test_the_same_is_offered_as_without(monkeypatch: pytest.MonkeyPatch) -> None:
    once = compiled()
    monkeypatch.setattr(selectors, "_walks", _none)
    each = compiled()
    assert lister(each)[0] == []
    assert len(lister(each)[1]) == 2
    assert offered(once) == offered(each)
    one, other = (play_batch(program, 200, seed=5, workers=1) for program in (once, each))
    assert [one.mean(c) for c in COLUMNS] == [other.mean(c) for c in COLUMNS]


def test_a_stale_field_would_be_noticed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A control: costs to a goal that changes with the candidate are not shared, and it shows if they are."""
    wanted, changing = "[Trot from it to Goal of self]", "[Trot from it to space N of it]"
    path = tmp_path / "walks.md"
    path.write_text(BOOK.read_text("utf-8").replace(wanted, changing), "utf-8")
    right = offered(compile_checked(check(path)))
    asked = selectors.mentions

    def blind(e: object, name: str) -> bool:
        return asked(e, name) and not isinstance(e, t.Neighbour)

    monkeypatch.setattr(selectors, "mentions", blind)
    assert offered(compile_checked(check(path))) != right
