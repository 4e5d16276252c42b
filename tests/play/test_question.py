"""What a decision asks never shows the name that a rule has for what is chosen."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from rulewright import Match, Program
from rulewright.compiler import compile_book
from rulewright.play.words import question
from rulewright.shelf import shelf

TESTS = Path(__file__).parents[1]
SMALL = [*sorted((TESTS / "bluff").glob("*.md")), *sorted((TESTS / "classics").glob("*.md"))]
SHIPPED = [entry.path for entry in shelf() if entry.name != "methuen"]  # that one holds rules only


def asked(program: Program) -> Iterator[tuple[str, str]]:
    """Prompts of a match, each with what people read."""
    match, chance = Match(program, seed=2, engine="native"), random.Random(2)
    for _ in range(150):
        decision = match.decision
        if decision is None:
            return
        yield decision.prompt, question(program, decision.prompt, decision.options)
        match.choose(chance.randrange(len(decision.options)))


@pytest.mark.parametrize("path", [*SHIPPED, *SMALL], ids=lambda path: path.stem)
def test_no_question_is_the_name_of_a_variable(path: Path) -> None:
    program = compile_book(path)
    names = {verb.text.partition(": {")[0] for verb in program.sheet.verbs if ": {" in verb.text}
    told = dict(asked(program))
    assert told
    for prompt, words in told.items():
        assert len(words) > 1
        assert words not in names, prompt
        assert not re.fullmatch(r"[a-z]\w*", words), prompt
