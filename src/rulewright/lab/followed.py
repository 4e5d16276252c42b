"""What of a book can be followed through a match: rules, rows of tables, rounds, numbers.

In:  a Program.
Out: sites of rules that say when they run, of rows that say their name, of the clock; numbers that everybody
     sees.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from rulewright.ir.events import RULE, SAY, STEP
from rulewright.ir.nodes import Binary, Block, Call, Const, Do, If
from rulewright.ir.program import Program
from rulewright.ir.sheet import ALL, Field
from rulewright.ir.walk import calls, statements
from rulewright.native.outer import map as at

CLOCKS = ("round", "turn")
"""Sequences by which time is told, the first that a book has."""
TABLE = re.compile(r"(s\d+_)?t_")
"""How functions of tables are called, and the segments they are cut into."""
KINDS: dict[tuple[str, ...], int] = {(): at.OF_MATCH, ("Actor",): at.OF_ACTOR, ("Seat",): at.OF_SEAT}


@dataclass(frozen=True, slots=True)
class Followed:
    """A number that is looked at over time."""

    field: int
    """Its place among the fields of the sheet."""
    name: str
    base: int
    kind: int
    has: tuple[int, ...]
    """For each owner, whether it really has the number."""


def followed(program: Program) -> tuple[Followed, ...]:
    """Numbers that everybody sees: of the match, of actors, of seats."""
    return tuple(
        Followed(number, field.name, field.base, KINDS[field.of], _owners(field))
        for number, field in enumerate(program.sheet.fields)
        if field.of in KINDS and field.holds is None and field.seen == ALL and field.shown and not field.quiet
    )


def _owners(field: Field) -> tuple[int, ...]:
    many = field.counts[0] if field.counts else 1
    return tuple(int(field.owners is None or owner in field.owners) for owner in range(many))


def rule_sites(program: Program) -> set[int]:
    """Sites of rules that say when they run."""
    return {site for _, site in _told(program)}


def action_sites(program: Program) -> set[int]:
    """Those of them that are actions."""
    return {site for kind, site in _told(program) if kind == RULE}


def _told(program: Program) -> Iterator[tuple[int, int]]:
    for function in (*program.functions.values(), *program.segments):
        for call in calls(function.body):
            match call.args:
                case (Const(kind), Const(site), *_) if call.name in ("emit", "tell") and kind in (RULE, STEP):
                    yield kind, site
                case _:
                    pass


def clock(program: Program) -> int:
    """The site at which a round begins, or else a turn; -1 where a book has neither."""
    sites = rule_sites(program)
    for word in CLOCKS:
        found = [site for site in sites if program.sheet.sites[site].title.casefold() == word]
        if found:
            return min(found)
    return -1


def clock_word(program: Program) -> str:
    """What the clock counts: rounds, turns, or nothing."""
    site = clock(program)
    return "" if site < 0 else f"{program.sheet.sites[site].title.casefold()}s"


def row_sites(program: Program) -> dict[int, int]:
    """Sites of rows of tables that have a name, with the text that says it."""
    sheet = program.sheet
    return {
        site: text
        for function in (*program.functions.values(), *program.segments)
        if TABLE.match(function.name)
        for site, text in _rows(function.body)
        if "{" not in sheet.texts[text]
    }


def _rows(body: Block) -> Iterator[tuple[int, int]]:
    """What a table says first when it has found its row: site and text."""
    for stmt in statements(body):
        match stmt:
            case If(Binary("==", _, Const()), (Do(Call(_, (Const(kind), Const(site), Const(text), *_))), *_)):
                if kind == SAY:
                    yield site, text
            case _:
                pass
