"""What is the same for every candidate is asked once, before any is looked at; nothing else is moved."""

from __future__ import annotations

import pytest

from rulewright import load
from rulewright.ir import guards, seeking
from rulewright.ir.link import blank, link
from rulewright.ir.nodes import Const, Function, If
from rulewright.ir.program import HEADER, Program
from rulewright.ir.walk import calls, statements
from rulewright.native import NativeEngine
from rulewright.play.reference import ReferenceEngine
from small_programs import functions

ROW = 6
GOOD, READY, ROUND = HEADER, HEADER + ROW, HEADER + 2 * ROW

LISTING = """
def ready(self, v):
    return 1 if (S[{READY} + self] == 1) else 0
def both(self, v):
    return ready(self, v) if (S[{GOOD} + v] != self) else 0
def few():
    return 1 if (nopt() < 3) else 0
def often(self):
    n = 0
    k = 0
    while k < {ROW}:
        n = n + S[{READY} + k]
        k = k + 1
    return n > self
def lists(self):
    v = -1
    i = -1
    while (i + 1) < {ROW}:
        i = i + 1
        it = i
        if S[{GOOD} + it]:
            v = it
            if {test}:
                opt(1, v, self, -1)
                {act}
    {after}
def main():
    while S[{ROUND}] < 12:
        S[{ROUND}] = S[{ROUND}] + 1
        with ask(0, 0):
            opt(0, 0, 0, 0)
            opt(2, 0, 0, 0)
            lists(S[{ROUND}] % {ROW})
        S[{GOOD} + (S[{ROUND}] * 5) % {ROW}] = S[9]
        S[{READY} + (S[{ROUND}] * 7) % {ROW}] = S[9] != 1
"""
MOVED = {"whole": "ready(self, v)", "part": "both(self, v)", "nested": "(ready(self, v)) if (v != 2) else 0"}
KEPT = {
    "of the candidate": ("S[{READY} + v] == 1", "v = it", "return 0"),
    "of the options": ("few()", "v = it", "return 0"),
    "dear": ("often(self)", "v = it", "return 0"),
    "left from inside": ("ready(self, v)", "return 1", "return 0"),
    "asked for afterwards": ("ready(self, v)", "v = it", "return v"),
}


def book(test: str, act: str = "v = it", after: str = "return 0") -> Program:
    names = {"GOOD": GOOD, "READY": READY, "ROUND": ROUND, "ROW": ROW}
    values = tuple(k % 3 for k in range(ROW)) + tuple(k % 2 for k in range(ROW)) + (0,)
    given = {"test": test.format(**names), "act": act.format(**names), "after": after}
    return link(blank("row", values), functions(LISTING.format(**names, **given)))


def moved(program: Program) -> bool:
    """Does the walk stand behind a test?"""
    return isinstance(program.functions["lists"].body[1], If)


def offered(program: Program, engine: type[ReferenceEngine] | type[NativeEngine]) -> list[object]:
    match = engine(program)
    match.start(1, 1, {})
    match.advance()
    found: list[object] = []
    while options := match.options():
        found.append(list(options))
        match.choose((3 * len(found)) % len(options))
        match.advance()
    return found


def as_written(code: dict[str, Function], _: object) -> dict[str, Function]:
    return code


@pytest.mark.parametrize("test", MOVED)
def test_what_is_offered_is_the_same(test: str, monkeypatch: pytest.MonkeyPatch):
    program = book(MOVED[test])
    assert moved(program)
    monkeypatch.setattr(seeking, "asked_first", as_written)
    plain = book(MOVED[test])
    assert not moved(plain)
    wanted = offered(plain, ReferenceEngine)
    assert max(map(len, wanted)) > 2  # type: ignore[arg-type]
    assert [offered(program, engine) for engine in (ReferenceEngine, NativeEngine)] == [wanted, wanted]


@pytest.mark.parametrize("case", KEPT)
def test_what_may_change_stays(case: str):
    assert not moved(book(*KEPT[case]))


def test_a_wrong_move_is_caught(monkeypatch: pytest.MonkeyPatch):
    """The comparison above can fail: a test taken for steady that is not offers something else."""
    right = offered(book("S[{READY} + v] == 1"), ReferenceEngine)
    monkeypatch.setattr(guards._Asking, "_is_steady", lambda *_: True)  # pyright: ignore[reportPrivateUsage]
    wrong = book("S[{READY} + v] == 1")
    assert moved(wrong)
    assert offered(wrong, ReferenceEngine) != right


def test_a_rich_book_asks_first():
    """Most actions with a target ask for their price before they look at anybody."""
    program = load("vigil")
    walks = [f for name, f in program.functions.items() if name.startswith("list_a_")]
    ahead = [f for f in walks if any(_asks(stmt) for stmt in statements(f.body))]
    assert len(ahead) > len(walks) / 3


def _asks(stmt: object) -> bool:
    return isinstance(stmt, If) and stmt.test != Const(1) and len(stmt.then) == 2 and bool(calls((stmt,)))
