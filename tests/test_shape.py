"""How large things are: files, functions, classes, and how deep classes stand on each other.

Nothing may be over a limit: whoever comes to one cuts what has grown into parts.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

SRC = Path(__file__).resolve().parents[1] / "src" / "rulewright"

LINES, STATEMENT_LINES, METHODS, DEPTH = 500, 60, 25, 1


def sizes(root: Path) -> Iterator[tuple[str, int, int]]:
    """Everything that is over a limit: its name, its size, the limit."""
    for path in sorted(root.rglob("*.py")):
        name = path.relative_to(root).as_posix()
        text = path.read_text("utf-8")
        yield name, len(text.splitlines()), LINES
        for node in ast.walk(ast.parse(text)):
            match node:
                case ast.FunctionDef() | ast.AsyncFunctionDef():
                    yield f"{name}:{node.name}", (node.end_lineno or 0) - node.lineno + 1, STATEMENT_LINES
                case ast.ClassDef(body=body):
                    methods = sum(isinstance(x, ast.FunctionDef | ast.AsyncFunctionDef) for x in body)
                    yield f"{name}:{node.name}", methods, METHODS
                case _:
                    pass


def depths(root: Path) -> Iterator[tuple[str, int]]:
    """Each class, and on how many classes of this package it stands, one above the other: 0 for one that
    stands by itself."""
    bases: dict[str, list[str]] = {}
    for path in sorted(root.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ClassDef):
                names = [b.id if isinstance(b, ast.Name) else b.attr for b in node.bases
                         if isinstance(b, ast.Name | ast.Attribute)]  # fmt: skip
                bases.setdefault(node.name, names)

    def depth(name: str) -> int:
        return 1 + max((depth(base) for base in bases[name] if base in bases and base != name), default=-1)

    for name in bases:
        yield name, depth(name)


def test_nothing_is_larger_than_its_limit() -> None:
    assert [(name, size) for name, size, limit in sizes(SRC) if size > limit] == [], "cut it into parts"


def test_classes_do_not_stand_on_towers() -> None:
    assert [(name, depth) for name, depth in depths(SRC) if depth > DEPTH] == []


def test_control_what_is_too_large_is_seen(tmp_path: Path) -> None:
    body = "\n".join("    x = 1" for _ in range(61))
    methods = "\n".join(f"    def m{k}(self): ..." for k in range(26))
    (tmp_path / "a.py").write_text(f"def long():\n{body}\nclass Wide:\n{methods}\n")
    (tmp_path / "b.py").write_text("class A: ...\nclass B(A): ...\nclass C(B): ...\nclass D(C): ...\n")
    assert [(name, size) for name, size, limit in sizes(tmp_path) if size > limit] == [
        ("a.py:long", 62), ("a.py:Wide", 26),
    ]  # fmt: skip
    assert [name for name, depth in depths(tmp_path) if depth > DEPTH] == ["C", "D"]
