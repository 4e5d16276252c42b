"""Every command from outside: what it prints, where it fails, and that it never shows a traceback."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from rulewright.cli import main

ROOT = Path(__file__).resolve().parents[2]
RULES = "- **AB-TURN-01** One.\n- **AB-TURN-02** Two.\n"


class Outcome:
    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    """A command in an empty folder, with lines on its standard input."""
    monkeypatch.chdir(tmp_path)

    def command(*arguments: str, typed: str = "") -> Outcome:
        import io

        monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        with pytest.raises(SystemExit) as stopped:
            main(arguments)
        shown = capsys.readouterr()
        assert "Traceback" not in shown.out + shown.err
        return Outcome(int(stopped.value.code or 0), shown.out, shown.err)

    return command


@pytest.fixture
def game(run) -> str:
    assert run("new", "game").code == 0
    return "game.md"


def test_python_m_rulewright(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "rulewright", "--help"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0
    for name in ("list", "new", "check", "test", "play", "serve", "replay"):
        assert f" {name} " in done.stdout


def test_help_teaches_by_example(run) -> None:
    for name in ("list", "new", "check", "test", "play", "serve", "replay"):
        shown = run(name, "--help")
        assert shown.code == 0
        assert "Example" in shown.out, name


def test_list(run) -> None:
    names = run("list", "--names").out.split()
    assert names == sorted(names)
    shown = run("list").out
    assert all(name in shown for name in names)


def test_new_makes_a_book_that_checks_tests_and_plays(run, game: str) -> None:
    assert "no mistakes found" in run("check", game).out
    tested = run("test", game)
    assert (tested.code, "2 of 2 examples hold on both engines" in tested.out) == (0, True)
    played = run("play", game, "--terminal", "--seat", "random,random", "--seed", "1")
    assert (played.code, "The match has ended: Victory" in played.out) == (0, True)


def test_new_never_overwrites(run, game: str) -> None:
    again = run("new", "game.md")
    assert (again.code, again.err) == (1, "rulewright: game.md is there already; choose another name\n")
    assert run("new", "../x").code == 1


def test_check_counts_errors_and_points_at_them(run, game: str, tmp_path: Path) -> None:
    path = tmp_path / game
    path.write_text(path.read_text().replace("[Guard] = 0", "[Gaurd] = 0"))
    shown = run("check", game)
    assert shown.code == 1
    assert re.search(r"game\.md:\d+:\d+: error\[unknown-name\]: .*'Gaurd'", shown.out)
    assert "did you mean 'Guard'?" in shown.out
    assert "1 error, 0 warnings" in shown.out
    for command in ("test", "play"):
        refused = run(command, game)
        assert refused.code == 1
        assert "'Gaurd'" in refused.err
        assert refused.err.endswith("rulewright: the book has 1 error, so it cannot run\n")


def test_a_failed_example_fails_the_command(run, game: str, tmp_path: Path) -> None:
    path = tmp_path / game
    path.write_text(path.read_text().replace("expect  Duelist 2: Health 0", "expect  Duelist 2: Health 1"))
    shown = run("test", game, "--engine", "reference")
    assert shown.code == 1
    lines = path.read_text().split("\n")
    line = 1 + lines.index("expect  Duelist 2: Health 1")
    assert f"game.md:{line}:9: Duelist 2: expected Health 1, is 0" in shown.out
    assert "1 of 2 examples hold on the reference engine" in shown.out


def test_further_examples(run, game: str, tmp_path: Path) -> None:
    (tmp_path / "more.md").write_text(
        "```example\nMore\ngiven Duelist 1, Duelist 2: Health 5\ndo #Turn on Duelist 1\ndice 1d6=1\n"
        "choose Duelist 1: Strike\nexpect Duelist 2: Health 5\n```\n"
        "```rules\nBleed (Effect)\ndo: [Health] -= 4\n```\n"
        "```example\nWith a rule of its own\ngiven Duelist 1: Health 5\ndo #Bleed on Duelist 1\n"
        "expect Duelist 1: Health 1\n```\n"
    )
    shown = run("test", game, "--examples", "more.md")
    assert (shown.code, "4 of 4 examples hold" in shown.out) == (0, True)
    (tmp_path / "none.md").write_text("no fence\n")
    assert run("test", game, "--examples", "none.md").err == "rulewright: none.md holds no `example` fence\n"
    assert run("test", game, "--examples", "gone.md").err.startswith("rulewright: cannot read gone.md")


def test_coverage(run, game: str, tmp_path: Path) -> None:
    path = tmp_path / game
    text = path.read_text().replace("## The end", "Some prose. AB-TURN-01, -02\n\n## The end")
    path.write_text(
        text.replace("The last blow ends the match\n", "The last blow ends the match\ncovers AB-TURN-02\n")
    )
    (tmp_path / "rules.md").write_text(RULES)
    shown = run("test", game, "--engine", "reference", "--coverage", "rules.md")
    assert shown.code == 0
    assert re.search(r"AB-TURN +2 +2 +1 +01", shown.out)
    assert "2 rules: 2 cited, 1 covered by an example" in shown.out


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (("check", "nothing"), 1, "no book is called 'nothing'"),
        (("check", "gone.md"), 1, "there is no file 'gone.md'"),
        (("check", "."), 1, "is a folder"),
        (("check",), 2, "BOOK"),
        (("sing",), 2, "sing"),
        (("test", "game.md", "--engine", "fast"), 2, "--engine"),
        (("play", "game.md", "--seed", "x"), 2, "--seed"),
        (("play", "game.md", "--seat", "you,ada"), 1, "nobody is called 'ada'"),
        (("play", "game.md", "--seat", "you,you,you"), 1, "at most 2 seats, not 3"),
        (("play", "game.md", "--option", "Weather"), 1, "write --option NAME=WORD"),
        (("play", "game.md", "--option", "Weather=foul"), 1, "has no option 'Weather'"),
        (("play", "game.md", "--scenario", "Foggy"), 1, "has no scenarios"),
        (("replay", "gone.json"), 1, "cannot read gone.json"),
        (("replay", "game.md"), 1, "not a replay"),
        (("replay", "."), 1, "cannot read"),
    ],
)
def test_bad_input_is_one_clear_line(
    run, game: str, arguments: tuple[str, ...], code: int, words: str
) -> None:
    shown = run(*arguments)
    assert shown.code == code
    assert words in shown.err
    if code == 1:
        assert shown.err.count("\n") == 1
        assert shown.err.startswith("rulewright: ")


def saved(run, game: str) -> dict[str, object]:
    shown = run("play", game, "--terminal", "--seed", "3", typed="1\n2\nsave match.json\nquit\n")
    assert "Saved to match.json." in shown.out
    return json.loads(Path("match.json").read_text())


def test_replay_verifies_shows_and_steps(run, game: str) -> None:
    assert len(saved(run, game)["choices"]) >= 2  # type: ignore[arg-type]
    shown = run("replay", "match.json", "--book", game, "--verify")
    assert (shown.code, "the same final state" in shown.out) == (0, True)
    log = run("replay", "match.json", "--book", game, "--show").out
    assert "You: Strike: Duelist 2" in log
    steps = run("replay", "match.json", "--book", game, typed="\nwhy\nb\n1\nlog\nx\n\nq\n")
    assert steps.code == 0
    assert "choice 0 of" in steps.out
    assert "choice 1 of" in steps.out
    assert "next: You takes 1 Strike: Duelist 2" in steps.out


def test_replay_of_another_book_or_a_damaged_one(run, game: str, tmp_path: Path) -> None:
    replay = saved(run, game)
    assert "no book that ships is called 'Game'" in run("replay", "match.json").err
    for change in (
        {"choices": [0, 99]},
        {"hash": "0" * 16},
        {"players": ["A"]},
        {"choices": ["x"]},
        {"seed": None},
    ):
        (tmp_path / "bad.json").write_text(json.dumps({**replay, **change}))
        for arguments in (("--verify",), ("--show",)):
            shown = run("replay", "bad.json", "--book", game, *arguments)
            if (change, arguments) != ({"hash": "0" * 16}, ("--show",)):
                assert (shown.code, shown.err.count("\n")) == (1, 1), (change, arguments)
    (tmp_path / game).write_text((tmp_path / game).read_text().replace("1d6 >= 3", "1d6 >= 2"))
    assert "another version of Game" in run("replay", "match.json", "--book", game).err


def test_play_reads_a_pipe_to_its_end(run, game: str) -> None:
    shown = run("play", game, "--terminal", "--seed", "3", typed="why\n")
    assert (shown.code, "You leave the table." in shown.out) == (0, True)
