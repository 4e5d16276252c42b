"""Why somebody may not even think of an action: it is for others, its limit is used up, a rule forbids it.

In:  a state, a seat, the function of the Program that says who may think of an action, an actor.
Out: the one test that says no, in words; nothing where the seat may not know what it looks at.

The function asks one thing after the other and gives 0 at the first that speaks against it. What each asks
is told by what it reads: a table of who has the action, a rule, a mark of the last use.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from rulewright.ir import nodes as n
from rulewright.ir.program import Program
from rulewright.ir.walk import parts as parts_of
from rulewright.play.refusals import ask
from rulewright.play.words import name_of

SOME = 4
"""People who are named; where more have it, it is for others."""
USED = "its limit is used up"
ANSWERS = "it answers something, and nothing of the kind happens now"


def barred(program: Program, slots: Sequence[int], seat: int, name: str, actor: int) -> str:
    """The one thing that speaks against it; "" where none does that may be told."""
    function = program.functions[name]
    for statement in function.body:
        if not isinstance(statement, n.If):
            continue
        test = replace(function, name="", body=(n.Return(statement.test),))
        against = ask(program, slots, seat, test, actor)
        if against is None or not against.open:
            return ""
        if against.holds:
            return _said(program, slots, statement.test)
    return ""


def _said(program: Program, slots: Sequence[int], test: n.Expr) -> str:
    parts = parts_of(test)
    table = next((part for part in parts if isinstance(part, n.Load) and part.array == "K"), None)
    if table is not None:
        return _others(program, slots, table)
    rule = next((part for part in parts if isinstance(part, n.Call) and part.name in program.functions), None)
    if rule is None:
        return ANSWERS if isinstance(test, n.Not) else USED
    title = program.sheet.sites[program.functions[rule.name].site].title
    if not title:
        return ""
    return f"only with '{title}'" if isinstance(test, n.Not) else f"'{title}' forbids it"


def _others(program: Program, slots: Sequence[int], table: n.Load) -> str:
    """Who has it: a table with a 1 for each of them."""
    match table.index:
        case n.Binary("+", n.Const(base), n.Local()):
            everyone = range(len(program.sheet.things.get("Actor", ())))
            names = dict.fromkeys(_kinds(program, slots, base, everyone))
            return f"it is for {_listed(list(names))}" if 0 < len(names) <= SOME else "it is for others"
        case _:
            return "it is for others"


def _kinds(program: Program, slots: Sequence[int], base: int, everyone: range) -> Iterator[str]:
    """Guard 1 and Guard 2 are Guards."""
    for actor in everyone:
        if program.consts[base + actor]:
            yield name_of(program, "Actor", actor, slots).rstrip("0123456789").rstrip()


def _listed(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
