"""Write requirements.lock: the exact versions that a clean install with all extras gives today.

In:  pyproject.toml.
Out: requirements.lock, names and versions only, so that it holds for any index or mirror.

The package itself is not installed: its requirements are, read from pyproject.toml, so that locking
works while the source does not.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def main() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras: dict[str, list[str]] = project["optional-dependencies"]
    wanted = [*project["dependencies"], *(name for extra in extras.values() for name in extra)]
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        pip = [str(Path(folder, "bin", "python")), "-m", "pip", "--disable-pip-version-check"]
        subprocess.run([*pip, "install", "--quiet", *wanted], check=True)
        frozen = subprocess.run([*pip, "freeze"], check=True, capture_output=True, text=True).stdout
    lines = [line for line in frozen.splitlines() if "==" in line]
    note = "# Made by `make lock` from pyproject.toml; do not edit."
    (ROOT / "requirements.lock").write_text("\n".join([note, *lines]) + "\n", "utf-8")
    print(f"requirements.lock: {len(lines)} packages")


main()
