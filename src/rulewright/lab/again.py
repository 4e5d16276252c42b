"""One match of a run, again: as a replay that terminal and page can open.

In:  a Setting and the number of a match.
Out: a Replay.

A match is nothing but its seed, its seats and who decides, so it is played once more, choice by choice.
"""

from __future__ import annotations

from rulewright.ir.program import DECISION, SEAT, STATUS
from rulewright.lab.simulate import Setting, play_one
from rulewright.native import layout as at
from rulewright.native.engine import NativeEngine
from rulewright.native.entries import player_seed
from rulewright.play.chance import MASK, draw_from
from rulewright.play.faults import Fault, MatchError
from rulewright.play.replay import Replay
from rulewright.play.setup import option_slots
from rulewright.players.bots import RANDOM, is_native
from rulewright.players.levels import unhurried


def again(table: Setting, match: int) -> Replay:
    """Match number `match` of a run. Raises MatchError when its rules failed."""
    engine = NativeEngine(table.program)
    engine.record(False)
    choices: list[int] = []
    try:
        if all(is_native(table.program, name) for name in table.names):
            _played(table, match, engine, choices)
        else:
            players = [unhurried(table.program, name) for name in table.names]
            if play_one(table, match, engine, players, choices.append)[1] < 0:
                raise Fault(0)
    except Fault as fault:
        raise MatchError(f"match {match} of the run: {fault.where(table.program.sheet.sites)}") from None
    seated = {table.seat_of(name, match): word for name, word in enumerate(table.names)}
    return Replay(
        program=table.program.digest,
        seed=table.seed_of(match),
        players=tuple(f"{seated[seat]} {seat + 1}" for seat in range(len(table.names))),
        options=dict(table.options),
        choices=tuple(choices),
        hash=f"{engine.hash():016x}",
        title=table.program.title,
    )


def _played(table: Setting, match: int, engine: NativeEngine, choices: list[int]) -> None:
    """As native code plays it: strategies and the random player draw from one stream of the match."""
    known = (RANDOM, *table.program.sheet.strategies)
    seated = {table.seat_of(name, match): known.index(word) for name, word in enumerate(table.names)}
    seed = table.seed_of(match)
    engine.start(len(table.names), seed, option_slots(table.program, table.options))
    engine.advance()
    stream = player_seed(seed)
    while engine.peek(STATUS) == DECISION:
        policy = seated[engine.peek(SEAT)]
        count = len(engine.options())
        if policy:
            engine.arena.set_word(at.POLICY_RNG, stream)
            choice = engine.arena.call(engine.library.policy, policy)
            stream = engine.arena.word(at.POLICY_RNG) & MASK
        else:
            choice, stream = draw_from(stream, count)
        choices.append(choice)
        engine.choose(choice)
        engine.advance()
