"""What is wrong with a book, told to its author.

In:  the name of a book that ships, or the path of one.
Out: lines on standard output; 1 if there is any error.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rulewright.cli.plain import say
from rulewright.shelf import find

if TYPE_CHECKING:
    from rulewright.kept import Report


def checked(book: str) -> int:
    """Report every mistake, from the cache if nothing has changed."""
    from rulewright.kept import kept_report  # only here: the shelf is listed without it

    path = find(book)
    found = kept_report(path) or _reported(path)
    if found.text:
        say(found.text + "\n")
    errors, warnings = found.errors, found.warnings
    counted = f"{errors} error{'s' * (errors != 1)}, {warnings} warning{'s' * (warnings != 1)}"
    say(f"{path.name}: {counted}" if errors or warnings else f"{path.name}: no mistakes found")
    return 1 if errors else 0


def _reported(path: Path) -> Report:
    """Read the book, and keep what is to be said of it for as long as it stays as it is."""
    from rulewright.compiler import check  # a book that has not changed is reported without the compiler
    from rulewright.diagnostics import render_all
    from rulewright.kept import Report, keep_report

    checked = check(path)
    text = render_all(checked.diagnostics, checked.texts) if checked.diagnostics else ""
    found = Report(len(checked.errors), len(checked.diagnostics) - len(checked.errors), text)
    keep_report(path, checked.looked, found)
    return found
