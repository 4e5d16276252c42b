"""A function under construction: what is folded, what is left out, and which locals come from outside."""

from __future__ import annotations

from itertools import count

from rulewright.ir import nodes as n
from rulewright.lower.writer import Writer, absent, add, both, const, equal, local, mul, present, truth


def writer() -> Writer:
    return Writer("f", (), False, (), count(1))


def test_what_is_known_is_worked_out() -> None:
    assert add(const(2), 3) == const(5)
    assert add(local("a"), 0) == add(const(0), local("a")) == local("a")
    assert mul(const(4), 3) == const(12)
    assert mul(local("a"), 1) == local("a")


def test_all_of_several_are_asked_only_while_they_hold() -> None:
    a, b = equal(local("a"), 1), present(local("b"))
    assert both([]) == const(1)
    assert both([a]) == a
    assert both([a, b]) == n.Pick(a, b, const(0))


def test_a_truth_is_no_more_than_one() -> None:
    assert truth(absent(local("a"))) == absent(local("a"))
    assert truth(local("a")) == n.Pick(local("a"), const(1), const(0))


def test_a_block_without_statements_is_left_out() -> None:
    w = writer()
    with w.if_(const(1)):
        pass
    assert w.function().body == ()


def test_fresh_locals_have_names_of_their_own() -> None:
    w = writer()
    assert w.temp(const(1), "a") != w.temp(const(1), "a")


def test_locals_that_are_only_read_come_from_outside() -> None:
    w = writer()
    w.assign("mine", local("theirs"))
    with w.while_(n.Binary("<", local("mine"), local("limit"))):
        w.assign("mine", add(local("mine"), 1))
    assert w.free() == ("theirs", "limit")
