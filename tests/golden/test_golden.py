"""Text -> tree -> code, one small book a file, and the digest of every book's Program.

`make golden` writes what is there now; review is a diff. In a case, fences `tree NAME.FIELD` and `ir PATTERN`
hold what is expected of a definition and of the functions whose names fit the pattern. A digest holds for one
text of a book: who changes a book's text need not write it again, who changes the compiler must.
"""

from __future__ import annotations

import fnmatch
import hashlib
import os
import re
from pathlib import Path
from typing import Any

import pytest

from golden import printing
from rulewright.book.symbols import Symbols, norm
from rulewright.compiler import check, compile_checked
from rulewright.ir import nodes as n
from rulewright.lower import program as lowering
from rulewright.lower.layout import Layout
from rulewright.shelf import shelf

HERE = Path(__file__).parent
CASES = sorted(HERE.glob("*.md"))
DIGESTS = HERE / "books.txt"
WRITE = bool(os.environ.get("RULEWRIGHT_UPDATE"))
FENCE = re.compile(r"^```(tree|ir) ([^\n]+)\n(.*?)^```$", re.S | re.M)


def lowered(
    symbols: Symbols, monkeypatch: pytest.MonkeyPatch
) -> tuple[dict[str, n.Function], dict[int, str]]:
    """The functions of a book before they are split and joined with kernels, and the names of its slots."""
    kept: dict[str, Any] = {}

    def link(tables: Any, functions: dict[str, n.Function]) -> None:
        kept["functions"] = functions

    monkeypatch.setattr(lowering, "link", link)
    real = Layout.build

    def build(self: Layout) -> Layout:
        kept["layout"] = self
        return real(self)

    monkeypatch.setattr(Layout, "build", build)
    lowering.lower("case", symbols, [])
    return kept["functions"], printing.slot_names(kept["layout"])


def definition(symbols: Symbols, name: str) -> Any:
    """What a book defines under this name."""
    sentences = {norm(x.component.name): x.component for x in symbols.sentences}
    for table in (
        symbols.actions, symbols.components, sentences, symbols.features, symbols.statuses,
        symbols.strategies, {norm(x.name): x for x in symbols.rules},
    ):  # fmt: skip
        if norm(name) in table:
            return table[norm(name)]
    raise AssertionError(f"the case defines no '{name}'")


def shown(path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The case with its trees and code as they are now."""
    checked = check(path)
    assert not checked.errors, checked.errors
    functions, slots = lowered(checked.symbols, monkeypatch)

    def fill(fence: re.Match[str]) -> str:
        what, title, _ = fence.groups()
        if what == "tree":
            name, _, field = title.partition(".")
            text = printing.tree(getattr(definition(checked.symbols, name), field))
        else:
            fits = [
                f for name, f in functions.items() if any(fnmatch.fnmatch(name, p) for p in title.split())
            ]
            assert fits, f"no function is called {title}: {sorted(functions)}"
            text = printing.code(fits, slots)
        return f"```{what} {title}\n{text}```"

    text = path.read_text("utf-8")
    assert FENCE.search(text), "a case has a fence `tree` or `ir`"
    return FENCE.sub(fill, text)


@pytest.mark.parametrize("path", CASES, ids=lambda p: p.stem)
def test_a_case_is_as_written(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = shown(path, monkeypatch)
    if WRITE:
        path.write_text(found, "utf-8")
    assert found == path.read_text("utf-8")


def test_every_book_has_the_program_it_had() -> None:
    found: dict[str, tuple[str, str]] = {}
    for entry in shelf():
        checked = check(entry.path)
        texts = "\0".join(f"{name}\0{text}" for name, text in sorted(checked.texts.items()))
        text = hashlib.sha256(texts.encode()).hexdigest()[:16]
        found[entry.name] = (text, compile_checked(checked).digest[:16])
    if WRITE:
        DIGESTS.write_text("".join(f"{name} {' '.join(said)}\n" for name, said in found.items()))
        return
    kept = DIGESTS.read_text().splitlines()
    assert kept == [f"{name} {' '.join(said)}" for name, said in found.items()], (
        "if it is meant: `make golden`"
    )


def test_control_a_case_of_another_book_differs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    case = next(path for path in CASES if path.stem.startswith("01"))
    other = tmp_path / case.name
    other.write_text(case.read_text("utf-8").replace("+= 2", "+= 3"), "utf-8")
    assert shown(other, monkeypatch) != other.read_text("utf-8")
