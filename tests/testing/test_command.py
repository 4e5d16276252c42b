"""`rulewright test` with a file of further examples: which of them are run."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rulewright.cli import main

HERE = Path(__file__).parent
FURTHER = """```example
Give way                                             AB-EX-21
given   Ada: Health 3
do      [Round] = 1
expect  Ada: Health 3
```

```example
Given a wall, nobody passes
do      [Round] = 2
expect  match: Round 2
```
"""


@pytest.fixture
def run(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """The command with some options: the titles that were run, and all that it said."""
    further = tmp_path / "further.md"
    further.write_text(FURTHER)

    def command(*options: str) -> tuple[list[str], str]:
        with pytest.raises(SystemExit):
            main(
                [
                    *("test", str(HERE / "everything.md"), "--engine", "reference"),
                    *(str(further) if option == "FILE" else option for option in options),
                ]
            )
        shown = capsys.readouterr()
        rows = re.findall(r"^(?:ok  |FAIL) \S+  (.*?)(?:  .*)?$", shown.out, re.M)
        return [str(row) for row in rows], shown.out + shown.err

    return command


def test_only_those_of_the_file(run) -> None:
    titles, _ = run("--examples", "FILE", "--no-book")
    assert titles == ["Give way", "Given a wall, nobody passes"]


def test_without_it_those_of_the_book_run_too(run) -> None:
    titles, _ = run("--examples", "FILE")
    assert "Cards" in titles
    assert "Give way" in titles


@pytest.mark.parametrize("words", ["give way", "AB-EX-21", "Give Way"])
def test_only_those_of_a_name_or_number(run, words: str) -> None:
    titles, _ = run("--examples", "FILE", "--only", words)
    assert titles == ["Give way"]


def test_a_name_that_nothing_has_is_said(run) -> None:
    titles, said = run("--only", "Gibe way")
    assert titles == []
    assert "no example of everything.md has 'Gibe way' in its title or numbers" in said


def test_without_a_file_nothing_is_left(run) -> None:
    titles, said = run("--no-book")
    assert titles == []
    assert "--no-book leaves nothing to run without --examples FILE" in said
