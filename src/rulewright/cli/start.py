"""The entry point of the command line.

In:  the words on the command line.
Out: an exit code: 0 when all is well, 1 when something failed, 2 when the command makes no sense.

`check BOOK` is what an author runs after every change: it begins before anything is loaded that reads options
or draws tables.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Sequence

from rulewright.cli.plain import Problem
from rulewright.diagnostics import BookError
from rulewright.kept import uncollected
from rulewright.shelf import ShelfError


def main(arguments: Sequence[str] | None = None) -> None:
    """Run a command; never a traceback for what a user typed or a file holds."""
    given = sys.argv[1:] if arguments is None else list(arguments)
    code = 1
    try:
        if is_plain_check(given):
            code = _checked(given[1])
        else:
            with uncollected():  # what is loaded stays
                from rulewright.cli.app import app

            app(args=given, prog_name="rulewright")
    except SystemExit:
        raise  # how every command ends: what follows would load all that a match may complain of
    except BookError as error:
        _complain(str(error))
        count = sum(d.severity == "error" for d in error.diagnostics)
        _complain(f"rulewright: the book has {count} error{'s' if count != 1 else ''}, so it cannot run")
    except (Problem, ShelfError, _match_error()) as error:
        _complain(f"rulewright: {error}")
    except OSError as error:
        _complain(f"rulewright: {error.strerror or error}{f': {error.filename}' if error.filename else ''}")
    except KeyboardInterrupt:
        _complain("rulewright: stopped")
    sys.exit(code)


def _match_error() -> type[Exception]:
    """What a match complains of; asked for only when something was raised."""
    from rulewright.play.faults import MatchError

    return MatchError


def is_plain_check(given: Sequence[str]) -> bool:
    """`check BOOK` and nothing else. There is nothing to parse in it, and what parses options takes a fifth
    of a small book's time to load."""
    return len(given) == 2 and given[0] == "check" and given[1][:1] not in ("", "-")


def _checked(book: str) -> int:
    with uncollected():
        from rulewright.cli.checking import checked

        try:
            return checked(book)
        finally:
            gc.freeze()  # when Python ends, it would look through all of it once more


def _complain(text: str) -> None:
    sys.stderr.write(f"{text}\n")
