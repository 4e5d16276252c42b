"""The package itself: load a book, play it, and clear errors."""

from __future__ import annotations

import pickle
import re
import subprocess
import sys
from pathlib import Path

import pytest

import rulewright
from rulewright.compiler import check, compile_book, compile_tests

API = Path(__file__).parents[1] / "docs" / "api.md"
NEW = Path(rulewright.__file__).parent / "cli" / "new.md"


def test_load_and_play() -> None:
    program = rulewright.load(NEW)
    match = rulewright.Match(program, seed=7)
    while match.decision:
        match.choose(match.decision.options[0])
    assert match.result is not None
    assert match.result.ending == "Victory"
    assert rulewright.Replay.from_json(match.replay.to_json()).verify(program) == match.hash
    assert pickle.loads(pickle.dumps(program)).digest == program.digest


def test_a_scenario_is_an_option_of_the_book() -> None:
    program = rulewright.load(Path(__file__).parent / "testing" / "everything.md")
    assert rulewright.Match(program, scenario="south").options["Quest"] == "South"
    assert rulewright.Match(program).options["Quest"] == "North"
    with pytest.raises(rulewright.MatchError, match="cannot be 'west'"):
        rulewright.Match(program, scenario="west")
    with pytest.raises(rulewright.MatchError, match="no scenarios"):
        rulewright.Match(rulewright.load(NEW), scenario="west")


def test_a_path_may_be_written_as_text(tmp_path: Path) -> None:
    assert check(str(NEW)).errors == ()
    assert compile_book(str(NEW)).digest == compile_book(NEW).digest
    more = tmp_path / "more.md"
    more.write_text("```example\nNothing happens\nexpect  not ended\n```\n")
    assert len(compile_tests(str(NEW), str(more)).examples) == len(check(NEW).examples) + 1


def test_what_cannot_be_loaded(tmp_path: Path) -> None:
    with pytest.raises(rulewright.ShelfError):
        rulewright.load("no such book")
    broken = tmp_path / "broken.md"
    broken.write_text("```rules\nX (Effect)\n[Y] += 1\n```\n")
    with pytest.raises(rulewright.BookError) as error:
        rulewright.load(str(broken))
    assert "broken.md:3" in str(error.value)
    assert "[Y] += 1" in str(error.value)


def test_everything_exported_is_there_and_described() -> None:
    for name in rulewright.__all__:
        assert getattr(rulewright, name).__doc__, name


def missing_from(page: str) -> list[str]:
    """Exported names, what a Match can do and what the values it gives hold, where the page is silent."""
    match = {name for name in dir(rulewright.Match) if not name.startswith("_")}
    match |= set(vars(rulewright.Match(rulewright.load(NEW)))) - {"course"}
    lacking = [f"match.{name}" for name in sorted(match) if not re.search(rf"\b[Mm]atch\.{name}\b", page)]
    for name in rulewright.__all__:
        made = getattr(rulewright, name)
        row = "\n".join(line for line in page.split("\n") if re.search(rf"`{name}\b", line))
        lacking += [] if row else [name]
        if name in ("Match", "Program") or not isinstance(made, type):
            continue
        fields = getattr(made, "_fields", ()) or [
            f.name for f in getattr(made, "__dataclass_fields__", {}).values()
        ]
        lacking += [f"{name}.{field}" for field in fields if f"`{field}`" not in row]
    return lacking


def test_everything_exported_is_documented() -> None:
    page = API.read_text("utf-8")
    assert missing_from(page) == []
    silent = page.replace("match.may_undo", "").replace("`KeepsakeError`", "").replace("`knows`", "")
    assert missing_from(silent) == ["match.may_undo", "Event.knows", "KeepsakeError"]


def test_playing_does_not_load_the_compiler() -> None:
    heavy = ("rulewright.book", "rulewright.lower", "rulewright.compiler", "rulewright.native")
    code = f"import sys, rulewright; print([m for m in sys.modules if m.startswith({heavy})])"
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONPATH": str(NEW.parents[2])},
    )
    assert done.stdout.strip() == "[]"


def test_the_native_engine_needs_no_import() -> None:
    code = "import rulewright; rulewright.Match(rulewright.load('vigil'), seats=1, engine='native').choose(0)"
    subprocess.run([sys.executable, "-c", code], check=True)
