"""The typer application and its entry point.

In:  the words on the command line.
Out: an exit code: 0 when all is well, 1 when something failed, 2 when the command makes no sense.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

import typer

from rulewright import BookError, MatchError, ShelfError
from rulewright.cli import books, examples, play, replays, rulings, serve
from rulewright.cli.console import Problem

HELP = """Rulebooks that run: write a tabletop game's rules in Markdown, then check, test and play that file.

BOOK is the name of a book that ships (see `rulewright list`) or the path of a Markdown file.

Start with `rulewright new mygame`, then `rulewright check mygame.md`.
"""

app = typer.Typer(
    help=HELP,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",
)
app.command("list")(books.list_books)
app.command("new")(books.new_book)
app.command("check")(books.check_book)
app.command("test")(examples.run_book)
app.command("rulings")(rulings.show_rulings)
app.command("play")(play.play_book)
app.command("serve")(serve.serve_tables)
app.command("replay")(replays.replay_match)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run a command; never a traceback for what a user typed or a file holds."""
    try:
        app(args=None if arguments is None else list(arguments), prog_name="rulewright")
    except BookError as error:
        _complain(str(error))
        count = sum(d.severity == "error" for d in error.diagnostics)
        _complain(f"rulewright: the book has {count} error{'s' if count != 1 else ''}, so it cannot run")
    except (Problem, ShelfError, MatchError) as error:
        _complain(f"rulewright: {error}")
    except OSError as error:
        _complain(f"rulewright: {error.strerror or error}{f': {error.filename}' if error.filename else ''}")
    except KeyboardInterrupt:
        _complain("rulewright: stopped")
    sys.exit(1)


def _complain(text: str) -> None:
    sys.stderr.write(f"{text}\n")
