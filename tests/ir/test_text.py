"""A Program prints as text and reads back."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from generated import programs
from rulewright.ir import text
from rulewright.ir.nodes import Ask, Binary, Const, Expr, Function, Load, Local, Not, Pick, Return
from rulewright.ir.reader import ReadError
from rulewright.ir.walk import statements
from small_programs import cards, functions, program


@pytest.mark.parametrize("made", [program(), cards()], ids=lambda made: made.name)
def test_round_trip_is_exact(made: text.Program):
    shown = text.show(made)
    back = text.read(shown)
    assert back == made
    assert text.show(back) == shown
    assert back.digest == made.digest == text.digest(shown)
    # Sites do not count for equality, so they are compared on their own.
    for one, two in zip(made.segments, back.segments, strict=True):
        assert [s.site for s in statements(one.body)] == [s.site for s in statements(two.body)]


@settings(max_examples=30, deadline=None)
@given(programs())
def test_structured_functions_round_trip(made: dict[str, Function]):
    shown = "\n".join(text.source(function, executable=False) for function in made.values())
    assert functions(shown) == made


def test_ask_and_frames_print_as_python():
    code = "@framed('kept')\ndef f(a):  # site 3\n    with ask(a, 1):  # site 4\n        opt(0, a, 0, 0)\n"
    made = functions(code)["f"]
    assert made.framed
    assert made.keeps == ("kept",)
    assert isinstance(made.body[0], Ask)
    assert made.body[0].site == 4
    assert text.source(made, executable=False) == code


@pytest.mark.parametrize(
    ("expr", "value"),
    [
        (Binary("<", Const(1), Const(2)), 1),
        (Not(Const(7)), 0),
        (Binary("&", Binary("<", Const(1), Const(2)), Not(Const(0))), 1),
        (Binary("|", Pick(Const(0), Not(Const(0)), Const(6)), Binary("<", Const(1), Const(2))), 7),
        (Pick(Const(1), Binary("==", Const(1), Const(1)), Const(5)), 1),
        (Binary("+", Binary("<", Const(1), Const(2)), Const(-3)), -2),
        (Binary("//", Const(-7), Const(2)), -4),
        (Local("unset"), 0),
        (Load("W", Binary(">", Const(2), Const(1))), 20),
    ],
)
def test_executable_text_gives_integers(expr: Expr, value: int):
    space = {"W": [10, 20]}
    exec(text.source(Function("f", (), (Return(expr),))), space)
    found = space["f"]()  # type: ignore[operator]
    assert found == value
    assert type(found) is int


@pytest.mark.parametrize(
    "bad",
    [
        "def f():\n    return 'text'\n",
        "def f():\n    return 1 ** 2\n",
        "def f():\n    return True\n",
        "def f():\n    return a.b\n",
        "def f():\n    for i in x:\n        pass\n",
        "def f():\n    a, b = 1, 2\n",
        "@cached\ndef f():\n    pass\n",
        "def f(:\n",
    ],
)
def test_text_outside_the_subset_is_refused(bad: str):
    with pytest.raises(ReadError):
        functions(bad)


def test_damaged_tables_are_refused():
    shown = text.show(program())
    for damage in (shown.replace('"entry"', '"entrance"'), shown[:-20], shown.split("#: tables")[0]):
        with pytest.raises(ReadError):
            text.read(damage)
