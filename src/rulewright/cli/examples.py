"""The command `test`: run worked examples, count which rules they cover, play matches under the book's laws.

In:  a book, perhaps a file of further examples, perhaps a rules file.
Out: one row an example, what failed and where; the first breach of a law; exit code 1 if anything failed.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from enum import StrEnum
from multiprocessing import get_context
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from rulewright.book.text.files import example_files, read_source
from rulewright.cli.books import BookName
from rulewright.cli.console import Problem, console, read_text
from rulewright.cli.laws import under_laws
from rulewright.compiler import compile_book, compile_tests, find_book
from rulewright.players.guide import played, read_guide
from rulewright.shelf import find
from rulewright.testing.coverage import Coverage, coverage, is_vector
from rulewright.testing.examples import WorkedExample, parse_example
from rulewright.testing.runner import ExampleResult, run_examples

MANY = 4
"""So many small books are worth processes of their own."""


class EngineName(StrEnum):
    """Which engine runs the examples."""

    reference = "reference"
    native = "native"
    both = "both"


Only = Annotated[
    str, typer.Option("--only", metavar="NAME", help="Only examples whose title or number holds this.")
]
Breach = Annotated[
    Path | None, typer.Option("--breach", metavar="FILE", help="Where a match that breaks a law is written.")
]


def run_book(
    book: BookName,
    examples: Annotated[
        Path | None, typer.Option("--examples", metavar="FILE", help="A Markdown file with further examples.")
    ] = None,
    engine: Annotated[
        EngineName, typer.Option("--engine", help="`both` also compares the two, state by state.")
    ] = EngineName.both,
    only: Only = "",
    alone: Annotated[bool, typer.Option("--no-book", help="With --examples: not those of the book.")] = False,
    rules: Annotated[
        Path | None,
        typer.Option(
            "--coverage", metavar="RULES", help="A rules file: show which of its rules are cited and covered."
        ),
    ] = None,
    matches: Annotated[
        int | None,
        typer.Option(
            "--matches", min=0, help="Matches under the laws of the book; 300 if it states any, or a bound."
        ),
    ] = None,
    breach: Breach = None,
) -> None:
    """Run the worked examples of a book, and play matches under its laws.

    An example fails when something is not as it says, when a die is left over or missing, or when a choice is
    not on offer; the message names the line and both values. docs/language.md shows how to write them.
    A book whose front matter lists `examples:` runs those of the small books named there as well, unless
    --examples names a file.

    Laws are looked at whenever somebody decides, in matches that chance and the strategies play. The first
    breach is shown with the rule that broke it, and the shortest match in which it happens is written to
    `NAME-breach.json`, for `rulewright replay`.

    Examples: `rulewright test mygame.md --only retreat`, `rulewright test mygame.md --matches 20000`
    """
    path = find(book)
    if examples is not None:
        read_text(examples)  # one clear line if it cannot be read
    elif alone:
        raise Problem("--no-book leaves nothing to run without --examples FILE")
    wanted = Wanted(only, examples.name if alone and examples is not None else "")
    out = console()
    results: list[ExampleResult] = []
    texts: list[str] = []
    for tested in run_all(path, examples, engine.value, wanted):
        results += tested.results
        texts += [text for file, text in tested.texts.items() if examples is None or file != examples.name]
        show_results(out, tested.results)
    if rules is not None:
        worked = [result.example for result in results]
        show_coverage(out, rules.name, coverage(read_text(rules), texts, worked))
    if not results and only:
        raise Problem(f"no example of {path.name} has '{only}' in its title or numbers")
    failed = _sum_up(out, path.name, engine, results)
    kept = examples is not None or bool(only) or under_laws(out, path, matches, breach)
    lost = show_guide(out, path) if examples is None and not only else False
    if failed or lost or not kept:
        raise typer.Exit(1)


def _sum_up(out: Console, name: str, engine: EngineName, results: list[ExampleResult]) -> int:
    """One line about all examples; how many failed."""
    failed = sum(not result.passed for result in results)
    where = "both engines" if engine is EngineName.both else f"the {engine.value} engine"
    if results:
        out.print(f"{len(results) - failed} of {len(results)} examples hold on {where}")
    else:
        out.print(f"{name} has no worked examples")
    return failed


def show_guide(out: Console, path: Path) -> bool:
    """Play the book's guided first match, if it has one; whether it has gone astray."""
    guide, wrong = read_guide(read_source(path, find_book).texts)
    if guide is None:
        return False
    if not wrong:
        wrong = played(compile_book(path), guide)
    for mistake in wrong:
        out.print(f"FAIL guided match  {mistake}", style="red", soft_wrap=True)
    if not wrong:
        out.print(f"the guided match holds: {len(guide.steps)} choices")
    return bool(wrong)


@dataclass(frozen=True, slots=True)
class Tested:
    """A book whose examples were run."""

    results: list[ExampleResult]
    texts: dict[str, str]


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which examples to run: words of the title or its numbers, a file; nothing said: all."""

    words: str = ""
    file: str = ""

    def __call__(self, example: WorkedExample) -> bool:
        """Whether this one is wanted."""
        said = f"{example.title} {' '.join(example.ids)}".casefold()
        return self.words.casefold() in said and self.file in ("", example.file)


def run_one(path: Path, further: Path | None, engine: str, wanted: Wanted) -> Tested:
    """The examples of one book, and those of a further file."""
    tests = compile_tests(path, further)
    if further is not None and not any(e.file == further.name for e in tests.examples):
        raise Problem(f"{further} holds no `example` fence")
    worked = [parse_example(e.file, e.line, e.lines) for e in tests.examples]
    chosen = [number for number, example in enumerate(worked) if wanted(example)]
    return Tested(run_examples(tests.program, worked, engine, tests.problems, chosen), tests.texts)


def run_all(path: Path, further: Path | None, engine: str, wanted: Wanted) -> Iterator[Tested]:
    """The book, then the small books that it names; when those are many, on all processors."""
    small = example_files(path) if further is None else []
    if len(small) < MANY:
        yield from (run_one(one, further, engine, wanted) for one in (path, *small))
        return
    with ProcessPoolExecutor(os.cpu_count(), get_context("spawn")) as pool:
        for waiting in [pool.submit(run_one, one, None, engine, wanted) for one in (path, *small)]:
            yield waiting.result()


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
