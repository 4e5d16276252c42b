"""What this project is made with: weaknesses and licences of the packages it locks."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent
sys.path.append(str(ROOT / "tools"))

import licences  # noqa: E402  # pyright: ignore[reportMissingImports]

is_liberal: Callable[[str], bool] = licences.is_liberal  # pyright: ignore

WEAK = {"id": "CVE-1", "fixed_in": ["2.1"], "withdrawn": None}
PAGES: dict[str, dict[str, Any]] = {
    "/well/1.0/json": {"info": {"version": "1.0"}, "vulnerabilities": [{**WEAK, "withdrawn": "2020"}]},
    "/weak/2.0/json": {"info": {"version": "2.0"}, "vulnerabilities": [WEAK]},
    # A mirror that has only the page of the newest version.
    "/newest/json": {"info": {"version": "3.0"}, "vulnerabilities": []},
}


class Index(BaseHTTPRequestHandler):
    """A package index with three packages."""

    def do_GET(self) -> None:
        said = PAGES.get(self.path)
        self.send_response(404 if said is None else 200)
        self.end_headers()
        self.wfile.write(json.dumps(said).encode())

    def log_message(self, format: str, *args: Any) -> None:
        """Not to the screen."""


@pytest.fixture(scope="module")
def index() -> Iterator[str]:
    with HTTPServer(("127.0.0.1", 0), Index) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.mark.parametrize(
    ("lock", "status", "said"),
    [
        ("well==1.0\nnewest==3.0\n", 0, "2 packages: 0 known weaknesses, 0 could"),
        ("well==1.0\nweak[extra]==2.0 ; python_version > '3'\n", 1, "WEAK       weak 2.0: CVE-1, mended in 2"),
        ("weak==2.0\nabsent==1.0\n", 1, "2 packages: 1 known weaknesses, 1 could not be asked about"),
        ("newest==2.9\n", 2, "NOT ASKED  newest 2.9: the index tells of 3.0 only"),
        ("absent==1.0\n", 2, "NOT ASKED  absent 1.0"),
        ("", 2, "0 packages"),
    ],
)
def test_no_answer_is_not_a_good_answer(
    tmp_path: Path, index: str, lock: str, status: int, said: str
) -> None:
    (tmp_path / "lock").write_text(lock)
    command = [sys.executable, str(ROOT / "tools" / "audit.py"), str(tmp_path / "lock"), "--index", index]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (status, "")
    assert said in done.stdout


def test_licences_that_nobody_has_looked_at_are_found() -> None:
    for licence in (
        "MIT",
        "BSD-3-Clause AND 0BSD",
        "Apache-2.0 OR GPL-3.0-only",
        "Apache-2.0 WITH LLVM-exception",
    ):
        assert is_liberal(licence), licence
    for licence in ("not said", "GPL-3.0-only", "MIT AND AGPL-3.0-only", "Proprietary"):
        assert not is_liberal(licence), licence


def test_ours_have_all_been_looked_at() -> None:
    done = subprocess.run(
        [sys.executable, str(ROOT / "tools" / "licences.py")],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stdout
