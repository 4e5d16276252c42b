"""Which locals must come from somewhere."""

from __future__ import annotations

import pytest

from rulewright.ir.walk import assigned, exposed, locals_of
from small_programs import functions


@pytest.mark.parametrize(
    ("body", "names"),
    [
        ("x = 1\n    return x", set()),
        ("y = x\n    x = 1", {"x"}),
        ("x = x + 1", {"x"}),
        ("if p:\n        x = 1\n    return x", {"x"}),
        ("if p:\n        x = 1\n    else:\n        x = 2\n    return x", set()),
        ("if p:\n        x = 1\n    else:\n        return 0\n    return x", set()),
        ("while p:\n        x = 1\n    return x", {"x"}),
        ("while x:\n        x = 1", {"x"}),
        ("while p:\n        x = 1\n        y = x", set()),
        ("with ask(x, 0):\n        y = 1\n    return y", {"x", "y"}),
        ("S[x] = y", {"x", "y"}),
        ("return 0\n    y = x", set()),
    ],
)
def test_exposed(body: str, names: set[str]):
    function = functions(f"def f(p):\n    {body}\n")["f"]
    assert exposed(function.body, function.params) == names


def test_locals_come_in_order_of_appearance():
    function = functions("def f(p):\n    b = a + p\n    if c:\n        d = 1\n")["f"]
    assert locals_of(function) == ("p", "a", "b", "c", "d")
    assert assigned(function.body) == ("b", "d")
