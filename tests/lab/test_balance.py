"""The report: planned, not timed; the same again; it finds what was planted; it reads without a network."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest

from rulewright import Program, load
from rulewright.cli import main
from rulewright.lab.balance import Balance, balance
from rulewright.lab.charts import charts
from rulewright.lab.findings import Finding, findings
from rulewright.lab.page import library, log_of, page, verdict
from rulewright.lab.plan import plan
from rulewright.native.outer import map as at

pytest.importorskip("vl_convert", reason="the extra `balance` is not installed")

ROOT = Path(__file__).parents[2]
DUEL = ROOT / "bench" / "duel.md"
CLASSICS = ROOT / "tests" / "classics"
ROOM = 28
"""Signs of a line of a title that fit at an axis on a phone."""


@pytest.fixture(scope="module")
def duel() -> Program:
    return load(DUEL)


@pytest.fixture(scope="module")
def found(duel: Program) -> Balance:
    return balance(duel, minutes=0.1)


def of(said: list[Finding], part: str) -> list[Finding]:
    return [finding for finding in said if finding.part == part]


def test_what_it_says_of_the_duel(found: Balance) -> None:
    said = findings(found)
    (edge, *_) = of(said, "seats")
    assert edge.tone == "look", "the first fighter wins 54 of a hundred"
    assert edge.title == "Seat 1 is better off under random"
    assert of(said, "never")[0].tone == "good"
    assert of(said, "skill")[0].title == "Better play wins"
    assert "deserve a look" in verdict(found, said)
    assert all(finding.title and not finding.title.endswith(".") for finding in said)


def test_the_same_report_again_for_any_jobs(duel: Program, found: Balance) -> None:
    assert page(found) == page(balance(duel, minutes=0.1, jobs=2))


def test_it_reads_without_a_network_and_its_matches_open(found: Balance, tmp_path: Path, capsys: Any) -> None:
    text = page(found)
    own = text.replace(library().replace("</script", "<\\/script"), "")
    assert len(own) < len(text) - 500_000
    assert not re.search(r"<(script|link|img)[^>]*(src|href)=", own)
    runs = json.loads(re.search(r'<script id="runs"[^>]*>(.*?)</script>', text, re.S)[1])  # type: ignore[index]
    assert {run["name"] for run in runs} == set(found.runs)
    charts = json.loads(re.search(r'<script id="charts"[^>]*>(.*?)</script>', text, re.S)[1])  # type: ignore[index]
    assert all(f'id="{place}"' in text for place in charts)
    for link in re.findall(r'href="#([^"]+)"', text):
        assert f'id="{link}"' in text, link
    file = tmp_path / "report.html"
    file.write_text(text, "utf-8")
    with pytest.raises(SystemExit):
        main(["replay", "--of", f"{file}:plain:3", "--book", str(DUEL), "--show"])
    assert f"ended: {found.plain.setting.program.sheet.endings[0]}" in capsys.readouterr().out
    with pytest.raises(SystemExit):
        main(["replay", "--of", f"{file}:nowhere:3", "--book", str(DUEL)])
    assert "has no run 'nowhere'" in capsys.readouterr().err


def test_a_planted_point_of_damage_is_found(tmp_path: Path) -> None:
    """The second fighter hits a little harder: the edge turns over, and the report says so."""
    book = tmp_path / "planted.md"
    text = DUEL.read_text().replace("1d8 + 3", "1d8 + 3 + (2 if self is Fighter 2 else 0)")
    book.write_text(text)
    (edge, *_) = of(findings(balance(load(book), minutes=0.1)), "seats")
    assert edge.tone == "bad"
    assert edge.title in ("Seat 2 is better off under random", "Seat 1 is worse off under random")


def test_everybody_together() -> None:
    found = balance(load("raven-road"), minutes=0.05)
    said = findings(found)
    assert found.together
    assert not found.matrices
    assert of(said, "seats")[0].title == "The match can be won and lost"
    assert [step.player for step in found.ladder][:2] == ["random", "Old Scout"]
    assert "seat" not in of(said, "skill")[0].title
    assert log_of(found.plain, 0)[-1].startswith("ended: ")
    assert max(map(len, titles(charts(found)))) <= ROOM
    text = page(found)
    assert "</html>" in text
    assert "<small>Can it be won, and lost?</small>" in text
    assert "edge by seat" not in text
    (left,) = (finding for finding in said if "too short" in finding.title)
    assert "`--minutes`" in left.detail
    assert "<code><span>--minutes</span></code>" in text, "not broken after its first sign"


def titles(spec: Any) -> Iterator[str]:
    """Every line of a title at an axis."""
    if isinstance(spec, dict):
        row: dict[str, Any] = spec
        title = row.get("title") if "type" in row else None
        yield from [title] if isinstance(title, str) else title or ()
        for part in row.values():
            yield from titles(part)
    elif isinstance(spec, list):
        for part in cast("list[Any]", spec):
            yield from titles(part)


def test_a_phone_has_room_for_what_stands_at_an_axis(found: Balance) -> None:
    """Lines of titles are short, and numbers are fewer where there is less room for them."""
    drawn = charts(found)
    assert "decisions in a match" in titles(drawn)
    assert max(map(len, titles(drawn))) <= ROOM
    (length,) = drawn["length"]
    assert "width <" in length["encoding"]["x"]["axis"]["tickCount"]["expr"]


def test_a_few_long_matches_leave_the_others_room(found: Balance) -> None:
    """One match in a thousand of a hundred times the length is told of, and not drawn."""
    (usual,) = charts(found)["length"]
    rows = usual["data"]["values"]
    assert usual["encoding"]["x"]["title"] == ["decisions in a match"]
    sums = list(found.plain.sums)
    sums[at.LENGTHS + 100] += 1
    (cut,) = charts(replace(found, plain=replace(found.plain, sums=tuple(sums))))["length"]
    assert cut["data"]["values"][-1]["end"] <= rows[-1]["end"]
    many = sum(row["matches"] for row in rows)
    longer = many + 1 - sum(row["matches"] for row in cut["data"]["values"])
    assert cut["encoding"]["x"]["title"][1] == f"{longer} of {many + 1:,} took longer"
    assert 1 <= longer <= many // 50 + 1


def test_time_is_planned(duel: Program) -> None:
    short, long = plan(duel, 28, 2, 0.2), plan(duel, 28, 2, 3)
    assert long.plain >= short.plain
    assert [rung.player for rung in long.ladder] == ["random", "medium", "hard"]
    tiny = plan(duel, 5000, 2, 0.1)
    assert tiny.left_out == ("medium", "hard")
    book = load("p52")  # long matches, slow to play on: one level that says something
    assert [rung.player for rung in plan(book, 400, 1, 8).ladder] == ["random", "Old Hand", "medium"]
    assert plan(book, 400, 1, 8).left_out == ("hard",)
    assert plan(book, 400, 1, 3).left_out == ("medium", "hard")
    assert plan(book, 400, 1, 3, {"Quest": "Two"}) == plan(book, 400, 1, 3)
    assert plan(book, 400, 1, 3, {"Quest": "One"}).left_out == ("hard",)  # lines are shorter there


def test_wrong_wishes(capsys: Any) -> None:
    for words, told in (
        (["--minutes", "0"], "--minutes takes"),
        (["--seats", "5"], "has 2 to 2 seats"),
        (["--jobs", "0"], "from 1 to 64 jobs"),
        (["--option", "x=y"], "x"),
    ):
        with pytest.raises(SystemExit) as stopped:
            main(["balance", str(DUEL), *words])
        assert stopped.value.code == 1
        assert told in capsys.readouterr().err
