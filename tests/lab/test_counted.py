"""What a run counts besides wins: ranks, numbers, rows of tables, numbers over time; and its JSON."""

from __future__ import annotations

import _thread
import itertools
import json
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from rulewright import Match, Program, load
from rulewright.ir import events as kinds
from rulewright.ir.sheet import UNKNOWN
from rulewright.lab import Run, simulate
from rulewright.lab.again import again
from rulewright.lab.counting import counting
from rulewright.lab.over_time import tick_of
from rulewright.lab.report import summary, to_json, used
from rulewright.lab.simulate import Worker, play_one, setting
from rulewright.native.outer import map as at
from rulewright.play.knowledge import find_field
from rulewright.players.levels import unhurried

ROOT = Path(__file__).parents[2]
SCHEMA = json.loads((ROOT / "docs" / "run.schema.json").read_text("utf-8"))
MARKET = """---
title: Market
seats: 2
---
# Market

**Weather (Table)** rolls 1d2

| Roll | Name | Effect            |
|------|------|-------------------|
| 1    | Rain | [Wet] += 1        |
| 2    | Sun  | say "a fine day"  |

```rules
Coins (Resource)
Wet (Resource) of: Match
Trader (Template) box: 2; seat: each
Match (Sequence)
1. Set up  put every Trader out of play in play
2. Days    repeat 5 times: #Round
3. Close   end the match with Closed won by Trader 1, scores [Coins]
Round (Sequence)
1. Look    #Weather
2. Sell    for each Trader: it chooses "sell": "much": [Coins of it] += 3
                                               "little": [Coins of it] += 1
Closed (Ending)
```
"""


class Greedy:
    """Always sells much."""

    name = "greedy seller"

    def decide(self, now: Any) -> int:
        return 0


class Weary(Greedy):
    """Wants to be interrupted after so many decisions."""

    name = "weary"
    asked = itertools.count()
    """Counts in one step, whichever threads ask."""
    patience = 60

    def decide(self, now: Any) -> int:
        if next(Weary.asked) == Weary.patience:
            _thread.interrupt_main()
        return 0


@pytest.fixture(scope="module")
def market(tmp_path_factory: pytest.TempPathFactory) -> Program:
    path = tmp_path_factory.mktemp("books") / "market.md"
    path.write_text(MARKET, "utf-8")
    return load(path)


def test_numbers_over_time_are_those_that_were_there(market: Program) -> None:
    run = simulate(market, 20, [f"{__name__}:Greedy"])
    found = summary(run)["over_time"]
    assert found["clock"] == "rounds"
    rows = {row["name"]: row for row in found["numbers"]}
    coins = rows["Coins"]
    assert coins["of"] == "actor"
    assert [(row["at"], row["mean"]) for row in coins["moments"]] == [
        (1, 0),
        (2, 3),
        (3, 6),
        (4, 9),
        ("end", 15),
    ], "what each trader has when a round begins"
    wet = rows["Wet"]["moments"]
    rain = next(row for row in used(run) if row.name == "Weather: Rain")
    assert wet[-1]["mean"] == rain.times / 20
    assert wet[1]["interval"][0] < wet[1]["mean"] < wet[1]["interval"][1]


def test_ticks_are_looked_at_ever_more_seldom() -> None:
    assert [tick_of(k) for k in range(at.MOMENTS)][:9] == [1, 2, 3, 4, 6, 8, 12, 16, 24]
    assert tick_of(at.MOMENTS - 2) == 256
    assert tick_of(at.MOMENTS - 1) == "end"


@pytest.mark.parametrize("book", ["penance-2", "raven-road"])
def test_events_tell_every_change_of_what_is_followed(book: str) -> None:
    """Numbers over time go back from the end of a match through its events: of whoever is in play nothing may
    change in silence. (A number that was not looked at before may be worked out without a word.)"""
    program = load(book)
    table = setting(program, seed=3)
    counts = counting(program, len(table.names))
    engine = Worker(table, counts, listen=True).engine
    here, leads = (find_field(program, "Actor", name) for name in ("in play", "controller"))
    assert here is not None
    assert leads is not None
    log: list[tuple[int, ...]] = []
    seen: list[tuple[int, dict[tuple[int, int], int]]] = []

    def look(_: int) -> None:
        log.extend(engine.events())
        found: dict[tuple[int, int], int] = {}
        for row in counts.follows:
            for owner in range(len(row.has)):
                told = row.kind == at.OF_MATCH or (
                    engine.peek(here.base + owner) and 0 <= engine.peek(leads.base + owner) < len(table.names)
                )
                found[row.field, owner] = engine.peek(row.base + owner) if told else UNKNOWN
        seen.append((len(log), found))

    play_one(table, 0, engine, [unhurried(program, name) for name in table.names], look)
    look(0)
    now = {(row.field, o): engine.peek(row.base + o) for row in counts.follows for o in range(len(row.has))}
    compared = 0
    for count, then in reversed(seen):
        while len(log) > count:
            kind, _, field, owner, old, *_ = log.pop()
            if kind == kinds.CHANGE and (field, max(0, owner)) in now:
                now[field, max(0, owner)] = old
        known = {key: value for key, value in then.items() if value != UNKNOWN}
        assert {key: now[key] for key in known} == known
        compared += len(known)
    assert compared > 100


def test_rows_of_tables_are_counted(market: Program) -> None:
    run = simulate(market, 200, ["random"])
    rows = {row.name: row for row in used(run) if row.kind == "row"}
    assert set(rows) == {"Weather: Rain", "Weather: Sun"}
    assert sum(row.times for row in rows.values()) == 5 * 200
    assert rows["Weather: Sun"].matches > 150
    assert "a fine day" not in {row.name for row in used(run)}


def test_rows_count_for_who_did_what_they_came_up_in(tmp_path: Path) -> None:
    """In the market the first trader always wins, and the weather is nobody's."""
    found: dict[str, dict[str, Any]] = {}
    outing = "Outing (Sequence)\n1. Go  act once, no pass\n\nStroll (Action)\ndo: #Weather\n\nClosed (Ending)"
    for who in ("Trader 1", "Trader 2", ""):
        text = MARKET.replace("Closed (Ending)", outing) if who else MARKET
        path = tmp_path / "market.md"
        changed = text.replace("Look    #Weather", f"Look    #Outing on {who}") if who else text
        path.write_text(changed, "utf-8")
        rows = summary(simulate(load(path), 200, ["random"]))["used"]
        found[who] = next(row for row in rows if row["name"] == "Weather: Rain")
    assert [row["share"] for row in found.values()] == [1, 0, None]
    assert [row["seats"] == row["matches"] for row in found.values()] == [True, True, False]
    assert found["Trader 1"]["interval"][0] > 0.9
    assert found[""]["times"] > 400


def test_the_first_drawn_match_is_known() -> None:
    run = simulate(load(ROOT / "tests" / "classics" / "tic-tac-toe.md"), 60, ["random"], seed=4)
    first = run.sums[at.DRAW_FIRST] - 1
    drawn = [number for number in range(60) if shared(run, number)]
    assert (drawn[0], len(drawn)) == (first, run.draws)


def shared(run: Run, number: int) -> bool:
    """Whether a match of a run was drawn."""
    replay = again(run.setting, number)
    match = Match(run.setting.program, list(replay.players), replay.seed)
    for choice in replay.choices:
        match.choose(choice)
    return match.result is not None and match.result.scores.count(2) > 0


def test_ranks_and_numbers_are_those_of_the_matches(market: Program) -> None:
    run = simulate(market, 40, ["random", f"{__name__}:Greedy"])
    ranks, scores = [0, 0], [0, 0]
    for number in range(run.matches):
        replay = again(run.setting, number)
        match = Match(market, list(replay.players), replay.seed)
        for choice in replay.choices:
            match.choose(choice)
        assert match.result is not None
        assert match.result.points is not None
        for name in range(2):
            seat = run.setting.seat_of(name, number)
            ranks[name] += match.result.ranks[seat]
            scores[name] += match.result.points[seat]
    rows = summary(run)["standings"]
    assert [row["rank"] for row in rows] == [rank / 40 for rank in ranks]
    assert [row["score"] for row in rows] == [score / 40 for score in scores]
    assert rows[1]["score"] == 15
    low, high = rows[0]["score_interval"]
    assert low < rows[0]["score"] < high < 15
    seats = summary(run)["by_seat"]
    assert sum(row["score"] for row in seats) == pytest.approx(sum(row["score"] for row in rows))
    assert seats[0]["rank"] < seats[1]["rank"], "the first trader always wins"


@pytest.fixture
def interruptible() -> Iterator[None]:
    """A program that was started in the background is deaf to interrupts."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("interruptible")
def test_an_interrupt_leaves_whole_matches_from_the_first_on(market: Program) -> None:
    part = simulate(market, 4000, [f"{__name__}:Weary"], jobs=2)
    assert 0 < part.matches < 4000
    assert simulate(market, part.matches, [f"{__name__}:Weary"]).sums == part.sums


def test_the_json_is_as_the_schema_says(market: Program) -> None:
    check = jsonschema.Draft202012Validator(SCHEMA)
    duel = load(ROOT / "bench" / "duel.md")
    runs = [
        simulate(market, 30, ["random", f"{__name__}:Greedy"]),
        simulate(market, 1, ["random"], listen=False),
        simulate(duel, 30, ["random"], jobs=2),
    ]
    for run in runs:
        check.validate(json.loads(to_json(run)))
    facts = json.loads(to_json(runs[0]))
    assert not check.is_valid({**facts, "more": 1})
    for key in ("book", "program", "matches", "seats", "wins", "draws", "decisions", "seconds", "seed"):
        assert not check.is_valid({name: value for name, value in facts.items() if name != key})
