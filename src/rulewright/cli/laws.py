"""Matches under the laws of a book, for the command `test`.

In:  a book, how many matches, where a breach is to be written.
Out: a line that says how many matches kept the laws; or the breach, what broke it, and a file to replay.
"""

from __future__ import annotations

from pathlib import Path

from rich.console import Console

from rulewright.cli.console import write_bytes
from rulewright.compiler import compile_book
from rulewright.ir.program import UNSTATED_BOUND

USUAL = 300
"""Matches that are played when nobody says how many."""


def under_laws(out: Console, path: Path, matches: int | None, breach: Path | None) -> bool:
    """Whether they were kept. A book that promises nothing, neither by laws nor by the most decisions of a
    match, is played only if somebody asks for matches."""
    program = compile_book(path)
    promises = bool(program.sheet.laws) or program.bound != UNSTATED_BOUND
    if program.rules_only or matches == 0 or (matches is None and not promises):
        return True
    from rulewright.lab.laws import watch  # native code and players: only where matches are played

    found = watch(program, USUAL if matches is None else matches)
    laws = f"kept {len(found.laws)} law{'s' if len(found.laws) != 1 else ''}"
    if found.breach is None:
        kept = laws if found.laws else f"ended, none after more than {program.bound} decisions"
        out.print(f"{found.matches} matches {kept} ({found.seconds:.1f} s)")
        return True
    file = breach or Path(f"{program.name}-breach.json")
    out.print("FAIL", style="red", end=" ")
    out.print(found.breach.text, soft_wrap=True)
    cause = found.breach.cause.place
    if cause.line:
        cites = f" ({', '.join(cause.cites)})" if cause.cites else ""
        out.print(f"       by {cause.title}, {cause.file}:{cause.line}{cites}", soft_wrap=True)
    write_bytes(file, found.breach.replay.to_json().encode())
    out.print(
        f"       match {found.matches + 1}: {found.breach.first_found} choices, shrunk to "
        f"{len(found.breach.replay.choices)}: rulewright replay {file} --book {path}",
        soft_wrap=True,
    )
    return False
