"""Laws: matches under them, the breach that is found, what broke it, and how short it becomes."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from rulewright.cli.app import app
from rulewright.compiler import check, compile_book
from rulewright.ir.program import Program
from rulewright.lab import laws
from rulewright.lab.laws import watch, watched
from rulewright.native.engine import NativeEngine
from rulewright.native.module import reached
from rulewright.play.match import Match
from rulewright.play.reference import ReferenceEngine

BOOK = """---
title: Law
seats: 2-3
---
```rules
HP (Resource) range: 0 to 30; starts: 5
Full (Resource) range: 0 to 30; starts: 8
Mood (Option) words: calm, wild; default: calm
Player (Template) box: 3; seat: each
Queue (Order)
Win (Ending)

Nobody is overhealed (Law) every Player has [HP] <= [Full]
All wait (Law) every Player is in Queue

Heal (Action)
do: [HP] += 2

Rest (Action)
do: [HP] -= 1

Ponder (Action)
do: say "hm"

Careful (Strategy) plays: a seat
prefer: Rest

Turn (Sequence)
1. Act   act once

Match (Sequence)
1. Begin  for each Player out of play where it has a seat: put it in play, add it to Queue
2. Play   repeat 12 times: for each actor in Queue: #Turn on it
3. Close  end the match with Win won by everyone
```
"""


def book(folder: Path, text: str = BOOK) -> Path:
    path = folder / "law.md"
    path.write_text(text)
    return path


@pytest.fixture
def program(tmp_path: Path) -> Program:
    return compile_book(book(tmp_path))


def test_a_breach_is_found_explained_and_shrunk(program: Program) -> None:
    found = watch(program, 50)
    assert found.laws == ("Nobody is overhealed", "All wait")
    assert found.breach is not None
    assert found.breach.law == "Nobody is overhealed"
    assert found.breach.cause.text == "Player 1: HP 7 -> 9 [Heal]"
    assert found.breach.cause.place.title == "Heal"
    replay = found.breach.replay
    assert len(replay.choices) == 3 <= found.breach.first_found, "heal, anything of the other, heal"
    replay.verify(program)
    replay.verify(program, NativeEngine)
    match = Match(program, replay.players, replay.seed, replay.options)
    for choice in replay.choices:
        assert law(match) == 0
        match.choose(choice)
    assert law(match) == 1


def test_a_law_is_looked_at_when_the_match_has_ended(tmp_path: Path) -> None:
    text = BOOK.replace("starts: 8", "starts: 30")
    text = text.replace("3. Close  ", "3. Close  clear Queue\n          ")
    program = compile_book(book(tmp_path, text))
    found = watch(program, 50).breach
    assert found is not None
    assert found.law == "All wait"
    assert "Close" in found.cause.text or found.cause.place.title == "Match"
    assert len(found.replay.choices) == 12 * len(found.replay.players), "nothing can be left out"
    found.replay.verify(program)


def law(match: Match) -> int:
    """The first law that does not hold, as the reference says."""
    engine = match.engine
    assert isinstance(engine, ReferenceEngine)
    holds = [engine.functions[law.holds]() for law in match.program.sheet.laws]
    return holds.index(0) + 1 if 0 in holds else 0


def test_the_same_run_finds_the_same(program: Program) -> None:
    assert watch(program, 50).breach == watch(program, 50).breach


def test_a_book_that_keeps_its_laws(tmp_path: Path) -> None:
    kept = compile_book(book(tmp_path, BOOK.replace("starts: 8", "starts: 30")))
    found = watch(kept, 200)
    assert (found.matches, found.breach) == (200, None)


def test_settings_differ(program: Program) -> None:
    tables = [laws._table(program, group, {}) for group in range(12)]  # pyright: ignore[reportPrivateUsage]
    assert {len(table.policies) for table in tables} == {2, 3}
    assert {table.options["Mood"] for table in tables} == {"calm", "wild"}
    assert {policy for table in tables for policy in table.policies} == {0, 1}
    assert tables[0].policies == (0, 0)


def test_rules_that_fail_are_found_as_well(tmp_path: Path) -> None:
    text = BOOK.replace('say "hm"', "repeat while [HP] < 99: [Full] += 1").replace("starts: 8", "starts: 30")
    found = watch(compile_book(book(tmp_path, text)), 50).breach
    assert found is not None
    assert found.law == ""
    assert "Ponder" in found.cause.text
    assert found.replay.choices == ()


def test_play_pays_nothing(program: Program) -> None:
    functions = {law.holds for law in program.sheet.laws}
    assert functions <= program.functions.keys()
    assert not functions & reached(program)
    more = watched(program)
    assert (more.segments, more.initial, more.size) == (program.segments, program.initial, program.size)


def test_the_command_shows_it_and_writes_a_match(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    path = book(tmp_path)
    done = CliRunner().invoke(app, ["test", str(path), "--matches", "20"])
    assert done.exit_code == 1
    assert "'Nobody is overhealed' does not hold after 3 choices: Player 1: HP 7 -> 9 [Heal]" in done.output
    assert "by Heal, law.md:17" in done.output
    shown = CliRunner().invoke(app, ["replay", "law-breach.json", "--book", str(path), "--show"])
    assert shown.exit_code == 0, shown.output
    assert "HP 7 -> 9" in shown.output
    assert CliRunner().invoke(app, ["test", str(path), "--matches", "0"]).exit_code == 0


ENDLESS = """---
title: Endless
seats: 1
bound: 5
---
# Endless

```rules
Round (Resource) of: Match
Runner (Actor) seat: 1
Home (Ending)

Match (Sequence)
1. Start    put Runner in play
2. Run      repeat while [Round] < 6: #Lap on Runner
3. Close    end the match with Home won by Runner

Lap (Effect)
do: choose: "on": [Round] += 1
            "wait": say "hm"
```
"""


def test_the_command_plays_a_book_that_only_states_a_bound(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "endless.md"
    path.write_text(ENDLESS)
    done = CliRunner().invoke(app, ["test", str(path)])
    assert done.exit_code == 1
    assert "beyond the bound the book states" in done.output
    path.write_text(
        ENDLESS.replace('"wait": say "hm"', '"run": [Round] += 2').replace("bound: 5", "bound: 6")
    )
    done = CliRunner().invoke(app, ["test", str(path)])
    assert done.exit_code == 0, done.output
    assert "300 matches ended, none after more than 6 decisions" in done.output
    path.write_text(ENDLESS.replace("bound: 5\n", ""))
    assert "matches" not in CliRunner().invoke(app, ["test", str(path)]).output


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("Odd (Law) every Player has [Hp] <= 3", "no resource is called"),
        ("Odd (Law) 1d6 > 2", "dice have no place"),
        ("Odd (Law) note: nothing", "does not say what must hold"),
    ],
)
def test_laws_that_say_nothing_sound_are_reported(line: str, said: str, tmp_path: Path) -> None:
    text = BOOK.replace("Heal (Action)", f"{line}\n\nHeal (Action)")
    messages = [d.message for d in check(book(tmp_path, text)).diagnostics]
    assert any(said in message for message in messages), messages


def test_a_law_may_ask_a_check_about_each(tmp_path: Path) -> None:
    """A law speaks of nobody in particular; a check that it runs for somebody is about that one."""
    sound = "Sound (Check) with: who (Actor)\n[HP of who] <= 9\n\nAll sound (Law) every Player is Sound\n"
    text = BOOK.replace("All wait (Law)", sound + "All wait (Law)")
    path = tmp_path / "law.md"
    path.write_text(text)
    assert not check(path).errors
    assert {law.name for law in compile_book(path).sheet.laws} >= {"All sound", "All wait"}
