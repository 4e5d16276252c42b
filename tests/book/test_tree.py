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
    node = object.__new__(kind)
    with pytest.raises(dataclasses.FrozenInstanceError):
        node.line = 1
    with pytest.raises(dataclasses.FrozenInstanceError):
        del node.line


@pytest.mark.parametrize("kind", NODES, ids=lambda kind: kind.__name__)
def test_a_node_is_the_value_of_its_fields(kind: Any) -> None:
    """Made as the dataclass it looks like would be: by place or by name, with its own usual values."""
    names = [field.name for field in dataclasses.fields(kind)]
    like = dataclasses.make_dataclass("Like", [
        (f.name, f.type, dataclasses.field(
            default=f.default, default_factory=f.default_factory, kw_only=f.kw_only))
        for f in dataclasses.fields(kind)
    ])  # fmt: skip
    missing = dataclasses.MISSING
    needed = [f.name for f in dataclasses.fields(kind) if f.default is f.default_factory is missing]
    least = dict.fromkeys(needed, "said")
    made, other = kind(**least), like(**least)
    assert [getattr(made, name) for name in names] == [getattr(other, name) for name in names]
    placed = [field.name for field in dataclasses.fields(kind) if not field.kw_only]
    named = {name: name for name in names if name not in placed}
    full = kind(*placed, **named)
    assert full == kind(**{name: name for name in names})
    assert hash(full) == hash(kind(*placed, **named))
    assert (full == made) is (not names)
    assert pickle.loads(pickle.dumps(full)) == full
    assert repr(full).startswith(kind.__name__)
    assert full != like(**{name: name for name in names})
    if names:
        assert dataclasses.replace(full, **{names[0]: "other"}) != full


@pytest.mark.parametrize("kind", NODES, ids=lambda kind: kind.__name__)
def test_no_field_hides_where_a_node_is_written(kind: Any) -> None:
    names = {field.name for field in dataclasses.fields(kind)}
    assert names & {"written", "span", "opening", "end"} == set()


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
