"""How much there is to choose: how many options, how many of them are worth a thought.

In:  a Setting whose players are the book's own, positions to look at, lines for each.
Out: `Choices`: options at a decision, and what a search says of them at some positions.

An option is clearly worse when the best one is better by more than both intervals; a decision is open when at
least two options are not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from rulewright.ir.program import DECISION, STATUS
from rulewright.lab.again import again
from rulewright.lab.simulate import Setting
from rulewright.native.engine import NativeEngine
from rulewright.play.faults import Fault
from rulewright.play.setup import option_slots
from rulewright.players.bots import position_of
from rulewright.players.search import Budget, Thought, think

MATCHES = 24
TRIED = 8
"""An option that was tried less often than this is not judged."""
Z = 1.96


@dataclass(slots=True)
class Verb:
    """What became of one kind of option where it was looked at: one of the good ones, or clearly worse."""

    offered: int = 0
    good: int = 0
    worse: int = 0
    match: int = -1


@dataclass(frozen=True, slots=True)
class Choices:
    """What was seen. `widths`: decisions by how many options they have; `means`: options at a decision, match
    by match; `looked`: positions searched."""

    widths: dict[int, int]
    means: tuple[float, ...]
    looked: int
    open: int
    tried: int
    worse: int
    verbs: dict[str, Verb]

    @property
    def mean(self) -> float:
        """Options at a decision."""
        return sum(k * n for k, n in self.widths.items()) / max(1, sum(self.widths.values()))


def choices(
    table: Setting, looks: int, lines: int, progress: Callable[[int, int], None] | None = None
) -> Choices:
    """Play some matches of a run again and look at positions that are spread over them."""
    widths: Counter[int] = Counter()
    verbs: dict[str, Verb] = {}
    engine = NativeEngine(table.program)
    engine.record(False)
    slots = option_slots(table.program, table.options)
    means: list[float] = []
    looked = open_ = tried = worse = 0
    for match in range(MATCHES):
        try:
            taken = again(table, match).choices
            engine.start(len(table.names), table.seed_of(match), slots)
            engine.advance()
        except Fault:
            continue
        share = looks // MATCHES + (match < looks % MATCHES)
        wanted = {len(taken) * (2 * k + 1) // (2 * share) for k in range(share)} if share else set[int]()
        before = sum(k * n for k, n in widths.items()), sum(widths.values())
        for step, choice in enumerate(taken):
            if engine.peek(STATUS) != DECISION:
                break
            now = position_of(engine, table.seed_of(match))
            widths[now.options] += 1
            if step in wanted and now.options > 1:
                thought = think(now, Budget(lines))
                counted = _judged(thought)
                looked += 1
                open_ += sum(good for _, good in counted) > 1
                tried += len(counted)
                worse += sum(not good for _, good in counted)
                for option, good in counted:
                    text = _verb(table, now.offers[option][0])
                    seen = verbs.setdefault(text, Verb(match=match))
                    seen.offered += 1
                    seen.good += good
                    seen.worse += not good
                if progress is not None:
                    progress(looked, looks)
            engine.choose(choice)
            engine.advance()
        options, decisions = (
            sum(k * n for k, n in widths.items()) - before[0],
            sum(widths.values()) - before[1],
        )
        means += [options / decisions] if decisions else []
    kinds = dict(sorted(verbs.items()))
    return Choices(dict(sorted(widths.items())), tuple(means), looked, open_, tried, worse, kinds)


def _judged(thought: Thought) -> list[tuple[int, bool]]:
    """Options that were tried often enough, and whether they are among the good ones."""
    known = [worth for worth in thought.worths if worth.lines >= TRIED]
    floor = max((worth.mean - Z * worth.error for worth in known), default=0.0)
    return [(worth.option, worth.mean + Z * worth.error >= floor) for worth in known]


def _verb(table: Setting, verb: int) -> str:
    verbs = table.program.sheet.verbs
    text = verbs[verb].text if 0 <= verb < len(verbs) else f"option {verb}"
    words = text.split("{")[0].strip(" :")
    site = table.program.sheet.sites[verbs[verb].site].title if 0 <= verb < len(verbs) else ""
    return words or site or text
