"""The typer application: every command with its options.

In:  the words on the command line.
Out: what the command does; typer.Exit with its exit code.

A command's module is imported when the command is used: help, and what a short command needs, must not wait
for the compiler, the server and LLVM. The list of commands reads what each is for from its source.
"""

from __future__ import annotations

import ast
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

from rulewright.kept import uncollected

HELP = """Rulebooks that run: write a tabletop game's rules in Markdown, then check, test and play that file.

BOOK is the name of a book that ships (see `rulewright list`) or the path of a Markdown file.

Start with `rulewright new mygame`, then `rulewright check mygame.md`.
"""

COMMANDS = {
    "list": "books:list_books",
    "new": "books:new_book",
    "check": "books:check_book",
    "test": "examples:run_book",
    "rulings": "rulings:show_rulings",
    "play": "play:play_book",
    "serve": "serve:serve_tables",
    "simulate": "simulate:simulate_book",
    "balance": "balance:balance_book",
    "replay": "replays:replay_match",
}
"""Each command, its module in this package and its function there."""


class _Commands(TyperGroup):
    """The commands by name, each loaded when it is run."""

    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        self.commands = {name: TyperCommand(name) for name in COMMANDS}

    def list_commands(self, ctx: Any) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """What help needs to know of a command."""
        return TyperCommand(cmd_name, help=purpose(cmd_name)) if cmd_name in COMMANDS else None

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        name, found, rest = super().resolve_command(ctx, args)
        return name, None if found is None or name is None else command(name), rest


def command(name: str) -> Any:
    """A command, ready to run."""
    module, _, function = COMMANDS[name].partition(":")
    single = typer.Typer(add_completion=False, rich_markup_mode="markdown")
    with uncollected():  # what is loaded stays
        loaded = import_module(f"rulewright.cli.{module}")
    single.command(name)(getattr(loaded, function))
    return typer.main.get_command(single)


def purpose(name: str) -> str:
    """What a command is for: the first line that its function says of itself."""
    module, _, function = COMMANDS[name].partition(":")
    spec = find_spec(f"rulewright.cli.{module}")
    if spec is None or spec.origin is None:
        return ""
    for node in ast.parse(Path(spec.origin).read_text("utf-8")).body:
        if isinstance(node, ast.FunctionDef) and node.name == function:
            return (ast.get_docstring(node) or "").split("\n\n")[0]
    return ""


app = typer.Typer(
    cls=_Commands,
    help=HELP,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",
)


@app.callback()
def _start() -> None:
    pass
