"""Bring the table of modules in ARCHITECTURE.md up to date.

In:  src/ and the table as it stands.
Out: the table with a row per module, sorted; a new row says what the module's docstring opens with.

Rows that stand are left alone: their text is the writer's. tests/test_docs.py checks the result.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "ARCHITECTURE.md"
ROW = re.compile(r"^\| `(rulewright[\w.]*)` \| (.*) \|$", re.M)
NOTHING = "(no docstring)"  # a place for the words until there are some
HEAD = "| module | what it does |\n|---|---|\n"


def modules(src: Path) -> dict[str, Path]:
    found: dict[str, Path] = {}
    for path in sorted(src.rglob("*.py")):
        parts = path.relative_to(src).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def opening(path: Path) -> str:
    text = ast.get_docstring(ast.parse(path.read_text("utf-8"))) or NOTHING
    return " ".join(text.split("\n\n")[0].split()).replace("|", "or")


def main() -> None:
    page = PAGE.read_text("utf-8")
    standing = {name: text for name, text in ROW.findall(page) if text != NOTHING}
    rows = "".join(
        f"| `{name}` | {standing.get(name) or opening(path)} |\n"
        for name, path in sorted(modules(ROOT / "src").items())
    )
    start = page.index(HEAD) + len(HEAD)
    end = start + len(re.match(r"(?:\|.*\n)*", page[start:])[0])  # pyright: ignore
    PAGE.write_text(page[:start] + rows + page[end:], "utf-8")


main()
