"""The licences of everything that is installed with Rulewright.

Out: one line for each package: name, version, licence as its own metadata says it.
"""

from __future__ import annotations

from importlib import metadata


def main() -> None:
    for package in sorted(metadata.distributions(), key=lambda one: one.name.lower()):
        given = package.metadata
        classes = [c for c in given.get_all("Classifier") or [] if c.startswith("License")]
        words = "; ".join(c.rpartition(" :: ")[2] for c in classes)
        licence = given.get("License-Expression") or words or given.get("License") or "not said"
        print(f"{package.name} {package.version}: {licence.splitlines()[0][:80]}")


if __name__ == "__main__":
    main()
