"""Questions that are asked of a tree, and ways that lead back to where they began."""

from __future__ import annotations

from rulewright.book import tree as t
from rulewright.book.walk import circle, mentions, needs, nodes, retyped

IT = t.TLocal("it1", t.ACTOR)
TEST = t.Same(IT, t.TLocal("self", t.ACTOR))
TREE = t.IfStmt(TEST, [t.Give(t.Num(1))], [t.Stop()], line=4)


def test_every_node_once_as_it_is_written() -> None:
    kinds = [type(x).__name__ for x in nodes(TREE)]
    assert kinds == ["IfStmt", "Same", "TLocal", "TLocal", "Give", "Num", "Stop"]


def test_which_locals_it_speaks_of() -> None:
    assert mentions(TREE, "it1")
    assert needs(TREE, "self")
    assert not mentions(TREE, "it2")


def test_another_local_takes_the_place_of_one() -> None:
    made = retyped(TREE, t.TLocal("it1", t.SPACE))
    assert made.test == t.Same(t.TLocal("it1", t.SPACE), t.TLocal("self", t.ACTOR))
    assert (made.line, TEST.left) == (4, IT)


def test_a_tree_without_it_stays_the_same() -> None:
    assert retyped(TREE, t.TLocal("it9", t.SPACE)) is TREE


def test_a_way_that_leads_back() -> None:
    ways = {"a": ["b"], "b": ["d", "c"], "c": ["a"], "d": ["d"]}
    assert circle("a", lambda one: ways.get(one, [])) == ["a", "b", "c"]
    assert circle("d", lambda one: ways.get(one, [])) == ["d"]


def test_a_way_that_goes_round_without_coming_back() -> None:
    ways = {"a": ["b"], "b": ["c"], "c": ["b"]}
    assert circle("a", lambda one: ways.get(one, [])) is None
