"""The Dockerfile step by step, without Docker: a clean Python, another user, its command, its health."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from rulewright.cli.serve import listen
from serve.tables_kit import Seats, until

ROOT = Path(__file__).parents[2]
UID = 10001


def steps() -> list[tuple[str, str]]:
    """(word, rest) of each line."""
    lines = (ROOT / "Dockerfile").read_text("utf-8").splitlines()
    return [
        (word, rest) for word, _, rest in (line.partition(" ") for line in lines) if word not in ("", "#")
    ]


def test_it_runs_as_nobody_in_particular() -> None:
    words = [word for word, _ in steps()]
    users = [rest for word, rest in steps() if word == "USER"]
    assert users == ["tables"]
    assert f"--uid {UID}" in dict(steps())["RUN"] or any(f"--uid {UID} " in rest for _, rest in steps())
    # Nothing is installed or copied as that user, and nothing after it runs as another.
    after = words[words.index("USER") :]
    assert "COPY" not in after
    assert "ADD" not in words
    copied = [name for word, rest in steps() if word == "COPY" for name in rest.split()[:-1]]
    assert all((ROOT / name).exists() for name in copied)


@pytest.fixture
def place() -> Iterator[Path]:
    """A folder that other users may look into."""
    folder = Path(tempfile.mkdtemp(prefix="rulewright-container-"))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


@pytest.mark.long
@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can be another user")
def test_its_steps(place: Path) -> None:
    source, home, inside = place / "src", place / "home", place / "python"
    # A Python of its own, as in the image: ours may lie where no other user can look.
    left_out = shutil.ignore_patterns("site-packages", "test", "__pycache__", "*.a")
    shutil.copytree(sys.base_prefix, inside, symlinks=True, ignore=left_out)
    python = str(inside / "bin" / "python3")
    subprocess.run([python, "-m", "ensurepip", "--default-pip"], check=True, capture_output=True, timeout=120)
    environment = {"HOME": str(home), "PATH": f"{inside / 'bin'}:/usr/bin:/bin", "LANG": "C.UTF-8"}
    environment["LD_LIBRARY_PATH"] = str(inside / "lib")
    as_user: dict[str, Any] = {}
    command: list[str] = []
    health: list[str] = []
    port = 0
    for word, rest in steps():
        if word == "COPY":
            *names, where = rest.replace("/src/", f"{source}/", 1).replace(" /src/", f" {source}/").split()
            for name in names:
                into = Path(where) / name if where.endswith("/") else Path(where)
                into.parent.mkdir(parents=True, exist_ok=True)
                if (ROOT / name).is_dir():
                    shutil.copytree(ROOT / name, into, ignore=shutil.ignore_patterns("__pycache__"))
                else:
                    shutil.copy(ROOT / name, into)
        elif word == "RUN" and rest.startswith("useradd "):
            home.mkdir()
            os.chown(home, UID, UID)
        elif word == "RUN":
            said = shlex.split(rest.replace("/src", str(source)))
            done = subprocess.run(
                said, env={**os.environ, **environment} if not as_user else environment,
                cwd=home, capture_output=True, text=True, timeout=400, check=False, **as_user,
            )  # fmt: skip
            assert done.returncode == 0, done.stderr[-2000:]
        elif word == "USER":
            as_user = {"user": UID, "group": UID, "extra_groups": []}
        elif word == "HEALTHCHECK":
            health = json.loads(rest[rest.index("[") :])
        elif word == "CMD":
            command = json.loads(rest)
    with listen("127.0.0.1", 0) as free:
        port = int(free.getsockname()[1])
    command = [part.replace("8765", str(port)).replace("0.0.0.0", "127.0.0.1") for part in command]
    health = [part.replace("8765", str(port)) for part in health]
    # The program stays root's: the user can change nothing of it.
    server = subprocess.Popen(command, env=environment, cwd=home, **as_user)
    try:
        until(
            lambda: subprocess.run(health, env=environment, capture_output=True, check=False).returncode == 0,
            120,
        )
        assert os.stat(f"/proc/{server.pid}").st_uid == UID
        with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=120, trust_env=False) as http:
            books = [book for book in http.get("/api/books").json() if not book["rules_only"]]
            assert len(books) >= 4
            seats = [{"kind": "you"}] * books[0]["seats"][0]
            assert Seats(http, books[0]["name"], seats).state(0)["version"] == 0
        assert (home / ".local" / "share" / "rulewright" / "tables.db").stat().st_uid == UID
    finally:
        server.terminate()
        server.wait(30)
