"""Each node of the tree is lowered by exactly one function, found by its type."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from rulewright.book import tree as t
from rulewright.lower import dispatch, program

TABLES: dict[str, tuple[Any, dict[Any, Any]]] = {
    "numbers": (t.Num_, dispatch.NUMBERS),
    "things": (t.Thing_, dispatch.THINGS),
    "checks": (t.Cond_, dispatch.CHECKS),
    "statements": (t.Stmt_, dispatch.STATEMENTS),
}
BOTH = {t.Run}
"""A component that is run gives a number or a thing: one node, one function, two tables."""
NEITHER = {t.IsWord}
"""An adjective that waits for its noun; none is left when a book is parsed."""


@pytest.mark.parametrize("name", TABLES)
def test_a_table_holds_exactly_the_nodes_of_its_sort(name: str) -> None:
    sort, table = TABLES[name]
    nodes = {kind for kind in vars(t).values() if isinstance(kind, type) and issubclass(kind, sort)}
    assert set(table) == nodes - {sort} - NEITHER


def test_no_node_stands_in_two_tables() -> None:
    seen: dict[type, str] = {}
    for name, (_, table) in TABLES.items():
        for kind in table:
            assert kind in BOTH or kind not in seen, f"{kind} in {seen.get(kind)} and {name}"
            seen[kind] = name


def test_every_module_that_lowers_is_loaded_with_the_program() -> None:
    folder = Path(program.__file__).parent
    texts = {path.stem: path.read_text("utf-8") for path in folder.glob("*.py")}
    lowering = {name for name, text in texts.items() if "\n@lowers(" in text or "\nrow(" in text}
    assert len(lowering) > 20
    asked = "import sys, rulewright.lower.program; print(*sys.modules)"
    told = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)
    assert {f"rulewright.lower.{name}" for name in lowering} <= set(told.stdout.split())


def test_control_a_node_cannot_be_lowered_twice() -> None:
    table: dict[Any, Any] = {}
    dispatch.lowers(table, t.Num)(lambda: None)
    with pytest.raises(AssertionError, match="twice"):
        dispatch.lowers(table, t.Num)(lambda: None)
