"""Which locals must come from somewhere."""

from __future__ import annotations

import pytest

from rulewright.ir import nodes as n
from rulewright.ir.walk import (
    assigned,
    callers,
    exposed,
    locals_of,
    rebuilt,
    renamed_calls,
    uses,
    with_blocks,
)
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


EVERY_STATEMENT = """def f(p):
    a = f(p)
    S[f(1)] = f(2)
    if f(3):
        while f(4):
            break
    else:
        continue
    with ask(f(5), f(6)):
        opt(f(7), 0, 0, 0)
    return f(8)
"""


def test_every_call_of_every_statement_is_renamed_and_nothing_else_changes():
    function = functions(EVERY_STATEMENT)["f"]
    expected = functions(EVERY_STATEMENT.replace("f(", "g("))["g"]
    assert renamed_calls(function.body, {"f": "g"}) == expected.body
    assert renamed_calls(function.body, {}) == function.body


def test_a_statement_is_rebuilt_in_the_order_it_stands_in():
    (stmt,) = functions("def f():\n    with ask(1, 2):\n        x = 3\n")["f"].body
    seen: list[object] = []

    def expr(e: n.Expr) -> n.Expr:
        seen.append(e)
        return e

    def block(b: n.Block) -> n.Block:
        seen.append(b)
        return ()

    assert rebuilt(stmt, expr, block) == n.Ask((), n.Const(1), n.Const(2))
    assert seen == [(n.Assign("x", n.Const(3)),), n.Const(1), n.Const(2)]
    assert with_blocks(n.Break(), block) == n.Break()


def test_callers_are_found_through_others_and_in_circles():
    code = functions(
        "def a():\n    b()\ndef b():\n    a()\n    c()\ndef c():\n    pass\ndef d():\n    pass\n"
    )
    assert callers(uses(code), ["c"]) == {"a", "b", "c"}
    assert callers(uses(code), ["d"]) == {"d"}
