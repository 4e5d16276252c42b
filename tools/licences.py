"""The licences of everything that is locked, and whether each is one that this project may be shipped with.

In:  the packages that are installed here.
Out: one line for each: name, version, licence as its own metadata says it; exit status 1 if one has a licence
     that nobody has looked at yet.
"""

from __future__ import annotations

import re
import sys
from importlib import metadata
from typing import Any

LIBERAL = (
    "MIT", "BSD", "0BSD", "Apache", "ISC", "PSF", "Python Software Foundation", "Zlib", "CC0", "MPL",
    "Mozilla Public License", "LLVM",
)  # fmt: skip
"""What ours can be used with as it is. The MPL asks only that its own files stay under it; we change none."""
SAID_ELSEWHERE = {"axe-playwright-python": "MIT License"}
"""Packages whose metadata is silent, and what the licence file in them says."""


def licence_of(package: metadata.Distribution) -> str:
    """In its own words, one line."""
    given: Any = package.metadata
    every: list[str] = given.get_all("Classifier") or []
    classes = [c for c in every if c.startswith("License")]
    words = "; ".join(c.rpartition(" :: ")[2] for c in classes)
    told: str | None = given.get("License-Expression") or words or given.get("License")
    return (told or SAID_ELSEWHERE.get(package.name) or "not said").splitlines()[0][:80]


def is_liberal(licence: str) -> bool:
    """Whether every part of it is; of alternatives one is enough."""
    return all(
        any(part.strip(" ()").startswith(LIBERAL) for part in alternatives.split(" OR "))
        for alternatives in re.split(r" AND | WITH |;", licence)
    )


def main() -> None:
    unknown: list[str] = []
    for package in sorted(metadata.distributions(), key=lambda one: one.name.lower()):
        line = f"{package.name} {package.version}: {licence_of(package)}"
        print(line)
        if not is_liberal(licence_of(package)):
            unknown.append(line)
    if unknown:
        print("to be looked at:", *unknown, sep="\n  ")
    sys.exit(bool(unknown))


if __name__ == "__main__":
    main()
