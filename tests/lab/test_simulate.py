"""Very many matches: who wins is told by name, the same for any jobs, and any match can be opened."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from rulewright import Match, MatchError, Program, load
from rulewright.lab import simulate
from rulewright.lab.again import again
from rulewright.lab.intervals import corrected, mean, share
from rulewright.lab.report import from_json, silent, summary, to_json, used
from rulewright.native.outer import map as at
from rulewright.play.replay import Replay
from rulewright.players import search

DUEL = Path(__file__).parents[2] / "bench" / "duel.md"

FIRST_SHARE, LENGTH = 0.539989, 27.8908
"""The duel solved exactly, for two random players."""


@pytest.fixture(scope="module")
def duel() -> Program:
    return load(DUEL)


class First:
    """A player of one's own: always the first option."""

    name = "first"

    def decide(self, now: Any) -> int:
        return 0


class Wrong:
    """A player that takes what is not there."""

    name = "wrong"

    def decide(self, now: Any) -> int:
        return 99


def plain(text: str) -> dict[str, Any]:
    return {key: value for key, value in json.loads(text).items() if key != "seconds"}


def test_the_duel_is_what_it_is_solved_to(duel: Program) -> None:
    run = simulate(duel, 10**6, ["random"], seed=10**6)
    facts = summary(run)
    low, high = facts["by_seat"][0]["interval"]
    assert low < FIRST_SHARE < high
    low, high = facts["length"]["moves_interval"]
    assert low < LENGTH < high
    assert high - low < 0.05
    assert sum(run.wins) == run.matches == 10**6


def test_jobs_change_nothing(duel: Program) -> None:
    one = simulate(duel, 3000, ["random"], seed=5)
    assert plain(to_json(simulate(duel, 3000, ["random"], seed=5, jobs=3))) == plain(to_json(one))
    assert simulate(duel, 3000, ["random"], seed=6).sums != one.sums


def test_each_seed_is_played_with_everybody_at_each_seat(duel: Program) -> None:
    run = simulate(duel, 2000, [f"{__name__}:First", "random"])
    assert run.setting.rotations == 2
    assert run.wins[0] > 1.5 * run.wins[1], "attacking at once is better than anything"
    seats = summary(run)["by_seat"]
    assert abs(seats[0]["wins"] - seats[1]["wins"]) < 400, "wherever it sits"
    one, other = again(run.setting, 10), again(run.setting, 11)
    assert one.seed == other.seed
    assert one.players != other.players


def test_a_run_goes_on_where_it_was_interrupted(duel: Program) -> None:
    def stop(done: int, matches: int) -> None:
        if done > 500:
            raise KeyboardInterrupt

    part = simulate(duel, 4000, ["random"], progress=stop, jobs=2)
    assert 500 < part.matches < 4000
    kept = from_json(duel, to_json(part))
    whole = simulate(duel, 4000, ["random"], before=kept)
    assert whole.sums == simulate(duel, 4000, ["random"]).sums
    with pytest.raises(MatchError, match="another book"):
        simulate(duel, 4000, ["random"], seed=1, before=kept)


@pytest.mark.parametrize("who", ["random", f"{__name__}:First"])
def test_any_match_of_a_run_can_be_opened(duel: Program, who: str) -> None:
    run = simulate(duel, 60, [who, "random"])
    wins = [0, 0]
    for number in range(60):
        replay = Replay.from_json(again(run.setting, number).to_json())
        replay.verify(duel)
        match = Match(duel, list(replay.players), replay.seed)
        for choice in replay.choices:
            match.choose(choice)
        assert match.result is not None
        for name in range(2):
            wins[name] += match.result.scores[run.setting.seat_of(name, number)] == 1
    assert tuple(wins) == run.wins


def test_what_is_used_and_what_never_is(duel: Program, tmp_path: Path) -> None:
    run = simulate(duel, 2000, ["random"])
    rows = {row.name: row for row in used(run) if row.kind == "action"}
    assert rows["Attack"].matches == 2000
    assert rows["Attack"].times > 9 * 2000
    assert silent(run) == []
    book = tmp_path / "dead.md"
    dead = "Rest\nrequires: [Health] > 29 AND [Guard] > 1\ndo: [Health] += 1\n\n"
    book.write_text(DUEL.read_text().replace("Fallen (Feature)", dead + "Fallen (Feature)", 1))
    assert silent(simulate(load(book), 2000, ["random"])) == ["Rest"]


def test_what_cannot_be_played_is_refused(duel: Program) -> None:
    with pytest.raises(MatchError, match="nobody is called 'Somebody'"):
        simulate(duel, 10, ["Somebody"])
    for name in ("search-0", "search-000", "search-" + "9" * 5000, "search-"):
        with pytest.raises(MatchError, match="nobody is called"):
            simulate(duel, 10, [name])
    with pytest.raises(MatchError, match="is for 2 seats"):
        simulate(duel, 10, ["random", "random", "random"])
    with pytest.raises(MatchError, match="no player"):
        simulate(duel, 10, ["nowhere:nobody"])
    with pytest.raises(MatchError, match="none of"):
        simulate(duel, 10, [f"{__name__}:Wrong"])
    for wrong in (0, -1, 1.5, "ten"):
        with pytest.raises(ValueError, match="matches"):
            simulate(duel, wrong, ["random"])  # pyright: ignore[reportArgumentType]
    run = simulate(duel, 10, ["random"])
    for text in ("", "[]", "{}", to_json(run).replace('"asked"', '"axed"')):
        with pytest.raises(MatchError):
            from_json(duel, text)


def test_intervals() -> None:
    low, high = share(50, 100)
    assert (round(low, 3), round(high, 3)) == (0.404, 0.596)
    assert share(0, 0) == (0.0, 1.0)
    low, high = mean(500, 2600, 100)
    assert low < 5 < high
    assert high - low == pytest.approx(2 * 1.96 * (1 * 100 / 99) ** 0.5 / 10, rel=1e-3)
    assert corrected(1) == pytest.approx(1.96, abs=0.001)
    assert corrected(100) > 3.4


def test_faults_are_counted_and_told(duel: Program) -> None:
    from dataclasses import replace

    run = simulate(replace(duel, bound=20, digest=""), 200, ["random"])
    facts = summary(run)
    assert 0 < run.faults < 200
    assert run.sums[at.MATCHES] == 200
    assert facts["fault_match"] is not None
    assert sum(run.wins) == 200 - run.faults


def test_levels_of_a_run_have_no_clock(duel: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same matches on a machine so busy that every look at the clock finds a second gone."""
    quiet = simulate(duel, matches=4, seats=("medium", "random"), seed=5)
    ticks = itertools.count()
    monkeypatch.setattr(search, "time", SimpleNamespace(perf_counter=lambda: float(next(ticks))))
    busy = simulate(duel, matches=4, seats=("medium", "random"), seed=5)
    assert (busy.points, busy.decisions) == (quiet.points, quiet.decisions)
