"""A match and its engines are one thing: what cannot be copied, pickled or shared says so in one sentence."""

from __future__ import annotations

import copy
import os
import pickle
import threading
from collections.abc import Callable

import pytest

from rulewright.engine import Game
from rulewright.native import NativeEngine
from rulewright.play.faults import MatchError
from rulewright.play.match import Match
from rulewright.play.reference import ReferenceEngine
from serve.tables_kit import program

MADE: dict[str, Callable[[], object]] = {
    "Match": lambda: Match(program("hands")),
    "native Match": lambda: Match(program("hands"), engine="native"),
    "ReferenceEngine": lambda: ReferenceEngine(program("hands")),
    "NativeEngine": lambda: NativeEngine(program("hands")),
    "Game": lambda: Game(program("hands")),
    "State": lambda: Game(program("hands")).start(),
}


@pytest.mark.parametrize("name", list(MADE))
@pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy, pickle.dumps])
def test_what_cannot_be_copied_says_what_to_do(name: str, duplicate: Callable[[object], object]) -> None:
    with pytest.raises(TypeError, match=rf"^a {name.split()[-1]} cannot be copied or pickled: \w"):
        duplicate(MADE[name]())


def test_a_program_can_be_pickled_and_copied() -> None:
    book = program("hands")
    assert pickle.loads(pickle.dumps(book)) == copy.deepcopy(book) == book


@pytest.mark.parametrize("engine", ["reference", "native"])
def test_threads_that_share_a_match_lose_nothing(engine: str) -> None:
    """Each choice is made once or refused in one sentence; what was made is a match that can be played
    again."""
    match = Match(program("hands"), engine=engine, seed=3)
    said: set[str] = set()
    made: list[int] = []

    def play() -> None:
        for _ in range(60):
            try:
                match.choose(0)
                made.append(1)
            except MatchError as error:
                said.add(str(error).split(":")[0])

    threads = [threading.Thread(target=play) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    over = "the match has ended, there is nothing to choose"
    assert said <= {"this match is being used by another thread", over}
    assert len(match.replay.choices) == len(made)
    match.replay.verify(program("hands"))


@pytest.mark.parametrize("engine", ["reference", "native"])
def test_who_comes_in_the_middle_of_a_choice_is_refused(engine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing by chance: one thread stands still while its choice is made, and another one comes."""
    match = Match(program("hands"), engine=engine, seed=3)
    inside, go_on = threading.Event(), threading.Event()
    real = match.engine.step

    def slow(index: int) -> bool:
        inside.set()
        assert go_on.wait(20)
        return real(index)

    monkeypatch.setattr(match.engine, "step", slow)
    first = threading.Thread(target=match.choose, args=(0,))
    first.start()
    assert inside.wait(20)
    for again in (lambda: match.choose(0), lambda: match.undo(0)):
        with pytest.raises(MatchError, match=r"^this match is being used by another thread"):
            again()
    go_on.set()
    first.join()
    assert len(match.replay.choices) == 1
    match.replay.verify(program("hands"))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
@pytest.mark.parametrize("engine", ["reference", "native"])
def test_after_a_fork_both_go_on_by_themselves(engine: str) -> None:
    match = Match(program("hands"), engine=engine, seed=5)
    match.choose(0)
    child = os.fork()
    if child == 0:
        match.choose(1)
        os._exit(match.hash % 251)
    before = match.hash
    _, status = os.waitpid(child, 0)
    assert match.hash == before
    match.choose(1)
    assert os.waitstatus_to_exitcode(status) == match.hash % 251
