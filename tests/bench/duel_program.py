"""The duel as a Program, written by hand in the IR's text form.

In:  nothing.
Out: `duel()`. What lowering should come close to; speed is judged on it while no book is at hand.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from rulewright.ir.link import blank, link
from rulewright.ir.program import Program
from rulewright.ir.reader import functions
from rulewright.ir.sheet import Sheet, Site, Verb

# Slots: health 24, 25; points 26, 27; defends 28, 29; score 30, 31; ending 32; moves 33.
CODE = """
def main():  # site 1
    who = 0
    S[24] = P[0]
    S[25] = P[0]
    while 1:
        S[26 + who] = P[1]
        S[28 + who] = 0
        while 1:
            with ask(who, 0):  # site 2
                if S[26 + who] > 0:
                    opt(0, 1 - who, 0, 0)
                    if not S[28 + who]:
                        opt(1, 0, 0, 0)
                opt(2, 0, 0, 0)
            S[33] = S[33] + 1
            emit(7, 2, who, S[10], 0, 0)
            if S[9] == 2:
                break
            S[26 + who] = S[26 + who] - 1
            if S[9] == 0:
                attack(who, S[10])
                if S[24 + S[10]] <= 0:
                    S[30 + who] = 1
                    S[32] = 1
                    return 0
            else:
                S[28 + who] = 1
        who = 1 - who

def attack(who, target):  # site 3
    reach = roll(20, 3) + P[2]
    goal = P[4] if S[28 + target] else P[3]
    if reach >= goal:
        old = S[24 + target]
        S[24 + target] = old - (roll(8, 3) + P[5])
        emit(2, 3, 0, target, old, S[24 + target])
    return 0

def policy_0():
    i = 0
    while i < nopt():
        if option(i, 0) == 0:
            return i
        i = i + 1
    return nopt() - 1
"""


@cache
def duel(bound: int = 100_000) -> Program:
    """Two fighters, attack, defend or end the turn. Policy 0 attacks whenever it can."""
    tables = replace(
        blank("duel", (0,) * 10, stack=64, work=8),
        params=(30, 3, 5, 12, 14, 3),
        param_names=("health", "points", "attack", "armour", "guarded armour", "damage"),
        seats=(2, 2),
        bound=bound,
        sheet=Sheet(
            verbs=(Verb("attack"), Verb("defend"), Verb("end turn")),
            sites=tuple(Site("duel.md", line) for line in range(4)),
            strategies=("attacker",),
            policies=("policy_0",),
            result={"ending": 32, "score": 30},
        ),
    )
    return link(tables, {function.name: function for function, _ in functions(CODE)})


MOVES = 33
"""The slot that counts moves, forced ones too."""
