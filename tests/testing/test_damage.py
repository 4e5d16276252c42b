"""Damaged examples fail with a message; they never break the runner."""

from __future__ import annotations

import random
from dataclasses import dataclass
from pathlib import Path

from rulewright.compiler import compile_tests
from rulewright.testing import parse_example, run_example

BOOK = Path(__file__).parent / "everything.md"
SCRAPS = ["", *": ; , = top Ada Bo Lunge 3 -1 not at (1,0) [ 1d6= of by pass".split()]


@dataclass
class Line:
    number: int
    column: int
    text: str


def damaged(chance: random.Random, text: str) -> str:
    """One change: a word gone, doubled, swapped with a scrap, or a character lost."""
    words = text.split(" ")
    at = chance.randrange(len(words))
    match chance.randrange(5):
        case 0:
            del words[at]
        case 1:
            words.insert(at, words[chance.randrange(len(words))])
        case 2:
            words[at] = chance.choice(SCRAPS)
        case 3:
            words[at] = words[at][: chance.randrange(len(words[at]) + 1)]
        case _:
            chance.shuffle(words)
    return " ".join(words)


def test_damaged_lines_never_raise() -> None:
    tests = compile_tests(BOOK)
    chance = random.Random(5)
    failed = 0
    for round_ in range(400):
        index = chance.randrange(len(tests.examples))
        source = tests.examples[index]
        lines = [Line(line.number, line.column, line.text) for line in source.lines]
        for _ in range(1 + round_ % 3):
            line = chance.choice(lines)
            if not line.text.startswith(("do", " ", "expect  that")):
                line.text = damaged(chance, line.text)
        example = parse_example(source.file, source.line, lines)
        if not example.problems:
            failed += not run_example(tests.program, example, index + 1).passed
        else:
            failed += 1
    assert failed > 200
