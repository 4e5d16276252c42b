"""The command `test`: run worked examples, count which rules they cover.

In:  a book, perhaps a file of further examples, perhaps a rules file.
Out: one row an example, what failed and where; exit code 1 if anything failed.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from rulewright.book.source import example_files
from rulewright.cli.books import BookName
from rulewright.cli.console import Problem, console, read_text
from rulewright.compiler import compile_tests
from rulewright.shelf import find
from rulewright.testing.coverage import Coverage, coverage, is_vector
from rulewright.testing.examples import WorkedExample, parse_example
from rulewright.testing.runner import ExampleResult, run_examples


class EngineName(StrEnum):
    """Which engine runs the examples."""

    reference = "reference"
    native = "native"
    both = "both"


def run_book(
    book: BookName,
    examples: Annotated[
        Path | None, typer.Option("--examples", metavar="FILE", help="A Markdown file with further examples.")
    ] = None,
    engine: Annotated[
        EngineName, typer.Option("--engine", help="`both` also compares the two, state by state.")
    ] = EngineName.both,
    rules: Annotated[
        Path | None,
        typer.Option(
            "--coverage", metavar="RULES", help="A rules file: show which of its rules are cited and covered."
        ),
    ] = None,
) -> None:
    """Run the worked examples of a book.

    An example fails when something is not as it says, when a die is left over or missing, or when a choice is
    not on offer; the message names the line and both values. docs/language.md shows how to write them.
    A book whose front matter lists `examples:` runs those of the small books named there as well, unless
    --examples names a file.

    Example: `rulewright test mygame.md --engine reference`
    """
    path = find(book)
    if examples is not None:
        read_text(examples)  # one clear line if it cannot be read
    small = example_files(path) if examples is None else []
    books = [compile_tests(path, examples), *(compile_tests(file) for file in small)]
    if examples is not None and not any(e.file == examples.name for e in books[0].examples):
        raise Problem(f"{examples} holds no `example` fence")
    out = console()
    worked: list[WorkedExample] = []
    results: list[ExampleResult] = []
    for tests in books:
        these = [parse_example(e.file, e.line, e.lines) for e in tests.examples]
        results += run_examples(tests.program, these, engine.value, tests.problems)
        show_results(out, results[len(worked) :])
        worked += these
    if rules is not None:
        texts = [
            text
            for tests in books
            for file, text in tests.texts.items()
            if examples is None or file != examples.name
        ]
        show_coverage(out, rules.name, coverage(read_text(rules), texts, worked))
    failed = sum(not result.passed for result in results)
    if not results:
        out.print(f"{path.name} has no worked examples")
        return
    where = "both engines" if engine is EngineName.both else f"the {engine.value} engine"
    out.print(f"{len(results) - failed} of {len(results)} examples hold on {where}")
    if failed:
        raise typer.Exit(1)


def show_results(out: Console, results: list[ExampleResult]) -> None:
    """A row an example, and below it what failed."""
    for result in results:
        out.print("ok  " if result.passed else "FAIL", style="green" if result.passed else "red", end=" ")
        ids = f"  {', '.join(result.example.ids)}" if result.example.ids else ""
        where = f"{result.example.file}:{result.example.line}"
        out.print(f"{where}  {result.example.title}{ids}")
        for failure in result.failures:
            out.print(f"       {failure}", soft_wrap=True)


def show_coverage(out: Console, name: str, found: Coverage) -> None:
    """A row a series of rules: how many, how many cited, how many covered, what is missing."""
    table = Table(
        box=None, pad_edge=False, padding=(0, 2, 0, 0), title=f"Rules of {name}", title_justify="left"
    )
    for heading in ("series", "rules", "cited", "covered", "not cited", "not covered"):
        table.add_column(heading, justify="right" if heading in ("rules", "cited", "covered") else "left")
    for series in found.series:
        missing = [
            _numbers(r for r in series.rules if r not in there) for there in (series.cited, series.covered)
        ]
        counts = (str(len(part)) for part in (series.rules, series.cited, series.covered))
        table.add_row(series.name, *counts, *missing)
    out.print(table)
    rules = [rule for rule in found.rules if not is_vector(rule)]
    vectors = [rule for rule in found.rules if is_vector(rule)]
    out.print(
        f"{len(rules)} rules: {sum(r in found.cited for r in rules)} cited, "
        f"{sum(r in found.covered for r in rules)} covered by an example; "
        f"{sum(v in found.covered for v in vectors)} of {len(vectors)} worked examples realised"
    )
    if found.unknown:
        out.print(f"covered, but not in {name}: {', '.join(found.unknown)}")


def _numbers(rules: Iterable[str]) -> str:
    """Only the last parts: the series stands at the start of the row."""
    return " ".join(rule.rsplit("-", 1)[1] for rule in rules)
