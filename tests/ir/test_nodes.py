"""Operators on expressions write code; nothing of it is worked out but sums that are known."""

from __future__ import annotations

import pytest

from rulewright.ir.nodes import Binary, Const, Expr, Local

A, B = Local("a"), Local("b")


@pytest.mark.parametrize(
    ("made", "op", "left", "right"),
    [
        (A + B, "+", A, B), (A + 1, "+", A, Const(1)), (2 + A, "+", Const(2), A), (A - 0, "-", A, Const(0)),
        (3 - A, "-", Const(3), A), (A * 1, "*", A, Const(1)), (A // 2, "//", A, Const(2)),
        (A % 30, "%", A, Const(30)), (A & B, "&", A, B), (A | B, "|", A, B), (A < 0, "<", A, Const(0)),
        (A <= B, "<=", A, B), (A > B, ">", A, B), (A >= 7, ">=", A, Const(7)),
    ],
)  # fmt: skip
def test_an_operator_is_written_down(made: Expr, op: str, left: Expr, right: Expr) -> None:
    assert made == Binary(op, left, right)


def test_sums_that_are_known_are_worked_out() -> None:
    assert Const(2) + 3 == Const(5)
    assert A + 0 == Const(0) + A == 0 + A == A


def test_what_binds_tighter_stands_inside() -> None:
    assert (A + B * 2 < 9) == Binary("<", Binary("+", A, Binary("*", B, Const(2))), Const(9))


def test_code_is_neither_true_nor_false() -> None:
    with pytest.raises(TypeError, match="neither"):
        bool(A < B)
    with pytest.raises(TypeError, match="neither"):
        assert 0 < A < 9
