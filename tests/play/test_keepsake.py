"""Keepsakes: what is carried over from one match into a later one."""

from __future__ import annotations

import json
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright import Keepsake, KeepsakeError, Match, MatchError
from rulewright.compiler import check, compile_book
from rulewright.ir.program import Program
from rulewright.native.engine import NativeEngine
from rulewright.play.replay import Replay

BOOK = Path(__file__).parent / "trail.md"


@pytest.fixture(scope="module")
def program() -> Program:
    return compile_book(BOOK)


def played(match: Match, *choices: str) -> Match:
    for choice in choices:
        match.choose(choice)
    assert match.result is not None
    return match


def first(program: Program) -> Keepsake:
    return played(Match(program, ["Ada", "Bo"]), "Run", "Swim", "dig", "mend").keepsake


def actor(match: Match, number: int) -> dict[str, Any]:
    return match.view(None)["actors"][number]


def test_what_is_kept(program: Program):
    kept = first(program)
    assert kept.title == "Trail"
    assert kept.players == ("Ada", "Bo")
    assert kept.match.values == {"Fame": 2}
    ada, bo = kept.actors["Walker 1"], kept.actors["Walker 2"]
    assert ada.values == {"Level": 2, "Gold": 15, "Calling": "Run", "Depth": {"Swim": 1}}
    assert [card.face for card in ada.cards["Bag"]] == ["Rope"]
    assert ada.cards["Bag"][0].values == {"Wear": 2}
    assert bo.cards["Bag"][0].values == {"Wear": 3}
    assert Keepsake.from_json(kept.to_json()) == kept


@pytest.mark.parametrize("engine", ["reference", NativeEngine])
def test_a_later_match_begins_with_it(program: Program, engine: Any):
    match = Match(program, 2, 1, carried=first(program), engine=engine)
    # Nobody is new, so nobody is asked for a calling; what is not kept starts as ever.
    assert match.decision is not None
    assert [option.text for option in match.decision.options] == ["dig", "mend", "buy a lamp"]
    later = played(match, "buy a lamp", "mend").keepsake
    assert later.match.values == {"Fame": 3}
    assert later.actors["Walker 1"].values["Gold"] == 15
    assert [card.face for card in later.actors["Walker 1"].cards["Bag"]] == ["Rope", "Lamp"]
    assert later.actors["Walker 2"].cards["Bag"][0].values == {"Wear": 4}
    assert match.slots()[next(f.base for f in program.sheet.fields if f.name == "Mood")] == 4


def test_only_the_owner_sees_a_hidden_zone(program: Program):
    match = Match(program, 2, 1, carried=first(program))
    face = next(f for f in program.sheet.fields if f.name == "face" and f.of == ("Card",))
    known = next(f for f in program.sheet.fields if f.name == "known" and f.of == ("Card",))
    cards = [i for i in range(10) if match.slots()[face.base + i] >= 0]
    assert [match.slots()[known.base + i] for i in cards] == [1, 2]


def test_engines_replays_and_snapshots_agree(program: Program):
    carried = first(program)
    match = Match(program, 2, 5, carried=carried)
    match.choose("dig")
    again = Match.restore(program, match.snapshot())
    assert again.carried == carried
    played(again, "buy a lamp")
    replay = Replay.from_json(again.replay.to_json())
    assert replay.carried == carried
    assert replay.verify(program) == replay.verify(program, NativeEngine) == again.hash
    bare = Replay.from_json(
        json.dumps({k: v for k, v in json.loads(replay.to_json()).items() if k != "carried"})
    )
    with pytest.raises(MatchError):
        bare.verify(program)


def test_a_newcomer_joins(program: Program):
    alone = played(Match(program, ["Ada"]), "Run", "dig").keepsake
    assert list(alone.actors) == ["Walker 1"]
    match = Match(program, 2, carried=alone)
    assert match.decision is not None
    assert match.decision.seat == 1
    assert [option.text for option in match.decision.options] == ["Run", "Swim"]


def test_refusals(program: Program, tmp_path: Path):
    kept = first(program)
    match = Match(program, 2)
    with pytest.raises(MatchError, match="only a match that has ended"):
        _ = match.keepsake
    with pytest.raises(KeepsakeError, match="for 2 seats, the table has 1") as seats:
        Match(program, 1, carried=kept)
    assert seats.value.code == "keepsake/seats"
    other = tmp_path / "other.md"
    other.write_text(BOOK.read_text("utf-8").replace("title: Trail", "title: Track"), "utf-8")
    with pytest.raises(KeepsakeError, match="is from Trail, not from Track") as foreign:
        Match(compile_book(other), 2, carried=kept)
    assert foreign.value.code == "keepsake/foreign"
    none = tmp_path / "none.md"
    lines = [line for line in BOOK.read_text("utf-8").split("\n") if "Keepsake" not in line]
    none.write_text("\n".join(lines), "utf-8")
    for act in (lambda p: Match(p, 2, carried=kept), lambda p: Match(p, 2).keepsake):
        with pytest.raises(KeepsakeError, match="does not carry anything over") as nothing:
            act(compile_book(none))
        assert nothing.value.code == "keepsake/none"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Gold (Resource) range: 0 to 99", "Gold (Resource) range: 0 to 9"),
        ("words: Run, Swim", "words: Walk, Swim"),
        ("| Rope | 1 |", "| Cord | 1 |"),
        ("keeps: Level, Gold,", "keeps: Level,"),
        ("Bag, Wear, Fame", "Wear, Fame"),
        ("holds: 4", "holds: 0"),
        ("Walker (Template) box: 2", "Hiker (Template) box: 2"),
    ],
)
def test_another_edition(program: Program, tmp_path: Path, old: str, new: str):
    text = BOOK.read_text("utf-8")
    assert old in text
    changed = text.replace(old, new).replace("create Rope", "create Cord" if "Cord" in new else "create Rope")
    (tmp_path / "trail.md").write_text(changed, "utf-8")
    with pytest.raises(KeepsakeError) as refused:
        Match(compile_book(tmp_path / "trail.md"), 2, carried=first(program))
    assert refused.value.code == "keepsake/misfit"


@pytest.mark.parametrize("text", ["", "[]", "{}", "null", "7", '{"format": "rulewright replay 1"}', "\ud800"])
def test_what_is_no_keepsake(text: str):
    with pytest.raises(KeepsakeError) as refused:
        Keepsake.from_json(text)
    assert refused.value.code == "keepsake/damaged"


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_a_damaged_file_is_refused_in_one_sentence(program: Program, data: st.DataObject):
    text = first(program).to_json()
    at = data.draw(st.integers(0, len(text) - 1))
    cut = data.draw(st.integers(0, 3))
    broken = text[:at] + data.draw(st.text(max_size=3)) + text[at + cut :]
    whole = broken == text or json.loads(text) == _loaded(broken)
    with nullcontext() if whole else pytest.raises(KeepsakeError, match="keepsake/damaged"):
        assert Keepsake.from_json(broken) == first(program)


def _loaded(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return None


def test_mistakes_in_a_book(tmp_path: Path):
    def codes(keepsake: str) -> list[tuple[str, str]]:
        text = BOOK.read_text("utf-8")
        line = next(line for line in text.split("\n") if "(Keepsake)" in line)
        (tmp_path / "bad.md").write_text(text.replace(line, keepsake), "utf-8")
        return [(d.code, d.message) for d in check(tmp_path / "bad.md").diagnostics]

    assert codes("Book (Keepsake)") == [("missing-part", "'Book' does not say what it keeps")]
    assert codes("Book (Keepsake) keeps: Silver") == [
        ("unknown-name", "no resource and no zone is called 'Silver'")
    ]
    assert codes("Book (Keepsake) keeps: Gold, Gold") == [("duplicate-name", "'Gold' is kept twice")]
    assert codes("Book (Keepsake) keeps: Friend") == [
        ("type-mismatch", "'Friend' holds actors, and these end with the match")
    ]
    assert codes("Book (Keepsake) keeps: Gold; wants: Silver")[0][0] == "unknown-field"
