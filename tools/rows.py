"""Bring the table of packages in ARCHITECTURE.md up to date.

In:  src/.
Out: the table with a row per package: what its docstring opens with, and the names of its modules.

What each module does is said by the first line of the module alone. tests/test_docs.py checks the result.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "ARCHITECTURE.md"
HEAD = "| package | what it does | its modules |\n|---|---|---|\n"


def row(package: Path) -> str:
    name = ".".join(package.relative_to(ROOT / "src").parts)
    text = ast.get_docstring(ast.parse((package / "__init__.py").read_text("utf-8"))) or "(no docstring)"
    opening = " ".join(text.split("\n\n")[0].split()).replace("|", "or")
    modules = sorted(path.stem for path in package.glob("*.py") if path.stem != "__init__")
    return f"| `{name}` | {opening} | {', '.join(f'`{module}`' for module in modules)} |\n"


def main() -> None:
    page = PAGE.read_text("utf-8")
    packages = sorted(path.parent for path in (ROOT / "src").rglob("__init__.py"))
    start = page.index(HEAD) + len(HEAD)
    end = start + len(re.match(r"(?:\|.*\n)*", page[start:])[0])  # pyright: ignore
    PAGE.write_text(page[:start] + "".join(map(row, packages)) + page[end:], "utf-8")


main()
