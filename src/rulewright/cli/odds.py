"""What options may bring, at the terminal.

In:  a match at a decision of the seat that asks, perhaps the number of an option (from 1).
Out: rich Text: what each surely does, what it may do with which chance.
"""

from __future__ import annotations

from collections.abc import Iterator

from rich.text import Text

from rulewright.play.faults import Fault
from rulewright.play.match import Match
from rulewright.players.foretell import Foretold, anyway, foretell
from rulewright.players.odds import RESTING, odds

BRIEF = 2
"""Chances of each option in a list of all of them."""


def odds_lines(match: Match, which: str = "") -> list[Text]:
    """Odds of all options, or closely of one."""
    decision = match.decision
    if decision is None:
        return [Text("The match has ended.")]
    count = len(decision.options)
    if which and not (which.isdigit() and 1 <= int(which) <= count):
        return [Text(f"There are {count} options, counted from 1: `odds 1`.")]
    wanted = [int(which) - 1] if which else None
    try:
        found = odds(match, wanted)
    except Fault as fault:
        return [Text(f"That cannot be told: {fault.where(match.program.sheet.sites)}.")]
    lines: list[Text] = []
    resting = [option.index for option in decision.options if option.verb in RESTING]
    whatever = anyway(found, resting, decision.actor)
    for one in found:
        option = decision.options[one.option]
        left_out = None if option.index in resting else whatever
        told = foretell(match.program, one, option.things, option.text, left_out, match.slots())
        lines += _one(f"{one.option + 1:>3} ", option.text, told, brief=wanted is None)
    return lines


def _one(number: str, text: str, told: Foretold, brief: bool) -> Iterator[Text]:
    line = Text(number, style="bold green")
    line.append(text, style="bold")
    if told.sure:
        line.append(f"   {', '.join(one.text for one in told.sure)}", style="not bold default")
    if told.idle:
        line.append("   nothing would come of it", style="not bold dim")
    yield line
    for chance in told.may[: BRIEF if brief else None]:
        yield Text(f"      {chance.text}")
    if told.may and not brief:
        how = f"all {told.lines} ways the dice can fall" if told.exact else f"{told.lines} samples"
        yield Text(f"      ({how})", style="dim")
