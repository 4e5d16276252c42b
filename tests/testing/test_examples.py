"""Worked examples: what can be said holds where it should, and fails where it should, on every engine."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rulewright.compiler import CompiledExamples, compile_tests
from rulewright.testing import ExampleResult, WorkedExample, parse_example, run_example, run_examples
from rulewright.testing.examples import WORDS, read_ids

HERE = Path(__file__).parent
FURTHER = HERE / "failures.md"


@pytest.fixture(scope="module")
def everything() -> CompiledExamples:
    return compile_tests(HERE / "everything.md", FURTHER)


def worked(tests: CompiledExamples) -> list[WorkedExample]:
    return [parse_example(e.file, e.line, e.lines) for e in tests.examples]


def run_all(tests: CompiledExamples, engine: str) -> list[ExampleResult]:
    return run_examples(tests.program, worked(tests), engine, tests.problems)


@pytest.mark.parametrize("engine", ["reference", "native", "both"])
def test_what_holds(everything: CompiledExamples, engine: str) -> None:
    results = [r for r in run_all(everything, engine) if r.example.file == "everything.md"]
    assert len(results) >= 8
    assert [str(failure) for result in results for failure in result.failures] == []


def wanted_failures() -> dict[int, list[tuple[int, int | None, str]]]:
    """For the line of each fence in failures.md: the lines that must fail, perhaps the column, and words
    of the messages."""
    found: dict[int, list[tuple[int, int | None, str]]] = {}
    text = FURTHER.read_text("utf-8")
    for match in re.finditer(r"^```example\n(.*?)^```\n```failures\n(.*?)^```$", text, re.S | re.M):
        line = text.count("\n", 0, match.start()) + 1
        rows = re.findall(r"^(\d+)(?::(\d+))?: (.*)$", match[2], re.M)
        found[line] = [
            (int(number), int(column) if column else None, words) for number, column, words in rows
        ]
    return found


@pytest.mark.parametrize("engine", ["reference", "native"])
def test_what_fails_and_where(everything: CompiledExamples, engine: str) -> None:
    wanted = wanted_failures()
    results = [r for r in run_all(everything, engine) if r.example.file == "failures.md"]
    assert sorted(wanted) == sorted(r.example.line for r in results)
    for result in results:
        start, rows = result.example.line, wanted[result.example.line]
        shown = "\n".join(str(failure) for failure in result.failures)
        assert len(result.failures) == len(rows), f"{result.example.title}:\n{shown}"
        for (line, column, words), failure in zip(rows, result.failures, strict=True):
            assert (failure.line - start, words in failure.message) == (line, True), f"{words}\n{shown}"
            assert column in (None, failure.column), shown


def test_a_named_pick_is_resolved_once_and_carried_over(everything: CompiledExamples) -> None:
    examples = worked(everything)
    index = next(i for i, e in enumerate(examples) if e.title == "Cards")
    first = run_example(everything.program, examples[index], index + 1, "reference")
    again = run_example(everything.program, examples[index], index + 1, "native", first.results)
    assert first.passed
    assert again.passed
    assert first.trace == again.trace
    assert len(first.results) == 1


def test_rules_may_have_a_word_for_a_number() -> None:
    assert read_ids("RR-ST-BLEED, RR-TURN-01, -02b and AB-CD-EF") == [
        *("RR-ST-BLEED", "RR-TURN-01", "RR-TURN-02b", "AB-CD-EF")
    ]
    assert read_ids("nothing, RR-1, A-B-C") == []


@pytest.mark.parametrize("word", [*WORDS, "law", "title"])
def test_a_title_may_begin_with_any_word(word: str) -> None:
    """As written, where it begins with a capital letter; behind the word `title` in any case."""
    for first, title in ((f"{word.capitalize()} or not", None), (f"title   {word} or not", f"{word} or not")):
        rows = [_Line(2, first), _Line(3, "given   Ada: Health 3"), _Line(4, "expect  Ada: Health 3")]
        example = parse_example("x.md", 1, rows)
        assert example.problems == ()
        assert example.title == (title or first)
        assert [s.word for s in example.steps] == ["given", "expect"]


class _Line:
    def __init__(self, number: int, text: str) -> None:
        self.number, self.text, self.column = number, text, len(text) - len(text.lstrip())


def test_titles_numbers_and_dice() -> None:
    lines = [
        "A title of its own                    AB-EX-07, CD-EX-1a",
        "covers  AB-TURN-01, -02, CD-HIT-05 and -06",
        "dice    d6=2 1d20=15, 8  Attack Die=STRIKE, JAM; random=A Name",
        "  5, 3",
        "given   Ada: Health 1,   (a remark)",
        "        Armor 2",
    ]
    example = parse_example("x.md", 1, [_Line(i, text) for i, text in enumerate(lines, 2)])
    assert example.problems == ()
    assert (example.title, example.ids) == ("A title of its own", ("AB-EX-07", "CD-EX-1a"))
    assert example.covers == ("AB-TURN-01", "AB-TURN-02", "CD-HIT-05", "CD-HIT-06")
    assert [str(die) for die in example.dice] == [
        *("d6=2", "d20=15", "d20=8", "Attack Die=STRIKE", "Attack Die=JAM", "random=A Name", "5", "3"),
    ]
    assert [(s.word, s.line) for s in example.steps] == [("given", 6)]
    assert "Armor 2" in example.steps[0].text
