"""The outline of a map: what picture, dimensions and origin say together, in open text and in closed."""

from __future__ import annotations

import pytest

from rulewright.book.declare.maps import ENDLESS, Outline, origin, outline
from rulewright.book.text.source import Definition, FieldText, Line


def read(**said: str) -> tuple[Outline | None, tuple[int, int] | None, list[str]]:
    d = Definition("Field", "Map", Line("a.md", 1, 0, "Field"))
    for number, (key, text) in enumerate(said.items(), 2):
        lines = [Line("a.md", number, 2, row) for row in text.split("\n")]
        d.fields.append(FieldText(key, lines, Line("a.md", number, 0, key)))
    wrong: list[str] = []

    def report(code: str, line: Line, message: str, help: str = "") -> None:
        wrong.append(f"{line.number} {code} {message}")

    found = outline(d, report)
    return found, origin(d, found, report) if found else None, wrong


def test_a_picture_is_as_large_as_it_is() -> None:
    found, at, wrong = read(picture="..#\n...")
    assert found == Outline([[".", ".", "#"], [".", ".", "."]], 3, 2, bounded=True)
    assert (at, wrong) == ((0, 0), [])


def test_signs_may_stand_apart() -> None:
    found, _, _ = read(picture=". #\n. .")
    assert found is not None
    assert (found.width, found.rows[0]) == (2, [".", "#"])


def test_a_map_without_bounds_is_counted_from_its_middle() -> None:
    found, at, _ = read()
    assert found == Outline(width=ENDLESS, height=ENDLESS)
    assert at == (ENDLESS // 2, ENDLESS // 2)


@pytest.mark.parametrize(
    ("text", "place"), [("center", (2, 1)), ("southwest corner", (0, 0)), ("1N 3E", (3, 1)), ("2S", (0, -2))]
)
def test_where_it_is_counted_from(text: str, place: tuple[int, int]) -> None:
    assert read(dimensions="4 x 3", origin=text)[1:] == (place, [])


@pytest.mark.parametrize(
    ("said", "wrong"),
    [
        ({"picture": "..\n..."}, "2 unbalanced the rows of a picture are equally long"),
        ({"dimensions": "wide"}, "2 unexecutable a size is `WIDTH x HEIGHT`"),
        ({"dimensions": "0 x 4"}, "2 unexecutable a map has from 1 to 10000 spaces"),
        (
            {"picture": "..", "dimensions": "3 x 1"},
            "2 unbalanced the picture is 2 x 1, the dimensions say 3 x 1",
        ),
        ({"origin": "top"}, "2 unexecutable an origin is `southwest corner`, `center` or such as `2N 3E`"),
    ],
)
def test_a_mistake_is_said_once_where_it_stands(said: dict[str, str], wrong: str) -> None:
    assert read(**said)[2] == [wrong]
