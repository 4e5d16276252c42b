"""Rulewright: rulebooks that run.

    import rulewright

    program = rulewright.load("duel.md")            a path, or the name of a book that ships
    match = rulewright.Match(program, seed=7)
    while match.decision:
        match.choose(match.decision.options[0])
    print(match.result)

`load` raises BookError (every mistake in the book) or ShelfError (there is no such book). A Program can be
pickled and sent to another process; playing it needs no book. Replays are `match.replay`, bytes to go on
from are `match.snapshot()`.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from rulewright.shelf import Entry, ShelfError, shelf  # at once: the module has the name of its function

if TYPE_CHECKING:
    from pathlib import Path

    from rulewright.diagnostics import BookError, Diagnostic
    from rulewright.ir.events import Event
    from rulewright.ir.program import Program
    from rulewright.play.faults import ChoiceError, MatchError, MatchFault
    from rulewright.play.keepsake import Keepsake, KeepsakeError
    from rulewright.play.match import Decision, Match, Option, Result, Thing
    from rulewright.play.replay import Replay

__all__ = [
    "BookError",
    "ChoiceError",
    "Decision",
    "Diagnostic",
    "Entry",
    "Event",
    "Keepsake",
    "KeepsakeError",
    "Match",
    "MatchError",
    "MatchFault",
    "Option",
    "Program",
    "Replay",
    "Result",
    "ShelfError",
    "Thing",
    "load",
    "shelf",
]

_HOMES = {
    "BookError": "rulewright.diagnostics",
    "Diagnostic": "rulewright.diagnostics",
    "Event": "rulewright.ir.events",
    "Program": "rulewright.ir.program",
    "ChoiceError": "rulewright.play.faults",
    "MatchError": "rulewright.play.faults",
    "MatchFault": "rulewright.play.faults",
    "Keepsake": "rulewright.play.keepsake",
    "KeepsakeError": "rulewright.play.keepsake",
    "Decision": "rulewright.play.match",
    "Match": "rulewright.play.match",
    "Option": "rulewright.play.match",
    "Result": "rulewright.play.match",
    "Thing": "rulewright.play.match",
    "Replay": "rulewright.play.replay",
}


def __getattr__(name: str) -> object:
    """A name of the API, imported when it is first used: a command that needs one waits for no other."""
    if name not in _HOMES:
        raise AttributeError(f"module 'rulewright' has no attribute '{name}'")
    found = globals()[name] = getattr(import_module(_HOMES[name]), name)
    return found


def load(name_or_path: str | Path) -> Program:
    """Compile a book: the name of one that ships (see `shelf`), or the path of a Markdown file.

    Raises ShelfError when there is no such book and BookError when it has mistakes; printed, the latter
    shows every one of them with its line.
    """
    # Only here, so that a process which plays a Program that was sent or kept never loads the compiler.
    from rulewright.kept import kept_program
    from rulewright.shelf import find

    path = find(name_or_path)
    found = kept_program(path)
    if found is None:
        from rulewright.compiler import compile_book

        found = compile_book(path)
    return found
