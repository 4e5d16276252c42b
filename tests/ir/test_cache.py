"""What is kept on disk: found again, and only if nobody else can have written it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from rulewright.ir import cache


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def test_what_is_kept_is_found(folder: Path) -> None:
    assert cache.fetch("program", "ab") is None
    cache.keep("program", "ab", b"content")
    assert cache.fetch("program", "ab") == b"content"
    assert cache.fetch("native", "ab") is None
    assert (folder / "program").stat().st_mode & 0o777 == 0o700


def test_an_entry_counts_only_under_its_own_key_and_kind(folder: Path) -> None:
    cache.keep("program", "ab", b"content")
    cache.keep("python", "xy", b"other")
    entry = (folder / "program" / "ab").read_bytes()
    for place in ("program/cd", "python/ab"):
        (folder / place).write_bytes(entry)
        (folder / place).chmod(0o600)
    assert cache.fetch("program", "cd") is None
    assert cache.fetch("python", "ab") is None
    assert cache.fetch("program", "ab") == b"content"


@pytest.mark.parametrize("place", ["", "program", "program/ab"])
@pytest.mark.parametrize("mode", [0o002, 0o020])
def test_what_others_may_write_is_refused(folder: Path, place: str, mode: int) -> None:
    cache.keep("program", "ab", b"content")
    path = folder / place
    path.chmod(path.stat().st_mode | mode)
    assert cache.fetch("program", "ab") is None
    if place != "program/ab":
        cache.keep("program", "cd", b"content")
        assert not (folder / "program" / "cd").exists()


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can give files away")
@pytest.mark.parametrize("place", ["", "program", "program/ab"])
def test_what_others_own_is_refused(folder: Path, place: str) -> None:
    cache.keep("program", "ab", b"content")
    os.chown(folder / place, 12345, 12345)
    assert cache.fetch("program", "ab") is None


def test_links_are_not_followed(folder: Path, tmp_path: Path) -> None:
    cache.keep("program", "ab", b"content")
    (folder / "program" / "ab").rename(tmp_path / "elsewhere")
    (folder / "program" / "ab").symlink_to(tmp_path / "elsewhere")
    assert cache.fetch("program", "ab") is None


def test_the_oldest_make_room(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULEWRIGHT_CACHE_SIZE", "1")
    for number in range(5):
        cache.keep("program", f"a{number}", bytes(400_000))
        with_time = 1_000_000_000 + number
        if (folder / "program" / f"a{number}").exists():
            os.utime(folder / "program" / f"a{number}", (with_time, with_time))
    kept = sorted(path.name for path in (folder / "program").iterdir())
    assert kept == ["a3", "a4"]


def test_without_a_home_nothing_is_kept_and_nothing_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    def homeless() -> Path:
        raise RuntimeError("could not determine home directory")

    for name in ("RULEWRIGHT_CACHE", "XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(Path, "home", homeless)
    cache.keep("program", "ab", b"content")
    assert cache.fetch("program", "ab") is None


def test_work_of_a_kind_is_done_by_one_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path))
    cache.keep("native", "00", b"so that there is a folder")
    asked: list[int] = []

    def for_three_looks() -> bool:
        asked.append(0)
        return len(asked) <= 3

    with cache.turn("native", lambda: True) as first:
        assert first
        with cache.turn("native", for_three_looks) as second:
            assert not second, "whoever began it has ended while it waited"
        with cache.turn("other", lambda: True) as other:
            assert other, "work of another kind waits for nobody"
    assert len(asked) == 4
    with cache.turn("native", lambda: True) as again:
        assert again, "a turn ends with its block"
