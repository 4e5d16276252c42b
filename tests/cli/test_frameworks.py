"""Books for other books: what the commands say of a framework, and where its worked examples are."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import rulewright
from rulewright.cli import main
from rulewright.cli.books import front_of, is_framework
from rulewright.compiler import check
from rulewright.shelf import shelf

FRAMEWORKS = [entry for entry in shelf() if is_framework(front_of(entry.path))]
SMALL = """---
title: Small
seats: 1
{front}
---
# Small

```rules
Score (Resource) of: Match

Match (Sequence)
1. Play  [Score] += 1
         end the match with Over won by everyone

Over (Ending)
```

```example
{title}
do      [Score] += {added}
expect  match: Score 2
```
"""


class Outcome:
    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    monkeypatch.chdir(tmp_path)

    def command(*arguments: str) -> Outcome:
        monkeypatch.setattr(sys, "argv", ["rulewright"])
        with pytest.raises(SystemExit) as stopped:
            main(arguments)
        shown = capsys.readouterr()
        return Outcome(int(stopped.value.code or 0), shown.out, shown.err)

    return command


def test_there_is_one() -> None:
    assert FRAMEWORKS


@pytest.mark.parametrize("entry", FRAMEWORKS, ids=lambda e: e.name)
def test_a_framework_is_rules_only(run, entry: rulewright.Entry) -> None:
    program = rulewright.load(entry.name)
    assert program.rules_only
    with pytest.raises(rulewright.MatchError, match="rules only"):
        rulewright.Match(program)
    (row,) = [line for line in run("list").out.split("\n") if line.startswith(entry.name)]
    assert "rules only" in row
    assert run("check", entry.name).code == 0
    for way in ([], ["--terminal"], ["--seed", "7"]):
        refused = run("play", entry.name, *way)
        assert refused.code == 1
        assert refused.err.startswith(f"rulewright: {program.title} is rules only: it has no scene")
        assert refused.err.count("\n") == 1


@pytest.mark.parametrize("entry", [e for e in shelf() if e not in FRAMEWORKS], ids=lambda e: e.name)
def test_other_books_are_not(entry: rulewright.Entry) -> None:
    assert not rulewright.load(entry.name).rules_only


def test_examples_in_small_books(run, tmp_path: Path) -> None:
    (tmp_path / "tests").mkdir()
    one, two = tmp_path / "tests" / "one.md", tmp_path / "tests" / "two.md"
    (tmp_path / "book.md").write_text(SMALL.format(front="examples: [tests/*.md]", title="Own", added=2))
    one.write_text(SMALL.format(front="", title="One", added=2))
    two.write_text(SMALL.format(front="examples: [gone.md]", title="Two", added=2))
    refused = run("test", "book.md", "--engine", "reference")
    assert (refused.code, "there is no file 'gone.md' with examples" in refused.err) == (1, True)
    two.write_text(SMALL.format(front="", title="Two", added=3))
    shown = run("test", "book.md", "--engine", "reference")
    assert shown.code == 1
    assert [line.split()[:2] for line in shown.out.split("\n") if "md:1" in line and "  " in line][:3] == [
        ["ok", "book.md:18"],
        ["ok", "one.md:18"],
        ["FAIL", "two.md:18"],
    ]
    assert "2 of 3 examples hold" in shown.out


@pytest.mark.parametrize(
    ("pattern", "code"),
    [
        ("gone.md", "missing-part"),
        ("/etc/*", "outside-book"),
        ("''", "bad-front-matter"),
        ("no/*.md", "missing-part"),
    ],
)
def test_examples_that_are_not_there(tmp_path: Path, pattern: str, code: str) -> None:
    path = tmp_path / "book.md"
    path.write_text(SMALL.format(front=f"examples: [{pattern}]", title="Own", added=2))
    (problem,) = check(path).diagnostics
    assert (problem.code, problem.span.line) == (code, 4)
