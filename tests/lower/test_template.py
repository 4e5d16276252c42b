"""Templates: what stands in their holes becomes statements of the function that is written."""

from __future__ import annotations

from itertools import count

import pytest

from rulewright.ir import nodes as n
from rulewright.lower.template import Hole, fill
from rulewright.lower.templates import paths
from rulewright.lower.writer import Writer, const, local

ROWS: dict[str, Hole] = {"MARKS": 40, "WAITING": 60, "LAST": 9}


def writer(site: int = 7) -> Writer:
    made = Writer("f", (), framed=False, keeps=(), temps=count())
    made.site = site
    return made


def test_numbers_and_locals_are_filled_in_and_every_statement_has_the_site() -> None:
    w = writer()
    fill(w, paths.push, {**ROWS, "IT": "v"})
    (made,) = w.function().body
    mark = n.Load("W", n.Binary("+", const(40), local("v")))
    assert isinstance(made, n.If)
    assert made.test == n.Binary("==", mark, const(0))
    assert {statement.site for statement in (made, *made.then)} == {7}


def test_a_test_that_is_never_met_is_left_out_and_blocks_are_written_in_place() -> None:
    w, order = writer(), list[str]()

    def price() -> n.Expr:
        w.assign("needed", const(1))
        return local("needed")

    holes: dict[str, Hole] = {
        **ROWS, "COSTS": 0, "DIRECTIONS": 6, "STEP": 1, "ENOUGH": 0, "SHUT": 0, "BARRED": 0, "TOO_DEAR": 0,
        "ENTER": lambda: order.append("enter"), "LEAVE": lambda: order.append("leave"), "PRICE": price,
    }  # fmt: skip
    fill(w, paths.spread, holes)
    (outer,) = w.function().body
    assert isinstance(outer, n.While)
    assert not any(isinstance(statement, n.If) for statement in outer.body), "ENOUGH and SHUT are 0"
    inner = outer.body[-1]
    assert isinstance(inner, n.While)
    named = [statement.local for statement in inner.body if isinstance(statement, n.Assign)]
    assert named == ["v", "d", "needed", "c", "total"]
    assert order == ["enter", "leave"]


def test_a_hole_that_is_not_filled_is_our_mistake() -> None:
    with pytest.raises(AssertionError, match="MARKS"):
        fill(writer(), paths.push, {"IT": "v"})
