"""A function under construction: what is folded, what is left out, and which locals come from outside."""

from __future__ import annotations

from itertools import count

from rulewright.ir import nodes as n
from rulewright.lower.writer import Writer, absent, both, call, const, equal, local, mul, present, truth


def writer() -> Writer:
    return Writer("f", (), False, (), count(1))


def test_what_is_known_is_worked_out() -> None:
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
    with w.while_(local("mine") < local("limit")):
        w.assign("mine", local("mine") + 1)
    assert w.free() == ("theirs", "limit")


def test_whole_numbers_stand_for_themselves() -> None:
    assert call("minimum", local("a"), 3) == n.Call("minimum", (local("a"), const(3)))
    w = writer()
    w.give(4)
    assert w.function().body == (n.Return(const(4)),)


def test_steps_come_before_what_is_done_with_them() -> None:
    w = writer()
    with w.stepping(3) as i:
        w.call("seen", i)
    before, loop = w.function().body
    assert before == n.Assign(i.name, const(-1))
    assert isinstance(loop, n.While)
    assert loop.body == (n.Assign(i.name, i + 1), n.Do(call("seen", i)))


def test_one_of_two_blocks() -> None:
    w = writer()
    w.either(local("a"), lambda: w.assign("b", 1), lambda: w.assign("b", 2))
    assert w.function().body == (n.If(local("a"), (n.Assign("b", const(1)),), (n.Assign("b", const(2)),)),)
