"""How large things are: files, functions, classes, and how deep classes stand on each other.

What is over a limit today stands in EXCEEDS with its size. The list can only shrink: whoever mends one takes
it out, and nothing that is not in it may exceed.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

SRC = Path(__file__).resolve().parents[1] / "src" / "rulewright"

LINES, STATEMENT_LINES, METHODS, DEPTH = 500, 60, 25, 2

EXCEEDS: dict[str, int] = {
    "book/blocks/scenes.py": 512,
    "book/grammar/cursor.py:Cursor": 27,
    "book/grammar/statements.py": 542,
    "book/text/files.py:_read_file": 62,
    "cli/balance.py:balance_book": 62,
    "cli/examples.py:run_book": 70,
    "cli/play.py:play_book": 90,
    "cli/replays.py:replay_match": 65,
    "cli/simulate.py:simulate_book": 62,
    "lab/balance.py:balance": 61,
    "native/engine.py:NativeEngine": 31,
    "play/match.py": 550,
    "play/match.py:Match": 36,
    "play/reference.py:ReferenceEngine": 29,
    "play/reference.py:_intrinsics": 71,
    "serve/api.py:build": 77,
    "serve/tables.py:Tables": 26,
}
"""`file` lines, `file:function` lines, `file:class` methods."""


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
    """Each class, and on how many classes of this package it stands, one above the other."""
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


def test_nothing_grows_beyond_its_limit() -> None:
    over = {name: size for name, size, limit in sizes(SRC) if size > limit}
    new = {name: size for name, size in over.items() if size > EXCEEDS.get(name, 0)}
    assert new == {}, "larger than allowed: cut it into parts"


def test_what_was_mended_is_taken_off_the_list() -> None:
    over = {name for name, size, limit in sizes(SRC) if size > limit}
    assert [name for name in EXCEEDS if name not in over] == []


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
    assert [name for name, depth in depths(tmp_path) if depth > DEPTH] == ["D"]
