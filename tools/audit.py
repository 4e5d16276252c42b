"""Known weaknesses of everything that is locked.

In:  requirements.lock, and the package index, which knows what was reported about each version.
Out: one line for each weakness, one for each package that the index could not be asked about, and how many
     of each. Exit status 0: all were asked about, and no weakness is known. 1: there is a weakness. 2: none
     is known, but not all could be asked about. No answer is not a good answer: without a network it fails.

The same list is behind pip-audit. That one asks for a page for each version, which many mirrors do not have,
and then says that all is well; here the page of the newest version is asked where the other is missing, and
counts when the newest is the one that is locked.

Usage: python tools/audit.py [LOCK] [--index URL]
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from pip._internal.models.index import PyPI

ROOT = Path(__file__).resolve().parent.parent
INDEX: str = PyPI.pypi_url
"""The one that pip asks: its name stands nowhere else."""
PINNED = re.compile(r"^([A-Za-z0-9._-]+)(?:\[[^\]]*\])?==([^\s;\\]+)", re.MULTILINE)
PATIENCE = 30


class Unasked(Exception):
    """The index says nothing about a package; why."""


def page(index: str, path: str) -> dict[str, Any] | None:
    """What the index says, or None where it has no such page. Raises OSError, ValueError."""
    try:
        with urllib.request.urlopen(f"{index}/{path}/json", timeout=PATIENCE) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as error:
        if error.code == 404:
            return None
        raise


def found(index: str, name: str, version: str) -> list[str]:
    """What is wrong with one package, one line each. Raises Unasked."""
    try:
        said = page(index, f"{name}/{version}")
        if said is None:
            said = page(index, name)
            newest = said["info"]["version"] if said else "nothing"
            if newest != version:
                raise Unasked(f"the index tells of {newest} only")
        assert said is not None
        known = [weak for weak in said["vulnerabilities"] if not weak.get("withdrawn")]
    except (OSError, ValueError, KeyError) as error:
        raise Unasked(repr(error)) from None
    return [
        f"{name} {version}: {weak['id']}, mended in {', '.join(weak.get('fixed_in') or ['no version'])}"
        for weak in known
    ]


def main() -> None:
    asked = argparse.ArgumentParser(description="Known weaknesses of what is locked.")
    asked.add_argument("lock", nargs="?", type=Path, default=ROOT / "requirements.lock")
    asked.add_argument("--index", default=INDEX)
    wish = asked.parse_args()
    packages: list[tuple[str, str]] = PINNED.findall(wish.lock.read_text("utf-8"))
    with ThreadPoolExecutor(8) as pool:
        asked_for = [pool.submit(found, wish.index, name, version) for name, version in packages]
    weak: list[str] = []
    unasked: list[str] = []
    for (name, version), one in zip(packages, asked_for, strict=True):
        try:
            weak += [f"WEAK       {line}" for line in one.result()]
        except Unasked as why:
            unasked.append(f"NOT ASKED  {name} {version}: {why}")
    print("\n".join([*weak, *unasked]), end="\n" if weak or unasked else "")
    print(f"{len(packages)} packages: {len(weak)} known weaknesses, {len(unasked)} could not be asked about")
    sys.exit(1 if weak else 2 if unasked or not packages else 0)


if __name__ == "__main__":
    main()
