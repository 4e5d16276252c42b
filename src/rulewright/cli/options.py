"""What several commands can be told, in the same words.

In:  the command line.
Out: types for the parameters of commands; settings by name and word.
"""

from __future__ import annotations

from typing import Annotated

import typer

from rulewright.cli.console import Problem

Choices = Annotated[
    list[str] | None,
    typer.Option("--option", metavar="NAME=WORD", help="A setting of the match; may be given again."),
]
Seed = Annotated[int, typer.Option("--seed", metavar="S", help="The seed of the first match.")]


def read_options(given: list[str] | None) -> dict[str, str]:
    """`NAME=WORD` of each option."""
    found: dict[str, str] = {}
    for text in given or []:
        name, equals, word = text.partition("=")
        if not equals or not name.strip() or not word.strip():
            raise Problem(f"'{text}' is no option; write --option NAME=WORD")
        found[name.strip()] = word.strip()
    return found
