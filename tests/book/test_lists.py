"""Lists in fields: names, copies, remarks, values, each with its own place; and coordinates."""

from __future__ import annotations

import pytest

from rulewright.book.text.lists import coordinate, entries, well_formed
from rulewright.book.text.source import FieldText, Line


def read(*lines: str) -> list[tuple[str, int | None, str, str | None, int]]:
    field = FieldText("Members", [Line("a.md", n, 2, x) for n, x in enumerate(lines, 1)])
    return [
        (e.name, e.copies, e.remark, e.value.text if e.value else None, e.line.column) for e in entries(field)
    ]


def test_one_after_the_other_on_a_line() -> None:
    assert read("Wolf x2, Ash (Leader)") == [("Wolf", 2, "", None, 2), ("Ash", None, "Leader", None, 11)]


def test_copies_and_a_remark_in_either_order() -> None:
    assert read("Wolf x2 (Leader)")[0][:3] == read("Wolf (Leader) x2")[0][:3] == ("Wolf", 2, "Leader")


def test_a_comma_in_brackets_cuts_nothing() -> None:
    assert [x[0] for x in read("Pit (2, 3), Fire")] == ["Pit", "Fire"]


def test_a_value_stands_after_a_colon() -> None:
    assert read("- Health: max(1, [Might])") == [("Health", None, "", "max(1, [Might])", 4)]


@pytest.mark.parametrize(
    ("text", "place"),
    [("3N 2E", (2, 3)), ("1S", (0, -1)), ("4W", (-4, 0)), ("origin", (0, 0)), ("2E 3N", None), ("N", None)],
)
def test_coordinates(text: str, place: tuple[int, int] | None) -> None:
    assert coordinate(text) == place


def test_a_name_holds_no_sign_of_the_notation() -> None:
    assert [well_formed(x) for x in ("Old Mill", "Énergie", "2nd", "A: B", "A (B)")] == [
        True, True, False, False, False,
    ]  # fmt: skip
