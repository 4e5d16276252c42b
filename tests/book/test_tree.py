"""The nodes of a tree are values: nobody changes one after it was made."""

from __future__ import annotations

import dataclasses
import pickle
from typing import Any

import pytest

from rulewright.book import tree as t
from rulewright.book.walk import retyped

SORTS = (t.Num_, t.Thing_, t.Cond_, t.Stmt_, t.Selector, t.Pref)
NODES = [
    kind
    for kind in vars(t).values()
    if isinstance(kind, type) and issubclass(kind, SORTS) and kind not in SORTS[:4]
]


@pytest.mark.parametrize("kind", NODES, ids=lambda kind: kind.__name__)
def test_a_node_is_frozen(kind: Any) -> None:
    assert kind.__dataclass_params__.frozen


@pytest.mark.parametrize("kind", NODES, ids=lambda kind: kind.__name__)
def test_no_field_hides_where_a_node_is_written(kind: Any) -> None:
    names = {field.name for field in dataclasses.fields(kind)}
    assert names & {"written", "span", "opening"} == set()


def test_where_a_node_is_written_is_not_kept_with_it() -> None:
    """A book that is edited is compared by what it says: a blank line more is no other rule."""
    node = t.Never(t.Always(True))
    object.__setattr__(node, "written", (None, None))
    assert not hasattr(pickle.loads(pickle.dumps(node)), "written")
    assert pickle.loads(pickle.dumps(node)) == node


def test_a_local_gets_its_type_everywhere_in_a_tree() -> None:
    early = t.TLocal("it1", "?")
    tree = t.Both([t.Never(t.InPlay(early)), t.Same(early, t.TLocal("self", t.ACTOR)), t.Always(True)])
    made = retyped(tree, t.TLocal("it1", t.ACTOR))
    assert made == t.Both([
        t.Never(t.InPlay(t.TLocal("it1", t.ACTOR))),
        t.Same(t.TLocal("it1", t.ACTOR), t.TLocal("self", t.ACTOR)),
        t.Always(True),
    ])  # fmt: skip
    assert tree.parts[0] == t.Never(t.InPlay(early))


def test_control_a_node_cannot_be_changed() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        t.Num(1).value = 2  # type: ignore[misc]
