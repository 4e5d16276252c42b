"""What every suite shares: profiles of generated tests, and tests that need a program we may not have.

A test marked `browser` or `postgres` is skipped where chromium or the PostgreSQL server programs are
missing, unless RULEWRIGHT_REQUIRE names the marker (`.ci/run` names every one): then it fails.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import hypothesis
import pytest

# The same examples on every run and machine; `HYPOTHESIS_PROFILE=explore` looks for new ones.
hypothesis.settings.register_profile("steady", derandomize=True, deadline=None, print_blob=True)
hypothesis.settings.register_profile("explore", deadline=None, max_examples=2000, print_blob=True)
hypothesis.settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "steady"))

# Some tests have the compiler make wrong code on purpose: nothing of theirs may reach a person's own cache.
os.environ.setdefault("RULEWRIGHT_CACHE", str(Path(__file__).parents[1] / ".pytest_cache" / "rulewright"))


def find_browser() -> str | None:
    """Debian's chromium, which playwright is told to use instead of downloading its own."""
    return shutil.which("chromium")


def find_postgres() -> Path | None:
    """The folder with `initdb` and `postgres`. Debian keeps them off the PATH."""
    folders = [Path(found).parent] if (found := shutil.which("initdb")) else []
    folders += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    return next((f for f in folders if (f / "initdb").exists() and (f / "postgres").exists()), None)


def pytest_runtest_setup(item: pytest.Item) -> None:
    required = os.environ.get("RULEWRIGHT_REQUIRE", "").split(",")
    for marker, find in (("browser", find_browser), ("postgres", find_postgres)):
        if item.get_closest_marker(marker) is None or find() is not None:
            continue
        if marker in required:
            pytest.fail(
                f"what {marker} tests need is missing, and RULEWRIGHT_REQUIRE asks for it", pytrace=False
            )
        pytest.skip(f"what {marker} tests need is missing")


@pytest.fixture(scope="session")
def chromium() -> str:
    """The browser's path, for tests marked `browser`."""
    path = find_browser()
    assert path is not None, "mark the test `browser`"
    return path


@pytest.fixture(scope="session")
def postgres_programs() -> Path:
    """The folder of PostgreSQL's programs, for tests marked `postgres`."""
    folder = find_postgres()
    assert folder is not None, "mark the test `postgres`"
    return folder
